-- Where did the war turn?
-- :game -  only the game of this id
-- :by units|kingdoms  what strength is counted in: units, DragonLords among them, or kingdoms held
-- :most 3  how many rounds of each game to name: where the lead passed for good, then those with the largest swing
-- In a round each seat plays one turn. The strength of a side is its units on the board, at sea and in the Wastelands, or
-- its kingdoms; who has lost his king has none, and two allied armies are one side. A side's share is its part of all
-- strength; swing is how much of all strength changed sides from the beginning of the round to its end (half the sum of
-- what the shares moved by; 0.5 is half of everything). led_before and led_after name the strongest side, nobody where two
-- are as strong; for_good: the lead passed to another in this round and stayed there to the end. Such a round comes first,
-- for the last round often swings most, when a king falls who was beaten long before. entry is the last one of what moved
-- most in the round, a battle as a whole or a single entry, and what says which it was; began is where the round began.
-- Only the live line. The setup is no round; a game that begins from a position begins with round 0. What an arbiter sets
-- counts from then on.
-- $ lawspeaker query turning_point --param game=friday
-- $ lawspeaker query turning_point --param by=kingdoms --param most=1 spring/
WITH told AS (
    SELECT facts.game, entry, n, entry * 1000000 + n AS moment, fact, facts.seat, facts.place, "count", because, battle, body,
           coalesce((body ->> '$.units')::BIGINT, "count", 0) + CASE fact WHEN 'UnitsLost' THEN 0 ELSE coalesce((body ->> '$.dragonlords')::BIGINT, 0) END AS size
    FROM facts JOIN games ON games.id = facts.game AND games.game = 'dragonlords'
    WHERE live AND ($game IS NULL OR facts.game = $game)
      AND fact IN ('UnitsPlaced', 'UnitsMoved', 'UnitsLost', 'LegionCame', 'UnitsSet', 'ColumnSet', 'PlaceTaken',
                   'KingBeaten', 'FallenSet', 'TurnBegan', 'TurnSet')
), sides AS (
    SELECT seats.game, seats.seat,
           coalesce(array_to_string(list_filter(opened.told.players, lambda own: list_contains(own, seats.seat))[1], ' and '), seats.seat) AS side
    FROM seats
    JOIN (SELECT game, from_json(body, '{"players": [["VARCHAR"]]}') AS told FROM facts WHERE entry = 1 AND fact = 'GameOpened') AS opened
        ON opened.game = seats.game
), flows AS (
    -- attacks: the units stand there as attackers from here on, or as who holds the place.
    SELECT game, entry, n, moment, fact, because, battle, seat, place, size AS more, false AS is_set, NULL::BOOLEAN AS attacks
    FROM told WHERE fact IN ('UnitsPlaced', 'LegionCame')
    UNION ALL SELECT game, entry, n, moment, fact, because, battle, seat, place, -size, false, NULL FROM told WHERE fact = 'UnitsLost'
    UNION ALL SELECT game, entry, n, moment, fact, because, battle, seat, body ->> '$.origin', -size, false, NULL FROM told WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, moment, fact, because, battle, seat, body ->> '$.target', size, false, coalesce(body ->> '$.how', '') <> ''
    FROM told WHERE fact = 'UnitsMoved'
    UNION ALL SELECT game, entry, n, moment, fact, because, battle, seat, place, 0, false, false FROM told WHERE fact = 'PlaceTaken'
    UNION ALL SELECT game, entry, n, moment, fact, because, battle, seat, place, size, entry > 1, fact = 'ColumnSet'
    FROM told WHERE fact IN ('UnitsSet', 'ColumnSet')
    -- Where an arbiter sets an army, no other holds the place any more.
    UNION ALL SELECT told.game, entry, n, moment, fact, because, battle, sides.seat, place, 0, true, NULL
    FROM told JOIN sides ON sides.game = told.game AND sides.seat <> told.seat WHERE fact = 'UnitsSet' AND entry > 1
), stacks AS (
    SELECT *, count(*) FILTER (is_set) OVER (PARTITION BY game, seat, place ORDER BY moment ROWS UNBOUNDED PRECEDING) AS since FROM flows
), standing AS (
    SELECT *, sum(more) OVER (PARTITION BY game, seat, place, since ORDER BY moment ROWS UNBOUNDED PRECEDING) AS there,
           there > 0 AND NOT coalesce(last_value(attacks IGNORE NULLS) OVER (PARTITION BY game, seat, place ORDER BY moment ROWS UNBOUNDED PRECEDING), false) AS holds
    FROM stacks
), steps AS (
    SELECT *, coalesce(lag(there) OVER before, 0) AS was, coalesce(lag(holds) OVER before, false) AS held
    FROM standing WINDOW before AS (PARTITION BY game, seat, place ORDER BY moment)
), moves AS (
    SELECT game, entry, moment, fact, because, battle, seat, place,
           CASE WHEN $by = 'units' THEN there - was
                WHEN place IN ('FM_k', 'OR_k', 'IH_k', 'SV_k', 'SC_k', 'AL_k') THEN holds::INT - held::INT
                ELSE 0 END AS more
    FROM steps
), fallen AS (
    -- An arbiter may find that a king had fallen, or that he had not.
    SELECT game, seat, entry, moment, battle, fact, because, coalesce((body ->> '$.fallen')::BOOLEAN, true) AS is_out
    FROM told WHERE fact IN ('KingBeaten', 'FallenSet')
    QUALIFY is_out IS DISTINCT FROM coalesce(lag(is_out) OVER (PARTITION BY game, seat ORDER BY moment), false)
), counted AS (
    SELECT moves.*
    FROM moves ASOF LEFT JOIN fallen ON fallen.game = moves.game AND fallen.seat = moves.seat AND moves.moment > fallen.moment
    WHERE NOT coalesce(fallen.is_out, false)
    UNION ALL
    SELECT fallen.game, fallen.entry, fallen.moment, fallen.fact, fallen.because, fallen.battle, fallen.seat, '',
           sum(CASE WHEN fallen.is_out THEN -moves.more ELSE moves.more END)
    FROM fallen JOIN moves ON moves.game = fallen.game AND moves.seat = fallen.seat AND moves.moment < fallen.moment
    GROUP BY ALL
), turns AS (
    SELECT game, moment, row_number() OVER (PARTITION BY game, seat ORDER BY moment) AS round FROM told WHERE fact = 'TurnBegan'
), rounds AS (
    SELECT game, round, min(moment) AS since FROM turns GROUP BY ALL
    UNION ALL SELECT DISTINCT game, 0, 2000000 FROM told WHERE fact = 'TurnSet' AND entry = 1
    UNION ALL SELECT DISTINCT game, -1, 0 FROM told
), placed AS (
    SELECT counted.*, sides.side, rounds.round
    FROM counted
    JOIN sides USING (game, seat)
    ASOF JOIN rounds ON rounds.game = counted.game AND counted.moment >= rounds.since
), grid AS (
    SELECT rounds.game, rounds.round, rounds.since, sides.side, coalesce(sum(placed.more), 0)::BIGINT AS more
    FROM rounds
    JOIN (SELECT DISTINCT game, side FROM sides) AS sides USING (game)
    LEFT JOIN placed ON placed.game = rounds.game AND placed.round = rounds.round AND placed.side = sides.side
    GROUP BY ALL
), held AS (
    SELECT *, sum(more) OVER (PARTITION BY game, side ORDER BY round ROWS UNBOUNDED PRECEDING)::BIGINT AS after, after - more AS before FROM grid
), shares AS (
    SELECT *, coalesce(before / nullif(sum(before) OVER one, 0), 0) AS had, coalesce(after / nullif(sum(after) OVER one, 0), 0) AS has,
           before = max(before) OVER one AS led, after = max(after) OVER one AS leads
    FROM held WINDOW one AS (PARTITION BY game, round)
), swings AS (
    SELECT game, round, since // 1000000 AS began, sum(abs(has - had)) / 2 AS swing,
           CASE WHEN swing > 0 THEN first(side ORDER BY has - had DESC, side) END AS gained_by,
           CASE WHEN swing > 0 THEN first(side ORDER BY has - had, side) END AS lost_by,
           map(coalesce(list(side ORDER BY side) FILTER (before > 0), []), coalesce(list(before ORDER BY side) FILTER (before > 0), [])) AS before,
           map(coalesce(list(side ORDER BY side) FILTER (after > 0), []), coalesce(list(after ORDER BY side) FILTER (after > 0), [])) AS after,
           CASE WHEN count(*) FILTER (led) = 1 THEN min(side) FILTER (led) END AS led_before,
           CASE WHEN count(*) FILTER (leads) = 1 THEN min(side) FILTER (leads) END AS led_after
    FROM shares GROUP BY ALL
), led AS (
    SELECT *, led_after IS NOT NULL AND led_before IS DISTINCT FROM led_after
              AND count(*) OVER rest = count(led_after) OVER rest AND min(led_after) OVER rest = max(led_after) OVER rest AS for_good
    FROM swings WHERE round >= 0
    WINDOW rest AS (PARTITION BY game ORDER BY round ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
), blows AS (
    -- What moved together: a battle as a whole, or an entry; it weighs as much as the sides gained and lost by it.
    SELECT game, round, coalesce(battle, -entry) AS blow, max(entry) AS entry, sum(abs(more)) AS weight, first(what ORDER BY abs(more) DESC, what) AS what
    FROM (
        SELECT placed.game, round, placed.battle, placed.entry, side, sum(more) AS more,
               first(CASE fact WHEN 'KingBeaten' THEN 'the fall of the king' WHEN 'UnitsLost' THEN 'units lost' WHEN 'UnitsPlaced' THEN 'units placed'
                                 WHEN 'LegionCame' THEN 'units raised by Legion' WHEN 'UnitsMoved' THEN 'units moved' WHEN 'PlaceTaken' THEN 'place taken' ELSE 'set by the arbiter' END
                       || CASE place WHEN '' THEN ' of ' || seat ELSE ' in ' || place END || ' (' || array_to_string(because, ', ') || ')' ORDER BY abs(more) DESC, place, seat) AS what
        FROM placed WHERE more <> 0 GROUP BY ALL
    )
    GROUP BY ALL
), heaviest AS (
    SELECT blows.game, blows.round, coalesce(battles.ended, blows.entry) AS entry,
           coalesce(battles.kind || ' battle over ' || battles.place || coalesce(', won by ' || battles.winner, ''), blows.what) AS what
    FROM blows
    LEFT JOIN battles ON battles.game = blows.game AND battles.n = blows.blow AND battles.live
    QUALIFY row_number() OVER (PARTITION BY blows.game, blows.round ORDER BY weight DESC, blow > 0 DESC, blows.entry DESC) = 1
)
SELECT led.game, led.round, led.began, led.swing, led.gained_by, led.lost_by, led.before, led.after, led.led_before, led.led_after, led.for_good,
       heaviest.entry, heaviest.what
FROM led
LEFT JOIN heaviest USING (game, round)
QUALIFY row_number() OVER (PARTITION BY led.game ORDER BY led.for_good DESC, led.swing DESC, led.round) <= coalesce($most, 1000000)
ORDER BY led.game, led.for_good DESC, led.swing DESC, led.round
