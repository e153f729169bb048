"""The codec: what is written reads back as itself, and what can't be read says so and nothing else."""

import contextlib
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events.codec import BadLine, BadValue, Codec, WrongOpening, opened_game
from events.entry import Entry, SealedCommand, UnrecognisedCommand
from events.event import LARGEST, CommandData, Count, FactData, Int
from events.play import Sealed, Unrecognised
from events.seals import COMMAND, Opening, conceal
from events.table import GameOpened
from events.upcasting import Upcasts
from tests.events.words import CODEC, Attack, Hide, Lost, Noted, Said, Scored, said

NO_UPCASTS = Upcasts({}, [], "Fact")
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
ASCII = st.text(st.characters(max_codepoint=127), min_size=1, max_size=8)
INTS = st.integers(-LARGEST, LARGEST)
COUNTS = st.integers(0, 1_000_000)
SEATS = st.sampled_from(("orc", "elf", "arbiter", "chance"))
FACTS = st.one_of(
    st.builds(Lost, seat=SEATS, kind=TEXT, count=COUNTS, because=st.just(("QD-10.2",))),
    st.builds(Scored, points=st.dictionaries(ASCII, INTS, max_size=4)),
    st.builds(Noted, text=TEXT, marks=st.lists(INTS | TEXT, max_size=4).map(tuple)),
    st.builds(Sealed, digest=TEXT, to=st.lists(SEATS, max_size=2).map(tuple)),
)
COMMANDS = st.builds(Attack, TEXT, COUNTS) | st.builds(Hide, TEXT)
ENTRIES = st.builds(
    Entry,
    id=st.integers(0, LARGEST),
    parent=st.integers(0, LARGEST),
    at=TEXT,
    seat=SEATS,
    command=COMMANDS,
    facts=st.lists(FACTS, max_size=4).map(tuple),
    prev=TEXT,
    actor=TEXT,
    source=TEXT,
    key=TEXT,
)


# What is written reads back


@given(ENTRIES)
def test_what_is_written_reads_back_as_itself(entry: Said) -> None:
    """For every entry that the types allow, in any script: decode(encode(x)) = x, on one line, canonical."""
    line = CODEC.encode(entry)
    assert CODEC.decode(line) == entry
    assert b"\n" not in line
    assert b"\r" not in line
    assert CODEC.is_canonical(line, CODEC.decode(line))


@given(ENTRIES)
def test_lines_are_what_the_canonical_json_of_rfc_8785_is(entry: Said) -> None:
    """On the strict profile a second opinion comes to the same bytes."""
    line = CODEC.encode(entry)
    assert rfc8785.dumps(msgspec.json.decode(line)) == line


@given(COMMANDS | FACTS)
def test_a_single_command_or_fact_reads_back_as_itself(value: Any) -> None:
    """As seals digest them."""
    read = CODEC.command if isinstance(value, CommandData) else CODEC.fact
    assert read(CODEC.value(value)) == value


def test_tags_stand_first_and_what_is_left_at_its_default_is_left_out() -> None:
    """A line reads well, and stays as it is when an optional field is added."""
    line = CODEC.encode(said(Lost("orc", "knight"), command=Attack("bridge")))
    assert line == (
        b'{"at":"2026-03-01T12:00:00Z","command":{"Do":"Attack","place":"bridge"},'
        b'"facts":[{"Fact":"Lost.v3","kind":"knight","seat":"orc"}],"id":1,"parent":0,"seat":"orc"}'
    )


class Stray(FactData):
    """A fact of no game."""


