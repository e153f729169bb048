"""Scoresheets: read, written, and every fault in them pointed at."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import core.games
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, Rule
from core.rules import Rules
from core.state import State
from events.table import Answered, Forfeited, Penalised, Upheld
from replay.sheets.adjudicate import judge
from replay.sheets.arbiter import LATEST
from replay.sheets.bounds import MOST_LINES
from replay.sheets.claims import Standing, Tally
from replay.sheets.position import check_position
from replay.sheets.scoresheet import BadSheet, Claimed, Said, load_sheet, parse_sheet, template, write_sheet
from replay.words.faults import Fault
from replay.words.grammar import parse_command
from tests.laws.worlds import KINDS, games, played

SHEET = """\
# the second evening
game: skirmish
title: "Two # pebbles"
seats: red, blue
answer: X1 = four

red: bid 2
blue: bid 3     # in secret
blue: throw at red
dice: 1 4
claim: red loses 2
"""


def faults_of(text: str) -> list[str]:
    """Return what is wrong with a sheet, fault by fault."""
    with pytest.raises(BadSheet) as caught:
        parse_sheet(text, "s.score")
    return [str(fault) for fault in caught.value.faults]


def read_or_judged(text: str) -> tuple[Fault, ...]:
    """Return what is wrong with a sheet; nothing when it can be read, and then it can be judged too."""
    try:
        sheet = parse_sheet(text, "s.score")
        judge(sheet)
    except BadSheet as bad:
        return bad.faults
    return ()


def bare(state: State) -> State:
    """Return a state without the names of its open steps: these tell of entries that a sheet leaves out."""
    return structs.replace(state, agenda=tuple(structs.replace(one, entry=0, n=0) for one in state.agenda))


def body(line: str) -> Any:
    """Return what one line after the header says."""
    (said,) = parse_sheet(f"game: skirmish\nseats: red, blue\n{line}\n").lines
    return said.claims if isinstance(said, Claimed) else said.command if isinstance(said, Said) else None


def test_a_sheet_is_a_header_and_one_act_a_line(skirmish: Rules[Any]) -> None:
    """Remarks and empty lines are left out; each act knows its line."""
    sheet = parse_sheet(SHEET, "second.score")
    assert (sheet.name, sheet.position.title, sheet.position.seats) == (
        "second",
        "Two # pebbles",
        ("red", "blue"),
    )
    assert sheet.position.answers == {"TS-X1": "four"}
    assert [(line.number, line.text) for line in sheet.lines] == [
        (7, "red: bid 2"),
        (8, "blue: bid 3"),
        (9, "blue: throw at red"),
        (10, "dice: 1 4"),
        (11, "claim: red loses 2"),
    ]


def test_a_position_is_read_from_beside_the_sheet(skirmish: Rules[Any], tmp_path: Path) -> None:
    """Seats, answers and title come with it; the sheet's own header goes before."""
    (tmp_path / "end.toml").write_text(
        'game = "skirmish"\nseats = ["red", "blue"]\ntitle = "End"\n[answer]\nX1 = "four"\n'
        '[[pebbles]]\nseat = "red"\ncount = 1\n',
        encoding="utf-8",
    )
    file = tmp_path / "end.score"
    file.write_text(
        "position: end.toml\nanswer: x1 = three\nsetup: pebbles blue 2\nred: bid 1\n", encoding="utf-8"
    )
    sheet = load_sheet(file)
    assert sheet.position.answers == {"TS-X1": "three"}
    assert (sheet.position.title, sheet.position.seats, len(sheet.position.facts)) == (
        "End",
        ("red", "blue"),
        2,
    )
    assert check_position(sheet.position) == ()


