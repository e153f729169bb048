"""Whether a log is lawful: each command decided again, on what its parent left, against what is recorded."""

from collections.abc import Sequence
from typing import Any

from core.consent import forbids_going_back, forbids_going_nowhere, left_behind
from core.deciding import Decision, decide, refusals
from core.deciding import Refused as Forbidden
from core.folding import Unfoldable, fold
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack
from core.kit.table import MoveHead, OpenGame, Rule
from core.refusal import Refusal
from core.rules import Rules
from core.telling import Moment
from events.chain import Head
from events.entry import SealedCommand, UnrecognisedCommand
from events.event import Seat, SectionRef
from events.play import Overlooked, Sealed, Unrecognised
from events.seals import Opening
from events.table import GameOpened
from replay.hearing import learned
from replay.hinging import hinged, told_by
from replay.history import AnyEntry, History, goes_on_from
from replay.verifying.comparing import (
    agree,
    as_recorded,
    difference,
    learned_apart,
    plain_words,
    sealed_in_words,
    seals_of,
    shut_alike,
    told,
    told_apart,
    uncited,
)
from replay.verifying.courses import (
    Course,
    decided_on,
    is_same,
    joined,
    left_out,
    right_after,
    says_what_was_learned,
)
from replay.verifying.hiding import (
    apart_in_hindsight,
    contradiction,
    hangs_on_secrets,
    hides,
    proved,
    without_seals,
)
from replay.verifying.report import OLDER, WRONG, Finding
from replay.verifying.sections import of_opening, sections_of
from replay.words.wording import answers_to

__all__ = ["Judge"]


