"""Moves typed short, dice before the passes, phases by name, several moves a line: the shell and the prompt hear the same."""

import re
from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords import RULES
from core.seats import ARBITER
from replay.cli.eyes import Eyes
from replay.cli.kept import session_at
from replay.cli.prompt import Conversation
from replay.cli.tabbing import candidates
from replay.words.faults import BadText
from replay.words.grammar import parse_command

WAR = """
game = "dragonlords"
seats = ["orc", "barbarian", "elf"]
{gold}
[[turn]]
seat = "orc"
phase = "{phase}"
[[units]]
seat = "orc"
place = "OR_k"
count = 8
[[units]]
seat = "barbarian"
place = "OR_n"
count = 6
[[units]]
seat = "elf"
place = "SV_k"
count = 3
[[chip]]
seat = "orc"
chip = "orc.wizard.1"
place = "OR_k"
[[chip]]
seat = "orc"
chip = "orc.king"
place = "OR_k"
[[chip]]
seat = "barbarian"
chip = "barbarian.king"
place = "OR_n"
[[chip]]
seat = "barbarian"
chip = "barbarian.wizard.1"
place = "OR_n"
[[chip]]
seat = "elf"
chip = "elf.king"
place = "SV_k"
[[spells]]
chip = "barbarian.wizard.1"
spells = ["fireball"]
[[spells]]
chip = "orc.wizard.1"
spells = ["fireball"]
"""
GOLD = '[[gold]]\nplace = "OR_k"\ngold = 12\n[[gold]]\nplace = "SV_k"\ngold = 12\n'


@pytest.fixture
def war(shell: Any, tmp_path: Path) -> str:
    """A war whose Orcs may attack, with chips hidden on both sides."""
    return begun(shell, tmp_path, "combat")


def begun(shell: Any, folder: Path, phase: str) -> str:
    """Begin a war in a phase of the Orcs' turn."""
    (folder / "w.toml").write_text(WAR.format(phase=phase, gold=GOLD))
    assert shell("new", "--position", "w.toml", "--name", "w").code == 0
    return "w"


def said(shell: Any, *lines: str) -> list[str]:
    """Play lines, which must be lawful, and return every entry as a line of a sheet."""
    ran = shell("play", "w", *lines, "--json")
    assert ran.code == 0, ran.err
    return [entry["text"] for entry in ran.json["entries"]]


def heard(*lines: str, seat: str = "") -> tuple[int, Conversation]:
    """Type lines at the prompt and return how many entries the log has then."""
    with session_at("w", Path("store.db")) as session:
        talk = Conversation(Eyes.of(session, seat))
        for line in lines:
            talk.heard(line)
        return session.head.id, talk


@pytest.mark.parametrize("line", ("read charm", "read charm in OR_k", "read berserk"))
def test_a_scroll_that_is_read_is_no_quest_card(shell: Any, war: str, line: str) -> None:
    """`read` and a scroll is of that scroll, also where the rest of the line is missing (QD-16.1)."""
    ran = shell("play", war, line)
    assert ran.code
    assert "QD-6.10" not in ran.err
    assert "scroll" in ran.err


def test_a_round_of_battle_is_typed_as_its_dice(shell: Any, war: str) -> None:
    """Fight, declarations, passes and the usual losses stand between: they are filled in, and marked as not typed (QD-10.1)."""
    said(shell, "orc: attack OR_n from OR_k with 6")
    ran = shell("play", "w", "1 1 3 5 5 6", "6 6 6 2 2 6", "1 1 3 5", "--json").json
    texts = [entry["text"] for entry in ran["entries"]]
    assert [text for text in texts if text.startswith("dice")] == [
        "dice: 1 1 3 5 5 6", "dice: 6 6 6 2 2 6", "dice: 1 1 3 5",
    ]  # fmt: skip
    assert "barbarian: take losses 3 unit" in texts
    assert "orc: continue" in texts
    typed = {entry["id"] for entry in ran["entries"] if entry["text"].startswith("dice")}
    assert set(ran["silent"]) == {entry["id"] for entry in ran["entries"]} - typed
    assert shell("verify", "w").code == 0


