"""At the table: `new`, `play`, `roll`, `asks`, `undo`, `restore`, `whatif`."""

import re
from pathlib import Path
from typing import Any

import pytest

from events.chain import hash_of
from events.jsonl import read_log, write_log


def test_a_game_gets_a_readable_name_unless_it_is_given_one(shell: Any) -> None:
    """Rules and day; a second one on the same day gets -2."""
    first = shell("new", "--game", "skirmish", "--json").json["game"]
    second = shell("new", "--game", "skirmish", "--json").json["game"]
    assert first.startswith("skirmish-20")
    assert second == f"{first}-2"


def test_a_name_that_is_taken_is_refused(shell: Any, game: str) -> None:
    """Exit code 1, and the game that is there stays as it is."""
    ran = shell("new", "--game", "skirmish", "--name", "g")
    assert ran.code == 1
    assert "already" in ran.err
    assert shell("log", "g", "--json").json["head"]["id"] == 4


def test_a_house_answer_is_taken_at_the_opening(shell: Any) -> None:
    """X1=four changes what hits (TS-X1): a four takes a pebble."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "h", "--answer", "X1=four")
    shell("play", "h", "red: bid 1", "blue: bid 0", "red: throw at blue", "dice: 4 6")
    assert shell("show", "h", "--json").json["state"]["pebbles"]["blue"] == 4


def test_an_answer_that_the_point_does_not_have_is_refused(shell: Any) -> None:
    """Exit code 2, for it names nothing, with the code and LS-1.3; nothing is kept."""
    ran = shell("new", "--game", "skirmish", "--answer", "X1=five", "--json")
    assert ran.code == 2
    assert [reason["code"] for reason in ran.json["reasons"]] == ["no_such_answer"]
    assert shell("games", "--json").json["games"] == []


def test_a_game_opens_from_a_position(shell: Any, tmp_path: Path) -> None:
    """What the file says stands, and who sits is who sits there."""
    (tmp_path / "few.toml").write_text(
        'game = "skirmish"\nseats = ["red", "blue"]\n[[pebbles]]\nseat = "blue"\ncount = 1\n'
    )
    assert shell("new", "--position", "few.toml", "--name", "few").code == 0
    assert shell("show", "few", "--json").json["state"]["pebbles"] == {"red": 5, "blue": 1}


def test_moves_are_played_in_order_and_the_dice_are_asked_for(shell: Any, game: str) -> None:
    """After the throw chance is asked for two dice of red (TS-2.2)."""
    told = shell("asks", "g", "--json").json
    (ask,) = told["asks"]
    assert (ask["seat"], ask["roll"]["count"], ask["sections"]) == ("chance", 2, ["TS-2.2"])


def test_typed_dice_are_kept_as_typed(shell: Any, game: str) -> None:
    """The entry says where its dice came from; no command can claim it (LS-4.5)."""
    told = shell("roll", "g", "1", "6", "--json").json
    (entry,) = told["entries"]
    assert (entry["source"], entry["text"]) == ("typed", "dice: 1 6")


def test_dice_of_the_wrong_number_are_refused_with_the_section_that_asks(shell: Any, game: str) -> None:
    """Three dice where two are asked: exit code 1, TS-2.2, its text below, and nothing is written."""
    ran = shell("roll", "g", "1", "2", "3")
    assert ran.code == 1
    assert "wrong_dice_count; TS-2.2" in ran.err
    assert "Each die of three or less takes a pebble." in ran.err
    assert shell("log", "g", "--json").json["head"]["id"] == 4


def test_a_roll_while_no_dice_are_asked_for_is_refused(shell: Any, game: str) -> None:
    """Who is asked instead is said."""
    shell("roll", "g", "1", "2")
    ran = shell("roll", "g", "1", "2")
    assert ran.code == 1
    assert "red and blue" in ran.err


def test_a_refused_move_stops_the_list_and_says_what_stays_played(shell: Any, game: str) -> None:
    """Moves before the refused one are kept, those after it are not tried."""
    ran = shell("play", "g", "dice: 1 2", "red: bid 99", "blue: bid 1", "--json")
    assert ran.code == 1
    assert [entry["text"] for entry in ran.json["entries"]] == ["dice: 1 2"]
    assert ran.json["refused"]["reasons"][0]["because"] == ["TS-1.1"]
    assert ran.json["left"] == 1


def test_a_text_of_moves_stops_at_the_line_that_is_told(shell: Any, game: str) -> None:
    """Its number counts every line; of two that say the same, those behind the one that failed are left."""
    ran = shell("play", "g", typed="# the throw\n\ndice: 1 2\nred: bid 99\nblue: bid 1\nred: bid 99\n")
    assert ran.code == 1
    assert "refused: line 4: red: bid 99" in ran.err
    typed = "red: bid 0\nred: bud 1\nblue: bid 1\nred: bud 1\n"
    told = shell("play", "g", "--json", typed=typed).json
    assert (told["refused"]["line"], told["left"]) == (2, 2)
    assert "line 1: red: bud 1: " in shell("play", "g", typed="red: bud 1").err


def test_moves_are_read_from_stdin_without_remarks(shell: Any, game: str) -> None:
    """A file of moves can be piped in; what follows # is a remark."""
    ran = shell("play", "g", typed="# the throw\ndice: 1 2   # two hits\n\nred: bid 0\n")
    assert ran.code == 0
    assert shell("log", "g", "--json").json["head"]["id"] == 6


