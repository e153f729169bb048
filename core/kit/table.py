"""The commands of every table: open a game, rule, correct, take back, reveal the seed.

Their sections are those of the law of the table, `LS-n.m`, in `data/rulebook.toml` beside this file.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import field

from core.contract import Command
from core.kit.forbidding import (
    forbids_answer,
    forbids_position,
    forbids_source,
    forbids_stranger,
    no_such_entry,
)
from core.refusal import Refusal
from core.rulebook import load_rulebook
from core.seats import ARBITER
from core.table import Table, fold_table
from core.telling import Moment, Tale
from events.chance import CardDealt, Rolled
from events.event import Id, Seat, SectionRef
from events.play import BattleBegan, BattleEnded, Corrected, GameEnded, Overlooked, Turned
from events.table import (
    Answered,
    Branch,
    CalledOff,
    DisputeRaised,
    Forfeited,
    GameOpened,
    HeadMoved,
    Penalised,
    Ruled,
    SeedRevealed,
    TakeBackAgreed,
    TakeBackProposed,
    TakeBackRefused,
    Verdict,
    WentBack,
)

__all__ = [
    "TABLE_LAW",
    "CallOff",
    "Correct",
    "MoveHead",
    "OpenGame",
    "RevealSeed",
    "Rule",
    "TableCommand",
    "shared_facts",
    "table_commands",
]

TABLE_LAW = load_rulebook("core.kit")
"""The law of the table: what holds of every game's log, whatever the game."""

P = TypeVar("P")


class TableCommand(Command[Any]):
    """A command about the table: it answers no question of the game."""

    COMPUTED: ClassVar[tuple[str, ...]] = ()
    """Fields that the session fills in, whatever was said in them."""

    def goes_back(self) -> Id | None:
        """Return the entry that the game goes on from, when the command moves the head."""
        return None


class OpenGame(TableCommand, Generic[P]):
    """Open a game: seats, answers that depart from the defaults, dice, and a position if it is not the usual set-up."""

    id: str
    game: str
    seats: tuple[Seat, ...]
    answers: dict[str, str] = field(default_factory=dict)
    dice: str = "typed"
    commitment: str = ""
    persons: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    position: tuple[P, ...] = ()
    branch: Branch | None = None
    title: str = ""

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse seats, answers, options or a position that the game does not have (LS-1)."""
        reasons = tuple(self._forbids_opening(now, seat))
        yield from reasons
        if reasons:
            return
        table = fold_table(now.table, self._opened(now), now.entry)
        reasons = (*self._forbids_persons(table), *now.rules.forbids_opening(table))
        yield from reasons
        if self.position and not reasons:
            state = now.rules.start(table)
            yield from forbids_position(now, state, self.position, "LS-1.5")

    def _forbids_opening(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        rules = now.rules
        if seat != ARBITER:
            yield Refusal(
                "not_the_arbiter", ("LS-1.1",), f"A game is opened from the seat arbiter, not {seat}."
            )
        if now.table.opened:
            yield Refusal("opened_already", ("LS-1.1",), "This log has opened its game already.")
        if self.game != rules.name:
            yield Refusal(
                "wrong_game", ("LS-1.1",), f"These are the rules of {rules.name}, not of {self.game}."
            )
        yield from self._forbids_seats(now)
        yield from self._forbids_dice()
        for point, answer in self.answers.items():
            yield from forbids_answer(now, point, answer)
        yield from self._forbids_options(now)

    def _forbids_dice(self) -> Iterator[Refusal]:
        """Refuse a source that there is not, and sealed dice without a commitment to their seed (LS-4.5, LS-4.4)."""
        yield from forbids_source(self.dice)
        if self.dice == "sealed" and re.fullmatch("[0-9a-f]{64}", self.commitment) is None:
            text = "Sealed dice are committed to by the SHA-256 of their seed, 64 hexadecimal digits."
            yield Refusal("no_commitment", ("LS-4.4",), text)

    def _forbids_options(self, now: Moment[Any]) -> Iterator[Refusal]:
        rules = now.rules
        for name, value in self.options.items():
            if value not in rules.options.get(name, ()):
                known = (
                    ", ".join(f"{key} ({' or '.join(values)})" for key, values in rules.options.items())
                    or "none"
                )
                yield Refusal(
                    "no_such_option", ("LS-1.4",), f"{name} = {value} is no option; there are: {known}."
                )

    def _forbids_persons(self, table: Table) -> Iterator[Refusal]:
        """Refuse two persons where one player sits (LS-1.6)."""
        for seats in table.players:
            named = dict.fromkeys(self.persons[seat] for seat in seats if seat in self.persons)
            if len(named) > 1:
                yield Refusal(
                    "two_persons",
                    ("LS-1.6",),
                    f"One player sits at {' and '.join(seats)}, not both {' and '.join(named)}.",
                    {"seats": " ".join(seats)},
                )

    def _forbids_seats(self, now: Moment[Any]) -> Iterator[Refusal]:
        rules = now.rules
        unknown = [name for name in self.seats if name not in rules.seats]
        if unknown:
            yield Refusal(
                "no_such_seat",
                ("LS-1.2",),
                f"There is no seat {unknown[0]}; the seats of {rules.name} are {', '.join(rules.seats)}.",
                {"seat": unknown[0]},
            )
        if len(set(self.seats)) != len(self.seats) or not rules.least <= len(self.seats):
            yield Refusal(
                "wrong_seats",
                ("LS-1.2",),
                f"{rules.name} takes {rules.least} to {len(rules.seats)} different seats, not {', '.join(self.seats) or 'none'}.",
            )

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the opening with every answer in force, then the position, then the first steps."""
        tale.tell(self._opened(tale))
        tale.state = tale.rules.start(tale.table)
        for fact in self.position:
            tale.tell(fact)  # type: ignore[arg-type]
        tale.rules.begin(tale)

    def _opened(self, now: Moment[Any]) -> GameOpened:
        rules = now.rules
        options = {name: values[0] for name, values in rules.options.items()} | self.options
        players, persons = rules.players(self.seats, options), dict(self.persons)
        for seats in players:
            named = [self.persons[seat] for seat in seats if seat in self.persons]
            persons |= dict.fromkeys(seats, named[0]) if named else {}
        return GameOpened(
            self.id,
            self.game,
            rules.revision,
            self.seats,
            {**rules.rulebook.defaults, **self.answers},
            dice=self.dice,
            commitment=self.commitment,
            persons=persons,
            options=options,
            branch=self.branch,
            title=self.title,
            players=players,
            because=("LS-1.1",),
        )


