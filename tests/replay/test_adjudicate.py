"""Adjudication: of each line of a scoresheet, whether the rules allow it, which section says so, and what would do."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from core.deciding import Decision, Refused, decide, opening, refusals
from core.folding import fold_all
from core.kit.table import TableCommand
from core.rules import Rules
from core.seats import CHANCE, is_player
from core.telling import Moment
from events.chain import check_chain
from events.play import Overlooked
from replay.sheets.adjudicate import adjudicate, judge
from replay.sheets.filling import ends, silences
from replay.sheets.position import Position
from replay.sheets.scoresheet import BadSheet, Said, Sheet, parse_sheet
from replay.sheets.verdicts import Judgement, Verdict
from replay.sheets.writing import write_line
from tests.driver import play
from tests.laws.worlds import ENTRIES, KINDS, games, names_in, perturbed, played, rules_of
from tests.toys.skirmish.duel import PebblesLost, PebblesSet

AT = "2026-01-01T00:00:00Z"
BIDS = "red: bid 2\nblue: bid 3\nblue: throw at red\n"


def judged(body: str, game: str = "skirmish", header: str = "seats: red, blue\n") -> Judgement:
    """Return the judgement on a sheet of a game."""
    return judge(parse_sheet(f"game: {game}\n{header}{body}", "s.score"))


def verdict(body: str, game: str = "skirmish", header: str = "seats: red, blue\n") -> Verdict:
    """Return the verdict on the last line of a sheet; all before it must be lawful."""
    *before, last = judged(body, game, header).report.verdicts
    assert [one for one in before if one.verdict != "lawful"] == []
    return last


def said(judgement: Judgement) -> list[str]:
    """Return the game that came of a sheet, as lines."""
    lines = [write_line(judgement.rules, one.seat, one.command) for one in judgement.told[1:]]
    return [line for line in lines if line]


def test_what_the_rules_allow_is_lawful(skirmish: Rules[Any]) -> None:
    """Every line has its verdict and its entry; the report says that all is well."""
    report = judged(f"{BIDS}dice: 1 5\nclaim: red loses 1\n").report
    assert [one.verdict for one in report.verdicts] == ["lawful"] * 5
    assert [(one.line, one.entry) for one in report.verdicts] == [(3, 2), (4, 3), (5, 4), (6, 5), (7, 0)]
    assert (report.ok, report.game, report.sheet) == (True, "skirmish", "s.score")


def test_a_report_is_one_object_of_json(skirmish: Rules[Any]) -> None:
    """`verdicts` holds line, verdict, sections, expected, recorded and alternatives, each always there."""
    plain = msgspec.json.decode(judged(f"{BIDS}dice: 1 5 6\n").report.to_json())
    assert (plain["ok"], plain["game"]) == (False, "skirmish")
    assert {"line", "text", "verdict", "sections", "message", "expected", "recorded", "alternatives"} <= set(
        plain["verdicts"][0]
    )
    assert plain["verdicts"][-1]["sections"] == ["TS-2.2"]


def test_silence_fills_what_nobody_writes_down(skirmish: Rules[Any]) -> None:
    """Two bids of nothing are passes; the first seat among equals throws (TS-1.2)."""
    told = judged("red: throw at blue\ndice: 1 1\n")
    first = told.report.verdicts[0]
    assert (first.verdict, first.silences) == ("lawful", ("blue: bid 0", "red: bid 0"))
    assert said(told) == ["blue: bid 0", "red: bid 0", "red: throw at blue", "dice: 1 1"]


def test_a_bound_on_silence_keeps_a_wrong_line_wrong(skirmish: Rules[Any]) -> None:
    """Blue was outbid: no passes let him throw, and the line is judged by the question that is open (TS-1.1)."""
    last = verdict("red: bid 2\nblue: throw at red\n")
    assert (last.verdict, last.sections, last.codes) == ("unlawful", ("TS-1.1",), ("not_this_now",))
    assert last.expected == "blue: bid in secret"
    assert said(judged("red: bid 2\nblue: throw at red\n")) == ["red: bid 2"]


@pytest.mark.parametrize(
    ("line", "code", "section"),
    (
        ("red: throw at blue", "not_your_turn", "TS-2.1"),
        ("blue: bid 1", "not_this_now", "TS-2.1"),
        ("blue: throw at blue", "no_target", "TS-2.1"),
        ("blue: throw at nobody", "no_target", "TS-2.1"),
        ("green: throw at red", "not_your_turn", "TS-2.1"),
        ("card: ace", "not_your_turn", "TS-2.1"),
        ("arbiter: rule X1 = four on 7 because so", "no_such_dispute", "LS-5.2"),
        ("red: dispute entry 9 so", "no_such_entry", "LS-5.1"),
    ),
)
def test_what_the_rules_forbid_is_unlawful_and_left_out(
    skirmish: Rules[Any], line: str, code: str, section: str
) -> None:
    """Out of turn, another command than is asked, a target that is none: each with its section."""
    last = verdict(f"red: bid 2\nblue: bid 3\n{line}\n")
    assert (last.verdict, last.codes, last.told, last.entry) == ("unlawful", (code,), False, 0)
    assert section in last.sections
    assert last.message


def test_what_was_left_out_does_not_keep_the_next_line_from_being_right(skirmish: Rules[Any]) -> None:
    """One slip does not hide the next: the game goes on from where it stood."""
    told = judged("red: bid 9\nred: bid 2\nblue: bid 3\nblue: throw at blue\nblue: throw at red\ndice: 1 6\n")
    assert [one.verdict for one in told.report.verdicts] == [
        "unlawful", "lawful", "lawful", "unlawful", "lawful", "lawful",
    ]  # fmt: skip


def test_nothing_is_lawful_after_the_end(skirmish: Rules[Any]) -> None:
    """The last one standing won (TS-3.1); what comes after is refused by the law of the table (LS-2.3)."""
    last = verdict(
        "setup: pebbles red 1\nblue: bid 3\nred: bid 0\nblue: throw at red\ndice: 1 1\nblue: bid 1\n"
    )
    assert (last.verdict, last.sections, last.codes) == ("unlawful", ("LS-2.3",), ("game_over",))


def test_the_nearest_lawful_lines_are_named(skirmish: Rules[Any]) -> None:
    """In the sheet's own words, the nearest first; of those who are asked when the seat itself is not."""
    assert verdict("red: bid 9\n").alternatives == ("red: bid 5",)
    assert verdict("red: bid 2\nblue: bid 3\nblue: throw at bleu\n").alternatives == ("blue: throw at red",)
    assert verdict("red: bid 2\nblue: bid 3\nred: throw at blue\n").alternatives == ("blue: throw at red",)


