"""What is hidden shows on no surface: commands with --as, pictures, exports, questions to the log, and the service."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.games.dragonlords import surfaces
from tests.games.dragonlords.hidden import WORLDS, World, world
from tests.games.dragonlords.leaks import DEFENDERS, Planted
from tests.games.dragonlords.surface_leaks import SURFACE_LEAKS
from tests.games.dragonlords.surfaces import kept
from tests.games.dragonlords.twins import Leak, Reader, begin, play_on

Surface = Callable[[Path, Reader], Iterator[tuple[str, bytes]]]
SURFACES = (surfaces.shown_by_commands, surfaces.shown_by_questions, surfaces.shown_by_http)
QUICK = (DEFENDERS,)
"""The worlds that are looked at in every run, by one seat and a spectator; full stress looks at all, by everybody."""


def compare(hidden: World, tmp_path: Path, surface: Surface, *, readers: int) -> int:
    """Keep both games of a world, and compare what is shown of them to so many; return how many things were compared."""
    pair = begin(hidden)
    play_on(pair, 1, 2)
    if not pair.watching:  # what was played on has revealed it to all: what is shown before that counts
        pair = begin(hidden)
    folders = [kept(session, tmp_path / name) for session, name in zip(pair.both, "ab", strict=True)]
    compared = 0
    for reader in dict.fromkeys((*pair.watching[: readers - 1], *pair.watching[-1:])):
        shown = [list(surface(folder, reader)) for folder in folders]
        for one, other in zip(*shown, strict=True):
            compared += 1
            if one != other:
                who = reader or "a spectator"
                raise Leak(f"{hidden.name}: {who} can tell by {one[0]}: {one[1]!r} or {other[1]!r}")
    return compared


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.__name__)
def test_what_is_hidden_shows_on_no_surface(
    surface: Surface, tmp_path: Path, rounds: Callable[[int], int]
) -> None:
    """A seat and a spectator get the same bytes of both games, error texts, headers and sizes included (QD-H42, LS-2.4)."""
    full = rounds(10) == 10
    for n, hidden in enumerate(WORLDS if full else [world(name) for name in QUICK]):
        compared = compare(hidden, tmp_path / str(n), surface, readers=5 if full else 2)
        assert compared > 10


@pytest.mark.parametrize("planted", SURFACE_LEAKS, ids=lambda planted: planted.name)
def test_a_leak_on_a_surface_is_seen(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each surface is looked at: where one shows more than it may, the comparison fails."""
    planted.plant(monkeypatch)
    with pytest.raises(Leak):
        compare(world(planted.world), tmp_path / "w", getattr(surfaces, planted.surface), readers=2)
