"""The door: pages that need no network, problems for everything that goes wrong, pictures and states for each seat's eyes."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import create_app
from api.desk import Desk
from api.problems import CODES
from api.settings import Settings
from events.stores import open_store
from replay.session import Session
from replay.tokens import Tokens, tokens_file
from tests.api.conftest import Seats

POSITION = {
    "turn": [{"seat": "orc", "phase": "combat"}],
    "units": [{"seat": "orc", "place": "OR_k", "count": 6}, {"seat": "dwarf", "place": "OR_n", "count": 3}],
}
QUEST = {
    "turn": [{"seat": "orc", "phase": "quest"}],
    "units": [
        {"seat": "orc", "place": "OR_k", "count": 3}, {"seat": "orc", "place": "WT02", "count": 4},
        {"seat": "elf", "place": "SC_k", "count": 3}, {"seat": "dwarf", "place": "FM_k", "count": 3},
    ],
    "items": [{"seat": "orc", "items": {"torch": 1, "pickaxe": 1}, "place": "WT02"}],
}  # fmt: skip


@pytest.fixture
def battle(client: TestClient) -> Seats:
    """A game of DragonLords of four in which the Orcs may attack."""
    body = {
        "game": "net",
        "rules": "dragonlords",
        "seats": ["orc", "elf", "dwarf", "barbarian"],
        "position": POSITION,
    }
    opened = client.post("/games", json=body)
    assert opened.status_code == 201, opened.text
    return Seats(client, "net", opened.json()["tokens"])


def opened_with(client: TestClient, **body: Any) -> dict[str, Any]:
    """Return the answer to the opening of a game of DragonLords of two."""
    said = client.post(
        "/games", json={"game": "w", "rules": "dragonlords", "seats": ["orc", "dwarf"], **body}
    )
    assert said.status_code == 201, said.text
    answer: dict[str, Any] = said.json()
    return answer


def say(seats: Seats, by: str, line: str, **more: str) -> Any:
    body = {"say": line, **more}
    return seats.client.post(f"/games/{seats.game}/commands", json=body, headers=seats.headers(by))


def test_the_first_page_says_what_this_is_and_where_to_go(client: TestClient) -> None:
    """`/` answers programs in JSON and people with a page, and every address on it is there."""
    told = client.get("/").json()
    assert set(told["see"]) > {"/docs", "/games", "/rules"}
    page = client.get("/", headers={"accept": "text/html"})
    assert page.headers["content-type"].startswith("text/html")
    for address in told["see"]:
        assert f'href="{address}"' in page.text
        assert client.get(address).status_code == 200


def test_the_description_of_the_routes_loads_nothing_from_elsewhere(client: TestClient) -> None:
    """`/docs` names every route and every problem, and has no script, no picture and no address of another host."""
    page = client.get("/docs").text
    for path in client.get("/openapi.json").json()["paths"]:
        assert path in page
    assert all(f"<code>{code}</code>" in page for code in CODES)
    assert not re.search(r"<script|<link|<img|src=|@import|url\(|https?://", page)


def test_every_problem_has_a_page_of_its_own(battle: Seats) -> None:
    """The `type` of a problem is an address here that says what the code means (RFC 9457)."""
    said = battle.client.get("/games/none")
    assert said.headers["content-type"] == "application/problem+json"
    problem = said.json()
    assert (problem["status"], problem["type"]) == (404, "/problems/no_such_game")
    assert battle.client.get(problem["type"]).json()["title"] == problem["title"]
    assert battle.client.get("/problems/none").json()["code"] == "no_such_problem"


def test_what_is_missing_around_a_body_is_said(client: TestClient) -> None:
    """No body, no content type, another one, and no JSON are four things, each with its own code."""
    for headers, content, status, code in (
        ({}, b"", 422, "no_body"),
        ({}, b'{"game": "g"}', 415, "not_json"),
        ({"content-type": "text/plain"}, b'{"game": "g"}', 415, "not_json"),
        ({"content-type": "application/json"}, b'{"game": ', 422, "bad_json"),
        ({"content-type": "application/json"}, b"[]", 422, "bad_shape"),
    ):
        said = client.post("/games", content=content, headers=headers)
        assert (said.status_code, said.json()["code"]) == (status, code), (headers, content)
    assert "application/json" in client.post("/games", content=b"{}").json()["detail"]


def test_no_address_answers_with_anything_but_json_or_a_problem(battle: Seats) -> None:
    """Wrong methods, addresses, numbers and names end in a problem, never in a page or a bare word."""
    for method, path, status in (
        ("DELETE", "/games", 405),
        ("PUT", "/games/net", 405),
        ("GET", "/nowhere", 404),
        ("GET", "/games/%00", 404),
        ("GET", "/games/a b/asks", 404),
        ("GET", f"/games/{'x' * 3000}", 404),
        ("GET", "/games/net/state?at=x", 422),
        ("GET", "/games/net/state?at=99999999999999999999", 404),
        ("GET", "/games/net/picture.svg?theme=pink", 422),
        ("GET", "/games/net/picture.svg?at=77", 404),
        ("GET", "/games/net/entries?wait=1e9", 422),
    ):
        said = battle.client.request(method, path)
        assert said.status_code == status, (path, said.text)
        assert said.headers["content-type"] == "application/problem+json", path
        assert said.json()["code"] in CODES
    assert battle.client.delete("/games").headers["allow"]
    assert battle.client.get("/games/net/asks", headers={"Authorization": "Bearer x"}).headers[
        "www-authenticate"
    ]


def test_a_fault_of_the_service_tells_nothing_of_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What breaks inside is a problem with status 500, without the words of the exception, which may name a secret."""

    def broken(*_: Any) -> Any:
        raise RuntimeError("the king hides in OR_ne")

    app = create_app(Settings(store=tmp_path / "s.db"))
    monkeypatch.setattr(Desk, "session", broken)
    with TestClient(app, raise_server_exceptions=False) as client:
        said = client.get("/games/g")
    assert (said.status_code, said.json()["code"]) == (500, "fault")
    assert "king" not in said.text


