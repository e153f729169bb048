-- What is bought costs its price, no more and no less.
-- Only the live line, and only purchases that were not overlooked (QD-1.2, QD-4.2, QD-6.6 to QD-6.8).
WITH goods(item, cost) AS (
    VALUES ('pickaxe', 1), ('torch', 1), ('potion', 1), ('elixir', 2), ('dragonorb', 5), ('talisman', 3)
), bought AS (
    SELECT entries.game, entries.id AS entry, entries.seat, entries.command,
           coalesce((entries.body ->> '$.units')::BIGINT, 0) AS units,
           CASE entries.command
               WHEN 'BuyShip' THEN 10
               WHEN 'BuyItem' THEN goods.cost * coalesce((entries.body ->> '$.count')::BIGINT, 1)
               ELSE CASE entries.seat WHEN 'orc' THEN 10 * (units // 4) + 3 * (units % 4)
                                      WHEN 'barbarian' THEN 4 * units ELSE 3 * units END
           END AS price
    FROM entries
    JOIN games ON games.id = entries.game AND games.game = 'dragonlords'
    LEFT JOIN goods ON goods.item = entries.body ->> '$.item'
    WHERE entries.live AND entries.command IN ('BuyUnits', 'BuyShip', 'Recruit', 'BuyItem')
      AND NOT EXISTS (SELECT 1 FROM rulings WHERE rulings.game = entries.game AND rulings.entry = entries.id)
), paid AS (
    SELECT game, entry, sum((body ->> '$.gold')::BIGINT)::BIGINT AS gold FROM facts WHERE live AND fact = 'GoldPaid' GROUP BY ALL
)
SELECT game, entry, 'gold paid by ' || seat || ' (' || command || ')' AS what, price::BIGINT AS expected, coalesce(gold, 0) AS found
FROM bought LEFT JOIN paid USING (game, entry)
WHERE price IS DISTINCT FROM coalesce(gold, 0)
ORDER BY game, entry, what
