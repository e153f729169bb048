"""Whether a log is fair: its sealed dice follow from the committed seed, and all say where they come from."""

from collections.abc import Iterator
from typing import Any

from core.kit.chance import AnswerRoll, Deal
from core.seats import CHANCE
from events.counting import plural
from events.entry import SealedCommand
from replay.dice import commitment, numbers, picked
from replay.history import AnyEntry
from replay.verifying.comparing import plain_words
from replay.verifying.judging import Judge
from replay.verifying.report import Answer, Finding, answered

__all__ = ["fairness"]

_SAID = {
    "typed": "people typed what they rolled",
    "live": "the system's generator rolled",
    "scripted": "they follow a script",
}


def fairness(judge: Judge | None, seed: str | None, *, every: bool) -> Answer:
    """Return whether the rolls of a judged log are fair; None where nothing can be proved.

    The rolls that a what-if copied are its original's affair; that they are not checked is said.
    """
    if judge is None:
        return Answer(None, "cannot be known: the rules of this game are not at hand")
    table = judge.history.now.table
    start = table.branch
    copied = sum(map(_is_roll, judge.history.entries[: start.entry])) if start is not None else 0
    own = judge.history.entries[start.entry if start is not None else 0 :]
    by_chance = [entry for entry in own if entry.seat == CHANCE or entry.source]
    rolls = [entry for entry in by_chance if _is_roll(entry)]
    findings = [finding for entry in by_chance for finding in _source(judge, entry)]
    seed = seed or table.seed
    proved = 0
    told = plural(len(rolls), "roll")
    if table.dice == "sealed" and seed and commitment(seed) != table.commitment:
        found, expected = f"the seed of {commitment(seed)}", f"the seed of {table.commitment}"
        findings.insert(0, Finding("fair", 1, "", "seed", ("LS-4.4",), found, expected))
        said = ""
    elif not rolls:
        said = "nothing to prove: no dice have fallen"
    elif table.dice != "sealed":
        said = f"nothing can be proved of {told}: {_SAID.get(table.dice, table.dice)}"
    elif not seed and judge.history.now.state.ended is not None:
        said = f"not proved of {told}: the game is over, and the seed that was committed to is not revealed (LS-4.4)"
    elif not seed:
        said = f"cannot be known yet of {told}: the seed is not revealed"
    else:
        for entry in rolls:
            follows, wrong = _follows(judge, entry, seed)
            proved += follows
            findings += wrong
        kept = "nothing can be proved"
        if proved:
            kept = "yes" if proved == len(rolls) and not copied else "in part"
        said = f"{kept}: {proved} of {plural(len(rolls), 'roll follows', 'rolls follow')} from the seed that was committed to"
    if start is not None and copied:
        said += f"; {plural(copied, 'roll')} up to entry {start.entry} {'is' if copied == 1 else 'are'} {start.game}'s, and not checked here"
    findings.sort(key=lambda finding: finding.entry)
    if findings:
        return answered(False, f"no: {findings[0].words()}", findings, every=every)
    return Answer(True if proved and proved == len(rolls) and not copied else None, said)


def _is_roll(entry: AnyEntry) -> bool:
    return entry.seat == CHANCE and isinstance(entry.command, AnswerRoll | Deal | SealedCommand)


def _source(judge: Judge, entry: AnyEntry) -> Iterator[Finding]:
    """Yield that an entry does not say of its dice what the opening promised (LS-4.5)."""
    table = judge.history.moments[entry.id - 1].table
    promised = table.dice if _is_roll(entry) else ""
    if promised == "sealed" and table.seed:
        promised = "live"  # a published seed would foretell the roll
    if not entry.source and promised != "sealed" and _needed_no_source(judge):
        return
    if entry.source != promised:
        found, expected = f"source {entry.source or 'none'}", f"source {promised or 'none'}"
        yield Finding("fair", entry.id, entry.seat, "source", ("LS-4.5",), found, expected)


def _needed_no_source(judge: Judge) -> bool:
    """Return whether a log was recorded under a revision in which a roll did not have to say where it came from."""
    return judge.rules.rulebook.changed_since(judge.history.now.table.revision, ("LS-4.5",)) is not None


def _follows(judge: Judge, entry: AnyEntry, seed: str) -> tuple[bool, list[Finding]]:
    """Return whether a sealed roll is proved by the seed, and what is wrong with it."""
    base: Any = judge.history.decided_on(entry.id)
    asked = base.question
    if entry.source != "sealed" or isinstance(entry.command, SealedCommand) or asked is None:
        return False, []
    if asked.roll is None and (asked.draw is None or judge.is_blind(entry.parent)):
        return False, []
    expected = picked(base, numbers(seed, base.table.id, entry.id))
    if entry.command == expected:
        return True, []
    told = plain_words(entry.command), plain_words(expected)
    return False, [Finding("fair", entry.id, entry.seat, "dice", ("LS-4.4",), *told)]
