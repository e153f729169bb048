-- A battle is won by one of its sides or by nobody, and its place changes hands only when somebody won.
-- Only battles that ended and whose beginning the log holds, on every line.
SELECT game, ended AS entry, 'winner of the battle for ' || place || ' among its sides' AS what, 1 AS expected, 0 AS found
FROM battles
WHERE ended IS NOT NULL AND began IS NOT NULL AND winner IS NOT NULL AND winner NOT IN (attacker, defender)
UNION ALL
SELECT game, ended, 'winner of ' || place || ', which changed hands', 1, 0
FROM battles
WHERE ended IS NOT NULL AND began IS NOT NULL AND taken AND winner IS DISTINCT FROM attacker
ORDER BY ALL
