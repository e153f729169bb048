"""How staged lines become tables: SQL that takes the JSON of each fact apart, in DuckDB's own code and on all cores."""

__all__ = ["AFTER_ALL", "AFTER_BATCH", "COPIES", "ENTRIES", "FACTS", "HELPERS", "MISSHAPEN"]

HELPERS = {
    "claims": "rules VARCHAR, fact VARCHAR, claim VARCHAR",
    "sides": "rules VARCHAR, die VARCHAR, faces VARCHAR[]",
    "logs": "n BIGINT, game VARCHAR, found VARCHAR",
}
"""Tables that help to fill the others, dropped when all is read: the word by which a fact may be claimed, every side of
each die, and where each game was found, in the order of reading."""

ENTRIES = """
INSERT INTO entries
SELECT game, entry, parent, TRY_CAST(made AS TIMESTAMPTZ) AT TIME ZONE 'UTC', seat, nullif(actor, ''), nullif(source, ''), command ->> '$.Do' AS tag,
       command, coalesce(command_sealed, tag = 'Sealed'), true
FROM batch
"""

FACTS = """
INSERT INTO facts
WITH parted AS (
    SELECT rules, game, entry, from_json(facts, '["JSON"]') AS bodies, sealed, battles, rounds FROM batch
), bodies AS (
    SELECT rules, game, entry, unnest(bodies)::VARCHAR AS body, unnest(range(1, len(bodies) + 1)) AS n, sealed, battles, rounds
    FROM parted
), read AS (
    SELECT *, from_json(body, '{"Fact": "VARCHAR", "because": ["VARCHAR"], "seat": "VARCHAR", "place": "VARCHAR",
                                "count": "BIGINT"}') AS told
    FROM bodies
)
SELECT game, entry, n, told.Fact,
       -- Several seats or places at once stay in the body alone.
       CASE WHEN told.seat[1] NOT IN ('[', '{') THEN told.seat END,
       CASE WHEN told.place[1] NOT IN ('[', '{') THEN told.place END,
       told.count, claims.claim, coalesce(told.because, []), body, coalesce(sealed[n], told.Fact = 'Sealed'),
       battles[n], rounds[n], true
FROM read
LEFT JOIN claims ON claims.rules = read.rules AND claims.fact = told.Fact
"""

_ROLLS = """
INSERT INTO rolls
WITH read AS (
    SELECT game, entry, n, battle, round,
           from_json(body, '{"die": "VARCHAR", "faces": ["VARCHAR"], "owner": "VARCHAR", "roller": "VARCHAR",
               "purpose": "VARCHAR", "counts": {"Counts": "VARCHAR", "faces": ["VARCHAR"]}}') AS told
    FROM facts WHERE rowid >= $facts AND fact = 'Rolled'
), thrown AS (
    SELECT read.*, nullif(batch.source, '') AS source, len(sides.faces) AS sides, told.counts.Counts = 'Hits' AS singly,
           CASE WHEN singly THEN len(list_filter(sides.faces, lambda side: list_contains(told.counts.faces, side))) END AS winning,
           unnest(told.faces) AS face, unnest(range(1, len(told.faces) + 1)) AS d
    FROM read
    JOIN batch ON batch.game = read.game AND batch.entry = read.entry
    LEFT JOIN sides ON sides.rules = batch.rules AND sides.die = told.die
)
SELECT game, entry, n, d, told.die, face, TRY_CAST(face AS BIGINT), told.owner, coalesce(nullif(told.roller, ''), told.owner),
       told.purpose, told.counts.Counts, CASE WHEN singly THEN coalesce(list_contains(told.counts.faces, face), false) END,
       winning / sides, winning, sides, source, battle, round, true
FROM thrown
"""

_RULINGS = """
INSERT INTO rulings
SELECT facts.game, facts.entry, facts.fact, told.verdict.Verdict,
       coalesce(told.verdict.seat, CASE WHEN facts.fact = 'Overlooked' THEN batch.seat ELSE told.seat END),
       told.verdict.point, told.verdict.answer, told.verdict.what, told.code, nullif(told.dispute, 0), coalesce(told.verdict."to", told."at"),
       coalesce(told.reason, told.claim), facts.because, true
FROM (
    SELECT *, from_json(body, '{"verdict": {"Verdict": "VARCHAR", "seat": "VARCHAR", "point": "VARCHAR",
        "answer": "VARCHAR", "what": "VARCHAR", "to": "BIGINT"}, "seat": "VARCHAR", "code": "VARCHAR", "dispute": "BIGINT", "at": "BIGINT",
        "reason": "VARCHAR", "claim": "VARCHAR"}') AS told
    FROM facts
    WHERE rowid >= $facts AND fact IN ('Ruled', 'Overlooked', 'Corrected', 'DisputeRaised', 'CalledOff')
) AS facts
JOIN batch ON batch.game = facts.game AND batch.entry = facts.entry
"""

AFTER_BATCH = (_ROLLS, _RULINGS)
"""What is filled from the facts of a batch, those from row `$facts` on."""

