"""Every surface on which a game is shown to a seat or to who looks on: commands, pictures, exports, questions, HTTP.

Each takes a folder that holds the game in a store, and gives bytes. Digests are made alike; nothing else is: lengths,
headers, the order of things and the text of errors count.
"""

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from api.app import create_app
from api.settings import Settings
from events.chain import Head, hash_of
from events.jsonl import JsonlStore
from replay.cli import main
from replay.questions.queries import Corpus, Reading, questions
from replay.questions.tables import TABLES
from replay.session import Session
from replay.tokens import Tokens, tokens_file
from tests.games.dragonlords.twins import Reader, masked

__all__ = ["GAME", "answered", "kept", "shown_by_commands", "shown_by_http", "shown_by_questions", "unsalted"]

GAME = "twins"
WRONG = (
    "attck OR_n from OR_k with 1", "attack OR_n from XX with 1", "read scroll reflect in OR_n", "fight SC_ne",
    "take losses 1 dwarf.king", "dispute entry 99 so it was not", "cast fireball by dwarf.wizard.1 at unit",
    "flee dwarf.wizard.1 to FM_k",
)  # fmt: skip
"""Lines that no seat can play in any world: misspelled, of what is not there, or not asked."""
POSTED: tuple[dict[str, object], ...] = (
    {"Do": "Attack", "origin": "OR_k", "target": "XX"},
    {"Do": "TakeLosses", "losses": {"dwarf.king": 1}},
    {"Do": "ReadScroll", "place": "OR_n", "scroll": "nothing"},
    {"Do": "MoveHead", "to": 1},
    {"Do": "Deal", "card": "reflect"},
    {"Do": "Nothing"},
)
ROUTES = (
    "/games",
    *(
        f"/games/{GAME}{what}"
        for what in (
            "", "/entries", "/entries?since=2&limit=1", "/asks", "/state", "/state?at=2", "/state?at=999", "/verify",
            "/picture.svg", "/picture.svg?at=2&theme=dark", "/take-backs",
            "/nothing",
        )
    ),
)  # fmt: skip


def kept(session: Session, folder: Path) -> Path:
    """Keep a game in a store of its own in a folder."""
    folder.mkdir(parents=True)
    store, head = JsonlStore(folder / "games"), Head()
    for stored in session.store.read(session.game):
        store.append(GAME, stored.line, expected=head, openings=stored.openings)
        head = Head(stored.id, hash_of(stored.line))
    store.close()
    return folder


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _alike(text: bytes) -> bytes:
    """Return bytes with digests made alike, and the times of what was added here: only the twins' own clock stands."""
    return re.sub(
        rb"(?!2026-01-01T)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3})?)?", b"by the clock", masked(text)
    )


def _said(*call: str) -> bytes:
    """Return what a command of ours says: its exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*call, "--store", "games"])
    return _alike(f"{code}\n{out.getvalue()}\n{err.getvalue()}".encode())


def shown_by_commands(folder: Path, reader: Reader) -> Iterator[tuple[str, bytes]]:
    """Yield what every command says that takes `--as`, and what it writes."""
    eyes = ("--as", reader or "spectator")
    with _inside(folder):
        for call in (
            ("show", GAME), ("show", GAME, "--json"), ("show", GAME, "--at", "2", "--json"), ("asks", GAME, "--board"),
            ("asks", GAME, "--json"), ("log", GAME, "--facts"), ("log", GAME, "--json"), ("diff", GAME, "1", "3", "--json"),
            ("replay", GAME, "--plain"), ("replay", GAME, "--json"), ("sheet", GAME), ("verify", GAME, "--all", "--json"),
        ):  # fmt: skip
            yield " ".join(call), _said(*call, *eyes)
        for line in WRONG:
            yield line, _said("play", GAME, line if reader else f"orc: {line}", *eyes)
            yield f"why {line}", _said("why", GAME, line if reader else f"dwarf: {line}", *eyes)
        yield "roll", _said("roll", GAME, "9", *eyes)
        yield "restore", _said("restore", GAME, *eyes)
        if reader:
            yield "undo", _said("undo", GAME, "--to", "1", "--by", reader, *eyes)
        for theme in ("--dark", "--light"):
            yield "picture", _said("picture", GAME, "--out", "p.svg", "--force", theme, *eyes)
            yield f"the picture, {theme}", masked(Path("p.svg").read_bytes())
        yield "export", _said("export", GAME, "--out", "handed.jsonl", "--force", *eyes)
        for file in sorted(Path().glob("handed.*")):
            yield f"the file {file.name}", unsalted(file.read_bytes())
            file.unlink()


def unsalted(file: bytes) -> bytes:
    """Return bytes with digests and salts made alike: a salt that is not 16 bytes long is none."""
    return re.sub(rb'"salt":"[0-9a-f]{32}"', b'"salt":""', _alike(file))


def shown_by_questions(folder: Path, reader: Reader) -> Iterator[tuple[str, bytes]]:
    """Yield the answers to every named question, and to free SQL over every table, with what a reader may see."""
    with _inside(folder), Corpus(["games"], reading=Reading(as_seat=reader or "")) as corpus:
        for asked in questions("dragonlords"):
            yield asked.name, masked(corpus.ask(asked.name).to_csv().encode())
        for table in TABLES:
            yield table, masked(corpus.sql(f"SELECT * FROM {table} ORDER BY ALL").to_csv().encode())


def shown_by_http(folder: Path, reader: Reader) -> Iterator[tuple[str, bytes]]:
    """Yield what every route answers to a seat, or to somebody without a token: status, headers and body."""
    store = folder / "games"
    tokens = Tokens(tokens_file(store), JsonlStore(store)).hand_out(GAME, ("orc", "dwarf", "elf"))
    headers = {"Authorization": f"Bearer {tokens[reader]}"} if reader else {}
    with TestClient(create_app(Settings(store=store))) as client:
        for route in ROUTES:
            yield f"GET {route}", answered(client.get(route, headers=headers))
        for command in POSTED:
            for more in ({}, {"seat": "chance"}, {"question": "1.1.dwarf"}):
                body = {"command": command, **more}
                said = client.post(f"/games/{GAME}/commands", json=body, headers=headers)
                yield f"POST {body}", answered(said)


def answered(said: Any) -> bytes:
    headers = sorted((name, value) for name, value in said.headers.items() if name != "date")
    return unsalted(f"{said.status_code} {headers}\n".encode() + said.content)
