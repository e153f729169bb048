"""Take-backs over HTTP: asked for by one token, agreed to by each of the others, told live to all."""

import json
from typing import Any

import pytest

from core.consent import MOST_ALONE
from tests.api.conftest import Seats


@pytest.fixture
def thrown(seats: Seats) -> Seats:
    """A game of three in which red threw at blue: bids 2 to 4, the throw 5, the dice 6."""
    for seat, pebbles in (("red", 3), ("blue", 1), ("green", 0)):
        assert seats.post(seat, {"Do": "Bid", "pebbles": pebbles}).status_code == 201
    assert seats.post("red", {"Do": "Throw", "target": "blue"}).status_code == 201
    assert seats.post("red", {"Do": "AnswerRoll", "faces": [1, 6]}, seat="chance").status_code == 201
    return seats


def ask(seats: Seats, by: str, to: int, **more: Any) -> Any:
    return seats.client.post(
        f"/games/{seats.game}/take-backs", json={"to": to, **more}, headers=seats.headers(by)
    )


def answer(seats: Seats, by: str | None, proposal: int, **body: Any) -> Any:
    return seats.client.post(
        f"/games/{seats.game}/take-backs/{proposal}", json=body, headers=seats.headers(by)
    )


def test_a_take_back_goes_through_when_each_others_token_has_agreed(thrown: Seats) -> None:
    """Red asks, blue and green agree with their own tokens, and the game goes on from the entry before (LS-3.3)."""
    asked = ask(thrown, "red", 4, reason="wrong target")
    assert asked.status_code == 201, asked.text
    assert asked.json()["take_back"] == {
        "id": 7, "by": "red", "to": 4, "learned": ["entry 6: roll"], "reason": "wrong target", "agreed": [],
        "missing": ["blue", "green"],
    }  # fmt: skip
    assert answer(thrown, "green", 7, agree=True).json()["take_back"]["missing"] == ["blue"]
    last = answer(thrown, "blue", 7, agree=True).json()
    assert (last["take_back"], last["entries"][0]["parent"], last["entries"][0]["seat"]) == (None, 4, "blue")
    assert thrown.get(None, "state").json()["state"] == thrown.get(None, "state?at=4").json()["state"]
    assert thrown.get("arbiter", "verify").json()["ok"] is True


def test_one_token_does_not_lengthen_a_log_without_end(seats: Seats) -> None:
    """Twelve times red goes to and fro alone; the thirteenth it may only ask for, and the others say why not (LS-3.7)."""
    assert seats.post("red", {"Do": "Bid", "pebbles": 3}).status_code == 201
    answers = [ask(seats, "red", 2 if n % 2 else 1).json() for n in range(MOST_ALONE)]
    assert [each["take_back"] for each in answers] == [None] * MOST_ALONE
    by_itself = seats.post("red", {"Do": "MoveHead", "to": 1, "agreed": ["red"]})
    assert by_itself.json()["refusals"][0]["because"] == ["LS-3.2", "LS-3.7"]
    asked = ask(seats, "red", 1).json()["take_back"]
    assert (asked["learned"], asked["missing"]) == (["entry 14: 12 times in a row alone"], ["blue", "green"])
    (told,) = (each for each in seats.get("blue", "asks").json() if each["kind"] == "take_back")
    assert told["prompt"].endswith(
        "alone it may not, for the game went to and fro 12 times in a row alone, and nobody else has had a say since"
    )
    assert answer(seats, "blue", asked["id"], agree=False).status_code == 201
    head = seats.get(None, "").json()["head"]
    for what in ("take-backs", "commands"):
        for to in (1, 2, head["id"]):
            body: dict[str, Any] = (
                {"to": to} if what == "take-backs" else {"command": {"Do": "MoveHead", "to": to}}
            )
            said = seats.client.post(f"/games/{seats.game}/{what}", json=body, headers=seats.headers("red"))
            assert said.status_code == 409
    assert seats.get(None, "").json()["head"] == head, "nothing that red alone can send is added any more"
    assert seats.get("arbiter", "verify").json()["ok"] is True


def test_no_token_agrees_for_another_seat_and_none_without_a_seat(thrown: Seats) -> None:
    """One token gives one agreement, however often and in whatever words it says so (LS-3.4)."""
    ask(thrown, "red", 4)
    assert answer(thrown, "red", 7, agree=True).json()["refusals"][0]["code"] == "not_asked_to_agree"
    assert answer(thrown, None, 7, agree=True).json()["code"] == "no_token"
    assert answer(thrown, "arbiter", 7, agree=True).status_code == 409
    assert answer(thrown, "green", 7, agree=True).status_code == 201
    assert answer(thrown, "green", 7, agree=True).status_code == 409
    for command in (
        {"Do": "AgreeToTakeBack", "proposal": 7},
        {"Do": "AgreeToTakeBack", "proposal": 7, "to": 4},
    ):
        assert thrown.post("green", command).status_code == 409
        assert thrown.post("green", command, seat="blue").json()["code"] == "not_your_seat"
        assert thrown.post("red", command, seat="chance").json()["code"] == "not_your_seat"
    assert thrown.get(None, "").json()["head"]["id"] == 8


def test_an_agreement_is_true_or_false_and_nothing_like_it(thrown: Seats) -> None:
    """What is no clear yes or no is not taken for one, and nothing is written."""
    ask(thrown, "red", 4)
    for body in ({}, {"agree": "yes"}, {"agree": 1}, {"agree": None}, {"agree": True, "seat": "green"}):
        assert answer(thrown, "blue", 7, **body).json()["code"] == "bad_shape", body
    assert answer(thrown, "blue", 2**60, agree=True).status_code == 404
    assert thrown.get(None, "").json()["head"]["id"] == 7


