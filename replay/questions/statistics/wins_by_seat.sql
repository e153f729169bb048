-- Who wins, by seat?
-- :rules -  only games played by these rules
-- Games that are over, what-ifs left out. Seats that win together each won. fair is the share of wins that chance alone
-- would give, with one winner a game. p is the exact two-sided binomial test of the wins against it, where all games of
-- the row had as many seats; corrected is p after Holm's correction for all rows of this answer.
-- $ lawspeaker query wins_by_seat --param rules=dragonlords spring/
WITH played AS (
    SELECT games.game, len(games.seats) AS size, seats.seat, seats.won
    FROM games JOIN seats ON seats.game = games.id
    WHERE games.ended AND games.branch_of IS NULL AND ($rules IS NULL OR games.game = $rules)
), counted AS (
    SELECT game, seat, count(*) AS games, count(*) FILTER (won) AS wins, avg(1 / size) AS fair,
           CASE WHEN count(DISTINCT size) = 1 THEN 1 / any_value(size) END AS chance
    FROM played GROUP BY game, seat
), ranked AS (
    SELECT *, binomial_p(wins, games, chance) AS p, row_number() OVER (ORDER BY p NULLS LAST, game, seat) AS rank,
           count(p) OVER () AS tests
    FROM counted
)
SELECT game AS rules, seat, games, wins, wins / games AS share, fair, p,
       CASE WHEN p IS NOT NULL THEN least(1.0, max((tests - rank + 1) * p) OVER (ORDER BY rank)) END AS corrected
FROM ranked
ORDER BY rules, share DESC, seat
