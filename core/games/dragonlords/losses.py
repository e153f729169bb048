"""Losses (QD-10.8): the owner of the struck units says which are lost, and the Holy Grail rolls for each (QD-7.8).

Whatever brought the hits, they stand in `War.struck`; the step `Losses` pays them, in battle and elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import field

from core.asking import Offer, Pick, Question
from core.refusal import Refusal
from core.rules import Command, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll
from events.counting import plural
from events.event import Count, Face, Seat, SectionRef

from .armies import UnitsLost
from .chips import ChipLost
from .in_battle import InBattle, by_kind
from .movement import bears, show, shown_at
from .spellbook import king_of, may_hold, shown_here, wizards_of
from .state import Chip, ChipId, Place, UnitKind, War, chips_at, is_shaded, shade, units_of
from .treasures import shown_treasures

__all__ = ["COMMANDS", "STEPS", "Losses", "TakeLosses", "in_order", "pool_of", "tell_lost"]

SECTIONS: Mapping[str, tuple[SectionRef, ...]] = {
    "dice": ("QD-10.8",),
    "fireball": ("QD-15.2", "QD-10.5"),
    "dragonfire": ("QD-14.6", "QD-10.5"),
    "lightning": ("QD-15.5", "QD-10.5"),
    "sea": ("QD-5.1", "QD-H24"),
    "monster": ("QD-9.2", "QD-10.8"),
    "breath": ("QD-9.2", "QD-10.5"),
    "poison": ("QD-9.3", "QD-H32"),
    "card": ("QD-6.10", "QD-H33"),
    "lair": ("QD-6.9",),
    "summon_elemental": ("QD-16.2",),
    "berserk": ("QD-16.4",),
    "infernal": ("QD-16.5",),
    "tempest": ("QD-16.5",),
}
"""Why units are lost, by what struck them."""
FIRE = ("fireball", "dragonfire", "infernal")
SCROLLS = ("summon_elemental", "berserk", "infernal", "tempest")
"""What strikes before anything is declared for the round, so that the Holy Grail saves where it is shown (QD-H29)."""
ROLLED = ("dice", "monster")
"""What strikes by the dice of a round of battle, so that the Holy Grail saves at every table (QD-H18)."""
SAVED = Hits((1, 2))
"""What saves a lost unit (QD-7.8)."""


class _Group(NamedTuple):
    """The units of a stack that came the same way: the army, or columns."""

    way: str
    units: int
    dragonlords: int


def _groups(war: War, seat: Seat, place: Place) -> tuple[_Group, ...]:
    army = war.armies.get(place)
    if army is not None and army.seat == seat:
        return (_Group("", army.units, army.dragonlords),)
    found: dict[str, _Group] = {}
    for column in war.columns.get(place, ()):
        if column.seat == seat:
            old = found.get(column.how, _Group(column.how, 0, 0))
            found[column.how] = _Group(
                column.how, old.units + column.units, old.dragonlords + column.dragonlords
            )
    return tuple(found.values())


def _bearers(war: War, seat: Seat, place: Place) -> dict[ChipId, Chip]:
    return {name: chip for name, chip in chips_at(war, seat, place).items() if bears(name)}


def pool_of(war: War, seat: Seat, place: Place, *, fireproof: bool = False) -> dict[str, int]:
    """Return what the owner, who knows his chips, may lose in a place: `{kind: how many}`.

    Kinds are `unit`, `dragonlord` and the chips of kings and wizards; where attackers came different ways, the way is
    added, `unit.teleport`. `fireproof`: DragonLords can't be taken (QD-H30).
    """
    groups, mine = _groups(war, seat, place), _bearers(war, seat, place)
    pool: dict[str, int] = {}
    for way, units, lords in groups:
        tail = f".{way}" if len(groups) > 1 else ""
        borne = [chip.on_dragonlord for chip in mine.values() if chip.way == way]
        pool[f"unit{tail}"] = units - borne.count(False)
        pool[f"dragonlord{tail}"] = 0 if fireproof else lords - borne.count(True)
    pool |= {name: 1 for name, chip in mine.items() if not (fireproof and chip.on_dragonlord)}
    return {kind: count for kind, count in pool.items() if count > 0}


def in_order(kinds: Mapping[str, int]) -> list[str]:
    """Return kinds in the order in which they are lost unless the owner says otherwise (QD-X52)."""
    return sorted(kinds, key=_rank)


def _rank(kind: str) -> int:
    if kind.startswith("unit"):
        return 0
    if kind.startswith("dragonlord"):
        return 2
    return 3 if kind.endswith(".king") else 1


def _first(pool: Mapping[str, int], count: int) -> dict[str, int]:
    taken: dict[str, int] = {}
    for kind in in_order(pool):
        some = min(pool[kind], count)
        if some:
            taken[kind] = some
            count -= some
    return taken


class TakeLosses(InBattle):
    """Say which units are lost: `{kind: how many}`, as many as were hit (QD-10.8).

    Where no king or wizard is named, units that bear one count as what they are, and are lost last, in the order of QD-X52.
    """

    WHEN = ("QD-10.8",)
    WHEN_IN = by_kind(
        sneak=("QD-12.2", "QD-10.8"),
        sea=("QD-11.2", "QD-10.8"),
        quest=("QD-9.1", "QD-10.8"),
        monster=("QD-9.2", "QD-10.8"),
    )

    losses: dict[UnitKind, Count]

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse units that are not there, another number than was hit, and spell users too early (QD-10.8, QD-X52)."""
        step: Losses = now.state.agenda[-1].step
        pool = step.pool_for(now)
        unnamed = not any(map(bears, self.losses))
        there = step.sorts_of(now) if unnamed else pool
        for kind, count in self.losses.items():
            if not 0 < count <= there.get(kind, 0):
                held = ", ".join(f"{n} {name}" for name, n in there.items())
                yield Refusal(
                    "not_there",
                    ("QD-10.8",),
                    f"{seat} can't lose {count} {kind} in {step.place}; what can be lost is {held}.",
                    {"kind": kind, "count": count},
                    secret=not unnamed and is_shaded(now.state, seat, step.place),
                )
                return
        losses = step.meant(now, self.losses)
        due = step.due(now)
        if sum(self.losses.values()) != due:
            yield Refusal(
                "wrong_losses",
                ("QD-10.8",),
                f"{seat} loses {due} in {step.place}, not {sum(self.losses.values())}.",
                {"due": due, "given": sum(self.losses.values())},
                waivable=True,
            )
        if now.answer("QD-X52") == "spell_users_last":
            plain = sum(count for kind, count in pool.items() if _rank(kind) == 0)
            lost = sum(count for kind, count in losses.items() if _rank(kind) == 0)
            if lost < min(plain, due):
                yield Refusal(
                    "spell_users_last",
                    ("QD-10.8", "QD-X52"),
                    f"Spell users are lost last: {plural(min(plain, due), 'plain unit goes', 'plain units go')} first, not {lost}.",
                    {"plain": min(plain, due), "given": lost},
                    waivable=True,
                    secret=is_shaded(now.state, seat, step.place),
                )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell what is lost, or let the Holy Grail roll first."""
        tale.top.named_are(tale, dict(tale.top.meant(tale, self.losses)))


class Losses(Step[War]):
    """The units of a seat in a place take their hits.

    `cause` is what struck them: dice, fireball, lightning, dragonfire, a monster, its poison or the breath of a dragon, a
    card, the lair, or the sea where no ship has a place for them. `aim` is the kind that the caster of a spell picked (QD-H29), `named` what its
    owner named, while the Holy Grail rolls.
    """

    seat: Seat
    place: Place
    cause: str = "dice"
    aim: str = ""
    named: dict[str, Count] = field(default_factory=dict)

    def due(self, now: Moment[War]) -> int:
        """Return how many units are lost: the hits, and never more than are there, the rest being lost (QD-10.8)."""
        war = now.state
        hits = war.struck.get(shade(self.seat, self.place), 0)
        groups = _groups(war, self.seat, self.place)
        lords = 0 if self._spares_dragonlords(now) else sum(group.dragonlords for group in groups)
        return min(hits, lords + sum(group.units for group in groups))

    def _spares_dragonlords(self, now: Moment[War]) -> bool:
        return self.cause in FIRE and now.answer("QD-H30") == "fireproof"

    def pool_for(self, now: Moment[War]) -> dict[str, int]:
        """Return what the owner may name, from what the reader of this state knows."""
        war = now.state
        pool = pool_of(war, self.seat, self.place, fireproof=self._spares_dragonlords(now))
        if self.aim:
            shown = shown_at(war, self.seat, self.place)
            hidden = [name for name in pool if bears(name) and name not in shown]
            riders = [name for name in hidden if war.chips[name].on_dragonlord]
            walkers = [name for name in hidden if name not in riders]
            struck = {"unit": walkers, "dragonlord": riders}.get(self.aim, [])
            pool = {
                name: count
                for name, count in pool.items()
                if name == self.aim or name.startswith(f"{self.aim}.") or name in struck
            }
        return pool

    def sorts_of(self, now: Moment[War]) -> dict[str, int]:
        """Return what may be named by who names no king or wizard: units that bear one count among the others."""
        sorts: dict[str, int] = {}
        for name, count in self.pool_for(now).items():
            sort = self._sort_of(now.state, name)
            sorts[sort] = sorts.get(sort, 0) + count
        return sorts

    def _sort_of(self, war: War, kind: str) -> str:
        """Return as what a unit counts that bears a king or wizard; any other kind is its own."""
        if not bears(kind):
            return kind
        chip = war.chips[kind]
        tail = f".{chip.way}" if len(_groups(war, self.seat, self.place)) > 1 else ""
        return f"{'dragonlord' if chip.on_dragonlord else 'unit'}{tail}"

    def meant(self, now: Moment[War], losses: Mapping[str, int]) -> Mapping[str, int]:
        """Return losses with the kings and wizards that are among them, whom their owner need not name (QD-X52)."""
        if any(map(bears, losses)):
            return losses
        pool = self.pool_for(now)
        found: dict[str, int] = {}
        for sort, count in losses.items():
            kinds = {name: held for name, held in pool.items() if self._sort_of(now.state, name) == sort}
            plain = min(count, kinds.pop(sort, 0))
            found |= {sort: plain} if plain else {}
            found |= _first(kinds, count - plain)
        return found

    def question(self, now: Moment[War]) -> Question | None:
        if self.named:
            count = sum(self.named.values())
            roll = Roll("d6", count, self.seat, SAVED, "grail")
            return Question("roll", (CHANCE,), (), ("QD-7.8",), "the Holy Grail saves", roll=roll)
        if self._chooses(now):
            prompt = f"{self.seat} loses {self.due(now)} in {self.place}: which units"
            return Question("losses", (self.seat,), (TakeLosses,), SECTIONS[self.cause], prompt)
        return None

    def _chooses(self, now: Moment[War]) -> bool:
        """Return whether the owner has a choice, as far as everybody knows."""
        war, seat, place = now.state, self.seat, self.place
        due = self.due(now)
        if not due or due >= units_of(war, seat, place) or bears(self.aim):
            return False
        groups = _groups(war, seat, place)
        lords = sum(group.dragonlords for group in groups)
        units = sum(group.units for group in groups)
        if len(groups) > 1 or (lords and units and not self.aim):
            return True
        known = [king_of(seat), *wizards_of(war, seat)]
        if self.aim:
            known = [name for name in known if not shown_here(war, name, place)]
        return seat not in war.out and any(may_hold(war, seat, place, name) for name in known)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        pool, sorts, due = self.pool_for(now), self.sorts_of(now), self.due(now)
        if now.answer("QD-X52") == "spell_users_last":
            plain = {kind: count for kind, count in pool.items() if _rank(kind) == 0}
            if sum(plain.values()) >= due:
                pool = sorts = plain
            elif plain:
                rests = list(_fillings(pool, due - sum(plain.values())))
                for rest in rests:
                    yield Offer(TakeLosses, {"losses": plain | rest})
                yield from self._offers_by_sort(now, plain, rests)
                return
        yield Offer(TakeLosses, {"losses": Pick(pool, due, due)})
        if sorts.keys() != pool.keys():
            yield Offer(TakeLosses, {"losses": Pick(sorts, due, due)})

    def _offers_by_sort(
        self, now: Moment[War], plain: Mapping[str, int], rests: Iterable[Mapping[str, int]]
    ) -> Iterator[Offer]:
        """Yield the offers to lose all plain units and others, with no king or wizard named."""
        told: list[dict[str, int]] = []
        for rest in rests:
            sorts = dict(plain)
            for kind, count in rest.items():
                sort = self._sort_of(now.state, kind)
                sorts[sort] = sorts.get(sort, 0) + count
            if sorts not in told and any(map(bears, rest)):
                told.append(sorts)
                yield Offer(TakeLosses, {"losses": sorts})

    def silence(self, now: Moment[War], seat: Seat) -> TakeLosses:
        """Return the losses in the order of QD-X52: plain units, wizards, DragonLords, the king."""
        return TakeLosses(_first(self.pool_for(now), self.due(now)))

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield the losses that leave no choice."""
        if self.due(now):
            yield self.seat, self.silence(now, self.seat)

    def play(self, tale: Tale[War]) -> None:
        """Take the losses that leave no choice; end when nothing was hit."""
        if not tale.state.struck.get(shade(self.seat, self.place), 0):
            tale.done()
            return
        self.named_are(tale, _first(self.pool_for(tale), self.due(tale)))

    def named_are(self, tale: Tale[War], named: dict[str, int]) -> None:
        """Go on with the units named: the Holy Grail rolls for each, or they are lost."""
        if named and self._grail_rolls(tale):
            for chip in in_order(named):
                if bears(chip):
                    show(tale, self.seat, chip, ("QD-10.8",))
            tale.become(Losses(self.seat, self.place, self.cause, self.aim, named))
        else:
            tale.done()
            self._tell(tale, named)

    def _grail_rolls(self, now: Moment[War]) -> bool:
        """Return whether the Holy Grail is there and saves from what struck (QD-7.8, QD-H18)."""
        war = now.state
        if self.seat in war.out or (self.cause not in ROLLED and now.answer("QD-H18") == "dice_only"):
            return False
        if self.cause == "sea":
            return False  # who is saved would still have no ship to stand on
        battle = war.battle
        if battle is not None and battle.place == self.place and self.cause not in SCROLLS:
            return f"{self.seat}:holy_grail" in battle.cast
        return "holy_grail" in shown_treasures(war, self.seat, self.place)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Take the losses whose die saved them not; dice lie in the order of QD-X52."""
        lost: dict[str, int] = {}
        units = [kind for kind in in_order(self.named) for _ in range(self.named[kind])]
        for kind, face in zip(units, faces, strict=True):
            if face not in SAVED.faces:
                lost[kind] = lost.get(kind, 0) + 1
        tale.done()
        self._tell(tale, lost)

    def _tell(self, tale: Tale[War], lost: Mapping[str, int]) -> None:
        tell_lost(tale, self.seat, self.place, lost, SECTIONS[self.cause])


def tell_lost(
    tale: Tale[War], seat: Seat, place: Place, lost: Mapping[str, int], because: tuple[SectionRef, ...]
) -> None:
    """Tell the units and the chips that are lost, as `pool_of` names them; hits that find no unit are lost too."""
    mine = _bearers(tale.state, seat, place)
    groups = _groups(tale.state, seat, place)
    told = False
    for way, _, _ in groups:
        kinds = [kind for kind in lost if _way_of(kind, mine, groups) == way]
        count = sum(lost[kind] for kind in kinds)
        lords = sum(lost[kind] for kind in kinds if _is_lord(kind, mine))
        if count or not told:
            tale.tell(UnitsLost(seat, place, count, lords, way, because=because))
            told = True
    for chip in in_order(lost):
        if chip in mine:
            tale.tell(ChipLost(seat, chip, place, because=("QD-14.1", *because)))
    blank = f"{seat}.blank"
    lies = tale.state.chips.get(blank)
    if lies is not None and lies.place == place and not _plain_left(tale.state, seat, place):
        tale.tell(ChipLost(seat, blank, place, because=("QD-1.4", "QD-3.5")))


def _plain_left(war: War, seat: Seat, place: Place) -> bool:
    return any(_rank(kind) == 0 for kind in pool_of(war, seat, place))


def _way_of(kind: str, mine: Mapping[ChipId, Chip], groups: tuple[_Group, ...]) -> str:
    if kind in mine:
        return mine[kind].way
    return kind.partition(".")[2] if len(groups) > 1 else groups[0].way


def _is_lord(kind: str, mine: Mapping[ChipId, Chip]) -> bool:
    return mine[kind].on_dragonlord if kind in mine else kind.startswith("dragonlord")


def _fillings(pool: Mapping[str, int], count: int) -> Iterator[dict[str, int]]:
    """Yield every way to take so many spell users; they are few."""
    kinds = [kind for kind in in_order(pool) if _rank(kind)]
    found: list[dict[str, int]] = [{}]
    for kind in kinds:
        found = [
            {**one, kind: some} if some else one
            for one in found
            for some in range(min(pool[kind], count - sum(one.values())) + 1)
        ]
    yield from (one for one in found if sum(one.values()) == count)


COMMANDS = (TakeLosses,)
STEPS = (Losses,)
