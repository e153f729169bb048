"""The fire attack of a DragonLord on a blockade (QD-13): it takes the place of the battle, and nobody answers it (QD-X7)."""

from collections.abc import Iterator

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, Step
from core.telling import Moment, Tale
from events.event import Count, Seat
from events.play import BattleBegan, BattleEnded

from .armies import UnitsMarked, UnitsMoved
from .battle import Pass
from .board import TERRITORIES, ZONES
from .conquest import take_place
from .docks import ShipsSunk, harbour_of
from .ending import check_end, king_beaten
from .in_battle import InBattle, by_kind
from .losses import pool_of, tell_lost
from .movement import show
from .state import ChipId, Place, War, chips_at, is_shaded
from .treasures import TREASURES, hand_over, may_hide_treasure, shown_treasures

__all__ = ["COMMANDS", "FACTS", "STEPS", "BlockadeBurnt", "FireAttack", "Shield", "Shielding", "fire_offers"]

SHIELDS = tuple(name for name, treasure in TREASURES.items() if "dragonfire" in treasure.stops)
"""The treasures that stop a fire attack: Ring of Fire and Dragon Shield (QD-H41)."""


class BlockadeBurnt(Fact[War]):
    """A DragonLord burnt the ships of a blockade; what becomes of those aboard is told after it (QD-13.1)."""

    seat: Seat
    place: Place
    loser: Seat
    count: Count

    def onto(self, state: War) -> War:
        return state

    def whole_battle(self) -> tuple[BattleBegan, BattleEnded]:
        """Return the battle whose place it takes: there are no rounds, and the zone is the attacker's (QD-13.1, QD-H41)."""
        began = BattleBegan(self.place, self.seat, self.loser, "fire")
        return began, BattleEnded(self.place, self.seat, taken=True)


def _victim(war: War, seat: Seat, zone: Place) -> Seat:
    """Return whose blockade a DragonLord of a seat can burn in a zone; empty when there is none (QD-13.3).

    Vanquished units attack nobody (QD-22.1).
    """
    if seat in war.out:
        return ""
    army = war.armies.get(zone)
    lords = sum(column.dragonlords for column in war.columns.get(zone, ()) if column.seat == seat)
    return army.seat if zone in ZONES and army is not None and lords else ""


def _protection(war: War, victim: Seat, zone: Place) -> ChipId:
    """Return the treasure that everybody sees to protect a blockade; a vanquished fleet has none (QD-H41, QD-H47)."""
    if victim in war.out:
        return ""
    return next((name for name in shown_treasures(war, victim, zone) if name in SHIELDS), "")


class FireAttack(InBattle):
    """Burn the enemy blockade of a zone in which a DragonLord of one's own is, in place of the battle (QD-13.1)."""

    WHEN = ("QD-13.1",)
    WHEN_IN = by_kind(
        land=("QD-14.6", "QD-13.1"),
        sneak=("QD-12.5", "QD-13.1"),
        sea=("QD-13.1", "QD-X7"),
    )

    SEALS = False

    place: Place

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse docked ships, a zone without a DragonLord or a blockade, and one that is protected (QD-13, QD-H41)."""
        war = now.state
        if self.place in TERRITORIES:
            yield Refusal(
                "docked_ship",
                ("QD-13.2",),
                f"{self.place} is no sea zone: ships that are docked without a crew are not burnt.",
                {"place": self.place},
            )
            return
        victim = _victim(war, seat, self.place)
        if not victim:
            yield Refusal(
                "no_dragonlord",
                ("QD-13.3", "QD-13.1"),
                f"{seat} has no DragonLord in {self.place} beside an enemy blockade.",
                {"place": self.place},
            )
            return
        shield = _protection(war, victim, self.place)
        if shield:
            yield Refusal(
                "protected",
                (TREASURES[shield].section, "QD-H41"),
                f"{shield} protects the ships of {victim} in {self.place} from dragonfire.",
                {"treasure": shield},
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Ask the victim for a treasure that may lie hidden there, or burn the blockade."""
        tale.become(Shielding(self.place, seat), tale.top)


