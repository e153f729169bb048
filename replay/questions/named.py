"""The named questions: each a `.sql` file that begins with the question in English. Nothing here opens a database."""

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from core import games
from replay.questions.faults import BadQuestion
from replay.questions.pages import Page, pages

__all__ = ["Parameter", "Question", "question", "questions"]


class Parameter(Struct, frozen=True):
    """A value that a question may be asked with; None stands for "any", and is written `-`.

    `choices` are the texts that it may be, where it may not be any; the first is the default.
    """

    name: str
    default: str | int | bool | None
    meaning: str
    choices: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The default as a person writes it."""
        if self.default is None:
            return "-"
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return str(self.default)

    def read(self, value: Any) -> str | int | bool | None:
        """Return a value as the question wants it, from text too; raise `BadQuestion` when it is of another kind."""
        if value is None or value == "-":
            return self.choices[0] if self.choices else None
        if self.choices and value not in self.choices:
            raise BadQuestion(f"{self.name} is {' or '.join(self.choices)}, not {value!r}")
        if isinstance(self.default, bool):
            if str(value).lower() in ("true", "yes", "false", "no"):
                return str(value).lower() in ("true", "yes")
            raise BadQuestion(f"{self.name} is yes or no, not {value!r}")
        if isinstance(self.default, int):
            try:
                return int(str(value))
            except ValueError:
                raise BadQuestion(
                    f"{self.name} is a whole number such as {self.default}, not {value!r}"
                ) from None
        return str(value)


class Question(Struct, frozen=True):
    """A named question: its English sentence, the remarks under it, its parameters, its SQL, and the file it stands in.

    `game` is the rules it belongs to; empty for one that can be put to every game. `examples` are calls that put it.
    """

    name: str
    question: str
    remarks: str
    parameters: tuple[Parameter, ...]
    sql: str
    source: str
    game: str = ""
    examples: tuple[str, ...] = ()

    def values(self, given: Mapping[str, Any]) -> dict[str, str | int | bool | None]:
        """Return a value for each parameter; raise `BadQuestion` for one that the question does not have."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                has = ", ".join(known) or "none"
                raise BadQuestion(f"{self.name} has no parameter {name!r}; its parameters: {has}")
        return {name: parameter.read(given.get(name, parameter.default)) for name, parameter in known.items()}


def questions(game: str | None = None) -> list[Question]:
    """Return every named question, by name; with `game` the general ones and those of that game only."""
    return [asked for asked in _all(games.found()) if game is None or asked.game in ("", game)]


def question(name: str) -> Question:
    """Return the question of that name (`faces_per_die`, `dragonlords.kingdoms`); raise `BadQuestion` with the nearest ones."""
    held = {asked.name: asked for asked in questions()}
    if name in held:
        return held[name]
    short = [asked for asked in held.values() if asked.name.rpartition(".")[2] == name]
    if len(short) == 1:
        return short[0]
    near = difflib.get_close_matches(name, held, n=3, cutoff=0.4)
    hint = f"; near it: {', '.join(near)}" if near else ""
    raise BadQuestion(f"there is no question {name!r}{hint}")


@cache
def _all(found: tuple[str, ...]) -> tuple[Question, ...]:
    wanted = "the question, as `-- How long is a game?`"
    held = map(_question, pages("statistics", "queries", found, ends="?", wanted=wanted))
    return tuple(sorted(held, key=lambda asked: asked.name))


def _question(page: Page) -> Question:
    """Return a question: under its sentence stand `:parameter default  meaning`, remarks, and `$ lawspeaker ...`, examples.

    `one|other` in place of a default are the values that the parameter may have.
    """
    parameters, remarks, examples = [], [], []
    for line in page.remarks:
        if line.startswith(":"):
            name, default, meaning = (*line[1:].split(maxsplit=2), "", "")[:3]
            choices = tuple(default.split("|")) if "|" in default else ()
            parameters.append(Parameter(name, choices[0] if choices else _default(default), meaning, choices))
        elif line.startswith("$ "):
            examples.append(line.removeprefix("$ "))
        else:
            remarks.append(line)
    return Question(
        page.name,
        page.first,
        " ".join(remarks),
        tuple(parameters),
        page.text,
        page.file,
        page.game,
        tuple(examples),
    )


def _default(text: str) -> str | int | bool | None:
    if text == "-":
        return None
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if text.lstrip("-").isdecimal() else text
