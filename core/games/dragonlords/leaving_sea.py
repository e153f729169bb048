"""Leaving the sea and the Wastelands by the end of phase 5 (QD-6.13, QD-11.6, QD-H24).

No DragonLord stays there, and at sea nobody without a ship.
"""

from core.rules import Step
from core.telling import Tale
from events.event import Seat

from .armies import UnitsStruck
from .board import SPACE_OF, TERRITORIES
from .ending import check_end, king_beaten
from .items import leave_behind
from .losses import Losses, pool_of, tell_lost
from .reach import stranded
from .state import Place, War
from .treasures import hand_over

__all__ = ["STEPS", "LeavingSea", "has_to_leave"]


def _place_to_leave(war: War, seat: Seat) -> Place:
    """Return a zone or space with a DragonLord of a seat, or a zone with units that have no place on a ship; or nothing."""
    return next(
        (
            place
            for place, army in sorted(war.armies.items())
            if army.seat == seat
            and place not in TERRITORIES
            and (army.dragonlords or (place not in SPACE_OF and stranded(war, seat, place)))
        ),
        "",
    )


def has_to_leave(war: War, seat: Seat) -> bool:
    """Return whether units of a seat are at sea or in the Wastelands that may not stay there when phase 5 is over."""
    return bool(_place_to_leave(war, seat))


class LeavingSea(Step[War]):
    """What may not stay where it is, is lost: DragonLords without friendly land, units without a ship (QD-X9, QD-6.13)."""

    seat: Seat

    def play(self, tale: Tale[War]) -> None:
        """Tell what is lost, place by place; a king among them was beaten by nobody (QD-H48)."""
        war, seat = tale.state, self.seat
        if seat in war.fallen:
            king_beaten(tale, seat, "")
            check_end(tale)
            return
        zone = _place_to_leave(war, seat)
        if not zone:
            tale.done()
            return
        pool, excess = pool_of(war, seat, zone), stranded(war, seat, zone)
        lords = {
            kind: count
            for kind, count in pool.items()
            if kind == "dragonlord" or (kind in war.chips and war.chips[kind].on_dragonlord)
        }
        if lords:
            because = ("QD-6.13", "QD-X71") if zone in SPACE_OF else ("QD-11.6", "QD-X9")
            tell_lost(tale, seat, zone, lords, because)
        elif war.fleets.get(zone):
            tale.tell(UnitsStruck(seat, zone, excess, because=("QD-5.1", "QD-H24")))
            tale.then(Losses(seat, zone, "sea"))
        else:
            tell_lost(tale, seat, zone, pool, ("QD-5.1", "QD-H24"))
        if zone not in tale.state.armies:
            hand_over(tale, zone, seat, "")
            leave_behind(tale, seat, zone)


STEPS = (LeavingSea,)
