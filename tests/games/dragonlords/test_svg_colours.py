"""The colours of the picture of the board: words and signs stand out from what they lie on, light and dark (WCAG 2)."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from core.games.dragonlords.svg import draw
from core.games.dragonlords.svg_style import OWNERS, style
from tests.games.dragonlords.svg_boards import crowded, short
from tests.games.dragonlords.svg_boxes import Drawn, Sheet, contrast, inside, painted

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
