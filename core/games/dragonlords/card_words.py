"""What quest cards and monsters say, in words: for who reads a card out, and for who looks one up (QD-6.10, QD-9.2)."""

from collections.abc import Iterator
from typing import Final

from events.counting import plural

from .monsters import MONSTERS, Monster
from .quest_deck import (
    CARDS,
    AddUnits,
    AnyOp,
    CharmDragon,
    Choice,
    Crystal,
    Gain,
    Having,
    LoseUnits,
    Meeting,
    Option,
    PayGold,
    PerUnitRoll,
    RollOnTable,
)

__all__ = ["columns_of_cards", "monsters"]

ARTICLES: Final = {"elixir": "an elixir"}
STRIKES: Final = {
    "kill": "lost; it still strikes this round",
    "dragonfire": "lost at once",
    "poison": "poisoned: it strikes no more, and is lost after the fight unless cured",
    "web_poison": "caught and poisoned: it strikes no more, and is lost after the fight unless cured",
}
"""What becomes of a unit that a monster hits (QD-9.3)."""


def columns_of_cards() -> Iterator[tuple[str, ...]]:
    """Yield for each column of each quest card its id, name, result of the crystal die, what is read out, and what follows."""
    for card in CARDS.values():
        name = f"{card.name} (needs a torch)" if card.requires_torch else card.name
        for fate, outcome in card.outcomes.items():
            yield card.id, name, fate, outcome.text, _follows(outcome.steps, outcome.reward)


def monsters() -> Iterator[tuple[str, ...]]:
    """Yield for each monster its name, attack, defence, dice a round, hits that beat it, whom it hits, and what keeps it off."""
    for monster in MONSTERS.values():
        yield (
            monster.name,
            f"D6, {monster.attack} or less",
            f"D{monster.defence}, T.A.S. or less",
            str(monster.attacks_per_round),
            str(monster.hits_to_defeat),
            STRIKES[monster.on_hit],
            _kept_off(monster),
        )


def _kept_off(monster: Monster) -> str:
    if monster.bypass_item is not None:
        return _one(monster.bypass_item)
    return "a dragonorb may charm it" if monster.is_dragon else ""


def _follows(steps: tuple[AnyOp, ...], reward: tuple[AnyOp, ...]) -> str:
    """Return what happens, and behind `then` what stands below the line of a card."""
    parts = [_list(steps)] if steps else []
    if reward:
        parts.append(f"then {_list(reward)}" if steps else _list(reward))
    return "; ".join(parts) or "nothing"


def _list(ops: tuple[AnyOp, ...]) -> str:
    return ", ".join(map(_words, ops)) or "nothing"


def _words(op: AnyOp) -> str:
    """Return a step as a phrase."""
    match op:
        case Gain(what="gold", n=n):
            return f"{n} gold"
        case Gain(what="wizard", spells=spells):
            return f"a wizard with {plural(spells, 'spell')}"
        case Gain(what=what, n=n):
            return _one(what) if n == 1 else plural(n, what)
        case Meeting(name=name):
            return f"the {name} attacks"
        case PayGold(n=n):
            return f"pay {n} gold"
        case AddUnits(n=n):
            return plural(n, "unit joins", "units join")
        case LoseUnits(n=n):
            return f"{plural(n, 'unit')} lost"
        case CharmDragon():
            return "crystal die: blessed a DragonLord for the orb, ignored roll again, cursed nothing"
        case PerUnitRoll():
            return _rolled_for_each(op)
        case Crystal():
            lists = {"blessed": op.blessed, "ignored": op.ignored, "cursed": op.cursed}
            return "crystal die: " + "; ".join(f"{fate} {_list(ops)}" for fate, ops in lists.items())
        case RollOnTable(die=die, table=table):
            return f"D{die}: " + "; ".join(f"{span} {_list(ops)}" for span, ops in table.items())
        case Choice(options=options):
            return " or ".join(map(_option, options))
        case Having(item=item, then=then, otherwise=otherwise):
            return f"with {_one(item)} {_list(then)}, without {_list(otherwise)}"
        case _:
            raise TypeError(f"nobody has words for {op!r}")


def _rolled_for_each(op: PerUnitRoll) -> str:
    said = f"a D{op.die} for each unit, {_faces(op.lose_on)} loses it"
    if op.alternative is not None:
        said += f" (with {_one(op.alternative.has)} {_faces(op.alternative.lose_on)})"
    if op.condition is not None:
        said = f"with {' or '.join(map(_one, op.condition.has_any))} {said}"
    return said


def _option(option: Option) -> str:
    return f"{option.label}: {_follows(option.steps, option.reward)}"


def _faces(faces: tuple[int, ...]) -> str:
    return str(faces[0]) if len(faces) == 1 else f"{faces[0]} to {faces[-1]}"


def _one(thing: str) -> str:
    return ARTICLES.get(thing, f"a {'DragonLord' if thing == 'dragonlord' else thing}")
