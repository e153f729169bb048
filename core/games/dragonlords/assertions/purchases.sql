-- No more is placed than was bought: units and ships wait from phase 1 to phase 7.
-- Only the live line (QD-4.2, QD-21.1). What cannot be placed is lost (QD-H52).
WITH flows AS (
    SELECT facts.game, entry, n, fact, facts.seat,
           CASE fact WHEN 'UnitsBought' THEN 'unit' WHEN 'ShipBought' THEN 'ship' ELSE body ->> '$.kind' END AS kind,
           CASE fact WHEN 'UnitsBought' THEN (body ->> '$.units')::BIGINT WHEN 'ShipBought' THEN 1 ELSE -"count" END AS more,
           coalesce((body ->> '$.lost')::BOOLEAN, false) AS lost
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('UnitsBought', 'ShipBought', 'PurchaseUsed')
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, seat, kind ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS waiting FROM flows
), used AS (
    SELECT game, entry, seat, kind, -sum(more)::BIGINT AS used FROM flows WHERE fact = 'PurchaseUsed' AND NOT lost GROUP BY ALL
), placed AS (
    SELECT game, entry, seat, 'unit' AS kind, sum((body ->> '$.units')::BIGINT)::BIGINT AS placed
    FROM facts WHERE live AND fact = 'UnitsPlaced' GROUP BY ALL
    UNION ALL
    SELECT game, entry, seat, 'ship', sum(coalesce("count", 1))::BIGINT
    FROM facts WHERE live AND fact = 'ShipsDocked' AND coalesce(body ->> '$.zone', '') = '' GROUP BY ALL
)
SELECT game, entry, kind || 's of ' || seat || ' that wait to be placed, at least' AS what, 0 AS expected, waiting AS found
FROM balances WHERE waiting < 0
QUALIFY row_number() OVER (PARTITION BY game, seat, kind ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, kind || 's of ' || seat || ' placed', used, coalesce(placed, 0)
FROM used LEFT JOIN placed USING (game, entry, seat, kind)
WHERE used <> coalesce(placed, 0)
ORDER BY game, entry, what