def test_every_token_learns_what_chance_is_asked_and_who_may_answer(battle: Seats) -> None:
    """Dice are asked of everybody to see: which, how many, for whom; the thrower or the arbiter gives them."""
    assert say(battle, "orc", "attack OR_n from OR_k with 5").status_code == 201
    assert say(battle, "orc", "fight").status_code == 201
    for holder in ("orc", "elf", "dwarf", "arbiter", None):
        (told,) = battle.get(holder, "asks").json()
        assert (told["seat"], told["wanted"]) == ("chance", "5 d6 of orc for attack"), holder
        assert told["may_answer"] == ["orc", "arbiter"]
        assert told["offers"][0]["fields"]["faces"]["count"] == 5
    refused = say(battle, "barbarian", "dice: 1 3 5 6 2")
    assert refused.status_code == 403
    assert refused.json()["refusals"][0]["because"] == ["LS-4.6"]
    assert refused.json()["detail"] == "orc or arbiter gives 5 d6 of orc for attack; not barbarian."
    assert say(battle, "orc", "dice: 1 3 5 6 2").status_code == 201


def test_a_card_that_not_everybody_sees_is_the_arbiters_to_give(client: TestClient) -> None:
    """That a scroll is drawn is asked of everybody to see; which are left is shown to the arbiter, who alone gives it (LS-4.6)."""
    body = {"game": "s", "rules": "dragonlords", "seats": ["orc", "elf"]}
    seats = Seats(client, "s", client.post("/games", json=body).json()["tokens"])
    for holder in ("orc", "elf", "arbiter", None):
        (told,) = seats.get(holder, "asks").json()
        assert (told["draw"]["to"], told["may_answer"]) == ("orc", ["arbiter"]), holder
        assert ("card" in told["offers"][0]["fields"]) is (holder == "arbiter"), holder
    for holder in ("orc", "elf"):
        for line in ("card: reflect", "card: ?", "card: none such"):
            said = say(seats, holder, line)
            assert (said.status_code, said.json()["code"]) == (403, "not_your_seat"), (holder, line)
            assert said.json()["refusals"][0]["because"] == ["LS-4.6"]
            assert said.json()["detail"] == (
                f"arbiter gives a card from scrolls for orc, which not everybody sees; not {holder}."
            )
    assert say(seats, "arbiter", "card: reflect").status_code == 201


def test_a_card_that_everybody_sees_is_given_by_who_draws_it(client: TestClient) -> None:
    """A quest card is read out: who draws it may type it, and everybody is told which are left (QD-6.10, LS-4.6)."""
    body = {"game": "q", "rules": "dragonlords", "seats": ["orc", "elf", "dwarf"], "position": QUEST}
    seats = Seats(client, "q", client.post("/games", json=body).json()["tokens"])
    for by, line in (("orc", "move party WT02"), ("orc", "dice: 3"), ("orc", "travel to WT05")):
        assert say(seats, by, line).status_code == 201, line
    (told,) = seats.get(None, "asks").json()
    drawer = told["draw"]["to"]
    assert (drawer != "orc", told["may_answer"]) == (True, [drawer, "arbiter"])
    left = told["offers"][0]["fields"]["card"]["values"]
    assert "Q10" in left
    assert seats.get("orc", "asks").json() == [told]
    assert say(seats, "orc", "card: Q10").status_code == 403
    wrong = say(seats, drawer, "card: Q10 Q11")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad_text")
    assert say(seats, drawer, "card: Q10").json()["entries"][0]["command"]["card"] == "Q10"


