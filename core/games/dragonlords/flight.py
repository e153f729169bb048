"""Leaving a battle by Teleport: a defender who flees (QD-10.7), an attacker who withdraws at the end of a round (QD-10.9)."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Final

from msgspec import structs

from core.asking import Offer, OneOf, Part
from core.refusal import Refusal
from core.rules import Fact, word
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Seat, SectionRef

from .armies import UnitsMoved
from .board import SPACE_OF, TERRITORIES, ZONES, is_place
from .chips import ChipsMoved
from .docks import room_aboard, settle_ships
from .forces import tire
from .in_battle import InBattle, by_kind
from .movement import bears, show
from .parties import room_for
from .spell_users import side_of
from .spellbook import may_know, wizards_here, wizards_of
from .state import DRAGONLORD, ChipId, Place, User, War, chips_at, is_shaded, shade, units_of
from .strength import Side, attackers, battle_of, defenders, is_vanquished

__all__ = [
    "ANSWERING",
    "FACTS",
    "FREE",
    "Flee",
    "SpellUserLeft",
    "Withdraw",
    "columns_of",
    "has_to_flee",
    "may_withdraw",
    "offers_to_flee",
    "offers_to_withdraw",
]

ANSWERING: Final = ("flight", "defender_casts", "defender_rolls")
"""The stages of a round in which the defender answers the attack that has been rolled (QD-10.6)."""
FREE: Final = ("walk", "ship")
"""The ways into a battle that leave a way out; the others fight to the end (QD-17.1, QD-X44)."""


class SpellUserLeft(Fact[War]):
    """A spell user left a battle by Teleport; `user` is his chip, or `dragonlord` (QD-10.7, QD-10.9)."""

    seat: Seat
    user: str
    place: Place

    def onto(self, state: War) -> War:
        battle = battle_of(state)
        fled = battle.fled + (self.seat == battle.defender)
        return structs.replace(state, battle=structs.replace(battle, fled=fled))


def havens(now: Moment[War], side: Side, *, wizard: bool) -> tuple[Place, ...]:
    """Return where a spell user may teleport to alone: friendly territories; a wizard also to friendly Wasteland
    spaces and blockades that have room (QD-10.7, QD-X83, QD-H12).
    """
    return tuple(
        place
        for place, army in now.state.armies.items()
        if army.seat == side.seat and place != side.place and _has_room(now, side.seat, place, wizard=wizard)
    )


def _has_room(now: Moment[War], seat: Seat, place: Place, *, wizard: bool) -> bool:
    if place in TERRITORIES:
        return TERRITORIES[place].kind != "island" or now.answer("QD-X79") == "allowed"
    if not wizard:
        return False
    return (room_for(now, seat, place) if place in SPACE_OF else room_aboard(now.state, place)) > 0


def _may_leave(now: Moment[War], side: Side) -> bool:
    """Return whether somebody of a side may be able to teleport away, as far as everybody knows."""
    lords = bool(side.dragonlords and havens(now, side, wizard=False))
    return lords or (
        may_know(now.state, side.seat, side.place, "teleport") and bool(havens(now, side, wizard=True))
    )


def has_to_flee(now: Moment[War], side: Side) -> bool:
    """Return whether a defender may be able to flee, as far as everybody knows (QD-10.7)."""
    if is_vanquished(now, side.seat) or not _hits_allow(now.state, side):
        return False
    if battle_of(now.state).kind == "sneak" and now.answer("QD-H50") == "no_flight":
        return False
    return bool(side.size) and _may_leave(now, side)


def _hits_allow(war: War, side: Side) -> bool:
    """Return whether the hits taken are not more than the other units left there (QD-10.7)."""
    return war.struck.get(shade(side.seat, side.place), 0) <= side.size - 1


def _forbids_flight(
    war: War, side: Side, because: tuple[SectionRef, ...], *, waivable: bool
) -> Iterator[Refusal]:
    if not _hits_allow(war, side):
        hits = war.struck.get(shade(side.seat, side.place), 0)
        yield Refusal(
            "too_many_hits",
            because,
            f"{plural(hits, 'hit is', 'hits are')} more than the {plural(side.size - 1, 'other unit')} of {side.seat} there, so nobody "
            "flees.",
            {"hits": hits, "others": side.size - 1},
            waivable=waivable,
        )


def leavers(war: War, side: Side) -> tuple[str, ...]:
    """Return who of a side can teleport, from what its owner knows: wizards by their chip, or `dragonlord`.

    A wizard who is a DragonLord has its Teleport, and may be named: then everybody sees that he is one (QD-14.5).
    """
    wizards = (
        name
        for name in wizards_here(war, side.seat, side.place)
        if "teleport" in war.spells[name] or war.chips[name].on_dragonlord
    )
    return (*wizards, DRAGONLORD) if side.dragonlords else tuple(wizards)


def _rides(war: War, user: str) -> bool:
    return user == DRAGONLORD or war.chips[user].on_dragonlord


def _rider(war: War, side: Side) -> tuple[ChipId, ...]:
    """Return the wizard who leaves with a DragonLord: nobody, unless every DragonLord there is a wizard."""
    mine = chips_at(war, side.seat, side.place)
    riders = sorted((name for name, chip in mine.items() if chip.on_dragonlord), key=lambda n: mine[n].shown)
    return tuple(riders[:1]) if len(riders) >= side.dragonlords else ()


class _Leaves(InBattle):
    """A spell user teleports out of a battle alone, with what he bears."""

    def _forbids_leaving(
        self, now: Moment[War], seat: Seat, user: str, target: Place, carrying: Sequence[ChipId]
    ) -> Iterator[Refusal]:
        war = now.state
        side = side_of(war, seat)
        can = leavers(war, side)
        if user not in can:
            yield Refusal(
                "cannot_teleport",
                (*self.when(now), "QD-15.3", "QD-14.5"),
                f"{user} has no Teleport in {side.place}; who has it there is {', '.join(can) or 'nobody'}.",
                {"user": user},
                secret=is_shaded(war, seat, side.place),
            )
            return
        wizard = not _rides(war, user)
        fit = havens(now, side, wizard=wizard)
        if target not in fit:
            yield Refusal(
                "no_haven",
                (*self.when(now), "QD-X83"),
                f"{user} can't teleport to {target}; where {seat} may go is {', '.join(fit) or 'nowhere'}.",
                {"user": user, "place": target},
                waivable=is_place(target)
                and (held := war.armies.get(target)) is not None
                and held.seat == seat,
            )
        allowed = _carried(war, side)
        for chip in carrying:
            if chip not in allowed or carrying.count(chip) > 1:
                yield Refusal(
                    "no_such_chip",
                    ("QD-1.4", *self.when(now)),
                    f"{user} can't take {chip} along; what he may bear is {', '.join(allowed) or 'nothing'}.",
                    {"chip": chip},
                    secret=is_shaded(war, seat, side.place),
                )
                break


def _carried(war: War, side: Side) -> tuple[ChipId, ...]:
    """Return what a spell user may bear when he leaves: treasures and the decoy."""
    return tuple(name for name in chips_at(war, side.seat, side.place) if not bears(name))


def leave(
    tale: Tale[War],
    side: Side,
    user: str,
    target: Place,
    carrying: Sequence[ChipId],
    because: tuple[SectionRef, ...],
    spent: int = 0,
) -> tuple[ChipId, ...]:
    """Tell that a spell user teleports out of a battle alone: seen by everybody, what he bears perhaps not.

    Return the chip of the wizard who went: he himself, or the one that a DragonLord is.
    """
    seat, place = side.seat, side.place
    chips = tuple(carrying)
    if user == DRAGONLORD:
        chips = (*chips, *_rider(tale.state, side))
        way = _way_of_a_dragonlord(tale.state, side)
    else:
        show(tale, seat, user, ("QD-H9", *because))
        chips = (user, *chips)
        way = tale.state.chips[user].way
    war = tale.state
    lords = int(_rides(war, user))
    veils = is_shaded(war, seat, place)
    openly = tuple(name for name in chips if war.chips[name].shown)
    if openly:
        tale.tell(ChipsMoved(seat, place, target, openly, shown=True, because=because))
    if veils:
        hidden = tuple(name for name in chips if name not in openly)
        tale.tell(ChipsMoved(seat, place, target, hidden, because=("QD-H42",)))
    splits = units_of(war, seat, place) > 1
    tale.tell(
        UnitsMoved(
            seat, place, target, 1 - lords, lords, way, "", veils and splits, spent=spent, because=because
        )
    )
    tale.tell(SpellUserLeft(seat, user, place, because=because))
    return tuple(filter(bears, chips))


def _way_of_a_dragonlord(war: War, side: Side) -> str:
    """Return the way that a DragonLord of the attacker came, one that leaves a way out if there is such."""
    if not side.attacks:
        return ""
    ways = [column.how for column in war.columns[side.place] if column.dragonlords]
    return next((way for way in ways if way in FREE), ways[0])


class Flee(_Leaves):
    """Leave as a defender by Teleport, alone, in place of one's own die (QD-10.7).

    `user` is the wizard's chip or `dragonlord`; `carrying` are treasures that he bears.
    """

    WHEN = ("QD-10.7",)
    WHEN_IN = by_kind(
        sneak=("QD-12.5", "QD-10.7"),
        sea=("QD-11.4", "QD-10.7"),
        quest=("QD-9.1", "QD-10.7"),
        monster=("QD-9.2", "QD-10.7"),
    )

    user: User
    target: Annotated[Place, word("to")]
    carrying: Annotated[tuple[ChipId, ...], word("carrying")] = ()

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who has no Teleport, more hits than other units, and places that are no haven (QD-10.7, QD-X83)."""
        yield from self._forbids_leaving(now, seat, self.user, self.target, self.carrying)
        yield from _forbids_flight(now.state, side_of(now.state, seat), self.when(now), waivable=True)

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a flight that the attacker's hits leave no room for: then the defender is not even asked (QD-10.7).

        Before his own dice a table can overlook that.
        """
        battle = now.state.battle
        if battle is None or seat != battle.defender:
            return
        answering = getattr(now.state.agenda[-1].step, "at", "") in ANSWERING
        late = tuple(_forbids_flight(now.state, defenders(now.state), self.when(now), waivable=answering))
        yield from late
        if late:
            yield from self._forbids_leaving(now, seat, self.user, self.target, self.carrying)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who leaves for where; others may follow him. At sea the last one leaves ships without a crew (QD-H39)."""
        place = battle_of(tale.state).place
        because = ("QD-10.7", "QD-11.4") if place in ZONES else ("QD-10.7",)
        leave(tale, defenders(tale.state), self.user, self.target, self.carrying, because)
        if place in ZONES and place not in tale.state.armies:
            settle_ships(tale, seat, place)
        tale.reopen()


