-- A quest card is read once before the pile is shuffled, and the deck holds the others.
-- Only the live line, and games where used cards lie in a pile of their own (QD-6.10, QD-H5). Where the pile was set, a
-- game is not followed.
WITH told AS (
    SELECT facts.game, entry, n, fact, body, body ->> '$.card' AS card, coalesce((body ->> '$.left')::BIGINT, 0) AS told_left
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND games.answers ->> '$."QD-H5"' = 'discard_pile'
      AND (fact IN ('QuestCardRead', 'QuestDeckShuffled') OR (fact = 'CardDealt' AND body ->> '$.deck' = 'quest_cards'))
      AND facts.game NOT IN (SELECT game FROM facts WHERE fact = 'ReadSet' OR (fact = 'Sealed' AND entry = 1)
                                                       OR (fact = 'Ruled' AND body ->> '$.verdict.point' = 'QD-H5'))
), piles AS (
    SELECT *, count(*) FILTER (fact = 'QuestDeckShuffled') OVER (PARTITION BY game ORDER BY entry, n) AS pile FROM told
), counted AS (
    SELECT *, count(*) FILTER (fact = 'CardDealt') OVER (PARTITION BY game, pile ORDER BY entry, n) AS drawn,
           count(*) FILTER (fact = 'QuestCardRead') OVER (PARTITION BY game, pile, card ORDER BY entry, n) AS times
    FROM piles
)
SELECT game, entry, 'times that ' || card || ' was read since the cards were shuffled' AS what, 1 AS expected, times AS found
FROM counted WHERE fact = 'QuestCardRead' AND times > 1
UNION ALL
SELECT game, entry, 'quest cards left in the deck', 12 - drawn, told_left FROM counted WHERE fact = 'CardDealt' AND told_left <> 12 - drawn
ORDER BY game, entry, what
