"""Two services that hold twin games, attacked alike: whoever may not know what parts them must be answered the same bytes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from fastapi.testclient import TestClient
from msgspec import structs

from api.app import create_app
from api.settings import Settings
from core.games.dragonlords import RULES
from core.seats import ARBITER
from events.jsonl import JsonlStore
from replay.picture_text import cards
from replay.session import Session
from replay.tokens import Tokens, tokens_file
from tests.api.conftest import Seats
from tests.games.dragonlords.surfaces import GAME, answered, kept
from tests.games.dragonlords.twins import Leak, Pair, Reader
from tests.laws.worlds import perturbed

__all__ = ["Attack", "attacked", "commands_at_random", "guessed", "words_of_the_game"]

REVEALING = {kind.__struct_config__.tag for kind in RULES.facts if kind.REVEALS} | {
    "HandSeen",
    "ScrollsPassed",
}
"""The facts that are there to tell somebody a secret; what happens by a command that the rules allow may part the twins."""


class Attack:
    """Twin games behind HTTP, and one who may not know what parts them: a seat by its token, or None without any."""

    def __init__(self, pair: Pair, games: tuple[Seats, Seats], reader: Reader) -> None:
        self.session, self.games, self.reader = pair.first, games, reader
        self.words = words_of_the_game(pair)
        self.compared = self.accepted = 0

    @property
    def head(self) -> int:
        """The last entry: of both games the same."""
        return int(self.games[0].get(None, "").json()["head"]["id"])

    def get(self, what: str, *, method: str = "GET", **headers: str) -> Any:
        """Ask both games for the same, and return what the first answers; raise `Leak` when the answers differ."""
        path = f"/games/{GAME}/{what}" if what else f"/games/{GAME}"
        told = [
            game.client.request(method, path, headers=game.headers(self.reader) | headers)
            for game in self.games
        ]
        self._same(f"{method} {path} {headers or ''}", told)
        return told[0]

    def post(self, what: str, body: Any, **headers: str) -> Any:
        """Post the same to both games, and return what the first answers; raise `Leak` when the answers differ.

        What the rules allow is taken back by the arbiter at once, so that every guess is made at the same moment.
        """
        before = self.head
        told = [
            game.client.post(f"/games/{GAME}/{what}", json=body, headers=game.headers(self.reader) | headers)
            for game in self.games
        ]
        if not (told[0].status_code == told[1].status_code == 201 and _reveals(told)):
            self._same(f"POST {what} {body}", told)
        if told[0].status_code == 201:
            self.accepted += 1
            for game in self.games:
                back = game.post(ARBITER, {"Do": "MoveHead", "to": before})
                assert back.status_code == 201, back.text
        return told[0]

    def _same(self, what: str, told: list[Any]) -> None:
        one, other = map(answered, told)
        self.compared += 1
        assert told[0].status_code < 500, (what, told[0].text)
        if one != other:
            raise Leak(f"{self.reader or 'a spectator'} can tell by {what}: {one!r} or {other!r}")


def _reveals(told: list[Any]) -> bool:
    """Return whether the first facts that differ in two answers are there to reveal what was secret."""
    facts = [[fact for entry in one.json()["entries"] for fact in entry["facts"]] for one in told]
    parting = next((pair for pair in zip(*facts, strict=False) if pair[0] != pair[1]), ())
    return any(fact["Fact"].partition(".")[0] in REVEALING for fact in parting)


@contextmanager
def attacked(pair: Pair, folder: Path) -> Iterator[tuple[Seats, Seats]]:
    """Serve both games of a pair, each from a store of its own, with tokens for all who sit there."""
    stores = [kept(session, folder / name) / "games" for session, name in zip(pair.both, "ab", strict=True)]
    held = [
        Tokens(tokens_file(store), JsonlStore(store)).hand_out(GAME, (*pair.world.seats, ARBITER))
        for store in stores
    ]
    with (
        TestClient(create_app(Settings(store=stores[0])), raise_server_exceptions=False) as one,
        TestClient(create_app(Settings(store=stores[1])), raise_server_exceptions=False) as other,
    ):
        yield Seats(one, GAME, held[0]), Seats(other, GAME, held[1])


def words_of_the_game(pair: Pair) -> tuple[str, ...]:
    """Return what could be guessed: every chip, scroll, treasure and quest card, the seats, and the places that matter."""
    chips = [
        f"{seat}.{kind}" for seat in pair.world.seats for kind in ("king", "wizard.1", "wizard.2", "blank")
    ]
    dealt = [card for deck in ("scrolls", "treasures", "quest_cards") for card in cards(RULES, deck)]
    return tuple(
        dict.fromkeys((*chips, *dealt, *pair.world.seats, *sorted(pair.world.about), "?", "", "nothing"))
    )


def guessed(session: Session, seat: str, words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield what a seat is offered with each word in the place of each text, list or count of things, one after another."""
    seen: set[bytes] = set()
    for ask in session.asks(seat):
        for offer in ask.offers:
            command = offer.sample(Random(1).randrange)
            for name in command.__struct_fields__:
                for word in words:
                    plain = _plain(command)
                    plain[name] = _in_place_of(getattr(command, name), word)
                    key = json.dumps(plain, sort_keys=True).encode()
                    if plain[name] is not None and key not in seen:
                        seen.add(key)
                        yield plain


def _plain(command: Any) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(command)
    return told | {name: msgspec.to_builtins(getattr(command, name)) for name in command.__struct_fields__}


def _in_place_of(value: Any, word: str) -> Any:
    """Return what names a word in the place of a value: a text, a list or a count of things; None for anything else."""
    if isinstance(value, str):
        return word
    if isinstance(value, tuple):
        return [word]
    return {word: 1} if isinstance(value, dict) else None


def commands_at_random(
    session: Session, words: tuple[str, ...], seed: int, times: int
) -> Iterator[dict[str, Any]]:
    """Yield commands that somebody may try who knows the rules: of other seats, of other moments, with other words."""
    choose = Random(seed).randrange
    for _ in range(times):
        found = perturbed(session.now, words, choose)
        if found is not None:
            yield _plain(structs.replace(found[1]))
