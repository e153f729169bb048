-- Whoever was hit loses as many units as he was hit, or all that he has there.
-- Only the live line (QD-10.8). The Holy Grail may save some (QD-7.8), poison only weakens (QD-9.3), an Elixir spares
-- (QD-8.4). Where an arbiter has set units, a place is followed no more.
WITH told AS (
    SELECT facts.game, entry, n, fact, seat, place, body,
           CASE fact WHEN 'HitsSpared' THEN (body ->> '$.left')::BIGINT ELSE "count" END AS "count"
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('UnitsPlaced', 'UnitsMoved', 'UnitsLost', 'LegionCame', 'UnitsSet', 'ColumnSet',
                            'UnitsStruck', 'UnitsPoisoned', 'HitsSpared')
), moves AS (
    SELECT game, entry, n, fact, seat, place, "count",
           CASE fact WHEN 'UnitsLost' THEN -"count"
                     WHEN 'UnitsPlaced' THEN (body ->> '$.units')::BIGINT + coalesce((body ->> '$.dragonlords')::BIGINT, 0)
                     WHEN 'LegionCame' THEN "count"
                     WHEN 'UnitsSet' THEN "count" + coalesce((body ->> '$.dragonlords')::BIGINT, 0)
                     WHEN 'ColumnSet' THEN "count" + coalesce((body ->> '$.dragonlords')::BIGINT, 0)
                     ELSE 0 END AS more
    FROM told WHERE fact <> 'UnitsMoved'
    UNION ALL
    SELECT game, entry, n, fact, seat, body ->> '$.origin', NULL, -(body ->> '$.units')::BIGINT - coalesce((body ->> '$.dragonlords')::BIGINT, 0)
    FROM told WHERE fact = 'UnitsMoved'
    UNION ALL
    SELECT game, entry, n, fact, seat, body ->> '$.target', NULL, (body ->> '$.units')::BIGINT + coalesce((body ->> '$.dragonlords')::BIGINT, 0)
    FROM told WHERE fact = 'UnitsMoved'
), stacks AS (
    SELECT *, sum(more) OVER stack AS there,
           count(*) FILTER (fact IN ('UnitsLost', 'UnitsPoisoned', 'HitsSpared')) OVER (
               PARTITION BY game, seat, place ORDER BY entry, n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
               + CASE fact WHEN 'HitsSpared' THEN 1 ELSE 0 END AS paid
    FROM moves WINDOW stack AS (PARTITION BY game, seat, place ORDER BY entry, n ROWS UNBOUNDED PRECEDING)
), hits AS (
    -- Hits are counted from one payment to the next; what an Elixir has left of them counts on from there.
    SELECT game, seat, place, paid, sum(coalesce("count", 0))::BIGINT AS struck
    FROM stacks WHERE fact IN ('UnitsStruck', 'HitsSpared') GROUP BY ALL
), payments AS (
    -- Losses of one stack that came several ways are told one after the other; what is lost later in the entry, as by
    -- attackers whose king has fallen, pays no hits (QD-22.1).
    SELECT game, seat, place, entry, run, min(paid) AS paid, sum("count")::BIGINT AS lost, min(there)::BIGINT AS there
    FROM (SELECT *, n - row_number() OVER (PARTITION BY game, seat, place, entry ORDER BY n) AS run
          FROM stacks WHERE fact = 'UnitsLost')
    GROUP BY ALL
), saved AS (
    SELECT DISTINCT game, entry, owner AS seat FROM rolls WHERE purpose = 'grail'
), corrected AS (
    SELECT game, place, min(entry) AS since FROM told WHERE fact IN ('UnitsSet', 'ColumnSet') AND entry > 1 GROUP BY ALL
)
SELECT payments.game, payments.entry, 'losses of ' || payments.seat || ' in ' || payments.place AS what,
       least(struck, there + lost) AS expected, lost AS found
FROM payments
JOIN hits USING (game, seat, place, paid)
LEFT JOIN saved ON saved.game = payments.game AND saved.entry = payments.entry AND saved.seat = payments.seat
LEFT JOIN corrected ON corrected.game = payments.game AND corrected.place = payments.place
WHERE saved.game IS NULL AND payments.entry < coalesce(since, payments.entry + 1) AND lost <> least(struck, there + lost)
ORDER BY game, entry, what
