"""The board (QD-2): territories, realms, borders, sea zones and Wastelands, read once from `data/board.json`."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct, json

__all__ = [
    "HARBOURS",
    "KINGDOMS",
    "NEIGHBOURS",
    "PEOPLES",
    "PLACES",
    "REALMS",
    "ROADS",
    "SEA",
    "SPACES",
    "SPACE_OF",
    "TELEPORTALS",
    "TERRITORIES",
    "TUNDRA",
    "WASTELANDS",
    "ZONES",
    "Entrance",
    "Realm",
    "Space",
    "Territory",
    "Wasteland",
    "Zone",
    "is_place",
]


class Territory(Struct, frozen=True):
    """A territory: `kind` is kingdom, plain, gold, island or teleportal; `realm` is empty outside the realms."""

    id: str
    name: str
    kind: str
    x: int
    y: int
    income: int
    income_dwarf: int
    setup_allowed: bool
    reinforce_allowed: bool
    may_be_vacated: bool
    realm: str | None = None
    harbour_zone: str | None = None
    mine: bool = False
    short_variant_tundra: bool = False


class Realm(Struct, frozen=True):
    """One of the six coloured realms, with its kingdom in the middle."""

    id: str
    kingdom: str
    name: str
    colour: str


class Zone(Struct, frozen=True):
    """A sea zone, the harbour territories on it, and the Wasteland whose village lies on it, if any."""

    id: str
    x: int
    y: int
    harbours: tuple[str, ...] = ()
    village: str | None = None


class Space(Struct, frozen=True):
    """A space of a Wasteland road: `kind` is village, quest, witches_den, shrine or dragon_lair."""

    id: str
    index: int
    kind: str
    x: int
    y: int
    prev: str | None = None
    next: str | None = None


class Entrance(Struct, frozen=True):
    """A way into a Wasteland: from a territory by bridge or pass, or from a sea zone by ship."""

    via: str
    first_space: str
    territory: str = ""
    sea_zone: str = ""


class Wasteland(Struct, frozen=True):
    """A road of spaces, from the village to the dragon lair."""

    id: str
    name: str
    entrances: tuple[Entrance, ...]
    spaces: tuple[Space, ...]


class _Edge(Struct, frozen=True):
    a: str
    b: str


class _Board(Struct, frozen=True):
    realms: tuple[Realm, ...]
    territories: tuple[Territory, ...]
    edges: tuple[_Edge, ...]
    teleportal_links: tuple[tuple[str, str], ...]
    sea_zones: tuple[Zone, ...]
    sea_edges: tuple[tuple[str, str], ...]
    wastelands: tuple[Wasteland, ...]


def _neighbours(names: Any, pairs: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairs:
        found[a].append(b)
        found[b].append(a)
    return {name: tuple(sorted(others)) for name, others in found.items()}


_board = json.decode(files(__package__).joinpath("data", "board.json").read_bytes(), type=_Board)

TERRITORIES: Final[Mapping[str, Territory]] = {territory.id: territory for territory in _board.territories}
"""All 55 territories by id."""
TUNDRA: Final = frozenset(name for name, territory in TERRITORIES.items() if territory.short_variant_tundra)
"""The territories that nobody enters in the short game: those on the right side of the board (QD-23.2, QD-H22)."""
REALMS: Final[Mapping[str, Realm]] = {realm.id: realm for realm in _board.realms}
"""The six realms by id."""
KINGDOMS: Final[tuple[str, ...]] = tuple(realm.kingdom for realm in _board.realms)
"""The six kingdoms."""
NEIGHBOURS: Final[Mapping[str, tuple[str, ...]]] = _neighbours(
    TERRITORIES, ((edge.a, edge.b) for edge in _board.edges)
)
"""The territories that land units may step to from each (QD-2.9); teleportals are not among them."""
TELEPORTALS: Final[Mapping[str, tuple[str, ...]]] = _neighbours(
    (territory.id for territory in _board.territories if territory.kind == "teleportal"),
    _board.teleportal_links,
)
"""The other teleportals of each teleportal territory (QD-2.6)."""
ZONES: Final[Mapping[str, Zone]] = {zone.id: zone for zone in _board.sea_zones}
"""The 22 sea zones by id."""
SEA: Final[Mapping[str, tuple[str, ...]]] = _neighbours(ZONES, _board.sea_edges)
"""The zones that ships may sail to from each (QD-2.7)."""
HARBOURS: Final[Mapping[str, str]] = {
    territory.id: territory.harbour_zone for territory in TERRITORIES.values() if territory.harbour_zone
} | {zone.id: zone.id for zone in ZONES.values() if zone.village}
"""Where empty ships lie, and on which sea zone: the territories with an anchor, and the zones of the villages (QD-2.7)."""
WASTELANDS: Final[Mapping[str, Wasteland]] = {road.id: road for road in _board.wastelands}
"""The two Wastelands by id."""
SPACES: Final[Mapping[str, Space]] = {space.id: space for road in _board.wastelands for space in road.spaces}
"""The spaces of both roads by id (QD-6)."""
ROADS: Final[Mapping[str, str]] = {space.id: road.id for road in _board.wastelands for space in road.spaces}
"""The Wasteland that each space lies in."""
PEOPLES: Final = ("orc", "elf", "dwarf", "barbarian")
"""The four peoples. In a shrine, where several parties stand, each has a part of its own (QD-6.8, QD-H35)."""
SPACE_OF: Final[Mapping[str, str]] = {
    place: space.id
    for space in SPACES.values()
    for place in ([f"{space.id}.{people}" for people in PEOPLES] if space.kind == "shrine" else [space.id])
}
"""The space of each place where a party can stand: a space itself, or the part of a shrine, `WT06.orc`."""


PLACES: Final[frozenset[str]] = frozenset((*TERRITORIES, *ZONES, *SPACE_OF))
"""The ids of all territories, sea zones, and places of the Wastelands where a party can stand."""


CALLED: Final[Mapping[str, str]] = {
    **{territory.name: territory.id for territory in TERRITORIES.values()},
    **{
        f"{people} {space.id}": f"{space.id}.{people}"
        for space in SPACES.values()
        for people in PEOPLES
        if space.kind == "shrine"
    },
}
"""What people call the places: `Fernhollow` is `OR_n`; a shrine is the part of it that is the people's own."""


def is_place(name: str) -> bool:
    """Return whether a name is a territory, a sea zone, or where a party can stand in the Wastelands."""
    return name in PLACES