def test_the_seat_may_be_left_out_when_only_one_is_asked(shell: Any, game: str) -> None:
    """Bare faces are dice while dice are asked for; a bare move is of the one seat that is asked."""
    assert shell("play", "g", "1 2").code == 0
    ran = shell("play", "g", "bid 1")
    assert ran.code == 2
    assert "red or blue: bid 1" in ran.err
    assert shell("play", "g", "red: bid 2", "blue: bid 0", "throw at blue").code == 0


def test_a_seat_that_nobody_has_is_told_with_those_there_are(shell: Any, game: str) -> None:
    """A mistyped seat is the likeliest slip of all."""
    ran = shell("play", "g", "bleu: bid 1")
    assert ran.code == 2
    assert "red, blue; did you mean blue?" in ran.err


def test_a_key_sent_twice_is_played_once(shell: Any, game: str) -> None:
    """The second answer is the first one (LS-2.5)."""
    once = shell("play", "g", "dice: 1 2", "--key", "k", "--json")
    again = shell("play", "g", "dice: 1 2", "--key", "k", "--json")
    assert once.json["entries"] == again.json["entries"]
    assert shell("log", "g", "--json").json["head"]["id"] == 5


def test_a_key_is_one_of_the_seat_that_plays_with_it(shell: Any) -> None:
    """Red's key neither answers Blue nor stands in its way; each may send its own again (LS-2.5)."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "k")
    for _ in range(2):
        for seat in ("red", "blue"):
            ran = shell("play", "k", "bid 2", "--as", seat, "--key", "first", "--json")
            assert (ran.code, [entry["seat"] for entry in ran.json["entries"]]) == (0, [seat])
    told = shell("log", "k", "--json").json
    assert told["head"]["id"] == 3


def test_a_stale_question_is_refused_with_what_happened_since(shell: Any, game: str) -> None:
    """A command that names a question answered long ago does nothing (LS-2.2)."""
    ran = shell("play", "g", "red: throw at blue", "--question", "3.0.red", "--json")
    assert ran.code == 1
    assert ran.json["refused"]["stale"]
    assert [entry["id"] for entry in ran.json["refused"]["since"]] == [4]


def test_live_dice_fall_by_themselves(shell: Any) -> None:
    """The computer rolls as soon as dice are asked for, and the entry says so."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "l", "--dice", "live")
    told = shell("play", "l", "red: bid 1", "blue: bid 0", "red: throw at blue", "--json").json
    assert told["entries"][-1]["source"] == "live"


