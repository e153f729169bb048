-- How do games open, and who wins after which opening?
-- :rules -  only games played by these rules
-- :moves 2  how many commands of players make an opening
-- :whole no  yes: commands with their fields; no: their names alone
-- Only the live line; what-ifs are left out. A command that the reader may not see is Sealed.
-- $ lawspeaker query openings --param moves=3 spring/
WITH commands AS (
    SELECT entries.game, entries.id, entries.seat || ' ' || CASE WHEN $whole THEN entries.body ELSE entries.command END AS move,
           row_number() OVER (PARTITION BY entries.game ORDER BY entries.id) AS n
    FROM entries SEMI JOIN seats ON seats.game = entries.game AND seats.seat = entries.seat
    WHERE entries.live
), openings AS (
    SELECT game, string_agg(move, ', ' ORDER BY n) AS opening FROM commands WHERE n <= $moves GROUP BY game
)
SELECT games.game AS rules, openings.opening, count(*) AS games, count(*) FILTER (games.ended) AS ended,
       histogram(w.seat) FILTER (w.seat IS NOT NULL) AS wins
FROM openings
JOIN games ON games.id = openings.game
LEFT JOIN (SELECT game, seat FROM seats WHERE won) AS w ON w.game = games.id
WHERE games.branch_of IS NULL AND ($rules IS NULL OR games.game = $rules)
GROUP BY ALL
ORDER BY games DESC, rules, opening
