"""Leaving the sea by the end of phase 5 (QD-11.6, QD-H24): no DragonLord stays there, and nobody without a ship."""

from core.rules import Step
from core.telling import Tale
from events.event import Seat

from .armies import UnitsStruck
from .board import ZONES
from .ending import check_end, king_beaten
from .losses import Losses, pool_of, tell_lost
from .state import Place, War
from .teleport import stranded
from .treasures import hand_over

__all__ = ["STEPS", "LeavingSea", "has_to_leave"]


def _zone_to_leave(war: War, seat: Seat) -> Place:
    """Return a zone with a DragonLord of a seat, or with units that have no place on a ship; empty when there is none."""
    return next(
        (
            zone
            for zone in ZONES
            if (army := war.armies.get(zone)) is not None
            and army.seat == seat
            and (army.dragonlords or stranded(war, seat, zone))
        ),
        "",
    )


def has_to_leave(war: War, seat: Seat) -> bool:
    """Return whether units of a seat are at sea that may not stay there when phase 5 is over."""
    return bool(_zone_to_leave(war, seat))


class LeavingSea(Step[War]):
    """What is still at sea and may not be there is lost: DragonLords without friendly land, units without a ship (QD-X9)."""

    seat: Seat

    def play(self, tale: Tale[War]) -> None:
        """Tell what is lost, zone by zone; a king among them was beaten by nobody (QD-H48)."""
        war, seat = tale.state, self.seat
        if seat in war.fallen:
            king_beaten(tale, seat, "")
            check_end(tale)
            return
        zone = _zone_to_leave(war, seat)
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
            tell_lost(tale, seat, zone, lords, ("QD-11.6", "QD-X9"))
        elif war.fleets.get(zone):
            tale.tell(UnitsStruck(seat, zone, excess, because=("QD-5.1", "QD-H24")))
            tale.then(Losses(seat, zone, "sea"))
        else:
            tell_lost(tale, seat, zone, pool, ("QD-5.1", "QD-H24"))
        if zone not in tale.state.armies:
            hand_over(tale, zone, seat, "")


STEPS = (LeavingSea,)