@pytest.mark.parametrize("name", sorted(games()))
def test_every_alternative_is_a_lawful_line(skirmish: Rules[Any], name: str) -> None:
    """Whatever is refused, what is offered instead is accepted."""
    table = played(name, "plain", 3)
    choose = Random(3).randrange
    tried = 0
    for now in table.moments[1:60]:
        strange = perturbed(now, names_in(table), choose)
        if strange is None or isinstance(strange[1], TableCommand):
            continue
        before = _lines(table.log[: now.entry - 1])
        line = Said(1, "", *strange)
        report = judge(Sheet(_position(table), (*before, line))).report
        for near in report.verdicts[-1].alternatives:
            sheet = parse_sheet(f"game: {name}\nseats: {', '.join(table.now.table.seats)}\n{near}\n")
            again = judge(Sheet(_position(table), (*before, *sheet.lines))).report
            assert again.verdicts[-1].verdict == "lawful", near
            tried += 1
    assert tried


def _position(table: Any) -> Position:
    opened = table.log[0].entry.command
    return Position(table.rules, opened.seats, opened.position, opened.answers, opened.options)


def _lines(log: list[Any]) -> list[Said]:
    return [Said(told.entry.id, "", told.entry.seat, told.entry.command) for told in log[1:]]


# dice


