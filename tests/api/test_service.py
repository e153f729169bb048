"""The service: what each route answers, what it refuses, and what it never tells."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from fastapi.testclient import TestClient

from api.app import create_app
from api.problems import CODES
from api.settings import Settings
from events.chain import Head, check_chain
from tests.api.conftest import Seats


def bid_all(seats: Seats) -> None:
    for seat, pebbles in (("red", 3), ("blue", 1), ("green", 0)):
        assert seats.post(seat, {"Do": "Bid", "pebbles": pebbles}).status_code == 201


def test_a_game_is_opened_and_each_seat_gets_a_token(seats: Seats) -> None:
    """The answer to an opening holds a token for each seat and the arbiter, all different."""
    assert set(seats.tokens) == {"red", "blue", "green", "arbiter"}
    assert len(set(seats.tokens.values())) == 4
    assert seats.get(None, "").json()["asked"] == ["red", "blue", "green"]


def test_tokens_are_stored_as_hashes_only(seats: Seats, tmp_path: Path) -> None:
    """No file of the service holds a token that it handed out."""
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert all(token.encode() not in held for token in seats.tokens.values())


def test_a_command_becomes_an_entry(seats: Seats) -> None:
    """A lawful command answers 201 with the entries it caused."""
    said = seats.post("red", {"Do": "Bid", "pebbles": 2})
    assert said.status_code == 201
    assert [entry["seat"] for entry in said.json()["entries"]] == ["red"]
    assert said.json()["head"]["id"] == 2


def test_a_command_without_token_is_not_heard(seats: Seats) -> None:
    """A spectator plays nothing: 401."""
    said = seats.post(None, {"Do": "Bid", "pebbles": 2})
    assert (said.status_code, said.json()["code"]) == (401, "no_token")


def test_a_token_of_another_game_is_none_here(client: TestClient, seats: Seats) -> None:
    """A token stands for a seat of one game only."""
    client.post("/games", json={"game": "h", "rules": "skirmish", "seats": ["red", "blue"]})
    said = client.get("/games/h/asks", headers=seats.headers("red"))
    assert (said.status_code, said.json()["code"]) == (401, "wrong_token")


def test_a_seat_does_not_act_for_another(seats: Seats) -> None:
    """The token decides the seat: naming another is 403."""
    said = seats.post("red", {"Do": "Bid", "pebbles": 2}, seat="blue")
    assert (said.status_code, said.json()["code"]) == (403, "not_your_seat")


def test_a_refusal_says_which_section(seats: Seats) -> None:
    """What the rules forbid answers 409 as a problem with code, sections and a sentence (TS-1.1)."""
    said = seats.post("red", {"Do": "Bid", "pebbles": 9})
    assert said.status_code == 409
    assert said.headers["content-type"] == "application/problem+json"
    refusal = said.json()["refusals"][0]
    assert (refusal["code"], refusal["because"]) == ("too_few_pebbles", ["TS-1.1"])


def test_a_stale_question_is_told_apart(seats: Seats) -> None:
    """A command that names a question no longer open answers 412 and what happened since (LS-2.2)."""
    question = seats.get("red", "asks").json()[0]["question"]
    assert seats.post("red", {"Do": "Bid", "pebbles": 2}, question=question).status_code == 201
    said = seats.post("red", {"Do": "Bid", "pebbles": 2}, question=question)
    assert (said.status_code, said.json()["code"]) == (412, "stale_question")
    assert [entry["id"] for entry in said.json()["since"]] == [2]


def test_the_same_key_twice_is_one_entry(seats: Seats) -> None:
    """A command sent again under its key gives the same answer and no second entry (LS-2.5)."""
    first = seats.post("red", {"Do": "Bid", "pebbles": 2}, key="k1")
    again = seats.post("red", {"Do": "Bid", "pebbles": 2}, key="k1")
    assert again.json()["entries"] == first.json()["entries"]
    assert again.json()["repeated"] is True
    assert again.json()["head"]["id"] == 2


def test_the_same_key_for_another_command_is_refused(seats: Seats) -> None:
    """A key stands for one command (LS-2.5)."""
    seats.post("red", {"Do": "Bid", "pebbles": 2}, key="k1")
    said = seats.post("red", {"Do": "Bid", "pebbles": 1}, key="k1")
    assert (said.status_code, said.json()["refusals"][0]["because"]) == (409, ["LS-2.5"])


def test_bodies_of_the_wrong_shape_are_named(seats: Seats) -> None:
    """What is no command answers 422 and names the field; nothing is written."""
    for command in (
        {"Do": "Bid"},
        {"Do": "Bid", "pebbles": -1},
        {"Do": "Nothing"},
        {},
        {"Do": "Bid", "pebbles": 1e99},
    ):
        said = seats.post("red", command)
        assert (said.status_code, said.json()["code"]) == (422, "bad_shape"), command
    assert seats.get(None, "").json()["head"]["id"] == 1


def test_what_is_not_json_is_said_so(client: TestClient, seats: Seats) -> None:
    """A body that is not JSON answers 422 with a problem."""
    said = client.post(
        "/games/g/commands",
        content=b"\xff\x00{",
        headers=seats.headers("red") | {"content-type": "application/json"},
    )
    assert (said.status_code, said.json()["code"]) == (422, "bad_json")


def test_a_body_past_the_limit_is_refused_unread(tmp_path: Path, toys: None) -> None:
    """A body larger than the limit answers 413."""
    with TestClient(create_app(Settings(store=tmp_path / "s.db", most_body=1_000))) as client:
        said = client.post("/games", content=b"x" * 2_000)
    assert (said.status_code, said.json()["code"]) == (413, "too_large")


def test_sealed_bids_are_told_to_their_seat_alone(seats: Seats) -> None:
    """No answer to another seat or a spectator holds a bid that is not yet revealed."""
    seats.post("red", {"Do": "Bid", "pebbles": 3})
    own = seats.get("red", "entries").json()["entries"][1]
    assert any(opening["value"].get("bid") == 3 for opening in own["openings"])
    for other in ("blue", None):
        held = seats.get(other, "entries").json()["entries"][1]
        assert held["openings"] == []
        assert seats.get(other, "state").json()["state"].get("bids", {}) == {}
        assert '"pebbles":3' not in seats.get(other, "entries").text.replace(" ", "")
    assert seats.get("red", "state").json()["state"]["bids"] == {"red": 3}


def test_the_log_as_a_seat_reads_it_verifies_to_the_same_head(seats: Seats) -> None:
    """The lines served are the stored bytes: anyone can check the chain to the head."""
    bid_all(seats)
    raw = msgspec.json.decode(seats.get("blue", "entries").content, type=dict[str, msgspec.Raw])
    lines = [
        bytes(entry["line"])
        for entry in msgspec.json.decode(raw["entries"], type=list[dict[str, msgspec.Raw]])
    ]
    head = msgspec.json.decode(raw["head"], type=Head)
    assert list(check_chain(lines, head)) == []


def test_typed_dice_are_given_by_the_thrower_or_the_arbiter(seats: Seats) -> None:
    """Chance is answered by the seat that throws, or by the arbiter; by nobody else."""
    bid_all(seats)
    assert seats.post("red", {"Do": "Throw", "target": "blue"}).status_code == 201
    roll = {"Do": "AnswerRoll", "faces": [1, 6]}
    assert seats.post("blue", roll, seat="chance").status_code == 403
    said = seats.post("red", roll, seat="chance")
    assert said.status_code == 201
    assert said.json()["entries"][0]["source"] == "typed"


def test_bare_faces_are_the_dice_that_are_asked_for(seats: Seats) -> None:
    """Who throws need not say that they are dice; to somebody else it is said that they are not his to give."""
    bid_all(seats)
    assert seats.post("red", {"Do": "Throw", "target": "blue"}).status_code == 201
    answers = [
        seats.client.post("/games/g/commands", json={"say": line}, headers=seats.headers(seat))
        for seat, line in (("blue", "1 6"), ("red", "1 6 6"), ("red", "1 6"), ("red", "1 6"))
    ]
    codes = [answer.json()["refusals"][0]["code"] for answer in answers[:2]]
    assert codes == ["not_yours_to_give", "wrong_dice_count"]
    assert [answer.status_code for answer in answers[2:]] == [201, 422]


def test_states_of_earlier_entries_stay(seats: Seats) -> None:
    """The state at any entry is served; an entry that is not there is 404."""
    bid_all(seats)
    seats.post("red", {"Do": "Throw", "target": "blue"})
    seats.post("arbiter", {"Do": "AnswerRoll", "faces": [1, 2]}, seat="chance")
    assert seats.get(None, "state?at=1").json()["state"]["pebbles"]["blue"] == 5
    assert seats.get(None, "state").json()["state"]["pebbles"]["blue"] == 3
    assert seats.get(None, "state?at=99").json()["code"] == "no_such_entry"


def test_a_game_verifies_over_http(seats: Seats) -> None:
    """The arbiter, who may read everything, gets a report that all is well."""
    bid_all(seats)
    said = seats.get("arbiter", "verify")
    assert said.status_code == 200
    assert said.json()["ok"] is True


def test_unknown_games_rules_and_routes_are_problems(client: TestClient) -> None:
    """What is not there answers 404 with a code from the list."""
    for path in (
        "/games/none",
        "/games/none/entries",
        "/rules/none",
        "/nowhere",
        "/games/..%2f..%2fetc/state",
    ):
        said = client.get(path)
        assert said.status_code == 404
        assert said.json()["code"] in CODES


def test_a_game_can_not_be_opened_twice(client: TestClient, seats: Seats) -> None:
    """A second opening under the same name is 409 and changes nothing."""
    said = client.post("/games", json={"game": "g", "rules": "skirmish", "seats": ["red", "blue"]})
    assert (said.status_code, said.json()["code"]) == (409, "game_exists")


def test_openings_the_rules_forbid_say_why(client: TestClient, toys: None) -> None:
    """Seats the game does not have are refused with their section (LS-1.2)."""
    said = client.post("/games", json={"game": "x", "rules": "skirmish", "seats": ["red", "pink"]})
    assert (said.status_code, said.json()["refusals"][0]["because"]) == (409, ["LS-1.2"])


def test_an_organiser_token_guards_the_opening(tmp_path: Path, toys: None) -> None:
    """Where an organiser is set only its token opens games."""
    settings = Settings.model_validate({"store": tmp_path / "s.db", "organiser": "boss"})
    body = {"game": "g", "rules": "skirmish", "seats": ["red", "blue"]}
    with TestClient(create_app(settings)) as client:
        assert client.post("/games", json=body).status_code == 401
        for wrong in ("Bearer bos", "Bearer boss ", "boss", "Bearer \xe9"):
            headers = {"Authorization": wrong.encode("latin-1")}
            assert client.post("/games", json=body, headers=headers).status_code == 401, wrong  # type: ignore[arg-type]
        assert client.post("/games", json=body, headers={"Authorization": "Bearer boss"}).status_code == 201


def test_two_seats_answering_at_once_both_succeed(seats: Seats) -> None:
    """Seats that are asked together do not refuse each other."""
    with ThreadPoolExecutor(3) as pool:
        said = list(
            pool.map(lambda seat: seats.post(seat, {"Do": "Bid", "pebbles": 1}), ("red", "blue", "green"))
        )
    assert [one.status_code for one in said] == [201, 201, 201]


def test_the_api_description_knows_every_command(client: TestClient) -> None:
    """The OpenAPI text has a schema for each command of each game, from the structs themselves."""
    schemas: dict[str, Any] = client.get("/openapi.json").json()["components"]["schemas"]
    assert {"skirmish.Bid", "skirmish.Throw", "skirmish.AnswerRoll"} <= set(schemas)
    assert schemas["skirmish.Bid"]["properties"]["pebbles"]["minimum"] == 0


def test_live_dice_fall_by_themselves_and_sealed_seeds_stay_private(client: TestClient) -> None:
    """With sealed dice the seed is in no answer and the commitment is (LS-4.4)."""
    opened = client.post(
        "/games", json={"game": "s", "rules": "skirmish", "seats": ["red", "blue"], "dice": "sealed"}
    ).json()
    seats = Seats(client, "s", opened["tokens"])
    seats.post("red", {"Do": "Bid", "pebbles": 1})
    seats.post("blue", {"Do": "Bid", "pebbles": 0})
    said = seats.post("red", {"Do": "Throw", "target": "blue"}).json()
    assert [entry["source"] for entry in said["entries"] if "source" in entry] == ["sealed"]
    assert len(seats.get(None, "").json()["commitment"]) == 64


def test_nobody_takes_back_with_the_consent_of_others_in_its_own_command(seats: Seats) -> None:
    """Consents and decisions that a token claims for others count for nothing, whoever claims them (LS-3.4)."""
    bid_all(seats)
    assert seats.post("red", {"Do": "Throw", "target": "blue"}).status_code == 201
    assert seats.post("red", {"Do": "AnswerRoll", "faces": [1, 6]}, seat="chance").status_code == 201
    for by, claim in (
        ("red", {"agreed": ["blue", "green"]}),
        ("blue", {"agreed": ["red", "green"]}),
        ("red", {"arbiter": "red himself"}),
        ("red", {"agreed": ["blue"], "arbiter": "red himself"}),
        ("arbiter", {"agreed": ["red", "blue", "green"]}),
    ):
        said = seats.post(by, {"Do": "MoveHead", "to": 4, **claim})
        assert said.status_code == 409, (by, claim)
        assert [refusal["because"] for refusal in said.json()["refusals"]] == [["LS-3.4"]], (by, claim)
    assert seats.get(None, "").json()["head"]["id"] == 6
    assert seats.post("arbiter", {"Do": "MoveHead", "to": 4, "arbiter": "Ann"}).status_code == 201
