"""The board as a picture: an SVG of a moment, drawn from what its reader may see and nothing else.

The land is in `svg_map.py`, colours and shapes in `svg_style.py`; here stand the armies, ships, chips and gold on it, the
last move, the title and the legend.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import hypot
from typing import Final

from core.telling import Moment
from events.event import FactData, Seat

from .board import KINGDOMS, PEOPLES, PLACES, SPACES, TERRITORIES, ZONES
from .state import Army, Place, War, is_treasure
from .svg_map import BOTTOM, WIDTH, Point, anchor, at, cell, crown, is_realm, land, names, number, points
from .svg_style import FROST, OWNERS, Owner, style

__all__ = ["draw"]

HEIGHT: Final = 1092
_SHIP: Final = "m-9,2 h18 l-4,6 h-10 z m8,-1 v-12 l8,10 z m-2,0 v-9 l-6,9 z"
_STAR: Final = "m0,-8 l2.4,5.2 l5.6,.6 l-4.2,3.8 l1.2,5.6 l-5,-2.9 l-5,2.9 l1.2,-5.6 l-4.2,-3.8 l5.6,-.6 z"
_LETTERS: Final = {"king": "K", "wizard": "W", "blank": "B"}
_DIGIT: Final = 12.4
"""How wide a digit of a count is, in pixels."""


def draw(
    now: Moment[War],
    told: Iterable[Sequence[FactData]] = (),
    title: str = "",
    caption: str = "",
    theme: str = "",
) -> str:
    """Return the board of a moment as SVG, 1200 pixels wide; `told` are the facts of the last entries, the latest first.

    Moment and facts are as their reader may see them. `theme` is light, dark, or empty: as the reader's system prefers.
    """
    war = now.state
    body = [
        *_titled(war, title, caption),
        *land(),
        *(_tundra(place) for place in sorted(war.tundra)),
        *(_held(war, place) for place in war.armies if place in TERRITORIES or place in ZONES),
        *names(),
        *(line for place in war.armies if place in PLACES for line in _army(war, place)),
        *_ships(war),
        *(line for place in KINGDOMS if war.gold.get(place) for line in _gold(place, war.gold[place])),
        *(line for place in war.columns if place in PLACES for line in _attackers(war, place)),
        *_last(told),
        *_legend(war),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">\n'
        f"<title>{escape(title or 'The board')}</title>\n<style>{style(theme)}</style>\n"
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
        f'<path class="last-tip" d="M0,0 L10,5 L0,10 z"/></marker>{FROST if war.tundra else ""}</defs>\n'
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _owner(seat: Seat) -> tuple[str, Owner]:
    return (seat, OWNERS[seat]) if seat in OWNERS and seat else ("nobody", OWNERS[""])


def _named(place: Place) -> str:
    return TERRITORIES[place].name if place in TERRITORIES else place


def _words(kind: str, x: float, y: float, said: str) -> str:
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{escape(said)}</text>'


def _titled(war: War, title: str, caption: str) -> Iterator[str]:
    """Yield the title, the last entry in words, and whose turn it is, in which phase."""
    yield _words("title", 16, 28, title)
    yield _words("caption", 16, 47, caption if len(caption) <= 120 else f"{caption[:117]}...")
    if war.battle is not None:
        battle = war.battle
        fight = (
            f"{battle.attacker} against {battle.defender} over {_named(battle.place)}, round {battle.round}"
        )
        yield f'<text class="caption" x="{WIDTH - 16}" y="47" style="text-anchor:end">{escape(fight)}</text>'
    if war.ended is not None:
        winners = " and ".join(war.ended.winners)
        yield _words("turn", WIDTH - 16, 28, f"Over: {winners} won" if winners else "Over: nobody won")
    elif war.active:
        said = (
            f"turn {war.turn}, {war.active}: {war.phase or 'begins'}"
            if war.turn
            else f"setup, {war.active} begins"
        )
        yield _words("turn", WIDTH - 16, 28, said)
        yield from _shape(war, war.active, WIDTH - 40 - 10.2 * len(said), 22, 0.8)


def _shape(war: War, seat: Seat, x: float, y: float, scale: float, sign: str = "") -> Iterator[str]:
    """Yield the shape of an owner around a point, with his letter in it, or another sign."""
    name, owner = _owner(seat)
    out = " out" if seat in war.out else ""
    yield f'<g transform="translate({number(x)} {number(y)}) scale({scale:g})">'
    yield f'<path class="badge of-{name}{out}" d="{owner.shape}"/>'
    yield f'<text class="letter on-{name}" y="5">{escape(sign or owner.letter)}</text></g>'


def _badge(war: War, army: Army, x: float, y: float, scale: float, kind: str) -> Iterator[str]:
    """Yield an army's sign around a point: shape and letter of its owner, how many units, and a star for DragonLords."""
    size = str(army.units)
    stars = str(army.dragonlords) if army.dragonlords else ""
    wide = 26 + 5 + _DIGIT * len(size) + (20 + _DIGIT * len(stars) if stars else 0)
    left = -wide / 2
    lords = f" and {army.dragonlords} DragonLords" if army.dragonlords else ""
    yield f'<g class="{kind}" data-seat="{escape(army.seat)}" data-units="{army.units}" data-dragonlords="{army.dragonlords}" '
    yield f'transform="translate({number(x)} {number(y)}) scale({scale:g})">'
    yield f"<title>{escape(army.seat)}: {size} units{lords}</title>"
    if kind == "guest":
        yield from _shape(war, army.seat, 0, 0, 1, size)
        yield "</g>"
        return
    yield from _shape(war, army.seat, left + 13, 0, 1)
    yield _words("count", left + 31, 7, size)
    if stars:
        where = left + 31 + _DIGIT * len(size) + 12
        yield f'<path class="lord" d="M{number(where)},0 {_STAR}"/>'
        yield _words("count", where + 9, 7, stars)
    yield "</g>"


