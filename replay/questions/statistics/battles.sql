-- Which battles were fought, who won them, and what did they cost?
-- :game -  only the game of this id
-- :place -  only battles over this place
-- :seat -  only battles of this seat, on either side
-- :kind -  only battles of this kind, in the game's word for it, such as sea
-- Only the live line. Losses are empty where the facts of a game do not tell them. What takes the place of a battle, as a
-- fire attack does, is one without rounds; a fight that the position of a game began in has no beginning, and no sides.
-- $ lawspeaker query battles --param seat=orc --param kind=sea club.db
SELECT game, n AS battle, place, kind, attacker, defender, began, ended, rounds, winner, taken, attacker_losses, defender_losses
FROM battles
WHERE live
  AND ($game IS NULL OR game = $game)
  AND ($place IS NULL OR place = $place)
  AND ($seat IS NULL OR $seat IN (attacker, defender))
  AND ($kind IS NULL OR kind = $kind)
ORDER BY game, battle
