"""What a text says would work is accepted where it is said."""

import re

import pytest

from core.deciding import Decision, asks, decide
from core.games.dragonlords import RULES
from core.seats import is_player
from replay.cli.shorter import spelled_out
from replay.cli.trouble import Trouble
from replay.words.grammar import parse_command
from tests.driver import play, seats_of

ADVICE = re.compile(r"`(end [^`]+)` would end it")


def test_the_end_of_a_phase_that_is_advised_is_accepted() -> None:
    """Whoever ends a phase that is not open is told how to end the one that is, only where that would be lawful (QD-4.1)."""
    advised = refused = 0
    for now in (now for seed in range(2) for now in play(RULES, seed, 300).moments[1:]):
        if now.state.ended is not None:
            continue
        for seat in filter(is_player, seats_of(now)):
            open_to = tuple(asks(now, seat))
            with pytest.raises(Trouble) as told:
                spelled_out(now, seat, open_to, "end nonsense")
            found = ADVICE.search(str(told.value))
            if found is None:
                refused += 1
                assert "nothing ends now" in str(told.value)
                continue
            advised += 1
            command = parse_command(RULES, spelled_out(now, seat, open_to, found[1]), seat)
            assert isinstance(decide(now, seat, command), Decision), f"{seat} is advised {found[1]}"
    assert advised
    assert refused
