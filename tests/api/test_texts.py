"""Over HTTP the words of people are bounded as everywhere else (LS-1.8)."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from replay.texts import MOST_NAME, MOST_TITLE

BODY = {"game": "g", "rules": "skirmish", "seats": ["red", "blue"]}


@pytest.mark.parametrize(
    "more",
    (
        {"persons": {"red": "n" * (MOST_NAME + 1)}},
        {"persons": {"red": "n" * 900_000}},
        {"persons": {"r" * 900_000: "x"}},
        {"title": "t" * (MOST_TITLE + 1)},
        {"seats": ["red", "b" * 900_000]},
        {"answers": {"X61": "a" * 900_000}},
        {"options": {"o" * 900_000: "x"}},
        {"rules": "r" * 900_000},
    ),
)
def test_no_body_holds_a_word_that_nobody_reads(client: TestClient, more: dict[str, Any]) -> None:
    """The field is named in a short answer, and no game is opened."""
    said = client.post("/games", json=BODY | more)
    assert (said.status_code, said.json()["code"]) == (422, "bad_shape")
    assert next(iter(more)) in said.json()["detail"]
    assert len(said.text) < 1_000
    assert client.get("/games").json() == []


def test_a_person_for_a_seat_that_nobody_has_is_refused_with_its_section(client: TestClient) -> None:
    """What the command line refuses the service refuses (LS-1.8)."""
    said = client.post("/games", json=BODY | {"persons": {"zzz": "x"}})
    (refusal,) = said.json()["refusals"]
    assert (said.status_code, refusal["code"], refusal["because"]) == (409, "no_such_seat", ["LS-1.8"])
    assert client.get("/games").json() == []


@pytest.mark.parametrize("name", ("g.jsonl", "g.db", "g."))
def test_no_game_is_opened_under_a_name_that_commands_take_for_a_file(client: TestClient, name: str) -> None:
    """The service keeps no game that the command line could not name."""
    said = client.post("/games", json=BODY | {"game": name})
    assert (said.status_code, said.json()["code"]) == (422, "bad_shape")
    assert name in said.json()["detail"]
    assert client.get("/games").json() == []
