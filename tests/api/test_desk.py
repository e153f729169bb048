"""The desk: what is kept of names that are guessed, of games that are gone, and of openings that fail."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.desk import Desk
from api.problems import Raised
from api.settings import Settings
from events.store import StoreError
from events.stores import open_store
from replay.files import kept_seed
from replay.session import Session
from tests.api.conftest import Seats

TOY = {"rules": "skirmish", "seats": ["red", "blue"]}
SEALED = {**TOY, "dice": "sealed"}


def served(store: Path) -> TestClient:
    return TestClient(create_app(Settings(store=store)))


def opened(client: TestClient, game: str = "g", **more: Any) -> Seats:
    said = client.post("/games", json={"game": game, **TOY, **more})
    assert said.status_code == 201, said.text
    return Seats(client, game, said.json()["tokens"])


def test_nothing_is_kept_of_a_name_that_is_guessed(tmp_path: Path, toys: None) -> None:
    """Asking for games that are not there leaves nothing behind in the service, however often it is done."""
    desk = Desk(tmp_path / "games")
    desk.open_game("g", "skirmish", "typed", seats=("red", "blue"))
    with desk.session("g"):
        pass
    before = set(desk._games)
    for guess in range(500):
        with pytest.raises(Raised, match="no game"), desk.session(f"guess-{guess}"):
            pass
    with desk.session("g"):
        assert set(desk._games) == before == {"g"}
    for file in (tmp_path / "games").glob("g.*"):
        file.unlink()
    with pytest.raises(Raised, match="no game"), desk.session("g"):
        pass
    assert not desk._games
    desk.close()


@pytest.mark.parametrize("again", ("over HTTP", "by the command line"))
def test_a_game_that_is_opened_anew_under_an_old_name_knows_no_old_token(
    tmp_path: Path, toys: None, again: str
) -> None:
    """The tokens of a game that is gone stand for nothing in the next of its name, which begins at its beginning."""
    store = tmp_path / "games"
    with served(store) as client:
        old = opened(client)
        assert old.post("red", {"Do": "Bid", "pebbles": 3}).status_code == 201
        for file in store.glob("g.*"):
            file.unlink()
        assert old.get(None, "").status_code == 404
        assert old.get("red", "asks").json()["code"] == "wrong_token"
        if again == "over HTTP":
            new = opened(client)
            assert new.post("red", {"Do": "Bid", "pebbles": 1}).status_code == 201
        else:
            _begin_elsewhere(store)
        for seat in ("red", "blue", "arbiter"):
            for what in ("asks", "state", "entries", "stream?idle=0", "verify", "picture.svg"):
                assert old.get(seat, what).json()["code"] == "wrong_token", (seat, what)
            assert old.post(seat, {"Do": "Bid", "pebbles": 1}).status_code == 401
        entries = old.get(None, "entries").json()["entries"]
        assert [entry["line"]["id"] for entry in entries] == ([1, 2] if again == "over HTTP" else [1])


def _begin_elsewhere(store: Path) -> None:
    from core import games

    elsewhere = open_store(store)
    Session.create(elsewhere, games.load("skirmish"), game="g", seats=("red", "blue"))
    elsewhere.close()


def test_a_game_that_took_the_name_of_another_is_read_from_its_beginning(tmp_path: Path, toys: None) -> None:
    """Where another log stands under a name than was read, longer or shorter, nothing of the first one is shown any more."""
    store = tmp_path / "games"
    with served(store) as client:
        old = opened(client)
        for seat in ("red", "blue"):
            assert old.post(seat, {"Do": "Bid", "pebbles": 2}).status_code == 201
        assert old.get(None, "").json()["head"]["id"] == 3
        for file in store.glob("g.*"):
            file.unlink()
        _begin_elsewhere(store)
        told = old.get(None, "").json()
        assert (told["head"]["id"], told["read_only"], told["asked"]) == (1, "", ["red", "blue"])


def test_an_opening_that_fails_leaves_no_seed_behind(tmp_path: Path, toys: None) -> None:
    """A sealed game that the rules refuse, or whose name is taken, keeps no seed that would bar its name or another's game."""
    store = tmp_path / "games.db"
    with served(store) as client:
        typed = opened(client)
        taken = client.post("/games", json={"game": "g", **SEALED})
        assert (taken.status_code, taken.json()["code"]) == (409, "game_exists")
        assert kept_seed(store, "g") is None
        wrong = client.post("/games", json={"game": "h", **SEALED, "seats": ["red", "pink"]})
        assert wrong.json()["code"] == "refused_by_the_rules"
        opened(client, "h", dice="sealed")
        seed = kept_seed(store, "h")
        again = client.post("/games", json={"game": "h", **SEALED})
        assert (again.status_code, again.json()["code"]) == (409, "game_exists")
        assert kept_seed(store, "h") == seed is not None
    with served(store) as client:
        assert client.get("/games/g", headers=typed.headers("red")).json()["read_only"] == ""
        assert client.get("/games/h").json()["commitment"]


