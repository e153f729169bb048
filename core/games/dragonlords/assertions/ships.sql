-- Ships come from where ships lie, and there are never more than eight.
-- Only the live line (QD-1.3, QD-5.2, QD-11.5). Where an arbiter has set ships, a game is followed no more.
WITH told AS (
    SELECT facts.game, entry, n, fact, facts.seat, facts.place, coalesce("count", 1) AS ships, body, body ->> '$.zone' AS zone
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('ShipsDocked', 'ShipsManned', 'ShipsSailed', 'ShipsSunk', 'ShipsSet', 'ShipBought', 'PurchaseUsed')
), flows AS (
    SELECT game, entry, n, 1 AS leg, place, ships AS more FROM told WHERE fact IN ('ShipsDocked', 'ShipsSet')
    UNION ALL SELECT game, entry, n, 0, zone, -ships FROM told WHERE fact = 'ShipsDocked' AND coalesce(zone, '') <> ''
    UNION ALL SELECT game, entry, n, 0, place, -ships FROM told WHERE fact = 'ShipsManned'
    UNION ALL SELECT game, entry, n, 1, zone, ships FROM told WHERE fact = 'ShipsManned'
    UNION ALL SELECT game, entry, n, 0, body ->> '$.origin', -ships FROM told WHERE fact = 'ShipsSailed'
    UNION ALL SELECT game, entry, n, 1, body ->> '$.path[#-1]', ships FROM told WHERE fact = 'ShipsSailed'
    UNION ALL SELECT game, entry, n, 0, zone, -ships FROM told WHERE fact = 'ShipsSunk'
    UNION ALL SELECT game, entry, n, 0, 'the yard', 1 FROM told WHERE fact = 'ShipBought'
    UNION ALL SELECT game, entry, n, 0, 'the yard', -ships FROM told WHERE fact = 'PurchaseUsed' AND body ->> '$.kind' = 'ship'
), corrected AS (
    SELECT game, min(entry) AS since FROM told WHERE fact = 'ShipsSet' AND entry > 1 GROUP BY ALL
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, place ORDER BY entry, n, leg ROWS UNBOUNDED PRECEDING)::BIGINT AS there,
           sum(more) OVER (PARTITION BY game ORDER BY entry, n, leg ROWS UNBOUNDED PRECEDING)::BIGINT AS in_all
    FROM flows
), followed AS (
    SELECT balances.* FROM balances LEFT JOIN corrected USING (game) WHERE entry < coalesce(since, entry + 1)
)
SELECT game, entry, 'ships in ' || place || ', at least' AS what, 0 AS expected, there AS found FROM followed
WHERE there < 0
QUALIFY row_number() OVER (PARTITION BY game, place ORDER BY entry, n, leg) = 1
UNION ALL
SELECT game, entry, 'ships in play, at most', 8, in_all FROM followed
WHERE in_all > 8
QUALIFY row_number() OVER (PARTITION BY game ORDER BY entry, n, leg) = 1
ORDER BY game, entry, what
