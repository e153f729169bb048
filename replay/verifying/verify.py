"""Verify a log: is it whole, is it lawful, is it fair? Three questions, answered apart."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from core import games
from core.rules import Rules
from events.chain import Break, Head, check_chain, hash_of
from events.codec import BadLine, Codec, WrongOpening, opened_game
from events.counting import plural
from events.entry import SealedCommand
from events.play import Sealed
from events.seals import COMMAND, Opening, opens
from events.table import Branch
from replay.branching import check_copy
from replay.history import AnyEntry
from replay.verifying.consents import consents
from replay.verifying.fairness import fairness
from replay.verifying.judging import Judge
from replay.verifying.report import OLDER, WRONG, Answer, Finding, Report, answered

__all__ = ["Answer", "Finding", "Report", "misfits", "verify_log"]

_SHUT = (Sealed, SealedCommand)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
Progress = Callable[[int, int], None]
"""Called now and then with the entries done, and how many there are."""


def verify_log(
    rules: Rules[Any] | None,
    lines: Iterable[bytes],
    openings: Iterable[Opening] = (),
    head: Head | None = None,
    *,
    all: bool = False,  # noqa: A002 - the word that the command line has for it
    seed: str | None = None,
    original: Callable[[Branch], Sequence[bytes] | None] | None = None,
    progress: Progress | None = None,
    junk: bytes | None = None,
) -> Report:
    """Return whether the stored lines of a log are whole, lawful and fair, each with its first divergence, or all.

    `rules` None finds the game that the first line opens. Without the openings of a sealed part what hangs on it
    cannot be known; without the head a cut tail can't be seen. `seed` checks sealed dice before it is revealed.
    `original` finds the lines of the game that a what-if left, to check that it copied them; None where they are not at hand. `junk` is a line after the last
    entry that is none.
    """
    held = list(lines)
    whole = [_stray(len(held) + 1, junk)] if junk is not None else []
    whole += [_broken(break_) for break_ in check_chain(held, head)]
    given = _by_entry(openings)
    name, unknown = "", []
    try:
        if held:
            name, _ = opened_game(held[0])
            rules = rules or games.load(name)
    except (BadLine, games.NoSuchRules) as fault:
        unknown.append(str(fault))
    judge = Judge(rules) if rules is not None and held else None
    if judge is not None and rules is not None:
        _judge_all(judge, rules.codec, held, given, whole, progress)
    whole += [_beyond(entry, held) for entry in given if not 0 < entry <= len(held)]
    start = judge.history.now.table.branch if judge is not None else None
    left = original(start) if start is not None and original is not None else None
    if start is not None and not whole:
        whole += check_copy(start, held, left)
    whole.sort(key=lambda finding: finding.entry)
    answers = (
        _whole(whole, list(_times(judge)), head, start if left is None else None, every=all),
        _lawful(judge, every=all),
        fairness(judge, seed, every=all),
    )
    return Report(
        all_true(answers),
        judge.history.now.table.id if judge is not None else "",
        name,
        len(held),
        hash_of(held[-1]) if held else "",
        *answers,
        folds_to=judge.folds_to if judge is not None else 0,
        grades=judge.grades if judge is not None else {},
        unknown=(*unknown, *(judge.unknown if judge is not None else ())),
        consents=tuple(consents(judge.history.entries)) if judge is not None else (),
    )


def all_true(answers: Sequence[Answer]) -> bool:
    """Return whether no question was answered with no."""
    return all(answer.ok is not False for answer in answers)


def _judge_all(
    judge: Judge,
    codec: Codec[Any, Any],
    lines: Sequence[bytes],
    given: dict[int, list[Opening]],
    whole: list[Finding],
    progress: Progress | None,
) -> None:
    """Decode, open and judge line after line, as far as they go; what is not whole on the way is noted."""
    broken = {finding.entry for finding in whole}
    for at, line in enumerate(lines, start=1):
        try:
            sealed = codec.decode(line)
        except BadLine as fault:
            if at not in broken:
                whole.append(_loose(at, str(fault), "an entry of this game"))
            judge.stop(at, str(fault))
            return
        if sealed.id != at:
            judge.stop(at, f"it says that it is entry {sealed.id}")
            return
        if at not in broken and not codec.is_canonical(line, sealed):
            whole.append(_loose(at, "another spelling", "keys sorted, no spaces, nothing twice, no floats"))
        told = given.get(at)
        if told is None:
            judge.take(sealed, sealed, ())
        else:
            entry, fitting = _opened(codec, sealed, told, whole)
            judge.take(entry, sealed, fitting)
        if judge.stopped is not None:
            return
        if progress is not None and at % 256 == 0:
            progress(at, len(lines))
    if progress is not None:
        progress(len(lines), len(lines))


def misfits(codec: Codec[Any, Any], lines: Sequence[bytes], openings: Iterable[Opening]) -> list[Finding]:
    """Return what is wrong with the openings of a log, in the order of its entries.

    Raises `BadLine` when an entry that has openings is none of the game.
    """
    found: list[Finding] = []
    for entry, given in sorted(_by_entry(openings).items()):
        if 0 < entry <= len(lines):
            _opened(codec, codec.decode(lines[entry - 1]), given, found)
        else:
            found.append(_beyond(entry, lines))
    return found


def _by_entry(openings: Iterable[Opening]) -> dict[int, list[Opening]]:
    given: dict[int, list[Opening]] = {}
    for opening in openings:
        given.setdefault(opening.entry, []).append(opening)
    return given


def _beyond(entry: int, lines: Sequence[bytes]) -> Finding:
    return _loose(entry, "an opening", f"openings of entries 1 to {len(lines)}")


def _opened(
    codec: Codec[Any, Any], sealed: AnyEntry, openings: Sequence[Opening], whole: list[Finding]
) -> tuple[AnyEntry, tuple[Opening, ...]]:
    """Return an entry opened by those openings that fit; note the others."""
    fitting = list(openings)
    try:
        entry = codec.reveal(sealed, openings)
    except (WrongOpening, BadLine):
        entry, fitting = _opened_singly(codec, sealed, openings, whole)
    commands = {part.to for part in (sealed.command,) if type(part) is SealedCommand}
    facts = {part.to for part in sealed.facts if type(part) is Sealed}
    for opening in fitting:
        allowed = commands if opening.part == COMMAND else facts
        if opening.to not in allowed or (len(allowed) > 1 and opening.to != _audience(sealed, opening)):
            recorded = f"an opening of {_part(opening)} for {' '.join(opening.to)}"
            whole.append(_loose(sealed.id, recorded, f"for {' '.join(_audience(sealed, opening))}"))
    return entry, tuple(fitting)


def _opened_singly(
    codec: Codec[Any, Any], sealed: AnyEntry, openings: Sequence[Opening], whole: list[Finding]
) -> tuple[AnyEntry, list[Opening]]:
    entry, fitting = sealed, []
    for opening in openings:
        try:
            entry = codec.reveal(entry, (opening,))
        except (WrongOpening, BadLine) as fault:
            recorded = f"an opening of {_part(opening)} that is none ({fault})"
            whole.append(_loose(sealed.id, recorded, "one that fits its digest"))
        else:
            fitting.append(opening)
    return entry, fitting


def _audience(sealed: AnyEntry, opening: Opening) -> tuple[str, ...]:
    """Return whom the part that an opening opens concerns, as the line says."""
    parts = (sealed.command,) if opening.part == COMMAND else sealed.facts
    shut = (part for part in parts if isinstance(part, _SHUT))
    return next((part.to for part in shut if opens(opening, part.digest)), ())


def _part(opening: Opening) -> str:
    return "the command" if opening.part == COMMAND else f"fact {opening.part + 1}"


def _broken(found: Break) -> Finding:
    return Finding("whole", found.entry, "", found.kind, (), found.found, found.expected)


def _stray(entry: int, junk: bytes) -> Finding:
    recorded = (
        f"line {entry}, {plural(len(junk), 'byte that is', 'bytes that are')} no entry"
        if junk
        else f"line {entry}, which is empty"
    )
    expected = f"entry {entry}, one JSON object with its `id`, or the end of the file"
    return Finding("whole", entry, "", "unreadable", (), recorded, expected)


def _loose(entry: int, recorded: str, expected: str) -> Finding:
    return Finding("whole", entry, "", "encoding", (), recorded, expected)


def _times(judge: Judge | None) -> Iterator[Finding]:
    """Yield entries whose time is none, or before that of the entry they follow: a clock may be set back, so no proof."""
    history = judge.history if judge is not None else None
    entries = history.entries if history is not None else []
    start = history.now.table.branch if history is not None else None
    before = ""
    for entry in entries:
        if not _TIME.fullmatch(entry.at):
            yield Finding(
                "whole", entry.id, entry.seat, "time", (), f"time {entry.at}", "a time in UTC, RFC 3339"
            )
            continue
        at = entry.at[:-1]
        if at < before and (start is None or entry.id > start.entry + 1):  # what was copied keeps its time
            recorded, expected = f"time {entry.at}", f"{before}Z or later, as entry {entry.id - 1} has it"
            yield Finding("whole", entry.id, entry.seat, "time", (), recorded, expected)
        before = at


def _whole(
    findings: list[Finding], times: list[Finding], head: Head | None, copied: Branch | None, *, every: bool
) -> Answer:
    """Return whether a log is whole; `copied` is where it says it copied entries from, if that could not be looked up."""
    if findings:
        said = f"no: {findings[0].words()}"
    elif head is None:
        said = "yes, as far as it goes; without a head nobody can say whether its tail was cut"
    else:
        said = f"yes: {head.id} {'entry' if head.id == 1 else 'entries'} up to the head"
    if copied is not None:
        said += f"; what it copied is not held against {copied.game}, which is not at hand"
    if times:
        said += f"; {times[0].words()}"
    return answered(not findings, said, [*findings, *times], every=every)


def _lawful(judge: Judge | None, *, every: bool) -> Answer:
    if judge is None:
        return Answer(None, "cannot be known: the rules of this game are not at hand")
    wrong = [finding for finding in judge.findings if finding.grade in WRONG]
    counted = ", ".join(f"{n} {grade.replace('_', ' ')}" for grade, n in judge.grades.items()) or "no entry"
    if judge.stopped is not None:
        counted += f"; judged as far as it folds: {judge.stopped}"
    elif judge.unfolded is not None:
        counted += f"; judged on from what would have been right where it does not fold: {judge.unfolded}"
    if wrong:
        said = f"no: {wrong[0].words()} ({counted}){_older(judge)}"
        return answered(False, said, judge.findings if every else wrong, every=every)
    # A log says itself which revision it was recorded under: that explains a divergence, and excuses none.
    if OLDER in judge.grades:
        older = [finding for finding in judge.findings if finding.grade == OLDER]
        said = f"not proved: {older[0].words()} ({counted})"
        return answered(False, said, judge.findings if every else older, every=every)
    then = judge.history.now.table.revision
    if then > judge.rules.revision and "cannot_be_known" in judge.grades:
        said = f"not proved: {counted}; revision {then} of the rules is not at hand"
        return answered(False, said, judge.findings, every=every)
    if judge.stopped is not None or "cannot_be_known" in judge.grades:
        return answered(None, f"as far as can be known: {counted}", judge.findings, every=every)
    said = "; ".join((counted, *(finding.words() for finding in judge.findings[:1])))
    return answered(True, f"yes: {said}", judge.findings, every=every)


def _older(judge: Judge) -> str:
    """Return in words that a log was recorded under other rules than those it is judged by; nothing where it was not."""
    then, now = judge.history.now.table.revision, judge.rules.revision
    if not 0 < then < now:
        return ""
    return f"; it was recorded under revision {then} of the rules, and no change up to revision {now} accounts for this"
