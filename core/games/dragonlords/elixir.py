"""The Elixir (QD-8.4): one unit of a party drinks it and takes all hits of its party for one round of a fight."""

from collections.abc import Iterator

from msgspec import structs

from core.asking import Offer, Question
from core.rules import Fact
from core.telling import Moment, Tale
from events.counting import plural
from events.event import Count, Seat

from .in_battle import InBattle
from .items import carried, only_in_the_wastelands, spend_item
from .phases import Pass
from .state import Place, War, shade
from .strength import battle_of

__all__ = [
    "COMMANDS",
    "FACTS",
    "Drink",
    "ElixirDrunk",
    "HitsSpared",
    "asks_to_drink",
    "offers_to_drink",
    "spare",
]


class ElixirDrunk(Fact[War]):
    """A unit of a party drank an Elixir: it takes all hits of its party this round (QD-8.4)."""

    seat: Seat
    place: Place

    def onto(self, state: War) -> War:
        battle = battle_of(state)
        used = (*battle.used, _mark(self.seat))
        return structs.replace(state, battle=structs.replace(battle, used=used))


def _mark(seat: Seat) -> str:
    """Return how `Battle.used` keeps that a party has drunk this round."""
    return f"{seat}:elixir"


class HitsSpared(Fact[War]):
    """Who drank the Elixir took the hits: only so many are `left` to pay with losses (QD-8.4, QD-X84)."""

    seat: Seat
    place: Place
    left: Count = 0

    def onto(self, state: War) -> War:
        stack = shade(self.seat, self.place)
        struck = {name: hits for name, hits in state.struck.items() if name != stack}
        return structs.replace(state, struck={**struck, stack: self.left} if self.left else struck)


class Drink(InBattle):
    """Let a unit of the party drink an Elixir: it takes all hits of this round (QD-8.4)."""

    WHEN = ("QD-8.4",)
    WHEN_IN = only_in_the_wastelands(*WHEN)

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that the Elixir is spent and works this round."""
        place = battle_of(tale.state).place
        spend_item(tale, seat, place, "elixir", ("QD-8.4",))
        tale.tell(ElixirDrunk(seat, place, because=("QD-8.4", "QD-X84", "QD-H15")))
        tale.reopen()


def asks_to_drink(now: Moment[War], seat: Seat, *, late: bool) -> Question | None:
    """Return whether a party of the battle is asked to drink: before the enemy rolls, or after he has hit (QD-H15)."""
    war = now.state
    place = battle_of(war).place
    struck = war.struck.get(shade(seat, place), 0)
    if (now.answer("QD-H15") == "after_the_roll") != late or (late and not struck) or now.is_out(seat):
        return None
    if _mark(seat) in battle_of(war).used or "elixir" not in carried(war, seat, place):
        return None
    when = f"against {plural(struck, 'hit')}" if late else "before the enemy rolls"
    prompt = f"drink an Elixir {when}, or pass"
    return Question("drink", (seat,), (Drink, Pass), ("QD-8.4", "QD-H15"), prompt)


def offers_to_drink() -> Iterator[Offer]:
    """Yield the offers to drink, and not to."""
    yield Offer(Drink)
    yield Offer(Pass)


def spare(tale: Tale[War], seat: Seat) -> None:
    """Tell that who drank takes the hits that his party has, and is not lost; or is the only one who is (QD-X84)."""
    war = tale.state
    battle = battle_of(war)
    if _mark(seat) in battle.used and war.struck.get(shade(seat, battle.place)):
        left = int(tale.answer("QD-X84") == "only_drinker_lost")
        tale.tell(HitsSpared(seat, battle.place, left, because=("QD-8.4", "QD-X84")))


COMMANDS = (Drink,)
FACTS = (ElixirDrunk, HitsSpared)
