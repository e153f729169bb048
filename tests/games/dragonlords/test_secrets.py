"""Secrets whole: games that differ in what is hidden look alike to everybody else until it is revealed to him.

The law runs over worlds that begin where something hidden matters, and over whole games from the first crystal die.
That it can fail is shown by planting leaks: each is seen in its world.
"""

from collections.abc import Callable
from random import Random

import pytest

from core.games.dragonlords import RULES
from core.games.dragonlords.hiding import KINDS, HideChip, room
from core.games.dragonlords.holdings import own_places
from replay.session import Session
from tests.driver import choices
from tests.games.dragonlords.hidden import WORLDS, World, world
from tests.games.dragonlords.leaks import HIDDEN, LEAKS, Planted
from tests.games.dragonlords.twins import Leak, Pair, begin, look, play_on, submit
from tests.replay.engine import Memory

SEEDS = 30
"""How many ways each world is played in a full run."""
WHOLE = 20
"""How many whole games a full run plays."""


@pytest.mark.parametrize("hidden", WORLDS, ids=lambda hidden: hidden.name)
def test_what_is_hidden_makes_no_difference_to_others_until_it_is_revealed(
    hidden: World, rounds: Callable[[int], int]
) -> None:
    """Lines, states, asks, offers, refusals, take-backs and bots are the same in both games (QD-H42, QD-16.1, QD-7.1)."""
    assert _played(hidden, rounds(SEEDS)), "nobody could go on"


@pytest.mark.parametrize("planted", LEAKS, ids=lambda planted: planted.name)
def test_a_leak_that_is_planted_is_seen(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place where what is hidden could colour what others are shown is looked at: a slip there fails the law."""
    HIDDEN.clear()
    planted.plant(monkeypatch)
    with pytest.raises(Leak):
        _played(world(planted.world), 3)


def _played(hidden: World, seeds: int) -> int:
    """Play a world in so many ways; return for how many entries in all somebody was left who may not know."""
    played = 0
    for seed in range(seeds):
        pair = begin(hidden)
        assert pair.watching, "somebody may not know the secret when play goes on"
        played += play_on(pair, seed, hidden.entries)
    return played


def test_every_world_has_its_secret() -> None:
    """Both games of a world differ in what their owners know, in nothing that everybody sees, and have a leak to find."""
    assert len({each.name for each in WORLDS}) == len(WORLDS)
    for each in WORLDS:
        pair = begin(each)
        for owner in each.owners:
            assert pair.first.view(owner).state != pair.second.view(owner).state, f"{each.name}: {owner}"


@pytest.mark.parametrize("seats", (("orc", "elf", "dwarf"), ("barbarian", "orc", "elf", "dwarf")))
def test_where_chips_are_hidden_at_the_setup_makes_no_difference_over_a_whole_game(
    seats: tuple[str, ...], rounds: Callable[[int], int]
) -> None:
    """From the first crystal die on (QD-3.5): the king, the wizard and the decoy of a seat lie otherwise in the second game."""
    for seed in range(rounds(WHOLE)):
        pair = _set_up(seats, seed)
        owner = seats[seed % len(seats)]
        _hide(pair, owner)
        play_on(pair, seed, 150)


def _set_up(seats: tuple[str, ...], seed: int) -> Pair:
    """Return twin games played alike at random up to the hiding of the chips."""
    first, second = (
        Session.create(Memory(), RULES, game="twins", seats=seats, clock=lambda: "2026-01-01T00:00:00.000Z")
        for _ in range(2)
    )
    owner, choose = seats[seed % len(seats)], Random(seed).randrange
    held = World("chips hidden at the setup", seats, (), owners=frozenset({owner}), about=frozenset({owner}))
    pair = Pair(held, first, second, [*(seat for seat in seats if seat != owner), None])
    while (asked := pair.first.now.question) is not None and asked.kind != "hide":
        choice = choices(pair.first.now, choose)
        assert choice is not None
        submit(pair, choice.seat, choice.command, choice.command)
    return pair


def _hide(pair: Pair, owner: str) -> None:
    """Let the owner hide each of its chips in another place in the second game: each in that of the next."""
    war = pair.first.now.state
    places = [place for place in own_places(war, owner) if room(war, owner, place)]
    lies = [places[n % len(places)] for n in range(len(KINDS))]
    assert len(set(lies)) > 1
    for n, kind in enumerate(KINDS):
        submit(pair, owner, HideChip(kind, lies[n]), HideChip(kind, lies[(n + 1) % len(lies)]))
    look(pair)
