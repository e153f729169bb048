"""Verify: whole, lawful with its grades, fair, each apart; the first divergence is named with entry, seat and section."""

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import structs

import core.games
from core.kit.chance import AnswerRoll
from core.kit.table import Rule
from core.rulebook import Change
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.chain import Head
from events.entry import Entry
from events.play import Overlooked
from events.seals import Opening
from events.table import Upheld
from replay.outcomes import Accepted
from replay.session import Session
from replay.verifying.report import Report
from replay.verifying.verify import verify_log
from tests.replay.engine import (
    SEED,
    Memory,
    accepted,
    beside,
    create,
    memory,
    play_on,
    reopened,
    spoil,
    verified,
    words,
)
from tests.replay.planting import RECORDS, InLog, forged


@pytest.fixture
def played(skirmish: Rules[Any]) -> tuple[Session, Any]:
    """Red bids 3 (entry 2), blue 1 (3), red throws (4), the dice are 1 and 6 (5), both bid again (6, 7)."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.submit("blue", toy.Bid(1)))
    accepted(session.submit("red", toy.Throw("blue")))
    accepted(session.submit(CHANCE, AnswerRoll((1, 6))))
    accepted(session.submit("red", toy.Bid(0)))
    accepted(session.submit("blue", toy.Bid(2)))
    return session, toy


def lines_of(session: Session) -> list[bytes]:
    return [row.line for row in session.store.read(session.game)]


def openings_of(session: Session) -> list[Opening]:
    return [opening for row in session.store.read(session.game) for opening in row.openings]


def rewritten(session: Session, at: int, change: Callable[[Entry[Any, Any]], Entry[Any, Any]]) -> Report:
    """Return the report on a log whose entry `at` says something else, its chain made to hold all the same."""
    held = memory(session).held["g"][at - 1].line
    line = session.rules.codec.encode(change(session.rules.codec.decode(held)))
    spoil(memory(session), at, re.escape(held), line.replace(b"\\", b"\\\\"))
    report = verified(session)
    assert report.whole.ok, report.whole
    return report


def facts(change: Callable[..., tuple[Any, ...]]) -> Callable[[Entry[Any, Any]], Entry[Any, Any]]:
    """Return what gives an entry other facts."""
    return lambda entry: structs.replace(entry, facts=change(*entry.facts))


def test_a_game_as_it_was_played_is_whole_and_lawful(played: tuple[Session, Any]) -> None:
    """Every entry decided again gives what is recorded; of typed dice nothing can be proved, and that is said."""
    report = verified(played[0])
    assert (report.ok, report.whole.ok, report.lawful.ok, report.fair.ok) == (True, True, True, None)
    assert (report.entries, report.folds_to, report.grades) == (7, 7, {"same": 7})
    assert report.whole.said == "yes: 7 entries up to the head"
    assert report.fair.said == "nothing can be proved of 1 roll: people typed what they rolled"
    assert (report.first, report.unknown, report.rules, report.game) == (None, (), "skirmish", "g")
    assert report.head == played[0].head.hash
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_games_of_every_kind_with_take_backs_on_the_way_are_lawful(skirmish: Rules[Any]) -> None:
    """Lawful play at random, by the offers alone, verifies on every game found; so does a what-if of it."""
    for name in core.games.found():
        rules = core.games.load(name)
        for seed in range(3):
            session = create(rules, dice="sealed", seed=SEED, seats=rules.seats[:3])
            play_on(session, 60, seed)
            seats = session.now.table.seats
            if session.now.state.ended is None:
                accepted(session.take_back(seats[0], session.head.id - 7, agreed=seats[1:]))
                play_on(session, 100, seed)
            report = verified(reopened(session), seed=SEED)
            assert report.ok, report.lawful.findings
            assert report.grades == {"same": session.head.id}
            what_if = session.branch(Memory(), "w", 40, seed="other" * 12)
            play_on(what_if, 60, seed + 1)
            report = verified(what_if, seed=what_if.now.table.seed or "other" * 12, original=beside(session))
            assert (report.ok, report.grades) == (True, {"same": what_if.head.id})


def test_progress_is_told_now_and_then(played: tuple[Session, Any]) -> None:
    """A long verification says how far it is, and in the end that it is done."""
    told: list[tuple[int, int]] = []
    verified(played[0], progress=lambda done, of: told.append((done, of)))
    assert told == [(7, 7)]


# Whole


def test_one_byte_changed_anywhere_is_found_at_its_entry(played: tuple[Session, Any]) -> None:
    """Any byte of any stored line, whatever it is changed to: verify is not content, and names that entry first."""
    session, _ = played
    lines, openings = lines_of(session), openings_of(session)
    for at, line in enumerate(lines, start=1):
        for place in range(0, len(line), 3):
            for change in (line[place] ^ 1, ord("7"), ord('"')):
                if change == line[place]:
                    continue
                changed = line[:place] + bytes([change]) + line[place + 1 :]
                report = verify_log(
                    session.rules, [*lines[: at - 1], changed, *lines[at:]], openings, session.head, all=True
                )
                assert report.whole.ok is False
                assert report.whole.findings[0].entry == at, (at, changed, report.whole.findings)


def test_a_byte_changed_in_an_opening_is_found_at_its_entry(played: tuple[Session, Any]) -> None:
    """An opening that is not the one its digest was made from opens nothing, and is named."""
    session, _ = played
    openings = openings_of(session)
    for place, opening in enumerate(openings):
        value = bytes(opening.value).replace(b":3", b":4").replace(b":1", b":2").replace(b":0", b":5")
        for false in (
            structs.replace(opening, value=msgspec.Raw(value + b" ")),
            structs.replace(opening, salt="00" * 16),
            structs.replace(opening, salt="no salt"),
            structs.replace(opening, to=("green",)),
            structs.replace(opening, part=-1 if opening.part != -1 else 0),
            structs.replace(opening, entry=99),
        ):
            report = verify_log(
                session.rules,
                lines_of(session),
                [*openings[:place], false, *openings[place + 1 :]],
                session.head,
            )
            assert report.whole.ok is False
            assert report.whole.findings[0].entry == false.entry


def test_an_entry_removed_repeated_or_swapped_is_found(played: tuple[Session, Any]) -> None:
    """Ids are checked before the chain: the entry that is missing, doubled or out of its place is named."""
    session, _ = played
    lines, openings = lines_of(session), openings_of(session)

    def first(changed: list[bytes]) -> tuple[int, str]:
        report = verify_log(session.rules, changed, openings, session.head, all=True)
        assert not report.ok
        finding = report.whole.findings[0]
        return finding.entry, finding.grade

    assert first([*lines[:3], *lines[4:]]) == (4, "missing")
    assert first([*lines[:4], lines[3], *lines[4:]])[0] == 4
    assert first([*lines[:3], lines[4], lines[3], *lines[5:]])[0] == 4
    assert first(lines[:5]) == (6, "cut")
    assert first([]) == (1, "cut")


def test_a_cut_tail_is_seen_by_the_head_alone(played: tuple[Session, Any]) -> None:
    """Without a head nobody can say that the last entries are missing, and the report says that it can't."""
    session, _ = played
    report = verify_log(session.rules, lines_of(session)[:5], openings_of(session)[:4])
    assert report.whole.ok
    assert "without a head" in report.whole.said


