"""What an SVG of the board draws where: boxes of texts and marks, the shapes beneath a point, and the colours they have.

It knows no more of SVG than the pictures use: translations and scales, polygons, rectangles, circles, and plain paths.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

from core.games.dragonlords.svg_style import TEXTS
from core.games.dragonlords.svg_words import wide

__all__ = ["SVG", "Box", "Drawn", "Sheet", "boxes", "contrast", "inside", "linear", "painted"]

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
_SHAPES = ("polygon", "rect", "circle", "path")
_UNSEEN = ("title", "desc", "style", "defs", "marker")


class Box(NamedTuple):
    """The box of a text, or of a mark with all that is in it, in pixels; `cell` is the place that it belongs to."""

    left: float
    top: float
    right: float
    bottom: float
    what: str
    cell: str
    size: float
    """Of a text how large its letters are; of a mark the smallest within."""

    def over(self, other: "Box") -> float:
        """Return how far two boxes lie over each other, 0 when they do not."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, min(across, down))


class Drawn(NamedTuple):
    """An element in the order drawn: its tag and classes, the corners that enclose it, and what it says."""

    tag: str
    classes: tuple[str, ...]
    corners: tuple[Point, ...]
    said: str = ""


class _At(NamedTuple):
    """How far the surroundings of an element are moved and scaled."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def within(self, transform: str) -> "_At":
        x, y, scale = self
        for name, values in re.findall(r"(\w+)\(([^)]*)\)", transform):
            numbers = [float(value) for value in values.split()]
            if name == "translate":
                x, y = x + scale * numbers[0], y + scale * (numbers[1] if len(numbers) > 1 else 0)
            elif name == "scale":
                assert len(numbers) == 1
                scale *= numbers[0]
            else:
                raise AssertionError(f"{name} is not known here")
        return _At(x, y, scale)

    def all(self, points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple((self.x + self.scale * x, self.y + self.scale * y) for x, y in points)


def _kind(element: ET.Element) -> str:
    return element.get("class", "").split(" ")[0]


def _text_corners(element: ET.Element) -> tuple[Point, ...]:
    face, said = TEXTS[_kind(element)], element.text or ""
    x, y, across = float(element.get("x", 0)), float(element.get("y", 0)), wide(said, _kind(element))
    left = x - {"start": 0, "middle": across / 2, "end": across}[face.anchor]
    top, bottom = y - 0.76 * face.size, y + 0.22 * face.size
    return (left, top), (left + across, top), (left + across, bottom), (left, bottom)


def _corners(element: ET.Element) -> tuple[Point, ...]:
    """Return the corners that enclose an element, as it says them itself."""
    tag = element.tag.removeprefix(SVG)
    if tag == "text":
        return _text_corners(element)
    if tag == "polygon":
        return tuple(_pairs(element.get("points", "")))
    if tag == "circle":
        x, y, r = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
        return (x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)
    if tag == "rect":
        x, y, across, down = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
        return (x, y), (x + across, y), (x + across, y + down), (x, y + down)
    return tuple(_path(element.get("d", "")))


def _pairs(said: str) -> Iterator[Point]:
    numbers = [float(part) for part in re.findall(r"-?[\d.]+", said)]
    yield from zip(numbers[::2], numbers[1::2], strict=True)


def _path(said: str) -> Iterator[Point]:
    """Yield the corners of a path; of curves the points that hold them, of half circles where they are widest."""
    x = y = 0.0
    for command, values in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", said):
        numbers = [float(part) for part in re.findall(r"-?\d*\.?\d+", values)]
        of = command.isupper()
        match command.lower():
            case "z":
                continue
            case "h":
                steps = [(to, y if of else 0.0) for to in numbers]
            case "v":
                steps = [(x if of else 0.0, to) for to in numbers]
            case "a":
                assert not of
                rx, ry, _, _, _, dx, dy = numbers
                yield from ((x + dx / 2 - rx, y + dy / 2 - ry), (x + dx / 2 + rx, y + dy / 2 + ry))
                steps = [(dx, dy)]
            case "q":
                assert not of
                yield x + numbers[0], y + numbers[1]
                steps = [(numbers[2], numbers[3])]
            case "m" | "l":
                steps = list(zip(numbers[::2], numbers[1::2], strict=True))
            case _:
                raise AssertionError(f"the path command {command} is not known here")
        for dx, dy in steps:
            x, y = (dx, dy) if of else (x + dx, y + dy)
            yield x, y


def _walk(element: ET.Element, at: _At) -> Iterator[tuple[ET.Element, tuple[Point, ...], float]]:
    """Yield every shape and text with its corners in the picture, and how much it is scaled."""
    tag = element.tag.removeprefix(SVG)
    if tag in _UNSEEN:
        return
    at = at.within(element.get("transform", ""))
    if tag == "text" or tag in _SHAPES:
        yield element, at.all(_corners(element)), at.scale
    for part in element:
        yield from _walk(part, at)


def boxes(element: ET.Element, at: _At = _At(), cell: str = "") -> Iterator[Box]:
    """Yield the box of each text and of each mark; what stands within a mark is part of it."""
    if element.tag.removeprefix(SVG) in _UNSEEN:
        return
    cell = element.get("data-cell", cell)
    if element.tag == f"{SVG}text" or "mark" in element.get("class", "").split():
        found = list(_walk(element, at))
        xs = [x for _, corners, _ in found for x, _ in corners]
        ys = [y for _, corners, _ in found for _, y in corners]
        said = [part for part, _, _ in found if part.tag == f"{SVG}text"]
        sizes = [TEXTS[_kind(part)].size * scale for part, _, scale in found if part in said]
        what = " ".join(part.text or "" for part in said) or f"<{_kind(found[-1][0])}>"
        yield Box(min(xs), min(ys), max(xs), max(ys), what, cell, min(sizes, default=99))
        return
    at = at.within(element.get("transform", ""))
    for part in element:
        yield from boxes(part, at, cell)


def painted(root: ET.Element) -> list[Drawn]:
    """Return every shape and text in the order drawn."""
    return [
        Drawn(part.tag.removeprefix(SVG), tuple(part.get("class", "").split()), corners, part.text or "")
        for part, corners, _ in _walk(root, _At())
    ]


def inside(point: Point, corners: Sequence[Point]) -> bool:
    """Return whether a point lies within a polygon."""
    x, y = point
    found = False
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            found = not found
    return found


# ---------------------------------------------------------------- colours


class Sheet:
    """A style sheet of rules whose selectors are a tag or classes of one element."""

    def __init__(self, css: str) -> None:
        """Read it."""
        self._rules: list[tuple[str, frozenset[str], Mapping[str, str]]] = []
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
            said = dict(part.split(":", 1) for part in body.split(";") if ":" in part)
            held = {name.strip(): value.strip() for name, value in said.items()}
            for selector in selectors.split(","):
                tag, *classes = selector.strip().split(".")
                self._rules.append((tag, frozenset(classes), held))

    def value(self, drawn: Drawn, name: str) -> str:
        """Return a property of an element: of its rules the one with the most classes, of these the last."""
        best, found = (-1, -1), ""
        for turn, (tag, classes, held) in enumerate(self._rules):
            if tag in ("", drawn.tag) and classes <= set(drawn.classes) and name in held:
                if (len(classes), turn) > best:
                    best, found = (len(classes), turn), held[name]
        return found


def linear(part: float) -> float:
    """Return how much light a part of an sRGB colour, from 0 to 1, stands for."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = map(linear, parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 reckons it: 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)
