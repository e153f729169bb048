"""A corpus: tables in a file, into which only new logs are read; and what a what-if copied is counted once (note 0005)."""

import os
from pathlib import Path
from typing import Any

import pytest

from events.chain import hash_of
from replay.questions import queries
from replay.questions.columns import TABLES
from replay.questions.faults import BadQuestion
from replay.questions.queries import Corpus, Limits, Reading
from replay.questions.tables import loading
from replay.questions.tables.sources import Log
from tests.replay.questions.logbook import Logbook


def kept(path: Path, **more: Any) -> Reading:
    return Reading(corpus=str(path), **more)


def everything(corpus: Corpus) -> dict[str, list[tuple[Any, ...]]]:
    return {name: corpus.sql(f"FROM {name} ORDER BY ALL").rows for name in TABLES}


def game(name: str, rolls: int = 2) -> Logbook:
    log = Logbook(name)
    for _ in range(rolls):
        log.roll("red", 1, 2, 6)
    return log.began("hill", "red", "blue").lost("blue", 1).fought("hill", "red", taken=True)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the logs that were read, as they are."""
    told: list[str] = []
    real = loading._Loader.add

    def add(self: Any, log: Log) -> None:
        told.append(log.name)
        real(self, log)

    monkeypatch.setattr(loading._Loader, "add", add)
    return told


def test_only_new_logs_are_read_and_the_tables_are_as_if_read_at_once(
    folder: Path, tmp_path: Path, read: list[str]
) -> None:
    """Ten games, then two more, then none: each is read once."""
    where = tmp_path / "club.corpus"
    for n in range(10):
        game(f"g{n}").put(folder)
    Corpus([folder], Limits(), kept(where)).close()
    for n in (10, 11):
        game(f"g{n}", 3).put(folder)
    Corpus([folder], Limits(), kept(where)).close()
    with Corpus([folder], Limits(), kept(where)) as corpus:
        told = everything(corpus)
    assert len(read) == 12
    with Corpus([folder]) as at_once:
        assert told == everything(at_once)


@pytest.mark.parametrize("at_once", (1, 2, 3, 100))
def test_however_many_are_read_at_once_the_tables_are_the_same(
    at_once: int, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading is cut into parts so that it can be broken off; the parts join without a seam."""
    for n in range(7):
        game(f"g{n}").put(folder)
    monkeypatch.setattr(loading, "KEPT_AT_ONCE", at_once)
    monkeypatch.setattr(loading, "BATCH_BYTES", 500)
    with Corpus([folder], Limits(), kept(tmp_path / "c")) as corpus, Corpus([folder]) as whole:
        assert everything(corpus) == everything(whole)


def test_a_log_that_has_grown_is_read_anew(folder: Path, tmp_path: Path, read: list[str]) -> None:
    """What the corpus held of it is taken out first; the others are left alone."""
    log, where = game("g"), tmp_path / "c"
    game("other").put(folder)
    path = log.put(folder)
    Corpus([folder], Limits(), kept(where)).close()
    path.unlink()
    path.with_suffix(".head").unlink()
    log.roll("red", 5).put(folder)
    os.utime(path, ns=(1, 1))
    with Corpus([folder], Limits(), kept(where)) as corpus, Corpus([folder]) as whole:
        assert everything(corpus) == everything(whole)
    assert sorted(read[:3]) == ["g", "g", "other"]


