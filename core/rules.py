"""A game as one record.

A game is a folder in `core/games/` whose package has `RULES`, a `Rules`. Nothing else anywhere names it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from core.contract import Command, Fact, Setup, Step, named, word
from core.kit.chance import CHANCE_COMMANDS
from core.kit.consenting import CONSENT_COMMANDS
from core.kit.disputing import DISPUTE_COMMANDS
from core.kit.table import TABLE_LAW, shared_facts, table_commands
from core.refusal import Refusal
from core.rulebook import Rulebook
from core.state import State
from core.table import Table
from core.telling import Moment, Tale
from events.chance import DICE
from events.codec import Codec
from events.event import Face, FactData, Seat, SectionRef
from events.table import OLDER_TABLE_FACTS
from events.upcasting import Hop, Upcasts

__all__ = ["Command", "Fact", "Rules", "Setup", "Step", "named", "word"]

S = TypeVar("S", bound=State)
T_contra = TypeVar("T_contra", contravariant=True)


def _union(types: Iterable[Any]) -> Any:
    return reduce(or_, types)


def one_seat_each(seats: tuple[Seat, ...], options: Mapping[str, str]) -> tuple[tuple[Seat, ...], ...]:
    """Return that no player sits at several seats."""
    return ()


class Sound(Protocol[T_contra]):
    """Says in sentences what is wrong with a state; nothing for a sound one."""

    def __call__(self, state: T_contra, before: T_contra | None = None, /) -> Iterable[str]:
        """Check a state whole; or, with a sound one that it came from, what has changed since."""
        ...


@dataclass(frozen=True)
class Rules(Generic[S]):
    """A game as one record."""

    package: str
    """The import name of its package, for its data."""
    revision: int
    """Counts up with every change of meaning, each told in a `[[change]]` of the rulebook; a log names the revision that wrote it."""
    rulebook: Rulebook
    seats: tuple[Seat, ...]
    """Every seat there can be."""
    least: int
    """The fewest seats a game takes."""
    commands: tuple[type[Command[S]], ...]
    facts: tuple[type[FactData], ...]
    setup: tuple[type[Setup[S]], ...]
    steps: tuple[type[Step[S]], ...]
    start: Callable[[Table], S]
    """The empty board for the seats at a table."""
    begin: Callable[[Tale[S]], None]
    """Lays the first steps, after the set-up facts of a position if there is one."""
    sound: Sound[S]
    """Says in sentences what is wrong with a state; nothing for a sound one."""
    settle: Callable[[Tale[S]], None] = lambda _: None
    """Tells what follows at once from an act of the table: from a seat that was given up, from what was corrected."""
    doubts: Callable[[Moment[S], tuple[Setup[S], ...]], Iterable[str]] = lambda _now, _position: ()
    """Says, of a game that has just opened from a position, what it leaves out that people mostly mean, and how it is said."""
    dice: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)
    """The game's own dice, beside the ordinary ones."""
    faces: Mapping[str, Mapping[str, Face]] = field(default_factory=dict)
    """Other words that people have for the faces of a die, each with the face it means."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Choices at the opening (variants), each with its values, the default first."""
    players: Callable[[tuple[Seat, ...], Mapping[str, str]], tuple[tuple[Seat, ...], ...]] = one_seat_each
    """Which seats each player sits at, by the seats in their order and the options in force; nothing: one each (LS-1.6)."""
    forbids_opening: Callable[[Table], Iterable[Refusal]] = lambda _: ()
    """Says why seats, options and answers do not go together, each of which the game has (LS-1.4)."""
    unasked: Callable[[Any, Seat], Iterable[Refusal]] = lambda _, __: ()
    """Says at a moment why the rules ask a seat nothing at all; nothing where it only is not its turn."""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Every name of a kind that fields are marked with (`named`), such as the places; so a slip of the pen is told as one."""
    shown: Callable[[Any], Mapping[str, Iterable[str]]] = lambda _: {}
    """Says of a state, as who looks on sees it, by kind which names tell nothing hidden where a field of that kind holds them."""
    called: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What people call such names besides, of each kind: the words, with the name; where it is a seat's, after the seat."""
    older_facts: Mapping[str, tuple[tuple[str, ...], Hop]] = field(default_factory=dict)
    older_commands: Mapping[str, tuple[tuple[str, ...], Hop]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the game's folder."""
        return self.rulebook.book.game

    @cached_property
    def all_dice(self) -> Mapping[str, tuple[Face, ...]]:
        """Every die of the game with its faces."""
        return {**DICE, **self.dice}

    @cached_property
    def all_commands(self) -> tuple[Any, ...]:
        """The game's commands and those of every table."""
        shared = (*CHANCE_COMMANDS, *table_commands(_union(self.setup)), *DISPUTE_COMMANDS, *CONSENT_COMMANDS)
        return (*self.commands, *shared)

    @cached_property
    def all_facts(self) -> tuple[Any, ...]:
        """The game's facts and those that every game shares, less those it gives a fold of its own."""
        own = (*self.facts, *self.setup)
        told = {_tag(fact) for fact in own}
        return (*own, *(fact for fact in shared_facts(_union(self.steps)) if _tag(fact) not in told))

    @property
    def all_older_facts(self) -> Mapping[str, tuple[tuple[str, ...], Hop]]:
        """The hops from older facts of the game and of every table."""
        return {**OLDER_TABLE_FACTS, **self.older_facts}

    @cached_property
    def codec(self) -> Codec[Any, Any]:
        """Reads and writes entries of this game."""
        return Codec(
            _union(self.all_commands),
            _union(self.all_facts),
            Upcasts(self.all_older_facts, map(_tag, self.all_facts), "Fact"),
            Upcasts(self.older_commands, map(_tag, self.all_commands), "Do"),
        )

    @cached_property
    def by_word(self) -> Mapping[str, type[Setup[S]]]:
        """The set-up facts by the word that heads them in a position file."""
        return {fact.WORD: fact for fact in self.setup}

    def position(self, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[Setup[S], ...]:
        """Return the set-up facts of rows `(word, fields)`; raise `ValueError` that names word, field and what was expected."""
        facts: list[Setup[S]] = []
        for name, fields in rows:
            kind = self.by_word.get(name)
            if kind is None:
                raise ValueError(
                    f"nothing is called {name!r}; what can stand is: {', '.join(sorted(self.by_word))}"
                )
            try:
                facts.append(msgspec.convert({"Fact": _tag(kind), **fields}, type=kind))
            except msgspec.ValidationError as fault:
                raise ValueError(f"{name}: {fault}") from fault
        return tuple(facts)

    def knows(self, ref: SectionRef) -> bool:
        """Return whether a reference names a section, chapter or point of the game, or of the law of the table."""
        return self.rulebook.knows(ref) or TABLE_LAW.knows(ref)


def _tag(kind: Any) -> str:
    """Return the tag of a tagged struct, or of a generic one with its parameters."""
    origin = getattr(kind, "__origin__", kind)
    return str(origin.__struct_config__.tag)