def test_dice_of_a_wrong_number_fill_nothing_in(shell: Any, war: str) -> None:
    """The silences before a roll are written only with a roll that is taken."""
    said(shell, "orc: attack OR_n from OR_k with 6")
    ran = shell("play", "w", "1 1 3")
    assert ran.code == 1
    assert "orc rolls 6 d6 for attack, not 3" in ran.err
    assert shell("log", "w", "--json").json["head"]["id"] == 2


def test_silence_never_ends_a_phase_or_chooses_in_secret(shell: Any, tmp_path: Path) -> None:
    """Dice in the buying phase lead nowhere: nobody is taken to have ended it."""
    begun(shell, tmp_path, "buy")
    ran = shell("play", "w", "1 1 3")
    assert ran.code == 1
    assert shell("log", "w", "--json").json["head"]["id"] == 1


@pytest.mark.parametrize(
    ("short", "whole"),
    (
        ("att OR_n from OR_k with 3", "orc: attack OR_n from OR_k with 3"),
        ("attack OR_n from OR_k with 3 leading wizard", "orc: attack OR_n from OR_k with 3 leading orc.wizard.1"),
        ("forced OR_ne from OR_k with 3", "orc: forced march OR_ne from OR_k with 3"),
        ("end combat", "orc: end phase"),
        ("end", "orc: end phase"),
    ),
)  # fmt: skip
def test_a_move_may_be_cut_short(shell: Any, war: str, short: str, whole: str) -> None:
    """The beginning of a verb is enough where it is the only one asked; a chip needs no seat before it."""
    assert said(shell, short) == [whole]


@pytest.mark.parametrize("losses", ("take losses 3", "losses 3", "take losses 3 units", "take losses 3 Unit"))
def test_losses_are_a_number_where_there_is_one_kind(shell: Any, war: str, losses: str) -> None:
    """In one or for many, or left out: while plain units are left they go first (QD-X52)."""
    said(shell, "orc: attack OR_n from OR_k with 6", "1 1 3 5 5 6", "6 6 6 6 6 6")
    assert said(shell, losses) == ["barbarian: take losses 3 unit"]


def test_several_moves_stand_on_one_line(shell: Any, tmp_path: Path) -> None:
    """Parted by a semicolon, each played as if it stood alone."""
    begun(shell, tmp_path, "buy")
    assert said(shell, "buy units 2; end buy") == ["orc: buy units 2", "orc: end phase"]


def test_units_are_set_up_round_by_round_on_one_line(shell: Any) -> None:
    """A move that takes one place and names several is one move for each who is asked in turn (QD-3.3)."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    scrolls = ("card: ?", "card: ?")
    said(shell, *scrolls, "blessed")
    assert said(shell, "claim OR_k SV_k or_n") == ["orc: claim OR_k", "elf: claim SV_k", "orc: claim OR_n"]


def test_the_end_of_a_phase_that_is_not_open_is_refused_by_its_name(shell: Any, war: str) -> None:
    """Whoever names the phase can't end another by mistake."""
    ran = shell("play", "w", "orc: end quest")
    assert ran.code == 1
    assert "Open is the combat phase of orc" in ran.err
    assert shell("log", "w", "--json").json["head"]["id"] == 1


def test_phases_in_which_nothing_can_be_done_are_said(shell: Any, tmp_path: Path) -> None:
    """No ship, no party: sea and quests are passed over, and that is told (QD-4.1)."""
    begun(shell, tmp_path, "buy")
    out = shell("play", "w", "end buy").out
    assert "sea phase skipped: nothing can be done in it" in out
    assert "quest phase skipped" in out
    assert "combat phase began" in out


def test_what_the_rules_did_by_themselves_is_said_to_be_done(shell: Any, tmp_path: Path) -> None:
    """The income went into the only kingdom: whoever stores it once more is told which entry did (QD-20.1)."""
    begun(shell, tmp_path, "buy")
    said(shell, "buy units 1", "end buy", "end combat", "end transfer")
    told = shell("log", "w", "--facts").out
    place, gold = re.findall(r"gold stored: orc, (\w+), gold (\d+)", told)[-1]
    head = shell("log", "w", "--json").json["head"]["id"]
    ran = shell("play", "w", f"orc: store gold {gold} {place}")
    assert ran.code == 1
    assert f"Entry {head} did that by itself, for the rules left no choice." in ran.err
    assert "did that by itself" not in shell("play", "w", f"orc: store gold {gold}9 {place}").err


