"""Rough requests: whatever is sent is answered with a problem that says what was wrong, and changes nothing."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from msgspec import inspect

from api.problems import CODES, MEDIA_TYPE
from core import games
from core.seats import ARBITER, CHANCE
from tests.api.conftest import Seats
from tests.laws.worlds import anything

JSON = {"content-type": "application/json"}
NUMBERS = (
    "-1", "99999999999999999999", "9223372036854775807", "9223372036854775808", "1e5", "NaN", "1.5", "true", "0x1",
    "%00", "%ff", "%ED%A0%80", "1" * 5000, "",
)  # fmt: skip
NASTY: tuple[Any, ...] = (
    None, True, 0, -1, 2**53, 2**64, -(2**70), 1.5, 1e308, float("inf"), float("nan"), "", "\0", "\ud800", "x" * 20_000,
    "\u202e", "../../etc/passwd", "?", [], {}, [[]], {"": {}}, {"Do": "Fight"}, {"Fact": "Sealed"},
    {"Do": "Sealed", "digest": "0" * 64, "to": ["red"]}, [None] * 1_000, {str(n): n for n in range(300)},
)  # fmt: skip


def is_problem(said: Any) -> bool:
    """Return whether an answer is a problem with a code that is explained, and no fault of the service."""
    told = said.status_code >= 400 and said.headers["content-type"] == MEDIA_TYPE
    return bool(told and said.status_code < 500 and said.json()["code"] in CODES)


def bidding(seats: Seats) -> Seats:
    """Red has bid in secret, under a key."""
    assert seats.post("red", {"Do": "Bid", "pebbles": 3}, key="k").status_code == 201
    return seats


@pytest.mark.parametrize(
    "address", ("state?at=", "picture.svg?at=", "entries?since=", "entries?limit=", "stream?idle=0&since=")
)
def test_a_number_in_an_address_that_is_none_is_a_problem(seats: Seats, address: str) -> None:
    """Negative, fractional, endless, or no number at all: said, and never a fault within (LS-3.1)."""
    for number in NUMBERS:
        said = seats.get("red", f"{address}{number}")
        lawful = said.status_code == 200 and address == "entries?limit=" and number.isdecimal()
        assert lawful or is_problem(said), (number, said.status_code)


def test_no_method_but_those_of_a_route_does_anything(seats: Seats) -> None:
    """HEAD, OPTIONS, PUT, PATCH, DELETE and TRACE are no methods here, whoever asks; their answers hold nothing."""
    for method in ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE"):
        for address in (
            "",
            "/asks",
            "/state",
            "/entries",
            "/stream",
            "/verify",
            "/picture.svg",
            "/commands",
            "/take-backs",
        ):
            said = seats.client.request(method, f"/games/g{address}", headers=seats.headers("red"))
            assert said.status_code == 405, (method, address)
            assert "red" not in said.text
    assert seats.get(None, "").json()["head"]["id"] == 1


def test_bodies_that_no_reader_expects_are_refused(seats: Seats) -> None:
    """Endless nesting, numbers without end, half a character, a NUL, no object, another encoding, a wrong type (RFC 9457)."""
    bodies = (
        b"[" * 100_000, b'{"command":' * 5_000 + b"1" + b"}" * 5_000, b'{"command":{"Do":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"command":{"Do":"Bid","pebbles":' + b"9" * 5_000 + b"}}", b'{"say":"\\ud800"}', b'{"say":"a\\u0000b"}',
        b'{"command":{"Do":"\\ud800"}}', b'{"to":1e999}', b'{"agree":NaN}', b"null", b"3", b'""', b"\xff\xfe{", b"{}" * 2,
        '{"say":"rest"}'.encode("utf-16"), b'{"say":' + b" " * 500_000, b'{"command":{"Do":"Bid","Do":"Bid"}}',
    )  # fmt: skip
    for path in ("/games", "/games/g/commands", "/games/g/take-backs", "/games/g/take-backs/1"):
        for body in bodies:
            said = seats.client.post(path, content=body, headers=seats.headers("red") | JSON)
            assert is_problem(said), (path, body[:60], said.text[:200])
    for kind in ("text/plain", "application/xml", "multipart/form-data; boundary=x", "image/png"):
        headers = seats.headers("red") | {"content-type": kind}
        said = seats.client.post("/games/g/commands", content=b'{"say":"rest"}', headers=headers)
        assert (said.status_code, said.json()["code"]) == (415, "not_json"), kind
    assert seats.get(None, "").json()["head"]["id"] == 1


def test_a_body_without_a_length_is_read_up_to_the_limit_and_no_further(seats: Seats) -> None:
    """Whatever it says of its length, no more than the limit is read: 413."""

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 100_000

    said = seats.client.post("/games/g/commands", content=endless(), headers=seats.headers("red") | JSON)
    assert (said.status_code, said.json()["code"]) == (413, "too_large")


def test_no_command_fills_the_log(seats: Seats) -> None:
    """What a seat claims stays before everybody's eyes: a command is bounded as a line is, whatever the body may hold."""
    for command in (
        {"Do": "RaiseDispute", "at": 1, "claim": "x" * 60_000},
        {"Do": "MoveHead", "to": 1, "reason": "x" * 60_000},
        {"Do": "x" * 60_000},
    ):
        said = seats.post("red", command)
        assert (said.status_code, said.json()["code"]) == (422, "bad_shape")
        assert len(said.content) < 1_000
    assert seats.get(None, "").json()["head"]["id"] == 1