class MoveHead(TableCommand):
    """Take back or restore: the game goes on from entry `to`. Nothing is erased.

    `agreed` are the seats that consented, `arbiter` who decided instead, `learned` what the entries left behind had
    told to somebody; whether that suffices is judged over the whole log, in `core.consent`.
    """

    to: Id
    agreed: tuple[Seat, ...] = ()
    arbiter: str = ""
    learned: tuple[str, ...] = ()
    reason: str = ""

    SEALS: ClassVar[bool] = False
    COMPUTED: ClassVar[tuple[str, ...]] = ("learned",)

    def speaks_for(self) -> tuple[Seat, ...]:
        """Return the seats that are said to agree, and the arbiter where one is said to have decided (LS-3.4)."""
        return (*self.agreed, ARBITER) if self.arbiter else self.agreed

    def goes_back(self) -> Id | None:
        """Return the entry gone to."""
        return self.to

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse an entry that is not in the log, and who has no say while a dispute is open (LS-3.1, LS-5.1)."""
        yield from forbids_stranger(now, seat, "LS-3.1")
        if now.table.disputes and seat != ARBITER:
            yield Refusal("disputed", ("LS-5.1",), "While a dispute is open only the arbiter moves the game.")
        if not 1 <= self.to < now.entry:
            yield no_such_entry(self.to, now.entry, "LS-3.1")

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell who moved the head, who agreed, and what had been learned."""
        tale.tell(HeadMoved(seat, self.agreed, self.arbiter, self.learned, self.reason, because=("LS-3.1",)))


class Rule(TableCommand):
    """Rule as the arbiter: uphold, go back to an entry, answer a point, penalise, forfeit; always with a reason.

    `learned` is what the entries left behind by going back had told; None in logs of the days when rulings left it out.
    """

    verdict: Verdict
    reason: str
    dispute: Id = 0
    because: tuple[SectionRef, ...] = ()
    learned: tuple[str, ...] | None = None

    SEALS: ClassVar[bool] = False
    COMPUTED: ClassVar[tuple[str, ...]] = ("learned",)

    def goes_back(self) -> Id | None:
        """Return the entry gone to, when the verdict is to go back."""
        return self.verdict.to if isinstance(self.verdict, WentBack) else None

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse a ruling by another than the arbiter, on no dispute, without reason, or beyond the rulebook (LS-5)."""
        if seat != ARBITER:
            yield Refusal("not_the_arbiter", ("LS-5.2",), f"Only the arbiter rules, not {seat}.")
        if not self.reason.strip():
            yield Refusal("no_reason", ("LS-5.2",), "A ruling states its reason.")
        if self.dispute and all(dispute.id != self.dispute for dispute in now.table.disputes):
            yield Refusal(
                "no_such_dispute",
                ("LS-5.2",),
                f"No dispute {self.dispute} is open.",
                {"dispute": self.dispute},
            )
        for ref in self.because:
            if not now.rules.knows(ref):
                yield Refusal(
                    "no_such_section", ("LS-5.2",), f"{ref} is nowhere in the rulebook.", {"section": ref}
                )
        verdict = self.verdict
        if isinstance(verdict, WentBack) and not 1 <= verdict.to < now.entry:
            yield no_such_entry(verdict.to, now.entry, "LS-5.3")
        elif isinstance(verdict, Answered):
            yield from forbids_answer(now, verdict.point, verdict.answer)
        elif isinstance(verdict, Forfeited) and now.state.ended is not None:
            text = f"The game is over ({now.state.ended.how}); to change that, go back to an entry before its end."
            yield Refusal("game_over", ("LS-2.3",), text)
        elif isinstance(verdict, Penalised | Forfeited) and verdict.seat not in now.table.seats:
            yield Refusal(
                "no_such_seat", ("LS-5.3",), f"Nobody sits at {verdict.seat}.", {"seat": verdict.seat}
            )

    def _verdicts(self, table: Table) -> Iterator[Verdict]:
        """Yield what is ruled; who forfeits does so at each seat where he sits (LS-5.3, LS-1.6)."""
        verdict = self.verdict
        if not isinstance(verdict, Forfeited):
            yield verdict
            return
        seats = (verdict.seat,) if verdict.alone else table.seats_of(verdict.seat)
        for own in seats:
            if own == verdict.seat or own not in table.forfeited:
                yield Forfeited(own)

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the ruling; the open question is derived again."""
        dispute = self.dispute
        for verdict in self._verdicts(tale.table):
            tale.tell(Ruled(verdict, self.reason, dispute, because=self.because or ("LS-5.2",)))
            dispute = 0
        if isinstance(self.verdict, WentBack):
            learned = self.learned or ()
            tale.tell(HeadMoved(seat, learned=learned, reason=self.reason, because=("LS-5.3",)))
        tale.reopen()


