"""Whether a log is lawful: each command decided again, on what its parent left, against what is recorded."""

import re
from typing import Any

from msgspec import structs

from core.consent import forbids_going_back, left_behind
from core.deciding import Decision, decide, refusals
from core.deciding import Refused as Forbidden
from core.folding import Unfoldable, fold
from core.kit.table import MoveHead, Rule
from core.rules import Rules
from core.telling import Endless, Moment
from events.chain import Head
from events.entry import SealedCommand, UnrecognisedCommand
from events.event import FactData
from events.play import Overlooked, Sealed, Unrecognised
from events.seals import Opening
from events.table import GameOpened
from replay.hearing import learned
from replay.history import AnyEntry, History, goes_on_from
from replay.verifying.report import WRONG, Finding

__all__ = ["Judge", "plain_words"]

_SHUT = (Sealed, SealedCommand)
_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, Endless)
"""What rules may raise on a state or a command that is not as they made it."""


class Judge:
    """Judges the entries of a log one after the other; the state follows what is recorded."""

    def __init__(self, rules: Rules[Any]) -> None:
        """Begin before the first entry."""
        self.rules = rules
        self.history = History(rules)
        self.grades: dict[str, int] = {}
        self.findings: list[Finding] = []
        self.unknown: list[str] = []
        self.stopped: Unfoldable | None = None
        self._blind: set[int] = set()
        self._newer = False

    def take(self, entry: AnyEntry, sealed: AnyEntry, openings: tuple[Opening, ...]) -> None:
        """Judge the next entry, whose sealed parts are opened as far as the openings go."""
        history, command = self.history, entry.command
        moments, at = history.moments, entry.id
        expected = at - 1
        if hasattr(command, "goes_back"):
            expected = goes_on_from(command, expected)
        if entry.parent != expected and not self._takes_parent(entry, expected):
            return
        base = moments[-1] if entry.parent == at - 1 else history.base(entry.parent)
        try:
            decided: Any = decide(base, entry.seat, command, check=False)
        except _FAULTS as fault:
            decided = fault
        if (
            type(decided) is Decision
            and decided.facts == entry.facts
            and not _says_what_was_learned(command)
            and _shut_alike(entry, sealed, decided)
        ):
            self._count("same")
            after = decided.after
            if self._blind and entry.parent in self._blind:
                self._blind.add(at)
        else:
            judged = self._judged(entry, sealed, base, decided)
            if judged is None:
                return
            after = judged
        history.add(entry, sealed, openings, after, Head(at))

    def stop(self, entry: int, why: str) -> None:
        """Say that the log cannot be followed past an entry."""
        self.stopped = Unfoldable(entry, 0, why)

    def is_blind(self, at: int) -> bool:
        """Return whether what entry `at` left is not fully known: something on the way there is sealed or unknown."""
        return self._newer or at in self._blind

    def _takes_parent(self, entry: AnyEntry, expected: int) -> bool:
        """Say that an entry goes on from elsewhere than it may; return whether the log can be followed there."""
        self._note(entry, "unlawful", ("LS-3.1",), f"parent {entry.parent}", f"parent {expected}")
        if 0 <= entry.parent < entry.id:
            return True
        self.stop(entry.id, f"its parent, entry {entry.parent}, is not before it")
        return False

    def _judged(
        self, entry: AnyEntry, sealed: AnyEntry, base: Moment[Any], decided: Any
    ) -> Moment[Any] | None:
        """Grade an entry that is not plainly the same; return the moment after what is recorded, or None."""
        unknown = self._unknown_in(entry)
        hides = isinstance(entry.command, SealedCommand) or any(type(fact) is Sealed for fact in entry.facts)
        blind = self._newer or entry.parent in self._blind
        try:
            after = fold(base, entry)
        except Unfoldable as stopped:
            self._grade(entry, base, sealed, decided, None, blind=blind or unknown or hides)
            self.stop(entry.id, stopped.why)
            return None
        if blind or hides:
            self._blind.add(entry.id)
        if after.table.revision > self.rules.revision and not self._newer:
            self._newer = True
            self.unknown.append(
                f"entry {entry.id}: written by revision {after.table.revision} of {self.rules.name}; "
                f"this program knows revision {self.rules.revision}"
            )
            blind = True
        self._grade(entry, base, sealed, decided, after, blind=blind or unknown or hides)
        return after

    def _unknown_in(self, entry: AnyEntry) -> bool:
        names = [f"the fact {fact.name!r}" for fact in entry.facts if isinstance(fact, Unrecognised)]
        if isinstance(entry.command, UnrecognisedCommand):
            names.append(f"the command {entry.command.name!r}")
        self.unknown += [f"entry {entry.id}: {name} is unknown to this revision" for name in names]
        return bool(names)

    def _grade(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        sealed: AnyEntry,
        decided: Any,
        after: Moment[Any] | None,
        *,
        blind: bool,
    ) -> None:
        """Count and note the grade of an entry. `blind`: what differs may hang on what the reader can't know."""
        if isinstance(entry.command, SealedCommand | UnrecognisedCommand):
            self._count("cannot_be_known")
            return
        if isinstance(decided, Exception):
            why = f"nothing that the rules can decide: {decided!r}"
            self._find(entry, "cannot_be_known" if blind else "differs", (), _told(entry.facts), why)
            return
        if isinstance(decided, Forbidden):
            again = self._overlooked(entry, base)
            grade = "overlooked" if again else "unlawful"
            sections = tuple(dict.fromkeys(ref for reason in decided.reasons for ref in reason.because))
            why = "; ".join(reason.text for reason in decided.reasons)
            self._find(
                entry, "cannot_be_known" if blind else grade, sections, plain_words(entry.command), why
            )
            return
        self._compare(entry, base, sealed, decided, after, blind=blind)

    def _compare(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        sealed: AnyEntry,
        decided: Decision[Any],
        after: Moment[Any] | None,
        *,
        blind: bool,
    ) -> None:
        facts = _as_recorded(decided.facts, entry.facts)
        if _agree(entry.facts, facts):
            if not _shut_alike(entry, sealed, decided):
                recorded, expected = _seals(sealed), (decided.command_to, *decided.audiences)
                self._find(entry, "told_otherwise", (), _audiences(recorded), _audiences(expected))
            elif _says_what_was_learned(entry.command):
                self._weigh(entry, base)
            else:
                self._count(
                    "cannot_be_known" if any(type(fact) is Sealed for fact in entry.facts) else "same"
                )
            return
        recorded_only, expected_only = _difference(entry.facts, facts)
        sections = tuple(
            dict.fromkeys(ref for fact in (*expected_only, *recorded_only) for ref in fact.because)
        )
        if _agree(tuple(map(_uncited, entry.facts)), tuple(map(_uncited, facts))):
            grade = "cited_otherwise"
        elif blind:
            grade = "cannot_be_known"
        elif after is not None and (decided.after.state, decided.after.table) == (after.state, after.table):
            grade = "told_otherwise"
        else:
            grade = "differs"
        cited = grade == "cited_otherwise"
        if not cited:
            self._find(entry, grade, sections, *_told_apart(recorded_only, expected_only))
            return
        self._find(entry, grade, sections, _told(recorded_only, cited=True), _told(expected_only, cited=True))

    def _overlooked(self, entry: AnyEntry, base: Moment[Any]) -> bool:
        """Return whether an entry says of everything that forbids it that the table overlooked it, and tells the rest right."""
        codes = [fact.code for fact in entry.facts if isinstance(fact, Overlooked)]
        if codes != [reason.code for reason in refusals(base, entry.seat, entry.command)]:
            return False
        decided = decide(base, entry.seat, entry.command, overlook=True, check=False)
        return isinstance(decided, Decision) and _agree(entry.facts, decided.facts)

    def _weigh(self, entry: AnyEntry, base: Moment[Any]) -> None:
        """Judge whether who moved the head might do so alone, and whether what had been learned is recorded."""
        command, by, history = entry.command, entry.seat, self.history
        to = command.goes_back() or 0
        sealed = any(
            isinstance(history.entry_for(by, at).command, SealedCommand)
            for at in left_behind(history.entries, to)
            if history.entries[at - 1].seat == by
        )
        if sealed:
            self._count("cannot_be_known")
            return
        told = learned(history, by, to)
        reasons = (
            tuple(forbids_going_back(base.table, by, command, told)) if type(command) is MoveHead else ()
        )
        if reasons:
            why = "; ".join(reason.text for reason in reasons)
            self._find(entry, "unlawful", ("LS-3.2",), plain_words(command), why)
        elif told != command.learned:
            recorded, expected = ("; ".join(which) or "nothing" for which in (command.learned, told))
            self._find(entry, "told_otherwise", ("LS-3.2",), f"learned: {recorded}", f"learned: {expected}")
        else:
            self._count("same")

    def _count(self, grade: str) -> None:
        self.grades[grade] = self.grades.get(grade, 0) + 1

    def _find(
        self, entry: AnyEntry, grade: str, sections: tuple[str, ...], recorded: str, expected: str
    ) -> None:
        self._count(grade)
        if grade in WRONG or grade == "cited_otherwise":
            self._note(entry, grade, sections, recorded, expected)

    def _note(
        self, entry: AnyEntry, grade: str, sections: tuple[str, ...], recorded: str, expected: str
    ) -> None:
        self.findings.append(Finding("lawful", entry.id, entry.seat, grade, sections, recorded, expected))


