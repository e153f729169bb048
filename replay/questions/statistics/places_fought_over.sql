-- Which places are fought over most, and how often do they fall?
-- :rules -  only games played by these rules
-- Only battles of the live line that ended.
-- $ lawspeaker query places_fought_over spring/
SELECT games.game AS rules, place, count(*) AS battles, count(*) FILTER (taken) AS taken,
       count(*) FILTER (taken) / count(*) AS falls, avg(rounds) AS rounds,
       sum(attacker_losses)::BIGINT AS attackers_lost, sum(defender_losses)::BIGINT AS defenders_lost
FROM battles
JOIN games ON games.id = battles.game
WHERE battles.live AND battles.ended IS NOT NULL AND ($rules IS NULL OR games.game = $rules)
GROUP BY ALL
ORDER BY battles DESC, rules, place
