"""A typed line played: cut into its moves, with the silences before them that are a matter of course, and phases guarded.

Silence is filled in only where one seat passes, or takes what is left to it, and nothing ends by it; it is said.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from msgspec import structs

from core.deciding import Decision, decide, unasked
from core.deciding import Refused as Forbidden
from core.kit.table import TableCommand
from core.refusal import small_words
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.entry import SealedCommand, UnrecognisedCommand
from events.event import Seat
from events.play import Turned
from replay.cli.eyes import Eyes
from replay.cli.shorter import parts_of, phase_of
from replay.cli.told import entry_plain
from replay.cli.trouble import DIVERGED, Refusing, Trouble
from replay.dice import chance_waits
from replay.hearing import known_to, own_key, stale
from replay.history import AnyEntry
from replay.outcomes import Overtaken
from replay.session import Refused, Session
from replay.sheets.filling import NOT_HEARD, Silence, ends, silences

__all__ = ["Played", "Talk", "moves_of", "refusing", "submit"]

MOST_BACK = 3
"""So many entries back it is looked for what went on by itself."""


@dataclass(frozen=True)
class Played:
    """An entry that a line caused, and whether silence did: nobody typed it."""

    entry: AnyEntry
    silent: bool = False


def moves_of(session: Session, line: str) -> tuple[str, ...]:
    """Return the moves of a line: parted by `;`, or one for each place where a move of one place names several.

    What quotes something, or is said in prose to the arbiter or by him, is one; and while a dispute is open he alone speaks.
    """
    if (
        '"' in line
        or session.now.table.disputes
        or re.match(r"\s*(arbiter\s*:|(\w+\s*:)?\s*dispute\b)", line)
    ):
        return (line,)
    moves: list[str] = []
    for part in filter(None, (part.strip() for part in line.split(";"))):
        seat, colon, rest = (each.strip() for each in part.rpartition(":"))
        named = parts_of(session.rules, rest)
        moves.append(f"{seat}{colon} {named[0]}".strip())
        moves.extend(named[1:])
    return tuple(moves) or (line,)


@dataclass
class Talk:
    """What is typed one line after the other; who spoke last, and which phase the last line ended without saying so."""

    seen: Eyes
    careful: bool = False
    """Whether even a seat that is named must say which phase it ends, when the one before ended by itself."""
    seat: Seat = ""
    ended: str = ""

    def play(self, line: str, **more: Any) -> Iterator[Played]:
        """Play the moves of a line and yield what each caused; raise at the first that is not played, as `said` and `submit`."""
        for move in moves_of(self.seen.session, line):
            yield from self._played(move, more)

    def _played(self, move: str, more: dict[str, Any]) -> Iterator[Played]:
        session = self.seen.session
        session.refresh()
        seat, command = self.seen.said(move)
        while True:
            silent = () if any(more.values()) else self._silences(seat, command, move)
            now = silent[-1].decision.after if silent else self.seen.now
            self._guard(now, seat, command, move)
            phase, last = phase_of(session.now), session.head.id
            whose = silent[0].seat if silent else seat
            asked = self._asked(whose)
            try:
                for silence in silent:
                    for entry in submit(self.seen, silence.seat, silence.command, "", upon=session.head):
                        yield Played(entry, silent=True)
                    whose, asked = seat, self._asked(seat)
                # What is said to the table is about what was read, whatever is played meanwhile.
                looked = None if isinstance(command, TableCommand) else session.head
                for entry in submit(self.seen, seat, command, move, upon=looked, **more):
                    yield Played(entry)
                break
            except Overtaken:
                self._still_asked(whose, command, asked, move)
                seat, command = self.seen.said(move)
        self.seat = seat if is_player(seat) else self.seat
        by_itself = not _ends_by_name(command) and any(
            _ended(session, entry) for entry in session.entries[last:]
        )
        self.ended = phase if by_itself and phase_of(session.now) != phase else ""

    def _asked(self, seat: Seat) -> tuple[str, ...]:
        """Return the names of the questions that are open to a seat."""
        return tuple(
            opened.name(seat) for opened, question in self.seen.now.questions() if seat in question.seats
        )

    def _still_asked(self, seat: Seat, command: Any, asked: tuple[str, ...], move: str) -> None:
        """Raise `Refusing` when others have answered, meanwhile, all that was asked when a move was read (LS-2.2)."""
        session, reader = self.seen.session, self.seen.reader
        refused = [stale(session.history, seat, command, question, reader) for question in asked]
        if refused and all(each is not None and each.stale for each in refused):
            raise refusing(session, refused[0], move)  # type: ignore[arg-type]

    def _silences(self, seat: Seat, command: Any, move: str) -> tuple[Silence, ...]:
        """Return the silences after which a command is heard; nothing where it is heard now, or none leads to it."""
        now = self.seen.now
        if seat == CHANCE:
            if chance_waits(now) or now.table.dice != "typed":
                return ()
            found = self._through(now, chance_waits)
            if found:
                self.seen.give(found[-1].decision.after, move)
            decided = decide(found[-1].decision.after, CHANCE, command) if found else None
            if isinstance(decided, Forbidden):
                told = tuple(
                    one for one in decided.reasons if self.seen.may_hear_of(CHANCE) or not one.secret
                )
                raise Refusing(told or (known_to(CHANCE),), self.seen.session.rules.rulebook, said=move)
            return found
        if not is_player(seat):
            return ()
        decided = decide(now, seat, command)
        if isinstance(decided, Decision) or not all(one.code in NOT_HEARD for one in decided.reasons):
            return ()
        return self._through(now, lambda then: isinstance(decide(then, seat, command), Decision))

    def _through(self, now: Moment[Any], reached: Callable[[Moment[Any]], bool]) -> tuple[Silence, ...]:
        given: list[Silence] = []
        for silence in takewhile(self._goes_without_saying, silences(now)):
            given.append(silence)
            if reached(silence.decision.after):
                return tuple(given)
        return ()

    def _goes_without_saying(self, silence: Silence) -> bool:
        mine = self.seen.who in (ARBITER, silence.seat)
        return mine and not silence.ends and len(silence.asked) == 1 and not silence.decision.command_to

    def _guard(self, now: Moment[Any], seat: Seat, command: Any, move: str) -> None:
        """Raise `Trouble` where a phase would end that is not the one that who types has in mind (QD-4.1 of any game)."""
        phase, words = phase_of(now), move.lower().split()
        if not _ends_by_name(command) or phase.lower() in words:
            return
        decided = decide(now, seat, command)
        if isinstance(decided, Forbidden) or not ends(now, decided):
            return
        stated = ":" in move
        if self.ended and (self.careful or not stated):
            why = f"The {self.ended} phase has ended by itself with the line before"
        elif not stated and self.seat not in ("", seat):
            why = f"It is the turn of {seat} now, and {self.seat} spoke last"
        else:
            return
        raise Trouble(
            f"{why}; open now is the {phase} phase of {seat}, and `end {phase}` ends that.",
            code=DIVERGED,
            kind="which_phase",
            phase=phase,
            seat=seat,
        )


def _ends_by_name(command: Any) -> bool:
    return small_words(type(command)).startswith("end ")


def _ended(session: Session, entry: AnyEntry) -> bool:
    """Return whether an entry ended the lowest step that was open before it: a phase, a turn."""
    before = session.history.decided_on(entry.id).state.agenda
    turned = entry.facts[-1] if entry.facts else None
    return isinstance(turned, Turned) and bool(before) and turned.done >= len(before)


def submit(seen: Eyes, seat: Seat, command: Any, line: str, *, key: str = "", **more: Any) -> tuple[Any, ...]:
    """Submit a command and return the entries it caused; raise `Refusing` with every reason that these eyes may read.

    A `key` is one of the seat whose eyes these are (LS-2.5).
    """
    session, openly = seen.session, not seen.may_hear_of(seat)
    answer = session.submit(seat, command, openly=openly, key=own_key(seen.me, key), **more)
    if isinstance(answer, Refused):
        answer = _of_dice(answer) if seat == CHANCE else _done_already(session, seat, command, answer)
        raise refusing(session, answer, line)
    return answer.entries


def _done_already(session: Session, seat: Seat, command: Any, answer: Refused) -> Refused:
    """Return a refusal of what the rules have just done by themselves with the entry that did it: nothing is left to say.

    Only of entries in which everything is open to everybody.
    """
    if not is_player(seat) or not all(reason.code in NOT_HEARD for reason in answer.reasons):
        return answer
    for at in reversed(session.history.line(session.head.id)[-MOST_BACK:]):
        entry = session.entries[at - 1]
        before = session.history.decided_on(entry.id)
        told = decide(before, entry.seat, entry.command) if _is_open(entry) else None
        if not isinstance(told, Decision) or any(told.audiences):
            break
        if any(
            (one.seat, one.command) == (seat, command) for one in unasked(before, entry.seat, entry.command)
        ):
            text = (
                f"Entry {entry.id} did that by itself, for the rules left no choice. {answer.reasons[0].text}"
            )
            return replace(
                answer, reasons=(structs.replace(answer.reasons[0], text=text), *answer.reasons[1:])
            )
    return answer


def _is_open(entry: AnyEntry) -> bool:
    return not isinstance(entry.command, SealedCommand | UnrecognisedCommand)


def _of_dice(answer: Refused) -> Refused:
    """Return a refusal of dice in the words of who rolled them: it is not a person called chance who must wait."""
    dull = f"{CHANCE} is not asked now"
    reasons = tuple(
        structs.replace(reason, text=reason.text.replace(dull, "No dice and no card are asked for now"))
        for reason in answer.reasons
    )
    return replace(answer, reasons=reasons)


def refusing(session: Session, answer: Refused, line: str = "") -> Refusing:
    """Return a session's refusal as what a command ends with."""
    more: dict[str, Any] = {}
    if answer.stale:
        more["stale"] = True
        more["since"] = [entry_plain(session.rules, entry) for entry in answer.since]
    if answer.learned or answer.needed:
        more |= {"learned": answer.learned, "needed": answer.needed}
    answers = session.now.table.answers
    return Refusing(answer.reasons, session.rules.rulebook, said=line, answers=answers, **more)
