"""The service: open games, post commands, agree to take-backs, read entries, asks, states and pictures, verify.

Routes are plain functions: FastAPI runs them in threads, and the desk lets one thread at a time at a game. Bodies that
are commands or facts are msgspec's; the shapes around them are pydantic's.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.desk import Desk
from api.limits import BodyLimit, Unshared
from api.opening import add_games, add_rules
from api.pages import add_pages
from api.playing import add_play
from api.problems import add_problems
from api.reading import add_reading
from api.schemas import components
from api.settings import Settings

__all__ = ["create_app"]


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
        docs_url=None,  # FastAPI's own pages load their scripts from elsewhere; ours is plain (`api.pages`)
        redoc_url=None,
    )
    app.state.bell = desk.bell
    app.add_middleware(BodyLimit, most=held.most_body)
    app.add_middleware(Unshared)
    add_problems(app)
    add_pages(app)
    add_rules(app)
    add_games(app, desk, held)
    add_play(app, desk)
    add_reading(app, desk, held)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        schema.setdefault("components", {}).setdefault("schemas", {}).update(components())
        app.openapi_schema = schema
    return app.openapi_schema
