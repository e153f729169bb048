"""The lawful commands nearest to one that was refused: found among the offers, by closeness of fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from msgspec import structs

from core.asking import Between, Dice, Offer, OneOf, Part, Path, Pick
from core.deciding import Refused, asks, decide
from core.seats import is_player
from core.telling import Moment
from events.event import CommandData, Seat

__all__ = ["beside", "nearest"]

MOST_OFFERS = 2_000
"""More offers than any question puts to a seat; past it the rest is not compared."""
MOST_BESIDE = 32
"""So many other values of a field are tried."""


def nearest(
    now: Moment[Any], seat: Seat, command: CommandData, most: int = 3
) -> list[tuple[Seat, CommandData]]:
    """Return up to `most` lawful commands, the nearest first: of the seat, or of those who are asked when it is not."""
    found = list(_candidates(now, (seat,), command))
    if not found and now.question is not None:
        others = tuple(name for name in now.question.seats if is_player(name))
        found = list(_candidates(now, others, command))
    found.sort(key=lambda one: one[0])
    if any(type(one[2]) is type(command) for one in found):
        found = [one for one in found if type(one[2]) is type(command)]
    lawful: list[tuple[Seat, CommandData]] = []
    for _, who, candidate in found:
        if len(lawful) == most:
            break
        if (who, candidate) not in lawful and not isinstance(decide(now, who, candidate), Refused):  # type: ignore[arg-type]
            lawful.append((who, candidate))
    return lawful


def _candidates(
    now: Moment[Any], seats: Iterable[Seat], command: CommandData
) -> Iterator[tuple[float, Seat, CommandData]]:
    for seat in seats:
        offers = (offer for ask in asks(now, seat) for offer in ask.offers)
        for offer in islice(offers, MOST_OFFERS):
            distance, candidate = _closest(offer, command)
            if offer.allows(candidate):
                yield distance, seat, candidate


def beside(now: Moment[Any], seat: Seat, command: Any) -> Iterator[Any]:
    """Yield what is said by other numbers or names in one place of a command, as far as an offer has them."""
    offers = [offer for ask in asks(now, seat) for offer in ask.offers if offer.command is type(command)]
    for offer in offers:
        for name, held in offer.fields.items():
            values: Sequence[Any] = ()
            if isinstance(held, OneOf):
                values = held.values
            elif isinstance(held, Between):
                values = range(held.high, held.low - 1, -1)
            elif isinstance(held, Pick) and held.low == held.high > 0:
                values = [{kind: held.low} for kind, most in held.pool.items() if most >= held.low]
            for value in values[:MOST_BESIDE]:
                other = structs.replace(command, **{name: value})
                if other != command and offer.allows(other):
                    yield other


def _closest(offer: Offer, command: CommandData) -> tuple[float, CommandData]:
    """Return the command of an offer that is nearest to a command, and how far apart they are."""
    same = type(command) is offer.command
    wanted: Mapping[str, Any] = {name: getattr(command, name) for name in command.__struct_fields__}
    distance = 0.0 if same else 10.0 + _unlike(offer.command.__name__, type(command).__name__)
    values: dict[str, Any] = {}
    for name, held in offer.fields.items():
        values[name] = _within(held, wanted.get(name))
        distance += _apart(values[name], wanted[name]) if name in wanted else 1.0
    candidate = offer.command(**values)
    for name in candidate.__struct_fields__:
        if same and name not in offer.fields:
            distance += _apart(getattr(candidate, name), wanted[name])
    return distance, candidate


def _within(held: Any, wanted: Any) -> Any:
    """Return the value that a bound allows and that is nearest to what was wanted."""
    if isinstance(held, OneOf | Between | Pick | Part | Dice | Path):
        if held.allows(wanted):
            return wanted
        return _bounded(held, wanted)
    return held


def _bounded(held: OneOf | Between | Pick | Part | Dice | Path, wanted: Any) -> Any:
    if isinstance(held, OneOf):
        return min(held.values, key=lambda value: _apart(value, wanted))
    if isinstance(held, Between):
        return max(held.low, min(held.high, wanted)) if type(wanted) is int else held.low
    if isinstance(held, Pick):
        return _picked(held, wanted if isinstance(wanted, dict) else {})
    if isinstance(held, Part):
        kept = [
            name for name in dict.fromkeys(wanted if isinstance(wanted, tuple) else ()) if name in held.of
        ]
        kept += [name for name in held.of if name not in kept][: max(0, held.low - len(kept))]
        return tuple(kept[: held.high])
    return held.sample(lambda _: 0)


def _picked(held: Pick, wanted: Mapping[str, int]) -> dict[str, int]:
    """Return a choice that takes what was wanted as far as the pool and the number allow."""
    taken = {kind: min(count, held.pool.get(kind, 0)) for kind, count in wanted.items() if count > 0}
    for kind, count in held.pool.items():
        short = held.low - sum(taken.values())
        taken[kind] = taken.get(kind, 0) + max(0, min(short, count - taken.get(kind, 0)))
    for kind in reversed(list(taken)):
        taken[kind] -= max(0, min(taken[kind], sum(taken.values()) - held.high))
    return {kind: count for kind, count in taken.items() if count}


def _apart(one: Any, other: Any) -> float:
    """Return how far two values are apart: 0 for equal ones, 1 for quite different ones, more for far numbers."""
    if one == other:
        return 0.0
    if type(one) is int and type(other) is int:
        return 0.1 + 0.9 * min(1.0, abs(one - other) / 10)
    if isinstance(one, str) and isinstance(other, str):
        return _unlike(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        kinds = one.keys() | other.keys()
        return float(min(1.0, sum(abs(one.get(kind, 0) - other.get(kind, 0)) for kind in kinds) / 10 + 0.1))
    if isinstance(one, tuple) and isinstance(other, tuple):
        alike = float(SequenceMatcher(None, list(map(str, one)), list(map(str, other))).ratio())
        return 1.0 - alike
    return 1.0


def _unlike(one: str, other: str) -> float:
    likeness = float(SequenceMatcher(None, one.lower(), other.lower()).ratio())
    return 1.0 - 0.9 * likeness
