"""The picture of the board keeps secrets: whoever may not know what twin games differ in gets the same picture of both."""

import pytest

from replay.history import History
from replay.picture import picture
from tests.games.dragonlords.hidden import WORLDS, World
from tests.games.dragonlords.twins import Pair, begin, masked, play_on

NAMES = [world.name for world in WORLDS]


def told_apart(pair: Pair, *, most: int) -> list[str]:
    """Return who can tell the games apart by a picture of one of the last moments, and by which."""
    found = []
    last = pair.first.head.id
    for reader in pair.watching:
        for at in range(max(0, last - most), last + 1):
            one, other = (masked(picture(session.history, at, reader).encode()) for session in pair.both)
            if one != other:
                found.append(f"{reader or 'a spectator'}, entry {at}")
    return found


@pytest.mark.parametrize("world", WORLDS, ids=NAMES)
def test_twin_games_look_alike_to_whoever_may_not_know(world: World) -> None:
    """Chips, hands, sealed moves: nothing of them is in a picture made for others, to the byte (QD-H42, LS-2.4)."""
    pair = begin(world)
    play_on(pair, 1, 2)
    assert told_apart(pair, most=4) == []


def test_a_picture_that_shows_what_is_hidden_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were pictures drawn from the whole state, the games would be told apart."""
    pair = begin(WORLDS[0])
    assert pair.watching
    assert told_apart(pair, most=1) == []
    view = History.view
    monkeypatch.setattr(History, "view", lambda history, _seat, at=None: view(history, "arbiter", at))
    assert told_apart(pair, most=1) != []


def test_a_picture_that_marks_what_moved_in_secret_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were entries read open, the marks of the last move would tell where hidden chips went."""
    pairs = (begin(world) for world in WORLDS)

    def shows_it(pair: Pair) -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(History, "entry_for", lambda history, _seat, at: history.entries[at - 1])
            return told_apart(pair, most=20) != []

    assert any(map(shows_it, pairs))
