"""What `--as` shows hangs on nothing that the seat may not see: games that differ in a hidden chip look the same."""

import re
from pathlib import Path
from typing import Any

import pytest

WAR = """\
game = "dragonlords"
seats = ["orc", "dwarf"]
turn = [{{ seat = "orc", phase = "combat" }}]
units = [
  {{ seat = "orc", place = "OR_k", count = 6 }},
  {{ seat = "dwarf", place = "OR_n", count = 4 }},
  {{ seat = "dwarf", place = "FM_k", count = 4 }},
]
chip = [
  {{ seat = "orc", chip = "orc.king", place = "OR_k" }},
  {{ seat = "dwarf", chip = "dwarf.king", place = "{king}" }},
  {{ seat = "dwarf", chip = "dwarf.blank", place = "{blank}" }},
]
"""
MOMENTS = (
    ("orc: attack OR_n from OR_k with 4", "orc: fight OR_n", "orc: declare"),
    ("dwarf: declare", "dice: 1 6 6 6", "dice: 6 6 6 6"),
)
CALLS = (
    ("show",),
    ("show", "--at", "2"),
    ("asks", "--board"),
    ("log", "--facts"),
    ("diff", "1", "2"),
    ("replay",),
)


def _seen(shell: Any, seat: str) -> list[str]:
    """Return all that a seat may be shown of game `g`: without digests, which hide what they seal, and the time."""
    said = []
    for command, *more in CALLS:
        for form in ((), ("--json",)):
            ran = shell(command, "g", *more, "--as", seat, *form)
            assert ran.code == 0, ran.err
            said.append(ran.out + ran.err)
    shell("picture", "g", "--as", seat, "--out", "seen.svg", "--force")
    said.append(Path("seen.svg").read_text())
    return [_unstamped(each) for each in said]


def _unstamped(said: str) -> str:
    said = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", said)
    return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+Z)?", "<time>", said)


@pytest.mark.parametrize("seat", ("orc", "spectator"))
def test_a_hidden_chip_in_another_place_changes_nothing_that_others_see(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seat: str
) -> None:
    """The king of the Dwarfs is hidden (QD-14.2): whether it or a blank stands in the battle shows in no output, of any
    command that takes --as, while it is asked which units it loses and at every step before.
    """
    seen: list[list[list[str]]] = []
    for king, blank in (("OR_n", "FM_k"), ("FM_k", "OR_n")):
        monkeypatch.setenv("LAWSPEAKER_STORE", str(tmp_path / f"{king}.db"))
        (tmp_path / "war.toml").write_text(WAR.format(king=king, blank=blank))
        ran = shell("new", "--position", "war.toml", "--name", "g")
        assert ran.code == 0, ran.err
        seen.append([])
        for moves in MOMENTS:
            ran = shell("play", "g", *moves)
            assert ran.code == 0, ran.err
            seen[-1].append(_seen(shell, seat))
        own = shell("asks", "g", "--as", "dwarf").out
        assert ("dwarf.king" in own) == (king == "OR_n"), "the seat itself sees what it may lose"
    for first, second in zip(*seen, strict=True):
        for one, other in zip(first, second, strict=True):
            assert one == other


def test_others_are_told_who_is_asked_and_what_kind_of_thing(shell: Any, game: str) -> None:
    """A spectator and another seat see that red is asked, not what it could answer; nobody is left out."""
    shell("undo", "g", "--to", "3", "--agreed", "blue")
    for seat in ("spectator", "blue"):
        for told in (
            shell("show", "g", "--as", seat, "--json").json["asks"],
            shell("show", "g", "--json").json["asks"],
        ):
            assert [(ask["seat"], ask["kind"]) for ask in told] == [("red", "throw")]
        (ask,) = shell("show", "g", "--as", seat, "--json").json["asks"]
        assert (ask["offers"], ask["silence"], ask["offers_hidden"]) == ([], "", True)
        out = shell("show", "g", "--as", seat).out
        assert "red: " in out
        assert "throw at <" not in out
    (ask,) = shell("asks", "g", "--as", "spectator", "--json").json["asks"]
    assert (ask["seat"], ask["offers"]) == ("red", [])
    assert "blue is asked nothing now; asked: red." in shell("asks", "g", "--as", "blue").out
    assert shell("show", "g", "--as", "red", "--json").json["asks"][0]["offers"]
