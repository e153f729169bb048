-- Who wins, by person?
-- :rules -  only games played by these rules
-- :person -  only this person
-- :seats no  yes: a row for each seat that the person took
-- A league table of games that are over, what-ifs left out; who sat where nobody was named is in no row. Persons who win
-- together each won, and one who sat at two seats of a game played one game there; seats says how often each was taken.
-- fair is how many wins an equal share for every player of these games comes to. run is how the last games went, in the
-- order in which they ended: 3 is three wins in a row, -2 two defeats, 0 a draw. best_run is the longest row of wins.
-- $ lawspeaker query wins_by_person club.db
-- $ lawspeaker query wins_by_person --param person=Anna --param seats=yes spring/
WITH sat AS (
    SELECT games.game AS rules, games.id, games.last_at, len(games.winners) = 0 AS drawn, seats.seat, seats.person, seats.won,
           count(DISTINCT coalesce('person ' || seats.person, 'seat ' || seats.seat)) OVER (PARTITION BY games.id) AS players
    FROM games JOIN seats ON seats.game = games.id
    WHERE games.ended AND games.branch_of IS NULL AND ($rules IS NULL OR games.game = $rules)
), played AS (
    SELECT rules, person, CASE WHEN $seats THEN seat END AS seat, id, last_at, drawn, bool_or(won) AS won, 1 / any_value(players) AS fair
    FROM sat WHERE person IS NOT NULL AND ($person IS NULL OR person = $person)
    GROUP BY ALL
), runs AS (
    -- Games of one outcome in a row have one number.
    SELECT *, row_number() OVER (PARTITION BY rules, person, seat ORDER BY last_at, id)
              - row_number() OVER (PARTITION BY rules, person, seat, won, drawn ORDER BY last_at, id) AS run
    FROM played
), rows_of AS (
    SELECT rules, person, seat, won, drawn, run, count(*) AS games, max((last_at, id)) AS ended FROM runs GROUP BY ALL
), streaks AS (
    SELECT rules, person, seat, coalesce(max(games) FILTER (won), 0) AS best_run,
           arg_max(CASE WHEN won THEN games WHEN drawn THEN 0 ELSE -games END, ended) AS run
    FROM rows_of GROUP BY ALL
), taken AS (
    SELECT rules, person, CASE WHEN $seats THEN seat END AS seat, histogram(seat) AS seats
    FROM sat WHERE person IS NOT NULL GROUP BY ALL
)
SELECT played.rules, played.person, any_value(taken.seats) AS seats, count(*) AS games, count(*) FILTER (won) AS wins, count(*) FILTER (drawn) AS draws,
       count(*) FILTER (won) / count(*) AS share, sum(fair) AS fair, any_value(streaks.run) AS run, any_value(streaks.best_run) AS best_run,
       max(last_at) AS last_at
FROM played
JOIN streaks ON streaks.rules = played.rules AND streaks.person = played.person AND streaks.seat IS NOT DISTINCT FROM played.seat
JOIN taken ON taken.rules = played.rules AND taken.person = played.person AND taken.seat IS NOT DISTINCT FROM played.seat
GROUP BY played.rules, played.person, played.seat
ORDER BY rules, wins DESC, share DESC, games, played.person, played.seat
