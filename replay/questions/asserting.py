"""Assertions: what must hold of every log, in SQL over its tables, and of every state, by the books that a game keeps.

An assertion is a `.sql` file whose first line says the law in English; its rows are what breaks it: game, entry, what,
expected, found. The general ones lie in `replay/questions/assertions/`, a game's own in `core/games/<game>/assertions/`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from msgspec import Struct

from core import games
from core.rules import Rules
from events.codec import BadLine, opened_game
from events.store import Stored, StoreError
from replay.history import History
from replay.questions.pages import pages
from replay.questions.queries import Corpus, Limits
from replay.questions.tables import Damaged, Reading, Source
from replay.questions.tables.sources import Log, damaged, logs
from replay.verifying.conserving import keeps_books, lost_pieces

__all__ = ["Assertion", "Audit", "Breach", "assertions", "audit"]

CHUNK = 100
"""Games whose tables are held at once: each assertion is about one game, so memory is bounded by these."""
BOOKS = "books"
"""The name under which the breaches are told that were found in the states."""


class Assertion(Struct, frozen=True):
    """A law in SQL: its name, what it says in English, the remarks under it, its SQL, and whose rules it belongs to."""

    name: str
    law: str
    remarks: str
    sql: str
    game: str = ""


class Breach(Struct, frozen=True):
    """Where a law is broken: which assertion, game and entry, of what, what was expected and what was found."""

    assertion: str
    game: str
    entry: int
    what: str
    expected: str
    found: str


class Audit(Struct, frozen=True):
    """What came of an audit: how many games and entries, which assertions were put, what breaks them, what was left out."""

    games: int
    entries: int
    assertions: tuple[str, ...]
    breaches: tuple[Breach, ...]
    notes: tuple[str, ...]


def assertions(game: str | None = None) -> list[Assertion]:
    """Return every assertion, by name; with `game` the general ones and those of that game only."""
    return [each for each in _all(games.found()) if game is None or each.game in ("", game)]


def audit(
    sources: Iterable[Source],
    limits: Limits = Limits(),
    reading: Reading = Reading(openings=True, copies=True),
    progress: Callable[[int], None] | None = None,
) -> Audit:
    """Put every assertion to logs, and compare the books of each game with its states.

    `progress` is called with the number of games done. Raises `Damaged` for what can't be read, unless it is skipped.
    """
    breaches: list[Breach] = []
    notes: list[str] = []
    put: dict[str, None] = {}
    done = entries = 0
    found = logs(sources, reading, notes.append)
    while chunk := list(islice(found, CHUNK)):
        with Corpus(chunk, limits, reading) as corpus:
            notes += corpus.notes
            told = corpus.sql("SELECT game, sum(entries)::BIGINT, count(*) FROM games GROUP BY game").rows
            entries += sum(row[1] for row in told)
            for each in _of({row[0] for row in told}):
                put[each.name] = None
                answer = corpus.sql(each.sql)
                breaches += (Breach(each.name, *_plain(row)) for row in answer.rows)
        for log in chunk:
            breaches += _in_books(log, notes, put, reading)
            done += 1
            if progress is not None:
                progress(done)
    breaches.sort(key=lambda each: (each.game, each.entry, each.assertion, each.what))
    return Audit(done, entries, tuple(put), tuple(breaches), tuple(dict.fromkeys(notes)))


def _plain(row: tuple[object, ...]) -> tuple[str, int, str, str, str]:
    game, entry, what, expected, found = row
    return str(game), int(str(entry)), str(what), str(expected), str(found)


def _of(played: set[str]) -> Iterator[Assertion]:
    """Yield the assertions that are about the games played by these rules."""
    return (each for each in assertions() if not each.game or each.game in played)


def _in_books(log: Log, notes: list[str], put: dict[str, None], reading: Reading) -> Iterator[Breach]:
    """Yield where the states of a log do not hold what its facts say; a log that is damaged is left out."""
    try:
        history = _history(log)
    except (Damaged, StoreError, OSError, BadLine) as fault:
        if not reading.skip_damaged:
            raise (
                damaged(fault)
                if isinstance(fault, OSError | StoreError | Damaged)
                else Damaged(f"{log.where}: {fault}")
            ) from fault
        return
    if history is None or not keeps_books(history.rules):
        return
    put[BOOKS] = None
    if history.stopped is not None:
        notes.append(f"{log.where}: the books are kept as far as it folds: {history.stopped}")
    name = history.now.table.id or log.name
    for each in lost_pieces(history.rules, history):
        yield Breach(BOOKS, name, each.entry, each.what, str(each.expected), str(each.found))


def _history(log: Log) -> History | None:
    """Return what a log folds to, with what its reader may open; None where nobody here has its rules."""
    history: History | None = None
    for line in log.lines():
        if history is None:
            rules = _rules(line.text)
            if rules is None:
                return None
            history = History(rules)
        history.take_in(Stored(log.name, line.number, line.text, line.openings))
    return history


def _rules(line: bytes) -> Rules[Any] | None:
    try:
        return games.load(opened_game(line)[0])
    except games.NoSuchRules:
        return None


@cache
def _all(found: tuple[str, ...]) -> tuple[Assertion, ...]:
    wanted = "the law, as `-- A game ends once.`"
    held = [
        Assertion(page.name, page.first, " ".join(page.remarks), page.text, page.game)
        for page in pages("assertions", "assertions", found, ends=".", wanted=wanted)
    ]
    return tuple(sorted(held, key=lambda each: each.name))
