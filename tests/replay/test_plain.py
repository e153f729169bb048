"""Values as plain JSON data: what has no order of its own is sorted, so that each process says the same."""

import json
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from core.games import load
from events.stores import open_store
from replay.plain import plain
from replay.session import Session


def test_sets_are_sorted_wherever_they_stand() -> None:
    """A set alone, in a mapping and in a list is a sorted list; rows keep the order of their columns."""
    names = frozenset(f"place {number}" for number in range(40))
    held = plain({"z": names, "a": [{"names": set(names)}], 1: ()})
    assert held == {"z": sorted(names), "a": [{"names": sorted(names)}], "1": []}
    assert list(held) == ["z", "a", "1"]


def test_a_state_is_the_same_data_in_whatever_order_things_came_to_stand(tmp_path: Path) -> None:
    """The tundra and the stacks that may hide a chip are sets, who holds what a mapping: all are sorted, at the door too."""
    store, rules = tmp_path / "g.db", load("dragonlords")
    with TestClient(create_app(Settings(store=store))) as client:
        body: dict[str, Any] = {
            "game": "g",
            "rules": "dragonlords",
            "seats": ["orc", "elf"],
            "options": {"length": "short"},
        }
        body["position"] = {
            "turn": [{"seat": "orc", "phase": "combat"}],
            "units": [
                {"seat": "orc", "place": "OR_n", "count": 3},
                {"seat": "orc", "place": "OR_k", "count": 3},
            ],
        }
        assert client.post("/games", json=body).status_code == 201
        told = client.get("/games/g/state").json()["state"]
    state = Session.open(open_store(store, readonly=True), "g", rules=rules).view(None).state
    assert told == json.loads(json.dumps(plain(state)))
    assert len(state.tundra) > 10
    assert told["tundra"] == sorted(state.tundra)
    assert list(told["armies"]) == ["OR_k", "OR_n"]
