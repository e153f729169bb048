"""The laws that every game keeps, over seas at random: positions full of ships, chips and DragonLords (QD-5, QD-11, QD-13)."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.soundness import sound
from core.games.dragonlords.state import MOST_SHIPS
from tests.driver import Table, given
from tests.games.dragonlords.battlefield import swapped
from tests.games.dragonlords.lawful import LAWS, assert_log_cites
from tests.games.dragonlords.voyages import random_sea, voyage
from tests.laws import test_deciding, test_secrets

SEAS = 40
"""How many seas a full run sails."""


@cache
def seas(count: int) -> tuple[Table, ...]:
    """Return seas at random; the same ones to every law, so no law may go on with them."""
    return tuple(voyage(seed) for seed in range(count))


@pytest.mark.parametrize("law", (*LAWS, test_deciding.law_out, test_secrets.law_view_decides))
def test_what_is_played_at_sea_keeps_the_laws_of_every_game(
    law: Callable[[Table], object], rounds: Callable[[int], int]
) -> None:
    """Offered is accepted and all else refused, folding changes nothing, views suffice (QD-5, QD-H42)."""
    for table in seas(rounds(SEAS)):
        law(table)


def test_facts_at_sea_cite_sections_that_exist(rounds: Callable[[int], int]) -> None:
    """Every fact says which rule made it so, and the rule is in the book."""
    for table in seas(rounds(SEAS)):
        assert_log_cites(table)


def test_ships_are_conserved(rounds: Callable[[int], int]) -> None:
    """QD-1.3, QD-H44: those afloat, docked, bought and sunk are those that were, and never more than eight float."""
    for table in seas(rounds(SEAS)):
        ever = None
        for moment in table.moments[1:]:
            war = moment.state
            assert list(sound(war)) == []
            afloat = sum(war.fleets.values()) + sum(war.raiders.values()) + sum(war.docked.values())
            waiting = sum(count for name, count in war.bought.items() if name.endswith(".ship"))
            assert afloat + waiting <= MOST_SHIPS
            if ever is None:
                ever = afloat
            assert afloat + waiting + war.sunk >= ever, f"a ship vanished before entry {moment.entry}"


def test_zones_have_one_owner_when_phase_four_is_over(rounds: Callable[[int], int]) -> None:
    """QD-11.1: whoever meets at sea has fought."""
    for table in seas(rounds(SEAS)):
        for moment in table.moments[1:]:
            if moment.state.phase in ("transfer", "income", "reinforce", "buy"):
                assert not moment.state.columns
                assert not moment.state.raiders


def test_hidden_chips_at_sea_make_no_difference_to_who_may_not_see_them(rounds: Callable[[int], int]) -> None:
    """QD-H42: two chips change places face down; nobody but their owner can tell, until one of them is turned up."""
    compared = 0
    for seed in range(rounds(SEAS)):
        position = random_sea(seed)
        other, owner, about = swapped(position, seed)
        if owner:
            first, second = given(RULES, *position), given(RULES, *other)
            test_secrets._compare(first, second, {owner}, about, Random(seed).randrange)
            compared += 1
    assert compared


def test_who_goes_along_at_sea_makes_no_difference_to_others(
    rounds: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """QD-H42: which chips go aboard, sail and land is for their owner to know."""
    monkeypatch.setattr(test_secrets, "play", lambda _, seed, entries, **__: voyage(seed, entries % 12))
    assert sum(test_secrets.twins("dragonlords", seed) for seed in range(rounds(2 * SEAS)))