def _says_what_was_learned(command: Any) -> bool:
    """Return whether a command moves the head and says what had been learned; rulings of older logs do not."""
    return type(command) is MoveHead or (type(command) is Rule and command.learned is not None)


def plain_words(part: Any, but: frozenset[str] = frozenset()) -> str:
    """Return a command or a fact in words: its name and its fields, without the sections and the fields in `but`."""
    name = getattr(part, "name", "") if isinstance(part, Unrecognised) else type(part).__name__
    said = " ".join(re.findall(r"[A-Z]?[^A-Z]+|[A-Z]+", name)).lower() or name
    fields = [
        f"{field.replace('_', ' ')} {_value(value)}"
        for field, value in structs.asdict(part).items()
        if field != "because" and field not in but and (value not in ("", (), {}, None, False) or but)
    ]
    return f"{said} ({', '.join(fields)})" if fields else said


def _told_apart(recorded: tuple[FactData, ...], expected: tuple[FactData, ...]) -> tuple[str, str]:
    """Return facts in words; of two of a kind only the fields that differ, and those that say of whom and where."""
    left = list(expected)
    here, there = [], []
    for fact in recorded:
        kind = type(fact)
        other = next((each for each in left if type(each) is kind), None)
        if other is None or kind is Unrecognised:
            here.append(plain_words(fact))
            continue
        left.remove(other)
        same = frozenset(
            name
            for name in kind.__struct_fields__
            if getattr(fact, name) == getattr(other, name) and name not in _NAMING
        )
        here.append(plain_words(fact, same | {""}))
        there.append(plain_words(other, same | {""}))
    there += [plain_words(fact) for fact in left]
    return "; ".join(here) or "nothing more", "; ".join(there) or "nothing more"