def test_a_dispute_is_told_to_everybody_as_the_arbiters_to_answer(battle: Seats) -> None:
    """While a dispute is open only the arbiter is asked, and every token learns it (LS-5.1)."""
    assert say(battle, "elf", "dispute entry 1 the table is not level").status_code == 201
    for holder in ("orc", "elf", "arbiter", None):
        told = battle.get(holder, "asks").json()
        assert [(each["kind"], each["may_answer"]) for each in told] == [("dispute", ["arbiter"])], holder
    assert say(battle, "elf", "arbiter: uphold because it is").json()["code"] == "not_your_seat"
    assert say(battle, "arbiter", "uphold because it is").status_code == 201


def test_a_line_that_can_not_be_read_names_its_column_and_what_was_expected(battle: Seats) -> None:
    """The text form has the errors of a scoresheet, counted from the line as it was sent."""
    said = say(battle, "orc", "attack OR_n from OR_k wiht 5")
    assert (said.status_code, said.json()["code"]) == (422, "bad_text")
    assert said.json()["detail"].startswith("column 23: ")
    assert (
        say(battle, "orc", " orc:  attack OR_n from OR_k wiht 5").json()["detail"].startswith("column 30: ")
    )
    both = battle.post("orc", {"Do": "Fight"}, say="fight")
    neither = battle.client.post("/games/net/commands", json={}, headers=battle.headers("orc"))
    for said in (both, neither):
        assert (said.status_code, said.json()["code"]) == (422, "bad_shape")
    assert battle.get(None, "").json()["head"]["id"] == 1


def test_a_line_calls_a_wizard_as_a_sheet_does(client: TestClient) -> None:
    """`wizard` said by a seat is its own first one, where a spell user is named too (QD-14.1)."""
    position = {
        "turn": [{"seat": "elf", "phase": "transfer"}],
        "units": [
            {"seat": "elf", "place": "FM_s", "count": 3},
            {"seat": "elf", "place": "FM_k", "count": 3},
            {"seat": "orc", "place": "OR_k", "count": 3},
        ],
        "chip": [{"seat": "elf", "chip": "elf.wizard.1", "place": "FM_s"}],
        "spells": [{"chip": "elf.wizard.1", "spells": ["heal", "fireball", "teleport"]}],
    }
    body = {"game": "net", "rules": "dragonlords", "seats": ["elf", "orc"], "position": position}
    seats = Seats(client, "net", client.post("/games", json=body).json()["tokens"])
    said = say(seats, "elf", "teleport wizard to FM_k from FM_s")
    assert said.status_code == 201, said.text
    assert (
        '"caster":"elf.wizard.1"' in seats.client.get("/games/net/entries", headers=seats.headers("elf")).text
    )


def test_what_is_said_in_anothers_name_is_refused_unread(battle: Seats) -> None:
    """A line that speaks as another seat is refused alike, however it goes on: what that seat could answer is not told."""
    for before in ("orc: ", "ORC: ", "arbiter: "):
        told = [
            say(battle, "dwarf", f"{before}{rest}") for rest in ("xx", "attack", "end", "read scroll", "5")
        ]
        assert {one.status_code for one in told} == {403}, before
        assert len({one.text for one in told}) == 1, before
        assert "attack" not in told[0].text
    assert say(battle, "dwarf", "xx", seat="orc").status_code == 403


def test_a_seats_picture_is_kept_by_no_cache_that_others_use(battle: Seats) -> None:
    """Pictures and all other answers hang on the token; a seat's are private, and the same picture is not sent twice."""
    say(battle, "orc", "attack OR_n from OR_k with 5")
    for holder, cache in (
        ("orc", "private, no-cache"),
        ("arbiter", "private, no-cache"),
        (None, "public, no-cache"),
    ):
        said = battle.get(holder, "picture.svg?at=2&theme=dark")
        assert said.status_code == 200, said.text
        assert said.headers["content-type"].startswith("image/svg+xml")
        assert (said.headers["cache-control"], said.headers["vary"]) == (cache, "Authorization")
        again = battle.client.get(
            "/games/net/picture.svg?at=2&theme=dark",
            headers={**battle.headers(holder), "If-None-Match": said.headers["etag"]},
        )
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == cache
    assert "as orc may see it" in battle.get("orc", "picture.svg").text
    for path in ("state", "entries", "asks", "take-backs", ""):
        answered = battle.get("orc", path)
        assert answered.headers["cache-control"] == "no-store", path
        assert answered.headers["vary"] == "Authorization"