def columns_of(war: War, *, free: bool) -> dict[str, tuple[int, int]]:
    """Return the attacker's units and DragonLords by the way they came, of the ways that are free to retreat or not."""
    found: dict[str, tuple[int, int]] = {}
    for column in war.columns.get(battle_of(war).place, ()):
        if (column.how in FREE) == free:
            units, lords = found.get(column.how, (0, 0))
            found[column.how] = (units + column.units, lords + column.dragonlords)
    return found


def may_withdraw(now: Moment[War], side: Side) -> bool:
    """Return whether a spell user of the attacker may be able to teleport out, as far as everybody knows (QD-X44)."""
    war = now.state
    free = columns_of(war, free=True)
    if now.answer("QD-X44") == "any_attacker":
        free |= columns_of(war, free=False)
    if any(lords for _, lords in free.values()) and havens(now, side, wizard=False):
        return True
    return bool(havens(now, side, wizard=True)) and any(
        "teleport" in war.spells[name] and _may_have_come(war, side, name, free)
        for name in wizards_of(war, side.seat)
    )


def _may_have_come(war: War, side: Side, wizard: ChipId, ways: Collection[str]) -> bool:
    """Return whether a wizard may be among the attackers who came by one of these ways, as far as everybody knows."""
    lies = war.chips.get(wizard)
    if lies is not None and lies.shown:
        return lies.place == side.place and lies.way in ways
    return bool(ways) and is_shaded(war, side.seat, side.place)


