"""The board as a picture: everything that stands is drawn, once, and nothing that its reader may not see."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from core.games.dragonlords import RULES
from core.games.dragonlords.board import SPACES, TERRITORIES, ZONES
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.picture import tables
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    GoldSet,
    HandSet,
    HoardSet,
    ShadeSet,
    ShipsSet,
    SpellsSet,
    TurnSet,
    UnitsSet,
)
from core.games.dragonlords.svg import draw
from core.telling import Moment
from events.play import GameEnded
from replay.picture import picture
from tests.driver import SPECTATOR, Table, given
from tests.games.dragonlords.campaigns import LAND
from tests.games.dragonlords.field import at_war
from tests.games.dragonlords.svg_boards import histories

SVG = "{http://www.w3.org/2000/svg}"


def drawn(now: Moment[Any], **more: Any) -> ET.Element:
    return ET.fromstring(draw(now, **more))


def words(root: ET.Element) -> list[str]:
    return [part.text or "" for part in root.iter(f"{SVG}text")]


def within(root: ET.Element, mark: str, value: str) -> ET.Element:
    """Return the one element with a mark of that value."""
    found = [part for part in root.iter() if part.get(mark) == value]
    assert len(found) == 1, f"{len(found)} elements have {mark}={value}"
    return found[0]


def titles(root: ET.Element) -> dict[str, str]:
    """Return what each place says when it is pointed at."""
    places = ((part.get("data-place"), part.find(f"{SVG}title")) for part in root.iter())
    return {place: title.text or "" for place, title in places if place and title is not None}


def afield(*more: Any) -> Table:
    """Return Orcs in OR_k and at sea in S1, Elves in OR_n, and a party of Elves in a shrine."""
    return at_war(
        UnitsSet("orc", "OR_k", 14),
        UnitsSet("orc", "S1", 7),
        ShipsSet("S1", 2),
        UnitsSet("elf", "OR_n", 3, dragonlords=2),
        UnitsSet("elf", "WT06.elf", 5),
        *more,
    )


def test_every_place_is_drawn_once() -> None:
    """All 55 territories, 22 sea zones and 24 spaces are in the picture, none twice (QD-2)."""
    places = [place for part in drawn(afield().now).iter() if (place := part.get("data-place"))]
    assert sorted(places) == sorted([*TERRITORIES, *ZONES, *SPACES])


def test_every_territory_has_its_name() -> None:
    """A place is found by its name as well as by its id."""
    root = drawn(afield().now)
    told = {place: " ".join(words(within(root, "data-cell", place))) for place in TERRITORIES}
    assert [place for place, land in TERRITORIES.items() if not told[place].startswith(land.name)] == []


@pytest.mark.parametrize(
    ("place", "counts"), (("OR_k", ["14"]), ("S1", ["7"]), ("OR_n", ["3", "2"]), ("WT06.elf", ["5"]))
)
def test_every_army_has_its_count(place: str, counts: list[str]) -> None:
    """Units, and DragonLords beside them, on land, at sea, and in the Wastelands."""
    army = within(drawn(afield().now), "data-army", place)
    assert [told for told in words(army) if told.isdigit()] == counts


def test_columns_have_a_number_each() -> None:
    """Four and two attackers from two sides stand as 4+2 under the army that they attack (QD-10.2)."""
    attack = (ColumnSet("orc", "OR_n", "OR_k", 4), ColumnSet("orc", "OR_n", "G1", 2))
    assert "4+2" in words(within(drawn(afield(*attack).now), "data-columns", "OR_n"))


def test_owners_differ_in_more_than_colour() -> None:
    """A letter and a shape of its own for each people, so that no meaning hangs on colour."""
    peoples = ("orc", "elf", "dwarf", "barbarian")
    lands = ("FM_k", "OR_k", "IH_k", "SV_k")
    table = given(
        RULES,
        TurnSet("orc"),
        *(UnitsSet(*stack, 2) for stack in zip(peoples, lands, strict=True)),
        seats=peoples,
    )
    root = drawn(table.now)
    armies = [within(root, "data-army", land) for land in lands]
    shapes = {
        next(part.get("d") for part in army.iter() if "badge" in part.get("class", "")) for army in armies
    }
    letters = {
        next(part.text for part in army.iter() if "letter" in part.get("class", "")) for army in armies
    }
    assert len(shapes) == 4
    assert letters == {"O", "E", "D", "B"}


def test_gold_and_ships_are_drawn_where_they_lie() -> None:
    """Twelve gold in OR_k, two ships in S1, one docked in OR_se (QD-2.2, QD-2.7)."""
    root = drawn(
        afield(GoldSet("OR_k", 12), UnitsSet("orc", "OR_se", 1), ShipsSet("OR_se", 1, empty=True)).now
    )
    assert words(within(root, "data-gold", "12")) == ["12"]
    assert words(within(root, "data-fleet", "S1")) == ["2"]
    within(root, "data-docked", "OR_se")


def test_chips_stand_as_their_reader_knows_them() -> None:
    """The owner sees which face-down chip lies where, others only that one may (QD-H42); what is shown all see."""
    table = afield(ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "ring_of_fire", "OR_n", shown=True))
    for seat, signs in (("orc", ["K"]), ("elf", ["?"]), ("spectator", ["?"])):
        root = drawn(table.view(seat), seat=seat)
        assert words(within(root, "data-chips", "OR_k")) == signs
        assert words(within(root, "data-chips", "OR_n")) == ["T"]


def test_no_stack_is_a_riddle_to_its_owner() -> None:
    """Where others see `?`, its owner, his ally and the arbiter know that no chip lies there, and see none (QD-H42)."""
    four = ("orc", "elf", "dwarf", "barbarian")
    position = (
        TurnSet("orc"),
        UnitsSet("orc", "OR_k", 2),
        ChipSet("orc", "orc.king", "OR_n"),
        UnitsSet("orc", "OR_n", 2),
    )
    table = given(RULES, *position, ShadeSet("orc", "OR_k"), seats=four, options={"armies": "two"})
    for seat, signs in (("orc", []), ("dwarf", []), ("arbiter", []), ("elf", ["?"]), ("barbarian", ["?"])):
        root = drawn(table.view(seat), seat=seat)
        assert [part for part in words(within(root, "data-cell", "OR_k")) if part == "?"] == signs
        assert ("chips: ?" in titles(root)["OR_k"]) == bool(signs)
        (row,) = (row for *_, rows in tables(table.view(seat), seat) for row in rows if row[0] == "OR_k")
        assert (row[4] == "?") == bool(signs), "what is read in words is what is drawn"


@pytest.mark.parametrize(("units", "riddle"), ((3, True), (1, False)))
def test_a_chip_that_all_see_does_not_say_that_no_other_lies_there(units: int, riddle: bool) -> None:
    """QD-H42: a wizard joined openly, and the rest may bear what is hidden; where nobody is left to bear it, nothing is."""
    table = given(
        RULES, TurnSet("orc"), UnitsSet("orc", "OR_n", units), UnitsSet("elf", "AL_k", 2), ShadeSet("orc", "OR_n"),
        ChipSet("orc", "orc.wizard.2", "OR_n", shown=True), seats=("orc", "elf"),
    )  # fmt: skip
    for seat, told in ((SPECTATOR, riddle), ("elf", riddle), ("orc", False)):
        (row,) = (row for *_, rows in tables(table.view(seat), seat) for row in rows if row[0] == "OR_n")
        assert row[4].startswith("wizard.2") or row[4].startswith("[wizard.2")
        assert row[4].endswith(", ?") is told, (seat, row)
        chips = within(drawn(table.view(seat), seat=seat), "data-chips", "OR_n")
        assert words(chips) == (["?", "W"] if told else ["W"]), "drawn as it is read in words"


def test_beside_chips_that_are_counted_a_riddle_stands_by_itself() -> None:
    """Three open treasures, and the fourth unit may bear a wizard (QD-H42)."""
    treasures = ("ring_of_fire", "excalibur", "trident")
    chips = (ChipSet("orc", name, "OR_n", shown=True) for name in treasures)
    position = (TurnSet("orc"), UnitsSet("orc", "OR_n", 4), ShadeSet("orc", "OR_n"), *chips)
    table = given(RULES, *position, seats=("orc", "elf"))
    assert words(within(drawn(table.view("elf"), seat="elf"), "data-chips", "OR_n")) == ["T", "×3", "?"]


def test_a_treasure_that_nobody_saw_may_lie_in_any_stack_of_its_owner() -> None:
    """Whoever recorded could not see which it was: it is counted, and its owner's stacks are riddles to all (QD-H54)."""
    position = (TurnSet("orc"), UnitsSet("orc", "OR_k", 2), ShadeSet("orc", "OR_k"), HoardSet("orc", 1))
    table = given(RULES, *position, seats=("orc", "elf"))
    for seat in ("orc", "elf", "arbiter"):
        assert "?" in words(within(drawn(table.view(seat), seat=seat), "data-cell", "OR_k"))