def _stand(place: Place) -> tuple[float, float, float]:
    """Return where the army of a place is drawn, and how large."""
    x, y = at(place)
    if is_realm(place):
        return x, y - 8, 1
    if place in TERRITORIES:
        return x + (5 if TERRITORIES[place].kind != "island" else 0), y + 2, 0.82
    if place in ZONES:
        return x, y - 1, 0.72
    if place in SPACES:
        return x, y + 3, 0.74
    turn = PEOPLES.index(place.partition(".")[2])
    return x + (10.5 if turn % 2 else -10.5), y + (14 if turn > 1 else -1), 0.62


def _army(war: War, place: Place) -> Iterator[str]:
    army = war.armies[place]
    x, y, scale = _stand(place)
    if place in SPACES and army.dragonlords:
        scale = 0.52  # four signs in the room of two
    yield f'<g data-army="{escape(place)}">'
    guest = place not in TERRITORIES and place not in ZONES and place not in SPACES
    yield from _badge(war, army, x, y, scale, "guest" if guest else "army")
    dx, dy = (0, 21) if is_realm(place) else (0, 15)
    if place in ZONES:
        dx, dy = 10, 15
    elif guest:
        dx, dy = 0, 19 + 11 * (PEOPLES.index(place.partition(".")[2]) < 2)
    yield from _chips(war, army.seat, place, x + dx, y + dy, 1 if is_realm(place) else 0.8)
    yield "</g>"


def _tundra(place: Place) -> str:
    """Return the frost over a territory that nobody enters in the short game (QD-23.2)."""
    return f'{cell(place, 1)} class="tundra" data-tundra="{escape(place)}"/>'


def _held(war: War, place: Place) -> str:
    """Return the rim in the colour of who holds a place, broken when his king is lost."""
    name, _ = _owner(war.armies[place].seat)
    out = " out" if war.armies[place].seat in war.out else ""
    return f'{cell(place, 5)} class="held of-{name}{out}"/>'


