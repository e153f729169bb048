-- How often did each face of each die fall, and would a fair die have done so?
-- :die -  only this kind of die, such as d6
-- :game -  only the game of this id
-- :source -  only dice of this source: typed, live, sealed, scripted; any but scripted unless named
-- Every die that fell is counted, in lines taken back too. Equal dice of different games are one kind.
-- p is the exact two-sided binomial test of the face against a fair die. corrected is p after Holm's correction for
-- all faces of all dice in this answer: over fair dice, one answer in twenty has any corrected value under 0.05.
-- $ lawspeaker query faces_per_die --param die=d6 --param source=typed club.db
WITH kinds AS (
    SELECT DISTINCT game, die, faces FROM dice
), fallen AS (
    SELECT rolls.die, kinds.faces, rolls.face, count(*) AS fell
    FROM rolls
    JOIN games ON games.id = rolls.game
    LEFT JOIN kinds ON kinds.game = games.game AND kinds.die = rolls.die
    WHERE ($die IS NULL OR rolls.die = $die)
      AND ($game IS NULL OR rolls.game = $game)
      AND coalesce(rolls.source = $source, $source IS NULL AND rolls.source IS DISTINCT FROM 'scripted')
    GROUP BY ALL
), totals AS (
    SELECT die, faces, sum(fell)::BIGINT AS rolled FROM fallen GROUP BY ALL
), sides AS (
    -- A face that never fell is a row too.
    SELECT DISTINCT dice.die, dice.faces, dice.face, dice.showing / dice.sides AS chance
    FROM dice SEMI JOIN totals ON totals.die = dice.die AND totals.faces = dice.faces
    UNION
    SELECT die, faces, face, NULL FROM fallen WHERE faces IS NULL
), counted AS (
    SELECT sides.die, sides.face, coalesce(fallen.fell, 0) AS fell, totals.rolled, totals.rolled * sides.chance AS expected,
           binomial_p(coalesce(fallen.fell, 0), totals.rolled, sides.chance) AS p
    FROM sides
    JOIN totals ON totals.die = sides.die AND totals.faces IS NOT DISTINCT FROM sides.faces
    LEFT JOIN fallen ON fallen.die = sides.die AND fallen.faces IS NOT DISTINCT FROM sides.faces AND fallen.face = sides.face
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY p NULLS LAST, die, face) AS rank, count(p) OVER () AS tests FROM counted
)
SELECT die, face, fell, rolled, expected, p,
       CASE WHEN p IS NULL THEN NULL
            ELSE least(1.0, max((tests - rank + 1) * p) OVER (ORDER BY rank)) END AS corrected
FROM ranked
ORDER BY die, TRY_CAST(face AS BIGINT), face
