"""`lawspeaker serve`: runs the service. The command line finds it by its entry point, so no lower floor names this one."""

import contextlib
import json
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
import uvicorn

from api.app import create_app
from api.settings import Settings

__all__ = ["serve"]


class _Server(uvicorn.Server):
    """A server that lets live streams end before it stops."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, as a signal asks."""
        self.config.app.state.bell.end()  # type: ignore[union-attr]
        super().handle_exit(sig, frame)


class _Telling(_Server):
    """A server that says where it listens, as one JSON object on stdout, once it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell the address; with port 0 that is the one that the system gave."""
        await super().startup(sockets)
        if not self.started:
            return
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        told = {"address": f"http://{shown}:{port}", "host": host, "port": port}
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
        sys.stdout.flush()


def serve(
    store: Annotated[
        Path | None,
        typer.Option(
            help="The SQLite file or folder that keeps the games; unless said, where the other commands keep them.",
            envvar="LAWSPEAKER_STORE",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; only this machine unless said.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any that is free.")
    ] = 8000,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object with the address once it listens.")
    ] = False,
) -> None:
    """Serve the games of a store over HTTP; the routes are described at /docs.

    Example:
      $ lawspeaker serve --store club.db --port 8000

    Exit codes: 0 it was stopped, by Ctrl-C or a signal; 2 the store cannot be read, or the port is taken.
    """
    settings = Settings() if store is None else Settings(store=store)
    settings.store.parent.mkdir(parents=True, exist_ok=True)
    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        log_level="warning" if as_json else "info",
        access_log=False,
        timeout_graceful_shutdown=2,  # no reader holds the service for longer
    )
    server = _Telling(config) if as_json else _Server(config)
    with contextlib.suppress(KeyboardInterrupt):  # how a server is left
        server.run()
    if not server.started:
        raise typer.Exit(2)
