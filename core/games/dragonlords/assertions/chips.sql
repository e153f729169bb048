-- A chip that was lost is shown and lost no more until it lies on the board again.
-- Only the live line, and games of which every sealed fact is opened: kings, wizards, decoys and treasures (QD-1.4, QD-14.1,
-- QD-22.1). Who has lost his king has no chips of his own left. Where chips were set, a game is not followed.
WITH told AS (
    SELECT facts.game, entry, n, fact, facts.seat, body, body ->> '$.chip' AS chip
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND fact IN ('ChipsPlaced', 'WizardJoined', 'ChipShown', 'ChipLost', 'ChipsMoved', 'TreasureTaken', 'KingBeaten')
      AND facts.game NOT IN (SELECT game FROM facts WHERE fact IN ('Sealed', 'ChipSet')
                                                       OR (fact = 'TreasurePicked' AND coalesce(body ->> '$.chip', '') = ''))
), chips AS (
    SELECT game, entry, n, fact, seat, unnest(json_keys(body -> '$.places')) AS chip FROM told WHERE fact = 'ChipsPlaced'
    UNION ALL SELECT game, entry, n, fact, seat, unnest((body -> '$.chips')::VARCHAR[]) FROM told WHERE fact = 'ChipsMoved'
    UNION ALL SELECT game, entry, n, fact, seat, chip FROM told WHERE fact NOT IN ('ChipsPlaced', 'ChipsMoved', 'KingBeaten')
), beaten AS (
    SELECT game, seat, entry, n FROM told WHERE fact = 'KingBeaten'
), lying AS (
    SELECT *, sum(CASE fact WHEN 'ChipsPlaced' THEN 1 WHEN 'WizardJoined' THEN 1 WHEN 'ChipLost' THEN -1 ELSE 0 END)
                  OVER (PARTITION BY game, chip ORDER BY entry, n ROWS UNBOUNDED PRECEDING)::BIGINT AS there
    FROM chips
)
SELECT lying.game, lying.entry, fact || ' of ' || chip AS what, CASE fact WHEN 'ChipLost' THEN 0 ELSE 1 END AS expected,
       CASE WHEN beaten.game IS NOT NULL THEN 0 ELSE there END AS found
FROM lying
LEFT JOIN beaten ON beaten.game = lying.game AND beaten.seat = lying.seat AND contains(chip, '.')
                AND (beaten.entry, beaten.n) < (lying.entry, lying.n)
WHERE there <> CASE fact WHEN 'ChipLost' THEN 0 ELSE 1 END OR beaten.game IS NOT NULL
ORDER BY 1, 2, 3
