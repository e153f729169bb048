-- Which seats rolled more successes than they could expect, and which fewer?
-- :game -  only the game of this id
-- :purpose -  only dice rolled for this purpose
-- :by seat|person  whom the dice are counted for
-- Only dice on the live line. luck is successes less the expectation, which is exact from the faces of each die; spread
-- is one standard deviation of fair dice. Both are withheld for dice that do not succeed one by one (the best of some,
-- sums, pairs, names): they are counted as uncounted.
-- $ lawspeaker query successes_per_seat --param purpose=attack --param by=person club.db
WITH thrown AS (
    SELECT games.game AS rules,
           CASE WHEN $by = 'person' THEN coalesce(seats.person, rolls.owner) ELSE rolls.owner END AS who,
           rolls.success, rolls.chance
    FROM rolls
    JOIN games ON games.id = rolls.game
    LEFT JOIN seats ON seats.game = rolls.game AND seats.seat = rolls.owner
    WHERE rolls.live
      AND ($game IS NULL OR rolls.game = $game)
      AND ($purpose IS NULL OR rolls.purpose = $purpose)
)
SELECT rules, who, count(*) AS dice,
       count(*) FILTER (chance IS NULL) AS uncounted,
       count(*) FILTER (success AND chance IS NOT NULL) AS successes,
       sum(chance) AS expected,
       CASE WHEN count(chance) > 0 THEN count(*) FILTER (success AND chance IS NOT NULL) - sum(chance) END AS luck,
       sqrt(sum(chance * (1 - chance))) AS spread
FROM thrown
GROUP BY rules, who
ORDER BY luck DESC NULLS LAST, rules, who