def _chips(war: War, seat: Seat, place: Place, x: float, y: float, scale: float = 0.8) -> Iterator[str]:
    """Yield the chips of a stack: those everybody sees, those the reader knows, and `?` where one may lie."""
    chips = sorted(
        ((name, chip) for name, chip in war.chips.items() if (chip.seat, chip.place) == (seat, place)),
        key=_first,
    )
    signs = [
        (
            "T" if is_treasure(name) else _LETTERS.get(name.split(".")[1], "?"),
            "shown" if chip.shown else "known",
            f"{name}{', ' + ', '.join(war.spells[name]) if war.spells.get(name) else ''}{'' if chip.shown else ' (face down)'}",
        )
        for name, chip in chips
    ]
    if not signs and f"{seat}@{place}" in war.shades:
        signs = [("?", "maybe", "a chip may lie here, face down")]
    for turn, (letter, kind, title) in enumerate(signs):
        where = x + scale * 14.5 * (turn - (len(signs) - 1) / 2)
        moved = f'transform="translate({number(where)} {number(y)}) scale({scale:g})"'
        yield f'<g data-chip="{escape(title)}" {moved}><title>{escape(title)}</title><circle class="chip {kind}" r="6.5"/>'
        ink = "sign" if kind == "maybe" else "sign dark-sign"
        yield f"{_words(ink, 0, 3.6, letter)}</g>"


def _first(held: tuple[str, object]) -> str:
    return held[0]


def _attackers(war: War, place: Place) -> Iterator[str]:
    """Yield who attacks a place: lines from where the columns came, and a plate below its army with a number for each."""
    x, y = at(place)
    columns = war.columns[place]
    for column in columns:
        if column.origin in PLACES and column.origin != place:
            line = points(*_shortened(at(column.origin), (x, y), 26, 30))
            yield f'<path class="attack" stroke-dasharray="7 4" d="M{line}"/>'
    y += 38 if is_realm(place) else 36
    for seat in dict.fromkeys(column.seat for column in columns):
        of = [column for column in columns if column.seat == seat]
        said = "+".join(str(column.units) for column in of)
        lords = sum(column.dragonlords for column in of)
        wide = 50 + 9.5 * len(said) + (26 if lords else 0)
        came = ", ".join(f"{column.size} from {_named(column.origin)} ({column.how})" for column in of)
        yield f'<g data-columns="{escape(place)}" data-units="{said}"><title>{escape(seat)} attacks: {escape(came)}</title>'
        left = x - wide / 2
        yield f'<rect class="plate" x="{number(left)}" y="{number(y - 12)}" width="{number(wide)}" height="24" rx="6"/>'
        yield f'<path class="attack" d="M{points((left + 6, y - 4))} l8,8 m0,-8 l-8,8"/>'
        yield from _shape(war, seat, left + 28, y, 0.68)
        yield f'<text class="key" font-weight="bold" x="{number(left + 42)}" y="{number(y + 5)}">{said}</text>'
        if lords:
            yield f'<path class="lord" d="M{points((x + wide / 2 - 22, y))} {_STAR}"/>'
            yield _words("key", x + wide / 2 - 13, y + 5, str(lords))
        yield "</g>"
        yield from _chips(war, seat, place, x + wide / 2 + 8, y)
        y += 30


def _ships(war: War) -> Iterator[str]:
    for place, count in war.fleets.items():
        if place in PLACES:
            x, y = at(place)
            yield from _ship(place, count, x - 9, y + 15, "fleet")
    for place, count in war.raiders.items():
        if place in PLACES:
            x, y = at(place)
            yield from _ship(place, count, x + 33, y + 38, "raiders")
    for place, count in war.docked.items():
        if place in PLACES:
            x, y = at(place)
            if is_realm(place):
                to_x, _ = at(TERRITORIES[place].harbour_zone or place)
                side = 1 if to_x >= x else -1
                yield from _ship(place, count, x + side * 33 - 5, y + 18, "docked")
            else:
                yield from _ship(place, count, x + 27, y + 14, "docked")


