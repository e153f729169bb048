-- Every die shows a face that it has.
-- On every line; dice that the rules do not know are left out.
SELECT rolls.game, rolls.entry, 'sides of a ' || rolls.die || ' that show ' || rolls.face || ', at least' AS what, 1 AS expected, 0 AS found
FROM rolls
JOIN games ON games.id = rolls.game
LEFT JOIN dice ON dice.game = games.game AND dice.die = rolls.die AND dice.face = rolls.face
WHERE rolls.sides IS NOT NULL AND dice.die IS NULL
ORDER BY ALL
