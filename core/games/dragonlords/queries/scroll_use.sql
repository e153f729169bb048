-- Which scrolls were drawn, read and turned back, by whom, when, and to what effect?
-- :game -  only the game of this id
-- :seat -  only what this seat drew, read, took or was struck by
-- :scroll -  only this scroll, such as berserk; summon_elemental is all four
-- :act -  only what is drawn, read, turned_back or taken
-- A row for each scroll that was drawn or read, for each Reflect that turned one back, and for each hand that fell to the victor
-- over a king (QD-16.1, QD-16.3, QD-14.2). user is the king, wizard or DragonLord who read it, place where it works, against
-- whom it strikes. effect says what came of it: lost and gained are the units. Only the live line. Which scroll somebody drew or
-- took is secret: it is told with --as to who knows it, with --openings to all, else it is empty.
-- $ lawspeaker query scroll_use --param game=friday --param act=read
-- $ lawspeaker query scroll_use --param scroll=summon_elemental --openings spring/
WITH told AS (
    SELECT facts.game, entry, n, entry * 1000000 + n AS moment, fact, facts.seat, facts.place, "count", because, body
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND ($game IS NULL OR facts.game = $game)
), acts AS (
    SELECT game, entry, n, moment, 'drawn' AS act, seat, NULL AS scroll, NULL AS user, NULL AS place, NULL AS against
    FROM told WHERE fact = 'CardDealt' AND body ->> '$.deck' = 'scrolls'
    UNION ALL
    SELECT game, entry, n, moment, CASE body ->> '$.scroll' WHEN 'reflect' THEN 'turned_back' ELSE 'read' END, seat, body ->> '$.scroll',
           body ->> '$.user', place, nullif(body ->> '$.target', '')
    FROM told WHERE fact = 'ScrollRead'
    UNION ALL
    SELECT game, entry, n, moment, 'taken', body ->> '$.victor', NULL, NULL, NULL, seat FROM told WHERE fact = 'ScrollsTaken' AND "count" > 0
), hands AS (
    SELECT game, entry, fact, body ->> '$.card' AS dealt, (body -> '$.cards')::VARCHAR[] AS passed, seat FROM told WHERE fact IN ('HandDealt', 'ScrollsPassed')
), readings AS (
    -- A scroll is settled before another is read, but for what turns it back.
    SELECT *, coalesce(lead(moment) OVER (PARTITION BY game ORDER BY moment), 9000000000000000) AS until,
           CASE split_part(scroll, '.', 1) WHEN 'summon_elemental' THEN 'QD-16.2' WHEN 'berserk' THEN 'QD-16.4' WHEN 'infernal' THEN 'QD-16.5'
                                           WHEN 'tempest' THEN 'QD-16.5' WHEN 'ship' THEN 'QD-16.6' WHEN 'legion' THEN 'QD-16.7'
                                           WHEN 'charm' THEN 'QD-16.8' WHEN 'clairvoyance' THEN 'QD-16.9' END AS section
    FROM acts WHERE act = 'read'
), effects AS (
    SELECT readings.game, readings.moment,
           (sum(told."count") FILTER (told.fact = 'UnitsLost'))::BIGINT AS lost,
           (sum(told."count") FILTER (told.fact = 'LegionCame'))::BIGINT AS gained,
           list(CASE
               WHEN told.fact = 'ScrollRead' THEN 'turned back by ' || told.seat
               WHEN told.fact = 'ScrollFoiled' THEN 'stopped by ' || (told.body ->> '$.by')
               WHEN told.fact = 'UnitsLost' THEN told.seat || ' lost ' || told."count" || ' in ' || told.place
               WHEN told.fact = 'KingBeaten' THEN 'the king of ' || told.seat || ' fell'
               WHEN told.fact = 'LegionCame' THEN told."count" || ' units came to ' || told.place
               WHEN told.fact = 'ShipsDocked' THEN 'a ship in ' || told.place
               WHEN told.fact = 'DragonLordGained' THEN 'a DragonLord in ' || told.place
               WHEN told.fact = 'HandSeen' THEN 'saw ' || coalesce(nullif(array_to_string((told.body -> '$.scrolls')::VARCHAR[], ', '), ''), 'no scroll')
               END ORDER BY told.moment) AS followed,
           bool_or(told.fact = 'Rolled') AS struck
    FROM readings
    JOIN told ON told.game = readings.game AND told.moment > readings.moment AND told.moment < readings.until
    WHERE (told.fact = 'ScrollRead' AND told.body ->> '$.scroll' = 'reflect')
       OR (told.fact = 'ScrollFoiled' AND told.body ->> '$.scroll' = readings.scroll)
       OR (told.fact IN ('Rolled', 'UnitsLost', 'LegionCame', 'ShipsDocked', 'DragonLordGained', 'HandSeen') AND list_contains(told.because, readings.section))
       OR (told.fact = 'KingBeaten' AND EXISTS (
              SELECT 1 FROM told AS blow WHERE blow.game = told.game AND blow.entry = told.entry AND blow.fact = 'UnitsLost' AND blow.seat = told.seat
                                           AND blow.moment > readings.moment AND blow.moment < told.moment AND list_contains(blow.because, readings.section)))
    GROUP BY ALL
)
SELECT acts.game, acts.entry, entries.made_at, acts.act, acts.seat, coalesce(acts.scroll, nullif(dealt.dealt, '?'), array_to_string(passed.passed, ', ')) AS scroll,
       acts.user, acts.place, acts.against,
       CASE acts.act
           WHEN 'drawn' THEN NULL
           WHEN 'taken' THEN taken."count" || CASE taken."count" WHEN 1 THEN ' scroll' ELSE ' scrolls' END
           WHEN 'turned_back' THEN (SELECT max_by(readings.scroll, readings.moment) FROM readings WHERE readings.game = acts.game AND readings.moment < acts.moment)
           ELSE coalesce(nullif(array_to_string(list_filter(followed, lambda said: said IS NOT NULL), '; '), ''),
                         CASE WHEN struck THEN 'nothing lost' WHEN readings.scroll = 'clairvoyance' THEN 'saw the scrolls of ' || acts.against END) END AS effect,
       effects.lost, effects.gained
FROM acts
JOIN entries ON entries.game = acts.game AND entries.id = acts.entry
LEFT JOIN readings ON readings.game = acts.game AND readings.moment = acts.moment
LEFT JOIN effects ON effects.game = acts.game AND effects.moment = acts.moment
LEFT JOIN hands AS dealt ON acts.act = 'drawn' AND dealt.fact = 'HandDealt' AND dealt.game = acts.game AND dealt.entry = acts.entry AND dealt.seat = acts.seat
LEFT JOIN hands AS passed ON acts.act = 'taken' AND passed.fact = 'ScrollsPassed' AND passed.game = acts.game AND passed.entry = acts.entry AND passed.seat = acts.against
LEFT JOIN told AS taken ON acts.act = 'taken' AND taken.game = acts.game AND taken.moment = acts.moment
WHERE ($seat IS NULL OR $seat IN (acts.seat, acts.against))
  AND ($act IS NULL OR acts.act = $act)
  AND ($scroll IS NULL OR $scroll IN (acts.scroll, dealt.dealt, split_part(acts.scroll, '.', 1), split_part(dealt.dealt, '.', 1))
                       OR list_contains(passed.passed, $scroll))
ORDER BY acts.game, acts.moment
