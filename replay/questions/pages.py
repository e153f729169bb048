"""The `.sql` files that come with the program and with its games: each begins with remarks that say what it is."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

from replay.questions.faults import BadQuestion

__all__ = ["Page", "pages"]


class Page(Struct, frozen=True):
    """A file: its own name, the game it belongs to, its first remark, those under it, and the whole text."""

    file: str
    game: str
    first: str
    remarks: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """What it is called by: `game.stem`, or `stem` where it belongs to no game."""
        stem = self.file.removesuffix(".sql")
        return f"{self.game}.{stem}" if self.game else stem


def pages(general: str, own: str, found: tuple[str, ...], *, ends: str, wanted: str) -> Iterator[Page]:
    """Yield the pages of one kind: the general ones in one folder here, those of the games found in one of theirs.

    Raises `BadQuestion` where a first remark does not end as it must; `wanted` says what it would be.
    """
    folders = [("", files("replay.questions") / general)]
    folders += [(game, files("core.games") / game / own) for game in found]
    for game, folder in folders:
        for file in folder.iterdir() if folder.is_dir() else ():
            if file.name.endswith(".sql"):
                yield _page(file, game, ends, wanted)


def _page(file: Traversable, game: str, ends: str, wanted: str) -> Page:
    text = file.read_text(encoding="utf-8")
    head: list[str] = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        head.append(line.removeprefix("--").strip())
    if not head or not head[0].endswith(ends):
        raise BadQuestion(f"{file.name}: the first line is {wanted}")
    return Page(file.name, game, head[0], tuple(head[1:]), text)
