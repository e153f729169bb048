-- No seat moves or loses more units or DragonLords from a place than came there, and there are never more than four DragonLords.
-- Only the live line (QD-1.3, QD-10.8). Columns and armies of a seat in one place are counted together. Where an arbiter has
-- set pieces, a place is followed no more.
WITH told AS (
    SELECT facts.game, entry, n, fact, seat, place, "count", body
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('UnitsPlaced', 'UnitsMoved', 'UnitsLost', 'LegionCame', 'DragonLordGained', 'UnitsSet', 'ColumnSet')
), amounts AS (
    SELECT *, coalesce((body ->> '$.units')::BIGINT, 0) AS units, coalesce((body ->> '$.dragonlords')::BIGINT, 0) AS lords,
           body ->> '$.origin' AS origin, body ->> '$.target' AS target
    FROM told
), flows AS (
    SELECT game, entry, n, seat, place, 'units' AS piece, units AS more FROM amounts WHERE fact = 'UnitsPlaced'
    UNION ALL SELECT game, entry, n, seat, place, 'DragonLords', lords FROM amounts WHERE fact = 'UnitsPlaced'
    UNION ALL SELECT game, entry, n, seat, origin, 'units', -units FROM amounts WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, seat, target, 'units', units FROM amounts WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, seat, origin, 'DragonLords', -lords FROM amounts WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, seat, target, 'DragonLords', lords FROM amounts WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, seat, place, 'units', lords - "count" FROM amounts WHERE fact = 'UnitsLost'
    UNION ALL SELECT game, entry, n, seat, place, 'DragonLords', -lords FROM amounts WHERE fact = 'UnitsLost'
    UNION ALL SELECT game, entry, n, seat, place, 'units', "count" FROM amounts WHERE fact = 'LegionCame'
    UNION ALL SELECT game, entry, n, seat, place, 'units', -1 FROM amounts WHERE fact = 'DragonLordGained'
    UNION ALL SELECT game, entry, n, seat, place, 'DragonLords', 1 FROM amounts WHERE fact = 'DragonLordGained'
    UNION ALL SELECT game, entry, n, seat, place, 'units', "count" FROM amounts WHERE fact IN ('UnitsSet', 'ColumnSet')
    UNION ALL SELECT game, entry, n, seat, place, 'DragonLords', lords FROM amounts WHERE fact IN ('UnitsSet', 'ColumnSet')
), corrected AS (
    SELECT game, place, min(entry) AS since FROM amounts WHERE fact IN ('UnitsSet', 'ColumnSet') AND entry > 1 GROUP BY ALL
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, piece, seat, place ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS there,
           sum(more) OVER (PARTITION BY game, piece ORDER BY entry, n, more ROWS UNBOUNDED PRECEDING)::BIGINT AS in_all
    FROM flows WHERE more <> 0
), followed AS (
    SELECT balances.* FROM balances LEFT JOIN corrected USING (game, place) WHERE entry < coalesce(since, entry + 1)
)
SELECT game, entry, piece || ' of ' || seat || ' in ' || place || ', at least' AS what, 0 AS expected, there AS found
FROM followed WHERE there < 0
QUALIFY row_number() OVER (PARTITION BY game, piece, seat, place ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'DragonLords in play, at most', 4, in_all FROM followed
WHERE piece = 'DragonLords' AND in_all > 4 AND game NOT IN (SELECT game FROM corrected)
QUALIFY row_number() OVER (PARTITION BY game ORDER BY entry, n) = 1
ORDER BY game, entry, what
