"""Who names no chip is answered by what everybody sees: whatever lies under a stack, the same line gets the same answer (LS-2.7).

A law over games that differ in nothing but which chips lie under which of two stacks of a seat. At the prompt that all see,
by `why` and the Tab key, and in the lines of the log, every command that names no chip is answered alike in all of them,
played or refused, unless what follows turns a chip up before all eyes (QD-1.4, QD-H9, QD-H42).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from core.deciding import asks
from core.games.dragonlords import RULES
from core.games.dragonlords.position import (
    ChipSet,
    HoardSet,
    ItemsSet,
    ShadeSet,
    ShipsSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from replay.cli.moves import said
from replay.outcomes import Accepted
from replay.session import Session
from replay.words.wording import command_words
from tests.games.dragonlords.test_shared_prompt import Screen, _unstamped
from tests.games.dragonlords.twins import masked
from tests.laws.worlds import words_of
from tests.replay.engine import Memory

KINDS = ("king", "wizard.1", "wizard.2", "blank", "excalibur")
UNDER: tuple[tuple[str, ...], ...] = (
    ("blank",),
    (),
    ("king",),
    ("wizard.1",),
    ("excalibur",),
    ("king", "wizard.1"),
    ("king", "wizard.1", "wizard.2"),
    ("blank", "excalibur", "wizard.2"),
)
"""What lies under the stack, and the rest under another at home. With the first of them all others are compared."""
QUICK = 12
"""How many lines of a moment are typed in every run; full stress types all."""


@dataclass(frozen=True)
class Spot:
    """A moment: where the stack stands that may hide chips, what stands on the board, and the lines that lead there."""

    name: str
    stack: str
    turn: TurnSet
    stands: tuple[Any, ...]
    lead: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    seat: str = "dwarf"
    rides: bool = False
    """Whether the first wizard is a DragonLord where he lies under the stack."""
    under: tuple[tuple[str, ...], ...] = UNDER

    @property
    def home(self) -> str:
        """Where the other chips lie."""
        return "FM_k" if self.seat == "dwarf" else "SV_k"


def _stand(seat: str, **places: int) -> tuple[UnitsSet, ...]:
    return tuple(UnitsSet(seat, place, count) for place, count in places.items())


_HOMES = (*_stand("dwarf", FM_k=9), *_stand("elf", SV_k=9), *_stand("orc", OR_k=4))
_COMBAT, _TRANSFER, _SEA, _QUEST = (
    TurnSet("dwarf", phase) for phase in ("combat", "transfer", "sea", "quest")
)
_KINGLESS = tuple(chips for chips in UNDER if "king" not in chips)
_FLEET = (*_HOMES, *_stand("dwarf", D1=3), ShipsSet("D1", 1))
SPOTS = (
    Spot(
        "a fleet of one ship", "D1", _SEA, _FLEET,
        lines=("sail D2 from D1 with 3", "sail D2, D3 from D1 with 6", "land IH_ne with 3", "land SV_se with 6"),
    ),
    Spot("a fleet of two ships", "D1", _SEA, (*_HOMES, *_stand("dwarf", D1=5), ShipsSet("D1", 2))),
    Spot("a fleet beside an enemy's", "D1", _SEA, (*_FLEET, *_stand("elf", D2=2, IH_ne=2), ShipsSet("D2", 1))),
    Spot("a harbour", "IH_ne", _SEA, (*_HOMES, *_stand("dwarf", IH_ne=3), ShipsSet("IH_ne", 2))),
    Spot("an island", "I4", _SEA, (*_HOMES, *_stand("dwarf", I4=3), ShipsSet("I4", 1))),
    Spot("an army", "IH_se", _COMBAT, (*_HOMES, *_stand("dwarf", IH_se=4), *_stand("elf", M2=2))),
    Spot("a small army", "IH_se", _COMBAT, (*_HOMES, *_stand("dwarf", IH_se=3), *_stand("elf", M2=2))),
    Spot("an army by a teleportal", "T2", _COMBAT, (*_HOMES, *_stand("dwarf", T2=4, T1=1), *_stand("elf", T3=2))),
    Spot("a transfer", "IH_se", _TRANSFER, (*_HOMES, *_stand("dwarf", IH_se=3, IH_k=1))),
    Spot(
        "a transfer on", "IH_se", _TRANSFER, (*_HOMES, *_stand("dwarf", IH_se=3, IH_k=4)),
        lead=("dwarf: transfer to IH_se from IH_k with 2",),
    ),
    Spot("a landing in transfer", "D1", _TRANSFER, (*_FLEET, *_stand("dwarf", IH_ne=2))),
    Spot(
        "a sneak attack", "SV_ne", TurnSet("elf", "combat"), (*_HOMES, *_stand("elf", SV_ne=4, SV_n=2), *_stand("dwarf", M2=3)),
        seat="elf",
    ),
    Spot(
        "Elves who go back", "SV_ne", TurnSet("elf", "combat"),
        (*_HOMES, *_stand("elf", SV_ne=4, SV_se=2), *_stand("dwarf", G4=9, IH_k=1)), seat="elf",
        lead=("elf: sneak attack G4 from SV_ne with 3", "elf: fight G4"),
    ),
    Spot("a party that is formed", "FM_n", _QUEST, (*_HOMES, *_stand("dwarf", FM_n=4), ItemsSet("dwarf", {"torch": 1}))),
    Spot("a party from a ship", "N3", _QUEST, (*_HOMES, *_stand("dwarf", N3=4), ShipsSet("N3", 1)), under=_KINGLESS),
    Spot("a party on its way", "WT02", _QUEST, (*_HOMES, *_stand("dwarf", WT02=4)), under=_KINGLESS),
    Spot("DragonLords", "IH_se", _SEA, (*_HOMES, UnitsSet("dwarf", "IH_se", 3, 2), *_stand("elf", M2=2)), rides=True),
    Spot("a DragonLord", "IH_se", _SEA, (*_HOMES, UnitsSet("dwarf", "IH_se", 3, 1), *_stand("dwarf", IH_k=1)), rides=True),
    Spot("a DragonLord in transfer", "IH_se", _TRANSFER, (*_HOMES, UnitsSet("dwarf", "IH_se", 3, 1), *_stand("dwarf", IH_k=1)), rides=True),
    Spot(
        "DragonLords in transfer", "IH_se", _TRANSFER, (*_HOMES, UnitsSet("dwarf", "IH_se", 3, 1), UnitsSet("dwarf", "IH_k", 2, 1)),
        lead=("dwarf: transfer to IH_se from IH_k with 0 dragonlords 1",), rides=True,
    ),
    Spot("a DragonLord in combat", "IH_se", _COMBAT, (*_HOMES, UnitsSet("dwarf", "IH_se", 2, 1), *_stand("elf", M2=2)), rides=True),
    Spot(
        "the losses of an attack", "IH_se", _COMBAT, (*_HOMES, *_stand("dwarf", IH_se=3), *_stand("elf", M2=4)),
        seat="dwarf", lead=("dwarf: attack M2 from IH_se with 2", "dwarf: fight M2", "dice: 6 6", "dice: 1 6 6 6"),
    ),
    Spot(
        "the losses of a defence", "M2", TurnSet("elf", "combat"), (*_HOMES, *_stand("dwarf", M2=4), *_stand("elf", SV_ne=6)),
        lead=("elf: attack M2 from SV_ne with 5", "elf: fight M2", "dice: 1 2 3 6 6", "dice: 6 6 6 6"),
    ),
    Spot(
        "losses with a DragonLord", "M2", TurnSet("elf", "combat"), (*_HOMES, UnitsSet("dwarf", "M2", 3, 1), *_stand("elf", SV_ne=6)),
        lead=("elf: attack M2 from SV_ne with 5", "elf: fight M2", "dice: 1 2 3 6 6", "dice: 6 6 6 6"), rides=True,
    ),
)  # fmt: skip


def sessions(spot: Spot) -> Iterator[Session]:
    """Yield the games that differ in what lies under the stack, with the lines played that lead to the moment."""
    for under in spot.under:
        chips = [
            ChipSet(
                spot.seat, kind if kind == "excalibur" else f"{spot.seat}.{kind}",
                spot.stack if kind in under else spot.home,
                on_dragonlord=spot.rides and kind == "wizard.1" and kind in under,
            )
            for kind in KINDS
        ]  # fmt: skip
        public = (
            spot.turn, *spot.stands, HoardSet(spot.seat, 1), ShadeSet(spot.seat, spot.stack), ShadeSet(spot.seat, spot.home),
            SpellsSet(f"{spot.seat}.wizard.1", ("heal", "fireball")), SpellsSet(f"{spot.seat}.wizard.2", ("hope",)),
        )  # fmt: skip
        session = Session.create(
            Memory(), RULES, game="worlds", seats=("dwarf", "elf", "orc"), position=(*chips, *public),
            clock=lambda: "2026-01-01T00:00:00.000Z",
        )  # fmt: skip
        for line in spot.lead:
            _play(session, line)
        yield session


def _play(session: Session, line: str) -> None:
    """Play a line, after the passes of who would have to answer before it."""
    outcome = None
    for _ in range(9):
        outcome = session.submit(*said(session, line))
        if isinstance(outcome, Accepted):
            return
        (ask,) = [
            ask for seat in session.now.table.seats for ask in session.asks(seat) if ask.silence is not None
        ]
        session.submit(ask.seat, ask.silence)
    raise ValueError(f"{line}: {outcome}")


def lines_of(spot: Spot, session: Session) -> Iterator[str]:
    """Yield lines that name no chip: what who looks on would take for lawful answers, and near them."""
    now = session.view(None)
    least, most, any_of = (lambda _: 0), (lambda count: count - 1), Random(1).randrange
    named = {f"{seat}.{kind}" for seat in RULES.seats for kind in KINDS} | {"excalibur"}
    for seat in now.table.seats:
        for ask in asks(now, seat):
            for offer in ask.offers:
                for choose in (least, most, any_of):
                    command: Any = offer.sample(choose)
                    if named.isdisjoint(words_of(command)):
                        yield command_words(RULES, seat, command)


def compare(spot: Spot, most: int) -> int:
    """Type so many lines at the prompts of all games of a moment; return how many of them were played in all."""
    games = list(sessions(spot))
    lines = list(dict.fromkeys(lines_of(spot, games[0])))
    if len(lines) > most:
        lines = Random(1).sample(lines, most)
    played = 0
    for line in (*(f"{spot.seat}: {line}" for line in spot.lines), *lines):
        first, *others = [_answers(session, line) for session in games]
        for under, other in zip(spot.under[1:], others, strict=True):
            assert other == first or "shows" in (other[0], first[0]), (
                f"{spot.name}: {line!r} with {spot.under[0]}: {first}; with {under}: {other}"
            )
        played += first[0] == "plays"
    return played


def _answers(session: Session, line: str) -> tuple[str, ...]:
    """Return whether a line is played, what is printed, what `why` and Tab say to it, and the line of the log as others read it."""
    screen = Screen(session)
    before = " ".join(line.split()[:-1])
    told = (repr(screen.offered(f"{before} ")), str(screen.after(f"why {line}")), str(screen.after(line)))
    if not screen.moved:
        return ("refused", *told)
    last = screen.session.history.entry_for(None, screen.session.head.id)
    facts = [fact for entry in screen.session.entries[screen.head.id :] for fact in entry.facts]
    shows = any(getattr(fact, "REVEALS", False) for fact in facts)
    return ("shows" if shows else "plays", *told, str(_unstamped(masked(RULES.codec.encode(last)))))


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.name)
def test_who_names_no_chip_is_answered_by_what_everybody_sees(
    spot: Spot, rounds: Callable[[int], int]
) -> None:
    """Played or refused, in the same words, whatever chips lie under the stack (LS-2.7, QD-1.4, QD-H42)."""
    assert compare(spot, 1_000 if rounds(10) == 10 else QUICK) > 0
