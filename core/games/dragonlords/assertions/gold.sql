-- No kingdom pays more gold than lies in it, and who takes it takes what lies there.
-- Only the live line (QD-2.2, QD-4.2). Where an arbiter has set gold, a kingdom is followed no more.
WITH flows AS (
    SELECT facts.game, entry, n, fact, facts.place, (body ->> '$.gold')::BIGINT AS gold,
           CASE fact WHEN 'GoldPaid' THEN -gold WHEN 'GoldTaken' THEN 0 ELSE gold END AS more
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('GoldStored', 'GoldPaid', 'GoldTaken', 'GoldSet')
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, place ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS there FROM flows
), corrected AS (
    SELECT game, place, min(entry) AS since FROM flows WHERE fact = 'GoldSet' AND entry > 1 GROUP BY ALL
)
SELECT game, entry, CASE fact WHEN 'GoldTaken' THEN 'gold taken in ' ELSE 'gold in ' END || place
           || CASE fact WHEN 'GoldTaken' THEN '' ELSE ', at least' END AS what,
       CASE fact WHEN 'GoldTaken' THEN there ELSE 0 END AS expected, CASE fact WHEN 'GoldTaken' THEN gold ELSE there END AS found
FROM balances LEFT JOIN corrected USING (game, place)
WHERE entry < coalesce(since, entry + 1) AND (there < 0 OR (fact = 'GoldTaken' AND gold <> there))
QUALIFY row_number() OVER (PARTITION BY game, place ORDER BY entry, n) = 1
ORDER BY game, entry, what
