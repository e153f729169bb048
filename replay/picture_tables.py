"""The picture of a game that draws no board: its tables, one below the other, as SVG."""

from collections.abc import Iterator
from html import escape
from typing import Any

from core.kit.lettering import FONTS, across
from core.telling import Moment
from events.event import Seat
from replay.picture_text import Sheet, sheets

__all__ = ["drawn_tables"]

_LIGHT = ".ground { fill: #fdfdfb; } text { fill: #14181c; } .line { stroke: #c9c4b5; }"
_DARK = ".ground { fill: #15191d; } text { fill: #f1efe8; } .line { stroke: #444c52; }"
_ROW, _MARGIN, _LEAST = 20, 16, 1200
_SIZES = {"title": 21, "head": 17, "strong": 14, "": 14}
"""How large each kind of text is, in pixels; all but the last are bold."""


def drawn_tables(now: Moment[Any], seat: Seat | None, title: str, lines: tuple[str, ...], theme: str) -> str:
    """Return the tables of a moment, as a seat may know it, as SVG below a title and lines of text; as wide as they need, 1200 pixels at least."""
    texts = [(float(_MARGIN), 28, title, "title")]
    texts += [(_MARGIN, 50 + _ROW * turn, said, "") for turn, said in enumerate(lines)]
    y = 58 + _ROW * len(lines)
    rules: list[int] = []
    for sheet in sheets(now, seat):
        if sheet.title:
            texts.append((_MARGIN, y, sheet.title, "head"))
            y += _ROW + 4
        columns = tuple(_begins(sheet))
        for n, row in enumerate((sheet.heads, *sheet.rows)):
            if any(row):
                kind = "strong" if n == 0 else ""
                texts += [(x, y, said, kind) for x, said in zip(columns, row, strict=False) if said]
                y += _ROW
        rules.append(y - 8)
        y += _ROW
    width = max(_LEAST, *(round(x + _wide(said, kind)) + _MARGIN for x, _, said, kind in texts))
    drawn = [f'<path class="line" d="M{_MARGIN},{rule} h{width - 2 * _MARGIN}"/>' for rule in rules]
    drawn += [_text(*each) for each in texts]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>{_style(theme)}</style>\n"
        f'<rect class="ground" width="{width}" height="{y}"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _style(theme: str) -> str:
    colours = {"light": _LIGHT, "dark": _DARK}.get(
        theme, f"{_LIGHT} @media (prefers-color-scheme: dark) {{ {_DARK} }}"
    )
    sizes = " ".join(
        f".{kind} {{ font-size: {size}px; font-weight: bold; }}" for kind, size in _SIZES.items() if kind
    )
    return f"text {{ font-family: {FONTS}; font-size: {_SIZES['']}px; }} {sizes} {colours}"


def _wide(said: str, kind: str) -> float:
    return across(said, _SIZES[kind], bold=bool(kind))


def _begins(sheet: Sheet) -> Iterator[float]:
    """Yield where each column of a table begins, in pixels."""
    x = float(_MARGIN)
    for n, head in enumerate(sheet.heads):
        yield x
        cells = (_wide(row[n], "") for row in sheet.rows if len(row) > n)
        x += max((_wide(head, "strong"), *cells)) + 18


def _text(x: float, y: float, said: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{escape(said)}</text>'