def _ship(place: Place, count: int, x: float, y: float, what: str) -> Iterator[str]:
    yield f'<g data-{what}="{escape(place)}"><title>{count} ships, {what}</title>'
    yield f'<path class="ship" transform="translate({number(x)} {number(y)}) scale(.85)" d="M0,0 {_SHIP}"/>'
    if count > 1:
        yield f'<text class="key" x="{number(x + 9)}" y="{number(y + 6)}" font-weight="bold">{count}</text>'
    yield "</g>"


def _gold(place: Place, gold: int) -> Iterator[str]:
    x, y = at(place)
    yield f'<g data-gold="{gold}"><title>{gold} gold in {escape(_named(place))}</title>'
    yield f'<circle class="coin" cx="{number(x + 33)}" cy="{number(y + 15)}" r="9.5"/>'
    yield f"{_words('sign dark-sign', x + 33, y + 18.6, str(gold))}</g>"


def _shortened(start: Point, end: Point, before: float, behind: float) -> tuple[Point, Point]:
    """Return a line without its ends, which would lie over what stands in both places."""
    (ax, ay), (bx, by) = start, end
    away = hypot(bx - ax, by - ay) or 1
    before, behind = min(before, away * 0.34), min(behind, away * 0.35)
    dx, dy = (bx - ax) / away, (by - ay) / away
    return (ax + dx * before, ay + dy * before), (bx - dx * behind, by - dy * behind)


def _last(told: Iterable[Sequence[FactData]]) -> Iterator[str]:
    """Yield an arrow for each way that the latest entry which happened somewhere took, or a ring where it happened."""
    for facts in told:
        ways = list(dict.fromkeys(way for fact in facts if (way := _way(fact))))
        moves = [way for way in ways if len(way) > 1]
        for way in moves or ways:
            yield from _marked(way)
        if ways:
            return


def _way(fact: FactData) -> tuple[Place, ...]:
    """Return the places that a fact leads along, or the one where it happened; nothing when it happened nowhere."""
    origin, target, path = (getattr(fact, name, None) for name in ("origin", "target", "path"))
    if isinstance(origin, str) and isinstance(path, tuple):
        way: tuple[object, ...] = (origin, *path)
    elif isinstance(origin, str) and isinstance(target, str):
        way = (origin, target)
    else:
        way = () if hasattr(fact, "gold") else (getattr(fact, "place", None),)
    places = tuple(place for place in way if isinstance(place, str) and place in PLACES)
    whole = len(places) == len(way) and (len(way) < 2 or places[0] != places[1])
    return places if whole else ()


def _marked(way: tuple[Place, ...]) -> Iterator[str]:
    yield f'<g data-last="{escape(" ".join(way))}"><title>the last move</title>'
    if len(way) == 1:
        yield f'{cell(way[0])} class="last-halo"/>'
        yield f'{cell(way[0])} class="last" style="stroke-width:2"/></g>'
        return
    stops = [at(place) for place in way]
    first, second = _shortened(stops[0], stops[1], 36, 0)[0], _shortened(stops[-2], stops[-1], 0, 27)[1]
    line = points(first, *stops[1:-1], second)
    yield f'<path class="last-halo" d="M{line}"/><path class="last" d="M{line}" marker-end="url(#tip)"/></g>'


def _legend(war: War) -> Iterator[str]:
    yield f'<rect class="legend" x="8" y="{BOTTOM + 4}" width="{WIDTH - 16}" height="{HEIGHT - BOTTOM - 12}" rx="10"/>'
    for turn, seat in enumerate(war.seats):
        yield from _standing(war, seat, 24 + turn * 292, BOTTOM + 28)
    yield from _key(BOTTOM + 100, " Hatched: tundra." if war.tundra else "")


