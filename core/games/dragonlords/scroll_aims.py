"""What a scroll can be read for in a place: who reads it there, whom it strikes, and what it brings (QD-16.1 to QD-16.9)."""

from collections.abc import Iterator
from typing import Final

from core.refusal import Refusal
from core.telling import Moment
from events.event import Seat

from .board import SPACE_OF, SPACES, TERRITORIES, ZONES
from .boarding import crew_of
from .learning import lords_left
from .parties import MeetsDragon, road_of, room_for
from .scroll_book import kind_of, readers
from .spellbook import king_of
from .state import MOST_ABOARD, Place, War, column_size, is_shaded
from .variants import is_allied

__all__ = [
    "MOST_RAISED",
    "able_to_read",
    "berth_of",
    "charm_forbidden",
    "charmers",
    "enemies_in",
    "hands_to_see",
    "may_hide_readers",
    "room_for_legion",
]

MOST_RAISED: Final = 5
"""How many units a Legion brings (QD-16.7)."""


def able_to_read(war: War, seat: Seat, scroll: str, place: Place) -> tuple[str, ...]:
    """Return who can read a scroll against or in a place: in battle only who stands in it (QD-16.1, QD-16.2, QD-H49)."""
    fought_for = war.battle.place if war.battle is not None else ""
    if kind_of(scroll) == "summon_elemental":
        king = war.chips.get(king_of(seat))
        return (king_of(seat),) if king is not None and fought_for in ("", king.place) else ()
    return readers(war, seat, place) if fought_for in ("", place) else ()


def may_hide_readers(war: War, seat: Seat, kind: str, place: Place) -> bool:
    """Return whether a king or wizard who could read there may lie face down, as everybody knows: a king anywhere."""
    if kind != "summon_elemental":
        return is_shaded(war, seat, place)
    king = war.chips.get(king_of(seat))
    return king is None or not king.shown


def enemies_in(war: War, seat: Seat, place: Place) -> tuple[Seat, ...]:
    """Return whose units in a place a seat may strike: the holder of the place first, then who attacks it; never allies."""
    army = war.armies.get(place)
    there = [army.seat] if army is not None else []
    there += [column.seat for column in war.columns.get(place, ())]
    return tuple(dict.fromkeys(other for other in there if other != seat and not is_allied(war, seat, other)))


def room_for_legion(now: Moment[War], seat: Seat, place: Place) -> int:
    """Return how many units a Legion can bring to a place: six fit in a Wasteland space, eight aboard a ship (QD-H12)."""
    war = now.state
    if place in SPACE_OF:
        return min(MOST_RAISED, room_for(now, seat, place) - column_size(war, seat, place))
    if place not in ZONES:
        return MOST_RAISED
    crew = crew_of(war, seat, place)
    return min(MOST_RAISED, MOST_ABOARD * crew.ships - crew.size) if crew.size else 0


def berth_of(war: War, seat: Seat, place: Place) -> Place:
    """Return where a ship lies that is gained in a place: in its harbour, or in the zone of its village (QD-16.6)."""
    if place in SPACE_OF:
        if SPACES[SPACE_OF[place]].kind != "village":
            return ""
        return next(zone.id for zone in ZONES.values() if zone.village == road_of(place))
    army = war.armies.get(place)
    mine = army is not None and army.seat == seat
    return place if mine and place in TERRITORIES and TERRITORIES[place].harbour_zone else ""


def hands_to_see(war: War, seat: Seat) -> tuple[Seat, ...]:
    """Return whose scrolls Clairvoyance can show a seat: those of other players who hold any."""
    return tuple(
        other
        for other in war.seats
        if other != seat
        and other not in war.out
        and war.held.get(other, 0)
        and not is_allied(war, seat, other)
    )


def charmers(now: Moment[War], seat: Seat, place: Place) -> tuple[str, ...]:
    """Return the wizards who meet a dragon in a place now, from what the reader of this state knows (QD-16.8, QD-H37)."""
    step = now.state.agenda[-1].step
    if not (isinstance(step, MeetsDragon) and step.place == place and step.meets_dragon(now)):
        return ()
    war = now.state
    wizards = (name for name in readers(war, seat, place) if name in war.spells)
    return tuple(name for name in wizards if not war.chips[name].on_dragonlord)


def charm_forbidden(now: Moment[War], seat: Seat, place: Place, user: str) -> Iterator[Refusal]:
    """Refuse Charm where no wizard meets a dragon, and when no DragonLord is left (QD-16.8, QD-H37, QD-H6)."""
    able = charmers(now, seat, place)
    if not able or user not in ("", *able):
        yield Refusal(
            "no_dragon",
            ("QD-16.8", "QD-H37"),
            f"Charm is read by a wizard who meets a dragon on a quest or in the lair; in {place} that is "
            f"{' or '.join(able) or 'nobody'}.",
            {"place": place},
            secret=is_shaded(now.state, seat, place),
        )
    if lords_left(now) < 1:
        yield Refusal("no_dragonlord_left", ("QD-16.8", "QD-H6"), "No DragonLord is left to be gained.")
