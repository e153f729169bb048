-- Which places changed hands in battle, who took them, and from whom?
-- :game -  only the game of this id
-- :place -  only this place
-- :seat -  only what this seat took
-- Only the live line.
-- $ lawspeaker query places_taken --param game=friday --param seat=orc
SELECT battles.game, battles.ended AS entry, entries.made_at, battles.place, battles.winner AS taken_by,
       CASE WHEN battles.winner IS DISTINCT FROM battles.defender THEN battles.defender ELSE battles.attacker END AS taken_from,
       battles.rounds
FROM battles
JOIN entries ON entries.game = battles.game AND entries.id = battles.ended
WHERE battles.live AND battles.taken
  AND ($game IS NULL OR battles.game = $game)
  AND ($place IS NULL OR battles.place = $place)
  AND ($seat IS NULL OR battles.winner = $seat)
ORDER BY battles.game, entry, battles.place
