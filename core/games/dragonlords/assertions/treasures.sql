-- No seat loses a treasure that it has not, and there are never more than twelve.
-- Only the live line (QD-1.3, QD-7.1, QD-H54). Where treasures were set, a game is not followed.
WITH told AS (
    SELECT facts.game, entry, n, fact, facts.seat, body, coalesce((body ->> '$.left')::BIGINT, 0) AS told_left
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live
      AND (fact IN ('TreasureFound', 'TreasureTaken') OR (fact = 'TreasurePut' AND coalesce(facts.place, '') = '')
           OR (fact = 'ChipLost' AND NOT contains(body ->> '$.chip', '.'))
           OR (fact = 'CardDealt' AND body ->> '$.deck' = 'treasures'))
      AND facts.game NOT IN (SELECT game FROM facts WHERE fact IN ('HoardSet', 'ChipSet') OR (fact = 'Sealed' AND entry = 1))
), flows AS (
    SELECT game, entry, n, seat, CASE WHEN fact IN ('TreasureFound', 'TreasureTaken') THEN 1 ELSE -1 END AS more
    FROM told WHERE fact <> 'CardDealt'
    UNION ALL SELECT game, entry, n, body ->> '$.loser', -1 FROM told WHERE fact = 'TreasureTaken'
), balances AS (
    SELECT *, sum(more) OVER (PARTITION BY game, seat ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS has,
           sum(more) OVER (PARTITION BY game ORDER BY entry, n, more ROWS UNBOUNDED PRECEDING)::BIGINT AS in_all
    FROM flows
), dealt AS (
    SELECT told.game, told.entry, told_left,
           12 - (SELECT coalesce(sum(more), 0) FROM flows WHERE flows.game = told.game AND (flows.entry, flows.n) < (told.entry, told.n))::BIGINT - 1 AS left_over
    FROM told WHERE fact = 'CardDealt'
)
SELECT game, entry, 'treasures of ' || seat || ', at least' AS what, 0 AS expected, has AS found FROM balances WHERE has < 0
QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'treasures in play, at most', 12, in_all FROM balances WHERE in_all > 12
QUALIFY row_number() OVER (PARTITION BY game ORDER BY entry, n) = 1
UNION ALL
SELECT game, entry, 'treasures left face down', left_over, told_left FROM dealt WHERE left_over <> told_left
ORDER BY game, entry, what
