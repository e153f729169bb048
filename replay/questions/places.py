"""Where the logs lie that a question is about."""

from pathlib import Path

from msgspec import Struct

__all__ = ["GameIn"]


class GameIn(Struct, frozen=True):
    """One game of a store: where the store lies, a SQLite file or a folder of JSON lines, and the game's name in it."""

    store: Path
    game: str
