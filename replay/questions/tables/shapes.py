"""What has to be read of a line here, and what has to be known of a game's rules; DuckDB reads the rest.

The shapes are more lenient than the facts themselves: a field added later is no reason not to count the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from re import Pattern
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from core import games
from core.contract import Fact as GameFact
from events.chance import DICE
from events.event import Id, Int
from events.play import BattleBegan, BattleEnded
from events.table import OLDER_TABLE_FACTS
from events.upcasting import Upcasts

__all__ = [
    "Entry",
    "Known",
    "Opened",
    "known",
    "read_began",
    "read_command",
    "read_ended",
    "read_entry",
    "read_fact",
    "read_facts",
    "read_many",
    "read_opened",
    "read_sealed",
]


class Entry(Struct, gc=False):
    """A line, its command and facts not yet read."""

    id: Id
    parent: Id
    at: str
    seat: str
    command: Raw
    facts: Raw
    actor: str = ""
    source: str = ""


class Command(Struct, gc=False):
    """A command's tag."""

    tag: str = field(name="Do")


class Fact(Struct, gc=False):
    """A fact's tag, and what places it in a battle."""

    tag: str = field(name="Fact")
    seat: Any = None
    place: Any = None
    count: Any = None
    round: Any = None


class Sealed(Struct, gc=False):
    """The digest of a part that is sealed."""

    digest: str = ""


class Opened(Struct, gc=False):
    """Which game began, by which rules."""

    id: str
    game: str
    tag: str = field(name="Fact")


class Began(Struct, gc=False):
    """A battle that began."""

    place: str
    attacker: str
    defender: str
    kind: str = "battle"


class Ended(Struct, gc=False):
    """A battle that ended."""

    place: str
    winner: str = ""
    taken: bool = False
    rounds: Int = 0


class Known(Struct, frozen=True):
    """What the tables need to know of a game's rules; the ordinary dice alone when no folder has them."""

    name: str
    dice: dict[str, tuple[str, ...]]
    claims: dict[str, str]
    tells_rounds: bool = False
    """Whether any of its facts says which round of a battle it is, in a field `round`."""
    whole_battles: Mapping[str, Callable[[Raw], tuple[BattleBegan, BattleEnded]]] = {}
    """How facts that are a battle by themselves are read, by their tags."""
    lift_facts: Upcasts | None = None
    lift_commands: Upcasts | None = None
    older: tuple[bytes, ...] = ()
    """What a line holds that may hold an older tag."""
    found: bool = True

    def dice_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the table `dice`."""
        for die, faces in self.dice.items():
            for face in dict.fromkeys(faces):
                yield self.name, die, face, faces.count(face), len(faces), " ".join(sorted(faces))

    @property
    def stirring(self) -> Pattern[bytes]:
        """Finds what the facts of a line hold that may change a battle which is being fought: its round, or its losses."""
        losses = (tag for tag, claim in self.claims.items() if claim == "loses")
        return _any_of(("round" if self.tells_rounds else "Rolled", *losses))

    @property
    def speaking(self) -> Pattern[bytes]:
        """Finds what the facts of a line hold that begin or end a battle."""
        return _any_of(("BattleBegan", "BattleEnded", *self.whole_battles))

    def tells(self, claim: str) -> bool:
        """Return whether any fact of the game is claimed by that word."""
        return claim in self.claims.values()


def known(name: str) -> Known:
    """Return what is known of the rules of a game."""
    try:
        rules = games.load(name)
    except games.NoSuchRules:
        dice = {die: tuple(map(str, faces)) for die, faces in DICE.items()}
        lift = _lift(OLDER_TABLE_FACTS, "Fact")
        return Known(name, dice, {}, lift_facts=lift, older=_finding(OLDER_TABLE_FACTS), found=False)
    claims = {str(kind.__struct_config__.tag): kind.CLAIM for kind in rules.facts if kind.CLAIM}
    dice = {die: tuple(map(str, faces)) for die, faces in rules.all_dice.items()}
    return Known(
        name,
        dice,
        claims,
        any("round" in kind.__struct_fields__ for kind in rules.facts),
        {
            str(kind.__struct_config__.tag): _whole(kind)
            for kind in rules.facts
            if issubclass(kind, GameFact) and kind.whole_battle is not GameFact.whole_battle
        },
        _lift(rules.all_older_facts, "Fact"),
        _lift(rules.older_commands, "Do"),
        _finding((*rules.all_older_facts, *rules.older_commands)),
    )


def _whole(kind: type[GameFact[Any]]) -> Callable[[Raw], tuple[BattleBegan, BattleEnded]]:
    """Return what reads facts of a kind as the battles that they are."""
    read = msgspec.json.Decoder(kind).decode

    def battle(raw: Raw) -> tuple[BattleBegan, BattleEnded]:
        told: tuple[BattleBegan, BattleEnded] | None = read(raw).whole_battle()
        if told is None:
            raise ValueError(f"{kind.__name__} is a battle by itself, and this one is none")
        return told

    return battle


def _finding(words: Iterable[str]) -> tuple[bytes, ...]:
    """Return these words as lines hold them."""
    return tuple(f'"{word}"'.encode() for word in words)


def _any_of(words: Iterable[str]) -> Pattern[bytes]:
    """Return what finds any of these words in a line; in one line that is faster than to look for one after the other."""
    return re.compile(b"|".join(map(re.escape, _finding(words))))


def _lift(hops: Any, tag_field: str) -> Upcasts | None:
    current = {target for targets, _ in hops.values() for target in targets} - set(hops)
    return Upcasts(hops, current, tag_field) if hops else None


read_entry = msgspec.json.Decoder(Entry).decode
read_sealed = msgspec.json.Decoder(Sealed).decode
read_command = msgspec.json.Decoder(Command).decode
read_facts = msgspec.json.Decoder(list[Raw]).decode
read_fact = msgspec.json.Decoder(Fact).decode
read_many = msgspec.json.Decoder(list[Fact]).decode
read_opened = msgspec.json.Decoder(Opened).decode
read_began = msgspec.json.Decoder(Began).decode
read_ended = msgspec.json.Decoder(Ended).decode
