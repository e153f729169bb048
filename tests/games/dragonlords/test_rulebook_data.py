"""The data of Quest for the DragonLords: the rulebook, the board and the decks, checked against what the rules fix."""

import json
import re
import tomllib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.games.dragonlords import RULES
from replay.coverage import beside_the_code, cover

DATA = Path(__file__).parents[3] / "core" / "games" / "dragonlords" / "data"
LAST_LINE = 1063

SECTIONS_PER_CHAPTER = {
    "QD-1": 5,
    "QD-2": 9,
    "QD-3": 6,
    "QD-4": 3,
    "QD-5": 8,
    "QD-6": 14,
    "QD-7": 12,
    "QD-8": 6,
    "QD-9": 5,
    "QD-10": 10,
    "QD-11": 6,
    "QD-12": 5,
    "QD-13": 3,
    "QD-14": 7,
    "QD-15": 6,
    "QD-16": 9,
    "QD-17": 2,
    "QD-18": 1,
    "QD-19": 3,
    "QD-20": 1,
    "QD-21": 1,
    "QD-22": 2,
    "QD-23": 3,
    "QD-24": 15,
    "QD-25": 1,
}
CONTRADICTIONS = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 18, 19, 24, 31, 37, 44, 45, 47, 48, 52, 57, 60, 61, 62, 63),
    *(66, 70, 71, 72, 78, 79, 80, 81, 82, 83, 84, 85, 86),
)
SILENCES = range(1, 55)


@cache
def book() -> Any:
    return tomllib.loads((DATA / "rulebook.toml").read_text(encoding="utf-8"))


@cache
def board() -> Any:
    return json.loads((DATA / "board.json").read_text(encoding="utf-8"))


@cache
def decks() -> Any:
    return json.loads((DATA / "decks.json").read_text(encoding="utf-8"))


def by_id(parts: Iterable[Any]) -> dict[str, Any]:
    return {part["id"]: part for part in parts}


def prose(part: Mapping[str, Any]) -> Iterator[str]:
    """Yield every sentence of a section or point that a person reads."""
    for field in ("title", "text", "reason", "not_enforced"):
        yield part.get(field, "")
    for answer in part.get("answer", ()):
        yield answer["text"]


# ---------------------------------------------------------------- the rulebook


def test_the_book_says_which_game_it_rules() -> None:
    """The header names folder, title, edition and code, and says what its source lines count in, without a path."""
    header = book()["book"]
    assert (header["game"], header["code"], header["edition"]) == ("dragonlords", "QD", "2002")
    assert header["title"] == "Quest for the DragonLords"
    assert "2002" in header["source"]
    assert not re.search(r"/|\.txt|\.md", header["source"])


def test_every_id_is_well_formed_and_stands_once() -> None:
    """Chapters are QD-n, sections QD-n.m, points QD-Xn or QD-Hn; none is used twice."""
    shapes = {"chapter": r"QD-[1-9]\d?", "section": r"QD-[1-9]\d?\.[1-9]\d?", "point": r"QD-[XH][1-9]\d?"}
    ids = [(kind, part["id"]) for kind in shapes for part in book()[kind]]
    assert [pair for pair in ids if not re.fullmatch(shapes[pair[0]], pair[1])] == []
    assert [name for name, times in Counter(name for _, name in ids).items() if times > 1] == []


def test_the_book_has_the_chapters_one_to_twenty_five_in_order() -> None:
    """The chapters follow the rulebook's own contents, QD-1 to QD-25."""
    assert [chapter["id"] for chapter in book()["chapter"]] == [f"QD-{n}" for n in range(1, 26)]


def test_every_chapter_has_its_number_of_sections_without_gaps() -> None:
    """A section that is dropped or added is seen: the numbers per chapter are fixed and run from 1."""
    found: dict[str, list[int]] = {}
    for section in book()["section"]:
        chapter, _, number = section["id"].partition(".")
        found.setdefault(chapter, []).append(int(number))
    assert {chapter: len(numbers) for chapter, numbers in found.items()} == SECTIONS_PER_CHAPTER
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in found.values())
    assert sum(SECTIONS_PER_CHAPTER.values()) == 143


def test_every_contradiction_and_every_silence_is_a_point() -> None:
    """39 contradictions X and 54 silences H of the source are points, each of its own kind, in order."""
    expected = [(f"QD-X{n}", "contradiction") for n in CONTRADICTIONS]
    expected += [(f"QD-H{n}", "silence") for n in SILENCES]
    assert len(expected) == 93
    assert [(point["id"], point["kind"]) for point in book()["point"]] == expected