@pytest.mark.parametrize(
    ("line", "said"),
    (
        ("dice: 5 5 6 3", AnswerRoll((5, 5, 6, 3))),
        ("dice: 5,5, skull", AnswerRoll((5, 5, "skull"))),
        ("dice: none", AnswerRoll(())),
        ("card: Ring of Hope", Deal("Ring of Hope")),
        ("card: ?", Deal("?")),
        ("claim: red loses 2, blue loses none", (Tally("red", "loses", 2), Tally("blue", "loses", 0))),
        (
            "claim: red loses 2 unit, 1 king",
            (Tally("red", "loses", 2, "unit"), Tally("red", "loses", 1, "king")),
        ),
        ("arbiter: rule X1 = four because so", Rule(Answered("TS-X1", "four"), "so", LATEST)),
        ("arbiter: uphold on 12 under 2.2, TS-X1 because so", Rule(Upheld(), "so", 12, ("TS-2.2", "TS-X1"))),
        (
            'arbiter: penalise red for "peeping twice" because seen',
            Rule(Penalised("red", "peeping twice"), "seen", LATEST),
        ),
        ("arbiter: forfeit blue because he went home", Rule(Forfeited("blue"), "he went home", LATEST)),
        ("arbiter: forfeit red alone because so", Rule(Forfeited("red", alone=True), "so", LATEST)),
        ("arbiter: correct nothing because all is well", Correct("all is well", ())),
        ("red: dispute the third die lay askew", RaiseDispute(LATEST, "the third die lay askew")),
        ("red: dispute entry 3 so", RaiseDispute(3, "so")),
    ),
)
def test_a_line_says_what_it_says(skirmish: Rules[Any], line: str, said: Any) -> None:
    """Dice, cards, claims, rulings and disputes each have their form."""
    assert body(line) == said


def test_what_stands_is_claimed_and_corrected_in_the_words_of_a_position(skirmish: Rules[Any]) -> None:
    """One vocabulary: `pebbles red 3`."""
    (claim,) = body("claim: pebbles red 3")
    assert isinstance(claim, Standing)
    correct = body("arbiter: correct pebbles red 3; pebbles blue 1 because one lay on the floor")
    assert correct.facts[0] == claim.fact
    assert correct.reason == "one lay on the floor"


@pytest.mark.parametrize(
    ("line", "fault"),
    (
        ("red bid 3", "s.score:3:1: 'red bid 3' has no colon; expected who: what, as in `dice: 5 3`"),
        ("rde: bid 3", "s.score:3:1: nobody is called 'rde'; expected one of: red, blue, dice, card, claim, arbiter; did you mean red?"),
        ("red:  bdi 3", "s.score:3:7: 'bdi 3' is not a command; expected one of: bid, throw; did you mean bid?"),
        ("red: bid 3 more", "s.score:3:12: 'more' is more than the command says; expected the end, as in: bid <pebbles: number>"),
        ("dice:", "s.score:3:6: there are no dice; expected the faces, as in `dice: 5 3`"),
        ("dice: 5 (", "s.score:3:9: face: there is '('; expected a name, or a text in double quotes"),
        ("card:", "s.score:3:6: the card is missing; expected some words"),
        ("claim: red loses", "s.score:3:17: red loses: the number is missing; expected a number"),
        ("claim: red looses 2", "s.score:3:12: 'looses 2' is no claim; expected <who> loses <number> [<kind>]"),
        ("claim: rde loses 2", "s.score:3:8: nobody is called 'rde'; expected one of: red, blue; did you mean red?"),
        ("claim: red loses 2 3 4", "s.score:3:22: '4' is more than the claim says; expected a comma or the end"),
        ("claim:", "s.score:3:7: a claim is missing"),
        ("arbiter: wait", "s.score:3:10: the arbiter does not 'wait'; expected one of: correct, rule,"),
        ("arbiter: rule X1 = five because so", "s.score:3:15: X1 is not answered by 'five'; expected one of: three, four"),
        ("arbiter: rule X1 = four", "s.score:3:24: the reason is missing; expected because ..."),
        ("arbiter: uphold under TS-9.9 because so", "s.score:3:23: TS-9.9 is nowhere in the rulebook; expected a section"),
        ("answer: X1 = four\nred: bid 1\nanswer: X1 = three", "s.score:5:1: `answer:` can't stand after the first move (an arbiter's ruling may"),
        ("option: length = short", "s.score:3:9: there is no option 'length'; expected none: the game has no variants"),
        ("setup: pebbles red 3 3", "s.score:3:22: '3' is more than what stands; expected a semicolon or the end"),
        ("position: nowhere.toml", "nowhere.toml: No such file or directory; expected a file to read"),
    ),
)  # fmt: skip
def test_a_fault_in_a_line_says_where_and_what_was_expected(
    skirmish: Rules[Any], line: str, fault: str
) -> None:
    """Line, column, what is wrong, what was expected, and what may have been meant."""
    found = faults_of(f"game: skirmish\nseats: red, blue\n{line}")
    assert any(one.startswith(fault) for one in found), found


