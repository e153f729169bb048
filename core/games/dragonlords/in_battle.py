"""What is said in a battle: which rule says when, and what would have been right, depends on the kind of the battle."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

from core.refusal import Refusal
from core.rules import Command
from core.telling import Moment
from events.event import Seat, SectionRef

from .state import War

__all__ = ["InBattle", "by_kind"]

T = TypeVar("T")


def by_kind(**what: T) -> Mapping[str, T]:
    """Return what goes for the battles of each kind that is named."""
    return what


class InBattle(Command[War]):
    """A command of battles; the kinds of battle are those of `Battle.kind`."""

    WHEN_IN: ClassVar[Mapping[str, tuple[SectionRef, ...]]] = {}
    """The sections that say when it is given, by the kind of the battle at hand; in others, and in none, `WHEN` does."""

    INSTEAD: ClassVar[Mapping[str, str]] = {}
    """What would have been right, by the kinds of battle in which it is never given; `{name}` stands for a field."""

    def when(self, now: Moment[War]) -> tuple[SectionRef, ...]:
        """Return the sections for the battle at hand."""
        battle = now.state.battle
        return self.WHEN if battle is None else self.WHEN_IN.get(battle.kind, self.WHEN)

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it to both sides of a battle in which it is never given, and say what is."""
        battle = now.state.battle
        if (
            battle is None
            or battle.kind not in self.INSTEAD
            or seat not in (battle.attacker, battle.defender)
        ):
            return
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        yield Refusal("not_in_this_battle", self.when(now), self.INSTEAD[battle.kind].format(**given))