def test_a_refusal_and_a_move_end_what_is_asked(thrown: Seats) -> None:
    """After a refusal, or once the game has gone on, nobody can agree any more (LS-3.5)."""
    ask(thrown, "red", 4)
    assert answer(thrown, "blue", 7, agree=False, reason="fair is fair").status_code == 201
    assert answer(thrown, "green", 7, agree=True).json()["refusals"][0]["because"] == ["LS-3.5"]
    assert ask(thrown, "red", 4).json()["refusals"][0]["code"] == "asked_before"
    asked = ask(thrown, "green", 4).json()["take_back"]["id"]
    assert thrown.post("blue", {"Do": "Bid", "pebbles": 0}).status_code == 201
    assert thrown.get(None, "take-backs").json() == {"take_back": None}
    assert answer(thrown, "blue", asked, agree=True).status_code == 409


def test_where_nobody_is_to_agree_a_take_back_is_done_at_once(seats: Seats) -> None:
    """A bid that told nothing is taken back by its seat alone, and by the arbiter anything is (LS-3.2)."""
    seats.post("red", {"Do": "Bid", "pebbles": 3})
    done = ask(seats, "red", 1)
    assert (done.status_code, done.json()["take_back"], done.json()["entries"][0]["parent"]) == (201, None, 1)
    assert ask(seats, "arbiter", 2).status_code == 201
    assert ask(seats, "red", 99).json()["refusals"][0]["code"] == "no_such_entry"


def test_the_same_key_asks_once(thrown: Seats) -> None:
    """A proposal sent again under its key is the same entry (LS-2.5)."""
    first, again = ask(thrown, "red", 4, key="k"), ask(thrown, "red", 4, key="k")
    assert again.json()["entries"] == first.json()["entries"]
    assert again.json()["repeated"] is True


def test_everybody_learns_that_agreement_is_asked_and_of_whom(thrown: Seats) -> None:
    """Asks and the live stream name the proposal and who has not answered, to every token and to spectators (LS-3.3)."""
    ask(thrown, "red", 4)
    answer(thrown, "green", 7, agree=True)
    for holder in ("red", "blue", "green", "arbiter", None):
        (told,) = [each for each in thrown.get(holder, "asks").json() if each["kind"] == "take_back"]
        assert (told["proposal"]["id"], told["may_answer"]) == (7, ["blue"]), holder
        events = stream(thrown, holder, "stream?since=6&idle=0")
        assert [kind for kind, _ in events] == ["entry", "entry", "asked"], holder
        assert [each["may_answer"] for each in events[-1][1]["asks"] if each["kind"] == "take_back"] == [
            ["blue"]
        ]


def test_what_is_said_in_words_asks_and_agrees_as_well(thrown: Seats) -> None:
    """`propose to go back to`, `agree to` and `refuse` are lines that a seat can say."""

    def say(by: str, line: str) -> Any:
        body = {"say": line}
        return thrown.client.post("/games/g/commands", json=body, headers=thrown.headers(by))

    assert (
        say("red", "propose to go back to 4 because wrong target").json()["take_back"]["reason"]
        == "wrong target"
    )
    assert say("green", "refuse 7 because it was fair").json()["take_back"] is None
    assert say("blue", "propose to go back to 4").json()["take_back"]["id"] == 9
    assert say("green", "agree to 9").status_code == 201
    assert say("green", "red: agree to 9").json()["code"] == "not_your_seat"
    assert say("red", "agree to nine").json()["code"] == "bad_text"
    assert say("red", "agree to 9").json()["entries"][0]["parent"] == 4


def test_the_log_keeps_who_gave_the_dice(thrown: Seats) -> None:
    """Typed dice are an entry of chance; the seat whose token gave them stands beside it."""
    assert thrown.get(None, "entries").json()["entries"][5]["line"]["actor"] == "red"


def stream(seats: Seats, holder: str | None, path: str) -> list[tuple[str, Any]]:
    """Return the events of a stream that ends by itself."""
    said = seats.get(holder, path)
    assert said.headers["content-type"].startswith("text/event-stream")
    told = []
    for event in said.text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in event.splitlines())
        told.append((fields["event"], json.loads(fields["data"])))
    return told


def test_a_stream_tells_each_seat_only_what_it_may_read(seats: Seats) -> None:
    """The bid of red is opened to red alone, on the stream as in the log."""
    seats.post("red", {"Do": "Bid", "pebbles": 3})
    for holder, opened in (("red", True), ("blue", False), (None, False)):
        events = stream(seats, holder, "stream?since=1&idle=0")
        assert [bool(data["openings"]) for kind, data in events if kind == "entry"] == [opened]
        assert ('"bid":3' in json.dumps(events).replace(" ", "")) is opened


def test_a_stream_goes_on_where_a_reader_left_it(thrown: Seats) -> None:
    """`Last-Event-ID` is what a browser sends after a break; entries before it are not sent again."""
    said = thrown.client.get("/games/g/stream?idle=0", headers={"Last-Event-ID": "5"})
    assert "id: 6\n" in said.text
    assert "id: 5\n" not in said.text
    assert thrown.client.get("/games/none/stream?idle=0").json()["code"] == "no_such_game"


def test_waiting_for_entries_ends_when_one_comes_or_time_is_up(seats: Seats) -> None:
    """A long poll answers at once with what is there, and with nothing when nothing came."""
    assert seats.get(None, "entries?since=0&wait=30").json()["head"]["id"] == 1
    assert seats.get(None, "entries?since=1&wait=0.05").json()["entries"] == []
