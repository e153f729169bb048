"""The colours of the picture of the board: words and signs stand out from what they lie on, light and dark (WCAG 2)."""

from collections.abc import Iterator
from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import pytest

from core.games.dragonlords.svg import draw
from core.games.dragonlords.svg_style import OWNERS, style
from tests.games.dragonlords.svg_boards import crowded, short
from tests.games.dragonlords.svg_boxes import Drawn, Sheet, contrast, inside, linear, painted

THEMES = ("light", "dark")


@pytest.mark.parametrize("theme", THEMES)
def test_every_word_stands_out_from_what_it_is_written_on(theme: str) -> None:
    """WCAG 2 asks 4.5:1 of text; what lies beneath is found in the picture itself, at both ends and in the middle."""
    pictures = [draw(crowded(48, fought_for=True), seat="orc", theme=theme), draw(short(), theme=theme)]
    sheet = Sheet(style(theme))
    weak = set()
    words = 0
    for svg in pictures:
        ground: list[tuple[str, Drawn]] = []
        for part in painted(ET.fromstring(svg)):
            ink = sheet.value(part, "fill")
            if part.tag != "text" and ink not in ("", "none"):
                ground.append((ink, part))
            elif part.said.strip():
                words += 1
                weak |= {
                    (part.classes, part.said, ink, under)
                    for under in beneath(ground, sheet, part)
                    if contrast(ink, under) < 4.5
                }
    assert weak == set()
    assert words > 500


def beneath(ground: list[tuple[str, Drawn]], sheet: Sheet, part: Drawn) -> Iterator[str]:
    """Yield the colours of the topmost filled shapes beneath both ends and the middle of a text."""
    (left, top), (right, bottom) = part.corners[0], part.corners[2]
    for x in (left + 1, (left + right) / 2, right - 1):
        fill = next(ink for ink, under in reversed(ground) if inside((x, (top + bottom) / 2), under.corners))
        if fill.startswith("url"):  # the frost of tundra has two colours
            yield sheet.value(Drawn("rect", ("frost",), ()), "fill")
            yield sheet.value(Drawn("path", ("frost-line",), ()), "stroke")
        else:
            yield fill


LANDS = tuple(f"land realm-{realm}" for realm in ("FM", "OR", "IH", "SV", "SC", "AL"))
SIGNS = (
    ("open", "stroke", LANDS),
    ("river", "stroke", LANDS),
    ("peak", "fill", (*LANDS, "sea")),
    ("road open", "stroke", ("sea",)),
    ("way-in pass", "stroke", ("sea",)),
    ("sea-way", "stroke", ("sea",)),
    ("way-in ship", "stroke", ("sea",)),
    ("anchor", "stroke", ("quay",)),
    ("pick", "stroke", ("mine",)),
    ("portal", "stroke", ("portal",)),
    ("ship", "stroke", (*LANDS, "zone", "land island")),
    ("chip maybe", "stroke", (*LANDS, "zone", "space")),
    ("chip known", "stroke", ("chip known",)),
    ("chip shown", "stroke", ("chip shown",)),
    ("attack", "stroke", (*LANDS, "sea", "plate")),
    *(
        (f"badge of-{seat or 'nobody'}", "stroke", (*LANDS, "land gold", "zone", "space", "plate", "panel"))
        for seat in OWNERS
    ),
)


@pytest.mark.parametrize("theme", THEMES)
def test_every_sign_stands_out_from_the_land_that_it_lies_on(theme: str) -> None:
    """WCAG 2 asks 3:1 of what must be seen to understand a picture."""
    sheet = Sheet(style(theme))
    weak = []
    for sign, how, lands in SIGNS:
        ink = sheet.value(Drawn("path", tuple(sign.split()), ()), how)
        for land in lands:
            ground = sheet.value(Drawn("path", tuple(land.split()), ()), "fill")
            if contrast(ink, ground) < 3:
                weak.append((sign, ink, land, ground, round(contrast(ink, ground), 2)))
    assert weak == []


def test_the_last_move_stands_out_from_every_ground() -> None:
    """A dark line in a light one: on any land and sea, in both themes, one of the two is seen."""
    for theme in THEMES:
        sheet = Sheet(style(theme))
        line = sheet.value(Drawn("path", ("last",), ()), "stroke")
        halo = sheet.value(Drawn("path", ("last-halo",), ()), "stroke")
        assert contrast(line, halo) > 4.5
        for land in (*LANDS, "sea", "zone", "space", "land gold", "land teleportal"):
            ground = sheet.value(Drawn("path", tuple(land.split()), ()), "fill")
            assert max(contrast(line, ground), contrast(halo, ground)) >= 3, (theme, land)


BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
"""What people without one kind of cone see, as matrices on linear light (Machado, Oliveira and Fernandes 2009)."""


@pytest.mark.parametrize("sight", (*BLIND, "full"))
def test_no_two_owners_look_alike_to_the_colour_blind(sight: str) -> None:
    """Any two colours of peoples differ by 15 at least in CIELAB, with and without each kind of cone."""
    fills = {seat: lab(owner.fill, BLIND.get(sight)) for seat, owner in OWNERS.items() if seat}
    near = [
        (one, other, round(dist(fills[one], fills[other])))
        for one, other in combinations(fills, 2)
        if dist(fills[one], fills[other]) < 15
    ]
    assert near == []


def lab(colour: str, blind: tuple[tuple[float, ...], ...] | None) -> tuple[float, float, float]:
    """Return a colour in CIELAB, as it is seen without a kind of cone if one is given."""
    light = [linear(int(colour[n : n + 2], 16) / 255) for n in (1, 3, 5)]
    if blind is not None:
        light = [
            min(1.0, max(0.0, sum(part * value for part, value in zip(row, light, strict=True))))
            for row in blind
        ]
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