def test_another_spelling_of_the_same_entry_is_found(played: tuple[Session, Any]) -> None:
    """What is stored is hashed, so it has one spelling: keys sorted, no spaces (design, bytes)."""
    session, _ = played
    spoil(memory(session), 4, b'"id":4', b'"id": 4')
    finding = verified(session).whole.findings[0]
    assert (finding.entry, finding.grade) == (4, "encoding")


def test_a_line_that_is_no_entry_ends_what_can_be_judged(played: tuple[Session, Any]) -> None:
    """What can't be read is named with the reason; entries before it are judged, those after it can't be."""
    session, _ = played
    spoil(memory(session), 5, b'"faces":', b'"fazes":')
    report = verified(session)
    assert (report.whole.ok, report.lawful.ok, report.folds_to) == (False, None, 4)
    assert "fazes" in report.whole.findings[0].recorded
    assert report.grades == {"same": 4}


@pytest.mark.parametrize("lines", ([], [b"{}"], [b"\xff"], [b"["], [b'{"facts":[{"game":"chess"}],"id":1}']))
def test_what_is_no_log_of_ours_is_said_to_be_none(
    skirmish: Rules[Any], lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad input is an answer, never a traceback; an unknown game can't be judged, and the report says so."""

    def load(name: str) -> Any:
        raise core.games.NoSuchRules(f"there is no game {name!r}")

    monkeypatch.setattr(core.games, "load", load)
    report = verify_log(None, lines)
    assert report.lawful.ok is None
    assert report.unknown != () or lines == []
    assert verify_log(skirmish, lines, head=Head(3, "00")).ok is False


# Lawful


def test_a_fact_that_does_not_follow_differs(played: tuple[Session, Any]) -> None:
    """A wrong loss is found at its entry, with the section, and what would have been right; later entries follow the record."""
    session, _ = played
    report = rewritten(
        session, 5, facts(lambda roll, lost, turned: (roll, structs.replace(lost, count=2), turned))
    )
    (finding,) = report.lawful.findings
    assert (finding.entry, finding.seat, finding.grade) == (5, CHANCE, "differs")
    assert finding.sections == ("TS-2.2",)
    assert finding.recorded == "pebbles lost (seat blue, count 2)"
    assert finding.expected == "pebbles lost (seat blue, count 1)"
    assert report.grades == {"same": 6, "differs": 1}
    assert (report.ok, report.folds_to) == (False, 7)
    assert reopened(session).now.state.pebbles == {"red": 5, "blue": 3}
    assert report.lawful.said.startswith("no: entry 5, chance: differs (TS-2.2): recorded pebbles lost")


def test_a_fact_too_many_or_too_few_differs(played: tuple[Session, Any]) -> None:
    """A loss left out, or told twice, is a divergence at its entry."""
    session, _ = played
    report = rewritten(session, 5, facts(lambda roll, lost, turned: (roll, turned)))
    (finding,) = report.lawful.findings
    assert (finding.grade, finding.recorded) == ("differs", "nothing more")
    assert finding.expected == "pebbles lost (seat blue, count 1)"


def test_other_sections_for_the_same_facts_are_cited_otherwise(played: tuple[Session, Any]) -> None:
    """A better citation in a later revision makes no old log unlawful; it is shown, and the log stays lawful."""
    session, _ = played
    report = rewritten(
        session,
        5,
        facts(lambda roll, lost, turned: (roll, structs.replace(lost, because=("TS-1.1",)), turned)),
    )
    assert (report.ok, report.grades) == (True, {"same": 6, "cited_otherwise": 1})
    (finding,) = report.lawful.findings
    assert finding.recorded.endswith("under TS-1.1")
    assert finding.expected.endswith("under TS-2.2")


def test_other_facts_that_lead_to_the_same_state_are_told_otherwise(played: tuple[Session, Any]) -> None:
    """A roll that says it counts fours, where no four fell: another fact, the same state. It is shown, not hidden."""
    session, _ = played
    report = rewritten(
        session,
        5,
        facts(
            lambda roll, lost, turned: (
                structs.replace(roll, counts=structs.replace(roll.counts, faces=(1, 2, 3, 4))),
                lost,
                turned,
            )
        ),
    )
    (finding,) = report.lawful.findings
    assert (finding.grade, finding.entry, report.ok) == ("told_otherwise", 5, False)
    assert "1 2 3 4" in finding.recorded


def test_a_command_that_the_rules_refuse_is_unlawful(played: tuple[Session, Any]) -> None:
    """Red throws at itself: the report cites the section and says in words what forbids it (TS-2.1)."""
    session, toy = played
    report = rewritten(session, 4, lambda entry: structs.replace(entry, command=toy.Throw("red")))
    (finding,) = report.lawful.findings
    assert (finding.entry, finding.seat, finding.grade) == (4, "red", "unlawful")
    assert finding.sections == ("TS-2.1",)
    assert (finding.recorded, finding.expected) == (
        "throw (target red)",
        "red is not another player in the game.",
    )
    assert not report.ok


def test_a_command_of_the_wrong_seat_is_unlawful(played: tuple[Session, Any]) -> None:
    """Blue throws where red is asked (LS-2.1 by the section that asks)."""
    session, _ = played
    report = rewritten(session, 4, lambda entry: structs.replace(entry, seat="blue"))
    assert [(f.entry, f.grade, f.sections) for f in report.lawful.findings] == [(4, "unlawful", ("TS-2.1",))]


def test_what_the_table_overlooked_is_unlawful_and_says_that_the_table_knew(skirmish: Rules[Any]) -> None:
    """Forbidden, told all the same, each reason as a fact: the rest of the entry still must follow (design, verify)."""
    fair = core.games.load("fair")
    session, toy = create(fair, dice="scripted", script=[(1, 1)]), words(fair)
    entry = accepted(session.submit("red", toy.ThrowKnives("red"), overlook=True))
    assert isinstance(entry.facts[0], Overlooked)
    report = verified(session)
    assert report.grades == {"same": session.head.id - 1, "overlooked": 1}
    (finding,) = report.lawful.findings
    assert (finding.entry, finding.sections, report.ok) == (2, ("FA-10.1",), False)
    report = rewritten(session, 2, facts(lambda _, *rest: rest))
    assert [found.grade for found in report.lawful.findings][:1] == ["unlawful"]


def test_what_hangs_on_what_others_sealed_cannot_be_known(played: tuple[Session, Any]) -> None:
    """With one's own openings alone the log is whole, and what another did in secret cannot be known: no false alarm."""
    session, _ = played
    own = [opening for opening in openings_of(session) if "red" in opening.to]
    report = verify_log(session.rules, lines_of(session), own, session.head, all=True)
    assert (report.ok, report.whole.ok, report.lawful.ok) == (True, True, None)
    assert report.grades == {"same": 5, "cannot_be_known": 2}
    nobody = verify_log(session.rules, lines_of(session), (), session.head)
    assert (nobody.ok, nobody.grades) == (True, {"same": 3, "cannot_be_known": 4})


def test_a_wrong_loss_is_still_found_with_ones_own_openings(played: tuple[Session, Any]) -> None:
    """What follows from public things alone is judged for everybody, before anything secret lay on the way to it."""
    session, toy = played
    report = rewritten(session, 4, lambda entry: structs.replace(entry, seat="blue"))
    assert not report.ok
    position = (toy.PebblesSet("red", 3),)
    public = create(session.rules, position=position)
    accepted(public.correct("one more", [toy.PebblesSet("blue", 4)]))
    told = rewritten(
        public, 2, facts(lambda why, set_, turned: (why, structs.replace(set_, count=2), turned))
    )
    assert [found.grade for found in told.lawful.findings] == ["differs"]
    without = verify_log(public.rules, lines_of(public), (), public.store.head("g"))
    assert without.lawful.findings == told.lawful.findings


def test_a_secret_laid_open_is_told_otherwise(played: tuple[Session, Any]) -> None:
    """What the rules seal must stand sealed in the line; an entry that tells it to everybody diverges."""
    session, _ = played
    opened = session.entries[1]
    rows = memory(session).held["g"]
    rows[1] = structs.replace(rows[1], openings=())
    report = rewritten(session, 2, lambda _: opened)
    (finding,) = report.lawful.findings
    assert (finding.entry, finding.grade, finding.recorded) == (2, "told_otherwise", "sealed: nothing")
    assert finding.expected == "sealed: the command (to red), bid named (to red)"


def test_an_unknown_fact_of_a_newer_revision_ends_the_fold_and_is_named(played: tuple[Session, Any]) -> None:
    """A log that holds what this revision does not know is whole, not proved, and says what is unknown."""
    session, _ = played
    spoil(memory(session), 1, rb'"revision":1', b'"revision":2')
    spoil(memory(session), 5, rb'"Fact":"PebblesLost"', b'"Fact":"PebblesGone"')
    report = verified(session)
    assert (report.whole.ok, report.lawful.ok, report.ok, report.folds_to) == (True, False, False, 4)
    assert report.unknown[1:] == ("entry 5: the fact 'PebblesGone' is unknown to this revision",)
    assert report.grades == {"same": 4, "cannot_be_known": 1}


def test_an_unknown_command_of_a_newer_revision_cannot_be_judged_and_its_facts_are_followed(
    played: tuple[Session, Any],
) -> None:
    """It is testimony; its facts fold, and what comes after is judged again."""
    session, _ = played
    spoil(memory(session), 1, rb'"revision":1', b'"revision":2')
    spoil(memory(session), 4, rb'"Do":"Throw"', b'"Do":"Hurl"')
    report = verified(session)
    assert report.unknown[1:] == ("entry 4: the command 'Hurl' is unknown to this revision",)
    assert report.grades == {"same": 6, "cannot_be_known": 1}
    assert report.folds_to == 7


def test_what_no_revision_knows_excuses_nothing(played: tuple[Session, Any]) -> None:
    """Made-up words in a log that names a revision at hand: the entry is unlawful or differs, and what comes after is judged."""
    session, _ = played
    spoil(memory(session), 5, rb'"Fact":"PebblesLost"', b'"Fact":"PebblesGone"')
    report = verified(session)
    (finding,) = report.lawful.findings
    assert (report.lawful.ok, finding.entry, finding.grade) == (False, 5, "differs")
    assert "pebbles gone" in finding.recorded
    assert report.grades == {"same": 6, "differs": 1}
    spoil(memory(session), 4, rb'"Do":"Throw"', b'"Do":"Hurl"')
    first = verified(session).lawful.findings[0]
    assert (first.entry, first.grade, first.sections) == (4, "unlawful", ("LS-2.1",))
    assert (first.recorded, first.expected) == ("the command 'Hurl'", "a command that the rules know")


def test_a_log_of_a_newer_revision_is_not_called_unlawful(played: tuple[Session, Any]) -> None:
    """Rules that this program does not have yet may allow what ours refuse: what differs cannot be known."""
    session, _ = played
    spoil(memory(session), 1, rb'"revision":1', b'"revision":2')
    report = rewritten(session, 5, facts(lambda roll, lost, turned: (roll, turned)))
    assert (report.ok, report.lawful.ok) == (False, False)
    assert report.lawful.said.startswith("not proved: 6 same, 1 cannot be known; revision 2")
    assert report.grades == {"same": 6, "cannot_be_known": 1}
    assert report.unknown == ("entry 1: written by revision 2 of skirmish; this program knows revision 1",)


def test_what_a_later_revision_changed_is_held_against_no_older_log(played: tuple[Session, Any]) -> None:
    """A log that differs only where its own revision had another rule is not proved; elsewhere it is unlawful, and says so."""
    session, _ = played
    sections = (
        rewritten(session, 5, facts(lambda roll, lost, turned: (roll, turned))).lawful.findings[0].sections
    )
    change = Change(2, sections[:1], "nobody lost anything")

    def judged(*changes: Change) -> Report:
        book = structs.replace(session.rules.rulebook, change=changes)
        later = dataclasses.replace(session.rules, revision=2, rulebook=book)
        return verify_log(later, lines_of(session), openings_of(session))

    report = judged(change)
    assert (report.ok, report.lawful.ok, report.grades) == (False, False, {"same": 6, "by_older_rules": 1})
    assert "recorded under revision 1 of the rules, in which nobody lost anything" in report.lawful.said
    assert report.lawful.said.startswith("not proved: entry 5")
    report = judged(structs.replace(change, sections=("LS-1.1",)))
    assert (report.lawful.ok, report.grades) == (False, {"same": 6, "differs": 1})
    assert "recorded under revision 1 of the rules, and no change up to revision 2" in report.lawful.said
    report = judged(structs.replace(change, revision=1))
    assert (report.lawful.ok, report.grades) == (False, {"same": 6, "differs": 1})


def test_an_older_log_that_lacks_a_later_point_is_lawful(skirmish: Rules[Any]) -> None:
    """A point added later is not held against an opening that could not know it (design, points)."""
    session = create(skirmish)

    def left_out(*, revision: int, answers: dict[str, str]) -> Report:
        def change(entry: Entry[Any, Any]) -> Entry[Any, Any]:
            opened = structs.replace(entry.facts[0], revision=revision, answers={})
            command = structs.replace(entry.command, answers=answers)
            return structs.replace(entry, command=command, facts=(opened, *entry.facts[1:]))

        held = list(lines_of(session))
        entry = change(session.rules.codec.decode(held[0]))
        later = dataclasses.replace(session.rules, revision=2)
        return verify_log(later, [session.rules.codec.encode(entry)])

    assert left_out(revision=1, answers={}).grades == {"same": 1}
    for report in (left_out(revision=2, answers={}), left_out(revision=1, answers={"TS-X1": "four"})):
        (finding,) = report.lawful.findings
        assert (finding.entry, finding.grade, finding.sections) == (1, "differs", ("LS-1.3",))


def test_an_entry_may_not_go_on_from_elsewhere(played: tuple[Session, Any]) -> None:
    """Only a take-back has another parent than the entry before it; a parent that is yet to come ends the fold (LS-3.1)."""
    session, _ = played
    report = rewritten(session, 6, lambda entry: structs.replace(entry, parent=1))
    finding = report.lawful.findings[0]
    assert (finding.entry, finding.grade, finding.sections) == (6, "unlawful", ("LS-3.1",))
    assert (finding.recorded, finding.expected) == ("parent 1", "parent 5")
    report = rewritten(session, 6, lambda entry: structs.replace(entry, parent=6))
    assert report.folds_to == 5
    assert not report.ok


def test_a_take_back_without_the_consent_it_needed_is_unlawful(played: tuple[Session, Any]) -> None:
    """Whether a seat might go back alone is judged again from the log: consent struck out is found (LS-3.2)."""
    session, _ = played
    accepted(session.take_back("red", 3, agreed=("blue",)))

    def alone(entry: Entry[Any, Any]) -> Entry[Any, Any]:
        moved = structs.replace(entry.facts[0], agreed=())
        return structs.replace(entry, command=structs.replace(entry.command, agreed=()), facts=(moved,))

    report = rewritten(session, 8, alone)
    (finding,) = report.lawful.findings
    assert (finding.entry, finding.grade, finding.sections) == (8, "unlawful", ("LS-3.2",))
    assert "blue must agree" in finding.expected


def test_a_take_back_that_hides_what_had_been_learned_is_found(played: tuple[Session, Any]) -> None:
    """What the tail had told is part of the record, and is weighed again (LS-3.2)."""
    session, _ = played
    accepted(session.take_back("red", 3, agreed=("blue",)))

    def silent(entry: Entry[Any, Any]) -> Entry[Any, Any]:
        moved = structs.replace(entry.facts[0], learned=())
        return structs.replace(entry, command=structs.replace(entry.command, learned=()), facts=(moved,))

    report = rewritten(session, 8, silent)
    (finding,) = report.lawful.findings
    assert (finding.grade, finding.recorded) == ("told_otherwise", "learned: nothing")
    assert "entry 5: roll" in finding.expected


def test_a_take_back_alone_cannot_be_judged_by_who_may_not_see_the_tail(skirmish: Rules[Any]) -> None:
    """Blue can't tell whether red's secret bid told red anything; red can, and so can who holds all openings (LS-3.2)."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    accepted(session.take_back("red", 1))
    for openings, grades in (
        (openings_of(session), {"same": 3}),
        ([], {"same": 1, "cannot_be_known": 2}),
    ):
        report = verify_log(session.rules, lines_of(session), openings, session.head)
        assert (report.ok, report.grades) == (True, grades)


def test_rules_that_stumble_over_a_forged_entry_are_a_finding(skirmish: Rules[Any], monkeypatch: Any) -> None:
    """A forged command may name what the rules never made; that is a divergence with its entry, never a traceback."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.correct("six", [toy.PebblesSet("red", 6)]))

    def stumble(*_: Any) -> Any:
        raise KeyError("red")

    monkeypatch.setattr(type(session.entries[1].command), "tells", stumble)
    (finding,) = verified(session).lawful.findings
    assert (finding.entry, finding.grade) == (2, "differs")
    assert "KeyError" in finding.expected


def test_the_first_divergence_is_named_unless_all_are_asked_for(played: tuple[Session, Any]) -> None:
    """The report names one divergence a question, and counts them all (design, verify)."""
    session, toy = played
    rewritten(session, 4, lambda entry: structs.replace(entry, command=toy.Throw("red")))
    rewritten(session, 5, facts(lambda roll, lost, turned: (roll, structs.replace(lost, count=3), turned)))
    every = verified(session)
    first = verified(session, all=False)
    assert (every.lawful.found, len(every.lawful.findings)) == (2, 2)
    assert (first.lawful.found, first.lawful.findings) == (2, every.lawful.findings[:1])
    assert first.first == every.lawful.findings[0]


# Fair


@pytest.fixture
def sealed(skirmish: Rules[Any]) -> tuple[Session, int]:
    """A game of sealed dice played to its end, and the entry of its first roll."""
    session = create(skirmish, dice="sealed", seed=SEED)
    play_on(session, 10_000)
    return session, next(entry.id for entry in session.entries if entry.seat == CHANCE)


def test_sealed_dice_are_checked_against_the_commitment(sealed: tuple[Session, int]) -> None:
    """Revealed at the end, or given before, the seed proves every roll (LS-4.4)."""
    session, _ = sealed
    rolls = sum(entry.source == "sealed" for entry in session.entries)
    assert (
        verified(session).fair.said
        == f"yes: {rolls} of {rolls} rolls follow from the seed that was committed to"
    )
    lines, openings = lines_of(session), openings_of(session)
    early = lines[:-1], [o for o in openings if o.entry < len(lines)]
    assert verify_log(session.rules, *early).fair.ok is None
    assert verify_log(session.rules, *early, seed=SEED).fair.ok is True
    wrong = verify_log(session.rules, *early, seed="another").fair
    assert (wrong.ok, wrong.findings[0].entry, wrong.findings[0].sections) == (False, 1, ("LS-4.4",))


def test_a_die_that_was_tampered_with_is_found(sealed: tuple[Session, int]) -> None:
    """A keeper who writes a better roll, and all that follows from it, is found out by the seed (LS-4.4)."""
    session, at = sealed
    roll = session.entries[at - 1]
    face = next(face for face in (1, 6) if face != roll.command.faces[0])
    faces = (face, roll.command.faces[1])
    base = session.history.decided_on(at)
    from core.deciding import Decision, decide

    decided = decide(base, CHANCE, AnswerRoll(faces))
    assert isinstance(decided, Decision)
    report = rewritten(
        session, at, lambda entry: structs.replace(entry, command=AnswerRoll(faces), facts=decided.facts)
    )
    assert report.fair.ok is False
    finding = report.fair.findings[0]
    assert (finding.entry, finding.grade, finding.sections) == (at, "dice", ("LS-4.4",))
    assert finding.expected == f"answer roll (faces {roll.command.faces[0]} {roll.command.faces[1]})"
    assert finding.recorded == f"answer roll (faces {faces[0]} {faces[1]})"
    assert all(found.entry > at for found in report.lawful.findings), "the forged entry itself is lawful"


def test_a_roll_that_claims_another_source_is_found(sealed: tuple[Session, int]) -> None:
    """In a game of sealed dice a typed roll is no answer; and no other command has a source (LS-4.5)."""
    session, at = sealed
    report = rewritten(session, at, lambda entry: structs.replace(entry, source="typed"))
    (finding,) = report.fair.findings
    assert (finding.entry, finding.grade, finding.recorded, finding.expected) == (
        at,
        "source",
        "source typed",
        "source sealed",
    )
    report = rewritten(session, 2, lambda entry: structs.replace(entry, source="live"))
    assert [found.entry for found in report.fair.findings] == [2, at]


def test_a_draw_is_proved_by_the_seed_too(skirmish: Rules[Any]) -> None:
    """A card is a die over the cards left: with the openings it is proved, without them it can't be known (LS-4.4)."""
    fair = core.games.load("fair")
    session = create(fair, dice="sealed", seed=SEED)
    accepted(session.submit("red", words(fair).DrawFortune()))
    assert verified(session, seed=SEED).fair.said.startswith("yes: 1 of 1")
    closed = verify_log(fair, lines_of(session), (), session.head, seed=SEED).fair
    assert (closed.ok, closed.found) == (None, 0)


def test_a_revision_that_never_was_excuses_nothing(played: tuple[Session, Any]) -> None:
    """Revisions count from 1: a log that names another is told so at its opening (LS-1.1, LS-2.6)."""
    session, _ = played
    spoil(memory(session), 1, rb'"revision":1', b'"revision":0')
    report = rewritten(session, 5, facts(lambda roll, lost, turned: (roll, turned)))
    assert (report.ok, report.lawful.ok) == (False, False)
    assert report.grades == {"same": 5, "differs": 2}
    assert report.lawful.findings[0].entry == 1


def test_what_breaks_the_law_of_the_table_is_excused_by_no_revision(played: tuple[Session, Any]) -> None:
    """Which rules a log was recorded under, it says itself; who may rule, no game's revision ever changed (LS-5.2)."""
    session, _ = played
    book = structs.replace(session.rules.rulebook, change=(Change(2, ("LS-5.2",), "anybody ruled"),))
    later = dataclasses.replace(session.rules, revision=2, rulebook=book)
    assert isinstance(session.submit(ARBITER, Rule(Upheld(), "so it is")), Accepted)
    spoil(memory(session), session.head.id, rb'"seat":"arbiter"', b'"seat":"red"')
    report = verify_log(later, lines_of(session), openings_of(session))
    assert "LS-5.2" in report.lawful.findings[0].sections
    assert report.lawful.findings[0].grade == "unlawful"


ADDED = [
    number
    for number, line in enumerate((RECORDS / "land" / "kings_of_two.jsonl").read_bytes().split(b"\n"), 1)
    if b'"Do":"AddUnit"' in line
]
"""The entries of a recorded game by which a unit was added in the setup (QD-3.4)."""


@pytest.mark.parametrize("entry", ADDED)
def test_what_hangs_on_an_entry_that_was_left_out_is_said_to_follow_from_it(entry: int) -> None:
    """A unit was added nobody knows where: dice, sums and moves that later do not fit are one finding with that."""
    dropped = InLog(
        name="a unit less",
        chapter="QD-3",
        game="land/kings_of_two",
        entry=entry,
        dropped=True,
        grade="unlawful",
    )
    log = forged(dropped.game, dropped)
    report = verify_log(core.games.load("dragonlords"), log.lines, log.openings, log.head, all=True)
    first, *rest = report.lawful.findings
    assert (first.entry, first.grade, first.after) == (entry, "unlawful", 0)
    assert "What is missing before it is `" in first.expected
    assert [one for one in rest if one.after != entry] == []