def test_a_blank_chip_bears_no_letter() -> None:
    """B is the letter of the Barbarians; a decoy is as blank as it is on the table (QD-3.5)."""
    table = given(
        RULES,
        TurnSet("barbarian"),
        UnitsSet("barbarian", "OR_k", 2),
        ChipSet("barbarian", "barbarian.blank", "OR_k"),
        seats=("orc", "barbarian"),
    )
    cell = within(drawn(table.view("barbarian"), seat="barbarian"), "data-cell", "OR_k")
    assert [part.get("class") for part in within(cell, "data-chips", "OR_k").iter(f"{SVG}circle")] == [
        "chip known"
    ]
    assert words(cell) == ["Eldermoot", "B", "2"]


def test_who_lost_his_king_and_has_no_treasure_hides_nothing() -> None:
    """King, wizards and decoy went with the king; a treasure may still lie under the vanquished (QD-22.1, QD-H47)."""
    now = afield(ShadeSet("elf", "OR_n")).view("orc")
    for out, hoards, signs in (((), {}, 1), (("elf",), {"elf": 1}, 1), (("elf",), {}, 0)):
        state = structs.replace(now.state, out=out, hoards=hoards)
        cell = within(drawn(Moment(now.rules, state, now.table, now.entry), seat="orc"), "data-cell", "OR_n")
        assert words(cell).count("?") == signs
        told = next(
            row
            for *_, rows in tables(Moment(now.rules, state, now.table, now.entry), "orc")
            for row in rows
            if row[0] == "OR_n"
        )
        assert told[4].count("?") == signs, "what is read in words is what is drawn"


