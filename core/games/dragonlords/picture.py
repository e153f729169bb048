"""The board in words: who stands where, realm by realm, and what every place borders on (QD-2).

Tables are plain tuples of a title, the heads of the columns, and rows of text; `replay.picture_text` draws them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from core.seats import ARBITER
from core.telling import Moment
from events.counting import plural
from events.event import Seat

from .board import (
    KINGDOMS,
    NEIGHBOURS,
    REALMS,
    ROADS,
    SEA,
    SPACE_OF,
    SPACES,
    TELEPORTALS,
    TERRITORIES,
    WASTELANDS,
    ZONES,
    Territory,
    Zone,
)
from .card_words import columns_of_cards, monsters
from .decks import deck_data, scrolls
from .scroll_book import scroll_words
from .state import Army, Column, Place, War, is_shaded, is_treasure, shade, units_of
from .variants import kingdoms_to_win

__all__ = ["Standing", "cards", "described", "places", "scroll_words", "standing", "tables"]

Sheet = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]


def tables(now: Moment[War], seat: Seat | None = None) -> Iterator[Sheet]:
    """Yield the variant that is played, the turn, the seats, then each realm, the other lands, the sea and the Wastelands.

    Only where anybody is there. The moment is as `seat` may know it (None: a spectator).
    """
    war = now.state
    known = known_to(war, seat)
    played = tuple(_variant(now))
    if played:
        yield "", ("", ""), played
    if war.active:
        yield "", ("", ""), tuple(_turn(war))
    heads = ("seat", "units", "lost", "kingdoms", "gold", "items", "treasures", "scrolls")
    yield "Seats", heads, tuple(_seats(war))
    for title, ids in _regions():
        rows = tuple(_row(war, place, known) for place in ids if _is_worth_a_row(war, place))
        if rows:
            yield title, ("place", "", "held by", "units", "chips", "also"), rows


def known_to(war: War, seat: Seat | None) -> frozenset[Seat]:
    """Return the seats whose chips a reader knows, so that none of their stacks is a riddle to him.

    Where nobody who recorded could see which treasure was found, it may lie in any of them.
    """
    own = war.seats if seat == ARBITER else (seat, war.allies.get(seat, seat)) if seat else ()
    found = Counter(chip.seat for name, chip in war.chips.items() if is_treasure(name))
    return frozenset(each for each in own if found[each] >= war.hoards.get(each, 0))


def may_hide(war: War, seat: Seat, place: Place, found: int, known: frozenset[Seat]) -> bool:
    """Return whether a stack may hide a chip from a reader who finds so many in it and knows all those of `known` (QD-H42).

    A unit bears one chip at most. Who lost his king and has no treasure has no chips any more (QD-22.1).
    """
    lost_all = seat in war.out and not war.hoards.get(seat)
    riddle = is_shaded(war, seat, place) and seat not in known and not lost_all
    return riddle and found < units_of(war, seat, place)


def places() -> Iterator[Sheet]:
    """Yield every territory by its realm, the sea, the Wastelands: id, name and kind of a place, and what it borders on."""
    for title, ids in _regions():
        rows = tuple(_described(TERRITORIES[place]) for place in ids if place in TERRITORIES)
        rows += tuple(_zone_described(ZONES[place]) for place in ids if place in ZONES)
        rows += tuple(
            _space_described(space)
            for space in dict.fromkeys(SPACE_OF.get(place, "") for place in ids)
            if space
        )
        yield title, ("place", "name", "kind", "borders on"), rows


def cards() -> Iterator[Sheet]:
    """Yield each deck by its name: id and name of every card, how many there are, and whether the booklet has it."""
    data = deck_data()
    heads = ("card", "name", "copies", "where from")
    quests = tuple((card["id"], card["name"], "1", _source(card["source"])) for card in data["quest_cards"])
    yield "quest_cards", heads, quests
    yield (
        "scrolls", heads,
        tuple(
            (name, scroll_words(name), str(scrolls().count(name)), _source(card["source_count"]))
            for card in data["scroll_cards"]
            for name in [card["kind"] + (f".{card['variant']}" if "variant" in card else "")]
        ),
    )  # fmt: skip
    yield (
        "treasures", heads,
        tuple((card["id"], card["name"], str(card["n"]), _source(card["source"])) for card in data["treasures"]),
    )  # fmt: skip


def card_texts() -> Iterator[Sheet]:
    """Yield what the quest cards say, column by column, and the monsters that are met on them (QD-6.10, QD-9.2)."""
    yield (
        "what quest cards say",
        ("card", "name", "crystal", "text", "what follows"),
        tuple(columns_of_cards()),
    )
    yield (
        "monsters",
        ("monster", "attack", "defence", "dice", "hits to beat it", "who is hit is", "kept off by"),
        tuple(monsters()),
    )


def _source(said: str) -> str:
    return "the booklet" if said.startswith("seed") else "this house"


def _regions() -> Iterator[tuple[str, tuple[str, ...]]]:
    for realm in REALMS.values():
        yield realm.name, tuple(place.id for place in TERRITORIES.values() if place.realm == realm.id)
    yield "Lands of no realm", tuple(place.id for place in TERRITORIES.values() if place.realm is None)
    yield "The sea", tuple(ZONES)
    for road in WASTELANDS.values():
        yield road.name, tuple(place for place, space in SPACE_OF.items() if ROADS[space] == road.id)


def _described(place: Territory) -> tuple[str, ...]:
    kind = [place.kind, *(["mine"] if place.mine else [])]
    if place.harbour_zone:
        kind.append(f"harbour on {place.harbour_zone}")
    borders = [
        *NEIGHBOURS.get(place.id, ()),
        *(f"{other} (teleportal)" for other in TELEPORTALS.get(place.id, ())),
    ]
    return place.id, place.name, ", ".join(kind), ", ".join(borders)


def _zone_described(zone: Zone) -> tuple[str, ...]:
    kind = ["sea", *(f"harbour of {place}" for place in zone.harbours)]
    if zone.village:
        kind.append(f"village of {zone.village}")
    return zone.id, "", ", ".join(kind), ", ".join(SEA[zone.id])


def _space_described(name: str) -> tuple[str, ...]:
    space = SPACES[name]
    ways = (way for way in WASTELANDS[ROADS[name]].entrances if way.first_space == name)
    borders = [there for there in (space.prev, space.next) if there]
    borders += [f"{way.territory or way.sea_zone} ({way.via})" for way in ways]
    return name, "", space.kind.replace("_", " "), ", ".join(borders)


def _variant(now: Moment[War]) -> Iterator[tuple[str, str]]:
    """Yield who leads which armies, and which game is played, where it is not the usual one (QD-23)."""
    if now.table.players:
        yield "allies", " against ".join(" and ".join(seats) for seats in now.table.players)
    if now.state.tundra:
        yield "short game", f"{kingdoms_to_win(now)} kingdoms win; the east of the board is tundra"
    if now.state.length == "long":
        yield "long game", "without Summon Elemental"


def _turn(war: War) -> Iterator[tuple[str, str]]:
    if war.phase:
        yield "turn", f"{war.turn}, {war.active}: {war.phase}"
    else:
        yield "setup", f"{war.active} begins"
    if war.battle is not None:
        battle = war.battle
        place = TERRITORIES[battle.place].name if battle.place in TERRITORIES else battle.place
        yield (
            "battle",
            f"{battle.attacker} against {battle.defender} over {battle.place} {place}, round {battle.round}",
        )
        if battle.hurt or battle.poisoned:
            yield "so far", f"{plural(battle.hurt, 'hit')}, {battle.poisoned} poisoned"
        if battle.cast:
            yield "at work", ", ".join(battle.cast)
    if war.recruits is not None:
        yield "sets out", f"{war.recruits.units} {war.recruits.seat} from {war.recruits.origin}"


class Standing(NamedTuple):
    """How many units a seat has, attackers among them, how many it lost, the territories and kingdoms it holds, its gold."""

    units: int
    lost: int
    lands: tuple[Place, ...]
    kingdoms: tuple[Place, ...]
    gold: int


def standing(war: War, seat: Seat) -> Standing:
    """Return what a seat has on the board."""
    own = [place for place, army in war.armies.items() if army.seat == seat]
    units = sum(war.armies[place].size for place in own)
    units += sum(column.size for there in war.columns.values() for column in there if column.seat == seat)
    lands = tuple(place for place in own if place in TERRITORIES)
    kingdoms = tuple(place for place in own if place in KINGDOMS)
    gold = sum(war.gold.get(place, 0) for place in kingdoms)
    return Standing(units, war.muster[seat].lost if seat in war.muster else 0, lands, kingdoms, gold)


def _seats(war: War) -> Iterator[tuple[str, ...]]:
    for seat in war.seats:
        held = standing(war, seat)
        hand = war.hands.get(seat, ())
        scrolls = f"{war.held.get(seat, 0)}" + (f": {', '.join(hand)}" if hand else "")
        yield (
            seat,
            str(held.units),
            str(held.lost),
            ", ".join(held.kingdoms),
            str(held.gold),
            _items(war.items.get(seat, {})),
            str(war.hoards.get(seat, 0)),
            scrolls,
        )


def _is_worth_a_row(war: War, place: str) -> bool:
    return any(place in held for held in (war.armies, war.columns, war.docked, war.gold))


def _row(war: War, place: str, known: frozenset[Seat]) -> tuple[str, ...]:
    army = war.armies.get(place)
    also = [f"{war.gold[place]} gold"] if war.gold.get(place) else []
    also += [_ships(war.fleets[place], "")] if place in war.fleets else []
    also += [_ships(war.docked[place], "docked ")] if place in war.docked else []
    also += [_ships(war.raiders[place], "attacking ")] if place in war.raiders else []
    also += [_column(war, place, column, known) for column in war.columns.get(place, ())]
    name = TERRITORIES[place].name if place in TERRITORIES else ""
    if place in SPACE_OF:
        name = SPACES[SPACE_OF[place]].kind.replace("_", " ")
    seat = army.seat if army is not None else ""
    if carried := war.items.get(shade(seat, place)):
        also.append(_items(carried))
    chips = ", ".join(_chips(war, seat, place, "", known)) if seat else ""
    return place, name, seat, _units(army) if army is not None else "", chips, "; ".join(also)


def described(war: War, place: Place, known: frozenset[Seat] = frozenset()) -> str:
    """Return in words what a place is, who holds it, and all that stands there, as far as the reader of the state knows.

    Of the seats in `known` he knows all chips, so none of their stacks is a riddle to him.
    """
    if place in TERRITORIES:
        land = TERRITORIES[place]
        realm = f" in {REALMS[land.realm].name}" if land.realm else ""
        what = f"{land.name} ({place}){realm}, {_described(land)[2]}"
    elif place in ZONES:
        what = f"sea zone {place}"
    else:
        road = WASTELANDS[ROADS[SPACE_OF.get(place, place)]]
        what = f"{place}, {_space_described(SPACE_OF.get(place, place))[2]} of the {road.name}"
    stands = [place] if place not in SPACES else [part for part, space in SPACE_OF.items() if space == place]
    told = [what]
    for part in stands:
        _, _, seat, units, chips, also = _row(war, part, known)
        held = [f"{seat} {units}"] if seat else []
        held += [f"chips: {chips}"] if chips else []
        told += [", ".join((*held, *([also] if also else [])))] if held or also else []
    return "; ".join(told)


def _items(items: Mapping[str, int]) -> str:
    return ", ".join(plural(count, item) for item, count in items.items())


def _ships(count: int, kind: str) -> str:
    return plural(count, f"{kind}ship")


def _column(war: War, place: str, column: Column, known: frozenset[Seat]) -> str:
    chips = ", ".join(_chips(war, column.seat, place, column.how, known))
    carrying = f" with {chips}" if chips else ""
    return f"{column.seat} attacks from {column.origin} with {_units(column)}{carrying} ({column.how})"


def _units(army: Army | Column) -> str:
    dragonlords = f" and {plural(army.dragonlords, 'DragonLord')}" if army.dragonlords else ""
    return f"{army.units}{dragonlords}"


def _chips(war: War, seat: Seat, place: str, way: str, known: frozenset[Seat]) -> Iterator[str]:
    """Yield the chips of a seat in a place that the reader of the state knows; hidden ones in brackets.

    `?` stands where one may lie of which he does not know, under a unit that bears none which he sees; of the seats in
    `known` he knows all.
    """
    found = 0
    for name, chip in war.chips.items():
        if (chip.seat, chip.place, chip.way) == (seat, place, way):
            found += 1
            called = name if is_treasure(name) else name.partition(".")[2]
            spells = f" ({', '.join(war.spells[name])})" if war.spells.get(name) else ""
            yield called + spells if chip.shown else f"[{called}]{spells}"
    if may_hide(war, seat, place, found, known):
        yield "?"