def test_sealed_dice_fall_from_a_seed_that_is_kept_beside_the_store(shell: Any, tmp_path: Path) -> None:
    """The seed lies in no log; a later call of the command rolls on from it (LS-4.4)."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "s", "--dice", "sealed")
    told = shell("play", "s", "red: bid 1", "blue: bid 0", "red: throw at blue", "--json").json
    assert told["entries"][-1]["source"] == "sealed"
    seed = next(tmp_path.glob("store.db.seeds/s.seed")).read_text().strip()
    assert seed not in shell("log", "s", "--json").out
    assert shell("verify", "s").code == 0


def test_dice_of_no_kind_are_an_error(shell: Any) -> None:
    """Scripted dice are for tests; people have three kinds."""
    assert shell("new", "--game", "skirmish", "--dice", "loaded").code == 2
    assert shell("new", "--game", "skirmish", "--dice", "scripted").code == 2


def test_what_told_something_is_not_taken_back_alone(shell: Any, game: str) -> None:
    """Refused with the list of what was learned and who must agree (LS-3.2); with consent it goes."""
    shell("roll", "g", "1", "2")
    ran = shell("undo", "g", "--json")
    assert ran.code == 1
    assert ran.json["learned"] == ["entry 5: roll"]
    assert ran.json["needed"] == ["blue"]
    agreed = shell("undo", "g", "--agreed", "blue", "--json")
    assert agreed.code == 0
    assert agreed.json["to"] == 3
    assert shell("asks", "g", "--json").json["asks"][0]["kind"] == "throw"


def test_the_arbiter_takes_back_in_place_of_the_seats(shell: Any, game: str) -> None:
    """The name of who decided stands in the log."""
    shell("roll", "g", "1", "2")
    told = shell("undo", "g", "--to", "2", "--arbiter", "Anna", "--json").json
    assert told["entries"][0]["command"]["arbiter"] == "Anna"


def test_restore_brings_back_what_the_last_undo_left(shell: Any, game: str) -> None:
    """Nothing was erased: the board is as it was before."""
    shell("roll", "g", "1", "2")
    before = shell("show", "g", "--json").json["state"]["pebbles"]
    shell("undo", "g", "--agreed", "blue")
    assert shell("show", "g", "--json").json["state"]["pebbles"] != before
    assert shell("restore", "g", "--agreed", "blue").code == 0
    assert shell("show", "g", "--json").json["state"]["pebbles"] == before


def test_what_is_brought_back_is_not_called_left_behind(shell: Any, game: str) -> None:
    """Going forward again tells what the game has come back to; going on elsewhere tells both, each as what it is."""
    shell("roll", "g", "1", "2")
    back = shell("undo", "g", "--agreed", "blue").out
    assert (
        "goes on from entry 3.  what was left behind stays in the log\n  left behind: entry 5: roll" in back
    )
    again = shell("restore", "g", "--agreed", "blue").out
    assert "goes on from entry 5.  what had been left is there again\n  brought back: entry 5: roll" in again
    assert "left behind" not in again
    shell("undo", "g", "--to", "3", "--agreed", "blue")
    shell("play", "g", "red: throw at blue", "dice: 3 4")
    elsewhere = shell("undo", "g", "--to", "5", "--arbiter", "Zed").out
    assert "what had been left is there again; what was left behind stays in the log" in elsewhere
    assert "brought back: entry 5: roll" in elsewhere
    assert "left behind: entry 10: roll" in elsewhere


def test_restore_without_an_undo_is_refused(shell: Any, game: str) -> None:
    """Exit code 1: there is nothing to bring back."""
    assert shell("restore", "g").code == 1


def test_undo_and_restore_alone_come_to_an_end(shell: Any) -> None:
    """After twelve the others are asked for, in the words of who undoes or restores; where the game stands nobody goes (LS-3.7, LS-3.6)."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3")
    assert "LS-3.6" in shell("undo", "g", "--to", "2", "--by", "red").err
    for n in range(12):
        assert shell("restore" if n % 2 else "undo", "g").code == 0
    ran = shell("undo", "g")
    assert (ran.code, "LS-3.7" in ran.err) == (1, True)
    assert "red can't take this back alone, for the game went to and fro 12 times in a row alone" in ran.err
    assert shell("undo", "g", "--agreed", "blue").code == 0
    assert shell("restore", "g").code == 0, "blue has had a say"