def test_all_faults_of_a_sheet_are_told_at_once(skirmish: Rules[Any]) -> None:
    """The sheet is mended in one go."""
    text = (
        SHEET.replace("bid 2", "bdi 2").replace("dice: 1 4", "dice 1 4").replace("answer: X1", "answer: Y1")
    )
    assert [fault.split(":")[1] for fault in faults_of(text)] == ["5", "7", "10"]


@pytest.mark.parametrize(
    ("text", "fault"),
    (
        ("", "s.score:1:1: it does not say which game it is of; expected game: "),
        ("red: bid 2", "s.score:1:1: it does not say which game it is of; expected game: "),
        ("game: skirmsh", "s.score:1:7: there is no game 'skirmsh'; expected one of: "),
        ("game: skirmish\nred: bid 2", "s.score:1:1: it does not say who plays; expected seats: some of red, blue, green"),
        ("game: skirmish\nseats: red, bleu", "s.score:2:13: there is no seat 'bleu'; expected one of: red, blue, green; did you mean blue?"),
    ),
)  # fmt: skip
def test_a_header_that_does_not_do_says_what_it_lacks(skirmish: Rules[Any], text: str, fault: str) -> None:
    """Which game, and who plays."""
    assert faults_of(text)[0].startswith(fault)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", sorted(games()))
def test_a_log_written_as_a_sheet_is_the_same_game(skirmish: Rules[Any], name: str, kind: str) -> None:
    """Commands and dice survive `parse(write(log))` and decide to the same facts; an arbiter's acts too."""
    for seed in range(4):
        table = played(name, kind, seed)
        log = [told.entry for told in table.log]
        text = write_sheet(table.rules, log)
        judged = judge(parse_sheet(text, "game.score"))
        allowed = ("lawful", "unknowable") if kind == "unseen" else ("lawful",)
        assert [one for one in judged.report.verdicts if one.verdict not in allowed or one.silences] == []
        if kind != "troubled":
            assert [(one.seat, one.command) for one in judged.told[1:]] == [
                (one.seat, one.command) for one in log[1:]
            ]
            assert [one.facts for one in judged.told[1:]] == [one.facts for one in log[1:]]
        assert bare(judged.after.state) == bare(table.state)
        assert judged.after.table.answers == table.now.table.answers
        again = write_sheet(table.rules, judged.entries("2026-01-01T00:00:00Z"))
        assert again == text


@pytest.mark.parametrize("name", sorted(games()))
def test_every_game_has_a_template_that_reads_as_a_sheet(skirmish: Rules[Any], name: str) -> None:
    """It names every command, set-up fact and claim of the game, and its examples are lawful lines."""
    text = template(name)
    rules = core.games.load(name)
    sheet = parse_sheet(text)
    assert (sheet.rules, sheet.lines) == (rules, ())
    for fact in rules.setup:
        assert f"# setup: {fact.WORD} " in text
    examples = [line.removeprefix("# ") for line in text.partition("# For example")[2].splitlines()[1:]]
    for line in examples:
        who, _, said = line.partition(": ")
        assert who in rules.seats
        assert parse_command(rules, said) is not None


@pytest.mark.stress
def test_ten_thousand_malformed_lines_bring_nothing_down(skirmish: Rules[Any], rounds: Any) -> None:
    """Each is read or has its fault, with its line and a column; never a traceback."""
    choose = Random(8)
    good = SHEET.splitlines()
    signs = 'abz:;,="#\\ ()0123456789-\t\0é\u2028{}[]'
    for _ in range(rounds(1_000)):
        lines = []
        for _ in range(10):
            line = list(choose.choice(good))
            for _ in range(choose.randrange(1, 6)):
                at = choose.randrange(len(line) + 1)
                line[at : at + choose.randrange(3)] = choose.choices(signs, k=choose.randrange(3))
            lines.append("".join(line))
        text = "game: skirmish\nseats: red, blue\n" + "\n".join(lines)
        faults = read_or_judged(text)
        assert all(0 < fault.line <= 13 and fault.column > 0 and fault.message for fault in faults), text


