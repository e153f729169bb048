"""What the sensible bot is asked: its scene, its offers by the names of their commands, and commands made of them."""

from collections.abc import Iterator
from typing import Any, Final

from core.asking import Ask, Between, Chooser, Offer, OneOf, Part, Path, Pick
from core.telling import Moment

from .bot_map import Scene
from .state import War
from .variants import kingdoms_to_win

__all__ = ["Asked", "filled", "least", "values_of"]

_NOTHING: Final = ("EndPhase", "Pass", "Continue", "Stay")
_BOUNDS: Final = (OneOf, Between, Pick, Part, Path)


class Asked:
    """What the bot looks at: its scene, and the offers by the names of their commands."""

    def __init__(self, view: Moment[War], ask: Ask, pick: Chooser) -> None:
        self.view, self.war, self.ask, self.pick, self.seat = view, view.state, ask, pick, ask.seat
        self.scene = Scene(view.state, ask.seat, kingdoms_to_win(view))

    def of(self, *names: str) -> Iterator[Offer]:
        """Yield the offers of commands of these names."""
        return (offer for offer in self.ask.offers if offer.command.__name__ in names)

    def give(self, name: str, **wanted: Any) -> Any:
        """Return a command of this name with these fields, as far as some offer allows it; None when none does."""
        for offer in self.of(name):
            command = filled(offer, wanted)
            if command is not None:
                return command
        return None

    def end(self) -> Any:
        """Return the command that does nothing more."""
        return next((offer.command() for offer in self.of(*_NOTHING)), None)


def filled(offer: Offer, wanted: dict[str, Any]) -> Any:
    """Return the command of an offer with the wanted fields, the others as small as can be; None when it doesn't allow them."""
    fields: dict[str, Any] = {}
    for name, held in offer.fields.items():
        if name in wanted:
            if not (held.allows(wanted[name]) if isinstance(held, _BOUNDS) else held == wanted[name]):
                return None
            fields[name] = wanted[name]
        else:
            fields[name] = held.sample(least) if isinstance(held, _BOUNDS) else held
    return offer.command(**fields) if wanted.keys() <= fields.keys() else None


def least(_: int) -> int:
    """Pick the first of any number: what a bound samples by it is as small as can be."""
    return 0


def values_of(asked: Asked, name: str, field: str) -> tuple[Any, ...]:
    """Return what a field may hold in the offers of a command, each once."""
    found: dict[Any, None] = {}
    for offer in asked.of(name):
        held = offer.fields.get(field)
        found.update(dict.fromkeys(held.values if isinstance(held, OneOf) else (held,)))
    return tuple(found)