def test_restore_brings_nothing_back_twice(shell: Any, game: str) -> None:
    """What was brought back, and what others played since, is not lost to a second restore."""
    shell("roll", "g", "1", "2")
    shell("undo", "g", "--agreed", "blue")
    assert shell("restore", "g", "--agreed", "blue").code == 0
    before = shell("show", "g", "--json").json
    for _ in range(2):
        ran = shell("restore", "g", "--agreed", "red,blue")
        assert ran.code == 1
        assert "nothing to bring back" in ran.err
        assert "lawspeaker undo g --to N" in ran.err
        assert shell("show", "g", "--json").json == before


def test_restore_is_refused_once_somebody_played_on(shell: Any, game: str) -> None:
    """After an undo (entry 6) red threw again (entry 7): that stands, and the ways to what was left are named."""
    shell("roll", "g", "1", "2")
    shell("undo", "g", "--agreed", "blue")
    shell("play", "g", "red: throw at blue")
    ran = shell("restore", "g", "--agreed", "red,blue")
    assert ran.code == 1
    assert "entry 7 was played since the last undo" in ran.err
    for way in ("show g --at 5", "whatif g --at 5", "undo g --to 5"):
        assert f"`lawspeaker {way}`" in ran.err
    assert shell("log", "g", "--json").json["head"]["id"] == 7
    assert shell("undo", "g", "--to", "5", "--by", "red", "--agreed", "blue").code == 0


def test_live_dice_that_fell_anew_after_an_undo_keep_nothing_from_being_restored(shell: Any) -> None:
    """Going back to before a roll, the computer rolls at once: nobody moved, so all others may agree to the old roll."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g", "--dice", "live")
    shell("play", "g", "red: bid 3", "blue: bid 1", "red: throw at blue")
    thrown = shell("log", "g", "--json").json["entries"]
    assert [entry["source"] for entry in thrown[4:]] == ["live"], "entry 4 throws, entry 5 is the roll"
    before = shell("show", "g", "--json").json["state"]["pebbles"]
    assert shell("undo", "g", "--to", "4", "--agreed", "blue").code == 0
    assert shell("log", "g", "--json").json["head"]["id"] == 7, "the undo, and the dice that fell at once"
    alone = shell("restore", "g")
    assert alone.code == 1
    assert (
        "red can't bring this back alone, for it tells something (entry 5: roll; entry 7: roll)" in alone.err
    )
    brought = shell("restore", "g", "--agreed", "blue", "--json")
    assert brought.code == 0
    assert brought.json["to"] == 5
    assert shell("show", "g", "--json").json["state"]["pebbles"] == before
    assert shell("verify", "g").code == 0


def test_what_was_brought_back_is_not_named_as_left(shell: Any, game: str) -> None:
    """Undone, restored and played on: nothing lies beside the line, and no way to it is named."""
    shell("undo", "g", "--to", "2", "--by", "blue", "--agreed", "red")
    assert shell("restore", "g", "--agreed", "red").code == 0
    shell("roll", "g", "1", "2")
    ran = shell("restore", "g", "--agreed", "red,blue")
    assert (ran.code, "whatif" in ran.err) == (1, False)


def test_two_undos_are_brought_back_one_after_the_other(shell: Any) -> None:
    """The last undo first; a dispute and its ruling in between are no play."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g")
    shell("play", "g", "red: bid 3", "blue: bid 1")
    full = shell("show", "g", "--json").json["state"]
    assert shell("undo", "g", "--by", "blue", "--to", "2", "--agreed", "red").code == 0
    shell("undo", "g", "--by", "red", "--to", "1", "--agreed", "blue")
    assert shell("dispute", "g", "why", "--seat", "red").code == 0
    assert shell("rule", "g", "--uphold", "--reason", "so it was").code == 0
    assert shell("restore", "g", "--agreed", "blue").code == 0
    assert shell("show", "g", "--json").json["state"]["bids"] == {"red": 3}
    assert shell("restore", "g", "--agreed", "red").code == 0
    assert shell("show", "g", "--json").json["state"]["pebbles"] == full["pebbles"]
    assert shell("restore", "g", "--agreed", "red").code == 1


