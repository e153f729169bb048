"""What stands around the board: title, turn and what is asked above it; how each seat stands, and the key of signs, below."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from events.counting import plural
from events.event import Seat

from .board import SPACE_OF, TERRITORIES
from .picture import scroll_words, standing
from .state import PHASES, Place, War
from .svg_layout import BOTTOM, WIDTH
from .svg_pieces import Piece, badge, chip, chip_on_another, coin, plate, scaled
from .svg_signs import anchor, crown, dots, empty_ship, nugget, peaks, pick, portal, ship, star
from .svg_words import clipped, number, text, wide, wrapped

__all__ = ["Heading", "heading", "panel", "summary"]

_MARGIN: Final = 16
_LINE: Final = 16
"""How far apart two lines of text are, in pixels."""


class Heading(NamedTuple):
    """What is written above a picture: the game, the moment and whose eyes, the last entry, and who is asked what now."""

    title: str = "The board"
    moment: str = ""
    caption: str = ""
    asked: str = ""


def heading(war: War, head: Heading) -> Iterator[str]:
    """Yield the title and the last entry on the left; turn and phase, the battle, and what is asked on the right."""
    right = (_turn(war), _battle(war), head.asked)
    left = (head.title, head.moment, head.caption)
    for turn, (said, aside) in enumerate(zip(left, right, strict=True)):
        y = (25, 43, 57)[turn]
        kinds = ("title", "turn") if turn == 0 else ("moment", "aside")
        sign = 34 if turn == 0 and war.active and war.ended is None else 0
        whole = WIDTH - 2 * _MARGIN - 24 - sign
        aside = clipped(aside, kinds[1], max(whole * 0.55, whole - wide(said, kinds[0])))
        if said:
            yield text(kinds[0], _MARGIN, y, clipped(said, kinds[0], whole - wide(aside, kinds[1])))
        if aside:
            yield text(kinds[1], WIDTH - _MARGIN - sign, y, aside)
        if sign:
            yield _put(scaled(badge(war, war.active), 0.9), WIDTH - _MARGIN - sign + 8, y - 6)


def _put(piece: Piece, x: float, y: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{piece.drawn}</g>'


def _turn(war: War) -> str:
    if war.ended is not None:
        return f"Over: {' and '.join(war.ended.winners)} won" if war.ended.winners else "Over: nobody won"
    if not war.active:
        return "Setup"
    if not war.turn:
        return f"Setup, {war.active} begins"
    if war.phase not in PHASES:
        return f"Turn {war.turn}, {war.active} begins"
    return f"Turn {war.turn}, {war.active}: {war.phase}, phase {PHASES.index(war.phase) + 1} of {len(PHASES)}"


def _called(place: Place) -> str:
    return TERRITORIES[place].name if place in TERRITORIES else place


def _battle(war: War) -> str:
    """Return the battle that is being fought, and the party that sets out, in words."""
    if war.recruits is not None:
        return f"{war.recruits.units} {war.recruits.seat} set out from {_called(war.recruits.origin)}"
    if war.battle is None:
        return ""
    battle = war.battle
    told = f"{battle.attacker} against {battle.defender} over {_called(battle.place)}, round {battle.round}"
    if battle.hurt or battle.poisoned:
        told += f", {plural(battle.hurt, 'hit')}, {battle.poisoned} poisoned"
    at_work = (cast.replace(":", " ").replace("_", " ") for cast in battle.cast)
    return f"{told}; at work: {', '.join(at_work)}" if battle.cast else told


# ---------------------------------------------------------------- how the seats stand


def _lines(war: War, seat: Seat) -> Iterator[tuple[str, ...]]:
    """Yield what is told of a seat, in parts that may be broken into lines, for each thing that is told."""
    held = standing(war, seat)
    lost = (f"{held.lost} lost",) if held.lost else ()
    if seat in war.out:
        yield ("king lost",)
    yield (
        plural(held.units, "unit"),
        *lost,
        plural(len(held.lands), "land"),
        plural(len(held.kingdoms), "kingdom"),
    )
    hand = [scroll_words(name) for name in war.hands.get(seat, ())]
    unseen = war.held.get(seat, 0) - len(hand)
    if hand and unseen > 0:
        hand.append(f"{unseen} unseen")
    treasures = (plural(war.hoards[seat], "treasure"),) if war.hoards.get(seat) else ()
    scrolls: tuple[str, ...] = (plural(war.held[seat], "scroll"),) if war.held.get(seat) else ()
    if hand and scrolls:
        scrolls = (f"{scrolls[0]}: {hand[0]}", *hand[1:])
    yield f"{held.gold} gold", *treasures, *scrolls
    for name, spells in sorted(war.spells.items()):
        if name.startswith(f"{seat}."):
            called = name.partition(".")[2].replace(".", " ")
            yield (f"{called}: {spells[0] if spells else 'no spell'}", *spells[1:])
    for whose, items in sorted(war.items.items()):
        owner, _, place = whose.partition("@")
        if owner == seat and items:
            first, *more = (plural(count, item) for item, count in items.items())
            yield (
                f"{f'party in {SPACE_OF.get(place, _called(place))}' if place else 'store'}: {first}",
                *more,
            )
    waits = tuple(
        plural(count, what.partition(".")[2])
        for what, count in war.bought.items()
        if count and what.startswith(f"{seat}.")
    )
    if waits:
        yield (f"bought: {waits[0]}", *waits[1:])
    for whose, hits in sorted(war.struck.items()):
        owner, _, place = whose.partition("@")
        if owner == seat and hits:
            yield (f"to lose in {_called(place)}: {hits}",)


def _name(war: War, seat: Seat) -> str:
    ally = f", ally of {war.allies[seat]}" if seat in war.allies else ""
    return f"{seat}{ally}"


def summary(war: War, head: Heading) -> str:
    """Return turn, battle and how each seat stands in plain sentences, for who has the picture read aloud."""
    told = [_turn(war), _battle(war), head.asked]
    told += [
        f"{_name(war, seat)}: {'; '.join(', '.join(parts) for parts in _lines(war, seat))}"
        for seat in war.seats
    ]
    return ". ".join(each for each in told if each)


def panel(war: War, closeups: Sequence[Piece] = ()) -> tuple[str, int]:
    """Return the panel below the board, and where it ends: close-ups, a column for each seat, then the key."""
    across = (WIDTH - 2 * _MARGIN) / max(1, len(war.seats))
    drawn, top = _closeups(closeups, BOTTOM + 30)
    below = top + _LINE
    for turn, seat in enumerate(war.seats):
        x = _MARGIN + 8 + turn * across
        room = across - 42
        drawn += [
            _put(badge(war, seat), x, top),
            text("seat", x + 34, top + 3, clipped(_name(war, seat), "seat", room)),
        ]
        y = top + 4
        for parts in _lines(war, seat):
            for line in wrapped(parts, "key", room):
                y += _LINE
                drawn.append(text("key", x + 34, y, line))
        below = max(below, y)
    key, bottom = _key(below + 28, short=bool(war.tundra), closeups=bool(closeups))
    high = bottom - BOTTOM - 4
    ground = (
        f'<rect class="panel" x="8" y="{BOTTOM + 6}" width="{WIDTH - 16}" height="{number(high)}" rx="10"/>'
    )
    return "\n".join((ground, *drawn, *key)), round(bottom + 10)


def _closeups(pieces: Sequence[Piece], y: float) -> tuple[list[str], float]:
    """Return close-ups in as many rows as they need, from this height on, and where what comes below them begins."""
    drawn: list[str] = []
    x: float = _MARGIN + 12
    for piece in pieces:
        scale = min(1, (WIDTH - 2 * _MARGIN - 40) / piece.wide)
        held = scaled(piece, scale)
        if drawn and x + held.wide > WIDTH - _MARGIN - 12:
            x, y = _MARGIN + 12, y + 44
        frame = f'<rect class="frame" x="{number(x - 8)}" y="{number(y - 19)}" width="{number(held.wide + 16)}" height="38" rx="6"/>'
        drawn.append(frame + _put(held, x, y))
        x += held.wide + 28
    return drawn, y + 48 if drawn else y


# ---------------------------------------------------------------- the key


def _signs() -> Iterator[tuple[str, float, str]]:
    """Yield each sign of the board around (0, 0), half its width, and what it means."""
    yield '<path class="open" d="M-13,0 h26"/>', 15, "open border"
    yield peaks((-6, 0), (6, 0), (0, 1)), 12, "mountains"
    yield '<path class="river" d="M-12,0 h24"/>', 15, "river"
    yield '<path class="road bridge" d="M-14,0 h28"/><path class="planks" d="M-14,0 h28"/>', 14, "bridge"
    yield '<path class="sea-way" d="M-14,0 h28"/>', 14, "sea way"
    yield f'<circle class="quay" r="8.5"/>{anchor()}', 9, "harbour"
    yield ship(), 10, "ship"
    yield empty_ship(), 10, "empty ship"
    yield f'<circle class="corner" r="8.5"/>{portal()}', 9, "teleportal"
    yield crown(), 9, "kingdom"
    yield _centred(coin(5)), 10, "stored gold"
    yield f'<circle class="corner" r="8.5"/>{nugget()}', 9, "yields gold"
    yield f'<circle class="mine" r="8.5"/>{pick()}', 9, "mine"
    yield star(), 9, "DragonLord"
    yield _centred(chip("shown", "K")), 8, "chip that all see"
    yield _centred(chip("known", "W")), 8, "chip face down"
    yield _centred(chip("maybe", "?")), 8, "may hide a chip"
    yield _centred(chip_on_another("shown", "W")), 13, "may hide another"
    yield f'<g transform="translate(-13 2)">{plate(26, 14)}</g>', 14, "attackers"
    yield (
        '<path class="last-halo" d="M-12,0 h18"/><path class="last" d="M-12,0 h18" marker-end="url(#tip)"/>', 16,
        "last move",
    )  # fmt: skip


def _centred(piece: Piece) -> str:
    return f'<g transform="translate({number(-piece.wide / 2)} 0)">{piece.drawn}</g>'


def _key(y: float, *, short: bool, closeups: bool) -> tuple[list[str], float]:
    """Return what the signs mean, in as many rows as they need, in sentences what is no sign, and where the key ends."""
    drawn: list[str] = []
    x: float = _MARGIN + 12
    signs = [*_signs(), *([(dots(), 9.0, "more in its close-up")] if closeups else [])]
    for sign, half, said in signs:
        across = 2 * half + 6 + wide(said, "key")
        if x + across > WIDTH - _MARGIN:
            x, y = _MARGIN + 12, y + 25
        drawn.append(f'<g class="mark" transform="translate({number(x + half)} {number(y)})">{sign}</g>')
        drawn.append(text("key", x + 2 * half + 6, y + 4.5, said))
        x += across + 18
    more = " Hatched: tundra, which nobody enters." if short else ""
    told = f"Chips: K king, W wizard, T treasure, empty a blank one. A broken rim: the king is lost.{more}"
    drawn.append(text("key", _MARGIN + 12, y + 27, told))
    return drawn, y + 34
