"""A line of a scoresheet judged as it stands: what the rules say of it at the moment that the sheet has come to.

Silence fills passes and forced choices. What is forbidden but can be told is told all the same; what can't be told is
left out; dice beyond those asked for are void. What a line may have been meant to be is another matter (`readings`).
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs

from core.deciding import Decision, Refused, decide
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Rule
from core.refusal import Refusal
from core.seats import CHANCE, is_player
from core.telling import Endless, Moment
from events.chance import Roll
from events.counting import plural
from events.event import Seat
from replay.sheets.arbiter import LATEST
from replay.sheets.by_itself import phases_passed, written_otherwise, written_out
from replay.sheets.claim_verdicts import judge_claims
from replay.sheets.filling import NOT_HEARD, Silence
from replay.sheets.holes import UNSEEN_DIE
from replay.sheets.playing import SheetPlay, asked_words
from replay.sheets.scoresheet import Claimed, Line, Said
from replay.sheets.unseen import names_unseen, unseen
from replay.sheets.verdicts import LAWFUL, UNKNOWABLE, UNLAWFUL, Verdict, sections_of
from replay.sheets.writing import write_faces, write_line
from replay.words.faults import close_to
from replay.words.names import unknown_words
from replay.words.nearest import nearest
from replay.words.wording import answers_to

__all__ = [
    "DISPUTED", "Heard", "answered", "are_on", "completed", "done_already", "heard", "is_about_dice", "is_unheard",
    "judge_plainly", "reach",
]  # fmt: skip

DISPUTED = "disputed"
"""The code of the refusal of what is done while a dispute is open."""


class Heard(Struct, frozen=True):
    """The silences after which a command is heard, the moment then, and what is decided."""

    given: tuple[Silence, ...]
    at: Moment[Any]
    result: Decision[Any] | Refused


def judge_plainly(play: SheetPlay, line: Line, following: Sequence[Line] = ()) -> Verdict:
    """Return the verdict on a line as it stands, having played it as far as it can be played."""
    now = play.now
    if isinstance(line, Claimed):
        verdict = judge_claims(play, line, following)
    else:
        assert isinstance(line, Said)  # noqa: S101 - a line says or claims
        command = completed(play, line.command)
        verdict = (
            _dice(play, line, command) if isinstance(command, AnswerRoll) else _said(play, line, command)
        )
    return answered(verdict, now)


def answered(verdict: Verdict, now: Moment[Any]) -> Verdict:
    """Return a verdict with the answers in force to the points that it cites."""
    answers = answers_to(now, verdict.sections)
    return structs.replace(verdict, answers=answers) if answers else verdict


def reach(play: SheetPlay, lines: Sequence[Line]) -> tuple[int, SheetPlay]:
    """Return how many of these lines from the first on are lawful as they stand, and how far that goes."""
    trial = play.twin()
    for place, line in enumerate(lines):
        so_far = trial.twin()
        if judge_plainly(trial, line, lines[place + 1 :]).verdict != LAWFUL:
            return place, so_far
    return len(lines), trial


def completed(play: SheetPlay, command: Any) -> Any:
    """Return a dispute or ruling with the entry that it is on, when the sheet did not number it."""
    if isinstance(command, RaiseDispute) and command.at == LATEST:
        return structs.replace(command, at=len(play.told))
    if isinstance(command, Rule) and command.dispute == LATEST:
        open_now = play.now.table.disputes
        return structs.replace(command, dispute=open_now[0].id if open_now else 0)
    return command


def heard(play: SheetPlay, seat: Seat, command: Any, phase: str = "") -> Heard:
    """Return how a command is heard: as things are, else after the silences that let it be heard; in a phase that it names.

    When silence never lets it be heard, what the question that is open now says of it stands.
    """
    first = result = _decided(play.now, seat, command, phase)
    at, given = play.now, list[Silence]()
    path = play.silences(seat)
    while isinstance(result, Refused) and is_unheard(result):
        silence = next(path, None)
        if silence is None:
            return Heard((), play.now, first)
        given.append(silence)
        at = silence.decision.after
        result = _decided(at, seat, command, phase)
    return Heard(tuple(given), at, result)


def _decided(now: Moment[Any], seat: Seat, command: Any, phase: str) -> Decision[Any] | Refused:
    """Decide a command at a moment; where it names a phase, only in that one is it heard."""
    open_now = getattr(now.state, "phase", "")
    if phase in ("", open_now):
        return decide(now, seat, command)
    because = command.when(now) or ("LS-2.1",)
    whose = now.question.seats[0] if now.question is not None and now.question.seats else seat
    return Refused(
        (Refusal("not_this_now", because, f"Open is the {open_now} phase of {whose}, not {phase}."),)
    )


def _said(play: SheetPlay, line: Said, command: Any) -> Verdict:
    """Judge a command; one that is forbidden is told where it can be told, else left out."""
    said = heard(play, line.seat, command, line.phase)
    if isinstance(said.result, Decision):
        play.begin_act()
        filled = play.give(said.given)
        verdict = _taken(play, line, command, said.result)
        play.left_out = play.overlooked = 0
        play.tell(line.seat, command, said.result)
        return structs.replace(
            verdict, entry=len(play.told), silences=filled, message=verdict.message or phases_passed(play)
        )
    done = done_already(play, line, command, after_silence=is_unheard(said.result))
    if done is not None:
        return done
    play.begin_act()
    overlooked = _overlooked(said.at, line.seat, command, said.result)
    verdict = _refused(play, line, command, said.at, said.result)
    if overlooked is None:
        if is_player(line.seat) and "done_otherwise" not in verdict.codes:
            play.left_out = play.left_out or line.number
            play.not_played = command
        return verdict
    play.left_out, play.overlooked = 0, line.number
    filled = play.give(said.given)
    play.tell(line.seat, command, overlooked)
    return structs.replace(verdict, told=True, entry=len(play.told), silences=filled)


def done_already(play: SheetPlay, line: Said, command: Any, *, after_silence: bool = True) -> Verdict | None:
    """Return that a line says what had been done by itself, noting it; None when it says nothing such."""
    if not is_player(line.seat) or play.now.table.disputes:
        return None
    done = written_out(play, line.seat, command, phase=line.phase, after_silence=after_silence)
    if done is None:
        return None
    return Verdict(line.number, line.text, LAWFUL, message=done.message, silences=done.silences)


def _taken(play: SheetPlay, line: Said, command: Any, decision: Decision[Any]) -> Verdict:
    """Return the verdict on a command that was decided: lawful, unless it names a card that nobody recorded."""
    before = unseen(play.now.state) if play.has_unseen and is_player(line.seat) else 0
    if not before or before <= unseen(decision.after.state) or names_unseen(command):
        return Verdict(line.number, line.text, LAWFUL)
    return Verdict(
        line.number,
        line.text,
        UNKNOWABLE,
        sections_of([fact.because for fact in decision.facts]),
        f"Whether {line.seat} held it can't be known: it would be one of {plural(before, 'card')} that nobody recorded.",
        "a card on record",
        line.text,
        codes=("card_unseen",),
    )


def _overlooked(at: Moment[Any], seat: Seat, command: Any, refused: Refused) -> Decision[Any] | None:
    """Return what a forbidden command causes when the table plays it all the same; None when it can't be told."""
    if not all(reason.waivable for reason in refused.reasons):
        return None
    try:
        told = decide(at, seat, command, overlook=True)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, AssertionError, Endless):
        return None
    return told if isinstance(told, Decision) else None