@pytest.mark.parametrize(
    "entry",
    (
        said(Lost("orc", "knight", count=-1)),
        said(Lost("orc", "knight", count=1_000_001)),
        said(Lost("", "knight")),
        said(Lost("orc", None)),  # type: ignore[arg-type]  # what types forbid is what this is about
        said(Lost("orc", "knight", count=True)),
        said(Lost("orc", "knight", count=1.0)),  # type: ignore[arg-type]  # as above
        said(Lost("orc", "knight", count=float("nan"))),  # type: ignore[arg-type]  # as above
        said(Noted("x", marks=(2**53,))),
        said(Noted("x", marks=(10**400,))),
        said(Noted("x", marks=[1])),  # type: ignore[arg-type]  # as above
        said(Noted("\ud800")),
        said(Noted(b"x")),  # type: ignore[arg-type]  # as above
        said(Noted(object())),  # type: ignore[arg-type]  # as above
        said(Scored({"þ": 1})),
        said(Scored({1: 1})),  # type: ignore[dict-item]  # as above
        said(Stray()),
        said(Attack("bridge")),
        said(Unrecognised("New", {})),
        said(command=UnrecognisedCommand("New", {})),
        said(command=Lost("orc", "knight")),
        said(id=-1),
        said(id="1"),
        said(seat="x" * 41),
        Entry(1, 0, "", "orc", Attack("bridge"), [Lost("orc", "knight")]),  # type: ignore[arg-type]  # as above
        said(3),
    ),
)
def test_what_would_not_read_back_as_itself_is_never_written(entry: Said) -> None:
    """Wrong kinds, numbers out of range, floats, keys beyond ASCII, facts of no game: `BadValue`, before anything is stored."""
    with pytest.raises(BadValue):
        CODEC.encode(entry)


@pytest.mark.parametrize("strange", (object(), {(): 1}, "\ud800"))
def test_a_value_that_has_no_json_is_never_written(strange: Any) -> None:
    """Objects, keys that are no text, half a letter: `BadValue` for an entry and for a fact alone, never msgspec's own."""
    with pytest.raises(BadValue):
        CODEC.encode(said(Scored(strange)))
    with pytest.raises(BadValue):
        CODEC.value(Scored(strange))


def test_a_value_nested_without_end_is_never_written() -> None:
    """Not even the stack's end is another exception."""
    deep: Any = {}
    for _ in range(100_000):
        deep = {"x": deep}
    with pytest.raises(BadValue):
        CODEC.encode(said(Scored(deep)))
    # The stack of this test can't take it apart either.
    while deep:
        deep = deep.pop("x")


@pytest.mark.parametrize(
    ("part", "value"),
    (
        (0, b'{"Fact":"Stray"}'),
        (0, b'{"Fact":"Noted"}'),
        (0, b'{"text":"x","Fact":"Noted"}'),
        (0, b'{"Fact": "Noted","text":"x"}'),
        (0, b'{"Fact":"Noted","text":"x","text":"x"}'),
        (0, '{"Fact":"Scored","points":{"þ":1}}'.encode()),
        (COMMAND, b'{"Fact":"Noted","text":"x"}'),
        (COMMAND, b"{"),
        (0, b"\xff"),
    ),
)
def test_openings_that_would_not_read_back_are_never_written(part: int, value: bytes) -> None:
    """What lies beside the line keeps to the same rules as what stands in it."""
    with pytest.raises(BadValue):
        CODEC.encode(said(), [Opening(1, part, "00", ("orc",), msgspec.Raw(value))])


@pytest.mark.parametrize(
    "kind", (float, Any, int, int | None, tuple[float, ...], dict[str, float], list[int], "deep")
)
def test_a_vocabulary_that_the_profile_does_not_allow_is_refused_when_the_codec_is_made(kind: Any) -> None:
    """Floats, `Any` and integers without bounds are named by their field, before a game is ever played with them."""
    if kind == "deep":
        kind = msgspec.defstruct("Inner", [("far", float)])
    fact = msgspec.defstruct("Weighed", [("weight", kind)], bases=(FactData,), kw_only=True)
    with pytest.raises(TypeError, match=r"Weighed\.weight|Inner\.far"):
        Codec(Attack, fact | Noted, NO_UPCASTS, NO_UPCASTS)


# Canonical or not