_NAMING = frozenset({"seat", "owner", "place", "origin", "target", "die", "purpose"})
"""Fields that say which thing is meant, told even where both sides agree."""


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in ("", (), {}, None):
        return "none"
    if isinstance(value, tuple | list):
        return " ".join(map(_value, value))
    if isinstance(value, dict):
        return " ".join(f"{key}={_value(held)}" for key, held in value.items())
    return plain_words(value) if hasattr(value, "__struct_fields__") else str(value)


def _told(facts: tuple[FactData, ...], *, cited: bool = False) -> str:
    """Return facts in words."""
    words = [plain_words(fact) + (f" under {' '.join(fact.because)}" if cited else "") for fact in facts]
    return "; ".join(words) or "nothing more"


def _difference(
    recorded: tuple[FactData, ...], expected: tuple[FactData, ...]
) -> tuple[tuple[FactData, ...], tuple[FactData, ...]]:
    """Return the facts that stand on one side alone."""
    left = list(expected)
    only = []
    for fact in recorded:
        if fact in left:
            left.remove(fact)
        else:
            only.append(fact)
    if not only and not left:
        return recorded, expected  # the same facts in another order
    return tuple(only), tuple(left)


def _uncited(fact: FactData) -> FactData:
    return structs.replace(fact, because=()) if fact.because else fact


def _agree(recorded: tuple[FactData, ...], expected: tuple[FactData, ...]) -> bool:
    """Return whether facts agree as far as the recorded ones are open."""
    return len(recorded) == len(expected) and all(
        type(fact) is Sealed or fact == other for fact, other in zip(recorded, expected, strict=True)
    )


def _seals(sealed: AnyEntry) -> tuple[tuple[str, ...], ...]:
    """Return who alone may see the command and each fact, as the line says."""
    parts = (sealed.command, *sealed.facts)
    return tuple([part.to if type(part) in _SHUT else () for part in parts])


def _shut_alike(entry: AnyEntry, sealed: AnyEntry, decided: Decision[Any]) -> bool:
    """Return whether the line seals what the decision seals, to the same seats."""
    if sealed is entry and not decided.command_to and not any(decided.audiences):
        return True
    return _seals(sealed) == (decided.command_to, *decided.audiences)


def _audiences(seals: tuple[tuple[str, ...], ...]) -> str:
    parts = ["the command", *(f"fact {place}" for place in range(1, len(seals)))]
    shut = [f"{part} to {' '.join(to)}" for part, to in zip(parts, seals, strict=True) if to]
    return f"sealed: {', '.join(shut) or 'nothing'}"


def _as_recorded(expected: tuple[FactData, ...], recorded: tuple[FactData, ...]) -> tuple[FactData, ...]:
    """Return the facts that were to be expected when the entry was written: an opening knew no later points and options."""
    if not expected or not recorded:
        return expected
    ours, theirs = expected[0], recorded[0]
    if not isinstance(ours, GameOpened) or not isinstance(theirs, GameOpened):
        return expected
    answers = {point: answer for point, answer in ours.answers.items() if point in theirs.answers}
    options = {name: value for name, value in ours.options.items() if name in theirs.options}
    known = structs.replace(ours, revision=theirs.revision, answers=answers, options=options)
    return (known, *expected[1:])
