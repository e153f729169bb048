"""The limits that the README tells readers are those of the code, row by row."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from msgspec import json

from api import schemas
from api.app import create_app
from api.playing import MOST_COMMAND
from api.settings import Settings
from core.consent import MOST_ALONE
from events.event import Count, Seat
from events.store import LONGEST_LINE, is_name
from replay.cli import app
from replay.questions.aside import LARGEST_ANSWER
from replay.questions.queries import Limits
from replay.sheets import bounds
from replay.sheets.header import LARGEST
from replay.sheets.holes import MOST_HOLES, MOST_MISSING
from replay.sheets.readings import MOST_GUESSES
from replay.texts import MOST_NAME, MOST_TEXT, MOST_TITLE

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
TABLE = README.partition("## Limits\n")[2].partition("\n## ")[0]


def figures(said: str) -> list[int]:
    """Return the numbers in a text: `1,000 rows` has 1000."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", said)]


def rows() -> dict[str, str]:
    """Return what stands under `at most` in each row of the table, by what the row is about."""
    held = re.findall(r"^\| (.+?) \| (.+?) \|.*\|$", TABLE, re.MULTILINE)
    return {what: most for what, most in held if what != "what"}


def usual(command: str, option: str) -> int:
    """Return what an option of a command is when it is not given."""
    group: Any = typer.main.get_command(app)
    (held,) = (each for each in group.commands[command].params if each.name == option)
    return int(held.default)


def longest(shape: str, field: str) -> int:
    """Return how many characters a field of a request's body may have."""
    return int(getattr(schemas, shape).model_json_schema()["properties"][field]["maxLength"])


def schema(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of one kind of value."""
    return json.schema(kind)


def longest_name() -> int:
    """Return how many letters the name of a game may have."""
    return max(n for n in range(1, 1_000) if is_name("g" * n))


def longest_wait(folder: Path) -> int:
    """Return how many seconds a request may wait for an entry, as the service describes itself."""
    paths = create_app(Settings(store=folder / "g.db")).openapi()["paths"]
    (wait,) = (each for each in paths["/games/{game}/entries"]["get"]["parameters"] if each["name"] == "wait")
    return int(wait["schema"]["maximum"])


def held_by_the_code(folder: Path) -> dict[str, list[int]]:
    """Return the figures of each row as the code has them."""
    service, limits = Settings(), Limits()
    assert (usual("query", "rows"), usual("sql", "rows")) == (limits.rows, limits.rows)
    assert (usual("query", "seconds"), usual("sql", "seconds")) == (limits.seconds, limits.seconds)
    return {
        "a scoresheet or a position": [LARGEST],
        "a scoresheet": [bounds.MOST_LINES],
        "lines of a sheet at which other readings are looked for": [MOST_GUESSES],
        "dice that are assumed": [MOST_HOLES, MOST_MISSING],
        "a position": [bounds.MOST_ROWS, bounds.MOST_POSITION_LINES],
        "a line of a position": [bounds.DEEPEST, bounds.LONGEST_NUMBER],
        "a count: units, gold, ships": [schema(Count)["maximum"]],
        "the name of a game": [longest_name()],
        "the name of a seat": [schema(Seat)["maxLength"]],
        "the name of a person, a title, a key": [MOST_NAME, longest("OpenBody", "title"), longest("CommandBody", "key")],
        "a reason, a claim": [longest("TakeBackBody", "reason")],
        "an entry of a log": [LONGEST_LINE],
        "take-backs alone, one after the other": [MOST_ALONE],
        "an answer of `query` or `sql`": [limits.rows],
        "the time for it": [int(limits.seconds), usual("audit", "seconds")],
        "the memory for it": [*figures(limits.memory), LARGEST_ANSWER // 1024 // 1024],
        "a game of bots": [usual("simulate", "most")],
        "the body of an HTTP request": [service.most_body],
        "a command in it": [MOST_COMMAND, longest("CommandBody", "say")],
        "entries in one HTTP answer": [service.most_entries],
        "waiting for an entry (`wait`)": [longest_wait(folder)],
    }  # fmt: skip


def test_the_table_of_limits_says_what_the_code_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row has the figures of the code, and each limit that is listed here has a row."""
    for name in ("MOST_BODY", "MOST_ENTRIES"):
        monkeypatch.delenv(f"LAWSPEAKER_{name}", raising=False)
    told = {what: figures(most) for what, most in rows().items()}
    assert told == held_by_the_code(tmp_path)


def test_what_the_law_of_the_table_says_in_words_is_what_the_code_holds() -> None:
    """LS-3.7 spells out how often a player goes back alone, LS-1.8 how long texts may be."""
    from core.kit.table import TABLE_LAW

    assert MOST_ALONE == 12
    assert "at most twelve times in a row" in TABLE_LAW.sections["LS-3.7"].text
    assert "at most twelve times in a row" in README
    assert figures(TABLE_LAW.sections["LS-1.8"].text) == [MOST_NAME, MOST_TITLE, MOST_TEXT]


def test_the_ways_to_allow_more_are_there() -> None:
    """Each option and variable that the table names is one."""
    options = {option for command, option in re.findall(r"`(?:(\w+) )?(--\w+) \w`", TABLE)}
    assert options == {"--rows", "--seconds", "--most"}
    group: Any = typer.main.get_command(app)
    known = {
        word for name in ("query", "simulate") for held in group.commands[name].params for word in held.opts
    }
    assert options <= known
    fields = {name.removeprefix("LAWSPEAKER_").lower() for name in re.findall(r"LAWSPEAKER_\w+", TABLE)}
    assert fields == {"most_body", "most_entries"} <= set(Settings.model_fields)
    (most,) = (each.le for each in Settings.model_fields["most_entries"].metadata if hasattr(each, "le"))
    assert f"up to {most:,};" in TABLE
