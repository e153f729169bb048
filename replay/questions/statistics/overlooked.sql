-- Which rules were broken without anybody objecting?
-- :rules -  only games played by these rules
-- Only the live line. An overlooked reason is one for which the rules forbade a command that was played all the same.
-- $ lawspeaker query overlooked --param rules=dragonlords club.db
SELECT games.game AS rules, rulings.code, rulings.because, count(*) AS times, count(DISTINCT rulings.game) AS games,
       min(rulings.game || ', entry ' || rulings.entry) AS example
FROM rulings
JOIN games ON games.id = rulings.game
WHERE rulings.fact = 'Overlooked' AND rulings.live AND ($rules IS NULL OR games.game = $rules)
GROUP BY ALL
ORDER BY times DESC, rules, code