class Judge:
    """Judges the entries of a log one after the other; the state follows what is recorded.

    After a divergence there are two states: the recorded one, and that which would have been right. What comes after is
    held against both, so that one fault is one finding: an entry that fits the second alone shows that the table went on
    from there. What fits neither is found too, with the divergence that it may follow from, unless both find the same.
    """

    def __init__(self, rules: Rules[Any]) -> None:
        """Begin before the first entry."""
        self.rules = rules
        self.history = History(rules)
        self.grades: dict[str, int] = {}
        self.findings: list[Finding] = []
        self.unknown: list[str] = []
        self.stopped: Unfoldable | None = None
        self.unfolded: Unfoldable | None = None
        """The first thing that did not fold, though the log could be followed past it by what would have been right."""
        self._blind: set[int] = set()
        self._newer = False
        self._courses: dict[int, Course] = {}
        """The course that would have been right, by the entry after which it stands, where the recorded one departs from it."""
        self._lost: Unfoldable | None = None
        """What did not fold, as long as nothing since has shown that the log goes on from what would have been right."""
        self._after = 0
        """The divergence that what is found now may follow from; 0: none."""

    @property
    def folds_to(self) -> int:
        """The last entry up to which everything folds."""
        return self.unfolded.entry - 1 if self.unfolded is not None else len(self.history.moments) - 1

    def take(self, entry: AnyEntry, sealed: AnyEntry, openings: tuple[Opening, ...]) -> None:
        """Judge the next entry, whose sealed parts are opened as far as the openings go."""
        history, at, parent = self.history, entry.id, entry.parent
        expected = goes_on_from(entry.command, at - 1)
        if parent != expected and not self._takes_parent(entry, expected):
            return
        base = history.base(parent)
        decided = decided_on(base, entry)
        course = self._courses.get(parent) if self._courses else None
        if parent != expected:
            course = Course(at, history.moments[expected])
        if is_same(entry, sealed, decided):
            self._count("same")
            after = decided.after
            if self._blind and parent in self._blind:
                self._blind.add(at)
            if course is not None:
                self._keep(course, entry, sealed, base, after)
            self._lost = None
        elif self._lost is not None and parent == self._lost.entry:
            self.stop(self._lost.entry, self._lost.why)
            return
        else:
            meant: Any = None if course is None else decided_on(joined(course, base), entry)
            if course is not None and course.fits and is_same(entry, sealed, meant):
                self._count("same")
                after = meant.after
                if parent in self._blind:
                    self._blind.add(at)
                if course.open:
                    self._courses[entry.id] = Course(course.since, after, open=True)
            else:
                judged = self._judged(entry, sealed, base, decided, course, meant)
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

    def _keep(
        self, course: Course, entry: AnyEntry, sealed: AnyEntry, base: Moment[Any], after: Moment[Any]
    ) -> None:
        """Follow the course that would have been right past an entry that fits the record, until they are one."""
        meant = decided_on(joined(course, base), entry)
        on = course.goes_on(meant, after, fits=is_same(entry, sealed, meant))
        if on is not None:
            self._courses[entry.id] = on

    def _takes_parent(self, entry: AnyEntry, expected: int) -> bool:
        """Say that an entry goes on from elsewhere than it may; return whether the log can be followed there."""
        self._after = 0
        self._note(entry, "unlawful", ("LS-3.1",), f"parent {entry.parent}", f"parent {expected}")
        if 0 <= entry.parent < entry.id:
            return True
        self.stop(entry.id, f"its parent, entry {entry.parent}, is not before it")
        return False

    def _judged(
        self,
        entry: AnyEntry,
        sealed: AnyEntry,
        base: Moment[Any],
        decided: Any,
        course: Course | None,
        meant: Any,
    ) -> Moment[Any] | None:
        """Grade an entry that is not plainly the same; return the moment after what is recorded, or None.

        Where that does not fold, it is the moment after what would have been right.
        """
        unknown = self._unknown_in(entry)
        blind = entry.parent in self._blind
        if blind or hides(entry):
            self._blind.add(entry.id)
        if isinstance(entry.command, SealedCommand):
            decided = Forbidden(())
        elif blind and isinstance(decided, Forbidden):
            decided = Forbidden(proved(decided.reasons))
        skipped = None
        if (
            isinstance(decided, Forbidden)
            and decided.reasons
            and course is None
            and not (self._newer or unknown)
        ):
            skipped = left_out(base, entry, sealed)
        if skipped is not None:
            self._after = 0
            missing, then, known = skipped
            self._refused(entry, base, "unlawful", decided, missing)
            if not known:  # what comes after may be owed to what was left out in truth
                self._courses[entry.id] = Course(entry.id, then, open=True)
            return then
        after, stopped = None, None
        try:
            after = fold(base, entry)
        except Unfoldable as fault:
            stopped = fault
        if after is not None and after.table.revision > self.rules.revision and not self._newer:
            self._newer = True
            self.unknown.append(
                f"entry {entry.id}: written by revision {after.table.revision} of {self.rules.name}; "
                f"this program knows revision {self.rules.revision}"
            )
        lenient = self._newer or unknown
        hangs = False
        if not lenient:
            hangs, decided = self._in_hindsight(entry, base, sealed, decided, blind=blind)
        earlier = course if course is not None and course.explains(decided, meant) else None
        before = len(self.findings)
        self._after = earlier.since if earlier is not None else 0
        if lenient:
            self._grade_as_known(entry, base, sealed, decided)
        else:
            self._grade(entry, base, sealed, decided, after, stopped, hangs=hangs)
        wrong = len(self.findings) > before and self.findings[-1].grade in ("differs", "unlawful")
        right = right_after(entry, base, decided, course, meant) if wrong else None
        if wrong and isinstance(
            entry.command, MoveHead | AgreeToTakeBack
        ):  # who may not go back stays where he is
            right = self.history.now
        if right is not None:
            new = Course(entry.id, right, sure=isinstance(decided, Decision))
            if earlier is not None:
                new = Course(earlier.since, right, earlier.fits, open=earlier.open)
            if stopped is None or not new.sure:
                self._courses[entry.id] = new
            if stopped is not None:
                self.unfolded, self._lost = self.unfolded or stopped, stopped
                return right
        elif course is not None and after is not None:
            on = course.goes_on(meant, after, fits=not wrong)
            if on is not None:
                self._courses[entry.id] = on
        if stopped is not None:
            self.stop(entry.id, stopped.why)
        return after

    def _unknown_in(self, entry: AnyEntry) -> bool:
        """Return whether an entry holds words that a newer revision may know; what no revision knows excuses nothing."""
        names = [f"the fact {fact.name!r}" for fact in entry.facts if isinstance(fact, Unrecognised)]
        if isinstance(entry.command, UnrecognisedCommand):
            names.append(f"the command {entry.command.name!r}")
        self.unknown += [f"entry {entry.id}: {name} is unknown to this revision" for name in names]
        return bool(names) and self._revision(entry) > self.rules.revision

    def _revision(self, entry: AnyEntry) -> int:
        """Return under which revision an entry was written: that of the opening, which may be the entry itself."""
        opened = next((fact for fact in entry.facts if isinstance(fact, GameOpened)), None)
        return opened.revision if opened is not None else self.history.now.table.revision

    def _in_hindsight(
        self, entry: AnyEntry, base: Moment[Any], sealed: AnyEntry, decided: Any, *, blind: bool
    ) -> tuple[bool, Any]:
        """Return whether a decision may differ from an entry by what is hidden; and what is decided with what it reveals."""
        if isinstance(entry.command, SealedCommand):
            return True, decided
        if not blind or not hangs_on_secrets(entry, sealed, decided):
            return False, decided
        apart = apart_in_hindsight(base, entry)
        return apart is None, decided if apart is None else apart

    def _grade_as_known(self, entry: AnyEntry, base: Moment[Any], sealed: AnyEntry, decided: Any) -> None:
        """Count and note the grade of an entry where this program does not know all: what differs may hang on that."""
        expected = as_recorded(entry, decided.facts) if isinstance(decided, Decision) else None
        if expected is not None and agree(*(tuple(map(uncited, facts)) for facts in (entry.facts, expected))):
            self._compare(entry, base, sealed, decided, None)
        else:
            self._count("cannot_be_known")

    def _grade(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        sealed: AnyEntry,
        decided: Any,
        after: Moment[Any] | None,
        stopped: Unfoldable | None,
        *,
        hangs: bool,
    ) -> None:
        """Count and note the grade of an entry. `hangs`: what is decided may differ from it by what is hidden."""
        command = entry.command
        if isinstance(command, UnrecognisedCommand):
            known = "a command that the rules know"
            self._find(entry, "unlawful", ("LS-2.1",), f"the command {command.name!r}", known)
        elif hangs:
            self._as_far_as_known(entry, base, sealed, after, stopped)
        elif isinstance(decided, Exception):
            why = f"nothing that the rules can decide: {decided!r}"
            self._find(entry, "differs", (), told(entry.facts), why)
        elif isinstance(decided, Forbidden):
            again = self._overlooked(entry, base)
            self._refused(entry, base, "overlooked" if again else "unlawful", decided, [])
        else:
            self._compare(entry, base, sealed, decided, after)

    def _as_far_as_known(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        sealed: AnyEntry,
        after: Moment[Any] | None,
        stopped: Unfoldable | None,
    ) -> None:
        """Grade an entry that hangs on what is hidden: it differs where it can't be right whatever that is."""
        found = contradiction(base, entry, seals_of(sealed), after, stopped)
        if found is None:
            self._count("cannot_be_known")
        else:
            sections = tuple(dict.fromkeys(ref for ref in found.because if self.rules.knows(ref)))
            self._find(entry, found.grade, sections, found.recorded, found.expected)

    def _refused(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        grade: str,
        decided: Forbidden,
        missing: Sequence[tuple[Seat, Any]],
    ) -> None:
        """Note that the rules refuse an entry, and which silences would have made it lawful had they come before it."""
        reasons = hinged(base, entry.seat, entry.command, decided.reasons)
        sections = tuple(dict.fromkeys(ref for reason in reasons for ref in reason.because))
        why = " ".join(reason.text for reason in decided.reasons)
        if missing:
            said = ", ".join(f"{seat}: {plain_words(silence)}" for seat, silence in missing)
            why += f" What is missing before it is `{said}`."
        self._find(entry, grade, sections, plain_words(entry.command), why, _codes(decided.reasons))

    def _compare(
        self,
        entry: AnyEntry,
        base: Moment[Any],
        sealed: AnyEntry,
        decided: Decision[Any],
        after: Moment[Any] | None,
    ) -> None:
        facts = as_recorded(entry, decided.facts)
        if agree(entry.facts, facts):
            if not shut_alike(entry, sealed, decided):
                recorded, expected = seals_of(sealed), (decided.command_to, *decided.audiences)
                apart = tuple(
                    fact
                    for fact, ours, theirs in zip(decided.facts, recorded[1:], expected[1:], strict=True)
                    if ours != theirs
                )
                sections = sections_of(self.rules, base, decided, apart)
                here, there = (sealed_in_words(decided.facts, which) for which in (recorded, expected))
                self._find(entry, "told_otherwise", sections, here, there)
            elif says_what_was_learned(entry.command):
                self._weigh(entry, base)
            else:
                self._count(
                    "cannot_be_known" if any(type(fact) is Sealed for fact in entry.facts) else "same"
                )
            return
        recorded_only, expected_only = difference(*without_seals(entry.facts, decided, facts))
        sections = of_opening(expected_only, recorded_only) if isinstance(entry.command, OpenGame) else ()
        sections = sections or sections_of(self.rules, base, decided, expected_only, recorded_only)
        points = told_by(
            base,
            entry.seat,
            entry.command,
            lambda other: agree(entry.facts, as_recorded(entry, other.facts)),
        )
        sections = tuple(dict.fromkeys((*sections, *points)))
        if agree(tuple(map(uncited, entry.facts)), tuple(map(uncited, facts))):
            grade = "cited_otherwise"
        elif after is not None and (decided.after.state, decided.after.table) == (after.state, after.table):
            grade = "told_otherwise"
        else:
            grade = "differs"
        cited = grade == "cited_otherwise"
        if not cited:
            self._find(entry, grade, sections, *told_apart(recorded_only, expected_only))
            return
        self._find(entry, grade, sections, told(recorded_only, cited=True), told(expected_only, cited=True))

    def _overlooked(self, entry: AnyEntry, base: Moment[Any]) -> bool:
        """Return whether an entry says of everything that forbids it that the table overlooked it, and tells the rest right.

        Older logs say so of secret reasons too, which now are not told (LS-2.7).
        """
        decided = decide(base, entry.seat, entry.command, overlook=True, check=False)
        if not isinstance(decided, Decision):
            return False
        reasons = refusals(base, entry.seat, entry.command)
        known = (Overlooked(reason.code, because=reason.because) for reason in reasons)
        followed = (fact for fact in decided.facts if not isinstance(fact, Overlooked))
        return agree(entry.facts, (*known, *followed))

    def _weigh(self, entry: AnyEntry, base: Moment[Any]) -> None:
        """Judge whether who moved the head might do so alone, and whether what had been learned is recorded."""
        command, by, history = entry.command, entry.seat, self.history
        to = command.to if isinstance(command, ProposeTakeBack) else command.goes_back() or 0
        sealed = any(
            isinstance(history.entry_for(by, at).command, SealedCommand)
            for at in left_behind(history.entries, to)
            if history.entries[at - 1].seat == by
        )
        if sealed:
            self._count("cannot_be_known")
            return
        try:
            known = learned(history, by, to)
        except Unfoldable:  # what a seat knew after a divergence that does not fold, nobody can say
            self._count("cannot_be_known")
            return
        reasons: tuple[Refusal, ...] = ()
        if not isinstance(command, Rule):
            reasons = tuple(forbids_going_nowhere(history.entries, history.moments, by, to))
        if type(command) is MoveHead:
            reasons += tuple(forbids_going_back(base.table, by, command, known))
        if reasons:
            why = " ".join(reason.text for reason in reasons)
            sections = tuple(dict.fromkeys(ref for reason in reasons for ref in reason.because))
            self._find(entry, "unlawful", sections, plain_words(command), why, _codes(reasons))
        elif known != (command.learned or ()) and not self._left_it_out(command):
            recorded, expected = learned_apart(command.learned or (), known)
            self._find(entry, "told_otherwise", ("LS-3.2",), f"learned: {recorded}", f"learned: {expected}")
        else:
            self._count("same")

    def _left_it_out(self, command: Any) -> bool:
        """Return whether a ruling does not say what had been learned, and its log is of the days when none did."""
        book, revision = self.rules.rulebook, self.history.now.table.revision
        return (
            isinstance(command, Rule)
            and command.learned is None
            and book.changed_since(revision, ("LS-3.2",)) is not None
        )

    def _count(self, grade: str) -> None:
        self.grades[grade] = self.grades.get(grade, 0) + 1

    def _find(
        self,
        entry: AnyEntry,
        grade: str,
        sections: tuple[SectionRef, ...],
        recorded: str,
        expected: str,
        codes: tuple[str, ...] = (),
    ) -> None:
        was = self._was(grade, sections)
        if was:
            grade = OLDER
        self._count(grade)
        if grade in WRONG or grade in ("cited_otherwise", OLDER):
            self._note(entry, grade, sections, recorded, expected, codes, was)

    def _was(self, grade: str, sections: tuple[SectionRef, ...]) -> str:
        """Return how it was by the revision that the log names, where that may account for a divergence; or nothing."""
        revision = self.history.now.table.revision
        ours = f"{self.rules.rulebook.book.code}-"
        if grade not in ("told_otherwise", "differs", "unlawful") or revision < 1:
            return ""
        if any(not ref.startswith(ours) for ref in sections):
            return ""  # who may rule, correct or go back is the table's law: no revision of a game changed it
        change = self.rules.rulebook.changed_since(revision, sections)
        return change.was if change is not None else ""

    def _note(
        self,
        entry: AnyEntry,
        grade: str,
        sections: tuple[SectionRef, ...],
        recorded: str,
        expected: str,
        codes: tuple[str, ...] = (),
        was: str = "",
    ) -> None:
        answers = answers_to(self.history.now, sections)
        self.findings.append(
            Finding(
                "lawful",
                entry.id,
                entry.seat,
                grade,
                sections,
                recorded,
                expected,
                codes,
                after=self._after,
                answers=answers,
                revision=self.history.now.table.revision if was else 0,
                was=was,
            )
        )


def _codes(reasons: tuple[Refusal, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.code for reason in reasons))
