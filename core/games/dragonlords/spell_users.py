"""Spell users (QD-14): what a side declares at the beginning of a round.

Kings, wizards and treasures work only when they are shown (QD-H9). The Hope of a shown king and the Panic of a
DragonLord are always on; the Hope and Panic of a shown wizard are on unless his owner says that they are not, round by
round (QD-X5). To say nothing shows nothing: silence never turns up a chip.
"""

from collections.abc import Iterator
from typing import Annotated

from msgspec import structs

from core.asking import Offer, Part
from core.refusal import Refusal
from core.rules import Fact, word
from core.telling import Moment, Tale
from events.event import Seat

from .board import ZONES
from .in_battle import InBattle, by_kind
from .movement import bears, show
from .spellbook import (
    here,
    king_of,
    may_hold,
    shown_here,
    shown_wizards,
    wizards_of,
)
from .state import ChipId, Place, War, chips_at, is_shaded, is_treasure
from .strength import Side, attackers, battle_of, defenders, is_vanquished
from .treasures import TREASURES, may_hide_treasure, working

__all__ = ["COMMANDS", "FACTS", "Declare", "Declared", "has_to_declare", "side_of", "tell_declared"]

AURAS = ("hope", "panic")
"""The spells that change the strength of a side."""


def side_of(war: War, seat: Seat) -> Side:
    """Return the side of the battle that a seat fights on."""
    return attackers(war) if battle_of(war).attacker == seat else defenders(war)


class Declared(Fact[War]):
    """What works for a side in this round: Hope, Panic, treasures (QD-H29)."""

    seat: Seat
    magic: tuple[str, ...]

    def onto(self, state: War) -> War:
        battle = battle_of(state)
        new = (f"{self.seat}:{name}" for name in self.magic)
        return structs.replace(state, battle=structs.replace(battle, cast=(*battle.cast, *new)))


def _always(war: War, side: Side) -> tuple[str, ...]:
    """Return the spells that are on whatever the owner says: Hope of a shown king, Panic of a DragonLord (QD-X5)."""
    hope = ("hope",) if shown_here(war, king_of(side.seat), side.place) else ()
    return (*hope, "panic") if side.dragonlords else hope


def _by_wizards(war: War, side: Side) -> tuple[str, ...]:
    return tuple([spell for spell in AURAS if shown_wizards(war, side.seat, side.place, spell)])


def _one_of_them(now: Moment[War]) -> bool:
    return now.answer("QD-X37") == "one_of_them_per_side"


def withholdable(now: Moment[War], side: Side) -> tuple[str, ...]:
    """Return the spells that a side may leave out this round (QD-X5, QD-X37)."""
    always, wizards = _always(now.state, side), _by_wizards(now.state, side)
    if not always and not wizards:
        return ()
    if _one_of_them(now) and {*always, *wizards} == {*AURAS}:
        return AURAS
    if now.answer("QD-X5") == "always_on":
        return ()
    return tuple(spell for spell in wizards if spell not in always)


def has_to_declare(now: Moment[War], side: Side) -> bool:
    """Return whether a side has something to say at the beginning of a round, as far as everybody knows.

    It has if a king, a wizard with Hope or Panic, or a treasure may lie hidden there, or if it may leave a spell out.
    """
    war, seat, place = now.state, side.seat, side.place
    if is_vanquished(now, seat):
        return False
    if withholdable(now, side):
        return True
    if not is_shaded(war, seat, place):
        return False  # whatever lies there is shown
    if may_hide_treasure(war, seat, place):
        return True
    useful = [king_of(seat), *(name for name in wizards_of(war, seat) if _has_aura(war, name))]
    return any(may_hold(war, seat, place, name) and not shown_here(war, name, place) for name in useful)


def _has_aura(war: War, wizard: ChipId) -> bool:
    return not set(AURAS).isdisjoint(war.spells[wizard])