def test_dice_beyond_those_asked_for_are_void(skirmish: Rules[Any]) -> None:
    """Two dice are thrown (TS-2.2): the first two count, in the order written, and the game goes on from them."""
    told = judged(f"{BIDS}dice: 1 5 2\nclaim: red loses 1\n")
    dice, claim = told.report.verdicts[-2:]
    assert (dice.verdict, dice.sections, dice.told) == ("unlawful", ("TS-2.2",), True)
    assert (dice.expected, dice.recorded, dice.alternatives) == ("2 d6", "3 d6: 1 5 2", ("dice: 1 5",))
    assert "The last 2 is void." in dice.message
    assert claim.verdict == "lawful"


def test_too_few_dice_are_not_taken_and_what_hangs_on_them_is_not_judged(skirmish: Rules[Any]) -> None:
    """The roll is still owed (TS-2.2): other dice and bids can't be judged; the full roll is taken when it comes.

    One die of two has hit: whatever the other showed, red loses one or two.
    """
    report = judged(
        f"{BIDS}dice: 1\nclaim: red loses 0\nred: bid 1\ndice: 1 2 3\ndice: 1 6\nclaim: red loses 1\n"
    ).report
    assert [one.verdict for one in report.verdicts[3:]] == [
        "unlawful", "miscounted", "unknowable", "unknowable", "lawful", "lawful",
    ]  # fmt: skip
    assert report.verdicts[3].sections == ("TS-2.2",)
    assert report.verdicts[4].expected == "red loses 1 or 2"
    assert all("line 6" in one.message for one in report.verdicts[5:7])
    assert report.ok is False


def test_a_lost_die_is_assumed_where_the_claims_after_it_tell_of_it(skirmish: Rules[Any]) -> None:
    """Red lost two pebbles, so the second die hit (TS-2.2): what follows is judged, and the log says who assumed it."""
    told = judged(f"{BIDS}dice: 1\nclaim: red loses 2\nclaim: pebbles red 3\n")
    dice, tally, standing = told.report.verdicts[3:]
    assert (dice.verdict, dice.sections, dice.told) == ("unlawful", ("TS-2.2",), True)
    assert "as if 1 1 had been rolled" in dice.message
    assert (tally.verdict, standing.verdict) == ("lawful", "lawful")
    assert [entry.actor for entry in told.entries(AT)] == ["", "", "", "", "assumed"]


def test_dice_that_hang_on_an_unlawful_line_are_not_judged(skirmish: Rules[Any]) -> None:
    """Blue could not throw at himself (TS-2.1): whether these dice were due can't be known, nor what they did."""
    report = judged("red: bid 2\nblue: bid 3\nblue: throw at blue\ncard: ace\nclaim: red loses 1\n").report
    assert [one.verdict for one in report.verdicts[2:]] == ["unlawful", "unknowable", "unknowable"]
    assert "Line 5 is not lawful" in report.verdicts[-1].message


def test_a_face_that_is_not_on_the_die_is_not_taken(skirmish: Rules[Any]) -> None:
    """A seven on a d6 (LS-4.2)."""
    last = verdict(f"{BIDS}dice: 1 7\n")
    assert (last.verdict, last.sections, last.codes) == ("unlawful", ("LS-4.2",), ("no_such_face",))


def test_dice_are_found_behind_a_silence(skirmish: Rules[Any]) -> None:
    """The only target is a forced choice: the throw need not be written down (TS-2.1)."""
    last = verdict("red: bid 2\nblue: bid 3\ndice: 1 6\n")
    assert last.silences == ("blue: throw at red",)


