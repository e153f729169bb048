-- No party and no store gives items that it has not.
-- Only the live line (QD-8.1). A party is `seat@place`; the stores of all seats are counted together, since a store goes
-- whole to who takes the last kingdom (QD-H46). Where an arbiter has set items, a game is followed no more.
WITH told AS (
    SELECT facts.game, entry, n, fact, facts.seat, facts.place, body
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('ItemsGained', 'ItemsMoved', 'ItemsSet')
), each AS (
    SELECT *, unnest(json_keys(body -> '$.items')) AS item FROM told
), counted AS (
    SELECT *, (body -> '$.items' ->> item)::BIGINT AS items FROM each
), flows AS (
    SELECT game, entry, n, item, seat AS holder, items AS more FROM counted WHERE fact = 'ItemsGained'
    UNION ALL SELECT game, entry, n, item, CASE WHEN coalesce(place, '') = '' THEN seat ELSE seat || '@' || place END, items
    FROM counted WHERE fact = 'ItemsSet'
    UNION ALL SELECT game, entry, n, item, body ->> '$.source', -items FROM counted WHERE fact = 'ItemsMoved'
    UNION ALL SELECT game, entry, n, item, body ->> '$.target', items FROM counted WHERE fact = 'ItemsMoved'
), balances AS (
    SELECT game, entry, n, item, CASE WHEN contains(holder, '@') THEN holder ELSE 'the stores' END AS holder,
           sum(more) OVER (PARTITION BY game, item, CASE WHEN contains(holder, '@') THEN holder ELSE 'the stores' END
                           ORDER BY entry, n, more DESC ROWS UNBOUNDED PRECEDING)::BIGINT AS there
    FROM flows WHERE holder <> ''
), corrected AS (
    SELECT game, min(entry) AS since FROM told WHERE fact = 'ItemsSet' AND entry > 1 GROUP BY ALL
)
SELECT game, entry, item || ' of ' || holder || ', at least' AS what, 0 AS expected, there AS found
FROM balances LEFT JOIN corrected USING (game)
WHERE there < 0 AND entry < coalesce(since, entry + 1)
QUALIFY row_number() OVER (PARTITION BY game, item, holder ORDER BY entry, n) = 1
ORDER BY game, entry, what
