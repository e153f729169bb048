-- Which kingdoms were taken, by whom, from whom, and with how much gold?
-- :game -  only the game of this id
-- :seat -  only what this race took
-- Only the live line. A kingdom that was entered without a battle is taken too; gold is what lay there (QD-2.2).
-- $ lawspeaker query kingdoms_taken --param seat=orc club.db
SELECT taken.game, taken.entry, entries.made_at, taken.place AS kingdom, taken.seat AS taken_by,
       nullif(taken.body ->> '$.loser', '') AS taken_from, taken.battle, coalesce((gold.body ->> '$.gold')::BIGINT, 0) AS gold
FROM facts AS taken
JOIN games ON games.id = taken.game AND games.game = 'dragonlords'
JOIN entries ON entries.game = taken.game AND entries.id = taken.entry
LEFT JOIN facts AS gold
    ON gold.game = taken.game AND gold.entry = taken.entry AND gold.fact = 'GoldTaken' AND gold.place = taken.place
WHERE taken.fact = 'PlaceTaken' AND taken.live
  AND taken.place IN ('FM_k', 'OR_k', 'IH_k', 'SV_k', 'SC_k', 'AL_k')
  AND ($game IS NULL OR taken.game = $game)
  AND ($seat IS NULL OR taken.seat = $seat)
ORDER BY taken.game, taken.entry, taken.n