@pytest.mark.parametrize(
    "change",
    (
        lambda line: line.replace(b'"id":1', b'"id": 1'),
        lambda line: line.replace(b'"id":1', b'"id":1,"id":1'),
        lambda line: line.replace(b'"id":1', b'"id":2,"id":1'),
        lambda line: line.replace(b'"count":2', b'"count":2,"count":2'),
        lambda line: line.replace(b'"id":1,"parent":0', b'"parent":0,"id":1'),
        lambda line: line.replace(b'"count":0', b'"count":-0'),
        lambda line: line.replace(b'"kind":"knight"', b'"kind":"\\u006bnight"'),
        lambda line: line + b" ",
        lambda line: b" " + line,
        lambda line: line.replace(b'"parent":0', b'"key":"","parent":0'),
        lambda line: line.replace(b'"Scored","points":{"a":2}', b'"Scored","points":{"a":1,"a":2}'),
        lambda line: line.replace("þ".encode(), b"\\u00fe"),
    ),
)
def test_a_line_that_is_written_in_another_way_is_not_canonical(change: Callable[[bytes], bytes]) -> None:
    """Spaces, another order, escapes, defaults written out, a key twice: the same entry, and not our bytes."""
    entry = said(Lost("orc", "knight", count=2), Scored({"a": 2}), Noted("þ", marks=(0,)))
    line = CODEC.encode(entry)
    changed = change(line)
    if changed != line:
        assert not CODEC.is_canonical(changed, CODEC.decode(changed))
    assert CODEC.is_canonical(line, entry)


def test_a_key_that_stands_twice_is_found_wherever_it_stands() -> None:
    """Readers differ about which of the two counts; no line of ours holds such a thing."""
    line = CODEC.encode(said(Scored({"a": 2}), Noted("x")))
    for key in (
        b'"at":"2',
        b'"command":{',
        b'"Do":"Attack"',
        b'"place":"bridge"',
        b'"points":{',
        b'"a":2',
        b'"text":"x"',
    ):
        name = key[: key.index(b":")]
        for first in (b":1,", b":null,", b':"",', b":{},", b":[],"):
            doubled = line.replace(key, name + first + key)
            assert doubled != line
            try:
                entry = CODEC.decode(doubled)
            except BadLine:
                continue
            assert not CODEC.is_canonical(doubled, entry)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    (
        (b'{"Fact":"New","n":1}', True),
        (b'{"Fact":"New","n":1.5}', False),
        (b'{"Fact":"New","n":1e3}', False),
        (b'{"Fact":"New","n":9007199254740992}', False),
        (b'{"Fact":"New","n":123456789012345678901234567890}', False),
        ('{"Fact":"New","þ":1}'.encode(), False),
        (b'{"Fact":"New","n":{"b":1,"a":1}}', False),
        (b'{"Fact":"New", "n":1}', False),
        (b'{"Fact":"New","n":1,"n":1}', False),
        (b'{"Fact":"Lost","losses":{"knight":1}}', True),
        (b'{"Fact":"Lost","losses":{"knight":1} }', False),
    ),
)
def test_whether_a_line_of_older_or_unknown_facts_is_canonical_can_be_told(
    raw: bytes, canonical: bool
) -> None:
    """What this revision does not know is held to the same profile."""
    line = CODEC.encode(said(Noted("x"))).replace(b'{"Fact":"Noted","text":"x"}', raw)
    assert CODEC.is_canonical(line, CODEC.decode(line)) is canonical


# What can't be read