def test_chips_that_are_alike_are_counted() -> None:
    """Three treasures in one stack are one chip and ×3; which ones the place says when it is pointed at (QD-6.11)."""
    treasures = ("ring_of_fire", "excalibur", "trident")
    root = drawn(afield(*(ChipSet("orc", name, "OR_k") for name in treasures)).view("orc"), seat="orc")
    assert words(within(root, "data-chips", "OR_k")) == ["T", "×3"]
    assert all(name in titles(root)["OR_k"] for name in treasures)


def hiding(king: str, blank: str, scroll: str) -> Table:
    """Return Orcs that hide the king and the blank in these places and hold this scroll."""
    return afield(
        ChipSet("orc", "orc.king", king),
        ChipSet("orc", "orc.blank", blank),
        ChipSet("orc", "orc.wizard.1", "S1", shown=True),
        SpellsSet("orc.wizard.1", ("heal", "fireball")),
        HandSet("orc", (scroll,)),
    )


def test_what_a_seat_may_not_see_is_not_in_its_picture() -> None:
    """Two games that differ only in what the Orcs hide give the Elves, and a spectator, the same picture to the byte."""
    one, other = hiding("OR_k", "S1", "berserk"), hiding("S1", "OR_k", "reflect")
    for seat in ("elf", "spectator"):
        assert draw(one.view(seat), seat=seat) == draw(other.view(seat), seat=seat)
    assert draw(one.view("orc"), seat="orc") != draw(other.view("orc"), seat="orc")


def test_a_picture_is_whole_xml_whatever_the_title_says() -> None:
    """Titles and captions are people's words; they are written out, never taken for marks."""
    root = drawn(afield().now, title='</title><script>"&', caption="<b>" * 100)
    assert root.find(f"{SVG}title").text == '</title><script>"&'  # type: ignore[union-attr]
    assert root.find(f"{SVG}script") is None
    assert root.get("width") == "1200"


