"""Routes that read: the log, what is asked, states and pictures at any entry, verification; each as a token's seat may see."""

from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Header, Query, Request, Response
from starlette.responses import StreamingResponse

from api.asked import asks_of
from api.desk import SPECTATOR, Desk
from api.problems import Raised
from api.schemas import Authorization, as_json
from api.settings import Settings
from api.stream import live, next_entries
from core.telling import Moment
from events.event import Seat
from events.seals import Opening
from replay.picture import picture as draw
from replay.plain import plain
from replay.session import Session
from replay.verifying.verify import verify_log
from replay.words.wording import asked_of

__all__ = ["add_reading"]

At = Annotated[int | None, Query(ge=0, description="The moment after this entry; now unless given.")]
As = Annotated[
    str | None,
    Query(
        alias="as",
        max_length=40,
        description="`spectator`; for the arbiter's token any seat. The token's own unless given.",
    ),
]


def add_reading(app: FastAPI, desk: Desk, settings: Settings) -> None:
    """Add the routes."""

    @app.get(
        "/games/{game}/entries", summary="The log, as the token's seat may read it; waits for what comes"
    )
    async def entries(
        game: str,
        since: Annotated[int, Query(ge=0, lt=2**53, description="Only entries after this one.")] = 0,
        limit: Annotated[int, Query(ge=1)] = 1_000,
        wait: Annotated[float, Query(ge=0, le=60, description="Seconds to wait for the first of them.")] = 0,
        authorization: Authorization = None,
    ) -> Response:
        seat = desk.seat(game, authorization)
        most = min(limit, settings.most_entries)
        held, head = await next_entries(desk, game, seat, since, most, wait)
        return as_json({"entries": held, "head": head}, exact=True)

    @app.get(
        "/games/{game}/stream", summary="Server-sent events: entries as they come, and who is asked then"
    )
    async def stream(
        game: str,
        since: Annotated[
            int | None, Query(ge=0, lt=2**53, description="Only entries after this one.")
        ] = None,
        idle: Annotated[
            float | None,
            Query(ge=0, description="End after so many seconds without news; never unless given."),
        ] = None,
        last_event_id: Annotated[str | None, Header()] = None,
        authorization: Authorization = None,
    ) -> Response:
        desk.seat(game, authorization)
        with desk.session(game):
            pass  # a game that is not there is a problem, not an empty stream
        seen = (
            int(last_event_id)
            if last_event_id and last_event_id.isdecimal() and len(last_event_id) < 17
            else 0
        )
        begin = since if since is not None else seen
        return StreamingResponse(
            live(desk, game, authorization, begin, idle), media_type="text/event-stream; charset=utf-8"
        )

    @app.get(
        "/games/{game}/asks",
        summary="What the token's seat is asked, with offers; what chance is asked and who may answer; who is to agree",
    )
    def asks(game: str, authorization: Authorization = None) -> Response:
        seat = desk.seat(game, authorization)
        with desk.session(game) as session:
            return as_json(asks_of(session, seat))

    @app.get(
        "/games/{game}/state",
        summary="The state after an entry, and that entry, as the token's seat may know it",
    )
    def state(game: str, at: At = None, whom: As = None, authorization: Authorization = None) -> Response:
        holder = desk.seat(game, authorization)
        with desk.session(game) as session:
            seat = desk.eyes(session, holder, whom)
            now, last = _moment(session, seat, at)
            return as_json(
                {
                    "at": last,
                    "as": seat or SPECTATOR,
                    "entry": session.history.entry_for(seat, last) if last else None,
                    "state": plain(now.state),
                    "table": now.table,
                    "asked": asked_of(now),
                }
            )

    @app.get(
        "/games/{game}/picture.svg", summary="The board after an entry as SVG, as the token's seat may see it"
    )
    def picture(
        request: Request,
        game: str,
        at: At = None,
        whom: As = None,
        theme: Annotated[
            Literal["", "light", "dark"], Query(description="As the reader's system prefers unless given.")
        ] = "",
        authorization: Authorization = None,
    ) -> Response:
        holder = desk.seat(game, authorization)
        with desk.session(game) as session:
            seat = desk.eyes(session, holder, whom)
            _, last = _moment(session, seat, at)
            drawn = draw(session.history, last, seat, theme).encode()
        # What a seat sees is for its own eyes: no cache that others use may keep it. A spectator's picture is everybody's.
        shared = holder is None
        headers = {
            "Cache-Control": f"{'public' if shared else 'private'}, no-cache",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            "ETag": f'"{sha256(drawn).hexdigest()[:32]}"',
        }
        if headers["ETag"] in (
            tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")
        ):
            return Response(status_code=304, headers=headers)
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    @app.get(
        "/games/{game}/verify",
        summary="Is the log whole, lawful and fair, as far as the token's seat may read it",
    )
    def verify(game: str, authorization: Authorization = None) -> Response:
        seat = desk.seat(game, authorization)
        with desk.session(game) as session:
            lines: list[bytes] = []
            openings: list[Opening] = []
            for line, own in session.lines_as(seat):
                lines.append(line)
                openings.extend(own)
            return as_json(verify_log(session.rules, lines, openings, desk.store.head(game)))


def _moment(session: Session, seat: Seat | None, at: int | None) -> tuple[Moment[Any], int]:
    """Return a moment as a seat may know it, and the number of its entry; raise `Raised` when there is none."""
    try:
        return session.view(seat, at), len(session.moments) - 1 if at is None else at
    except LookupError as fault:
        said = (
            str(fault)
            if seat == "arbiter" or session.stopped is None
            else f"there is no entry {at} that can be followed"
        )
        raise Raised(404, "no_such_entry", f"{said[:1].upper()}{said[1:]}.") from fault