@pytest.mark.parametrize(
    "line",
    (
        b"",
        b"null",
        b"[]",
        b"{}",
        b"1",
        b'{"id":1}',
        b"\xff",
        b'"\\ud800"',
        b"NaN",
        b"[" * 100_000,
        b"{" * 100_000,
        b'{"id":' * 100_000,
        b"9" * 100_000,
        b'{"id":1e400}',
    ),
)
def test_a_line_that_is_no_entry_is_a_bad_line_and_nothing_else(line: bytes) -> None:
    """Empty, cut, no text, nested without end, numbers beyond all measure."""
    with pytest.raises(BadLine):
        CODEC.decode(line)
    with pytest.raises(BadLine):
        opened_game(line)
    assert CODEC.is_canonical(line, said()) in {True, False}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    (
        (b'"id":1', b'"id":-1', "id"),
        (b'"id":1', b'"id":9007199254740992', "id"),
        (b'"id":1', b'"id":"1"', "id"),
        (b'"id":1,', b"", "id"),
        (b'"seat":"orc"}', b'"seat":7}', "seat"),
        (b'"count":2', b'"count":-2', "count"),
        (b'"count":2', b'"count":2.0', "count"),
        (b'"count":2', b'"count":NaN', "malformed"),
        (b'"count":2', b'"count":99999999999999999999999999', "count"),
        (b'"count":2', b'"count":null', "count"),
        (b'"count":2', b'"count":true', "count"),
        (b'"count":2', b'"count":2,"more":1', "more"),
        (b'"place":"bridge"', b'"place":3', "place"),
        (b'"Do":"Attack"', b'"Do":3', "Do"),
        (b'"Do":"Attack",', b"", "Do"),
        (b'"Fact":"Lost.v3"', b'"Fact":["Lost.v3"]', "Fact"),
        (b'"Fact":"Lost.v3",', b"", "Fact"),
        (b'"facts":[', b'"facts":[3,', "Fact"),
        (b'"facts":[', b'"facts":7,"x":[', "facts"),
        (b'"Fact":"Lost.v3"', b'"Fact":"Lost.v2"', "losses"),
        (b'"Fact":"Lost.v3"', b'"Fact":"Lost.v2","losses":[]', "items"),
        (b'"Do":"Attack"', b'"Do":"Assault"', "where"),
    ),
)
def test_a_field_of_the_wrong_kind_is_named_with_its_entry(old: bytes, new: bytes, why: str) -> None:
    """Also where an upcaster took the shape of something old for granted."""
    line = CODEC.encode(said(Lost("orc", "knight", count=2)))
    assert old in line
    with pytest.raises(BadLine, match=why) as bad:
        CODEC.decode(line.replace(old, new, 1))
    assert bad.value.entry in {0, 1, -1, 2**53}


def test_any_bytes_make_an_entry_or_a_bad_line_and_never_another_exception(
    rounds: Callable[[int], int],
) -> None:
    """Ten thousand lines with bytes changed, dropped, doubled and moved."""
    dice = random.Random(11)
    whole = CODEC.encode(
        said(Lost("orc", "knight", count=2), Scored({"a": 1, "b": -2}), Noted("þ", marks=(1, "x")))
    )
    whole = whole.replace(b'"Lost.v3","count":2,', b'"Lost.v2","losses":{"knight":2},"x":{"y":[1]},')
    for _ in range(rounds(100_000)):
        line = bytearray(whole)
        for _ in range(dice.randint(1, 3)):
            at, to = dice.randrange(len(line)), dice.randrange(len(line))
            match dice.randrange(4):
                case 0:
                    line[at] = dice.choice(b'{}[]":,0123456789-+.eEtfn\\\x00\xff ')
                case 1:
                    del line[at : at + dice.randint(1, 9)]
                case 2:
                    line[at:at] = line[to : to + dice.randint(1, 9)]
                case _:
                    line[at:at] = dice.choice(
                        (b"{}", b"[[", b"null", b"1e999", b"-0", b'"Fact":"?"', b"9" * 30)
                    )
            if not line:
                break
        try:
            entry = CODEC.decode(bytes(line))
        except BadLine:
            pass
        else:
            assert CODEC.is_canonical(bytes(line), entry) in {True, False}
        with contextlib.suppress(BadLine):
            opened_game(bytes(line))


@given(st.binary(max_size=200))
def test_noise_is_a_bad_line(noise: bytes) -> None:
    """No noise is an entry."""
    with pytest.raises(BadLine):
        CODEC.decode(noise)


