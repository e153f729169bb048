"""The service: open games, post commands, read entries, asks and states as a seat may see them, verify.

Routes are plain functions: FastAPI runs them in threads, and the desk lets one thread at a time at a game. Bodies that
are commands or facts are msgspec's; the shapes around them are pydantic's.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from api.desk import Desk, rules_called
from api.limits import BodyLimit
from api.problems import CODES, Problem, Raised, problem, refused
from api.schemas import CommandBody, OpenBody, ask_as_json, components
from api.settings import Settings
from core import games
from events.seals import Opening
from replay.session import Refused
from replay.verifying.verify import verify_log

__all__ = ["create_app"]

Authorization = Annotated[str | None, Header(description="`Bearer <token>`; without one, a spectator asks.")]


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the service for a store."""
    held = settings or Settings()
    desk = Desk(held.store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(
        title="Lawspeaker",
        version="0.1.0",
        summary="Every decision and every die roll of a tabletop conquest game, and which rule says so.",
        lifespan=lifespan,
    )
    app.add_middleware(BodyLimit, most=held.most_body)
    _add_problems(app)
    _add_rules(app)
    _add_games(app, desk, held)
    _add_play(app, desk, held)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")


def _add_problems(app: FastAPI) -> None:
    @app.exception_handler(Raised)
    async def raised(_: Request, fault: Raised) -> Response:
        return problem(fault.problem)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, fault: RequestValidationError) -> Response:
        errors = fault.errors()
        code = "bad_json" if any(error["type"] == "json_invalid" for error in errors) else "bad_shape"
        detail = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors[:5])
        return problem(Problem(code, 422, CODES[code], detail))

    @app.exception_handler(HTTPException)
    async def other(_: Request, fault: HTTPException) -> Response:
        if fault.status_code == 400:  # what FastAPI says of a body that is not even text
            return problem(Problem("bad_json", 422, CODES["bad_json"], str(fault.detail)))
        code = "method_not_allowed" if fault.status_code == 405 else "not_found"
        return problem(Problem(code, fault.status_code, CODES[code], str(fault.detail)))


def _add_rules(app: FastAPI) -> None:
    @app.get("/rules", summary="The rule sets that live here")
    def rule_sets() -> Response:
        books = ((name, games.load(name)) for name in games.found())
        return _json(
            [
                {
                    "rules": name,
                    "title": rules.rulebook.book.title,
                    "seats": rules.seats,
                    "options": rules.options,
                }
                for name, rules in books
            ]
        )

    @app.get("/rules/{rules}", summary="A rulebook: chapters, sections and points")
    def rulebook(rules: str) -> Response:
        return _json(rules_called(rules).rulebook)


def _add_games(app: FastAPI, desk: Desk, settings: Settings) -> None:
    @app.post("/games", status_code=201, summary="Open a game; the answer holds the token of each seat, once")
    def open_game(body: OpenBody, authorization: Authorization = None) -> Response:
        organiser = settings.organiser
        if organiser is not None and authorization != f"Bearer {organiser.get_secret_value()}":
            raise Raised(401, "no_token", "Games are opened with the organiser's token here.")
        try:
            rows = ((word, row) for word, held in body.position.items() for row in held)
            position = rules_called(body.rules).position(rows)
        except ValueError as fault:
            raise Raised(422, "bad_shape", f"position: {fault}") from fault
        session, tokens = desk.open_game(
            body.game, body.rules, body.dice, seats=body.seats, answers=body.answers, persons=body.persons,
            options=body.options, title=body.title, position=position,
        )  # fmt: skip
        return _json({"game": body.game, "head": session.head, "tokens": tokens}, 201)

    @app.get("/games", summary="The games of this store")
    def list_games() -> Response:
        return _json([{"game": game, "head": desk.store.head(game)} for game in desk.store.games()])

    @app.get("/games/{game}", summary="Where a game stands, in public words")
    def one_game(game: str) -> Response:
        with desk.session(game) as session:
            now = session.view(None)
            table, asked = now.table, now.question
            return _json(
                {
                    "game": game,
                    "rules": table.game,
                    "revision": table.revision,
                    "title": table.title,
                    "seats": table.seats,
                    "persons": table.persons,
                    "answers": table.answers,
                    "options": table.options,
                    "dice": table.dice,
                    "commitment": table.commitment,
                    "head": session.head,
                    "asked": asked.seats if asked else (),
                    "kind": asked.kind if asked else "",
                    "ended": now.state.ended,
                    "disputes": table.disputes,
                    "read_only": session.read_only,
                }
            )


def _add_play(app: FastAPI, desk: Desk, settings: Settings) -> None:
    @app.post("/games/{game}/commands", status_code=201, summary="Post a command")
    def post_command(
        game: str,
        body: CommandBody,
        authorization: Authorization = None,
        idempotency_key: Annotated[str, Header(max_length=200)] = "",
    ) -> Response:
        holder = desk.seat(game, authorization)
        with desk.session(game) as session:
            seat = desk.acting(session, holder, body.seat)
            try:
                command = session.rules.codec.command(msgspec.json.encode(body.command))
            except (ValueError, TypeError, OverflowError, RecursionError) as fault:
                raise Raised(422, "bad_shape", f"command: {fault}") from fault
            said = session.submit(
                seat, command, question=body.question, key=body.key or idempotency_key, heard=(holder or "",)
            )
            if isinstance(said, Refused):
                return problem(refused(said.reasons, stale=said.stale, since=said.since))
            return _json({"entries": said.entries, "repeated": said.repeated, "head": session.head}, 201)

    @app.get("/games/{game}/entries", summary="The log, as the token's seat may read it")
    def entries(
        game: str,
        since: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1)] = 1_000,
        authorization: Authorization = None,
    ) -> Response:
        seat = desk.seat(game, authorization)
        with desk.session(game) as session:
            held = []
            for line, openings in session.lines_as(seat, since):
                held.append({"line": msgspec.Raw(line), "openings": openings})
                if len(held) >= min(limit, settings.most_entries):
                    break
            return _json({"entries": held, "head": session.head})

    @app.get("/games/{game}/asks", summary="What the token's seat is asked now, with its offers")
    def asks(game: str, authorization: Authorization = None) -> Response:
        seat = desk.seat(game, authorization)
        if seat is None:
            raise Raised(401, "no_token")
        with desk.session(game) as session:
            return _json([ask_as_json(ask) for ask in session.asks(seat)])

    @app.get("/games/{game}/state", summary="The state at an entry, as the token's seat may know it")
    def state(
        game: str, at: Annotated[int | None, Query(ge=0)] = None, authorization: Authorization = None
    ) -> Response:
        seat = desk.seat(game, authorization)
        with desk.session(game) as session:
            try:
                now = session.view(seat, at)
            except LookupError as fault:
                raise Raised(404, "no_such_entry", str(fault)) from fault
            return _json(
                {"at": session.head.id if at is None else at, "state": now.state, "table": now.table}
            )

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
            return _json(verify_log(session.rules, lines, openings, desk.store.head(game)))


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        schema.setdefault("components", {}).setdefault("schemas", {}).update(components())
        app.openapi_schema = schema
    return app.openapi_schema
