"""What `verify` reports: three questions apart, each with its findings."""

from collections.abc import Sequence

from msgspec import Struct

from core.harmless import harmless
from events.event import Id, SectionRef
from replay.verifying.consents import Consent

__all__ = ["GRADES", "OLDER", "WRONG", "Answer", "Finding", "Report", "answered"]

GRADES = (
    "same",
    "cited_otherwise",
    "told_otherwise",
    "differs",
    "unlawful",
    "overlooked",
    "by_older_rules",
    "cannot_be_known",
)
"""How an entry, decided again, compares with what is recorded.

`same`; `cited_otherwise`: the same facts under other sections; `told_otherwise`: other facts, the same state after them;
`differs`; `unlawful`: the rules refuse it; `overlooked`: they refuse it, and the entry says that the table knew;
`by_older_rules`: it differs, and in the days of the revision that the log names these sections were otherwise;
`cannot_be_known`: something is sealed to others or unknown to this revision.
"""
WRONG = frozenset({"told_otherwise", "differs", "unlawful", "overlooked"})
"""The grades that make a log not lawful."""


OLDER = "by_older_rules"
"""The grade of what differs where the rules have changed since: whether it was lawful then, this program can't prove."""


class Finding(Struct, frozen=True, gc=False):
    """One divergence: in which entry, whose, what kind, under which sections, what is recorded and what was expected.

    `codes` are the reasons of a refusal, for programs; `after` is an earlier divergence that it may follow from, 0 when it
    stands by itself; `answers` are those in force at the entry, to the points among its sections; `was` is how it was by
    the revision of the rules that the log names, where that accounts for the divergence.
    """

    question: str
    entry: int
    seat: str
    grade: str
    sections: tuple[SectionRef, ...]
    recorded: str
    expected: str
    codes: tuple[str, ...] = ()
    after: Id = 0
    answers: dict[SectionRef, str] = {}
    revision: int = 0
    was: str = ""

    def words(self) -> str:
        """Return the finding as a sentence for people, harmless to show."""
        return harmless(self._words())

    def _words(self) -> str:
        where = f"entry {self.entry}" + (f", {self.seat}" if self.seat else "")
        cited = f" ({', '.join(self.sections)})" if self.sections else ""
        if self.was:
            return (
                f"{where}: recorded under revision {self.revision} of the rules, in which {self.was}{cited}: "
                f"recorded {self.recorded}; today it would be {self.expected}"
            )
        said = f"{where}: {self.grade.replace('_', ' ')}{cited}: recorded {self.recorded}; expected {self.expected}"
        return f"{said} (this may follow from entry {self.after})" if self.after else said


class Answer(Struct, frozen=True):
    """The answer to one question: yes, no, or None when nothing could be said; in words, and what was found.

    `findings` is the first one alone unless all were asked for; `found` counts them all, `following` those of them that may
    follow from an earlier one.
    """

    ok: bool | None
    said: str
    found: int = 0
    findings: tuple[Finding, ...] = ()
    following: int = 0


def answered(ok: bool | None, said: str, findings: Sequence[Finding], *, every: bool) -> Answer:
    """Return an answer with its first finding, or every one."""
    following = sum(bool(finding.after) for finding in findings)
    return Answer(ok, said, len(findings), tuple(findings if every else findings[:1]), following)


class Report(Struct, frozen=True):
    """Whether a log is whole, lawful and fair.

    `ok` is false when any question was answered with no. `folds_to` is the last entry that could be folded, `grades`
    counts the entries by grade, `unknown` says what this program does not know of the log, `consents` on whose word the
    game went back each time; these are no divergences.
    """

    ok: bool
    game: str
    rules: str
    entries: int
    head: str
    whole: Answer
    lawful: Answer
    fair: Answer
    folds_to: int = 0
    grades: dict[str, int] = {}
    unknown: tuple[str, ...] = ()
    consents: tuple[Consent, ...] = ()

    @property
    def first(self) -> Finding | None:
        """The first divergence, by entry; None when there is none."""
        found = [finding for answer in (self.whole, self.lawful, self.fair) for finding in answer.findings]
        return min(found, key=lambda finding: finding.entry, default=None)