def test_sections_and_points_name_each_other() -> None:
    """A section lists a point exactly when that point lists the section."""
    points, sections = by_id(book()["point"]), by_id(book()["section"])
    chapters = by_id(book()["chapter"])
    from_sections = {(name, point) for name, section in sections.items() for point in section["points"]}
    from_points = {(name, point["id"]) for point in points.values() for name in point["sections"]}
    assert {point for _, point in from_sections} <= points.keys()
    assert {name for name, _ in from_points} <= sections.keys() | chapters.keys()
    assert from_sections == {pair for pair in from_points if pair[0] in sections}


def test_every_point_bears_on_a_section() -> None:
    """A point that bears on nothing could never be asked; none lists a section twice."""
    lists = {point["id"]: point["sections"] for point in book()["point"]}
    assert [name for name, sections in lists.items() if not sections] == []
    assert [name for name, sections in lists.items() if len(sections) != len(set(sections))] == []


def test_the_default_of_every_point_is_its_first_answer() -> None:
    """Every point has one to four answers with ids in snake case, all different, and the default leads."""
    for point in book()["point"]:
        answers = [answer["id"] for answer in point["answer"]]
        assert answers[0] == point["default"], point["id"]
        assert 1 <= len(answers) <= 4, point["id"]
        assert len(set(answers)) == len(answers), point["id"]
        assert all(re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", name) for name in answers), point["id"]
        assert all(answer["text"] for answer in point["answer"]), point["id"]


def test_a_point_says_whether_it_has_an_alternative() -> None:
    """The reason says "No alternative" exactly when the default is the only answer."""
    wrong = [
        point["id"]
        for point in book()["point"]
        if ("No alternative" in point["reason"]) != (len(point["answer"]) == 1)
    ]
    assert wrong == []


def test_the_title_of_every_point_is_a_question() -> None:
    """A point is a question to the table; text and reason are there too."""
    assert [point["id"] for point in book()["point"] if not point["title"].endswith("?")] == []
    assert [point["id"] for point in book()["point"] if not (point["text"] and point["reason"])] == []


def test_the_spell_in_place_of_the_die_is_the_default_of_its_point() -> None:
    """QD-X61 is named in every manual of the program: a wizard's spell replaces his die, or is extra."""
    point = by_id(book()["point"])["QD-X61"]
    assert (point["default"], [answer["id"] for answer in point["answer"]]) == (
        "replaces_die",
        ["replaces_die", "extra"],
    )


def test_every_section_has_a_title_and_full_sentences() -> None:
    """A rule is what a player can apply: it begins with a capital and ends with a full stop; its title is short."""
    for section in book()["section"]:
        assert re.fullmatch(r"[A-Z].*\.", section["text"]), section["id"]
        assert 0 < len(section["title"]) <= 60, section["id"]
        assert not section["title"].endswith("."), section["id"]


def test_texts_are_single_lines_of_plain_characters() -> None:
    """Texts are wrapped in the file only: what a reader gets has no line breaks, no double spaces and is ASCII."""
    for part in (*book()["section"], *book()["point"]):
        for text in prose(part):
            assert text.isascii(), part["id"]
            assert text == " ".join(text.split()), part["id"]


def test_every_cross_reference_leads_somewhere() -> None:
    """Each QD-... in a text is a chapter, section or point of the book, written in full."""
    known = {part["id"] for kind in ("chapter", "section", "point") for part in book()[kind]}
    for part in (*book()["section"], *book()["point"]):
        for text in prose(part):
            assert set(re.findall(r"QD-[XH]?\d+(?:\.\d+)?", text)) <= known, part["id"]
            assert not re.search(r"(?<!QD-)\b[XH]\d", text), f"{part['id']}: a reference without QD-"


def test_source_lines_lie_within_the_source() -> None:
    """`lines` is empty or a list of L-numbers and ranges that run forwards and end at the last line at the latest."""
    for part in (*book()["chapter"], *book()["section"], *book()["point"]):
        if not part["lines"]:
            continue
        for piece in part["lines"].split(", "):
            found = re.fullmatch(r"L(\d+)(?:-L(\d+))?", piece)
            assert found, f"{part['id']}: {piece!r}"
            first, last = int(found[1]), int(found[2] or found[1])
            assert 1 <= first <= last <= LAST_LINE, f"{part['id']}: {piece!r}"
            assert found[2] is None or first < last, f"{part['id']}: {piece!r}"


def test_only_sections_on_silences_have_no_source_lines() -> None:
    """QD-9.4 and QD-12.5 say that the source says nothing; every other section has its lines."""
    assert [section["id"] for section in book()["section"] if not section["lines"]] == ["QD-9.4", "QD-12.5"]


def test_what_is_not_enforced_gives_a_reason_that_leads_on() -> None:
    """Repetitions say where the rule stands; the rest are an outline, parts and hints. A rule never hides there."""
    idle = {
        section["id"]: section["not_enforced"] for section in book()["section"] if "not_enforced" in section
    }
    assert {name for name in idle if not name.startswith("QD-24.")} == {
        "QD-1.1",
        "QD-1.3",
        "QD-4.3",
        "QD-6.12",
        "QD-25.1",
    }
    faq = {name: reason for name, reason in idle.items() if name.startswith("QD-24.")}
    assert len(faq) == 15
    assert [name for name, reason in faq.items() if not reason.startswith("said in QD-")] == []
    assert [
        name for name, reason in idle.items() if set(re.findall(r"QD-\d+\.\d+", reason)) & idle.keys()
    ] == []


def test_no_section_and_no_point_waits_for_a_chapter() -> None:
    """Every chapter is built, the variants the last of them (QD-23.1): nothing is `pending`, nothing `needs` another."""
    assert [section["id"] for section in book()["section"] if "needs" in section] == []
    assert [point["id"] for point in book()["point"] if "pending" in point] == []


def test_every_section_is_enforced_and_tested_or_says_why_not() -> None:
    """`lawspeaker rules dragonlords --coverage` knows no section that is pending (QD-23.1, QD-23.2, QD-23.3)."""
    covered = cover(RULES, beside_the_code())
    assert [section.id for section in covered if section.status == "pending"] == []
    variants = [section for section in covered if section.id.startswith("QD-23.")]
    assert [(section.id, section.status) for section in variants] == [
        ("QD-23.1", "enforced"),
        ("QD-23.2", "enforced"),
        ("QD-23.3", "enforced"),
    ]


# ---------------------------------------------------------------- the board


def neighbours(names: Iterable[str], pairs: Iterable[Iterable[str]]) -> dict[str, set[str]]:
    around: dict[str, set[str]] = {name: set() for name in names}
    for a, b in pairs:
        around[a].add(b)
        around[b].add(a)
    return around


def distances(around: Mapping[str, set[str]], start: str) -> dict[str, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in around[here] - found.keys():
            found[there] = found[here] + 1
            queue.append(there)
    return found


def hangs_together(names: Iterable[str], pairs: Iterable[Iterable[str]]) -> bool:
    wanted = set(names)
    around = neighbours(wanted, ((a, b) for a, b in pairs if {a, b} <= wanted))
    return distances(around, min(wanted)).keys() == wanted


@cache
def territories() -> dict[str, Any]:
    return by_id(board()["territories"])


@cache
def land_edges() -> tuple[tuple[str, str], ...]:
    return tuple((edge["a"], edge["b"]) for edge in board()["edges"])


@cache
def zones() -> dict[str, Any]:
    return by_id(board()["sea_zones"])


def test_the_board_has_fifty_five_territories_of_six_kinds() -> None:
    """Six kingdoms, 36 plain territories, six gold territories on land, three teleportals, four islands."""
    kinds = Counter(territory["kind"] for territory in territories().values())
    assert kinds == {"kingdom": 6, "plain": 36, "gold": 6, "teleportal": 3, "island": 4}
    assert len(territories()) == len(board()["territories"]) == 55
    assert len({territory["name"] for territory in territories().values()}) == 55


def test_two_gold_territories_have_a_mine() -> None:
    """A mine yields 10 gold to Dwarves and 5 to others, and only gold territories have one (QD-2.4)."""
    mines = [territory for territory in territories().values() if territory["mine"]]
    assert [(mine["kind"], mine["income"], mine["income_dwarf"]) for mine in mines] == [("gold", 5, 10)] * 2
    others = [territory for territory in territories().values() if not territory["mine"]]
    assert all(territory["income"] == territory["income_dwarf"] for territory in others)


def test_every_kind_of_territory_has_its_income() -> None:
    """5 gold for kingdom, gold territory and island, 1 for the rest (QD-20.1): 119 in all."""
    value = {"kingdom": 5, "gold": 5, "island": 5, "plain": 1, "teleportal": 1}
    assert all(territory["income"] == value[territory["kind"]] for territory in territories().values())
    assert sum(territory["income"] for territory in territories().values()) == 119


def test_each_realm_has_seven_territories_around_one_kingdom() -> None:
    """A realm is one kingdom and six plain territories, and hangs together by land (QD-2.1)."""
    assert len(board()["realms"]) == 6
    for realm in board()["realms"]:
        own = [name for name, territory in territories().items() if territory["realm"] == realm["id"]]
        assert Counter(territories()[name]["kind"] for name in own) == {"kingdom": 1, "plain": 6}
        assert territories()[realm["kingdom"]]["kind"] == "kingdom"
        assert realm["kingdom"] in own
        assert hangs_together(own, land_edges())


def test_gold_islands_and_teleportals_lie_in_no_realm() -> None:
    """They have borders of their own, so nothing is placed there in phase 7 (QD-2.4, QD-21.1)."""
    for territory in territories().values():
        in_a_realm = territory["kind"] in {"kingdom", "plain"}
        assert (territory["realm"] is not None) == in_a_realm, territory["id"]
        assert territory["reinforce_allowed"] == in_a_realm, territory["id"]
        assert territory["teleportal"] == (territory["kind"] == "teleportal"), territory["id"]


def test_only_islands_are_closed_at_the_setup_and_may_be_left_empty() -> None:
    """Nobody starts on an island, and only an island may be left empty (QD-2.5, QD-3.3)."""
    for territory in territories().values():
        island = territory["kind"] == "island"
        assert territory["setup_allowed"] != island, territory["id"]
        assert territory["may_be_vacated"] == island, territory["id"]


def test_seventy_four_land_edges_join_two_different_territories_once() -> None:
    """Adjacency is symmetric by form: an edge is an unordered pair, listed once, with both ends on the board."""
    pairs = {frozenset(edge) for edge in land_edges()}
    assert len(land_edges()) == len(pairs) == 74
    assert all(len(pair) == 2 and pair <= territories().keys() for pair in pairs)
    assert {edge["via"] for edge in board()["edges"]} == {"open", "pass", "bridge"}


def test_all_land_but_the_islands_hangs_together() -> None:
    """Every place on land can be walked to; no land edge leads to an island."""
    land = [name for name, territory in territories().items() if territory["kind"] != "island"]
    assert {name for edge in land_edges() for name in edge} == set(land)
    assert hangs_together(land, land_edges())


def test_a_barrier_is_never_an_edge() -> None:
    """Mountains and rivers stand where neighbours may not be crossed, so no edge is there (QD-2.9)."""
    barriers = {frozenset((barrier["a"], barrier["b"])) for barrier in board()["barriers"]}
    assert len(barriers) == len(board()["barriers"]) == 18
    assert barriers.isdisjoint(frozenset(edge) for edge in land_edges())
    assert {name for pair in barriers for name in pair} <= territories().keys()


def test_each_teleportal_is_linked_to_both_others() -> None:
    """A teleportal leads to every other teleportal, and that is no land edge (QD-2.6)."""
    gates = {name for name, territory in territories().items() if territory["kind"] == "teleportal"}
    links = {frozenset(link) for link in board()["teleportal_links"]}
    assert links == {frozenset((a, b)) for a in gates for b in gates if a < b}
    assert links.isdisjoint(frozenset(edge) for edge in land_edges())


def test_twenty_two_sea_zones_hang_together_by_twenty_eight_edges() -> None:
    """The sea is one: any fleet can reach any zone."""
    edges = [tuple(edge) for edge in board()["sea_edges"]]
    assert len(zones()) == 22
    assert len(edges) == len({frozenset(edge) for edge in edges}) == 28
    assert all(a != b for a, b in edges)
    assert hangs_together(zones(), edges)


def test_the_range_of_the_barbarians_matters_at_sea() -> None:
    """The sea is 8 zones across: 13 pairs of zones are beyond the 6 of a ship, none beyond the Barbarians' 10."""
    around = neighbours(zones(), board()["sea_edges"])
    lengths = [far for a in zones() for b, far in distances(around, a).items() if a < b]
    assert max(lengths) == 8
    assert sum(far > 6 for far in lengths) == 13


def test_sixteen_harbours_and_their_zones_name_each_other() -> None:
    """Twelve territories of realms and all four islands have a harbour, each on one zone that lists it."""
    harbours = {
        name: territory["harbour_zone"]
        for name, territory in territories().items()
        if territory["harbour_zone"] is not None
    }
    listed = [(name, zone["id"]) for zone in zones().values() for name in zone["harbours"]]
    assert sorted(listed) == sorted(harbours.items())
    assert Counter(territories()[name]["kind"] for name in harbours) == {"plain": 12, "island": 4}


def test_each_realm_has_two_harbours() -> None:
    """Every realm has two ways to the sea, so a bought ship has a place (QD-21.1)."""
    realms = Counter(
        territory["realm"] for territory in territories().values() if territory["harbour_zone"] is not None
    )
    assert {realm["id"]: realms[realm["id"]] for realm in board()["realms"]} == dict.fromkeys(
        ("FM", "OR", "IH", "SV", "SC", "AL"), 2
    )


def test_two_roads_of_twelve_spaces_lead_through_the_wastelands() -> None:
    """From the village at one end to the lair at the other: six quests, two dens, two shrines between (QD-2.8)."""
    assert [road["id"] for road in board()["wastelands"]] == ["WT", "WB"]
    for road in board()["wastelands"]:
        spaces = road["spaces"]
        assert Counter(space["kind"] for space in spaces) == {
            "village": 1,
            "quest": 6,
            "witches_den": 2,
            "shrine": 2,
            "dragon_lair": 1,
        }
        assert (spaces[0]["kind"], spaces[-1]["kind"]) == ("village", "dragon_lair")
        names = [space["id"] for space in spaces]
        assert [space["index"] for space in spaces] == list(range(1, 13))
        assert [space["prev"] for space in spaces] == [None, *names[:-1]]
        assert [space["next"] for space in spaces] == [*names[1:], None]


def test_six_units_stand_on_a_space_and_only_shrines_are_peaceful() -> None:
    """A Wasteland space holds six units; in a shrine several parties stand and nobody fights (QD-6.1, QD-6.8)."""
    for space in (space for road in board()["wastelands"] for space in road["spaces"]):
        shrine = space["kind"] == "shrine"
        assert space["capacity_units"] == 6, space["id"]
        assert (space["combat_allowed"], space["multi_party"]) == (not shrine, shrine), space["id"]


def test_bridges_and_ships_lead_to_the_village_and_passes_to_the_lair() -> None:
    """Each road has two bridges, two passes and one village harbour, named from both sides (QD-6.1, QD-6.2)."""
    ways = {
        "WT": {"bridge": {"FM_n", "IH_n"}, "pass": {"SC_n", "IH_ne"}, "ship": {"N3"}},
        "WB": {"bridge": {"AL_s", "SV_s"}, "pass": {"OR_s", "SV_sw"}, "ship": {"S3"}},
    }
    for road in board()["wastelands"]:
        village, lair = road["spaces"][0]["id"], road["spaces"][-1]["id"]
        found: dict[str, set[str]] = {}
        for way in road["entrances"]:
            found.setdefault(way["via"], set()).add(way.get("territory") or way["sea_zone"])
            assert way["first_space"] == (lair if way["via"] == "pass" else village)
            if "territory" in way:
                assert territories()[way["territory"]]["wasteland_entry"] == {
                    "track": road["id"],
                    "via": way["via"],
                    "first_space": way["first_space"],
                }
        assert found == ways[road["id"]]
        assert zones()[road["village_harbour_zone"]]["village"] == road["id"]
    entries = [name for name, territory in territories().items() if territory["wasteland_entry"]]
    assert len(entries) == 8
    assert [name for name, zone in zones().items() if zone["village"]] == ["N3", "S3"]


def test_the_board_is_the_same_after_half_a_turn() -> None:
    """The half turn maps territories, edges, barriers, zones and harbours onto themselves, so no seat is favoured."""
    turn = board()["rotation"]
    land, sea = turn["territories"], turn["sea_zones"]
    assert land.keys() == territories().keys()
    assert sea.keys() == zones().keys()
    assert all(land[land[name]] == name for name in land)
    assert all(sea[sea[name]] == name for name in sea)

    def turned(pairs: Iterable[Iterable[str]], by: Mapping[str, str]) -> bool:
        before = {frozenset(pair) for pair in pairs}
        return before == {frozenset(by[name] for name in pair) for pair in before}

    assert turned(land_edges(), land)
    assert turned(((barrier["a"], barrier["b"]) for barrier in board()["barriers"]), land)
    assert turned(board()["teleportal_links"], land)
    assert turned(board()["sea_edges"], sea)
    for name, territory in territories().items():
        other = territories()[land[name]]
        assert (other["kind"], other["mine"]) == (territory["kind"], territory["mine"]), name
        assert other["harbour_zone"] == sea.get(territory["harbour_zone"]), name
        assert (other["wasteland_entry"] is None) == (territory["wasteland_entry"] is None), name


def test_the_half_turn_swaps_opposite_realms() -> None:
    """Frostmark and Ashlands, Oakreach and Stormcoast, Ironhold and Sunvale are each other's mirror."""
    assert {realm["id"]: realm["rot"] for realm in board()["realms"]} == {
        "FM": "AL",
        "AL": "FM",
        "OR": "SC",
        "SC": "OR",
        "IH": "SV",
        "SV": "IH",
    }


def test_the_short_game_keeps_thirty_four_territories_on_land_and_three_islands() -> None:
    """Without the two eastern realms, T3, two gold territories and an island the land still hangs together (QD-H22)."""
    kept = {name: part for name, part in territories().items() if not part["short_variant_tundra"]}
    assert Counter(part["kind"] for part in kept.values()) == {
        "plain": 24,
        "kingdom": 4,
        "gold": 4,
        "teleportal": 2,
        "island": 3,
    }
    assert hangs_together((name for name, part in kept.items() if part["kind"] != "island"), land_edges())
    assert {part["realm"] for part in territories().values() if part["short_variant_tundra"]} == {
        "SC",
        "AL",
        None,
    }
    assert "T3" not in kept


@pytest.mark.parametrize(("armies", "units", "left"), ((2, 35, 17), (3, 30, 36), (4, 30, 65), (4, 35, 85)))
def test_the_setup_claims_every_place_and_leaves_units_to_add(armies: int, units: int, left: int) -> None:
    """51 places are claimed, the first kingdom of each army with two units (QD-3.3, QD-3.4)."""
    places = sum(territory["setup_allowed"] for territory in territories().values())
    assert places == 51
    assert armies * units - (places + armies) == left


def test_twelve_places_of_five_gold_are_shared_out_at_the_setup() -> None:
    """Six, four or three for each of two, three or four players."""
    rich = [part for part in territories().values() if part["setup_allowed"] and part["income"] == 5]
    assert len(rich) == 12


def test_the_board_keeps_the_numbers_that_the_rules_fix() -> None:
    """The board is our own design; it says so, and keeps what the booklet says of realms, income and limits."""
    fixed = board()["fixed_by_rules"]
    assert (fixed["realms"], fixed["kingdoms"], fixed["mines"], fixed["islands"]) == (6, 6, 2, 4)
    assert (fixed["teleportals"], fixed["wasteland_tracks"]) == (3, 2)
    assert (fixed["wasteland_capacity"], fixed["ship_capacity"]) == (6, 8)
    assert board()["origin"].startswith("HOUSE DESIGN")
    assert board()["house"]["flat_world"] is True


# ---------------------------------------------------------------- the decks


def ops(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every step of a card, however deep."""
    if isinstance(part, dict):
        if "op" in part:
            yield part
        for value in part.values():
            yield from ops(value)
    elif isinstance(part, list):
        for value in part:
            yield from ops(value)


def test_twelve_quest_cards_have_three_columns_each() -> None:
    """12 cards with 36 outcomes; the first stands in the booklet, the others are our own (QD-6.10, QD-6.14)."""
    cards = decks()["quest_cards"]
    assert [card["id"] for card in cards] == [f"Q{n:02}" for n in range(1, 13)]
    assert [card["source"] for card in cards] == ["seed"] + ["house"] * 11
    assert all(list(card["outcomes"]) == ["blessed", "ignored", "cursed"] for card in cards)
    assert sum(len(card["outcomes"]) for card in cards) == 36
    assert len({card["name"] for card in cards}) == 12


def test_the_sample_card_is_as_the_booklet_prints_it() -> None:
    """Crystal again, the sentinel with 1 to 4, the giant spider 5 and 10 with 7 gold and an orb (QD-6.14)."""
    outcomes = decks()["quest_cards"][0]["outcomes"]
    assert outcomes["ignored"]["steps"][0]["lose_on"] == [1, 2, 3, 4]
    assert outcomes["ignored"]["steps"][0]["condition"] == {"has_any": ["torch", "pickaxe"]}
    spider = outcomes["cursed"]["steps"][0]
    assert (spider["attack"], spider["defence"], spider["on_hit"]) == (5, 10, "web_poison")
    assert [(gain["what"], gain["n"]) for gain in outcomes["cursed"]["reward"]] == [
        ("gold", 7),
        ("dragonorb", 1),
    ]
    wizard = outcomes["blessed"]["steps"][0]["ignored"][0]
    assert (wizard["what"], wizard["spells"]) == ("wizard", 2)


def test_the_monsters_use_every_die_in_the_box() -> None:
    """Defences 4, 6, 8, 10 and 12 all occur, and the die rolled at a monster is its defence (QD-9.2)."""
    monsters = [step for step in ops(decks()["quest_cards"]) if step["op"] == "monster"]
    assert len(monsters) == 11
    assert {monster["defence"] for monster in monsters} == {4, 6, 8, 10, 12}
    assert all(monster["defence_die"] == monster["defence"] for monster in monsters)
    assert all(monster["attack_die"] == 6 >= monster["attack"] >= 1 for monster in monsters)
    assert [monster["name"] for monster in monsters if monster["bypass_item"] == "talisman"] == ["vampire"]


def test_the_dragon_of_the_lair_has_attack_six_and_defence_twelve() -> None:
    """One hit drives it off and wins a treasure (QD-6.9)."""
    dragon = decks()["red_dragon_lair"]
    assert (dragon["attack"], dragon["defence"], dragon["hits_to_defeat"]) == (6, 12, 1)
    assert (dragon["on_hit"], dragon["is_dragon"]) == ("dragonfire", True)
    assert [gain["what"] for gain in dragon["reward"]] == ["treasure"]


def test_torch_and_pickaxe_matter_on_the_cards() -> None:
    """Five cards ask for a torch to enter, and the pickaxe plays a part on four."""
    cards = decks()["quest_cards"]
    assert sum(card["requires_torch"] for card in cards) == 5
    assert sum("pickaxe" in json.dumps(card) for card in cards) == 4


def test_every_step_of_a_card_has_its_meaning_written_down() -> None:
    """Each `op` that a card uses is explained in the block `ops`, and each that is explained is used."""
    used = {step["op"] for part in ("quest_cards", "scroll_cards") for step in ops(decks()[part])}
    assert used == decks()["ops"].keys() - {"note"}


def test_twenty_four_scrolls_are_in_the_deck() -> None:
    """Four elementals are in the booklet; how the other twenty split is our own (QD-16)."""
    counts: Counter[str] = Counter()
    for card in decks()["scroll_cards"]:
        counts[card["kind"]] += card["n"]
    assert counts == {
        "summon_elemental": 4,
        "reflect": 3,
        "berserk": 3,
        "ship": 3,
        "legion": 3,
        "infernal": 2,
        "tempest": 2,
        "charm": 2,
        "clairvoyance": 2,
    }
    assert counts.total() == 24
    elementals = [card for card in decks()["scroll_cards"] if card["kind"] == "summon_elemental"]
    assert [card["variant"] for card in elementals] == ["earth", "wind", "water", "fire"]
    assert all(card["user"] == "king" and card["effect"][0]["die"] == 12 for card in elementals)


def test_each_of_the_twelve_treasures_is_there_once() -> None:
    """The twelve treasures of QD-7 in its order, one of each."""
    titles = [section["title"] for section in book()["section"] if section["id"].startswith("QD-7.")]
    names = [treasure["name"].removesuffix(" Sword") for treasure in decks()["treasures"]]
    assert names == titles
    assert [treasure["n"] for treasure in decks()["treasures"]] == [1] * 12


def test_the_treasures_change_the_total_attack_strength_as_the_book_says() -> None:
    """Four give friends +1 (one of them only at sea), four give enemies -1, and the Ring of Power does both."""
    effects = {treasure["id"]: treasure["effect"] for treasure in decks()["treasures"]}
    assert {name for name, effect in effects.items() if effect.get("friend_tas") == 1} == {
        "ring_of_power",
        "ring_of_hope",
        "excalibur",
    }
    assert {name for name, effect in effects.items() if effect.get("enemy_tas") == -1} == {
        "ring_of_power",
        "ring_of_peril",
        "black_battle_axe",
        "medusa_shield",
    }
    assert effects["golden_fleece"]["friend_tas_in_blockade"] == 1
    assert (effects["holy_grail"]["save_die"], effects["holy_grail"]["save_on"]) == (6, [1, 2])
    assert (effects["ring_of_fire"]["extra_attack"], effects["trident"]["extra_attack"]) == (
        "fireball",
        "lightning",
    )


def test_the_items_have_their_prices_and_no_limit() -> None:
    """Pickaxe, torch and potion 1, elixir 2, talisman 3, orb 5 (QD-6.6 to QD-6.8); no cap (QD-H45)."""
    assert {item["id"]: (item["cost"], item["sold_at"]) for item in decks()["items"]} == {
        "pickaxe": (1, "village"),
        "torch": (1, "village"),
        "potion": (1, "witches_den"),
        "elixir": (2, "witches_den"),
        "talisman": (3, "shrine"),
        "dragonorb": (5, "witches_den"),
    }
    assert {item["supply"] for item in decks()["items"]} == {None}


def test_the_four_races_have_the_values_of_the_book() -> None:
    """Attack 3, or 4 for Barbarians; defence 6; price equal to attack; range 6, or 10 for Barbarians (QD-1.2)."""
    assert {
        race["id"]: (race["attack"], race["defence"], race["cost"], race["ship_range"])
        for race in decks()["races"]
    } == {
        "orc": (3, 6, 3, 6),
        "elf": (3, 6, 3, 6),
        "dwarf": (3, 6, 3, 6),
        "barbarian": (4, 6, 4, 10),
    }
    bundles = {race["id"]: race["bundle"] for race in decks()["races"] if "bundle" in race}
    assert bundles == {"orc": {"n": 4, "cost": 10}}


def test_the_six_spells_are_numbered_in_the_order_of_the_book() -> None:
    """A D6 picks a spell, so its number is part of the rules (QD-14.4, QD-15)."""
    assert [(spell["n"], spell["id"]) for spell in decks()["spells"]] == [
        (1, "heal"),
        (2, "fireball"),
        (3, "teleport"),
        (4, "hope"),
        (5, "lightning"),
        (6, "panic"),
    ]
    texts = [section["text"] for section in book()["section"] if section["id"].startswith("QD-15.")]
    assert all(text.startswith(f"Spell {n}. ") for n, text in enumerate(texts, 1))


def test_the_box_holds_what_the_list_of_parts_says() -> None:
    """Four DragonLords, eight ships, nine dice and the crystal die, two faces a colour (QD-1.3, QD-H1)."""
    supplies = decks()["supplies"]
    assert (supplies["dragonlords"], supplies["ships"], supplies["sails"]) == (4, 8, 12)
    assert (supplies["gold_chips"], supplies["silver_chips"], supplies["pegs"]) == (30, 30, 24)
    assert supplies["dice"] == {"d4": 1, "d8": 1, "d10": 1, "d12": 1, "d6": 5, "crystal": 1}
    assert supplies["max_wizards_per_player"] == 3
    assert Counter(decks()["crystal_die"]["faces"]) == {"blessed": 2, "ignored": 2, "cursed": 2}


def test_every_card_and_treasure_says_where_it_comes_from() -> None:
    """What the booklet says and what is ours stay apart: every entry of the decks bears its mark."""
    marked = ("quest_cards", "treasures", "items", "races", "spells")
    assert all(entry.get("source") for part in marked for entry in decks()[part])
    assert {entry["source_count"] for entry in decks()["scroll_cards"]} == {"seed", "house"}
    outcomes = [outcome for card in decks()["quest_cards"] for outcome in card["outcomes"].values()]
    assert Counter(outcome["source"] for outcome in outcomes) == {"seed": 3, "house": 33}


# ---------------------------------------------------------------- the README


def table_rows(heading: str) -> list[list[str]]:
    text = (DATA.parent / "README.md").read_text(encoding="utf-8")
    part = re.split(r"^## ", text.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_the_readme_lists_every_chapter() -> None:
    """The chapter table has the chapters of the book with their titles, in order."""
    rows = [(row[0], row[1]) for row in table_rows("Chapters")]
    assert rows == [(chapter["id"], chapter["title"]) for chapter in book()["chapter"]]


def test_the_readme_lists_every_point_with_its_answers() -> None:
    """Question, default, alternatives and what a point waits for are the same in the README and in the book."""
    expected = [
        [
            point["id"],
            point["title"],
            f"`{point['default']}`",
            ", ".join(f"`{answer['id']}`" for answer in point["answer"][1:]),
            point.get("pending", ""),
        ]
        for point in book()["point"]
    ]
    assert table_rows("Points") == expected


def test_the_readme_cites_existing_sections_for_every_roll() -> None:
    """Each roll of the game is listed with its section, and each dice chapter has one."""
    known = {part["id"] for kind in ("chapter", "section", "point") for part in book()[kind]}
    cited = [set(row[-1].split(", ")) for row in table_rows("All rolls")]
    assert len(cited) == 23
    assert all(refs and refs <= known for refs in cited)
    assert {"QD-3.2", "QD-10.5", "QD-10.6", "QD-12.2", "QD-7.8", "QD-16.4"} <= set().union(*cited)