def test_anything_anywhere_in_a_body_is_a_problem_or_lawful(
    seats: Seats, rounds: Callable[[int], int]
) -> None:
    """Commands of every kind and openings with nasty values in the place of any part of them, from everybody."""
    choose = Random(5)
    for _ in range(rounds(3_000)):
        path, body = choose.choice(_bodies(choose))
        content = json.dumps(_spoilt(body, choose)).encode()
        by = choose.choice(("red", "blue", "arbiter"))
        said = seats.client.post(path, content=content, headers=seats.headers(by) | JSON)
        assert said.status_code == 201 or is_problem(said), (path, content[:500], said.text[:200])
    assert seats.get("arbiter", "verify").json()["ok"] is True


def _bodies(choose: Random) -> list[tuple[str, dict[str, Any]]]:
    rules = games.load("skirmish")
    kind = choose.choice(rules.all_commands)
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    words = ("red", "blue", "nobody", "?", "")
    command = shape.cls(
        **{field.name: anything(field.type, words, choose.randrange) for field in shape.fields}
    )
    plain = msgspec.to_builtins(command)
    opening = {
        "game": f"n{choose.random()}"[:20],
        "rules": "skirmish",
        "seats": ["red", "blue"],
        "title": "t",
    }
    line = choose.choice(("bid 2", "dice: 1 2", "card: ?", "dispute entry 1 so", "propose to go back to 1"))
    return [
        ("/games", {**opening, "options": {}, "answers": {}, "persons": {"red": "Ann"}, "position": {}}),
        ("/games/g/take-backs", {"to": 1, "reason": "so", "key": "k"}),
        ("/games/g/take-backs/2", {"agree": True, "reason": "so"}),
        ("/games/g/commands", {"command": plain, "question": "1.0.red", "key": "", "seat": ""}),
        ("/games/g/commands", {"command": plain}),
        ("/games/g/commands", {"say": line, "seat": ""}),
    ]


def _spoilt(body: dict[str, Any], choose: Random) -> dict[str, Any]:
    """Return a body with something nasty in up to two places."""
    body = deepcopy(body)
    for _ in range(choose.randrange(3)):
        holder: Any = body
        key: Any = choose.choice(list(body))
        while isinstance(holder[key], dict | list) and holder[key] and choose.random() < 0.75:
            holder = holder[key]
            key = choose.choice(list(holder)) if isinstance(holder, dict) else choose.randrange(len(holder))
        holder[key] = deepcopy(choose.choice(NASTY))
    return body


# whose token it is


