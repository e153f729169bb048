"""Land combat (QD-10): phase 4 and its commands. The round of a battle is in `battle.py`, its end in `conquest.py`."""

from collections.abc import Iterator

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step
from core.telling import Moment, Tale
from events.event import Seat

from .battle import BattleBegan, Round
from .board import NEIGHBOURS, TELEPORTALS, TERRITORIES, ZONES
from .conquest import conclude, take_place
from .ending import check_end, claimed
from .fire_attack import FireAttack, fire_offers
from .forced_march import ForcedMarch, march_offers
from .forces import Through, army_force, bearings, sizes
from .holdings import origins
from .land import Land, land_of
from .movement import move, show
from .moving_in import MovesIn, army_of, is_sneaking
from .phases import EndPhase, Phase
from .sneak_attack import Returning, SneakAttack, offers_to_sneak
from .spellbook import here, king_of, wizards_here
from .state import DRAGONLORD, Place, War, column_size, is_shaded

__all__ = ["COMMANDS", "STEPS", "Attack", "Combat", "Fight", "Storming"]


def gatekeepers(war: War, seat: Seat, place: Place) -> tuple[str, ...]:
    """Return the spell users who can open a teleportal, from what their owner knows; a DragonLord first (QD-H25)."""
    lords = (DRAGONLORD,) if army_of(war, seat, place).dragonlords else ()
    wizards = wizards_here(war, seat, place)
    king = king_of(seat)
    kings = (king,) if here(war, king, seat, place) else ()
    return (*lords, *sorted((*wizards, *kings), key=lambda name: not war.chips[name].shown))


def way_between(origin: Place, target: Place) -> str:
    """Return how units get from one territory to another: walk, teleportal, or nothing when they can't (QD-2.6, QD-2.9)."""
    if target in NEIGHBOURS.get(origin, ()):
        return "walk"
    return "teleportal" if target in TELEPORTALS.get(origin, ()) else ""