def test_the_arbiter_looks_with_the_eyes_of_any_seat_and_nobody_else_does(seats: Seats) -> None:
    """`as` shows what a seat could know at an entry; a seat sees itself or a spectator, never another (`show --as`)."""
    seats.post("red", {"Do": "Bid", "pebbles": 3})
    assert seats.get("arbiter", "state?at=2&as=red").json()["state"]["bids"] == {"red": 3}
    assert seats.get("arbiter", "state?at=2&as=blue").json()["state"]["bids"] == {}
    own = seats.get("red", "state?at=2&as=spectator").json()
    assert (own["as"], own["state"]["bids"], own["entry"]["id"]) == ("spectator", {}, 2)
    for what in ("state", "picture.svg"):
        for holder in ("blue", None):
            said = seats.get(holder, f"{what}?as=red")
            assert (said.status_code, said.json()["code"]) == (403, "not_your_seat")
        assert seats.get("arbiter", f"{what}?as=pink").json()["code"] == "no_such_seat"


def test_a_game_begun_elsewhere_is_played_with_tokens_made_for_it(tmp_path: Path, toys: None) -> None:
    """Tokens for a game of the command line lie beside its store; new ones end the old (`lawspeaker tokens`)."""
    from core import games

    store, path = open_store(tmp_path / "club.db"), tmp_path / "club.db"
    Session.create(store, games.load("skirmish"), game="g", seats=("red", "blue"))
    tokens = Tokens(tokens_file(path), store)
    old = tokens.hand_out("g", ("red", "blue"))
    with TestClient(create_app(Settings(store=path))) as client:
        assert Seats(client, "g", old).post("red", {"Do": "Bid", "pebbles": 1}).status_code == 201
        new = tokens.hand_out("g", ("blue",))
        assert (
            Seats(client, "g", old).post("blue", {"Do": "Bid", "pebbles": 1}).json()["code"] == "wrong_token"
        )
        assert Seats(client, "g", new).post("blue", {"Do": "Bid", "pebbles": 1}).status_code == 201


def test_as_chance_nothing_is_heard_but_dice_and_cards(seats: Seats) -> None:
    """A token that may give dice does nothing else in the name of chance."""
    for seat, pebbles in (("red", 3), ("blue", 1), ("green", 0)):
        seats.post(seat, {"Do": "Bid", "pebbles": pebbles})
    seats.post("red", {"Do": "Throw", "target": "blue"})
    for command in (
        {"Do": "MoveHead", "to": 1},
        {"Do": "RaiseDispute", "at": 1, "claim": "x"},
        {"Do": "Bid", "pebbles": 1},
    ):
        assert seats.post("red", command, seat="chance").json()["code"] == "not_your_seat"


# what a position leaves out


def test_an_opening_says_what_its_position_leaves_out(client: TestClient) -> None:
    """The same sentences as the command line has for the same position: nobody without a king can be beaten (QD-22.1)."""
    (said,) = opened_with(client, position=POSITION)["warnings"]
    assert said.startswith("orc and dwarf have no king on the board.")
    assert '`[[chip]]` with seat = "orc", chip = "orc.king", place = "OR_k"' in said


def test_an_opening_says_which_phase_is_over_before_anybody_is_asked(client: TestClient) -> None:
    """A position that begins at sea without a ship passes over that phase (QD-5.1)."""
    position = {**POSITION, "turn": [{"seat": "orc", "phase": "sea"}]}
    warnings = opened_with(client, position=position)["warnings"]
    assert any("QD-5.1" in said for said in warnings)


def test_a_position_that_leaves_nothing_out_and_a_whole_game_are_opened_without_a_warning(
    client: TestClient,
) -> None:
    """The list is there, and empty."""
    kings = [
        {"seat": "orc", "chip": "orc.king", "place": "OR_k"},
        {"seat": "dwarf", "chip": "dwarf.king", "place": "OR_n"},
    ]
    assert opened_with(client, position={**POSITION, "chip": kings})["warnings"] == []
    assert opened_with(client, game="whole")["warnings"] == []


def test_the_description_says_what_an_opening_answers(client: TestClient) -> None:
    """Programs find its shape in `/openapi.json`, people its fields in `/docs`."""
    schema = client.get("/openapi.json").json()
    answer = schema["paths"]["/games"]["post"]["responses"]["201"]["content"]["application/json"]["schema"]
    shape = schema["components"]["schemas"][answer["$ref"].rpartition("/")[2]]
    assert set(shape["properties"]) == set(opened_with(client, position=POSITION))
    assert "<code>warnings</code> (answer)" in client.get("/docs").text