def _refused(play: SheetPlay, line: Said, command: Any, at: Moment[Any], refused: Refused) -> Verdict:
    """Return the verdict on a command that the rules refuse at a moment."""
    reasons = refused.reasons
    if is_unheard(refused):
        if line.seat == CHANCE:
            play.left_out = play.left_out or play.overlooked
            play.voided = line.number
        if play.waits_for_roll or (line.seat == CHANCE and play.hangs):
            return play.unjudged(line)
    own = written_otherwise(play, line.seat, command) if is_unheard(refused) else None
    if own is not None:
        return _not_so(play, line, refused, own)
    unknown = all(reason.code == UNKNOWABLE for reason in reasons)
    strange = "" if line.seat == CHANCE else unknown_words(play.rules, command)
    near: list[str | None] = []
    if line.seat != CHANCE:
        near = [write_line(play.rules, *one) for one in nearest(at, line.seat, command)]
    elif isinstance(command, Deal) and at.question is not None and at.question.draw is not None:
        near += [f"card: {card}" for card in close_to(command.card, at.state.agenda[-1].step.pool(at))]
    return Verdict(
        line.number,
        line.text,
        UNKNOWABLE if unknown else UNLAWFUL,
        sections_of([reason.because for reason in reasons]),
        " ".join(filter(None, dict.fromkeys((*(reason.text for reason in reasons), strange)))),
        asked_words(at),
        line.text,
        tuple(text for text in near if text),
        _codes(reasons),
        told=False,
    )


