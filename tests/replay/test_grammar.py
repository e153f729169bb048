"""The text form of commands and set-up facts: it can be read, it can be written, and faults are pointed at."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import field, inspect

import core.games
from core.rules import Command, Rules, word
from events.event import Count, Face, Seat
from replay.words.faults import BadText
from replay.words.forms import Reader, unwrapped
from replay.words.grammar import Grammar, Sentence, grammar, parse_command, verb_of, write_command

NAMES = st.one_of(
    st.sampled_from(
        ["OR_n", "none", "yes", "no", "from", "FROM", "at", "5", "-3", "", "a b", 'a"b', "#x", "x=1"]
    ),
    st.text(max_size=8),
)


def values(info: inspect.Type) -> st.SearchStrategy[Any]:
    """Return a strategy for what a field of this type may hold, its bounds kept."""
    if isinstance(info, inspect.Metadata):
        return values(info.type)
    if isinstance(info, inspect.IntType):
        low, high = info.ge if info.ge is not None else -(2**53), info.le if info.le is not None else 2**53
        return st.integers(int(low), int(high))
    if isinstance(info, inspect.StrType) and info.pattern is not None:
        return st.sampled_from(info.pattern.removeprefix("^(").removesuffix(")$").split("|"))
    if isinstance(info, inspect.StrType):
        low, high = info.min_length or 0, info.max_length or 12
        return NAMES.filter(lambda text: low <= len(text) <= high)
    if isinstance(info, inspect.BoolType):
        return st.booleans()
    if isinstance(info, inspect.NoneType):
        return st.none()
    if isinstance(info, inspect.LiteralType):
        return st.sampled_from(info.values)
    if isinstance(info, inspect.UnionType):
        return st.one_of(*(values(member) for member in info.types))
    if isinstance(info, inspect.VarTupleType):
        return st.lists(values(info.item_type), max_size=4).map(tuple)
    if isinstance(info, inspect.TupleType):
        return st.tuples(*(values(item) for item in info.item_types))
    if isinstance(info, inspect.DictType):
        return st.dictionaries(values(info.key_type), values(info.value_type), max_size=3)
    if isinstance(info, inspect.StructType):
        return structs_of(info)
    raise NotImplementedError(type(info).__name__)


def structs_of(info: inspect.StructType, leave_out: tuple[str, ...] = ()) -> st.SearchStrategy[Any]:
    """Return a strategy for structs of a class; a field with a default is sometimes left out."""
    fields = {
        field.name: (field.required, values(field.type))
        for field in info.fields
        if field.name not in leave_out
    }
    return st.fixed_dictionaries(
        {name: strategy for name, (required, strategy) in fields.items() if required},
        optional={name: strategy for name, (required, strategy) in fields.items() if not required},
    ).map(lambda held: info.cls(**held))


def any_of(kind: type[Any], leave_out: tuple[str, ...] = ()) -> st.SearchStrategy[Any]:
    """Return a strategy for every value of a class."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return structs_of(info, leave_out)


def games() -> list[Rules[Any]]:
    """Return the rules of every game found."""
    return [core.games.load(name) for name in core.games.found()]


class Attack(Command[Any]):
    target: str
    source: Annotated[str, word("from")]
    count: Annotated[Count, word("with")] = 1
    alone: Annotated[bool, word("alone")] = False


class AttackBySea(Command[Any]):
    zone: str


class Everything(Command[Any]):
    seat: Seat
    faces: tuple[Face, ...]
    numbers: tuple[int, ...]
    losses: dict[str, Count]
    colour: Literal["red", "dark blue", 3]
    late: bool
    path: tuple[str, ...] = ()
    kinds: Annotated[tuple[str, ...], word("of")] = ("unit",)
    marks: Annotated[dict[str, str], word("marked")] = field(default_factory=dict)
    where: Annotated[str | None, word("to")] = None
    how: Annotated[str | None, word("to")] = None
    pairs: Annotated[tuple[tuple[str, int], ...], word("as")] = ()
    last: bool = True


TRIED = {kind: Sentence(verb_of(kind), kind) for kind in (AttackBySea, Attack, Everything)}


def spoken(text: str) -> Any:
    """Return the command that a text says in a game of the commands above."""
    sentence = next(one for one in TRIED.values() if text.startswith(one.verb))
    return sentence.read(Reader(text[len(sentence.verb) :]))


@given(any_of(Everything))
def test_a_command_of_every_shape_is_read_back_as_written(command: Everything) -> None:
    """`parse(write(command)) == command`, whatever its fields hold."""
    sentence = TRIED[Everything]
    text = sentence.write(command)
    reader = Reader(text)
    assert reader.take_words(["everything"])
    assert sentence.read(reader) == command, text
    assert reader.at_end


