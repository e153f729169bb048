-- Who wins, by seat?
-- :rules -  only games played by these rules
-- Games that are over, what-ifs left out. Seats that win together each won; fair is the share of wins that chance alone
-- would give, one winner a game. p is the exact chance of so many wins or more with that share, where it is the same in all games.
WITH played AS (
    SELECT games.id, games.game, len(games.seats) AS size, seats.seat, seats.n, seats.won
    FROM games JOIN seats ON seats.game = games.id
    WHERE games.ended AND games.branch_of IS NULL AND ($rules IS NULL OR games.game = $rules)
)
SELECT game AS rules, seat, count(*) AS games, count(*) FILTER (won) AS wins, count(*) FILTER (won) / count(*) AS share,
       avg(1 / size) AS fair,
       CASE WHEN count(DISTINCT size) = 1 THEN binomial_at_least(count(*) FILTER (won), count(*), 1 / any_value(size)) END AS p
FROM played
GROUP BY game, seat
ORDER BY rules, share DESC, seat
