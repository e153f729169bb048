"""What the laws run over: every game found, the toys beside it, and games played at random with each."""

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

import core.games
from core.asking import Chooser
from core.deciding import Refused
from core.kit.table import TableCommand
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.entry import Entry
from events.event import Seat
from events.jsonl import read_log
from replay.sheets.position import load_position
from tests.driver import SPECTATOR, Heard, Table, choices, play

TOYS = Path(__file__).parent.parent / "toys"
KINDS = ("plain", "troubled", "unseen", "gone on with")
"""How a game is played: as it is, with a busy arbiter, at a table where whoever records sees no card; or from a
position or a game on record."""
ENTRIES = 120
RECORDS = TOYS.parent.parent / "fixtures"


def names() -> list[str]:
    """Return the name of every game there is: the folders in core/games, and the toys; none is imported for it."""
    toys = [folder.name for folder in TOYS.iterdir() if (folder / "__init__.py").is_file()]
    return sorted({*core.games.found(), *toys})


def rules_of(name: str) -> Rules[Any]:
    """Return the rules of a game or of a toy."""
    if name in core.games.found():
        return core.games.load(name)
    rules: Rules[Any] = import_module(f"tests.toys.{name}").RULES
    return rules


def games() -> dict[str, Rules[Any]]:
    """Return the rules of every game and toy, by name."""
    return {name: rules_of(name) for name in names()}


@cache
def records(name: str) -> list[list[tuple[Seat, Any]]]:
    """Return what was commanded in each game on record, as far as it is lawful today, and in each position on record."""
    rules = rules_of(name)
    games = [
        [(entry.seat, entry.command) for entry in _entries(rules, path)]
        for path in sorted((RECORDS / name).rglob("*.jsonl"))
        if path.parent.name != "older"  # an older log folds; its rules were those of its day
    ]
    games += [
        [(ARBITER, load_position(path).command())]
        for path in sorted((RECORDS / name).rglob("*.toml"))
        if path.parent.name != "faults"  # what is to be planted in the records
    ]
    return [lawful for game in games if (lawful := _lawful(rules, game))]


def _lawful(rules: Rules[Any], game: list[tuple[Seat, Any]]) -> list[tuple[Seat, Any]]:
    """Return the beginning of a game that the rules allow; that a record is lawful as a whole is a test of its own."""
    table = Table(rules)
    for count, (seat, command) in enumerate(game):
        if isinstance(table.send(seat, command), Refused):
            return game[:count]
    return game


def _entries(rules: Rules[Any], path: Path) -> Iterator[Entry[Any, Any]]:
    log = read_log(path)
    for line in log.lines:
        entry = rules.codec.decode(line)
        yield rules.codec.reveal(entry, (opening for opening in log.openings if opening.entry == entry.id))


def beginning(name: str, choose: Chooser) -> list[tuple[Seat, Any]]:
    """Return what was commanded up to some entry of some game on record; nothing when there is none."""
    if not records(name):
        return []
    record = records(name)[choose(len(records(name)))]
    return record[: 1 + choose(len(record))]


@lru_cache(maxsize=256)
def played(name: str, kind: str, seed: int) -> Table:
    """Return a game played at random; the same one to every law, so no law may go on with it."""
    begun = beginning(name, Random(seed).randrange) if kind == "gone on with" else []
    unseen, troubled, shuffled = kind == "unseen", kind == "troubled", kind != "plain"
    return play(
        rules_of(name), seed, ENTRIES, begun=begun, shuffled=shuffled, unseen=unseen, troubled=troubled
    )


def readers(table: Table) -> tuple[Seat, ...]:
    """Return everybody who reads a log without seeing everything."""
    return (*table.now.table.seats, SPECTATOR)


def words_of(command: Any) -> frozenset[str]:
    """Return the words that a command was given with."""
    words: set[str] = set()

    def gather(value: Any) -> None:
        if isinstance(value, str):
            words.add(value)
        elif isinstance(value, dict):
            gather(list(value.items()))
        elif isinstance(value, list | tuple):
            for part in value:
                gather(part)

    gather(msgspec.to_builtins([getattr(command, name) for name in command.__struct_fields__]))
    return frozenset(words)


def names_in(table: Table) -> tuple[str, ...]:
    """Return the words that the commands of a game were given with, and some that no game knows."""
    words = {word for told in table.log for word in words_of(told.entry.command)}
    return (*sorted(words), *table.rules.seats, "nobody", "?", "")


def perturbed(
    now: Moment[Any], names: tuple[str, ...], choose: Chooser, heard: Heard | None = None
) -> tuple[Seat, Any] | None:
    """Return a command at random: from another seat, with another field, of a kind that is asked, or out of thin air."""
    choice = choices(now, choose, heard=heard)
    if choice is None:
        return None
    seats = (*now.table.seats, CHANCE, ARBITER, SPECTATOR)
    kind, fields = choose(4), choice.command.__struct_fields__
    if kind == 0:
        return seats[choose(len(seats))], choice.command
    if kind == 1 and fields:
        name = fields[choose(len(fields))]
        held = {field.name: field.type for field in _fields(type(choice.command))}
        return choice.seat, msgspec.structs.replace(
            choice.command, **{name: anything(held[name], names, choose)}
        )
    commands: Any = (kind == 2 and choice.ask.question.answers) or now.rules.commands
    command: Any = commands[choose(len(commands))]
    made = command(**{field.name: anything(field.type, names, choose) for field in _fields(command)})
    return choice.seat, made


def _fields(command: Any) -> tuple[inspect.Field, ...]:
    shape = inspect.type_info(command)
    assert isinstance(shape, inspect.StructType)
    return shape.fields


def anything(shape: inspect.Type, names: tuple[str, ...], choose: Chooser) -> Any:
    """Return some value of a type, as a line could hold it."""
    if isinstance(shape, inspect.Metadata):
        return anything(shape.type, names, choose)
    if isinstance(shape, inspect.BoolType):
        return bool(choose(2))
    if isinstance(shape, inspect.IntType):
        low = -3 if shape.ge is None else max(-3, shape.ge)
        return int(low + choose(16)) if choose(10) else int(1_000_000 if shape.le is None else shape.le)
    if isinstance(shape, inspect.StrType):
        return names[choose(len(names))]
    if isinstance(shape, inspect.LiteralType):
        return shape.values[choose(len(shape.values))]
    if isinstance(shape, inspect.NoneType):
        return None
    if isinstance(shape, inspect.UnionType):
        return anything(shape.types[choose(len(shape.types))], names, choose)
    if isinstance(shape, inspect.DictType):
        count = choose(4)
        return {
            anything(shape.key_type, names, choose): anything(shape.value_type, names, choose)
            for _ in range(count)
        }
    if isinstance(shape, inspect.VarTupleType):
        return tuple(anything(shape.item_type, names, choose) for _ in range(choose(5)))
    if isinstance(shape, inspect.TupleType):
        return tuple(anything(item, names, choose) for item in shape.item_types)
    if isinstance(shape, inspect.StructType):
        return shape.cls(
            **{field.name: anything(field.type, names, choose) for field in shape.fields if field.required}
        )
    raise TypeError(f"the laws know no value of {shape}")


def moments(table: Table) -> Iterator[Moment[Any]]:
    """Yield every moment of a table since its game was opened."""
    yield from table.moments[1:]


def is_about_the_game(command: Any) -> bool:
    return not isinstance(command, TableCommand)
