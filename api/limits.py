"""Limits at the door: no body that is too large is read, and no cache that others use keeps what a seat may see."""

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import CODES, Problem

__all__ = ["BodyLimit", "Unshared"]


class _TooLarge(Exception):
    """Raised while a body is read that grows past the limit."""


class BodyLimit:
    """Refuses request bodies of more than `most` bytes, whatever length they announce."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        """Take the application behind it and the limit in bytes."""
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting the bytes of its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        read = 0
        answered = False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise _TooLarge
            return message

        async def sent(message: Message) -> None:
            nonlocal answered
            if read <= self._most:
                await send(message)
            elif not answered:  # whatever became of the fault inside, it was this one
                answered = True
                await self._refuse(send)

        try:
            await self._app(scope, counted, sent)
        except _TooLarge:
            if not answered:
                await self._refuse(send)

    async def _refuse(self, send: Send) -> None:
        body = msgspec.json.encode(
            Problem("too_large", 413, CODES["too_large"], f"The limit is {self._most} bytes.")
        )
        headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class Unshared:
    """Say of every answer that it hangs on the token, and unless it says otherwise that no cache may keep it."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application behind it."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and mark its answer."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.add_vary_header("Authorization")
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        await self._app(scope, receive, marked if scope["type"] == "http" else send)