class Correct(TableCommand, Generic[P]):
    """Set the position right as the arbiter, in the words of a position, with the reason."""

    reason: str
    facts: tuple[P, ...]

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse a correction by another than the arbiter, without a reason, or to what can't be (LS-6.1, LS-2.4)."""
        if seat != ARBITER:
            yield Refusal("not_the_arbiter", ("LS-6.1",), f"Only the arbiter corrects, not {seat}.")
        if not self.reason.strip():
            yield Refusal("no_reason", ("LS-6.1",), "A correction states its reason.")
        yield from forbids_position(now, now.state, self.facts, "LS-2.4")

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the reason and the set-up facts; the open question is derived again."""
        tale.tell(Corrected(self.reason, because=("LS-6.1",)))
        for fact in self.facts:
            tale.tell(fact)  # type: ignore[arg-type]
        tale.reopen()


class CallOff(TableCommand):
    """End the game as the arbiter before it ends by its rules: time is up, a round is lost; always with a reason.

    `winners` are whom the tournament's own rules name; nobody named means a draw.
    """

    reason: str
    winners: tuple[Seat, ...] = ()

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse an end by another than the arbiter, without reason, twice, or for who sits nowhere (LS-5.4)."""
        if seat != ARBITER:
            yield Refusal("not_the_arbiter", ("LS-5.4",), f"Only the arbiter calls a game off, not {seat}.")
        if not self.reason.strip():
            yield Refusal("no_reason", ("LS-5.4",), "Calling a game off states its reason.")
        if now.state.ended is not None:
            yield Refusal("game_over", ("LS-2.3",), f"The game is over already ({now.state.ended.how}).")
        for name in self.winners:
            if name not in now.table.seats:
                yield Refusal("no_such_seat", ("LS-5.4",), f"Nobody sits at {name}.", {"seat": name})

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the reason, then the end."""
        tale.tell(CalledOff(self.reason, because=("LS-5.4",)))
        tale.tell(GameEnded(self.winners, "called_off", because=("LS-5.4",)))


class RevealSeed(TableCommand):
    """Publish the committed seed of sealed dice, once the game is over."""

    seed: str

    SEALS: ClassVar[bool] = False

    def forbids(self, now: Moment[Any], seat: Seat) -> Iterator[Refusal]:
        """Refuse a seed before the end, one that is not the committed one, or to publish it twice (LS-4.4)."""
        if now.table.seed:
            yield Refusal("revealed_already", ("LS-4.4",), "The seed is published already.")
        if now.state.ended is None:
            yield Refusal(
                "game_goes_on", ("LS-4.4",), "The seed is revealed when the game is over, not before."
            )
        if sha256(self.seed.encode()).hexdigest() != now.table.commitment:
            yield Refusal(
                "wrong_seed", ("LS-4.4",), "This is not the seed that was committed to at the opening."
            )

    def tells(self, tale: Tale[Any], seat: Seat) -> None:
        """Tell the seed."""
        tale.tell(SeedRevealed(self.seed, because=("LS-4.4",)))


def table_commands(setup: Any) -> tuple[Any, ...]:
    """Return the commands of the table for a game, given the union of its set-up facts."""
    return (OpenGame[setup], MoveHead, Rule, Correct[setup], CallOff, RevealSeed)


def shared_facts(steps: Any) -> tuple[Any, ...]:
    """Return the facts that every game shares, given the union of a game's steps."""
    return (
        Rolled, CardDealt, Turned[steps], Corrected, Overlooked, BattleBegan, BattleEnded, GameEnded,
        GameOpened, HeadMoved, TakeBackProposed, TakeBackAgreed, TakeBackRefused, DisputeRaised, Ruled, CalledOff,
        SeedRevealed,
    )  # fmt: skip
