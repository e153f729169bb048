-- Which games are the longest?
-- :rules -  only games played by these rules
-- :most 10  how many games to name
-- Length is counted in entries of the live line; what was taken back stands beside it. What-ifs are left out.
-- $ lawspeaker query longest_games --param most=3 club.db
SELECT id AS game, game AS rules, title, entries - taken_back AS length, taken_back,
       (SELECT count(*) FROM rolls WHERE rolls.game = games.id AND rolls.live) AS dice,
       date_diff('minute', opened_at, last_at) AS minutes, ended, how, winners
FROM games
WHERE branch_of IS NULL AND ($rules IS NULL OR games.game = $rules)
ORDER BY length DESC, id
LIMIT $most