def test_who_restores_is_refused_in_words_of_restoring(shell: Any, game: str) -> None:
    """Bringing back a roll needs consent too (LS-3.2); the text says bring back, not take back."""
    shell("roll", "g", "1", "2")
    shell("undo", "g", "--agreed", "blue")
    ran = shell("restore", "g")
    assert ran.code == 1
    assert "red can't bring this back alone" in ran.err
    assert "take" not in ran.err.partition("[")[0]


def test_what_the_arbiter_left_the_arbiter_brings_back(shell: Any, game: str) -> None:
    """An undo that the arbiter decided is not undone by whoever types restore."""
    shell("roll", "g", "1", "2")
    shell("undo", "g", "--arbiter", "Anna")
    ran = shell("restore", "g")
    assert ran.code == 2
    assert "--arbiter NAME" in ran.err
    assert shell("restore", "g", "--arbiter", "Anna").code == 0


def test_who_asks_for_an_undo_is_guessed_only_without_doubt(shell: Any, game: str) -> None:
    """Red and blue both bid after entry 1: one of them says so, or the other's consent tells it."""
    ran = shell("undo", "g", "--to", "1")
    assert ran.code == 2
    assert "--by SEAT (red and blue moved since entry 1)" in ran.err
    told = shell("undo", "g", "--to", "1", "--agreed", "blue", "--json").json
    assert told["entries"][0]["seat"] == "red"


@pytest.mark.parametrize(
    "call",
    (
        ("undo", "g", "--to", "99"),
        ("undo", "g", "--to", "0", "--by", "red"),
        ("whatif", "g", "--at", "99"),
        ("dispute", "g", "so", "--seat", "red", "--at", "99"),
        ("rule", "g", "--back-to", "99", "--reason", "so"),
        ("show", "g", "--at", "99"),
        ("replay", "g", "--to", "99"),
        ("diff", "g", "1", "99"),
        ("picture", "g", "--at", "99"),
    ),
)
def test_an_entry_that_is_not_there_is_the_same_error_everywhere(
    shell: Any, game: str, call: tuple[str, ...]
) -> None:
    """Exit code 2, and which entries the log holds; nothing is written."""
    ran = shell(*call)
    assert ran.code == 2
    assert "holds 1 to 4" in ran.err
    assert shell("log", "g", "--json").json["head"]["id"] == 4


def test_a_what_if_is_a_game_of_its_own(shell: Any, game: str) -> None:
    """It goes on from the entry named; the game it left is not touched, and it says where it comes from."""
    assert shell("whatif", "g", "--at", "3", "--name", "w").code == 0
    shell("play", "w", "red: throw at blue", "dice: 1 1")
    assert shell("log", "g", "--json").json["head"]["id"] == 4
    opened = shell("log", "w", "--json").json["entries"][0]["command"]
    assert (opened["branch"]["game"], opened["branch"]["entry"]) == ("g", 3)


def test_a_what_if_is_held_against_the_game_that_it_left(shell: Any, game: str, tmp_path: Path) -> None:
    """Where that lies beside it: what was changed in the copy is found, though its own chain holds; else it is said."""
    shell("whatif", "g", "--at", "4", "--name", "w")
    assert "is not at hand" not in shell("verify").out
    for name in ("g", "w"):
        shell("export", name, "--out", f"{name}.jsonl")
    assert shell("verify", ".").code == 0
    log = read_log(tmp_path / "w.jsonl")
    changed = [
        re.sub(rb'"at":"2', b'"at":"1', line, count=1) if at == 2 else line
        for at, line in enumerate(log.lines)
    ]
    for at in range(3, len(changed)):
        here = b'"prev":"' + hash_of(changed[at - 1]).encode() + b'"'
        changed[at] = re.sub(rb'"prev":"[0-9a-f]{64}"', here, changed[at])
    (tmp_path / "w.head").unlink()
    write_log(tmp_path / "w.jsonl", changed, log.openings, head=None, overwrite=True)
    ran = shell("verify", ".")
    assert ran.code == 1
    assert "whole  no: entry 3" in ran.out
    assert "another entry (at)" in ran.out
    (tmp_path / "g.jsonl").rename(tmp_path / "other.jsonl")
    alone = shell("verify", "w.jsonl")
    assert (alone.code, "not held against g, which is not at hand" in alone.out) == (0, True)


