"""`tokens`: seats of a game of the command line, handed out for the service."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.store import StoreError
from events.stores import open_store
from replay.tokens import Tokens, tokens_file
from tests.api.test_full_disk import SPOILT
from tests.full import full


@pytest.fixture
def game(shell: Any) -> str:
    """A game of red and blue in the store of the test."""
    assert shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "g").code == 0
    return "g"


def test_each_seat_and_the_arbiter_get_a_token_once(shell: Any, game: str, tmp_path: Path) -> None:
    """A token is shown once and stands for its seat; called again nothing is changed, and that is said."""
    told = shell("tokens", game, "--json").json["tokens"]
    assert set(told) == {"red", "blue", "arbiter"}
    held = Tokens(tokens_file(tmp_path / "store.db"), open_store(tmp_path / "store.db"))
    assert {held.seat(game, token) for token in told.values()} == set(told)
    again = shell("tokens", game)
    assert again.code == 1
    assert "--renew" in again.err
    assert held.seat(game, told["red"]) == "red"
    assert all(
        token not in path.read_bytes().decode("latin-1")
        for path in tmp_path.iterdir()
        if path.is_file()
        for token in told.values()
    )


def test_a_renewed_token_ends_the_old_one_and_no_other(shell: Any, game: str, tmp_path: Path) -> None:
    """`--seat red --renew` gives red another token; the others keep theirs."""
    old = shell("tokens", game, "--json").json["tokens"]
    new = shell("tokens", game, "--seat", "red", "--renew", "--json").json["tokens"]
    held = Tokens(tokens_file(tmp_path / "store.db"), open_store(tmp_path / "store.db"))
    assert [held.seat(game, token) for token in (old["red"], new["red"], old["blue"])] == [
        None,
        "red",
        "blue",
    ]


def test_tokens_in_files_are_headers_that_only_their_owner_reads(
    shell: Any, game: str, tmp_path: Path
) -> None:
    """`--out` writes one file a seat, as curl sends it; a file that is there is not replaced, and no token is lost by that."""
    assert shell("tokens", game, "--out", "handed").code == 0
    path = tmp_path / "handed" / "blue.token"
    word, token = path.read_text().rsplit(maxsplit=1)
    held = Tokens(tokens_file(tmp_path / "store.db"), open_store(tmp_path / "store.db"))
    assert (word, held.seat(game, token), path.stat().st_mode & 0o777) == (
        "Authorization: Bearer",
        "blue",
        0o600,
    )
    other = shell("new", "--game", "skirmish", "--seats", "red,blue", "--name", "h")
    assert other.code == 0
    refused = shell("tokens", "h", "--out", "handed")
    assert refused.code == 2
    assert held.held("h") == set()


def test_only_who_sits_there_gets_a_token(shell: Any, game: str) -> None:
    """Chance and strangers get none, and a game that is not there has none to give."""
    assert shell("tokens", game, "--seat", "chance").code == 2
    assert "pink" in shell("tokens", game, "--seat", "pink").err
    assert shell("tokens", "none").code == 2


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_file_of_tokens_that_is_none_is_told_in_a_sentence(
    shell: Any, game: str, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """A folder, junk, other tables or a link to nowhere where the tokens should lie: exit code 2, and the file is named."""
    spoil(tokens_file(tmp_path / "store.db"))
    done = shell("tokens", game)
    assert (done.code, done.out) == (2, "")
    assert "store.db.tokens" in done.err
    assert len(done.err.splitlines()) == 1


def test_tokens_are_known_where_nothing_can_be_written(shell: Any, game: str, tmp_path: Path) -> None:
    """On a full disk the tokens stand for their seats; new ones are refused with a sentence and the old ones stand."""
    told = shell("tokens", game, "--json").json["tokens"]
    held = Tokens(tokens_file(tmp_path / "store.db"), open_store(tmp_path / "store.db"))
    with full():
        assert held.held(game) == set(told)
        assert held.seat(game, told["red"]) == "red"
        with pytest.raises(StoreError, match=r"store\.db\.tokens"):
            held.hand_out(game, ("red",))
    assert held.seat(game, told["red"]) == "red"