# What is not known yet, or no longer


def test_a_fact_or_command_of_an_unknown_kind_is_shown_and_kept_apart() -> None:
    """Its name and all that it says stay readable; its neighbours are read as always."""
    line = CODEC.encode(said(Noted("before"), Noted("x"), command=Attack("bridge")))
    line = line.replace(b'{"Fact":"Noted","text":"x"}', b'{"Fact":"Vanished.v2","deep":{"n":[1,null]}}')
    line = line.replace(b'"Do":"Attack"', b'"Do":"Charge"')
    entry = CODEC.decode(line)
    assert entry.facts == (
        Noted("before"),
        Unrecognised("Vanished.v2", {"Fact": "Vanished.v2", "deep": {"n": [1, None]}}, 1),
    )
    assert entry.command == UnrecognisedCommand("Charge", {"Do": "Charge", "place": "bridge"})
    with pytest.raises(BadValue):
        CODEC.encode(entry)


def test_older_facts_and_commands_are_brought_up_to_date_on_reading() -> None:
    """One hop after another; one fact may become several or none; their order stays."""
    line = CODEC.encode(said(Noted("1"), Noted("2"), Noted("3"), Noted("4")))
    for text, old in (
        (b"1", b'{"Fact":"Lost","losses":{"knight":2,"archer":1}}'),
        (b"2", b'{"Fact":"Rumoured"}'),
        (b"3", b'{"Fact":"Lost.v2","losses":{},"seat":"elf"}'),
    ):
        line = line.replace(b'{"Fact":"Noted","text":"%s"}' % text, old)
    line = line.replace(b'{"Do":"Attack","place":"bridge","units":3}', b'{"Do":"Assault","where":"gate"}')
    entry = CODEC.decode(line)
    assert entry.command == Attack("gate")
    assert entry.facts == (Lost("orc", "knight", count=2), Lost("orc", "archer", count=1), Noted("4"))


# Sealed parts


def _sealed(
    *facts: FactData, to: tuple[tuple[str, ...], ...], command_to: tuple[str, ...] = ()
) -> tuple[Said, tuple[Opening, ...]]:
    return conceal(
        said(*facts, command=Hide("king")),
        to,
        command_to,
        CODEC.value,
        lambda entry, part: bytes([entry, part % 256] * 8),
    )


def test_an_entry_is_opened_as_far_as_the_openings_go() -> None:
    """Some parts, all parts, none: what stays sealed keeps its digest."""
    facts = (Noted("all"), Noted("orc"), Noted("elf"))
    entry, openings = _sealed(*facts, to=((), ("orc",), ("elf",)), command_to=("orc",))
    line = CODEC.encode(entry, openings)
    read = CODEC.decode(line)
    assert [type(fact) for fact in read.facts] == [Noted, Sealed, Sealed]
    assert isinstance(read.command, SealedCommand)
    mine = CODEC.reveal(read, [opening for opening in openings if "orc" in opening.to])
    assert (mine.command, mine.facts[:2]) == (Hide("king"), facts[:2])
    assert mine.facts[2] == read.facts[2]
    assert CODEC.reveal(read, openings).facts == facts
    assert CODEC.reveal(read, []) == read


def test_an_opening_that_does_not_fit_is_refused() -> None:
    """Another value, another salt, another part, another entry, something that was never sealed, no hexadecimal."""
    entry, (opening,) = _sealed(Noted("all"), Noted("orc"), to=((), ("orc",)))
    replace = msgspec.structs.replace
    for false in (
        replace(opening, value=msgspec.Raw(b'{"Fact":"Noted","text":"lie"}')),
        replace(opening, salt="00" * 16),
        replace(opening, salt="no salt"),
        replace(opening, part=COMMAND),
        replace(opening, entry=2),
        replace(opening, part=0, salt=""),
    ):
        with pytest.raises(WrongOpening, match=f"entry 1, part {false.part}"):
            CODEC.reveal(entry, [false])


