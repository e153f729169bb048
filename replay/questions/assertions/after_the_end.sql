-- A game ends once, and nothing happens in it afterwards.
-- Only the live line. The seed may still be published, disputes raised and ruled.
WITH over AS (
    SELECT game, min(entry) AS entry FROM facts WHERE live AND fact = 'GameEnded' GROUP BY game
)
SELECT facts.game, facts.entry, facts.fact || ' after the end' AS what, 0 AS expected, 1 AS found
FROM facts JOIN over ON over.game = facts.game AND facts.entry > over.entry
WHERE facts.live AND facts.fact NOT IN ('SeedRevealed', 'HeadMoved', 'HeadMoved.v2', 'TakeBackProposed', 'TakeBackAgreed', 'TakeBackRefused', 'DisputeRaised', 'Ruled', 'CalledOff', 'Sealed', 'Turned', 'Corrected')
  AND facts.game NOT IN (SELECT game FROM rulings WHERE fact = 'Corrected' AND live)
ORDER BY ALL
