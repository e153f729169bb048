"""Sources that can't be read: said in a sentence that names file and line; the others are read if that is asked."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from replay.questions.queries import BadQuestion, Corpus, Damaged, Reading, ask
from tests.driver import play
from tests.laws.worlds import rules_of
from tests.replay.questions.logbook import Ask, Logbook, put_table

SKIP = Reading(skip_damaged=True)


def three() -> list[bytes]:
    """Return a sound log of three entries."""
    return Logbook().roll("red", 1).roll("blue", 2).lines


def changed(line: bytes, before: bytes, after: bytes) -> bytes:
    """Return a line with one thing in it changed; the thing has to be there."""
    assert before in line
    return line.replace(before, after, 1)


DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "no JSON in the middle": (lambda x: [x[0], b"{oops", x[2]], "line 2: expected an entry, one JSON object"),
    "another thing in JSON": (lambda x: [x[0], b"[1, 2]", x[2]], "line 2: expected an entry: Expected `object`"),
    "an empty line": (lambda x: [x[0], b"", x[2]], "line 2: expected an entry, one JSON object"),
    "an entry that is missing": (lambda x: [x[0], x[2]], "line 2: expected entry 2, found entry 3"),
    "an entry twice": (lambda x: [x[0], x[1], x[1]], "line 3: expected entry 3, found entry 2"),
    "a parent that comes later": (
        lambda x: [x[0], changed(x[1], b'"parent":1', b'"parent":2'), x[2]], "goes on from entry 2, which is not before it",
    ),
    "a parent before the first": (lambda x: [x[0], changed(x[1], b'"parent":1', b'"parent":-1'), x[2]], "line 2: expected"),
    "a number beyond all bounds": (
        lambda x: [x[0], changed(x[1], b'"parent":1', b'"parent":1' + b"0" * 400), x[2]], "line 2: expected an entry",
    ),
    "bytes that are no UTF-8": (lambda x: [x[0], changed(x[1], b"red", b"r\xffd"), x[2]], "line 2: expected an entry, one JSON"),
    "half a surrogate pair": (lambda x: [x[0], changed(x[1], b'"throw"', b'"\\ud800"'), x[2]], "line 2: expected"),
    "no opening": (lambda x: [changed(x[0], b"GameOpened", b"GameClosed"), x[1]], "line 1: expected the first entry to open"),
    "an opening without a game": (lambda x: [changed(x[0], b'"game"', b'"gome"'), x[1]], "line 1: Object missing"),
    "no facts": (lambda x: [x[0], changed(x[1], b'"facts"', b'"fucts"'), x[2]], "line 2: expected an entry: Object missing"),
    "facts that are a number": (
        lambda x: [x[0], b'{"id":2,"parent":1,"at":"","seat":"red","command":{"Do":"X"},"facts":7}', x[2]],
        "line 2: expected an entry whose `facts` are an array",
    ),
    "a fact without a tag": (lambda x: [x[0], changed(x[1], b'"Fact"', b'"Fict"'), x[2]], "line 2: fact 1: expected an object"),
    "a fact that is a number": (
        lambda x: [x[0], b'{"id":2,"parent":1,"at":"","seat":"red","command":{"Do":"X"},"facts":[7]}', x[2]],
        "line 2: fact 1: expected an object with a text `Fact`",
    ),
    "a command without a tag": (lambda x: [x[0], changed(x[1], b'"Do"', b'"Da"'), x[2]], "line 2: command: expected an object"),
    "a roll without faces": (lambda x: [x[0], changed(x[1], b'"faces":[1]', b'"faces":1'), x[2]], "line 2: Rolled: expected `die`"),
    "a roll that counts nothing": (
        lambda x: [x[0], changed(x[1], b'"counts":{"Counts":"Hits","faces":[1,2,3]}', b'"counts":3'), x[2]], "line 2: Rolled: expected",
    ),
    "an ending without winners": (
        lambda x: [*x, b'{"id":4,"parent":3,"at":"","seat":"red","command":{"Do":"X"},"facts":[{"Fact":"GameEnded","how":"x"}]}'],
        "line 4: GameEnded: expected `winners` and `how`",
    ),
    "an opening without seats": (lambda x: [changed(x[0], b'"seats"', b'"chairs"'), x[1]], "line 1: GameOpened: expected `seats`"),
    "a battle without a place": (
        lambda x: [*x, b'{"id":4,"parent":3,"at":"","seat":"red","command":{"Do":"X"},"facts":[{"Fact":"BattleBegan"}]}'],
        "line 4: Object missing required field `place`",
    ),
    "a nest without end": (
        lambda x: [x[0], changed(x[1], b'"purpose":"throw"', b'"purpose":' + b"[" * 100_000 + b"]" * 100_000), x[2]],
        "line 2: expected an entry",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_named_by_file_and_line(ask: Ask, folder: Path, kind: str) -> None:
    """A damaged log is refused whole, with its file and line; with skipping, the others answer and it is noted."""
    damage, said = DAMAGE[kind]
    path = folder / "bad.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in damage(three())))
    Logbook("sound").roll("red", 6, 6).put(folder)
    with pytest.raises(Damaged) as fault:
        Corpus([folder])
    assert str(fault.value).startswith(f"{path}, ")
    assert said in str(fault.value)
    with Corpus([folder], reading=SKIP) as corpus:
        assert corpus.sql("SELECT game, count(*) FROM rolls GROUP BY game").rows == [("sound", 2)]
        assert corpus.sql("SELECT id FROM games").rows == [("sound",)]
        for name in ("entries", "facts", "seats"):
            assert corpus.sql(f"SELECT DISTINCT game FROM {name}").rows == [("sound",)]
        assert [note for note in corpus.notes if note.startswith(f"left out: {path}, ") and said in note]


@pytest.mark.parametrize(
    "kind", ("no JSON in the middle", "a roll without faces", "half a surrogate pair", "an entry twice")
)
def test_damage_after_a_batch_takes_everything_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """What a damaged log had sent to the tables is taken back, when its damage shows only in a later batch too."""
    monkeypatch.setattr("replay.questions.tables.loading.BATCH_BYTES", 1)
    damaged = DAMAGE[kind][0](three())
    (folder / "bad.jsonl").write_bytes(b"".join(line + b"\n" for line in damaged))
    Logbook("sound").roll("red", 6).put(folder)
    with Corpus([folder], reading=SKIP) as corpus:
        for name in ("entries", "facts", "rolls", "seats"):
            assert corpus.sql(f"SELECT DISTINCT game FROM {name}").rows == [("sound",)], name


@pytest.mark.parametrize("end", (b'{"at":"2026-01-01T00:', b'{"at":"2026-01-01T00:\0\0\n', b"\0\0\0\0"))
def test_a_torn_last_line_is_left_out_and_noted(folder: Path, end: bytes) -> None:
    """Half a command is no part of the log; what stands before it is counted."""
    path = Logbook().roll("red", 1).put(folder)
    with path.open("ab") as file:
        file.write(end)
    with Corpus([path]) as corpus:
        assert corpus.sql("SELECT count(*) FROM entries").rows == [(2,)]
        assert corpus.notes == (
            f"{path}, line 3: the last line is torn ({len(end.rstrip())} bytes) and left out",
        )


def test_a_file_without_an_entry_is_noted(folder: Path) -> None:
    """Nothing in it is no damage, and no game."""
    (folder / "empty.jsonl").touch()
    with Corpus([folder]) as corpus:
        assert corpus.sql("SELECT count(*) FROM games").rows == [(0,)]
        assert corpus.notes == (f"{folder / 'empty.jsonl'} holds no entry",)


def test_a_time_that_is_none_stays_empty(ask: Ask, folder: Path) -> None:
    """A clock that was wrong loses no entry; a time of another zone is told in UTC."""
    log = Logbook().add("red", at="yesterday").add("red", at="2026-01-01T02:00:00+02:00")
    assert ask("SELECT made_at::VARCHAR FROM entries WHERE id > 1 ORDER BY id", log.put(folder)) == [
        (None,), ("2026-01-01 00:00:00",),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ("nowhere", "nowhere.jsonl", "nowhere.db"))
def test_a_source_that_is_not_there_is_named(folder: Path, name: str) -> None:
    """The sentence says what would have been a source."""
    with pytest.raises(
        Damaged, match=f"{name}: nothing is there; expected a SQLite store, a .jsonl file or a folder"
    ):
        Corpus([folder / name])
    with Corpus([folder / name], reading=SKIP) as corpus:
        assert corpus.notes[0].startswith("left out: ")


def test_a_file_that_is_no_source_is_refused_when_named_and_passed_over_in_a_folder(folder: Path) -> None:
    """A folder may hold a README beside its games; who names the README itself made a slip."""
    (folder / "README.md").write_text("games of the club\n", encoding="utf-8")
    Logbook().put(folder)
    Corpus([folder]).close()
    with pytest.raises(
        Damaged, match=r"README\.md: expected a SQLite store, a \.jsonl file or a folder of these"
    ):
        Corpus([folder / "README.md"])


@pytest.mark.parametrize("seed", range(3))
def test_a_sqlite_file_that_is_damaged_is_named(folder: Path, seed: int) -> None:
    """A file that only begins like SQLite, or was cut, is a sentence with its name, never a fault of the driver."""
    path = folder / "games.db"
    path.write_bytes(b"SQLite format 3\0" + random.Random(seed).randbytes(4096 * seed))
    with pytest.raises(Damaged, match=r"games\.db"):
        Corpus([folder])
    Logbook().put(folder)
    with Corpus([folder], reading=SKIP) as corpus:
        assert corpus.sql("SELECT id FROM games").rows == [("g",)]


def test_folders_are_searched_at_every_depth_and_hidden_files_are_not(ask: Ask, folder: Path) -> None:
    """Games of a season may lie in folders of their own; what begins with a dot is nobody's game."""
    Logbook("a").put(folder / "2025" / "spring")
    Logbook("b").put(folder / "2026")
    Logbook("c").put(folder / ".trash")
    Logbook("d").put(folder, ".d")
    assert ask("SELECT id FROM games ORDER BY id", folder) == [("a",), ("b",)]