def test_sealed_facts_are_found_again_where_upcasting_has_moved_them() -> None:
    """An older fact before them that becomes several, or none, leaves their openings as good as they were."""
    entry, openings = _sealed(Noted("old"), Noted("orc"), Noted("elf"), to=((), ("orc",), ("elf",)))
    line = CODEC.encode(entry, openings)
    for old in (b'{"Fact":"Lost","losses":{"knight":2,"archer":1}}', b'{"Fact":"Rumoured"}'):
        read = CODEC.decode(line.replace(b'{"Fact":"Noted","text":"old"}', old))
        assert CODEC.reveal(read, openings).facts[-2:] == (Noted("orc"), Noted("elf"))


def test_a_sealed_fact_of_an_older_version_is_brought_up_to_date_when_it_is_opened() -> None:
    """One becomes one; one that would become several or none has no place for them, and says so."""
    for value, fits in (
        (b'{"Fact":"Lost","losses":{"knight":2}}', True),
        (b'{"Fact":"Lost","losses":{"knight":2,"archer":1}}', False),
        (b'{"Fact":"Rumoured"}', False),
        (b'{"Fact":"Unheard"}', True),
        (b'{"Fact":7}', False),
    ):
        entry, openings = conceal(
            said(Noted("x")), [("orc",)], (), partial(_always, value), lambda *_: b"s" * 16
        )
        if fits:
            assert len(CODEC.reveal(entry, openings).facts) == 1
        else:
            with pytest.raises(BadLine):
                CODEC.reveal(entry, openings)


def _always(value: bytes, _: Any) -> bytes:
    return value


# The first line


def test_the_first_line_says_which_game_and_revision_it_opens() -> None:
    """Before any codec is chosen."""
    opened = GameOpened(id="g1", game="skirmish", revision=3, seats=("orc", "elf"), answers={})
    codec: Codec[Any, Any] = Codec(Attack, GameOpened, NO_UPCASTS, NO_UPCASTS)
    assert opened_game(codec.encode(said(opened))) == ("skirmish", 3)


@pytest.mark.parametrize(
    "line",
    (
        b'{"facts":[]}',
        b'{"facts":[{}]}',
        b'{"facts":[{"game":7}]}',
        b'{"facts":[{"game":"x","revision":"1"}]}',
        b'{"facts":7}',
    ),
)
def test_a_first_line_that_opens_no_game_says_so(line: bytes) -> None:
    """No fact, another fact, fields of the wrong kind."""
    with pytest.raises(BadLine, match="entry 1: the first line does not open a game"):
        opened_game(line)


class Bounded(FactData):
    n: Count
    m: Int = 0


def test_counts_and_integers_keep_their_bounds_in_both_directions() -> None:
    """Exactly up to the edge."""
    codec: Codec[Any, Any] = Codec(Attack, Bounded, NO_UPCASTS, NO_UPCASTS)
    for fact in (Bounded(n=0), Bounded(n=1_000_000, m=LARGEST), Bounded(n=1, m=-LARGEST)):
        assert codec.decode(codec.encode(said(fact))).facts == (fact,)
    for fact in (
        Bounded(n=-1),
        Bounded(n=1_000_001),
        Bounded(n=0, m=LARGEST + 1),
        Bounded(n=0, m=-LARGEST - 1),
    ):
        with pytest.raises(BadValue):
            codec.encode(said(fact))


def test_a_key_that_no_entry_has_makes_a_line_none_of_an_entry() -> None:
    """Also where older words in the line have it read part by part: nothing in a line is passed over in silence."""
    line = CODEC.encode(said(Lost("orc", "knight"), command=Attack("bridge")))
    for read in (line, line.replace(b'"Fact":"Lost.v3"', b'"Fact":"Unheard"')):
        assert CODEC.decode(read).id == 1
        with pytest.raises(BadLine, match="zzz"):
            CODEC.decode(read[:-1] + b',"zzz":1}')