@given(st.data())
def test_every_command_of_every_game_is_read_back_as_written(
    skirmish: Rules[Any], data: st.DataObject
) -> None:
    """`parse(write(command)) == command` for each command class of each game found."""
    rules = data.draw(st.sampled_from(games()))
    assume(rules.commands)
    command = data.draw(any_of(data.draw(st.sampled_from(rules.commands))))
    text = write_command(rules, command)
    assert parse_command(rules, text) == command, text


@given(st.data())
def test_every_set_up_fact_of_every_game_is_read_back_as_written(
    skirmish: Rules[Any], data: st.DataObject
) -> None:
    """`units orc OR_n 3` is one form in claims, corrections and set-ups."""
    rules = data.draw(st.sampled_from(games()))
    fact = data.draw(any_of(data.draw(st.sampled_from(rules.setup)), ("because",)))
    text = grammar(rules).write(fact)
    reader = Reader(text)
    assert grammar(rules).standing(reader) == fact, text
    assert reader.at_end


@pytest.mark.parametrize(
    ("text", "command"),
    (
        ("attack OR_n from OR_k with 4", Attack("OR_n", "OR_k", 4)),
        ("attack OR_n from OR_k", Attack("OR_n", "OR_k")),
        ('attack  "from"  from "the hill" alone', Attack("from", "the hill", 1, alone=True)),
        ("attack by sea N3", AttackBySea("N3")),
        ('attack "by" from sea', Attack("by", "sea")),
        (
            'everything orc (5 skull 3) (1 2) 2 unit, 1 wizard "dark blue" no a, b of unit, king to none no',
            Everything(
                "orc",
                (5, "skull", 3),
                (1, 2),
                {"unit": 2, "wizard": 1},
                "dark blue",
                late=False,
                path=("a", "b"),
                kinds=("unit", "king"),
                where=None,
                last=False,
            ),
        ),
    ),
)
def test_a_sentence_is_read_as_people_write_it(text: str, command: Any) -> None:
    """Verb, fields in order, words before fields, defaults left out."""
    assert spoken(text) == command


def test_the_longer_verb_is_meant_where_two_would_fit(skirmish: Rules[Any]) -> None:
    """`attack by sea N3` is no attack on a place called `by`."""
    held = Grammar(skirmish)
    held.commands = dict(sorted(((one.verb, one) for one in TRIED.values()), key=lambda pair: -len(pair[0])))
    assert held.command(Reader("attack by sea N3")) == AttackBySea("N3")


@pytest.mark.parametrize(
    ("text", "column", "message", "expected", "close"),
    (
        ("thorw at blue", 1, "'thorw at blue' is not a command", "one of: bid, throw", ("throw",)),
        ("throw blue", 7, "target is missing", "`at` and seat", ()),
        ("throw at", 9, "target: nothing is there", "a name", ()),
        ("bid 2 3", 7, "'3' is more than the command says", "the end", ()),
        ("bid two", 5, "there is 'two'", "a whole number", ()),
        ("bid -2", 5, "pebbles = -2 will not do", "a whole number >= 0", ()),
        ("bid 99999999999999999999999", 5, "pebbles", "", ()),
        ("", 1, "a command is missing", "one of: bid, throw", ()),
        ('throw at "blue', 10, "target", "in double quotes", ()),
    ),
)
def test_a_fault_says_where_and_what_was_expected(
    skirmish: Rules[Any], text: str, column: int, message: str, expected: str, close: tuple[str, ...]
) -> None:
    """Column, what is wrong, what was expected, and what may have been meant."""
    with pytest.raises(BadText) as caught:
        parse_command(skirmish, text)
    fault = caught.value.fault
    assert (fault.column, fault.close) == (column, close)
    assert message in fault.message
    assert expected in fault.expected


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_no_text_at_all_brings_the_grammar_down(skirmish: Rules[Any], text: str) -> None:
    """Whatever is typed is a command, which can be written and read again, or a fault."""
    for rules in games():
        for start in ("", *(f"{verb} " for verb in grammar(rules).commands)):
            try:
                command = parse_command(rules, start + text)
            except BadText:
                continue
            assert parse_command(rules, write_command(rules, command)) == command


def test_a_field_after_its_word_may_be_missing_from_the_middle() -> None:
    """What holds its default is not written, unless a like field after it would be taken for it."""
    assert TRIED[Attack].write(Attack("A", "B", alone=True)) == "attack A from B alone"
    assert unwrapped(inspect.type_info(int))[1] == {}
