"""Where things lie in the picture of the board: nothing over anything else, all within its place, words as wide as thought."""

from collections.abc import Iterator
from itertools import pairwise
from math import dist
from xml.etree import ElementTree as ET

import pytest

from core.games.dragonlords.armies import UnitsLost, UnitsMoved
from core.games.dragonlords.board import SEA, SPACES, TERRITORIES, WASTELANDS, ZONES
from core.games.dragonlords.svg import draw
from core.games.dragonlords.svg_layout import BOTTOM, TOP, WIDTH, along, at, cell, outline, quay, way
from core.games.dragonlords.svg_moves import last
from core.games.dragonlords.svg_style import TEXTS
from core.games.dragonlords.svg_words import clipped, wide, wrapped
from replay.picture import picture
from tests.games.dragonlords.recorded import LOGS
from tests.games.dragonlords.svg_boards import crowded, everything, histories, history_of, recorded
from tests.games.dragonlords.svg_boxes import SVG, Box, Drawn, boxes, inside, painted

SIGNS_OF_ONE = set("OEDBKWT?")


def small(root: ET.Element) -> list[str]:
    """Return which words and numbers are less than 7 pixels high.

    The letter of an owner or chip may be a little smaller: shape and disc say it too.
    """
    least = ((box, 6.4 if set(box.what.split()) <= SIGNS_OF_ONE else 7) for box in boxes(root))
    return [f"{box.what} ({box.cell}) {box.size:.2f}" for box, size in least if box.size < size]


def overlaps(root: ET.Element) -> list[str]:
    """Return which texts and marks lie over each other by more than half a pixel."""
    found = []
    held = sorted(boxes(root))
    for turn, one in enumerate(held):
        for other in held[turn + 1 :]:
            if other.left >= one.right:
                break
            if one.over(other) > 0.5:
                found.append(f"{one.what} ({one.cell}) over {other.what} ({other.cell})")
    return found


def astray(root: ET.Element) -> list[str]:
    """Return which texts and marks reach out of the place that they belong to, or out of the picture."""
    outlines = dict(zip(named(root), (part.corners for part in places(root)), strict=True))
    height = float(root.get("height", 0))
    found = []
    for box in boxes(root):
        corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
        around = outlines.get(box.cell, ((4, 4), (WIDTH - 4, 4), (WIDTH - 4, height - 4), (4, height - 4)))
        if not all(inside(corner, around) for corner in corners):
            found.append(f"{box.what} ({box.cell})")
    return found


def named(root: ET.Element) -> list[str]:
    return [place for part in root.iter() if (place := part.get("data-place"))]


def places(root: ET.Element) -> list[Drawn]:
    return [part for part in painted(root) if {"land", "zone", "space"} & set(part.classes)]


def test_on_crowded_boards_nothing_lies_over_anything_else() -> None:
    """Names, counts, chips, gold, ships, anchors: each has its own room, however much there is."""
    assert [f"{what}: {found}" for what, root in everything() for found in overlaps(root)] == []


def test_on_crowded_boards_everything_stays_in_its_place() -> None:
    """What stands in a place lies within its outline, and all words within the picture."""
    assert [f"{what}: {found}" for what, root in everything() for found in astray(root)] == []


def test_on_crowded_boards_everything_is_large_enough() -> None:
    """However much stands in a place, all of it can be read: where it does not fit, in a close-up below the board."""
    assert [f"{what}: {found}" for what, root in everything() for found in small(root)] == []


def counted(root: ET.Element, names: tuple[str, ...]) -> list[tuple[str, str]]:
    return sorted(
        (name, value) for part in root.iter() for name in names if (value := part.get(f"data-{name}"))
    )


def test_what_a_crowded_place_has_no_room_for_stands_in_its_close_up() -> None:
    """Three dots in the place and its name below lead from one to the other; nothing is left out and nothing drawn twice."""
    board = crowded(48, fought_for=True, open_chips=True)
    war, root = board.state, ET.fromstring(draw(board))
    dotted = {
        cell.get("data-cell")
        for cell in root.iter()
        if cell.get("data-cell") and any(part.get("class") == "dot" for part in cell.iter())
    }
    closeups = {
        place: [part.text for part in group.iter(f"{SVG}text")]
        for group in root.iter()
        if (place := group.get("data-closeup"))
    }
    assert dotted == closeups.keys()
    assert {"N3", "S1", "WT06"} <= dotted
    assert "S2" not in dotted, "what fits is not drawn below"
    assert closeups["S1"] == ["S1", "O", "48", "E", "12+3", "2", "?", "W", "?", "W", "3"]
    wanted = [("fleet", zone) for zone in war.fleets] + [("docked", place) for place in war.docked]
    wanted += [("raiders", zone) for zone in war.raiders] + [("army", place) for place in war.armies]
    assert counted(root, ("fleet", "docked", "raiders", "army")) == sorted(wanted)
    assert "in its close-up" not in draw(crowded(1, fought_for=False))