def test_a_reading_that_was_broken_off_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is half read is taken out when the corpus is opened again; what was finished is not read again."""
    where = tmp_path / "c"
    for n in range(5):
        game(f"g{n}").put(folder)
    monkeypatch.setattr(loading, "KEPT_AT_ONCE", 2)
    with monkeypatch.context() as broken:
        broken.setattr(loading._Loader, "_mark", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            Corpus([folder], Limits(), kept(where))
    with Corpus([folder], Limits(), kept(where)) as corpus, Corpus([folder]) as whole:
        assert everything(corpus) == everything(whole)


def test_a_corpus_may_be_asked_alone(folder: Path, tmp_path: Path) -> None:
    """Named questions and free SQL are put to what it holds, without any log at hand."""
    game("g").put(folder)
    where = tmp_path / "c"
    Corpus([folder], Limits(), kept(where)).close()
    assert queries.ask([], "battles", reading=kept(where)).rows[0][2] == "hill"
    assert queries.sql([], "SELECT count(*) FROM rolls", reading=kept(where)).rows == [(6,)]
    with pytest.raises(BadQuestion):
        queries.sql([], "COPY rolls TO '/tmp/x.csv'", reading=kept(where))


def test_a_corpus_is_not_read_with_other_eyes(folder: Path, tmp_path: Path) -> None:
    """One that was read as a spectator has no rows of what is sealed: to add some with openings would be half a count."""
    game("g").put(folder)
    where = tmp_path / "c"
    Corpus([folder], Limits(), kept(where)).close()
    with pytest.raises(BadQuestion, match="other openings"):
        Corpus([folder], Limits(), kept(where, openings=True))


@pytest.mark.parametrize("text", (b"", b"no database at all\n" * 40))
def test_a_file_that_is_no_corpus_is_left_as_it_is(text: bytes, folder: Path, tmp_path: Path) -> None:
    """A sentence, and nothing is written; an empty file may become one."""
    where = tmp_path / "c"
    where.write_bytes(text)
    if text:
        with pytest.raises(BadQuestion):
            Corpus([folder], Limits(), kept(where))
        assert where.read_bytes() == text


def test_the_reading_is_counted(folder: Path, tmp_path: Path) -> None:
    """A bar can be drawn: one call for each log."""
    for n in range(3):
        game(f"g{n}").put(folder)
    told: list[int] = []
    Corpus([folder], Limits(), Reading(), told.append).close()
    assert told == [1, 2, 3]


# What a what-if copied


def what_if(of: Logbook, at: int) -> Logbook:
    """Return a what-if of a log that goes on from an entry: the opening says so, what follows up to there is copied."""
    branch = {"game": of.id, "entry": at, "hash": hash_of(of.lines[at - 1])}
    copy = Logbook("if", branch=branch)
    copy.lines += of.lines[1:at]
    return copy


def test_what_a_what_if_copied_is_counted_once(folder: Path) -> None:
    """Six dice of the game, two of the what-if's own: eight, and not fourteen (note 0005)."""
    log = game("g")
    log.put(folder)
    what_if(log, 3).roll("blue", 4, 4).put(folder)
    counts = "SELECT game, count(*) FROM rolls GROUP BY ALL ORDER BY ALL"
    with Corpus([folder]) as corpus:
        assert corpus.sql(counts).rows == [("g", 6), ("if", 2)]
        assert corpus.sql("SELECT id, entries, branch_of, branch_entry FROM games ORDER BY id").rows == [
            ("g", 6, None, None),
            ("if", 4, "g", 3),
        ]
        assert corpus.sql("SELECT id FROM entries WHERE game = 'if' ORDER BY id").rows == [(1,), (4,)]
        assert corpus.sql("SELECT DISTINCT entry FROM facts WHERE game = 'if' ORDER BY 1").rows == [
            (1,),
            (4,),
        ]
    with Corpus([folder], reading=Reading(copies=True)) as corpus:
        assert corpus.sql(counts).rows == [("g", 6), ("if", 8)]


def test_a_battle_that_the_what_if_ends_is_its_own(folder: Path) -> None:
    """The battle that was being fought at the branch was ended twice, once on each log; one that was over is the game's."""
    log = game("g")
    log.began("ford", "blue", "red").lost("red", 1)
    at = len(log.lines)
    branch = what_if(log, at).fought("ford", "blue", taken=True)
    log.fought("ford", "red").put(folder)
    branch.put(folder)
    with Corpus([folder]) as corpus:
        assert corpus.sql("SELECT game, place, winner FROM battles ORDER BY ALL").rows == [
            ("g", "ford", "red"),
            ("g", "hill", "red"),
            ("if", "ford", "blue"),
        ]
