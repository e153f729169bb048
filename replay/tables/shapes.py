"""What the tables need of a line: shapes that read the shared facts, whatever game and revision wrote them.

They are more lenient than the facts themselves: a field added later is no reason not to count the rest.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from core.games import NoSuchRules
from core.games import load as load_rules
from events.chance import DICE
from events.event import Face, Id, Int
from events.upcasting import Upcasts

__all__ = [
    "Fact",
    "Known",
    "Line",
    "Opened",
    "Over",
    "known",
    "read_began",
    "read_command",
    "read_ended",
    "read_fact",
    "read_line",
    "read_opened",
    "read_over",
    "read_rolled",
    "read_ruling",
]


class Line(Struct, gc=False):
    """A line, its command and facts not yet read."""

    id: Id
    parent: Id
    at: str
    seat: str
    command: Raw
    facts: list[Raw]
    actor: str = ""
    source: str = ""


class Command(Struct, gc=False):
    """A command's tag."""

    tag: str = field(name="Do")


class Fact(Struct, gc=False):
    """A fact's tag, and what most facts of play say of themselves."""

    tag: str = field(name="Fact")
    because: list[str] = field(default_factory=list)
    seat: Any = None
    place: Any = None
    count: Any = None
    round: Any = None


class Rolled(Struct, gc=False):
    """Dice that fell."""

    die: str
    faces: list[Face]
    owner: str
    counts: dict[str, Any]
    purpose: str
    roller: str = ""


class Branch(Struct, gc=False):
    """Where a what-if left another log."""

    game: str
    entry: Id


class Opened(Struct, gc=False):
    """A game that began."""

    id: str
    game: str
    revision: Int
    seats: list[str]
    answers: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    dice: str = "typed"
    persons: dict[str, str] = field(default_factory=dict)
    branch: Branch | None = None
    title: str = ""


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


class Over(Struct, gc=False):
    """A game that ended."""

    winners: list[str]
    how: str


class Ruling(Struct, gc=False):
    """A ruling, a correction, a dispute, or a reason that was overlooked."""

    verdict: dict[str, Any] = field(default_factory=dict)
    seat: str | None = None
    code: str | None = None
    dispute: Id = 0
    at: Id | None = None
    reason: str | None = None
    claim: str | None = None


class Known(Struct, frozen=True):
    """What the tables need to know of a game's rules; the ordinary dice alone when no folder has them."""

    name: str
    dice: dict[str, tuple[str, ...]]
    claims: dict[str, str]
    lift_facts: Upcasts | None = None
    lift_commands: Upcasts | None = None
    found: bool = True

    def dice_rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the table `dice`."""
        for die, faces in self.dice.items():
            for face in dict.fromkeys(faces):
                yield self.name, die, face, faces.count(face), len(faces), " ".join(sorted(faces))

    def tells(self, claim: str) -> bool:
        """Return whether any fact of the game is claimed by that word."""
        return claim in self.claims.values()


@cache
def known(name: str) -> Known:
    """Return what is known of the rules of a game."""
    try:
        rules = load_rules(name)
    except NoSuchRules:
        return Known(name, {die: tuple(map(str, faces)) for die, faces in DICE.items()}, {}, found=False)
    claims = {str(kind.__struct_config__.tag): kind.CLAIM for kind in rules.facts if kind.CLAIM}
    dice = {die: tuple(map(str, faces)) for die, faces in rules.all_dice.items()}
    return Known(name, dice, claims, _lift(rules.older_facts, "Fact"), _lift(rules.older_commands, "Do"))


def _lift(hops: Any, tag_field: str) -> Upcasts | None:
    current = {target for targets, _ in hops.values() for target in targets} - set(hops)
    return Upcasts(hops, current, tag_field) if hops else None


read_line = msgspec.json.Decoder(Line).decode
read_command = msgspec.json.Decoder(Command).decode
read_fact = msgspec.json.Decoder(Fact).decode
read_rolled = msgspec.json.Decoder(Rolled).decode
read_opened = msgspec.json.Decoder(Opened).decode
read_began = msgspec.json.Decoder(Began).decode
read_ended = msgspec.json.Decoder(Ended).decode
read_over = msgspec.json.Decoder(Over).decode
read_ruling = msgspec.json.Decoder(Ruling).decode
