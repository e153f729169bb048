-- Nobody reads or gives a scroll that was not dealt to him, and no scroll is dealt more often than it is printed.
-- Only the live line, and games of which every sealed fact is opened (QD-16.1). Where a card was not seen by whoever
-- recorded, or hands were set, a game is not followed. In a long game there are no Summon Elemental (QD-23.3).
WITH printed(scroll, copies) AS (
    VALUES ('summon_elemental.earth', 1), ('summon_elemental.wind', 1), ('summon_elemental.water', 1), ('summon_elemental.fire', 1),
           ('reflect', 3), ('berserk', 3), ('infernal', 2), ('tempest', 2), ('ship', 3), ('legion', 3), ('charm', 2), ('clairvoyance', 2)
), told AS (
    SELECT facts.game, entry, n, fact, facts.seat, body, coalesce(options ->> '$.length' = 'long', false) AS long
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('HandDealt', 'ScrollRead', 'ScrollsPassed')
      AND facts.game NOT IN (SELECT game FROM facts WHERE fact IN ('Sealed', 'HandSet', 'HeldSet')
                                                       OR (fact = 'HandDealt' AND body ->> '$.card' = '?'))
), passed AS (
    SELECT game, entry, n, seat, body ->> '$.victor' AS victor, unnest((body -> '$.cards')::VARCHAR[]) AS card
    FROM told WHERE fact = 'ScrollsPassed'
), flows AS (
    SELECT game, entry, n, seat, body ->> '$.card' AS card, 1 AS more, 1 AS dealt, long FROM told WHERE fact = 'HandDealt'
    UNION ALL SELECT game, entry, n, seat, body ->> '$.scroll', -1, 0, long FROM told WHERE fact = 'ScrollRead'
    UNION ALL SELECT game, entry, n, seat, card, -1, 0, false FROM passed
    UNION ALL SELECT game, entry, n, victor, card, 1, 0, false FROM passed
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, seat, card ORDER BY entry, n, more ROWS UNBOUNDED PRECEDING)::BIGINT AS there,
           sum(dealt) OVER (PARTITION BY game, card ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS times
    FROM flows
)
SELECT game, entry, 'scrolls ' || card || ' of ' || seat || ', at least' AS what, 0 AS expected, there AS found
FROM balances WHERE there < 0
QUALIFY row_number() OVER (PARTITION BY game, seat, card ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'times that ' || card || ' was dealt, at most', most, times
FROM (SELECT balances.*, CASE WHEN long AND card LIKE 'summon_elemental.%' THEN 0 ELSE coalesce(copies, 0) END AS most
      FROM balances LEFT JOIN printed ON printed.scroll = balances.card)
WHERE dealt = 1 AND times > most
ORDER BY game, entry, what