def _standing(war: War, seat: Seat, x: float, y: float) -> Iterator[str]:
    """Yield how a seat stands: units, places, gold, treasures and scrolls; its hand where the reader knows it."""
    own = [place for place, army in war.armies.items() if army.seat == seat]
    units = sum(war.armies[place].size for place in own)
    units += sum(column.size for there in war.columns.values() for column in there if column.seat == seat)
    kingdoms = [place for place in own if place in KINGDOMS]
    gold = sum(war.gold.get(place, 0) for place in kingdoms)
    yield from _shape(war, seat, x + 13, y, 1)
    ally = f", ally of {war.allies[seat]}" if seat in war.allies else ""
    yield _words("seat", x + 34, y, f"{seat}{ally}{' (king lost)' if seat in war.out else ''}")
    lands = sum(place in TERRITORIES for place in own)
    held = (_many(units, "unit"), _many(lands, "land"), _many(len(kingdoms), "kingdom"))
    stored = (
        f"{gold} gold",
        _many(war.hoards.get(seat, 0), "treasure"),
        _many(war.held.get(seat, 0), "scroll"),
    )
    hand = ", ".join(war.hands.get(seat, ()))
    for turn, said in enumerate((", ".join(held), ", ".join(stored), hand), 1):
        if said:
            yield _words("key", x + 34, y + 16 * turn, said if len(said) <= 36 else f"{said[:33]}...")


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _key(y: float, more: str = "") -> Iterator[str]:
    """Yield what the signs mean, in two rows, and in a sentence what is no sign; `more` is of one game alone."""
    signs = (
        ('<path class="open" d="M-14,0 h28"/>', "open border"),
        ('<path class="peak" d="M-14,6 l6,-11 l6,11 z m10,0 l6,-11 l6,11 z"/>', "mountains"),
        ('<path class="river" d="M-12,0 h24"/>', "river"),
        ('<path class="road bridge" d="M-14,0 h28"/><path class="road planks" d="M-14,0 h28"/>', "bridge"),
        ('<path class="sea-way" d="M-14,0 h28"/>', "sea way"),
        (anchor(0, 0), "harbour"),
        (f'<path class="ship" d="M0,0 {_SHIP}"/>', "ships"),
        ('<path class="portal" d="M-5.5,0 a5.5,8 0 1 1 11,0 a5.5,8 0 1 1 -11,0"/>', "teleportal"),
        (crown(0, 0), "kingdom"),
        ('<circle class="coin" r="8"/>', "stored gold"),
        ('<path class="nugget" d="M-7,0 l4,-7 l7,0 l4,7 l-4,5 l-7,0 z"/>', "yields gold"),
        ('<path class="pick" d="M-7,7 l13,-13 m-8,-1 q8,-2 10,8"/>', "mine"),
        (f'<path class="lord" d="M0,0 {_STAR}"/>', "DragonLord"),
        (f'<circle class="chip shown" r="6.5"/>{_words("sign dark-sign", 0, 3.6, "K")}', "chip, shown"),
        (f'<circle class="chip known" r="6.5"/>{_words("sign dark-sign", 0, 3.6, "W")}', "chip, hidden"),
        (f'<circle class="chip maybe" r="6.5"/>{_words("sign", 0, 3.6, "?")}', "may hide one"),
        ('<path class="attack" d="M-5,-5 l10,10 m0,-10 l-10,10"/>', "attackers"),
        ('<path class="last-halo" d="M-12,0 h18"/><path class="last" d="M-12,0 h18" marker-end="url(#tip)"/>', "last move"),
    )  # fmt: skip
    for turn, (sign, said) in enumerate(signs):
        row, column = divmod(turn, 9)
        x = 40 + column * 129
        yield f'<g transform="translate({x} {number(y + row * 26)})">{sign}{_words("key", 21, 4.5, said)}</g>'
    yield _words(
        "key", 24, y + 54, f"Chips: K king, W wizard, B blank, T treasure. A broken rim: king lost.{more}"
    )
