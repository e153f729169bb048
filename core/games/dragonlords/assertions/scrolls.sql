-- No seat reads or gives more scrolls than it holds, no scroll is read more often than it is printed, and the deck holds the rest.
-- Only the live line (QD-1.3, QD-16.1, QD-14.2). Where an arbiter or a position has set hands, a game is not followed.
-- In a long game there are no Summon Elemental (QD-23.3).
WITH printed(scroll, copies) AS (
    VALUES ('summon_elemental.earth', 1), ('summon_elemental.wind', 1), ('summon_elemental.water', 1), ('summon_elemental.fire', 1),
           ('reflect', 3), ('berserk', 3), ('infernal', 2), ('tempest', 2), ('ship', 3), ('legion', 3), ('charm', 2), ('clairvoyance', 2)
), told AS (
    SELECT facts.game, entry, n, fact, facts.seat, body, (body ->> '$.count')::BIGINT AS taken, body ->> '$.victor' AS victor,
           body ->> '$.scroll' AS scroll, coalesce((body ->> '$.left')::BIGINT, 0) AS told_left,
           coalesce(options ->> '$.length' = 'long', false) AS long
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('CardDealt', 'ScrollRead', 'ScrollsTaken')
      AND (fact <> 'CardDealt' OR body ->> '$.deck' = 'scrolls')
      AND facts.game NOT IN (SELECT game FROM facts WHERE fact IN ('HandSet', 'HeldSet') OR (fact = 'Sealed' AND entry = 1))
), flows AS (
    SELECT game, entry, n, fact, seat, CASE fact WHEN 'CardDealt' THEN 1 WHEN 'ScrollRead' THEN -1 ELSE -taken END AS more FROM told
    UNION ALL SELECT game, entry, n, 'ScrollsGiven', victor, taken FROM told WHERE fact = 'ScrollsTaken'
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, seat ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS there FROM flows
), dealt AS (
    SELECT game, entry, n, told_left, if(long, 20, 24) - count(*) OVER (PARTITION BY game ORDER BY entry, n ROWS UNBOUNDED PRECEDING) AS left_over
    FROM told WHERE fact = 'CardDealt'
), read AS (
    SELECT told.game, entry, n, told.scroll,
           CASE WHEN long AND told.scroll LIKE 'summon_elemental.%' THEN 0 ELSE coalesce(copies, 0) END AS copies,
           count(*) OVER (PARTITION BY told.game, told.scroll ORDER BY entry, n ROWS UNBOUNDED PRECEDING) AS times
    FROM told LEFT JOIN printed ON printed.scroll = told.scroll WHERE fact = 'ScrollRead'
)
SELECT game, entry, 'scrolls of ' || seat || CASE fact WHEN 'ScrollsTaken' THEN ' left behind' ELSE ', at least' END AS what,
       0 AS expected, there AS found
FROM balances WHERE there < 0 OR (fact = 'ScrollsTaken' AND there <> 0)
QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'scrolls left in the deck', left_over, told_left FROM dealt WHERE left_over <> told_left
QUALIFY row_number() OVER (PARTITION BY game ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'times that ' || scroll || ' was read, at most', copies, times FROM read WHERE times > copies
ORDER BY game, entry, what