def test_an_end_without_a_seat_does_not_end_the_phase_of_another(shell: Any, tmp_path: Path) -> None:
    """Placing the last unit ends the Orcs' turn by itself; `end phase` then would end the Barbarians' combat."""
    begun(shell, tmp_path, "buy")
    said(shell, "buy units 1", "end buy", "end combat", "end transfer")
    head = shell("log", "w", "--json").json["head"]["id"]
    if "store gold" in shell("asks", "w").out:
        said(shell, shell("asks", "w", "--json").json["asks"][0]["silence"])
    ran = shell("play", "w", "orc: place units 1 OR_k", "end phase")
    assert ran.code == 1
    assert "has ended by itself with the line before" in ran.err
    assert shell("log", "w", "--json").json["head"]["id"] > head


def test_an_unknown_word_is_answered_with_what_is_asked(shell: Any, war: str) -> None:
    """Not with all that the game knows."""
    ran = shell("play", "w", "orc: frobnicate")
    assert ran.code == 2
    assert "orc can answer: attack, forced march, end phase." in ran.err
    assert "buy" not in ran.err


def test_no_refusal_names_a_class_of_the_program(shell: Any, war: str) -> None:
    """`add unit` is what people type, not AddUnit."""
    ran = shell("play", "w", "orc: add unit OR_k", "--json")
    assert "`add unit` does not answer" in ran.json["refused"]["text"]
    ran = shell("play", "w", "card: reflect")
    assert "Deal" not in ran.err


def test_a_move_is_no_roll_while_dice_are_asked(shell: Any, war: str) -> None:
    """It is told what is to be rolled, for whom."""
    said(shell, "orc: attack OR_n from OR_k with 6", "orc: fight", "declare", "declare", "pass")
    ran = shell("play", "w", "take losses 2")
    assert ran.code == 1
    assert "no face" not in ran.err
    assert "6 d6 of orc for attack" in ran.err
    assert "6 d6 of orc for attack are to come" in shell("asks", "w", "--as", "orc").out


def test_the_crystal_die_is_read_by_colour_and_by_what_it_says(shell: Any) -> None:
    """Whatever the capitals; what is nearly a face is told (QD-1.5)."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    said(shell, "card: ?", "card: ?")
    ran = shell("play", "w", "Yelow")
    assert ran.code == 2
    assert "did you mean yellow?" in ran.err
    assert "yellow, yellow" not in ran.err
    assert said(shell, "IGNORED", "Red", "blessed") == ["dice: blue", "dice: red", "dice: yellow"]


def test_a_card_is_typed_by_name_and_an_unknown_one_is_answered_with_the_near_ones(shell: Any) -> None:
    """Bare or after `card:`; `rules --cards` lists them, with what is the booklet's and what is this house's."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    ran = shell("play", "w", "refect")
    assert ran.code == 2
    assert "Did you mean reflect?" in ran.err
    assert "rules dragonlords --cards" in ran.err
    assert [text.partition(":")[0] for text in said(shell, "Summon Elemental wind")] == ["card"]
    assert said(shell, "reflect") == ["card: reflect"], (
        "a command is called so too, which nobody is asked for"
    )
    cards = shell("rules", "dragonlords", "--cards", "all", "--json").json["cards"]
    assert {card["deck"] for card in cards} == {"quest_cards", "scrolls", "treasures"}
    assert {
        card["card"]
        for card in cards
        if card["deck"] == "quest_cards" and card["where from"] == "the booklet"
    } == {"Q01"}