class Attack(MovesIn):
    """Move units into an adjacent territory: into battle where an enemy holds it, to claim it where nobody does (QD-10.2).

    `leading` are the kings and wizards that go along, `carrying` the treasures, and the decoy. Through a teleportal a
    spell user in the territory that is left is shown; `gatekeeper` says which (QD-H25).
    """

    WHEN = ("QD-10.1", "QD-4.1")

    gatekeeper: Through = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place that is no enemy's or empty, too far, without one left behind, or amid a sneak attack."""
        war = now.state
        way = way_between(self.origin, self.target)
        if not way:
            yield Refusal(
                "not_adjacent",
                ("QD-10.2", "QD-2.9"),
                f"{self.target} is not adjacent to {self.origin}; what is: {', '.join(NEIGHBOURS.get(self.origin, ())) or 'nothing'}.",
                {"origin": self.origin, "target": self.target},
                waivable=self.target in TERRITORIES,
            )
        keepers = gatekeepers(war, seat, self.origin)
        misnamed = self.gatekeeper and (way != "teleportal" or self.gatekeeper not in keepers)
        if misnamed or (way == "teleportal" and not keepers):
            yield Refusal(
                "no_gatekeeper",
                ("QD-2.6", "QD-H25"),
                f"A teleportal opens for a spell user in {self.origin}; there is {', '.join(keepers) or 'none'}.",
                {"origin": self.origin},
                waivable=not misnamed,
                secret=is_shaded(war, seat, self.origin),
            )
        if any(map(is_sneaking, war.columns.get(self.target, ()))):
            yield Refusal(
                "sneak_attack_first",
                ("QD-12.5", "QD-H50"),
                f"The sneak attack on {self.target} comes first; it is not mixed with an ordinary one.",
                {"target": self.target},
            )
        yield from self.forbids_moving_in(now, seat, army_force(war, seat, self.origin))

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the units move in; an empty territory is theirs at once."""
        war = tale.state
        way = way_between(self.origin, self.target) or "walk"
        if way == "teleportal":
            keepers = gatekeepers(war, seat, self.origin)
            keeper = self.gatekeeper or next(iter(keepers), "")
            if keeper in war.chips:
                show(tale, seat, keeper, ("QD-2.6", "QD-H25"))
        enemy = war.armies.get(self.target)
        move(
            tale,
            seat,
            self.origin,
            self.target,
            self.units,
            self.dragonlords,
            chips=(*self.led(war, seat), *self.carrying),
            how="" if enemy is None else way,
            because=("QD-10.2",) if way == "walk" else ("QD-10.2", "QD-2.6"),
        )
        if enemy is None:
            claimed(tale, seat, self.target)
        tale.reopen()


class Fight(Command[War]):
    """Fight for a place that was moved into; left out, the first that is open (QD-10.1, QD-H26)."""

    WHEN = ("QD-10.1", "QD-4.1")

    SEALS = False

    place: Place = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a place where no battle is open (QD-10.1)."""
        war = now.state
        if not self.place and not war.columns:
            yield Refusal("no_battle_open", ("QD-10.1",), f"{seat} has moved into no enemy place.")
        elif self.place and not column_size(war, seat, self.place):
            battles = " and ".join(war.columns) or "none"
            yield Refusal(
                "no_battle_open",
                ("QD-10.1",),
                f"{seat} has no attackers in {self.place}; open battles: {battles}.",
                {"place": self.place},
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Begin the battle; a place whose defenders are gone is simply taken (QD-H26)."""
        war = tale.state
        place = self.place or next(iter(war.columns))
        enemy = war.armies.get(place)
        if enemy is None or enemy.seat == seat:
            take_place(tale, seat, place, "", ("QD-H26",))
            check_end(tale)
            tale.reopen()
            return
        sneaks = any(map(is_sneaking, war.columns[place]))
        kind, section = ("sneak", "QD-12.2") if sneaks else ("land", "QD-10.1")
        if place in ZONES:
            kind, section = "sea", "QD-11.1"
        tale.tell(BattleBegan(place, seat, enemy.seat, kind, because=(section,)))
        tale.become(Round(), Returning() if sneaks else Storming(), tale.top)


class Storming(Step[War]):
    """What a battle leads to, on land or at sea: the place is taken, held, or empty (QD-10.2, QD-10.9, QD-11.5, QD-H13)."""

    def play(self, tale: Tale[War]) -> None:
        """Tell who holds the place and what goes to him, then that the battle is over."""
        conclude(tale)
        check_end(tale)
        tale.done()


class Combat(Phase):
    """Phase 4: attack, fight or burn what is open, march, until the seat ends the phase (QD-10.1, QD-H26)."""

    def question(self, now: Moment[War]) -> Question | None:
        if not self.is_on(now, "combat"):
            return None
        prompt = "attack, fight what is open, or end the phase"
        return self.asks("combat", *ANSWERS, prompt=prompt, because="QD-10.1")

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        war = now.state
        land = land_of(war, seat)
        sneaked = frozenset(
            [place for place, columns in war.columns.items() if any(map(is_sneaking, columns))]
        )
        for origin in origins(war, seat):
            yield from _offers_to_attack(war, seat, origin, land, sneaked)
        yield from offers_to_sneak(now, seat)
        yield from march_offers(now, seat)
        yield from fire_offers(now, seat)
        if war.columns:
            yield Offer(Fight, {"place": OneOf(("", *war.columns))})
        else:
            yield Offer(EndPhase)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return to fight for what was moved into, or else to end the phase."""
        return Fight() if now.state.columns else EndPhase()


def _offers_to_attack(
    war: War, seat: Seat, origin: Place, land: Land, sneaked: frozenset[Place]
) -> Iterator[Offer]:
    """Yield the offers to attack from a territory what is an enemy's or nobody's, but where a sneak attack is going on."""
    targets, through = land.borders(origin), land.beyond(origin)
    if sneaked:
        targets = tuple([place for place in targets if place not in sneaked])
        through = tuple([place for place in through if place not in sneaked])
    keepers = gatekeepers(war, seat, origin) if through else ()
    if not targets and not keepers:
        return
    carrying = bearings(war, seat, origin)
    walking = {"target": OneOf(targets), "origin": origin, "carrying": carrying}
    leaping = {**walking, "target": OneOf(through), "gatekeeper": OneOf(("", *keepers))}
    for size in sizes(army_force(war, seat, origin)):
        if targets:
            yield Offer(Attack, {**walking, **size})
        if keepers:
            yield Offer(Attack, {**leaping, **size})


ANSWERS: tuple[type[Command[War]], ...] = (Attack, SneakAttack, Fight, FireAttack, ForcedMarch, EndPhase)
"""What may be said in phase 4."""
COMMANDS = (Attack, Fight)
STEPS = (Combat, Storming)
