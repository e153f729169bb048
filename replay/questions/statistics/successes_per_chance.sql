-- How did each seat's dice do at each chance of success, and how likely is that on fair dice?
-- :game -  only the game of this id
-- Only dice on the live line that succeed one by one. p is the exact two-sided binomial test of one seat's dice at one
-- chance; corrected is p after Holm's correction for all rows of this answer.
-- $ lawspeaker query successes_per_chance --param game=friday
WITH counted AS (
    SELECT games.game AS rules, rolls.owner AS seat, rolls.winning, rolls.sides, count(*) AS dice,
           count(*) FILTER (rolls.success) AS successes
    FROM rolls
    JOIN games ON games.id = rolls.game
    WHERE rolls.live AND rolls.chance IS NOT NULL AND ($game IS NULL OR rolls.game = $game)
    GROUP BY ALL
), tested AS (
    SELECT *, dice * winning / sides AS expected, binomial_p(successes, dice, winning / sides) AS p FROM counted
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY p, rules, seat, winning, sides) AS rank, count(*) OVER () AS tests FROM tested
)
SELECT rules, seat, winning || ' in ' || sides AS chance, dice, successes, expected, p,
       least(1.0, max((tests - rank + 1) * p) OVER (ORDER BY rank)) AS corrected
FROM ranked
ORDER BY rules, seat, winning / sides