@given(st.text(max_size=80))
def test_no_text_at_all_brings_a_sheet_down(skirmish: Rules[Any], text: str) -> None:
    """Whatever stands in the file, it is a sheet or it has faults."""
    for tried in (
        text,
        SHEET + text,
        f"{SHEET}\nred: {text}",
        f"{SHEET}\narbiter: {text}",
        f"{SHEET}\nclaim: {text}",
    ):
        assert all(fault.message for fault in read_or_judged(tried))


@pytest.mark.usefixtures("skirmish")
def test_a_sheet_has_at_most_so_many_lines() -> None:
    """One more is refused before any is read, and the error says how many there may be."""
    parse_sheet("game: skirmish\nseats: red blue\n" + "#\n" * (MOST_LINES - 2))
    with pytest.raises(BadSheet) as caught:
        parse_sheet("game: skirmish\nseats: red blue\n" + "#\n" * (MOST_LINES - 1), "s.score")
    assert [str(fault) for fault in caught.value.faults] == [
        "s.score: the sheet has 5,001 lines; expected at most 5,000; split it where an evening ends"
    ]


def test_a_misspelt_head_accuses_no_header_line_after_it(skirmish: Rules[Any]) -> None:
    """Each is told at its own line with what was meant; the header goes on below it, until somebody acts."""
    text = "game: skirmish\nseats: red, blue\ntitel: an evening\nanswer: X1 = four\ncrad: ox\noption: a = b\nred: bid 1\ntitle: late\n"
    with pytest.raises(BadSheet) as fault:
        parse_sheet(text, "s.score")
    told = [(one.line, one.message.partition(",")[0], one.close) for one in fault.value.faults]
    assert told == [
        (3, "nobody is called 'titel'", ("title",)),
        (5, "nobody is called 'crad'", ("card",)),
        (6, "there is no option 'a'", ()),
        (8, "`title:` can't stand after the first move", ()),
    ]


@pytest.mark.parametrize(
    ("line", "expected", "close"),
    (
        ("orc: end battle", "one of: ", ("end phase",)),
        ("orc: buy 3 units", "one of: ", ("buy units", "buy item", "buy ship")),
        ("orc: buy shpi", "one of: ", ("buy ship", "buy item", "buy units")),
        ("orc: undo", "those that were taken back", ()),
        ("orc: go back to 4", "those that were taken back", ()),
        ("orc: agree to 7", "those that were taken back", ()),
        ("arbiter: go back to entry 4 because wrong", "those that were taken back", ()),
        ("arbiter: call off because late", "the end of the game as its last line", ()),
        ("orc: show all", "this asks the program: leave the line out", ()),
        ("orc: why attack OR_n", "this asks the program: leave the line out", ()),
        ("orc: 5, 3", "dice on a line of their own", ("dice: 5 3",)),
        ("orc: roll 5 3", "dice on a line of their own", ("dice: 5 3",)),
        ("orc: draws reflect", "a card on a line of its own", ("card: reflect",)),
        ("orc: claim: elf loses 2", "a claim on a line of its own", ("claim: elf loses 2",)),
        ("orc: rule uphold because so", "the arbiter's word", ("arbiter: rule uphold because so",)),
    ),
)
def test_what_no_sheet_holds_is_told_what_would_have_been_right(
    line: str, expected: str, close: tuple[str, ...]
) -> None:
    """What is typed at the prompt, to the program, or under the wrong head: what a sheet has in its place."""
    with pytest.raises(BadSheet) as fault:
        parse_sheet(f"game: dragonlords\nseats: orc, elf\n{line}\n", "s.score")
    (only,) = fault.value.faults
    assert (only.line, only.close) == (3, close)
    assert expected in only.expected
