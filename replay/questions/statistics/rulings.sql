-- What was ruled, corrected and disputed, and why?
-- :game -  only the game of this id
-- Rulings and disputes stand whatever is taken back afterwards; a correction stands while its line does. penalty is what
-- the penalised seat is to bear, in the arbiter's words.
-- $ lawspeaker query rulings --param game=friday
SELECT game, entry, fact, verdict, seat, penalty, point, answer, dispute, about, reason, because, live
FROM rulings
WHERE fact <> 'Overlooked' AND ($game IS NULL OR game = $game)
ORDER BY game, entry