def test_a_token_is_heard_in_its_own_game_and_as_nothing_else(client: TestClient, seats: Seats) -> None:
    """Tokens of another game, cut short, grown, of another scheme, or none: 401 on every address that takes one."""
    opened = client.post("/games", json={"game": "h", "rules": "skirmish", "seats": ["red", "blue"]})
    theirs, own = opened.json()["tokens"]["red"], seats.tokens["red"]
    wrong = (
        f"Bearer {theirs}", f"Bearer {own[:-1]}", f"Bearer {own}x", f"Basic {own}", own, "Bearer", "Bearer ",
        f"Bearer {own} {own}", f"Bearer {own.swapcase()}", "Bearer %", "Bearer ' OR 1=1 --",
    )  # fmt: skip
    for header in wrong:
        for address in ("asks", "state", "entries", "stream?idle=0", "verify", "picture.svg"):
            said = client.get(f"/games/g/{address}", headers={"Authorization": header})
            assert (said.status_code, said.json()["code"]) == (401, "wrong_token"), (header, address)
        said = client.post("/games/g/commands", json={"say": "bid 1"}, headers={"Authorization": header})
        assert said.status_code == 401
    assert seats.get(None, "").json()["head"]["id"] == 1


def test_a_key_is_one_of_its_seat_alone(seats: Seats) -> None:
    """Keys stand open in the log. Who uses one of Red's neither learns of its bid nor is kept from his own (LS-2.5)."""
    bidding(seats)
    assert seats.get("blue", "entries").json()["entries"][1]["line"]["key"] == "red:k"
    for key in ("red:k", "k"):
        told = seats.post("blue", {"Do": "Bid", "pebbles": 4}, key=key, seat="red")
        assert told.json()["code"] == "not_your_seat", key
    first = seats.post("blue", {"Do": "Bid", "pebbles": 3}, key="k")
    assert (first.status_code, first.json()["repeated"]) == (201, False)
    assert seats.get("blue", "entries").json()["entries"][2]["line"]["key"] == "blue:k"
    again = seats.post("red", {"Do": "Bid", "pebbles": 3}, key="k").json()
    assert (again["repeated"], again["entries"][0]["id"], again["head"]["id"]) == (True, 2, 3)
    once_more = seats.post("blue", {"Do": "Bid", "pebbles": 3}, key="k").json()
    assert (once_more["repeated"], once_more["entries"]) == (True, first.json()["entries"])


def test_nobody_takes_up_a_key_that_another_will_use(seats: Seats) -> None:
    """Blue guesses the word that Red's program sends next: Red's bid is heard all the same (LS-2.5)."""
    assert seats.post("blue", {"Do": "Bid", "pebbles": 1}, key="red:k").status_code == 201
    assert seats.post("red", {"Do": "Bid", "pebbles": 3}, key="k").status_code == 201


@pytest.mark.parametrize("by", ("blue", ARBITER))
def test_dice_sent_again_by_another_are_not_answered_with_those_of_the_first(seats: Seats, by: str) -> None:
    """Red gave the dice under a key; under the same one another hears what the rules say to his own (LS-2.5, LS-4.6)."""
    for seat, pebbles in (("red", 3), ("blue", 1), ("green", 0)):
        seats.post(seat, {"Do": "Bid", "pebbles": pebbles})
    seats.post("red", {"Do": "Throw", "target": "blue"})
    dice = {"Do": "AnswerRoll", "faces": [1, 6]}
    assert seats.post("red", dice, key="d", seat=CHANCE).status_code == 201
    said = seats.post(by, dice, key="d", seat=CHANCE)
    assert (said.status_code, "key_used" in said.text) == (409, False)
    again = seats.post("red", dice, key="d", seat=CHANCE).json()
    assert (again["repeated"], again["entries"][0]["id"]) == (True, 6)


def test_nobody_holds_a_game_up_by_disputes(seats: Seats) -> None:
    """One is open a player; after the ruling the game goes on before the next, however fast it is sent (LS-5.5)."""
    bidding(seats)
    dispute = {"Do": "RaiseDispute", "at": 1, "claim": "the table is not level"}
    assert seats.post("blue", dispute).status_code == 201
    for at in (1, 2, 3):
        said = seats.post("blue", {**dispute, "at": at})
        assert said.json()["refusals"][0]["because"] == ["LS-5.5"]
    uphold = {"Do": "Rule", "reason": "it is", "dispute": 3, "verdict": {"Verdict": "Upheld"}}
    assert seats.post("blue", uphold).status_code == 409
    assert seats.post("arbiter", uphold).status_code == 201
    for at in (1, 2, 3, 4):
        assert seats.post("blue", {**dispute, "at": at}).json()["refusals"][0]["code"] == "just_ruled"
    assert seats.post("blue", {"Do": "Bid", "pebbles": 1}).status_code == 201
    assert seats.post("blue", {**dispute, "at": 5}).status_code == 201
