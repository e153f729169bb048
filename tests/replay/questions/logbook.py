"""Logs written by hand, a line at a time, so that a test can say beforehand what the answer must be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from events.chain import hash_of
from events.jsonl import write_log
from events.seals import Opening
from tests.driver import Table

Ask = Callable[..., list[tuple[Any, ...]]]

encode = msgspec.json.Encoder(order="sorted").encode
FAIR = {"Counts": "Hits", "faces": [1, 2, 3]}
"""What the toy counts: a die of three or less is a hit."""


class Logbook:
    """The lines of one game, by the rules of the toy unless said."""

    def __init__(self, id: str = "g", seats: tuple[str, ...] = ("red", "blue"), **opening: Any) -> None:
        """Open a game; more fields of `GameOpened` may be given."""
        self.id = id
        self.lines: list[bytes] = []
        self.openings: list[Opening] = []
        told = {
            "Fact": "GameOpened",
            "id": id,
            "game": "skirmish",
            "revision": 1,
            "seats": seats,
            "answers": {},
        }
        self.add("arbiter", told | opening, do="OpenGame")

    def add(
        self,
        seat: str,
        *facts: dict[str, Any],
        do: str = "Throw",
        parent: int | None = None,
        source: str = "",
        **more: Any,
    ) -> "Logbook":
        """Append an entry of these facts; its command has no field unless `command` is given."""
        id = len(self.lines) + 1
        line: dict[str, Any] = {
            "id": id, "parent": id - 1 if parent is None else parent, "at": f"2026-01-01T00:{id // 60:02}:{id % 60:02}Z",
            "seat": seat, "command": {"Do": do}, "facts": facts,
        }  # fmt: skip
        if source:
            line["source"] = source
        if self.lines:
            line["prev"] = hash_of(self.lines[-1])
        self.lines.append(encode(line | more))
        return self

    def roll(
        self, owner: str, *faces: int | str, source: str = "typed", parent: int | None = None, **more: Any
    ) -> "Logbook":
        """Append dice: of the kind d6 that hit at three or less, unless said."""
        told = {"die": "d6", "faces": faces, "owner": owner, "counts": FAIR, "purpose": "throw"} | more
        return self.add("chance", {"Fact": "Rolled"} | told, do="AnswerRoll", source=source, parent=parent)

    def began(self, place: str, attacker: str, defender: str, **more: Any) -> "Logbook":
        """Append that a battle began."""
        return self.add(
            attacker,
            {"Fact": "BattleBegan", "place": place, "attacker": attacker, "defender": defender},
            **more,
        )

    def lost(self, seat: str, count: int, **more: Any) -> "Logbook":
        """Append a loss, in the toy's fact for it."""
        return self.add(seat, {"Fact": "PebblesLost", "seat": seat, "count": count}, **more)

    def fought(
        self, place: str, winner: str, *, taken: bool = False, rounds: int = 1, **more: Any
    ) -> "Logbook":
        """Append that a battle ended."""
        told = {"Fact": "BattleEnded", "place": place, "winner": winner, "taken": taken, "rounds": rounds}
        return self.add(winner or "arbiter", told, **more)

    def won(self, *winners: str, how: str = "last_standing", **more: Any) -> "Logbook":
        """Append the end of the game."""
        return self.add("arbiter", {"Fact": "GameEnded", "winners": winners, "how": how}, **more)

    def put(self, folder: Path, name: str = "") -> Path:
        """Write the log into a folder as a file, and return it."""
        path = folder / f"{name or self.id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_log(path, self.lines, self.openings)
        return path


def put_table(table: Table, path: Path) -> Path:
    """Write the log of a game that was played at a test's table, with its openings."""
    openings = [opening for told in table.log for opening in told.openings]
    write_log(path, [told.line for told in table.log], openings)
    return path
