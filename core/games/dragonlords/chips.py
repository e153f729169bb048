"""What happens to chips: hidden, carried along, turned up, lost and taken; the vocabulary that all chapters share.

Units move in public, chips in secret. Where a stack that may hide a chip splits, a sealed `ChipsMoved` goes before
the public `UnitsMoved`, also when no chip goes along; where a whole stack moves, its chips simply go with it. So who
does not see the sealed fact folds the same board, with a shade on each part (QD-H42).
"""

from collections.abc import Sequence

from msgspec import structs

from core.rules import Fact
from events.event import FactData, Seat

from .state import Chip, ChipId, Place, War, is_treasure, shade

__all__ = [
    "FACTS",
    "ChipLost",
    "ChipShown",
    "ChipsMoved",
    "ChipsPlaced",
    "StacksShaded",
    "TreasureTaken",
]

FEW = 4
"""Places that are named one by one; of more, how many there are."""


class StacksShaded(Fact[War]):
    """Stacks of a seat may each hide a face-down chip; everybody knows that, nobody else which (QD-3.5, QD-H42)."""

    seat: Seat
    places: tuple[Place, ...]

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        where = ", ".join(self.places) if len(self.places) <= FEW else f"any of {len(self.places)} places"
        return f"{self.seat} may hide chips in {where}"

    def onto(self, state: War) -> War:
        return structs.replace(
            state, shades=state.shades | {shade(self.seat, place) for place in self.places}
        )


class ChipsPlaced(Fact[War]):
    """A seat put chips face down under its units; only it knows where (QD-3.5, QD-6.11)."""

    seat: Seat
    places: dict[ChipId, Place]
    on_dragonlord: tuple[ChipId, ...] = ()

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows."""
        return (self.seat,)

    def onto(self, state: War) -> War:
        new = {
            name: Chip(self.seat, place, on_dragonlord=name in self.on_dragonlord)
            for name, place in self.places.items()
        }
        return structs.replace(state, chips={**state.chips, **new})


class ChipsMoved(Fact[War]):
    """Which chips went along with a part of a stack, perhaps none; those in `hides` are hidden again (QD-H42).

    Known to the owner alone, unless `shown`: a spell user who leaves alone is seen to.
    """

    seat: Seat
    origin: Place
    target: Place
    chips: tuple[ChipId, ...] = ()
    how: str = ""
    hides: tuple[ChipId, ...] = ()
    shown: bool = False

    def in_words(self, later: Sequence[FactData] = ()) -> str:
        """Return which chips went along, if any did; and which of those that were shown are hidden again."""
        # Units that left nobody behind, told after this, took along whatever lay under them.
        whole = any(getattr(fact, "veils", True) is False for fact in later[:1])
        went = (
            f"chips moved: {self.seat}, {', '.join(self.chips)}"
            if self.chips
            else f"{'all' if whole else 'no'} chips of {self.seat} went along"
        )
        again = f"; hidden again: {', '.join(self.hides)}" if self.hides else ""
        return f"{went} from {self.origin} to {self.target}{again}"

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows, unless it was done openly."""
        return () if self.shown else (self.seat,)

    def onto(self, state: War) -> War:
        if not (self.chips or self.hides):
            return state
        chips = dict(state.chips)
        for name in self.hides:
            chips[name] = structs.replace(chips[name], shown=False)
        for name in self.chips:
            chips[name] = structs.replace(chips[name], place=self.target, way=self.how)
        return structs.replace(state, chips=chips)


class ChipShown(Fact[War]):
    """A chip was turned up: everybody knows where it lies until its stack splits (QD-H9, QD-H42)."""

    REVEALS = True

    seat: Seat
    chip: ChipId
    place: Place
    way: str = ""
    on_dragonlord: bool = False

    def known_before(self, state: War) -> tuple[War, ...]:
        """It lay there face down, where nobody else knew it."""
        return _with_hidden(
            state, self.chip, (Chip(self.seat, self.place, False, self.on_dragonlord, self.way),)
        )

    def onto(self, state: War) -> War:
        chip = Chip(self.seat, self.place, True, self.on_dragonlord, self.way)
        return structs.replace(state, chips={**state.chips, self.chip: chip})


class ChipLost(Fact[War]):
    """A chip left the board, seen by everybody: a king, a wizard with his spells, a decoy, or a treasure nobody took.

    A lost treasure goes back among the face-down ones (QD-H54), the spells of a wizard are lost with him (QD-14.1).
    """

    REVEALS = True

    seat: Seat
    chip: ChipId
    place: Place

    def known_before(self, state: War) -> tuple[War, ...]:
        """It lay face down in its place, under the army there or with attackers who came some way."""
        return _with_hidden(state, self.chip, _lying(state, self.seat, self.place))

    def onto(self, state: War) -> War:
        changes: dict[str, object] = {
            "chips": {name: chip for name, chip in state.chips.items() if name != self.chip}
        }
        if self.chip in state.spells:
            changes["spells"] = {name: known for name, known in state.spells.items() if name != self.chip}
        if self.chip == f"{self.seat}.king":
            changes["fallen"] = (*state.fallen, self.seat)
        if is_treasure(self.chip):
            changes["hoards"] = {**state.hoards, self.seat: state.hoards.get(self.seat, 0) - 1}
        return structs.replace(state, **changes)


class TreasureTaken(Fact[War]):
    """A treasure went to whoever won the place of its lost bearer, seen by everybody (QD-7.1, QD-H54)."""

    REVEALS = True

    seat: Seat
    chip: ChipId
    place: Place
    loser: Seat

    def known_before(self, state: War) -> tuple[War, ...]:
        """It lay face down with the loser's units in its place."""
        return _with_hidden(state, self.chip, _lying(state, self.loser, self.place))

    def onto(self, state: War) -> War:
        hoards = {
            **state.hoards,
            self.seat: state.hoards.get(self.seat, 0) + 1,
            self.loser: state.hoards.get(self.loser, 0) - 1,
        }
        way = next(
            (column.how for column in state.columns.get(self.place, ()) if column.seat == self.seat), ""
        )
        chip = Chip(self.seat, self.place, True, way=way)
        return structs.replace(state, hoards=hoards, chips={**state.chips, self.chip: chip})


def _lying(state: War, seat: Seat, place: Place) -> tuple[Chip, ...]:
    """Return every way in which a chip of a seat may lie face down in a place: under a unit, or a DragonLord if one is there."""
    army = state.armies.get(place)
    stacks = [("", army.dragonlords)] if army is not None and army.seat == seat else []
    stacks += [(own.how, own.dragonlords) for own in state.columns.get(place, ()) if own.seat == seat]
    rides = [(way, rider) for way, lords in stacks for rider in ((False, True) if lords else (False,))]
    return tuple(Chip(seat, place, False, rider, way) for way, rider in dict.fromkeys(rides))


def _with_hidden(state: War, name: ChipId, lying: Sequence[Chip]) -> tuple[War, ...]:
    """Return a war with a chip in it, once for each way in which it may lie; as it is, where the chip is known."""
    if name in state.chips:
        return (state,)
    return tuple(structs.replace(state, chips={**state.chips, name: chip}) for chip in lying)


FACTS = (StacksShaded, ChipsPlaced, ChipsMoved, ChipShown, ChipLost, TreasureTaken)