def _not_so(play: SheetPlay, line: Said, refused: Refused, own: Any) -> Verdict:
    """Return the verdict on a line that says otherwise what the rules did by themselves, for they left no choice."""
    right = write_line(play.rules, line.seat, own) or ""
    return Verdict(
        line.number,
        line.text,
        UNLAWFUL,
        sections_of([reason.because for reason in refused.reasons]),
        f"The rules left {line.seat} no choice: `{right}` was done by itself.",
        right,
        line.text,
        (right,),
        ("done_otherwise",),
        told=False,
    )


def _dice(play: SheetPlay, line: Said, command: AnswerRoll) -> Verdict:
    """Judge dice: those beyond the ones asked for are void, in the order written; too few are not taken."""
    play.begin_act()
    said = heard(play, CHANCE, command)
    asked = said.at.question
    roll = asked.roll if asked is not None else None
    if isinstance(said.result, Decision) or roll is None or asked is None or not is_about_dice(said.result):
        return _said(play, line, command)
    if play.waits_for_roll:
        return play.unjudged(line)
    reasons = said.result.reasons
    faces = command.faces[: roll.count]
    holes = UNSEEN_DIE in faces and UNSEEN_DIE not in play.rules.all_dice[roll.die]
    if holes and len(command.faces) == roll.count and are_on(faces, play.rules.all_dice[roll.die]):
        verdict = _unseen_dice(line, command, roll, asked.because or ("LS-4.1",))
    else:
        because = [asked.because or ("LS-4.1",)]
        if len(command.faces) == roll.count:
            because = [reason.because for reason in reasons]
        verdict = Verdict(
            line.number,
            line.text,
            UNLAWFUL,
            sections_of(because),
            " ".join(reason.text for reason in reasons if not (holes and f"'{UNSEEN_DIE}'" in reason.text)),
            f"{roll.count} {roll.die}",
            f"{len(command.faces)} {roll.die}: {write_faces(command.faces)}",
            codes=_codes(reasons),
            told=False,
        )
    counted = AnswerRoll(faces)
    taken = decide(said.at, CHANCE, counted) if len(command.faces) > roll.count else said.result
    filled = play.give(said.given)
    if isinstance(taken, Decision):
        play.left_out = play.overlooked = 0
        play.voided = line.number
        play.tell(CHANCE, counted, taken)
        return structs.replace(
            verdict,
            message=f"{verdict.message} {_void(command, roll)}",
            alternatives=(f"dice: {write_faces(faces)}",),
            told=True,
            entry=len(play.told),
            silences=filled,
        )
    play.miss_roll(line, command)
    return structs.replace(verdict, silences=filled)


def are_on(faces: Sequence[Any], die: Sequence[Any]) -> bool:
    """Return whether a die has all these faces, but for dice that nobody saw."""
    return all(face in die for face in faces if face != UNSEEN_DIE)


def _unseen_dice(line: Said, command: AnswerRoll, roll: Roll, because: tuple[str, ...]) -> Verdict:
    """Return the verdict on dice of which the sheet says that nobody saw them all."""
    lost = command.faces.count(UNSEEN_DIE)
    return Verdict(
        line.number,
        line.text,
        UNKNOWABLE,
        because,
        f"{lost} of the {roll.count} {roll.die} of {roll.owner} for {roll.purpose} nobody saw.",
        f"{roll.count} {roll.die}",
        f"{roll.count} {roll.die}: {write_faces(command.faces)}",
        codes=("die_unseen",),
        told=False,
    )


def is_unheard(refused: Refused) -> bool:
    """Return whether a refusal says only that something else is asked now."""
    return any(reason.code in NOT_HEARD for reason in refused.reasons)


def is_about_dice(refused: Refused) -> bool:
    """Return whether dice were asked for, and only these are not the right ones."""
    return all(reason.code in ("wrong_dice_count", "no_such_face") for reason in refused.reasons)


def _codes(reasons: Sequence[Refusal]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.code for reason in reasons))


def _void(command: AnswerRoll, roll: Roll) -> str:
    void = command.faces[roll.count :]
    return f"The last {write_faces(void)} {'is' if len(void) == 1 else 'are'} void."