def withdrawers(now: Moment[War], side: Side) -> tuple[str, ...]:
    """Return who of the attacker may teleport out, from what he knows: who walked in (QD-X44)."""
    war = now.state
    anyone = now.answer("QD-X44") == "any_attacker"
    lords = any(
        column.dragonlords and (anyone or column.how in FREE) for column in war.columns.get(side.place, ())
    )
    return tuple(
        user
        for user in leavers(war, side)
        if (lords if user == DRAGONLORD else anyone or war.chips[user].way in FREE)
    )


class Withdraw(_Leaves):
    """Leave as an attacker by Teleport, alone, at the end of a round (QD-10.9, QD-X44)."""

    WHEN = ("QD-10.9",)
    WHEN_IN = by_kind(
        sneak=("QD-12.4",),
        sea=("QD-11.1",),
        quest=("QD-9.1",),
        monster=("QD-9.2", "QD-17.1"),
    )

    user: User
    target: Annotated[Place, word("to")]
    carrying: Annotated[tuple[ChipId, ...], word("carrying")] = ()

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who has no Teleport, and who came by teleport or teleportal (QD-10.9, QD-X44)."""
        side = attackers(now.state)
        yield from self._forbids_leaving(now, seat, self.user, self.target, self.carrying)
        if self.user in leavers(now.state, side) and self.user not in withdrawers(now, side):
            yield Refusal(
                "bound_to_fight",
                ("QD-10.9", "QD-X44"),
                f"{self.user} came by teleport or teleportal this turn and fights to the end.",
                {"user": self.user},
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who leaves for where; he fights no more this turn, and the attacker chooses anew."""
        side, because = attackers(tale.state), ("QD-10.9", "QD-X44")
        gone = leave(tale, side, self.user, self.target, self.carrying, because, spent=1)
        lords = int(_rides(tale.state, self.user))
        tire(tale, seat, self.target, 1 - lords, lords, gone, because)
        tale.reopen()


def _offers_to_leave(
    now: Moment[War], side: Side, users: Sequence[str], command: type[Flee | Withdraw]
) -> Iterator[Offer]:
    for user in users:
        fit = havens(now, side, wizard=not _rides(now.state, user))
        if not fit:
            continue
        carried = _carried(now.state, side)
        yield Offer(command, {"user": user, "target": OneOf(fit), "carrying": Part(carried, 0, len(carried))})


def offers_to_flee(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield an offer for each spell user who can flee, from what the seat itself knows."""
    side = defenders(now.state)
    if _hits_allow(now.state, side):
        yield from _offers_to_leave(now, side, leavers(now.state, side), Flee)


def offers_to_withdraw(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield an offer for each spell user of the attacker who can leave, from what the seat itself knows."""
    side = attackers(now.state)
    yield from _offers_to_leave(now, side, withdrawers(now, side), Withdraw)


FACTS = (SpellUserLeft,)