def test_a_seed_that_lies_about_does_not_shut_a_game_with_other_dice(tmp_path: Path, toys: None) -> None:
    """The seed of a sealed game that is gone is no business of a typed one that took its name."""
    store = tmp_path / "games"
    with served(store) as client:
        opened(client, dice="sealed")
        for file in store.glob("g.*"):
            file.unlink()
        said = client.post("/games", json={"game": "g", **SEALED})
        assert (said.status_code, said.json()["code"]) == (409, "game_exists")
        opened(client)
    with served(store) as client:
        assert client.get("/games/g").json()["dice"] == "typed"


def test_no_answer_says_where_the_store_lies(
    tmp_path: Path, toys: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the disk says goes to the keeper's own log: a problem names no path of the machine."""
    store = tmp_path / "games"

    def broken(*_: Any, **__: Any) -> Any:
        raise StoreError(f"{store}/g.jsonl: no space left")

    with served(store) as client:
        opened(client, "h", dice="sealed")
        for file in store.glob("h.*"):
            file.unlink()
        told = [client.post("/games", json={"game": "h", **SEALED})]
        seats = opened(client)
        monkeypatch.setattr(Session, "refresh", broken)
        told += [seats.get("red", what) for what in ("", "asks", "state", "entries", "verify", "take-backs")]
        monkeypatch.undo()
        monkeypatch.setattr(type(open_store(store)), "append", broken)
        told += [
            seats.post("red", {"Do": "Bid", "pebbles": 1}),
            client.post("/games", json={"game": "i", **TOY}),
            client.post("/games", json={"game": "j", **SEALED}),
        ]
    assert [one.json()["code"] for one in told] == ["game_exists", *["store_failed"] * 9]
    assert all(str(tmp_path) not in one.text for one in told)
    assert kept_seed(store, "j") is None


def test_dice_that_waited_for_their_seed_fall_when_it_is_back(tmp_path: Path, toys: None) -> None:
    """Without it typed dice are refused with the reason; as soon as it lies there again the next request finds them fallen."""
    store = tmp_path / "games"
    with served(store) as client:
        seats = opened(client, dice="sealed")
        seed = tmp_path / "games.seeds" / "g.seed"
        held = seed.read_text()
    with served(store) as client:
        seed.unlink()
        seats = Seats(client, "g", seats.tokens)
        for seat, command in (
            ("red", {"Do": "Bid", "pebbles": 1}),
            ("blue", {"Do": "Bid", "pebbles": 0}),
            ("red", {"Do": "Throw", "target": "blue"}),
        ):
            assert seats.post(seat, command).status_code == 201
        refused = seats.post("red", {"Do": "AnswerRoll", "faces": [1, 2]}, seat="chance")
        assert refused.json()["refusals"][0]["code"] == "not_typed"
        assert "seed is not at hand" in refused.json()["detail"]
        assert seats.get("red", "").json()["head"]["id"] == 4
        seed.write_text(held)
        assert seats.get("red", "").json()["head"]["id"] == 5
        assert seats.get("red", "entries").json()["entries"][-1]["line"]["source"] == "sealed"