_GAMES = """
INSERT INTO games
WITH opened AS (
    SELECT facts.game, from_json(facts.body, '{"game": "VARCHAR", "revision": "BIGINT", "title": "VARCHAR",
        "seats": ["VARCHAR"], "dice": "VARCHAR", "answers": "JSON", "options": "JSON",
        "branch": {"game": "VARCHAR", "entry": "BIGINT"}}') AS told
    FROM facts SEMI JOIN logs ON logs.game = facts.game WHERE facts.entry = 1 AND facts.fact = 'GameOpened'
), lengths AS (
    SELECT game, min_by(made_at, id) AS opened_at, max_by(made_at, id) AS last_at, count(*) AS entries,
           count(*) FILTER (NOT live) AS taken_back
    FROM entries SEMI JOIN logs ON logs.game = entries.game GROUP BY game
), over AS (
    SELECT game, max_by(from_json(body, '{"how": "VARCHAR", "winners": ["VARCHAR"]}'), entry) AS told
    FROM facts SEMI JOIN logs ON logs.game = facts.game WHERE fact = 'GameEnded' AND live GROUP BY game
)
SELECT game, opened.told.game, opened.told.revision, nullif(opened.told.title, ''), opened.told.seats,
       coalesce(opened.told.dice, 'typed'), opened_at, last_at, entries, taken_back, over.told IS NOT NULL, over.told.how,
       over.told.winners, coalesce(opened.told.answers, '{}'), coalesce(opened.told.options, '{}'),
       opened.told.branch.game, opened.told.branch.entry, logs.found
FROM opened
JOIN lengths USING (game)
JOIN logs USING (game)
LEFT JOIN over USING (game)
ORDER BY logs.n
"""

_SEATS = """
INSERT INTO seats
WITH sitting AS (
    SELECT games.id AS game, games.game AS rules, games.ended, games.winners, unnest(games.seats) AS seat,
           unnest(range(1, len(games.seats) + 1)) AS n, facts.body
    FROM games SEMI JOIN logs ON logs.game = games.id
    JOIN facts ON facts.game = games.id AND facts.entry = 1 AND facts.fact = 'GameOpened'
)
SELECT game, seat, n, json_extract_string(body, '$.persons."' || seat || '"'),
       CASE WHEN ended THEN list_contains(winners, seat) END,
       CASE WHEN rules IN (SELECT rules FROM claims WHERE claim = 'falls')
            THEN EXISTS (SELECT 1 FROM facts WHERE facts.game = sitting.game AND facts.seat = sitting.seat AND facts.live
                                                   AND facts.claim = 'falls') END,
       EXISTS (SELECT 1 FROM rulings WHERE rulings.game = sitting.game AND rulings.seat = sitting.seat
                                           AND rulings.verdict = 'Forfeited'),
       (SELECT count(*) FROM rulings WHERE rulings.game = sitting.game AND rulings.seat = sitting.seat
                                           AND rulings.verdict = 'Penalised')
FROM sitting
ORDER BY game, n
"""

AFTER_ALL = (_GAMES, _SEATS)
"""What is filled once every log is read and what was taken back is marked."""

COPIES = tuple(
    f"""
DELETE FROM {name} USING games
WHERE games.id = {name}.game AND games.id IN (SELECT game FROM logs) AND {name}.{entry} BETWEEN 2 AND games.branch_entry
"""  # noqa: S608 - names of our own tables
    for name, entry in (
        ("entries", "id"),
        ("facts", "entry"),
        ("rolls", "entry"),
        ("rulings", "entry"),
        ("battles", "ended"),
    )
)
"""Takes out what a what-if copied from the game that it left: it is that game's, and would be counted twice."""

MISSHAPEN = """
WITH read AS (
    SELECT game, entry, n, fact, CASE
        WHEN fact IS NULL THEN 'expected an object with a text `Fact`'
        WHEN fact = 'Rolled' AND NOT coalesce(json_type(body, '$.die') = 'VARCHAR' AND json_type(body, '$.faces') = 'ARRAY'
            AND json_type(body, '$.owner') = 'VARCHAR' AND json_type(body, '$.counts.Counts') = 'VARCHAR', false)
            THEN 'expected `die`, `faces`, `owner`, `counts` and `purpose`'
        WHEN fact = 'GameOpened' AND NOT coalesce(json_type(body, '$.seats') = 'ARRAY', false) THEN 'expected `seats`'
        WHEN fact = 'GameEnded' AND NOT coalesce(json_type(body, '$.winners') = 'ARRAY'
            AND json_type(body, '$.how') = 'VARCHAR', false) THEN 'expected `winners` and `how`'
        END AS flaw
    FROM facts WHERE rowid >= $facts AND (fact IS NULL OR fact IN ('Rolled', 'GameOpened', 'GameEnded'))
)
SELECT game, entry, coalesce(fact, 'fact ' || n) || ': ' || flaw FROM read WHERE flaw IS NOT NULL
UNION ALL
SELECT game, id, 'command: expected an object with a text `Do`' FROM entries WHERE rowid >= $entries AND command IS NULL
ORDER BY ALL
"""
"""Facts of the batch that do not say what every such fact must say; what they lack can't be counted as nothing."""