def fire_offers(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield the offer of a fire attack on each blockade that may be burnt."""
    war = now.state
    places = tuple(
        zone
        for zone in war.columns
        if (victim := _victim(war, seat, zone)) and not _protection(war, victim, zone)
    )
    if places:
        yield Offer(FireAttack, {"place": OneOf(places)})


class Shield(InBattle):
    """Turn up the Ring of Fire or the Dragon Shield in the blockade: there is no fire attack (QD-H41)."""

    WHEN = ("QD-H41",)
    WHEN_IN = by_kind(
        land=("QD-H9", "QD-H41"),
        sneak=("QD-12.5", "QD-H41"),
        sea=("QD-11.3", "QD-H41"),
        quest=("QD-9.1", "QD-H41"),
        monster=("QD-H31", "QD-H41"),
    )

    treasure: ChipId

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what is no such treasure in the blockade (QD-7.4, QD-7.7)."""
        step = now.state.agenda[-1].step
        fit = step.hidden(now, seat)
        if self.treasure not in fit:
            yield Refusal(
                "no_shield_there",
                ("QD-H41", "QD-7.4", "QD-7.7"),
                f"{self.treasure} protects no ship there; {' or '.join(fit) or 'nothing'} would.",
                {"treasure": self.treasure},
                secret=is_shaded(now.state, seat, step.place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that it is shown; the battle is still to be fought."""
        show(tale, seat, self.treasure, (TREASURES[self.treasure].section, "QD-H41"))
        tale.done()


class Shielding(Step[War]):
    """A blockade is about to burn; its owner may turn up a treasure that protects it (QD-H41)."""

    place: Place
    attacker: Seat

    def question(self, now: Moment[War]) -> Question | None:
        war = now.state
        victim = _victim(war, self.attacker, self.place)
        if not victim or victim in war.out or _protection(war, victim, self.place):
            return None
        hidden = (name for name in SHIELDS if (lies := war.chips.get(name)) is None or not lies.shown)
        if not may_hide_treasure(war, victim, self.place) or not any(hidden):
            return None
        prompt = f"show what protects the ships in {self.place} from dragonfire, or pass"
        return Question("shield", (victim,), (Shield, Pass), ("QD-H41",), prompt)

    def hidden(self, now: Moment[War], seat: Seat) -> tuple[ChipId, ...]:
        """Return the treasures that the owner, who knows them, may show."""
        lie = chips_at(now.state, seat, self.place)
        return tuple(name for name in SHIELDS if name in lie)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        fit = self.hidden(now, seat)
        if fit:
            yield Offer(Shield, {"treasure": OneOf(fit)})
        yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to show nothing: silence never turns up a chip (QD-H9)."""
        return Pass()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that its owner shows nothing."""
        victim = _victim(now.state, self.attacker, self.place)
        if victim:
            yield victim, Pass()

    def go_on(self, tale: Tale[War]) -> None:
        """Burn the blockade: nothing was shown."""
        self.play(tale)

    def play(self, tale: Tale[War]) -> None:
        """Burn the blockade, unless a correction has taken it or the DragonLord away, or his king was given up."""
        victim = _victim(tale.state, self.attacker, self.place)
        tale.done()
        if victim:
            burn(tale, self.attacker, victim, self.place)


def burn(tale: Tale[War], seat: Seat, victim: Seat, zone: Place) -> None:
    """Tell that a blockade burns: its ships are lost, and those aboard, unless their own harbour is there (QD-X8).

    The Holy Grail saves nobody (QD-H18). A king who is lost was beaten by the user (QD-H11). The zone is the
    attacker's now, who fights no more in it (QD-H41).
    """
    war = tale.state
    because = ("QD-13.1", "QD-X8")
    ships, army = war.fleets[zone], war.armies[zone]
    tale.tell(BlockadeBurnt(seat, zone, victim, ships, because=because))
    harbour = harbour_of(war, victim, zone)
    if harbour:
        tale.tell(UnitsMoved(victim, zone, harbour, army.units, army.dragonlords, because=because))
    else:
        tell_lost(tale, victim, zone, pool_of(war, victim, zone), because)
        hand_over(tale, zone, victim, "")
    tale.tell(ShipsSunk(victim, zone, ships, because=("QD-13.1", "QD-H44")))
    if victim in tale.state.fallen:
        king_beaten(tale, victim, seat)
    size = sum(column.size for column in tale.state.columns[zone])
    tale.tell(UnitsMarked(zone, spent=size, fought=size, because=("QD-H41",)))
    take_place(tale, seat, zone, victim, ("QD-13.1",))
    check_end(tale)


COMMANDS = (FireAttack, Shield)
FACTS = (BlockadeBurnt,)
STEPS = (Shielding,)
