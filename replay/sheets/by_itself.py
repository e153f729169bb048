"""What the rules did by themselves, for they left no choice, and a table wrote down all the same.

Losses that are all there is, gold for the only kingdom, nothing to declare, a phase in which nothing can be done: nobody
need write them, and who does is not wrong. Each may be written once, before the next act of the sheet.
"""

from typing import Any

from msgspec import Struct

from core.deciding import Unasked, unasked
from core.rules import Command
from events.event import Seat
from replay.sheets.filling import Silence, ends
from replay.sheets.playing import SheetPlay
from replay.words.grammar import verb_of

__all__ = ["WrittenOut", "is_bare", "phases_passed", "written_otherwise", "written_out"]


class WrittenOut(Struct, frozen=True):
    """A line that says what had been done: what that was, and the lines that silence fills in before it."""

    what: Unasked[Any]
    silences: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """What the verdict on it says."""
        phase = _phase(self.what)
        if _ends_phase(self.what.command) and phase:
            return f"The {phase} phase had ended by itself: nothing could be done in it any more."
        return "It had been done by itself: the rules left no choice."


def written_out(
    play: SheetPlay, seat: Seat, command: Command[Any], *, phase: str = "", after_silence: bool = True
) -> WrittenOut | None:
    """Note that what went on by itself was written down, and return what it was; None when nothing such did.

    What goes on by itself `after_silence` counts, too; but nobody ends a phase that only silence has come to. What ends
    a `phase` by its name is about that one alone.
    """
    for at, place, one in play.unsaid():
        if (one.seat, one.command) == (seat, command) and phase in ("", _phase(one)):
            play.spell_out(seat, at, place)
            return WrittenOut(one)
    if not after_silence or _ends_phase(command):
        return None
    given: list[Silence] = []
    now = play.now
    for silence in play.silences(seat):
        given.append(silence)
        for place, one in enumerate(unasked(now, silence.seat, silence.command)):
            if (one.seat, one.command) == (seat, command):
                lines = play.give(given)
                play.spell_out(seat, len(play.told) - 1, place)
                return WrittenOut(one, lines)
        now = silence.decision.after
    return None


def written_otherwise(play: SheetPlay, seat: Seat, command: Command[Any]) -> Command[Any] | None:
    """Return what a seat did by itself in other words than these, as when it lost another number; None without such."""
    if is_bare(command):
        return None
    return next(
        (
            one.command
            for _, _, one in play.unsaid()
            if one.seat == seat and type(one.command) is type(command) and not is_bare(one.command)
        ),
        None,
    )


def phases_passed(play: SheetPlay) -> str:
    """Return a sentence on the phases that the last act has passed over, for nothing could be done in them; or nothing."""
    told = play.told[-1]
    if not ends(play.told[-2].decision.after, told.decision):
        return ""
    passed = [
        _phase(one) for _, _, one in play.unsaid() if _ends_phase(one.command) and one.seat == told.seat
    ]
    own = getattr(play.told[-2].decision.after.state, "phase", "")
    over = "The phase is over: nothing more can be done in it. " if own in passed else ""
    skipped = ", ".join(phase for phase in passed if phase and phase != own)
    return f"{over}{f'Skipped, for there is nothing to choose in it: {skipped}.' * bool(skipped)}".strip()


def is_bare(command: Command[Any]) -> bool:
    """Return whether a command says no more than its verb: every field holds what it holds when it is left out."""
    defaults = dict(
        zip(reversed(command.__struct_fields__), reversed(command.__struct_defaults__), strict=False)
    )
    return all(
        name in defaults and getattr(command, name) == defaults[name] for name in command.__struct_fields__
    )


def _ends_phase(command: Command[Any]) -> bool:
    return verb_of(type(command)).startswith("end ")


def _phase(one: Unasked[Any]) -> str:
    return str(getattr(one.state, "phase", ""))
