-- Which battles were fought, who won them, and what did they cost?
-- :game -  only the game of this id
-- :place -  only battles over this place
-- :seat -  only battles of this seat, on either side
-- Only the live line. Losses are empty where the facts of a game do not tell them.
SELECT game, n AS battle, place, kind, attacker, defender, began, ended, rounds, winner, taken, attacker_losses, defender_losses
FROM battles
WHERE live
  AND ($game IS NULL OR game = $game)
  AND ($place IS NULL OR place = $place)
  AND ($seat IS NULL OR $seat IN (attacker, defender))
ORDER BY game, battle
