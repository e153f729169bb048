"""What another seat holds shows in no answer to a line with `--as`: twin games that differ in a hand answer alike."""

import re
from pathlib import Path
from typing import Any

import pytest

WAR = """\
game = "dragonlords"
seats = ["orc", "elf"]
turn = [{{ seat = "orc", phase = "combat" }}]
units = [
  {{ seat = "orc", place = "OR_n", count = 6 }},
  {{ seat = "elf", place = "G1", count = 4 }},
]
chip = [{{ seat = "orc", chip = "orc.wizard.1", place = "OR_n" }}]
hand = [{{ seat = "orc", scrolls = ["{scroll}"] }}]
"""
HANDS = ("summon_elemental.fire", "legion")
FOUR = ("--seats", "orc,elf,dwarf,barbarian", "--option", "armies=two")


def _twins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    for hand in HANDS:
        monkeypatch.setenv("LAWSPEAKER_STORE", str(tmp_path / f"{hand}.db"))
        yield hand


def _told(shell: Any, command: str, line: str, who: str) -> list[Any]:
    """Return what a line is answered, as text and as JSON; without digests, which hide what they seal, and the time."""
    ran = [shell(command, "g", line, "--as", who, *form) for form in ((), ("--json",))]
    clean = [re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+Z)?", "", each.out + each.err) for each in ran]
    return [ran[0].code, *(re.sub(r"\b[0-9a-f]{64}\b", "", each) for each in clean)]


@pytest.mark.parametrize("who", ("elf", "spectator"))
def test_how_a_line_of_another_is_read_hangs_on_nothing_he_holds(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """`why` and `play` of the Orcs' lines, whole, cut short and misspelt, answer the same whatever scroll they hold (LS-2.7)."""
    lines = (
        "read", "read scroll", "raed x", "r", "x", "summon", "read fire", "read legion in OR_n with 2", "attack",
        "read summon_elemental.fire", "read leg in OR_n", "dispute", "end phase", "agree",
    )  # fmt: skip
    seen: list[dict[tuple[str, str], list[Any]]] = []
    own = []
    for hand in _twins(monkeypatch, tmp_path):
        Path("war.toml").write_text(WAR.format(scroll=hand))
        assert shell("new", "--position", "war.toml", "--name", "g").code == 0
        seen.append(
            {
                (call, line): _told(shell, call, f"orc: {line}", who)
                for call in ("why", "play")
                for line in lines
            }
        )
        own.append([_told(shell, "why", f"orc: {line}", "orc") for line in lines])
    assert own[0] != own[1], "the Orcs' own eyes see the difference"
    for asked, told in seen[0].items():
        assert told == seen[1][asked], asked
    if who == "elf":
        for call, says in (("why", "--as elf asks for elf and the dice"), ("play", "orc plays for itself")):
            for line in lines:
                code, said, _ = seen[0][call, line]
                assert (code, says in said) == (2, True), (call, said)


@pytest.mark.parametrize("who", ("orc", "elf", "spectator"))
def test_a_card_drawn_unseen_is_nobodys_to_give_who_plays_with_eyes_of_his_own(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """Whether a scroll is left tells who holds it: neither `play` nor `why` says, for whatever card (LS-4.6)."""
    lines = (*(f"card: {card}" for card in (*HANDS, "?", "none such", "fyre")), HANDS[0], "dice: 3")
    seen = []
    for hand in _twins(monkeypatch, tmp_path):
        assert shell("new", "--game", "dragonlords", "--seats", "orc,elf", "--name", "g").code == 0
        assert shell("play", "g", f"card: {hand}").code == 0
        seen.append([_told(shell, call, line, who) for call in ("play", "why") for line in lines])
        for code, said, _ in seen[-1]:
            assert (code, "LS-4.6" in said, "lawful" in said) == (1, True, False), said
        assert shell("log", "g", "--json").json["head"]["id"] == 2
    assert seen[0] == seen[1]
    assert shell("play", "g", "card: none such", "--as", "arbiter").code == 2
    assert shell("why", "g", f"card: {HANDS[0]}", "--as", "arbiter").code == 0
    assert shell("play", "g", f"card: {HANDS[0]}").code == 0, (
        "without --as one person types for the whole table"
    )


def test_a_player_speaks_at_each_of_his_seats(shell: Any) -> None:
    """The Dwarves' lines are their ally's too, and of the other player's seats nothing is read (LS-1.6)."""
    assert shell("new", "--game", "dragonlords", *FOUR, "--name", "g").code == 0
    own, others = (
        {call: shell(call, "g", f"{seat}: end phase", "--as", "orc") for call in ("why", "play")}
        for seat in ("dwarf", "elf")
    )
    for call in ("why", "play"):
        assert "orc and the dice" not in own[call].err + own[call].out, call
        assert (others[call].code, "orc and the dice" in others[call].err) == (2, True), call
