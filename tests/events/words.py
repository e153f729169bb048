"""A small language of commands and facts, for what the codec, seals and upcasters are asked."""

from typing import Any

from events.codec import Codec
from events.entry import Entry
from events.event import CommandData, Count, FactData, Int, Seat
from events.upcasting import Upcasts


class Attack(CommandData):
    place: str
    units: Count = 1


class Hide(CommandData):
    chip: str


class Lost(FactData, tag="Lost.v3"):
    """Older: `Lost` had no seat, `Lost.v2` told several kinds in one."""

    seat: Seat
    kind: str
    count: Count = 0


class Scored(FactData):
    points: dict[str, Int]


class Noted(FactData):
    text: str
    marks: tuple[Int | str, ...] = ()


Said = Entry[Any, Any]


def from_first(raw: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**raw, "Fact": "Lost.v2", "seat": "orc"}]


def from_second(raw: dict[str, Any]) -> list[dict[str, Any]]:
    common = {"Fact": "Lost.v3", "seat": raw["seat"]}
    return [{**common, "kind": kind, "count": count} for kind, count in raw["losses"].items()]


def forgotten(raw: dict[str, Any]) -> list[dict[str, Any]]:
    return []


CODEC: Codec[Any, Any] = Codec(
    Attack | Hide,
    Lost | Scored | Noted,
    Upcasts(
        {
            "Lost": (("Lost.v2",), from_first),
            "Lost.v2": (("Lost.v3",), from_second),
            "Rumoured": ((), forgotten),
        },
        ["Lost.v3", "Scored", "Noted", "Sealed"],
        "Fact",
    ),
    Upcasts(
        {"Assault": (("Attack",), lambda raw: [{"Do": "Attack", "place": raw["where"]}])},
        ["Attack", "Hide", "Sealed"],
        "Do",
    ),
)


def said(*facts: Any, command: Any = None, **fields: Any) -> Said:
    """Return an entry that says these facts."""
    given = {"id": 1, "parent": 0, "at": "2026-03-01T12:00:00Z", "seat": "orc", **fields}
    return Entry(command=command or Attack("bridge", 3), facts=tuple(facts), **given)
