"""Which battle a fact belongs to, which round, and what each side lost: followed along parents, as the game is.

Games tell battles by the shared facts `BattleBegan` and `BattleEnded`, and losses by facts that a scoresheet claims by
`loses`; a fact that is a battle by itself begins and ends one without rounds, the end with its entry. A fact that says
`place` belongs to the battle there, any other to the battle that began last. A round is the dice that fall before losses
and the losses they bring; a game whose facts say `round` counts for itself, from 1.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

__all__ = ["Battle", "Battles", "Fight"]


class Fight(NamedTuple):
    """A battle being fought on one line of the game. Never changed: a line that was left keeps its own."""

    n: int
    place: str
    round: int = 0
    spent: bool = False
    """Whether losses were taken since dice fell, so that the next dice open a round."""
    losses: Mapping[str, int] = {}


class Battle(Struct):
    """A battle as one line of the game saw it. `ended` is None where it was not ended there."""

    n: int
    place: str
    attacker: str | None
    defender: str | None
    kind: str | None
    began: int | None
    ended: int | None = None
    winner: str | None = None
    taken: bool | None = None
    rounds: int | None = None
    losses: Mapping[str, int] | None = None

    def lost_by(self, seat: str | None) -> int | None:
        """Return what a side lost; None when losses are not told or the side is not known."""
        return None if self.losses is None or seat is None else self.losses.get(seat, 0)


class Battles:
    """The battles of one game while its log is read."""

    def __init__(self, *, losses_are_told: bool, rounds_are_told: bool) -> None:
        """Take whether the game's facts tell losses at all, and rounds."""
        self._losses_are_told, self._rounds_are_told = losses_are_told, rounds_are_told
        self._begun: list[Battle] = []
        self._ended: list[Battle] = []
        self._standing: dict[int, tuple[Fight, ...]] = {}
        self.now: tuple[Fight, ...] = ()
        """The battles being fought at this point of the entry, the one that began last on top."""

    def stand(self, entry: int) -> bool:
        """Return whether an entry left any battle being fought."""
        return entry in self._standing

    def enter(self, parent: int) -> None:
        """Go on from where the parent of an entry left the battles."""
        self.now = self._standing.get(parent, ())

    def leave(self, entry: int) -> None:
        """Remember how an entry left the battles."""
        if self.now:
            self._standing[entry] = self.now

    def at(self, place: Any) -> Fight | None:
        """Return the battle that a fact belongs to, by the place it names."""
        for fight in reversed(self.now):
            if fight.place == place:
                return fight
        return self.now[-1] if self.now else None

    def began(
        self, entry: int, place: str, attacker: str, defender: str, kind: str, *, has_rounds: bool = True
    ) -> None:
        """Take in that a battle began."""
        n = len(self._begun) + 1
        self._begun.append(Battle(n, place, attacker, defender, kind, entry))
        self.now = (*self.now, Fight(n, place, int(self._rounds_are_told and has_rounds)))

    def ended(self, entry: int, place: str, winner: str, taken: bool, rounds: int) -> None:
        """Take in that the battle at a place ended; one whose beginning the log does not hold is kept too."""
        fight = next((fight for fight in reversed(self.now) if fight.place == place), None)
        if fight is None:
            battle = Battle(len(self._begun) + 1, place, None, None, None, None)
            self._begun.append(battle)
        else:
            self.now = tuple(other for other in self.now if other is not fight)
            first = self._begun[fight.n - 1]
            battle = Battle(fight.n, place, first.attacker, first.defender, first.kind, first.began)
            battle.losses = fight.losses if self._losses_are_told else None
        battle.ended, battle.winner, battle.taken, battle.rounds = entry, winner or None, taken, rounds
        if fight is not None:
            self._ended.append(battle)

    def rolled(self) -> None:
        """Take in that dice fell in the battle that began last."""
        if self.now and not self._rounds_are_told:
            fight = self.now[-1]
            if fight.spent or not fight.round:
                self._put(fight, fight._replace(round=fight.round + 1, spent=False))

    def counted(self, place: Any, round: int) -> None:
        """Take in that a fact of the game says which round it is."""
        fight = self.at(place)
        if fight is not None:
            self._put(fight, fight._replace(round=round))

    def lost(self, place: Any, seat: str, count: int) -> None:
        """Take in a loss."""
        fight = self.at(place)
        if fight is not None:
            losses = {**fight.losses, seat: fight.losses.get(seat, 0) + count}
            self._put(fight, fight._replace(losses=losses, spent=True))

    def rows(self, live: bytearray) -> list[tuple[Battle, bool]]:
        """Return every battle once for each line that ended it, and once where it was left; and whether that is live.

        `live[entry]` says whether an entry is on the line that led to the last one.
        """
        last = len(live) - 1
        rows = [(battle, bool(live[battle.ended or 0])) for battle in self._ended]
        ends = {battle.n for battle in self._ended}
        live_ends = {battle.n for battle, lives in rows if lives}
        fought = {fight.n: fight.losses for fight in self._standing.get(last, ())}
        for battle in self._begun:
            if battle.began is None:
                rows.append((battle, bool(live[battle.ended or 0])))
                continue
            lives = bool(live[battle.began])
            if lives and battle.n not in live_ends:
                battle.losses = fought.get(battle.n, {}) if self._losses_are_told else None
                rows.append((battle, True))
            elif not lives and battle.n not in ends:
                rows.append((battle, False))
        return sorted(rows, key=lambda row: (row[0].n, not row[1]))

    def _put(self, old: Fight, new: Fight) -> None:
        self.now = tuple(new if fight is old else fight for fight in self.now)
