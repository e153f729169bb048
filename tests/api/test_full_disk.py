"""The service on a disk that is full, and with a file of tokens that is none: what is only read goes on, the rest is 503."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from events.store import StoreError
from events.stores import open_store
from replay.tokens import Tokens, tokens_file
from tests.api.conftest import Seats
from tests.full import full

TOY = {"rules": "skirmish", "seats": ["red", "blue"]}


@contextlib.contextmanager
def served(store: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(store=store)), raise_server_exceptions=False) as client:
        yield client


def opened(client: TestClient, game: str = "g") -> Seats:
    return Seats(client, game, client.post("/games", json={"game": game, **TOY}).json()["tokens"])


@pytest.mark.parametrize("name", ("games.db", "games"))
def test_where_nothing_can_be_written_each_seat_reads_on(tmp_path: Path, toys: None, name: str) -> None:
    """On a full disk every reading request with a token is answered, and all that writes is 503; with room it goes on."""
    with served(tmp_path / name) as client:
        seats = opened(client)
        assert seats.post("red", {"Do": "Bid", "pebbles": 1}).status_code == 201
        reads = ("", "state", "asks", "entries", "picture.svg", "stream?idle=0", "verify", "take-backs")
        with full():
            read = {
                (seat, what): seats.get(seat, what) for seat in ("red", "arbiter", None) for what in reads
            }
            posted = seats.post("blue", {"Do": "Bid", "pebbles": 1})
            another = client.post("/games", json={"game": "h", **TOY})
        assert {of: said.status_code for of, said in read.items()} == dict.fromkeys(read, 200)
        assert read["red", "state"].json()["as"] == "red"
        for said in (posted, another):
            assert (said.status_code, said.json()["code"]) == (503, "store_failed")
        assert seats.post("blue", {"Do": "Bid", "pebbles": 1}).status_code == 201
        assert opened(client, "h").get("blue", "state").status_code == 200


def _folder(path: Path) -> None:
    path.mkdir()


def _junk(path: Path) -> None:
    path.write_bytes(b"no tokens " * 200)


def _short(path: Path) -> None:
    path.write_bytes(b"x")


def _others(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE seats (name TEXT)")
    connection.close()


def _dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere" / "gone")


def _loop(path: Path) -> None:
    path.symlink_to(path)


SPOILT = (_folder, _junk, _short, _others, _dangling, _loop)
"""What may lie where the tokens should."""


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_file_of_tokens_that_is_none_is_a_failing_store(
    tmp_path: Path, toys: None, spoil: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever has a token, and whoever opens a game, is told 503 and no path; no game is opened; a spectator reads on."""
    store = tmp_path / "games.db"
    with served(store) as client:
        seats = opened(client)
        tokens_file(store).unlink()
        spoil(tokens_file(store))
        told = [
            seats.get("red", "state"),
            seats.post("red", {"Do": "Bid", "pebbles": 1}),
            client.post("/games", json={"game": "h", **TOY}),
        ]
        assert [(one.status_code, one.json()["code"]) for one in told] == [(503, "store_failed")] * 3
        assert all(str(tmp_path) not in one.text for one in told)
        assert caplog.text.count("games.db.tokens") >= 3
        assert seats.get(None, "state").status_code == 200
        assert [held["game"] for held in client.get("/games").json()] == ["g"]


def test_tokens_that_can_no_longer_be_kept_are_told_of_with_the_way_to_them(
    tmp_path: Path, toys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the disk fills up between an opening and its tokens, the answer says that the game stands, and what to do."""

    def broken(*_: object) -> None:
        raise StoreError(f"{tmp_path}: the disk is full")

    with served(tmp_path / "games.db") as client:
        monkeypatch.setattr(Tokens, "hand_out", broken)
        said = client.post("/games", json={"game": "g", **TOY})
        assert (said.status_code, said.json()["code"]) == (503, "tokens_failed")
        assert "lawspeaker tokens g" in said.json()["detail"]
        assert str(tmp_path) not in said.text
        assert client.get("/games/g").status_code == 200


def test_tokens_in_a_file_of_old_are_read_and_its_write_ahead_log_goes(tmp_path: Path, toys: None) -> None:
    """A file in WAL mode keeps its tokens; the next that is given out turns it into one that is read without writing."""
    store = tmp_path / "games.db"
    with served(store) as client:
        seats = opened(client)
        connection = apsw.Connection(str(tokens_file(store)))
        connection.pragma("journal_mode", "wal")
        connection.close()
        assert seats.get("red", "state").json()["as"] == "red"
        opened(client, "h")
        assert seats.get("red", "state").json()["as"] == "red"
    connection = apsw.Connection(str(tokens_file(store)))
    assert connection.pragma("journal_mode") == "delete"
    connection.close()


def test_a_file_of_tokens_that_another_keeps_locked_is_a_failing_store(
    tmp_path: Path, toys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while a locked file is 503, and nothing is opened."""
    monkeypatch.setattr("replay.tokens._PATIENCE", 50)
    store = tmp_path / "games.db"
    with served(store) as client:
        seats = opened(client)
        holder = apsw.Connection(str(tokens_file(store)))
        holder.execute("BEGIN EXCLUSIVE")
        told = [seats.get("red", "state"), client.post("/games", json={"game": "h", **TOY})]
        holder.execute("ROLLBACK")
        holder.close()
        assert [(one.status_code, one.json()["code"]) for one in told] == [(503, "store_failed")] * 2
        assert seats.get("red", "state").status_code == 200
    assert open_store(store, readonly=True).games() == ["g"]
