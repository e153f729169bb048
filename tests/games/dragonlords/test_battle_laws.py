"""The laws that every game keeps, over battles on land: positions full of chips, spells, treasures and DragonLords."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.soundness import sound
from tests.driver import Table, given
from tests.games.dragonlords.battlefield import random_war, swapped, wage
from tests.games.dragonlords.lawful import LAWS, assert_log_cites
from tests.laws import test_secrets

WARS = 40
"""How many wars a full run wages."""


@cache
def wars(count: int) -> tuple[Table, ...]:
    """Return wars at random; the same ones to every law, so no law may go on with them."""
    return tuple(wage(seed) for seed in range(count))


@pytest.mark.parametrize("law", LAWS)
def test_battles_keep_the_laws_of_every_game(
    law: Callable[[Table], object], rounds: Callable[[int], int]
) -> None:
    """Offered is accepted and all else refused, folding changes nothing, views suffice (QD-10, QD-H42)."""
    for table in wars(rounds(WARS)):
        law(table)


def test_battles_cite_sections_that_exist(rounds: Callable[[int], int]) -> None:
    """Every fact of a battle says which rule made it so, and the rule is in the book."""
    for table in wars(rounds(WARS)):
        assert_log_cites(table)


def test_units_are_conserved_in_battle(rounds: Callable[[int], int]) -> None:
    """No unit is doubled and none vanishes: what was raised stands on the board or is lost (QD-10.8)."""
    for table in wars(rounds(WARS)):
        for moment in table.moments[1:]:
            assert list(sound(moment.state)) == []


def test_hidden_chips_make_no_difference_to_who_may_not_see_them(rounds: Callable[[int], int]) -> None:
    """QD-H42: two chips change places face down; nobody but their owner can tell, until one of them is turned up."""
    compared = 0
    for seed in range(rounds(3 * WARS)):
        position = random_war(seed)
        other, owner, about = swapped(position, seed)
        if owner:
            first, second = given(RULES, *position), given(RULES, *other)
            test_secrets._compare(first, second, {owner}, about, Random(seed).randrange)
            compared += 1
    assert compared


def test_what_is_chosen_in_secret_makes_no_difference_to_others(
    rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """QD-H42: which chips go along with an attack is for their owner to know."""
    monkeypatch.setattr(test_secrets, "play", lambda _, seed, entries, **__: wage(seed, entries % 30))
    assert any(test_secrets.twins("dragonlords", seed) for seed in range(rounds(3 * WARS)))
