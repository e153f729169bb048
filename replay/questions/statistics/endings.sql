-- How do games end, and after how many entries?
-- :rules -  only games played by these rules
-- What-ifs are left out; games that go on have no ending.
-- $ lawspeaker query endings spring/
SELECT game AS rules, how, count(*) AS games, median(entries - taken_back) AS median_length,
       count(*) FILTER (len(winners) = 0) AS draws
FROM games
WHERE branch_of IS NULL AND ($rules IS NULL OR game = $rules)
GROUP BY ALL
ORDER BY rules, games DESC, how
