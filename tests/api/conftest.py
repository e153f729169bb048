"""What the tests of the service lean on: a client, the toy game, a game opened with its tokens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import core.games
from api.app import create_app
from api.settings import Settings


@pytest.fixture
def toys() -> Iterator[None]:
    """The toy games, as further folders among the games."""
    folder = str(Path(__file__).parent.parent / "toys")
    core.games.__path__.append(folder)
    core.games.found.cache_clear()
    core.games.load.cache_clear()
    yield
    core.games.__path__.remove(folder)
    core.games.found.cache_clear()
    core.games.load.cache_clear()


@pytest.fixture
def client(tmp_path: Path, toys: None) -> Iterator[TestClient]:
    """A client of a service over an empty store."""
    with TestClient(create_app(Settings(store=tmp_path / "games.db"))) as client:
        yield client


class Seats:
    """A game in the service, and requests in the name of its seats."""

    def __init__(self, client: TestClient, game: str, tokens: dict[str, str]) -> None:
        self.client, self.game, self.tokens = client, game, tokens

    def headers(self, seat: str | None) -> dict[str, str]:
        return {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat]}"}

    def get(self, seat: str | None, what: str) -> Any:
        return self.client.get(f"/games/{self.game}/{what}", headers=self.headers(seat))

    def post(self, by: str | None, command: dict[str, Any], **more: str) -> Any:
        body = {"command": command, **more}
        return self.client.post(f"/games/{self.game}/commands", json=body, headers=self.headers(by))


@pytest.fixture
def seats(client: TestClient) -> Seats:
    """A game of pebbles with three seats and typed dice."""
    body = {"game": "g", "rules": "skirmish", "seats": ["red", "blue", "green"]}
    opened = client.post("/games", json=body)
    assert opened.status_code == 201, opened.text
    return Seats(client, "g", opened.json()["tokens"])