def test_offers_are_lines_that_can_be_played(shell: Any, game: str) -> None:
    """What `asks` shows is in the words of a scoresheet, the free fields bounded."""
    shell("roll", "g", "6", "6")
    out = shell("asks", "g").out
    assert "red: bid <0 to 5>" in out
    assert "without an answer: bid 0" in out


def test_what_one_seat_is_asked_can_be_shown_alone(shell: Any, game: str) -> None:
    """--as shows one seat's questions; a word that is no seat is an error."""
    shell("roll", "g", "6", "6")
    assert {ask["seat"] for ask in shell("asks", "g", "--as", "blue", "--json").json["asks"]} == {"blue"}
    assert shell("asks", "g", "--as", "gold").code == 2


def test_an_unknown_game_is_told_with_the_near_ones(shell: Any, game: str) -> None:
    """Exit code 2, and what may have been meant."""
    shell("new", "--game", "skirmish", "--name", "friday")
    ran = shell("show", "fridya")
    assert ran.code == 2
    assert "Did you mean friday?" in ran.err


@pytest.mark.parametrize("line", ("dice: ?", "dice: 1 ?", "1 ?", "? ?", "chance: ? 2"))
def test_a_die_that_nobody_saw_is_answered_with_what_to_do(shell: Any, game: str, line: str) -> None:
    """A sheet may hold one, for it is judged to its end; what is played live hangs on it. Nothing is written."""
    for call in (("play", "g", line), ("why", "g", line)):
        ran = shell(*call)
        assert ran.code == 2
        assert "Roll it again, or agree on a face" in ran.err
        assert "`lawspeaker adjudicate`" in ran.err
        assert "card" not in ran.err
    assert shell("roll", "g", "1", "?").code == 2
    assert shell("log", "g", "--json").json["head"]["id"] == 4


def test_an_unseen_die_where_none_is_asked_for_speaks_of_cards(shell: Any, game: str) -> None:
    """`dice: ?` while moves are asked is taken for an unseen card written wrong."""
    shell("roll", "g", "6", "6")
    ran = shell("play", "g", "dice: ?")
    assert ran.code == 2
    assert "`card: ?`" in ran.err


@pytest.mark.parametrize(
    ("more", "code"),
    ((("--person", f"red={'n' * 101}"), 1), (("--title", "t" * 201), 1), (("--person", "zzz=x"), 2)),
)
def test_names_and_titles_are_bounded_and_of_seats_that_there_are(
    shell: Any, tmp_path: Path, more: tuple[str, ...], code: int
) -> None:
    """Refused with the section of the law of the table; no game is begun (LS-1.8)."""
    ran = shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g", *more)
    assert (ran.code, "LS-1.8" in ran.err) == (code, True), ran.err
    assert len(ran.err) < 500
    assert shell("games", "--json").json["games"] == []


