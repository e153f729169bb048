"""`lawspeaker serve`: runs the service. The command line finds it by its entry point, so no lower floor names this one."""

from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from api.app import create_app
from api.settings import Settings

__all__ = ["serve"]


def serve(
    store: Annotated[
        Path | None,
        typer.Option(help="The SQLite file or folder that keeps the games.", envvar="LAWSPEAKER_STORE"),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine unless said.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")] = 8000,
) -> None:
    """Serve the games of a store over HTTP; the routes are described at /docs.

    Example: lawspeaker serve --store club.db --port 8000
    """
    settings = Settings() if store is None else Settings(store=store)
    uvicorn.run(create_app(settings), host=host, port=port, log_level="info", access_log=False)