@pytest.mark.parametrize("call", (("play", "w", "?"), ("roll", "w", "?")))
def test_a_question_mark_alone_is_never_a_card(shell: Any, call: tuple[str, ...]) -> None:
    """It asks for help everywhere; an unseen card is `card: ?`."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    ran = shell(*call)
    assert ran.code == 2
    assert "`card: ?`" in ran.err
    assert shell("log", "w", "--json").json["head"]["id"] == 1


def test_why_says_what_the_rules_say_and_plays_nothing(shell: Any, war: str) -> None:
    """At any moment; refused with sections and the nearest lawful moves, else with what would follow."""
    said(shell, "orc: attack OR_n from OR_k with 3")
    ran = shell("why", "w", "orc: attack SV_k from OR_k with 3", "--at", "1")
    assert ran.code == 1
    assert "lawful would be: orc: attack" in ran.out
    assert "QD-10.2" in ran.out
    ran = shell("why", "w", "orc: attack OR_ne from OR_k with 3", "--at", "1")
    assert (ran.code, "units moved: orc, 3 units" in ran.out) == (0, True)
    assert shell("log", "w", "--json").json["head"]["id"] == 2


@pytest.mark.parametrize(
    ("short", "whole", "section"),
    (
        ("buy uni 3", "orc: buy units 3", "QD-4.2"),
        ("transf to OR_n from OR_k with 1", "orc: transfer to OR_n from OR_k with 1", "QD-19.1"),
        ("read legion in OR_k with 5", "orc: read scroll legion in OR_k with 5", "QD-16.1"),
        ("retr to OR_ne", "orc: retreat to OR_ne", "QD-17.1"),
    ),
)
def test_a_move_cut_short_that_is_not_asked_now_is_answered_by_its_own_rule(
    shell: Any, war: str, short: str, whole: str, section: str
) -> None:
    """Not with a list of verbs: the rules say why it can't be done."""
    shell("play", "w", "orc: attack OR_n from OR_k with 3", "orc: fight")
    ran = shell("why", "w", f"orc: {short}", "--json")
    assert ran.code == 1
    assert ran.json["move"] == whole
    assert section in ran.json["reasons"][0]["because"]


def test_of_two_verbs_that_which_begins_as_it_was_typed_is_meant(shell: Any, tmp_path: Path) -> None:
    """`att` is an attack also for Elves, who may sneak, too."""
    (tmp_path / "e.toml").write_text(
        WAR.format(phase="combat", gold="").replace('seat = "orc"\nphase', 'seat = "elf"\nphase')
    )
    assert shell("new", "--position", "e.toml", "--name", "w").code == 0
    assert (
        shell("why", "w", "elf: att IH_k from SV_k with 1", "--json").json["move"].startswith("elf: attack ")
    )


def test_asks_lists_every_choice_and_says_it_to_programs_as_data(shell: Any, tmp_path: Path) -> None:
    """No list is cut, and a bound is an object, not a text to be read."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    said(shell, "card: ?", "card: ?", "blessed", "claim OR_k", "claim SV_k")
    assert "in all" not in shell("asks", "w").out
    (ask,) = shell("asks", "w", "--json").json["asks"]
    place = ask["offers"][0]["fields"]["place"]
    assert (place["Bound"], len(place["values"]) > 20) == ("OneOf", True)


def test_a_card_that_is_called_as_a_verb_is_a_card_while_one_is_drawn(shell: Any) -> None:
    """`reflect` is a scroll to draw, and later what one does with it (QD-3.1, QD-16.3)."""
    assert shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w").code == 0
    assert said(shell, "reflect", "Reflect") == ["card: reflect", "card: reflect"]


def test_a_card_at_the_set_up_is_taken_back(shell: Any) -> None:
    """Nobody has moved yet: the last card or roll goes, by consent or the arbiter's word (LS-3.2)."""
    shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "w")
    said(shell, "card: reflect")
    assert shell("undo", "w", "--arbiter", "Zed").code == 0
    assert said(shell, "card: berserk") == ["card: berserk"]
    assert heard("card: ?", "undo --arbiter Zed")[0] == 6


