"""The laws that every game keeps, over quests: positions full of parties, items, wizards, treasures and monsters."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from core.games.dragonlords import RULES
from tests.driver import Table, given
from tests.games.dragonlords.battlefield import swapped
from tests.games.dragonlords.expeditions import random_quests, venture
from tests.games.dragonlords.lawful import LAWS, assert_log_cites
from tests.laws import test_secrets

QUESTS = 200
"""How many ventures a full run goes on."""


@cache
def quests(count: int) -> tuple[Table, ...]:
    """Return ventures at random; the same ones to every law, so no law may go on with them."""
    return tuple(venture(seed, 20) for seed in range(count))


@pytest.mark.parametrize("law", LAWS)
def test_quests_keep_the_laws_of_every_game(
    law: Callable[[Table], object], rounds: Callable[[int], int]
) -> None:
    """Offered is accepted and all else refused, folding changes nothing, views suffice (QD-6, QD-9, QD-H42)."""
    for table in quests(rounds(QUESTS)):
        law(table)


def test_quests_cite_sections_that_exist(rounds: Callable[[int], int]) -> None:
    """Every fact of a quest says which rule made it so, and the rule is in the book."""
    for table in quests(rounds(QUESTS)):
        assert_log_cites(table)


def test_hidden_chips_make_no_difference_to_who_may_not_see_them(rounds: Callable[[int], int]) -> None:
    """QD-H42: two chips change places face down; nobody but their owner can tell, until one of them is turned up."""
    compared = 0
    for seed in range(rounds(2 * QUESTS)):
        # Kings stay out of it: none may change places with who is in the Wastelands.
        position = [fact for fact in random_quests(seed) if not getattr(fact, "chip", "").endswith(".king")]
        other, owner, about = swapped(position, seed)
        if owner:
            first, second = given(RULES, *position), given(RULES, *other)
            test_secrets._compare(first, second, {owner}, about, Random(seed).randrange)
            compared += 1
    assert compared


def test_what_is_chosen_in_secret_makes_no_difference_to_others(
    rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """QD-H42: which chips go along with a party, and which treasure was picked, is for their owner to know."""
    monkeypatch.setattr(test_secrets, "play", lambda _, seed, entries, **__: venture(seed, entries % 12))
    assert any(test_secrets.twins("dragonlords", seed) for seed in range(rounds(2 * QUESTS)))