def test_a_game_in_two_sources_is_counted_once(folder: Path) -> None:
    """The same opening line is the same game: a copy would double every statistic. The reader is told."""
    log = Logbook().roll("red", 1)
    first, copy = log.put(folder), log.put(folder, "copy")
    with Corpus([first, copy, first]) as corpus:
        assert corpus.sql("SELECT count(*) FROM rolls").rows == [(1,)]
        assert corpus.notes == (f"{copy}: the game g was read from {first} already and is counted once",)


def test_another_game_of_the_same_id_gets_a_name_of_its_own(folder: Path) -> None:
    """Two clubs may both call a game `g`; neither is lost, and their entries are not mixed."""
    first = Logbook().roll("red", 1).put(folder, "g1")
    second = Logbook(title="another").roll("red", 1).roll("red", 2).put(folder, "g2")
    with Corpus([first, second]) as corpus:
        assert corpus.sql("SELECT game, count(*) FROM rolls GROUP BY ALL ORDER BY game").rows == [
            ("g", 1),
            ("g#2", 2),
        ]
        assert corpus.notes == (f"{second}: another game of that id was read from {first}; this one is g#2",)


def test_a_question_is_checked_before_logs_are_read(folder: Path) -> None:
    """A slip in the question's name or parameters is said at once, whatever the sources."""
    with pytest.raises(BadQuestion, match="there is no question 'faces'; near it: faces_per_die"):
        ask([folder / "nowhere"], "faces")
    with pytest.raises(
        BadQuestion, match="longest_games has no parameter 'least'; its parameters: rules, most"
    ):
        ask([folder / "nowhere"], "longest_games", {"least": 3})


def test_a_log_with_any_byte_changed_is_read_or_refused_in_a_sentence(
    folder: Path, rounds: Callable[[int], int]
) -> None:
    """Whatever a bad disk makes of a log: rows, or `Damaged` with the file's name; nothing else."""
    path = put_table(play(rules_of("skirmish"), seed=5, entries=20), folder / "g.jsonl")
    whole = path.read_bytes()
    chance = random.Random(7)
    refused = [said for _ in range(rounds(400)) if (said := said_of(path, whole, chance))]
    assert refused
    assert [said for said in refused if str(path) not in said] == []


def said_of(path: Path, whole: bytes, chance: random.Random) -> str:
    """Return what is said of a log of which a few bytes were changed; nothing when it is read."""
    text = bytearray(whole)
    for _ in range(1 + chance.randrange(3)):
        text[chance.randrange(len(text))] = chance.randrange(256)
    path.write_bytes(text)
    try:
        Corpus([path], reading=Reading(openings=True)).close()
    except Damaged as fault:
        return str(fault)
    return ""