def test_in_recorded_games_all_is_apart_and_in_its_place_and_large_enough() -> None:
    """Setups, battles on land and at sea, quests, allies, short games, endings."""
    count = 0
    for what, root in recorded(each=2):
        count += 1
        assert overlaps(root) == [], what
        assert astray(root) == [], what
        assert small(root) == [], what
    assert count > 100


def test_what_lies_over_something_else_or_astray_is_seen() -> None:
    """The measure finds a ship under a name, a name that is too long, and a mark beyond the rim."""
    svg = draw(crowded(48, fought_for=True))
    name = next(box for box in boxes(ET.fromstring(svg)) if box.what == "Sealgate")
    longer = svg.replace(">Sealgate<", ">Sealgate-upon-the-Sea<")
    assert astray(ET.fromstring(longer)) == ["Sealgate-upon-the-Sea (FM_ne)"]

    def with_ship(x: float, y: float) -> ET.Element:
        ship = f'<g class="mark" transform="translate({x} {y})"><path class="ship" d="M-9,2 h18 l-4,6 h-10 z"/></g>'
        return ET.fromstring(svg.replace("</svg>", f"{ship}</svg>"))

    seen = overlaps(with_ship((name.left + name.right) / 2, (name.top + name.bottom) / 2))
    assert any("Sealgate" in found and "<ship>" in found for found in seen)
    assert astray(with_ship(WIDTH, 40)) == ["<ship> ()"]


LINES = {
    "road", "way-in", "sea-way", "harbour-way", "waste-road", "held", "open", "river", "river-bank", "attack", "last", "last-halo",
}  # fmt: skip


def test_no_line_lies_over_a_name_or_a_number() -> None:
    """Roads, borders, the lines of attackers and the last move are drawn before all that is written on the board."""
    marked = 0
    for what, root in recorded(each=1):
        order = painted(root)
        written = [
            n for n, part in enumerate(order) if {"name", "capital", "count", "few"} & set(part.classes)
        ]
        key = next(n for n, part in enumerate(order) if "panel" in part.classes)
        late = [part.classes for part in order[min(written) : key] if LINES & set(part.classes)]
        assert late == [], what
        marked += any("last" in part.classes for part in order[: min(written)])
    assert marked > 20


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("said", "kind", "true"),
    (
        ("Brimstone Dock", "name", 87.5), ("Tempest Keep", "capital", 88.7), ("Hammer Quay", "name", 80.1),
        ("Narwhal Bay", "name", 69.6), ("Pyre Throne", "capital", 75.6), ("48", "count", 26.4), ("120", "sign", 20.9), ("×3", "few", 18.4),
        ("Simulated game dragonlords-5", "title", 331.7),
        ("39 units, 12 lost, 11 lands, 1 kingdom", "key", 227.0),
    ),
)  # fmt: skip
def test_words_are_at_most_as_wide_as_they_are_taken_to_be(said: str, kind: str, true: float) -> None:
    """The widths of these words in DejaVu Sans, measured with its own tables; the estimate is above, by a sixth at most."""
    assert true <= wide(said, kind) <= true * 1.17


def test_words_are_cut_to_the_room_they_have() -> None:
    """What is too long ends in three dots; what fits is left as it is."""
    assert clipped("Eldermoot", "name", 100) == "Eldermoot"
    cut = clipped("The long game of the four kings", "title", 200)
    assert cut.endswith("...")
    assert "The long" in cut
    assert wide(cut, "title") <= 200
    assert clipped("anything", "title", 1) == "..."


def test_parts_are_broken_into_lines_between_them() -> None:
    """No part is torn apart as long as it fits on a line by itself; each line but the last ends in a comma."""
    parts = ("wizard 1: heal", "fireball", "teleport", "hope", "panic")
    lines = list(wrapped(parts, "key", 150))
    assert " ".join(lines) == ", ".join(parts)
    assert len(lines) > 1
    assert all(line.endswith(",") for line in lines[:-1])
    assert all(wide(line, "key") <= 150 for line in lines)
    assert list(wrapped((), "key", 150)) == []


