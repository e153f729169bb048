"""The board as a picture: an SVG of a moment, drawn from what its reader may see and nothing else.

From the ground up: the land (`svg_map.py`), the colours of who holds it, what moved (`svg_moves.py`), then names and all
that stands in a place (`svg_places.py`, made to fit by `svg_fitting.py`), so that no line lies over a name or a number; around it title, seats and key
(`svg_panel.py`). Where everything lies is in `svg_layout.py`, how it looks in `svg_style.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from core.telling import Moment
from events.event import FactData, Seat

from .board import SPACES, TERRITORIES, ZONES
from .picture import described, known_to
from .state import Place, War
from .svg_layout import WIDTH, cell
from .svg_map import borders, land, names, signs
from .svg_moves import attacks, last
from .svg_panel import Heading, heading, panel, summary
from .svg_places import Arranged, arranged
from .svg_style import FROST, OWNERS, style

__all__ = ["draw"]

_TIP: Final = (
    '<marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
    '<path class="last-tip" d="M0,0 L10,5 L0,10 z"/></marker>'
)


def draw(
    now: Moment[War],
    told: Iterable[Sequence[FactData]] = (),
    *,
    seat: Seat | None = None,
    title: str = "The board",
    moment: str = "",
    caption: str = "",
    asked: str = "",
    theme: str = "",
) -> str:
    """Return the board of a moment as SVG, 1200 pixels wide; `told` are the facts of the last entries, the latest first.

    Moment and facts are as `seat` may see them (None: a spectator). Written above are title and moment, the last entry,
    and what is asked now. `theme` is light, dark, or empty: as the reader's system prefers.
    """
    war, head = now.state, Heading(title, moment, caption, asked)
    known = known_to(war, seat)
    stands = {place: arranged(war, place, known) for place in (*TERRITORIES, *ZONES, *SPACES)}
    below, high = panel(war, [each.closeup for each in stands.values() if each.closeup is not None])
    body = [
        *heading(war, head),
        *land(lambda place: described(war, place, known)),
        *(
            f'{cell(place, 1)} class="tundra over" data-tundra="{escape(place)}"/>'
            for place in sorted(war.tundra)
        ),
        *(_held(war, place) for place in war.armies if place in TERRITORIES or place in ZONES),
        '<g class="over">',
        *borders(),
        *attacks(war),
        *last(told),
        *signs(),
        *(line for place, there in stands.items() for line in _filled(place, there)),
        "</g>",
        below,
    ]
    named = f"{title}, {moment}" if moment else title
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}" '
        f'role="img" aria-labelledby="name what">\n<title id="name">{escape(named)}</title>\n'
        f'<desc id="what">{escape(summary(war, head))}</desc>\n<style>{style(theme)}</style>\n'
        f"<defs>{_TIP}{FROST if war.tundra else ''}</defs>\n"
        f'<rect class="ground" width="{WIDTH}" height="{high}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _held(war: War, place: Place) -> str:
    """Return the rim in the colour of who holds a place, broken when his king is lost."""
    seat = war.armies[place].seat
    out = " out" if seat in war.out else ""
    return f'{cell(place, 4)} class="held over of-{seat if seat in OWNERS and seat else "nobody"}{out}"/>'


def _filled(place: Place, there: Arranged) -> Iterator[str]:
    """Yield the name of a place and all that stands there."""
    yield f'<g data-cell="{escape(place)}">'
    yield from names(place)
    yield from there.drawn
    yield "</g>"