def test_dice_that_nothing_asks_for_are_unlawful(skirmish: Rules[Any]) -> None:
    """It is red's turn, and nobody's turn is taken for granted to get at some dice (FA-1.1)."""
    last = verdict("dice: 1 6\n", "fair")
    assert (last.verdict, last.sections, last.expected) == ("unlawful", ("FA-1.1",), "red: choose a booth")
    assert last.alternatives == ()


# claims


@pytest.mark.parametrize(
    ("claim", "expected", "recorded"),
    (
        ("red loses 1", "red loses 2", "red loses 1"),
        ("red loses none", "red loses 2", "red loses 0"),
        ("red loses 2, blue loses 1", "blue loses 0", "blue loses 1"),
        ("pebbles red 4", "pebbles red 3", "pebbles red 4"),
    ),
)
def test_a_claim_that_differs_is_miscounted(
    skirmish: Rules[Any], claim: str, expected: str, recorded: str
) -> None:
    """What the rules say should have followed, and the section of what did (TS-2.2)."""
    last = verdict(f"{BIDS}dice: 1 2\nclaim: {claim}\n")
    assert (last.verdict, last.expected, last.recorded) == ("miscounted", expected, recorded)
    assert "TS-2.2" in last.sections
    assert last.alternatives == (f"claim: {expected}",)


def test_a_tally_counts_what_followed_since_the_last_one(skirmish: Rules[Any]) -> None:
    """Each claim speaks of its own round."""
    report = judged(
        f"{BIDS}dice: 1 2\nclaim: red loses 2\nred: throw at blue\ndice: 1 6\nclaim: blue loses 1, red loses 0\n"
    ).report
    assert report.ok


def test_claims_that_stand_together_are_one(skirmish: Rules[Any]) -> None:
    """What each side lost may be written line by line; the next act begins a new count."""
    body = f"{BIDS}dice: 1 2\nclaim: blue loses none\nclaim: red loses 2\nred: throw at blue\ndice: 6 6\nclaim: red loses 0\n"
    assert judged(body).report.ok


def test_a_standing_that_differs_becomes_a_correction(skirmish: Rules[Any]) -> None:
    """The table says that red has four: the game goes on with four, and the next claim is right."""
    told = judged(f"{BIDS}dice: 1 2\nclaim: pebbles red 4\nclaim: pebbles red 4\n")
    wrong, right = told.report.verdicts[-2:]
    assert (wrong.told, right.verdict) == (True, "lawful")
    assert said(told)[-1] == "arbiter: correct pebbles red 4 because claimed in line 7: pebbles red 4"


