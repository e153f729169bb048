"""Live streams: entries as they come, each followed by who is asked then, as the token's seat may read it."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool

from api.asked import asked_now
from api.desk import Desk
from api.problems import Raised
from core.harmless import harmless_json
from events.event import Seat

__all__ = ["entries_after", "live", "next_entries"]

LOOK = 0.5
"""Seconds after which the store is looked at even when no bell rang: another process may have written."""
BREATH = 15.0
"""Seconds after which a silent stream says that it still lives."""


def entries_after(
    desk: Desk, game: str, seat: Seat | None, since: int, most: int
) -> tuple[list[dict[str, Any]], Any]:
    """Return up to `most` entries after one, as a seat may read them with its openings, and the head."""
    with desk.session(game) as session:
        held = []
        for line, openings in session.lines_as(seat, since):
            held.append({"line": msgspec.Raw(line), "openings": openings})
            if len(held) >= most:
                break
        return held, session.head


async def next_entries(
    desk: Desk, game: str, seat: Seat | None, since: int, most: int, wait: float
) -> tuple[list[dict[str, Any]], Any]:
    """Return the entries after one, waiting so many seconds for the first of them."""
    ends = time.monotonic() + wait
    with desk.bell.listening(game) as ear:
        while True:
            ear.clear()
            held, head = await run_in_threadpool(entries_after, desk, game, seat, since, most)
            left = ends - time.monotonic()
            if held or left <= 0 or desk.bell.ended:
                return held, head
            await ear.wait(min(LOOK, left))


async def live(
    desk: Desk, game: str, authorization: str | None, since: int, idle: float | None
) -> AsyncIterator[bytes]:
    """Yield server-sent events: `entry` for each entry after one, `asked` when all that there are were told.

    Ends when nothing came for `idle` seconds (None: never), when the token stands for nothing any more, or with the service.
    """
    told, quiet, said = since, time.monotonic(), False
    with desk.bell.listening(game) as ear:
        while not desk.bell.ended:
            ear.clear()
            try:
                seat = await run_in_threadpool(desk.seat, game, authorization)
                held, asked = await run_in_threadpool(_news, desk, game, seat, told, said)
            except Raised as fault:
                yield _event("problem", harmless_json(msgspec.json.encode(fault.problem)))
                return
            for number, each in held:
                yield _event("entry", msgspec.json.encode(each), number)
                told = number
            if asked is not None:
                yield _event("asked", harmless_json(msgspec.json.encode(asked)))
                said = True
            if held or asked is not None:
                quiet = time.monotonic()
                continue
            silent = time.monotonic() - quiet
            if idle is not None and silent >= idle:
                return
            if silent >= BREATH:
                yield b": still here\n\n"
                quiet = time.monotonic() if idle is None else quiet
            await ear.wait(LOOK if idle is None else min(LOOK, max(idle - silent, 0.01)))
            await asyncio.sleep(0)


def _news(
    desk: Desk, game: str, seat: Seat | None, since: int, said: bool
) -> tuple[list[tuple[int, dict[str, Any]]], dict[str, Any] | None]:
    """Return a page of entries after one with their numbers, and once there are no more who is asked, unless that was said."""
    held, head = entries_after(desk, game, seat, since, 200)
    numbered = list(enumerate(held, since + 1))
    if since + len(held) < head.id or (said and not held):
        return numbered, None
    with desk.session(game) as session:
        return numbered, asked_now(session, seat) if session.head == head else None


def _event(kind: str, data: bytes, number: int | None = None) -> bytes:
    name = b"" if number is None else b"id: %d\n" % number
    return name + b"event: %s\ndata: %s\n\n" % (kind.encode(), data)
