-- What did each battle cost, round by round?
-- :game -  only the game of this id
-- :place -  only battles over this place
-- Only the live line. A round is the dice that fall before losses and the losses they bring, unless the game tells its
-- rounds; round 0 is what was lost before any dice. successes are those of dice that succeed one by one.
-- $ lawspeaker query battles_by_round --param game=friday --param place=OR_n
WITH thrown AS (
    SELECT game, battle, coalesce(round, 0) AS round, owner AS seat, count(*) AS dice, count(*) FILTER (success) AS successes
    FROM rolls WHERE live AND battle IS NOT NULL GROUP BY ALL
), lost AS (
    SELECT game, battle, coalesce(round, 0) AS round, seat, sum(coalesce("count", 1))::BIGINT AS losses
    FROM facts WHERE live AND battle IS NOT NULL AND claim = 'loses' AND seat IS NOT NULL GROUP BY ALL
), sides AS (
    SELECT game, battle, round, seat, dice, successes, losses
    FROM thrown FULL JOIN lost USING (game, battle, round, seat)
)
SELECT sides.game, sides.battle, battles.place, sides.round, sides.seat,
       CASE sides.seat WHEN battles.attacker THEN 'attacker' WHEN battles.defender THEN 'defender' END AS side,
       coalesce(dice, 0) AS dice, coalesce(successes, 0) AS successes, coalesce(losses, 0) AS losses
FROM sides
JOIN battles ON battles.game = sides.game AND battles.n = sides.battle AND battles.live
WHERE ($game IS NULL OR sides.game = $game)
  AND ($place IS NULL OR battles.place = $place)
ORDER BY sides.game, sides.battle, sides.round, side NULLS LAST, sides.seat
