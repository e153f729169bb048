"""The bell: wakes those who wait for the next entry of a game, in whatever thread it was written."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["Bell", "Ear"]


class Ear:
    """One who waits. What rings between two waits is not missed."""

    def __init__(self) -> None:
        """Wait in the event loop that runs now."""
        self._loop, self._rung = asyncio.get_running_loop(), asyncio.Event()

    def wake(self) -> None:
        """Wake from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
            self._loop.call_soon_threadsafe(self._rung.set)

    def clear(self) -> None:
        """Begin to listen: what rings from now on is heard."""
        self._rung.clear()

    async def wait(self, seconds: float) -> None:
        """Return when it has rung since `clear`, or after so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), seconds)


class Bell:
    """Rings for a game; other processes that write to the store ring no bell here, so waiting is never for long."""

    def __init__(self) -> None:
        """Begin with nobody listening."""
        self.ended = False
        self._ears: dict[str, set[Ear]] = {}
        self._guard = threading.Lock()

    def ring(self, game: str) -> None:
        """Wake everybody who listens to a game."""
        with self._guard:
            ears = tuple(self._ears.get(game, ()))
        for ear in ears:
            ear.wake()

    def end(self) -> None:
        """Wake everybody for the last time: the service stops, and whoever waits leaves. Safe in a signal's handler."""
        self.ended = True
        for ears in list(self._ears.values()):
            for ear in list(ears):
                ear.wake()

    @contextmanager
    def listening(self, game: str) -> Iterator[Ear]:
        """Listen to a game for the length of a block."""
        ear = Ear()
        with self._guard:
            self._ears.setdefault(game, set()).add(ear)
        try:
            yield ear
        finally:
            with self._guard:
                self._ears[game].discard(ear)
                if not self._ears[game]:
                    del self._ears[game]