def test_a_picture_is_dark_light_or_as_the_reader_prefers() -> None:
    """Only the third asks the reader's system; light and dark differ in nothing but their style."""
    now = afield().now
    asks = {theme: "prefers-color-scheme" in draw(now, theme=theme) for theme in ("", "light", "dark")}
    assert asks == {"": True, "light": False, "dark": False}
    light, dark = (
        re.sub(r"<style>.*</style>", "", draw(now, theme=theme), flags=re.DOTALL)
        for theme in ("light", "dark")
    )
    assert light == dark
    assert draw(now, theme="light") != draw(now, theme="dark")


def test_the_vanquished_are_told_from_the_others() -> None:
    """Whose king was beaten still holds places, with a broken rim (QD-22.1)."""
    now = afield().now
    state = structs.replace(now.state, out=("elf",))
    beaten = Moment(now.rules, state, now.table, now.entry)
    assert 'class="held over of-elf out"' in draw(beaten)
    assert 'class="held over of-elf out"' not in draw(now)


def test_the_picture_of_a_kept_game_comes_from_the_command_line(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`picture` writes a file at any moment of a log, and never over one that is there unless told."""
    from replay.cli import main

    monkeypatch.chdir(tmp_path)
    game = str(LAND / "kings_of_two.jsonl")
    assert main(["picture", game, "--at", "90", "--as", "orc", "--dark"]) == 0
    written = (tmp_path / "kings_of_two.svg").read_text(encoding="utf-8")
    assert any(told.startswith("entry 90, as orc may see it") for told in words(ET.fromstring(written)))
    assert main(["picture", game, "--at", "91"]) == 2
    assert (tmp_path / "kings_of_two.svg").read_text(encoding="utf-8") == written
    assert "--force" in capsys.readouterr().err
    assert main(["picture", game, "--at", "91", "--force"]) == 0
    assert (tmp_path / "kings_of_two.svg").read_text(encoding="utf-8") != written
    assert main(["picture", game, "--at", "99999"]) == 2


def test_tundra_is_hatched_in_the_short_game_and_nowhere_else() -> None:
    """Eighteen territories lie under frost, and the legend says what that means (QD-23.2)."""
    short = drawn(
        given(
            RULES,
            TurnSet("orc"),
            UnitsSet("orc", "OR_k", 2),
            seats=("orc", "elf"),
            options={"length": "short"},
        ).now
    )
    frozen = [part.get("data-tundra") for part in short.iter() if part.get("data-tundra")]
    assert frozen == sorted(place for place, land in TERRITORIES.items() if land.short_variant_tundra)
    assert len(frozen) == 18
    assert any("tundra" in told for told in words(short))
    usual = drawn(afield().now)
    assert [part for part in usual.iter() if part.get("data-tundra")] == []
    assert not any("tundra" in told for told in words(usual))


def test_the_legend_says_who_is_allied() -> None:
    """Each of the four armies with its ally (QD-23.1)."""
    four = ("orc", "elf", "dwarf", "barbarian")
    table = given(RULES, TurnSet("orc"), UnitsSet("orc", "OR_k", 2), seats=four, options={"armies": "two"})
    told = words(drawn(table.now))
    assert {"orc, ally of dwarf", "elf, ally of barbarian"} <= set(told)
    assert not any("ally" in each for each in words(drawn(afield().now)))


def test_the_board_in_words_says_which_variant_is_played() -> None:
    """Who is with whom, how many kingdoms win, what is out of the deck; of the usual game nothing (QD-23.1 to QD-23.3)."""
    four = ("orc", "elf", "dwarf", "barbarian")
    position = (TurnSet("orc"), UnitsSet("orc", "OR_k", 2))
    both = given(
        RULES,
        *position,
        seats=four,
        options={"armies": "two", "length": "short"},
        answers={"QD-H22": "three_kingdoms"},
    )
    assert next(iter(tables(both.now)))[2] == (
        ("allies", "orc and dwarf against elf and barbarian"),
        ("short game", "3 kingdoms win; the east of the board is tundra"),
    )
    long = given(RULES, *position, seats=four, options={"length": "long"})
    assert next(iter(tables(long.now)))[2] == (("long game", "without Summon Elemental"),)
    usual = given(RULES, *position, seats=four)
    assert next(iter(tables(usual.now)))[2][0] == ("turn", "1, orc: combat")


def test_turn_phase_battle_and_what_is_asked_stand_above_the_board() -> None:
    """Whose turn it is, which of the seven phases, who fights where, what works there, and who owes which dice (QD-4.1)."""
    table = afield().when("orc", Attack("OR_n", "OR_k", 6)).when("orc", Fight("OR_n"))
    told = words(drawn(table.now, title="Friday", moment="entry 3", caption="orc: fight", asked="dice: 6 d6"))
    assert {"Friday", "entry 3", "orc: fight", "dice: 6 d6"} <= set(told)
    assert "Turn 1, orc: combat, phase 4 of 7" in told
    assert "orc against elf over Fernhollow, round 1; at work: elf panic" in told


def test_who_owes_losses_is_named_once() -> None:
    """`elf loses 1 in OR_n` stands as `elf: loses 1 in OR_n`, as at the prompt."""
    told = [
        words(ET.fromstring(picture(history, at)))
        for history in histories()[:20]
        for at, now in enumerate(history.moments)
        if now.question is not None and now.question.kind == "losses" and now.state.ended is None
    ]
    assert told
    assert all(any(re.match(r"(\w+): loses \d", each) for each in texts) for texts in told)


def test_the_panel_says_how_a_seat_stands() -> None:
    """Units, lands, gold, treasures, purchases, items and what wizards can do are open; scrolls by number (QD-3.1)."""
    table = afield(
        GoldSet("OR_k", 12),
        ChipSet("orc", "orc.wizard.1", "OR_k"),
        SpellsSet("orc.wizard.1", ("heal", "fireball")),
        HandSet("orc", ("summon_elemental.fire", "reflect")),
        HandSet("elf", ("berserk",)),
    )
    own = words(drawn(table.view("orc"), seat="orc"))
    assert "21 units, 1 land, 1 kingdom" in own
    assert "12 gold, 2 scrolls: summon elemental of fire, reflect" in own
    assert "wizard 1: heal, fireball" in own
    others = words(drawn(table.view("elf"), seat="elf"))
    assert "12 gold, 2 scrolls" in others
    assert "0 gold, 1 scroll: berserk" in others
    assert not any("reflect" in each for each in others)


def test_who_has_the_picture_read_aloud_hears_how_the_game_stands() -> None:
    """The picture is an image with a name and a description; every place says what stands there."""
    root = drawn(afield(GoldSet("OR_k", 12)).now, title="Friday", moment="entry 3")
    named = [root.find(f"{SVG}{tag}[@id='{id}']") for tag, id in (("title", "name"), ("desc", "what"))]
    name, what = (part.text or "" for part in named if part is not None)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "name what"
    assert name == "Friday, entry 3"
    assert what.startswith("Turn 1, orc: combat, phase 4 of 7. orc: 21 units, 1 land, 1 kingdom; 12 gold")
    assert titles(root)["OR_k"] == "Eldermoot (OR_k) in Oakreach, kingdom; orc 14, 12 gold"
    assert titles(root)["WT06"] == "WT06, shrine of the Northern Wastes; elf 5"
    assert titles(root)["S1"] == "sea zone S1; orc 7, 2 ships"
    assert len(titles(root)) == len(TERRITORIES) + len(ZONES) + len(SPACES)


@pytest.mark.parametrize("kind", ("ended", "setup"))
def test_before_the_first_turn_and_after_the_end_the_picture_says_so(kind: str) -> None:
    """No phase is shown where there is none."""
    now = afield().now
    over = GameEnded(("orc",), "kings") if kind == "ended" else None
    state = structs.replace(now.state, ended=over, turn=0, phase="", active="")
    told = words(drawn(Moment(now.rules, state, now.table, now.entry)))
    assert ("Over: orc won" if over else "Setup") in told
    assert not any("phase" in each for each in told)