def test_nothing_hidden_is_on_a_shared_screen_unless_asked_for(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not in the board, the offers, the echo of a sealed command; `show all` and `as orc` tell."""
    heard("show", "?", "attack OR_n from OR_k with 3 leading wizard")
    shown = capsys.readouterr().out
    assert "wizard" not in shown.replace("leading wizard", "")
    assert "(sealed to orc)" in shown
    heard("show all")
    assert "wizard" in capsys.readouterr().out
    heard("as orc")
    assert "[wizard.1]" in capsys.readouterr().out


def test_only_one_seat_is_heard_while_it_is_alone_with_the_screen(shell: Any, war: str) -> None:
    """`as elf` plays for the Elves; Enter goes back to the table."""
    head, talk = heard("as elf", "orc: end combat")
    assert (head, talk.private) == (1, "elf")
    head, talk = heard("as elf", "", "orc: end combat")
    assert (head, talk.shared) == (2, True)


def test_enter_takes_the_usual_answer_and_twice_ends_a_phase(shell: Any, war: str) -> None:
    """One slip of the finger ends nothing; a choice is taken at once, though a step ends with it."""
    assert heard("")[0] == 1
    assert heard("", "")[0] == 2
    shell("undo", "w")
    head, _ = heard("attack OR_n from OR_k with 3", "")
    assert heard("")[0] == head + 1


def test_undo_at_the_prompt_takes_back_a_line_with_what_was_filled_in(shell: Any, war: str) -> None:
    """The dice and the silences before them are one line; options of the shell's command are read, not passed over."""
    with session_at("w", Path("store.db")) as session:
        talk = Conversation(Eyes.of(session, ""))
        talk.heard("attack OR_n from OR_k with 6")
        talk.heard("1 1 3 5 5 6")
        talk.heard("undo")
        assert session.now.question is not None
        assert session.now.question.kind == "cast"
        talk.heard("undo all")
        assert session.now.question.kind == "combat"
        assert session.now.state.columns
        talk.heard("undo --to 1 --arbiter Zed")
        assert not session.now.state.columns
        talk.heard("undo 99")
        assert session.head.id == session.now.entry - 1


def test_undo_at_the_prompt_takes_one_line_back_after_a_restore(shell: Any, war: str) -> None:
    """A line that was brought back is the last one again; where nothing is left behind, nothing is promised."""
    with session_at("w", Path("store.db")) as session:
        talk = Conversation(Eyes(session, ARBITER))
        for line in ("attack OR_n from OR_k with 1", "attack OR_n from OR_k with 2", "undo"):
            talk.heard(line)
        assert session.entries[-1].parent == 2
        talk.heard("attack OR_n from OR_k with 3")
        stood = session.entries[-1].parent
        for line in ("undo", "restore", "undo"):
            talk.heard(line)
        assert session.entries[-1].parent == stood
        talk.heard("undo")
        assert session.entries[-1].parent == 1


def test_what_the_arbiter_took_back_comes_back_on_his_word(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plain `restore` does not make the arbiter decide, at the prompt as in the shell."""
    head, _ = heard("attack OR_n from OR_k with 3", "undo 1 --arbiter Zed", "restore")
    assert head == 3
    assert "The arbiter went back with entry 3" in capsys.readouterr().err
    assert shell("restore", "w").code == 2
    capsys.readouterr()
    assert heard("restore --arbiter Zed")[0] == 4
    assert "what had been left is there again" in capsys.readouterr().out


def test_restore_is_promised_where_something_was_left(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Going forward to a line that was left brings it back, and leaves nothing that could be restored."""
    heard("attack OR_n from OR_k with 3", "undo")
    assert "comes back by `restore`" in capsys.readouterr().out
    heard("undo 2")
    assert "The game goes on from entry 2.  what had been left is there again\n" in capsys.readouterr().out


def test_the_tab_key_knows_what_may_stand_next(shell: Any, war: str) -> None:
    """Verbs that are asked, places by id or by name, field words, chips; never what only another seat sees."""
    with session_at("w", Path("store.db")) as session:
        eyes = Eyes(session, ARBITER)
        assert "attack" in candidates(eyes, "", "a")
        assert candidates(eyes, "attack ", "OR_n") == ("OR_n", "OR_ne", "OR_nw")
        assert candidates(eyes, "attack ", "fern") == ("OR_n",)
        assert candidates(eyes, "orc: attack OR_n ", "fr") == ("from",)
        assert candidates(eyes, "attack OR_n from OR_k with 3 leading ", "") == ("orc.king", "orc.wizard.1")
        shared = Eyes(session, ARBITER, openly=True)
        assert candidates(shared, "attack OR_n from OR_k with 3 leading ", "") == ()
        assert candidates(eyes, "as ", "b") == ("barbarian",)
        assert candidates(eyes, "take ", "l") == ()


@pytest.mark.parametrize("count", (1, 3, 9))
def test_another_number_of_losses_than_is_due_is_refused_by_the_rules(
    shell: Any, war: str, count: int
) -> None:
    """Where several kinds may be lost a bare number is one all the same: `losses 1` where two are due (QD-10.8)."""
    said(shell, "orc: attack OR_n from OR_k with 6 leading king, wizard", "orc: fight")
    said(shell, "6 6 6 6 6 6", "1 1 6 6 6 6")
    ran = shell("play", "w", f"losses {count}")
    assert ran.code == 1
    assert "QD-10.8" in ran.err
    assert (f"orc loses 2 in OR_n, not {count}" if count < 9 else "orc can't lose 7 unit") in ran.err
    assert said(shell, "losses 2") == ["orc: take losses 2 unit"]


def test_a_number_without_what_it_counts_is_said() -> None:
    """In a whole sentence, such as a sheet has."""
    with pytest.raises(BadText, match="losses: it does not say 1 of what; expected number kind"):
        parse_command(RULES, "take losses 1", "orc")


def test_the_arbiter_is_heard_without_being_named_while_he_alone_is_asked(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What he can say stands there as soon as somebody disputes; each verdict may begin with `rule`, and going back is one."""
    heard("orc: dispute the number of units")
    shown = capsys.readouterr().out
    for line in (
        "uphold because <reason>",
        "go back to entry 1 because <reason>",
        "rule <point> = <answer> because",
    ):
        assert line in shown
    heard("?")
    assert "Now, for example:  uphold because" in capsys.readouterr().out
    assert heard("rule uphold because they were counted; twice")[0] == 3
    heard("attack OR_n from OR_k with 1", "orc: dispute so it was not", "go back to 1 because it was a slip")
    with session_at("w", Path("store.db")) as session:
        assert (session.head.id, session.entries[-1].parent) == (6, 1)
        talk = Conversation(Eyes(session, ARBITER))
        for line in (
            "orc: attack OR_n from OR_k with 2",
            "orc: dispute again",
            "rule X61 = extra because so we play",
        ):
            talk.heard(line)
        assert session.now.answer("QD-X61") == "extra"
        assert not session.now.table.disputes


def test_a_dispute_that_begins_with_a_number_says_what_it_means(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dispute 3 ...` may be entry 3 or three dice; without a number it is over what was played last, not over a take-back."""
    assert heard("orc: attack OR_n from OR_k with 3", "orc: dispute 1 the king stood elsewhere")[0] == 2
    err = capsys.readouterr().err
    assert "`dispute entry 1 the king stood elsewhere`" in err
    assert 'quotes: `dispute "1 the king stood elsewhere"`' in err
    shell("undo", "w")
    shell("restore", "w")
    heard('barbarian: dispute "3 units were too many"')
    with session_at("w", Path("store.db")) as session:
        assert [(one.at, one.claim) for one in session.now.table.disputes] == [(2, "3 units were too many")]
    shell("rule", "w", "--uphold", "--reason", "so it was")
    shell("play", "w", "orc: attack OR_n from OR_k with 1")
    shell("undo", "w", "--arbiter", "Zed")
    shell("dispute", "w", "not so", "--seat", "orc")
    with session_at("w", Path("store.db")) as session:
        assert session.now.table.disputes[0].at == 2


def test_what_the_arbiter_takes_back_is_listed_whole_and_comes_back_as_it_is_said(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Corrections told nobody anything and are left behind all the same; and the line that is advised is accepted."""
    with session_at(war, Path("store.db")) as session:
        talk = Conversation(Eyes(session, ARBITER))
        for count in (5, 6):
            talk.heard(f"arbiter: correct units elf SV_k {count} because so many stood there")
        talk.heard("orc: end combat")
        head = session.head.id
        capsys.readouterr()
        talk.heard("undo 1 --arbiter Zed")
        said = capsys.readouterr().out
        assert [f"taken back: entry {at}: " in said for at in (2, 3, 4)] == [True] * 3
        assert "`restore --arbiter Zed`" in said
        talk.heard("restore --arbiter Zed")
        assert session.history.line(session.head.id)[-2] == head


def test_a_move_that_begins_with_show_is_a_move(
    shell: Any, war: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`show grail` turns a treasure up; `show` and a number is the board."""
    with session_at(war, Path("store.db")) as session:
        talk = Conversation(Eyes(session, ARBITER))
        capsys.readouterr()
        talk.heard("show grail")
        assert "QD-7.8" in capsys.readouterr().err
        talk.heard("show 1")
        assert "OR_k" in capsys.readouterr().out
