"""A scoresheet in play: the moment reached, the entries so far, and the facts since the last claim."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from core.deciding import Decision, Unasked, decide, opening, unasked
from core.kit.chance import AnswerRoll
from core.kit.table import Rule
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import FactData, Seat
from events.table import Upheld
from replay.sheets.claims import Tally, counted
from replay.sheets.filling import Silence, ends, silences, still_open
from replay.sheets.position import check_position
from replay.sheets.scoresheet import BadSheet, Line, Sheet
from replay.sheets.unseen import names_unseen
from replay.sheets.verdicts import ASSUMED, UNKNOWABLE, Told, Verdict
from replay.sheets.writing import write_line
from replay.words.faults import Fault

__all__ = ["SheetPlay", "asked_words"]


class SheetPlay:
    """A sheet in play."""

    def __init__(self, sheet: Sheet) -> None:
        """Open the game; raise `BadSheet` when the rules refuse it."""
        self.rules = sheet.rules
        self.told: list[Told] = []
        self.since: list[FactData] = []
        """The facts since the last claim; claims that stand together in a sheet are one."""
        self.since_at = 0
        """The place in `told` where those facts begin."""
        self.claimed: dict[Tally, int] = {}
        """How many the tallies say that stand together here, each with no number of its own."""
        self.counted: dict[Tally, int] = {}
        """How many earlier tallies have counted of the facts since the last claim, or of such as are still to be told."""
        self.counted_from: list[tuple[int, dict[Tally, int]]] = []
        """The places in `told` from which facts were counted anew, each with what was counted ahead there."""
        self.silent: list[int] = []
        """The places in `told` of what silence filled in."""
        self.was_claimed = False
        self.now: Moment[Any] = opening(sheet.rules)
        self.spoke: frozenset[Seat] = frozenset()
        """The seats that have spoken since another ended a phase: only their turns may end in silence."""
        self._shared = ""
        self._said_at = 0
        """The place in `told` of the last act or roll of the sheet."""
        self._unasked: Mapping[int, tuple[Unasked[Any], ...]] = {}
        """What went on by itself, by the place in `told` after which it did: of that act, and of silence after it."""
        self._spelled: frozenset[tuple[int, int]] = frozenset()
        """Which of it the sheet has written down: the place in `told`, and which it was there."""
        self.left_out = 0
        """The line of an act that could not be played, as long as none was played after it; 0: none."""
        self.not_played: Any = None
        """The act that was left out last."""
        self.overlooked = 0
        """The line of the act before this one, when the rules forbid it and it was played all the same; 0: none."""
        self.has_unseen = False
        """Whether a card was dealt, or set up, that nobody recorded."""
        self._missed = ("", 0, AnswerRoll(()))
        self.guessed: list[tuple[int, AnswerRoll]] = []
        """The places in `told` of rolls that were assumed, each with the dice of it that were written."""
        self.voided = 0
        """The line of the last dice of which some were void; 0: none."""
        self.ruled: SheetPlay | None = None
        """The game by the rules, where this one follows what a table recorded, as long as the lines fit both."""
        self.astray = 0
        """The line since which this game follows what the table recorded; 0: it never left the rules."""
        command = sheet.position.command(sheet.name)
        opened = None if check_position(sheet.position) else decide(self.now, ARBITER, command)
        if not isinstance(opened, Decision):
            raise BadSheet(_flaws(sheet))
        self.tell(ARBITER, command, opened)
        self._count_anew()

    def twin(self) -> "SheetPlay":
        """Return the same play, to go on with apart from this one."""
        twin = copy(self)
        twin.told, twin.since, twin.silent = list(self.told), list(self.since), list(self.silent)
        twin.guessed = list(self.guessed)
        twin.claimed, twin.counted = dict(self.claimed), dict(self.counted)
        twin.ruled = self.ruled.twin() if self.ruled is not None else None
        return twin

    def back_at(self, place: int) -> "SheetPlay":
        """Return a twin that has come only as far as before this place in `told`."""
        twin = self.twin()
        del twin.told[place:]
        twin.silent = [at for at in self.silent if at < place]
        twin.guessed = [(at, written) for at, written in self.guessed if at < place]
        twin.now = twin.told[-1].decision.after
        twin.since = [fact for told in twin.told[self.since_at :] for fact in told.facts]
        twin.since_at = min(self.since_at, place)
        twin.said_at(min(self._said_at, place - 1))
        return twin

    def from_claim(self, upto: int) -> "SheetPlay":
        """Return a twin that has come only to where facts were counted anew last, with no more than `upto` told."""
        place, counted_ahead = [one for one in self.counted_from if one[0] <= upto][-1]
        twin = self.back_at(place)
        twin.since, twin.since_at, twin.was_claimed = [], place, False
        twin.claimed, twin.counted = {}, dict(counted_ahead)
        return twin

    def tally(self, claim: Tally, since: Sequence[FactData] | None = None) -> int:
        """Return how many a tally should say by the facts since the last claim: each is counted by one claim only."""
        told = counted(claim, self.since if since is None else since)
        return max(0, told - self.counted.get(_about(claim), 0))

    def note(self, claim: Tally, count: int) -> None:
        """Note that a tally has counted so many: those told of, and those whose dice have fallen."""
        self.was_claimed = True
        self.claimed[_about(claim)] = max(count, self.claimed.get(_about(claim), 0))

    def part(self) -> None:
        """Note that what is claimed from here on counts none of what was claimed so far."""
        for about, count in self.claimed.items():
            self.counted[about] = self.counted.get(about, 0) + count
        self.claimed.clear()

    def _count_anew(self) -> None:
        self.part()
        told = {about: count - counted(about, self.since) for about, count in self.counted.items()}
        self.counted = {about: count for about, count in told.items() if count > 0}
        self.since.clear()
        self.since_at = len(self.told)
        self.counted_from = [*self.counted_from, (self.since_at, dict(self.counted))]

    def tell(self, seat: Seat, command: Any, decision: Decision[Any], actor: str = "") -> None:
        """Append what a seat said, and go on from the moment after it."""
        if is_player(seat):
            self.spoke = (self.spoke if not ends(self.now, decision) else frozenset()) | {seat}
        if is_player(seat) or seat == CHANCE:
            self.said_at(len(self.told))
        self._append(seat, command, decision, actor)

    def said_at(self, place: int) -> None:
        """Note where in `told` the last act of the sheet is; what went on by itself before it is not written any more."""
        self._said_at, self._unasked, self._spelled = place, {}, frozenset()

    def unsaid(self) -> Iterator[tuple[int, int, Unasked[Any]]]:
        """Yield what went on by itself since the last act of the sheet and is not written: where in `told`, and which."""
        for at in range(self._said_at, len(self.told)):
            if at not in self._unasked:
                told = self.told[at]
                before = self.told[at - 1].decision.after if at else opening(self.rules)
                self._unasked = {**self._unasked, at: unasked(before, told.seat, told.command)}
            for place, one in enumerate(self._unasked[at]):
                if (at, place) not in self._spelled:
                    yield at, place, one

    def spell_out(self, seat: Seat, at: int, place: int) -> None:
        """Note that a seat has written down what went on by itself."""
        self._spelled |= {(at, place)}
        self.spoke |= {seat}

    def _append(self, seat: Seat, command: Any, decision: Decision[Any], actor: str = "") -> None:
        self.told.append(Told(seat, command, decision, "typed" if seat == CHANCE else "", actor))
        if not is_player(seat):
            self.has_unseen = self.has_unseen or names_unseen(command)
        self.since += decision.facts
        self._shared = still_open(self.now, decision)
        self.now = decision.after

    def give(self, given: Iterable[Silence]) -> tuple[str, ...]:
        """Append silences; return them as lines of a sheet."""
        lines = []
        for silence in given:
            lines.append(write_line(self.rules, silence.seat, silence.command))
            if silence.ends:
                self.spoke &= {silence.seat}
            self.silent.append(len(self.told))
            self._append(silence.seat, silence.command, silence.decision)
        return tuple(line for line in lines if line)

    def silences(self, speaker: Seat = "") -> Iterator[Silence]:
        """Yield the silences that can follow from now, with somebody about to speak."""
        return silences(self.now, speaker, self.spoke, self._shared)

    def begin_act(self) -> None:
        """Note that the sheet goes on with an act: what was claimed before it is told and done with."""
        if self.was_claimed:
            self._count_anew()
            self.was_claimed = False

    def guess(self, written: AnswerRoll, roll: AnswerRoll) -> bool:
        """Tell a roll that is asked for and was not wholly written down; return whether it could be told."""
        decision = decide(self.now, CHANCE, roll)
        if not isinstance(decision, Decision):
            return False
        self.left_out = self.overlooked = 0
        self.guessed.append((len(self.told), written))
        self.tell(CHANCE, roll, decision, ASSUMED)
        return True

    def uphold(self) -> bool:
        """Tell that the arbiter upheld what is disputed, as nobody wrote; return whether all disputes are closed so."""
        for dispute in self.now.table.disputes:
            decision = decide(
                self.now, ARBITER, Rule(Upheld(), "nothing was ruled, and the table played on", dispute.id)
            )
            if not isinstance(decision, Decision):
                return False
            self.tell(
                ARBITER,
                Rule(Upheld(), "nothing was ruled, and the table played on", dispute.id),
                decision,
                ASSUMED,
            )
        return not self.now.table.disputes

    def miss_roll(self, line: Line, written: AnswerRoll) -> None:
        """Note that the dice of a line were not taken: the roll that is asked for now is still owed."""
        self._missed = (self.now.state.agenda[-1].name(CHANCE), line.number, written)

    @property
    def missed(self) -> AnswerRoll:
        """The dice that were written of the roll that is still owed."""
        return self._missed[2]

    @property
    def status(self) -> tuple[Any, ...]:
        """What decides, beside the moment and the facts since the last claim, how the next lines are judged."""
        ruled = self.ruled.now.state if self.ruled is not None else None
        return (
            self.left_out, self.overlooked, self.was_claimed, self.spoke, self._shared, self.waits_for_roll, self.missed,
            self.astray, self.voided, ruled, len(self.told) - self._said_at, len(self._spelled),
            sorted(self.claimed.items(), key=repr), sorted(self.counted.items(), key=repr),
        )  # fmt: skip

    @property
    def waits_for_roll(self) -> bool:
        """Whether the roll is still owed whose dice were not taken."""
        agenda = self.now.state.agenda
        return bool(agenda and self._missed[0]) and agenda[-1].name(CHANCE) == self._missed[0]

    @property
    def hangs(self) -> bool:
        """Whether what follows hangs on something that was not played."""
        return bool(self.left_out) or self.waits_for_roll

    def unjudged(self, line: Line, recorded: str = "") -> Verdict:
        """Return the verdict on a line that hangs on a roll that was not taken, or on an act that was left out."""
        if self.waits_for_roll:
            why, code = f"The roll of line {self._missed[1]} was not taken", "roll_missing"
        else:
            why, code = f"Line {self.left_out} is not lawful", "act_missing"
        return Verdict(
            line.number,
            line.text,
            UNKNOWABLE,
            (self.now.question.because if self.now.question is not None else ()) or ("LS-2.1",),
            f"{why}; what hangs on it can't be judged.",
            asked_words(self.now),
            recorded or line.text,
            codes=(code,),
            told=False,
        )


def _about(claim: Tally) -> Tally:
    """Return what a tally counts, without its number."""
    return replace(claim, count=0)


def _flaws(sheet: Sheet) -> list[Fault]:
    return [
        Fault(
            flaw.text,
            f"a game that can be opened ({', '.join(flaw.because)})",
            path=sheet.path,
            line=sheet.opened_at,
        )
        for flaw in check_position(sheet.position)
    ]


def asked_words(now: Moment[Any]) -> str:
    """Return what is asked at a moment, in words."""
    asked = now.question
    if now.state.ended is not None:
        return f"nothing: the game is over ({now.state.ended.how})"
    if now.table.disputes:
        dispute = now.table.disputes[0]
        return f"arbiter: a ruling on the dispute of entry {dispute.at}; nobody else is asked until then"
    if asked is None:
        return "nothing"
    if asked.roll is not None:
        return f"dice: {asked.roll.count} {asked.roll.die} of {asked.roll.owner} for {asked.roll.purpose}"
    if asked.draw is not None:
        return f"card: one of {asked.draw.deck} for {asked.draw.to}"
    return f"{' and '.join(asked.seats)}: {asked.prompt or asked.kind}"
