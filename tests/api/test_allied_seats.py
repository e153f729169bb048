"""The service where one player sits at two seats (LS-1.6): two tokens, one person, and nothing for the other side."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

FOUR = ["orc", "elf", "dwarf", "barbarian"]


class Allies:
    """A game of two players with two allied armies each, at the throw for who begins, their scrolls dealt."""

    def __init__(self, client: TestClient) -> None:
        said = client.post(
            "/games", json={"game": "g", "rules": "dragonlords", "seats": FOUR, "options": {"armies": "two"}}
        )
        assert said.status_code == 201, said.text
        self.client, self.tokens = client, said.json()["tokens"]
        for card in ("reflect", "reflect", "reflect", "ship"):
            assert self.give("arbiter", {"Do": "Deal", "card": card}) == 201

    def throw(self, holder: str) -> int:
        """Return what is answered when who holds a token types the crystal die that is asked for."""
        return self.give(holder, {"Do": "AnswerRoll", "faces": ["yellow"]})

    def give(self, holder: str, command: dict[str, Any]) -> int:
        """Return what is answered when who holds a token gives a command in the name of chance."""
        body = {"command": command, "seat": "chance"}
        return self.client.post("/games/g/commands", json=body, headers=self._as(holder)).status_code

    def get(self, holder: str, what: str) -> Any:
        return self.client.get(f"/games/g/{what}", headers=self._as(holder)).json()

    def _as(self, holder: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[holder]}"}


@pytest.fixture
def allies(client: TestClient) -> Allies:
    return Allies(client)


def test_the_token_of_one_seat_acts_for_the_other_of_its_player(allies: Allies) -> None:
    """The die of the Orcs may be typed by the Dwarves' token, and by no token of the other player (QD-23.1, LS-4.6)."""
    assert allies.client.get("/games/g").json()["players"] == [["orc", "dwarf"], ["elf", "barbarian"]]
    assert allies.throw("elf") == 403
    assert allies.throw("barbarian") == 403
    assert allies.throw("dwarf") == 201


def test_each_token_is_given_the_openings_of_both_seats_of_its_player(allies: Allies) -> None:
    """What the Orcs drew the Dwarves may open, the Elves may not (QD-23.1)."""
    openings = {
        holder: [
            opening for entry in allies.get(holder, "entries")["entries"] for opening in entry["openings"]
        ]
        for holder in FOUR
    }
    assert openings["orc"] == openings["dwarf"] != []
    assert openings["elf"] == openings["barbarian"] != []
    assert not [opening for opening in openings["orc"] if opening in openings["elf"]]
    hands = {holder: allies.get(holder, "state")["state"]["hands"] for holder in FOUR}
    assert hands["dwarf"] == {"orc": ["reflect"], "dwarf": ["reflect"]}
    assert hands["elf"] == {"elf": ["reflect"], "barbarian": ["ship"]}


def test_each_token_is_asked_for_both_seats_of_its_player(allies: Allies) -> None:
    """When the chips are hidden, all four are asked: each token is shown the questions of its player's two seats."""
    client = allies.client
    for _ in range(400):
        asked = client.get("/games/g").json()
        if asked["kind"] == "hide":
            break
        holder = asked["asked"][0]
        if holder == "chance":
            assert allies.throw("arbiter") == 201
            continue
        (ask,) = allies.get(holder, "asks")
        said = client.post(
            "/games/g/commands",
            json={"command": ask["silence"]},
            headers={"Authorization": f"Bearer {allies.tokens[holder]}"},
        )
        assert said.status_code == 201, said.text
    assert [ask["seat"] for ask in allies.get("dwarf", "asks")] == ["dwarf", "orc"]
    assert [ask["seat"] for ask in allies.get("elf", "asks")] == ["elf", "barbarian"]
    (own, other) = allies.get("dwarf", "asks")
    said = client.post(
        "/games/g/commands",
        json={"command": other["silence"], "seat": "orc", "question": other["question"]},
        headers={"Authorization": f"Bearer {allies.tokens['dwarf']}"},
    )
    assert said.status_code == 201, said.text
    assert own["seat"] == "dwarf"