def test_letters_of_no_known_width_are_taken_for_wide_ones() -> None:
    """Titles are people's words in any script."""
    size = TEXTS["title"].size
    assert wide("龍", "title") >= size
    assert wide("Ж", "title") >= size


# ---------------------------------------------------------------- the board


def test_the_board_is_the_same_after_half_a_turn() -> None:
    """Every place lies opposite one of its kind and outline, as the rules' data say (QD-2)."""
    spots = {at(place): place for place in (*TERRITORIES, *ZONES, *SPACES)}
    for (x, y), place in spots.items():
        opposite = spots[WIDTH - x, TOP + BOTTOM - y]
        assert outline(opposite) == outline(place)
    assert len(spots) == len(TERRITORIES) + len(ZONES) + len(SPACES)


def steps(stops: tuple[tuple[float, float], ...]) -> Iterator[tuple[float, float]]:
    """Yield points along a way, some two pixels apart."""
    for (ax, ay), (bx, by) in pairwise(stops):
        for n in range(200):
            yield ax + (bx - ax) * n / 200, ay + (by - ay) * n / 200


def test_no_way_runs_through_a_place_that_it_does_not_lead_to() -> None:
    """Whoever follows a sea way or a way into the Wastelands with his finger comes to its ends and nowhere else."""
    root = ET.fromstring(draw(crowded(1, fought_for=False)))
    outlines = dict(zip(named(root), (part.corners for part in places(root)), strict=True))
    ways = [(a, b) for a, around in SEA.items() for b in around if a < b]
    ways += [
        (way.territory or way.sea_zone, way.first_space)
        for road in WASTELANDS.values()
        for way in road.entrances
    ]
    assert len(ways) == 38
    through = {
        (ends, place)
        for ends in ways
        for point in steps(way(*ends))
        for place, corners in outlines.items()
        if place not in ends and inside(point, corners)
    }
    assert through == set()


def test_a_way_is_shortened_at_both_ends_and_never_turned_around() -> None:
    """Arrows begin and end beside armies; between near places they are short, but point where they lead."""
    assert along(((0, 0), (100, 0)), 20, 30) == ((20, 0), (70, 0))
    assert along(((0, 0), (100, 0), (100, 100)), 110, 20) == ((100, 10), (100, 80))
    (ax, _), (bx, _) = along(((0, 0), (10, 0)), 20, 30)
    assert 0 < ax < bx < 10
    assert along(((5, 5), (5, 5)), 1, 1) == ((5, 5), (5, 5))


@pytest.mark.parametrize("place", [place for place, land in TERRITORIES.items() if land.harbour_zone])
def test_an_arrow_between_a_harbour_and_its_zone_lies_beside_the_anchor(place: str) -> None:
    """Under the anchor its point would not be seen, nor in which of the two it lies (QD-2.7)."""
    zone = TERRITORIES[place].harbour_zone or ""
    x, y = quay(place)
    for origin, target in ((place, zone), (zone, place)):
        (arrow,) = last([[UnitsMoved("orc", origin, target, 1)]])
        root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{arrow}</svg>')
        line = next(part.corners for part in painted(root) if part.classes == ("last",))
        assert min(dist((x, y), point) for point in steps(line)) > 11
        assert dist(line[-1], at(target)) < dist(line[0], at(target))


def test_a_ring_around_a_place_hides_neither_its_name_nor_who_holds_it() -> None:
    """Where something happened is marked around zones, spaces and lands outside the realms, beyond the rim of their owner."""
    for place in ("G1", "I2", "S1", "WT03"):
        (ring,) = last([[UnitsLost("orc", place, 1)]])
        rim = f'{cell(place, 4)} class="held"/>'
        root = ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{ring}{rim}</svg>')
        halo, _, held = (min(x for x, _ in part.corners) for part in painted(root))
        assert halo + 7.5 / 2 < held - 4 / 2


def test_the_same_moment_is_the_same_picture_to_the_byte() -> None:
    """Nothing in it hangs on the order of sets or on the machine."""
    history = histories()[0]
    assert picture(history, 1) == picture(history_of(LOGS[0]), 1)


def test_words_of_a_picture_are_texts_of_a_known_kind() -> None:
    """Every text has a kind of which the size is known, so that it can be measured."""
    root = ET.fromstring(draw(crowded(48, fought_for=True)))
    kinds = {(part.get("class") or "").split()[0] for part in root.iter(f"{SVG}text")}
    assert kinds <= TEXTS.keys()
    assert isinstance(next(boxes(root)), Box)