def test_a_tally_that_differs_becomes_a_correction_where_the_game_has_words_for_it(
    skirmish: Rules[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without such words the game goes on from what the rules say."""
    body = f"{BIDS}dice: 1 2\nclaim: red loses 1\nclaim: pebbles red 4\n"
    assert [one.verdict for one in judged(body).report.verdicts[-2:]] == ["miscounted", "miscounted"]

    def mends(cls: Any, state: Any, told: Any, who: str, more: int, kind: str) -> tuple[PebblesSet, ...]:
        return (PebblesSet(who, state.pebbles[who] - more),)

    monkeypatch.setattr(PebblesLost, "mends", classmethod(mends))
    wrong, right = judged(body).report.verdicts[-2:]
    assert (wrong.verdict, wrong.told, right.verdict) == ("miscounted", True, "lawful")
    assert "what the table recorded" in wrong.message


def test_what_is_owed_is_settled_before_a_claim_is_counted(skirmish: Rules[Any]) -> None:
    """Nobody wrote that the dice are kept as they lie (FA-10.2): the loss is there all the same."""
    header = "seats: red, blue\nanswer: X1 = two\n"
    told = judged("red: throw knives at blue\ndice: 1 6\nclaim: blue loses 1\nblue: rest\n", "fair", header)
    assert [one.verdict for one in told.report.verdicts] == ["lawful"] * 4
    assert told.report.verdicts[2].silences == ("red: keep",)


def test_a_choice_that_no_claim_hangs_on_stays_open(skirmish: Rules[Any]) -> None:
    """A claim that already agrees settles nothing that it does not speak of: red may still mend a die (FA-10.2)."""
    body = "red: throw knives at blue\ndice: 1 2\nclaim: coins blue 6\nred: mend 1\nclaim: blue loses 1\n"
    told = judged(body, "fair")
    assert [one.verdict for one in told.report.verdicts] == ["lawful"] * 5


# what was overlooked, and what nobody can know


def test_what_is_forbidden_but_can_be_told_is_told_all_the_same(skirmish: Rules[Any]) -> None:
    """Red threw at himself (FA-10.1): the table played it, and the game goes on from there."""
    told = judged("red: throw knives at red\ndice: 6 6\nclaim: red loses 2\n", "fair")
    first, dice, claim = told.report.verdicts
    assert (first.verdict, first.sections, first.told, first.entry) == ("unlawful", ("FA-10.1",), True, 2)
    assert first.alternatives[0] == "red: throw knives at blue"
    assert (dice.verdict, claim.verdict) == ("lawful", "lawful")
    assert type(told.told[1].facts[0]) is Overlooked


def test_what_hangs_on_a_card_that_nobody_recorded_can_not_be_known(skirmish: Rules[Any]) -> None:
    """Red drew unseen and plays a curse: he may have held it (FA-3.3)."""
    body = "red: draw fortune\ncard: ?\nblue: rest\ndice: miss\nred: curse on blue\n"
    last = verdict(body, "fair")
    assert (last.verdict, last.told, last.codes) == ("unknowable", True, ("card_unseen",))
    assert judged(body, "fair").report.ok
    seen = body.replace("card: ?", "card: curse")
    assert verdict(seen, "fair").verdict == "lawful"
    other = body.replace("card: ?", "card: rose")
    assert verdict(other, "fair").verdict == "unlawful"


def test_a_card_that_is_not_among_those_left_names_those_like_it(skirmish: Rules[Any]) -> None:
    """There is no such fortune (LS-4.3)."""
    last = verdict("red: draw fortune\ncard: cruse\n", "fair")
    assert (last.verdict, last.sections, last.alternatives[0]) == ("unlawful", ("LS-4.3",), "card: curse")


# turns


def test_a_turn_ends_in_silence_when_the_next_seat_begins(skirmish: Rules[Any]) -> None:
    """Red has done what he wanted; nobody writes that he is done (FA-1.1)."""
    assert judged(
        "red: draw fortune\ncard: rose\nblue: rest\ndice: miss\nred: toss\ndice: 6\nblue: rest\n", "fair"
    ).report.ok


@pytest.mark.parametrize("body", ("red: rest\nred: rest\n", "blue: rest\n", "red: rest\ngreen: rest\n"))
def test_nobody_is_passed_over(skirmish: Rules[Any], body: str) -> None:
    """Who has not spoken in his turn has not had it: the line is out of turn (FA-1.1)."""
    last = verdict(body, "fair", "seats: red, blue, green\n")
    assert (last.verdict, last.sections, last.codes) == ("unlawful", ("FA-1.1",), ("not_your_turn",))


def test_what_a_wrong_seat_said_is_played_for_the_right_one_where_the_next_act_needs_it(
    skirmish: Rules[Any],
) -> None:
    """It was red's turn (FA-1.1); blue's own turn after it shows who drew the card, so one slip stays one."""
    told = judged("blue: draw fortune\ncard: rose\nblue: rest\n", "fair")
    first, card, rest = told.report.verdicts
    assert (first.verdict, first.sections, first.told) == ("unlawful", ("FA-1.1",), True)
    assert "as if red had said it" in first.message
    assert (card.verdict, rest.verdict) == ("lawful", "lawful")
    assert (told.told[1].seat, told.told[1].actor) == ("red", "assumed")


# the arbiter


def test_a_ruling_holds_from_its_line_on(skirmish: Rules[Any]) -> None:
    """A four hits once the arbiter says so (TS-X1), not before."""
    body = f"{BIDS}dice: 4 6\nclaim: red loses 0\narbiter: rule X1 = four because so\nred: bid 0\nblue: bid 1\nblue: throw at red\n"
    assert judged(f"{body}dice: 4 6\nclaim: red loses 1\n").report.ok


def test_while_a_dispute_is_open_only_the_arbiter_is_heard(skirmish: Rules[Any]) -> None:
    """The dispute is on the last entry, the ruling on the oldest dispute, unless numbered (LS-5.1)."""
    told = judged(
        "red: bid 2\nblue: dispute he looked\nblue: bid 1\narbiter: uphold because he did not\nblue: bid 1\n"
    )
    assert [one.verdict for one in told.report.verdicts] == [
        "lawful",
        "lawful",
        "unlawful",
        "lawful",
        "lawful",
    ]
    assert told.report.verdicts[2].sections == ("LS-5.1",)
    assert (told.told[2].command.at, told.told[3].command.dispute) == (2, 3)


# the game that comes of a sheet


def test_a_game_that_can_not_be_opened_is_no_sheet(skirmish: Rules[Any]) -> None:
    """One seat is too few (LS-1.2): the fault points at the sheet."""
    with pytest.raises(BadSheet, match=r"s\.score:1: .*different seats.*LS-1\.2"):
        judged("red: bid 1\n", header="seats: red\n")


def test_a_sheet_is_a_log_that_stands_by_itself(skirmish: Rules[Any]) -> None:
    """Lines chained, secrets sealed and opened again, and the fold of it is the state that was judged."""
    told = judged(f"{BIDS}dice: 1 5 6\nclaim: pebbles red 3\nred: throw at red\n")
    log = told.log(AT, lambda entry, part: bytes([entry, part + 1] * 8))
    assert list(check_chain(log.lines, log.head)) == []
    assert {opening.to for opening in log.openings} == {("red",), ("blue",)}
    codec = skirmish.codec
    entries = [
        codec.reveal(codec.decode(line), [one for one in log.openings if one.entry == number])
        for number, line in enumerate(log.lines, 1)
    ]
    moments = fold_all(opening(skirmish), entries)
    assert (moments[-1].state, moments[-1].table) == (told.after.state, told.after.table)
    assert [structs.replace(entry, prev="") for entry in entries] == list(told.entries(AT))


def test_judging_a_game_that_silence_filled_fills_nothing_more(skirmish: Rules[Any]) -> None:
    """Every entry of a judged sheet is decided the same, one after the other."""
    told = judged("red: throw at blue\ndice: 1 1\nblue: throw at red\n")
    now = opening(skirmish)
    for one in told.told:
        decided = decide(now, one.seat, one.command)
        assert not isinstance(decided, Refused)
        assert decided.facts == one.facts
        now = decided.after


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(games()))
def test_silence_is_always_lawful_and_comes_to_an_end(skirmish: Rules[Any], name: str, kind: str) -> None:
    """From every moment of every game silence goes on to a question that it can't answer, or to the end."""
    table = played(name, kind, 1)
    for now in table.moments[1::7]:
        path = list(silences(now, "", now.table.seats))
        assert len(path) < 200
        assert all(silence.seat in now.table.seats for silence in path)


def _goes_without_saying(entry: Any, now: Moment[Any], later: Sequence[Any]) -> bool:
    """Return whether an entry is a silence that ends nobody's turn, and nothing said later would be read as it.

    Of chips that are hidden one by one the second goes without saying only where the third was not said: else the
    third is read as the second, and silence stands for the other.
    """
    asked = now.question
    if asked is None or entry.seat not in asked.seats or entry.seat == CHANCE:
        return False
    silent = bool(entry.command == now.state.agenda[-1].step.silence(now, entry.seat))
    decided = decide(now, entry.seat, entry.command)
    if not silent or not isinstance(decided, Decision) or ends(now, decided):
        return False
    after = decided.after
    if (
        after.question is not None
        and after.question.kind == asked.kind
        and entry.seat in after.question.seats
    ):
        said = next((one.command for one in later if one.seat == entry.seat), None)
        if said is not None and said != entry.command and not refusals(now, entry.seat, said):
            return False
    # Where a silence changes what the others' silence is, as the first proposal does, it matters whose came first.
    still = after.question.seats if after.question is not None else ()
    return all(
        now.state.agenda[-1].step.silence(now, seat) == after.state.agenda[-1].step.silence(after, seat)
        for seat in asked.seats
        if seat != entry.seat and seat in still and is_player(seat)
    )


@pytest.mark.parametrize("shuffled", (False, True))
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", sorted(games()))
def test_what_goes_without_saying_may_be_left_out(
    skirmish: Rules[Any], name: str, seed: int, *, shuffled: bool
) -> None:
    """A sheet without its passes and forced choices is lawful line by line; where one seat is asked at a time, the same game."""
    table = play(rules_of(name), seed, ENTRIES, shuffled=True) if shuffled else played(name, "plain", seed)
    kept = [
        told
        for told, now in zip(table.log[1:], table.moments[1:], strict=False)
        if not _goes_without_saying(told.entry, now, [one.entry for one in table.log[told.entry.id :]])
    ]
    judgement = judge(Sheet(_position(table), tuple(_lines([table.log[0], *kept]))))
    assert [one for one in judgement.report.verdicts if one.verdict != "lawful"] == []
    if not shuffled and name not in (
        "fair",
        "skirmish",
    ):  # where several seats owe a silence at once, the order may be another
        whole = [(told.entry.seat, told.entry.command) for told in table.log]
        again = [(one.seat, one.command) for one in judgement.told]
        assert again[1:] == whole[1 : len(again)]


def test_a_claim_that_fits_what_nobody_wrote_down_says_what_was_left_out() -> None:
    """A king's Hope works only where he is shown (QD-H29): the dice hit as claimed had his owner declared him."""
    body = (
        "setup: turn orc combat; units orc OR_k 5; units dwarf OR_n 3; chip dwarf dwarf.king OR_n; chip orc orc.king OR_k\n"
        "orc: attack OR_n from OR_k with 4\norc: fight\ndice: 6 6 6 6\ndice: 4 4 6\nclaim: orc loses "
    )
    said = (
        "Had `dwarf: declare dwarf.king` been written, where silence was filled in, the claim would be right."
    )
    header = "seats: orc, dwarf\n"
    right = verdict(f"{body}2\n", "dragonlords", header)
    assert (right.verdict, right.expected) == ("miscounted", "orc loses 0")
    assert said in right.message
    assert "Had `" not in verdict(f"{body}3\n", "dragonlords", header).message


@pytest.mark.stress
@pytest.mark.parametrize("name", sorted(games()))
def test_commands_that_nobody_offered_bring_nothing_down(
    skirmish: Rules[Any], rounds: Callable[[int], int], name: str
) -> None:
    """Each line has its verdict, and what is unlawful cites a section that exists."""
    for seed in range(rounds(60)):
        table = played(name, KINDS[seed % 3], seed)
        choose = Random(seed).randrange
        lines: list[Said] = []
        for told, now in zip(table.log[1:], table.moments[1:], strict=False):
            entry = told.entry
            strange = None if choose(2) else perturbed(now, names_in(table), choose)
            lines.append(Said(len(lines), "", *(strange or (entry.seat, entry.command))))
        report = adjudicate(Sheet(_position(table), tuple(lines)))
        assert len(report.verdicts) == len(lines)
        for one in report.verdicts:
            assert one.verdict == "lawful" or one.sections
            assert all(table.rules.knows(ref) for ref in one.sections)
