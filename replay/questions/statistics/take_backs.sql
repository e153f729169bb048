-- How much was taken back, by whom, and who agreed?
-- :game -  only the game of this id
-- `learned` names what the entries left behind had told somebody.
-- $ lawspeaker query take_backs --param game=friday
SELECT game, entry, body ->> '$.by' AS by, (body -> '$.agreed')::VARCHAR[] AS agreed, body ->> '$.arbiter' AS arbiter,
       (body -> '$.learned')::VARCHAR[] AS learned, body ->> '$.reason' AS reason
FROM facts
WHERE fact = 'HeadMoved.v2' AND ($game IS NULL OR game = $game)
ORDER BY game, entry