@pytest.mark.parametrize(
    ("name", "said"),
    (
        ("\udcff", r"'\udcff' can't be the name of a game"),
        ("g.jsonl", "leave `.jsonl` out"),
        ("g.db", "leave `.db` out"),
        ("G.SQLITE3", "leave `.sqlite3` out"),
    ),
)
def test_no_new_game_has_a_name_that_is_none_or_is_taken_for_a_file(
    shell: Any, game: str, tmp_path: Path, name: str, said: str
) -> None:
    """A sentence and exit code 2 wherever a game is named anew; nothing is begun, and no seed is left."""
    sheet = tmp_path / "a.score"
    sheet.write_text("game: skirmish\nseats: red, blue\n")
    assert shell("export", "g", "--out", "out.jsonl").code == 0
    for call in (
        ("new", "--game", "skirmish", "--name", name),
        ("new", "--game", "skirmish", "--dice", "sealed", "--name", name),
        ("whatif", "g", "--at", "1", "--name", name),
        ("import", "out.jsonl", "--name", name),
        ("adjudicate", "a.score", "--keep", name),
    ):
        ran = shell(*call)
        assert (ran.code, said in ran.err) == (2, True), (call, ran.err)
    assert [held["name"] for held in shell("games", "--json").json["games"]] == ["g"]
    assert not list(tmp_path.glob("*.seeds/*"))


def test_bytes_that_are_no_text_are_refused_in_a_sentence(shell: Any, game: str) -> None:
    """In a title, a name, a reason, a claim or a key: exit code 2, and nothing is written."""
    before = shell("log", "g", "--json").json
    for call in (
        ("new", "--game", "skirmish", "--name", "h", "--title", "a\udcff"),
        ("new", "--game", "skirmish", "--name", "h", "--person", "red=a\udcff"),
        ("dispute", "g", "a\udcff", "--seat", "red"),
        ("rule", "g", "--uphold", "--reason", "a\udcff"),
        ("roll", "g", "1", "2", "--actor", "a\udcff"),
        ("roll", "g", "1", "2", "--key", "a\udcff"),
    ):
        ran = shell(*call)
        assert (ran.code, "no text in UTF-8" in ran.err) == (2, True), (call, ran.err)
    assert shell("log", "g", "--json").json == before


@pytest.mark.parametrize("held", (None, ""))
def test_sealed_dice_whose_seed_is_gone_say_so_and_fall_when_it_is_back(
    shell: Any, tmp_path: Path, held: str | None
) -> None:
    """Missing or empty: the file is named with what can be done, no typed dice stand in, and nothing need be typed after (LS-4.4)."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "s", "--dice", "sealed")
    kept = tmp_path / "store.db.seeds" / "s.seed"
    seed = kept.read_text()
    kept.unlink()
    if held is not None:
        kept.write_text(held)
    played = shell("play", "s", "red: bid 1", "blue: bid 0", "red: throw at blue")
    assert played.code == 0
    for ran in (
        played,
        shell("roll", "s"),
        shell("play", "s", "red: bid 1"),
        shell("play", "s", "dice: 1 2"),
    ):
        assert "s.seed is missing or empty" in ran.err
        assert "whatif s --at 4" in ran.err
    assert ran.code == 1
    assert "seed is not at hand" in ran.err
    assert shell("roll", "s", "--json").json["error"] == "no_seed"
    assert "s.seed is missing or empty" in shell("play", "s", "--json").json["no_seed"]
    assert shell("whatif", "s", "--at", "4", "--name", "w").code == 0
    assert shell("log", "s", "--json").json["entries"][-1]["id"] == 4
    kept.write_text(seed)
    told = shell("play", "s", "--json")
    assert (told.code, told.err) == (0, "")
    assert told.json["entries"][0]["source"] == "sealed"
    assert shell("verify", "s").code == 0


def test_a_seed_is_read_up_to_a_bound_and_from_no_device(shell: Any, tmp_path: Path) -> None:
    """A link to a device that never ends, and a file of junk without end, are told of and not read through."""
    shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "s", "--dice", "sealed")
    kept = tmp_path / "store.db.seeds" / "s.seed"
    kept.unlink()
    kept.symlink_to("/dev/zero")
    for call in (("play", "s", "red: bid 1"), ("verify", "s")):
        ran = shell(*call)
        assert ran.code == 2, call
        assert "not a pipe or device" in ran.err + ran.out
    kept.unlink()
    kept.write_text("0" * 5_000_000)
    ran = shell("play", "s", "red: bid 1")
    assert (ran.code, "expected a seed, 64 hexadecimal digits" in ran.err) == (2, True)