def _is_useful(war: War, chip: ChipId, place: Place) -> bool:
    """Return whether showing a chip at the beginning of a round changes anything in it."""
    if is_treasure(chip):
        return place in ZONES or not TREASURES[chip].at_sea
    return chip.endswith(".king") or (bears(chip) and chip in war.spells and _has_aura(war, chip))


def _to_show(war: War, side: Side) -> tuple[ChipId, ...]:
    """Return the chips that the owner, who knows them, may show."""
    lie = chips_at(war, side.seat, side.place)
    return tuple(name for name, chip in lie.items() if not chip.shown and _is_useful(war, name, side.place))


def magic_of(now: Moment[War], side: Side, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return what works for a side this round when it leaves these spells out."""
    if is_vanquished(now, side.seat):
        return ()
    war = now.state
    known = (*_always(war, side), *_by_wizards(war, side))
    left_out = set(without).intersection(withholdable(now, side)) if without else ()
    spells = [spell for spell in AURAS if spell in known and spell not in left_out]
    if _one_of_them(now):
        spells = spells[:1]
    return (*spells, *working(war, side.seat, side.place))


def tell_declared(tale: Tale[War], side: Side, without: tuple[str, ...] = ()) -> None:
    """Tell what works for a side in this round; nothing when nothing does."""
    magic = magic_of(tale, side, without)
    if magic:
        tale.tell(Declared(side.seat, magic, because=("QD-H29", "QD-10.4")))


class Declare(InBattle):
    """Say what works this round: chips that are turned up now, and spells of shown wizards that are not used.

    Said nothing, no chip is turned up, and all that is shown works (QD-X5, QD-H9).
    """

    WHEN = ("QD-10.4",)
    WHEN_IN = by_kind(
        sneak=("QD-12.5", "QD-10.4"),
        sea=("QD-11.2", "QD-10.4"),
        quest=("QD-9.1", "QD-10.4"),
        monster=("QD-H31", "QD-10.4"),
    )

    shows: tuple[ChipId, ...] = ()
    without: Annotated[tuple[str, ...], word("without")] = ()

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse chips that do not lie hidden there or change nothing, and spells that can't be left out."""
        war = now.state
        side = side_of(war, seat)
        can = _to_show(war, side)
        for chip in dict.fromkeys(self.shows):
            if not here(war, chip, seat, side.place) or war.chips[chip].shown or self.shows.count(chip) > 1:
                yield Refusal(
                    "not_hidden_there",
                    ("QD-H9",),
                    f"{chip} does not lie face down in {side.place}; {seat} may show {', '.join(can) or 'nothing'} there.",
                    {"chip": chip, "place": side.place},
                    secret=is_shaded(war, seat, side.place),
                )
            elif chip not in can:
                yield Refusal(
                    "nothing_to_declare",
                    ("QD-H9", "QD-10.4"),
                    f"{chip} changes nothing at the beginning of a round, so it stays hidden.",
                    {"chip": chip},
                    waivable=True,
                    secret=is_shaded(war, seat, side.place),
                )
        may = withholdable(now, side)
        for spell in dict.fromkeys(self.without):
            if spell not in may or self.without.count(spell) > 1:
                yield Refusal(
                    "not_withheld",
                    ("QD-X5", "QD-10.4"),
                    f"{seat} can't leave out {spell}: what it may leave out this round is {', '.join(may) or 'nothing'}.",
                    {"spell": spell},
                    waivable=True,
                )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the chips that are shown, then what works; the round goes on."""
        side = side_of(tale.state, seat)
        without = tuple(spell for spell in self.without if spell in withholdable(tale, side))
        for chip in self.shows:
            show(tale, seat, chip, ("QD-H9",))
        tell_declared(tale, side, without)
        tale.top.go_on(tale)


def offers_to_declare(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offer to declare, from what the seat itself knows."""
    side = side_of(now.state, seat)
    can, may = _to_show(now.state, side), withholdable(now, side)
    yield Offer(Declare, {"shows": Part(can, 0, len(can)), "without": Part(may, 0, len(may))})


COMMANDS = (Declare,)
FACTS = (Declared,)
