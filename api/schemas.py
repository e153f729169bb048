"""Shapes at the door: what requests and answers hold beside commands and facts, and the OpenAPI text of those."""

from typing import Annotated, Any

import msgspec
from fastapi import Header, Response
from msgspec import Meta, Struct
from pydantic import BaseModel, ConfigDict, Field

from core.asking import Ask, Offer
from core.games import found, load
from core.harmless import harmless_json
from events.chain import Head
from events.event import Seat
from replay.texts import MOST_KEY, MOST_NAME, MOST_TEXT, MOST_TITLE

__all__ = [
    "AnswerBody",
    "Authorization",
    "CommandBody",
    "OpenBody",
    "Opened",
    "TakeBackBody",
    "answered_by",
    "as_json",
    "ask_as_json",
    "components",
]

Authorization = Annotated[str | None, Header(description="`Bearer <token>`; without one, a spectator asks.")]

Word = Annotated[str, Field(max_length=100)]
"""A seat, a point, a variant, or what is chosen of it."""
Name = Annotated[str, Field(max_length=MOST_NAME)]
"""The name of a person."""


class OpenBody(BaseModel):
    """A game to open."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(
        min_length=1, max_length=100, description="The name of the new log.", examples=["league-7"]
    )
    rules: str = Field(
        max_length=100, description="Which rules: a name from GET /rules.", examples=["dragonlords"]
    )
    seats: list[Word] = Field(
        max_length=100, description="Who sits, in the order of play.", examples=[["orc", "barbarian"]]
    )
    answers: dict[Word, Word] = Field(
        default_factory=dict, description="House answers to points, `X61: extra`."
    )
    dice: str = Field(default="typed", pattern="^(typed|live|sealed)$")
    persons: dict[Word, Name] = Field(default_factory=dict, description="Who sits at which seat.")
    options: dict[Word, Word] = Field(default_factory=dict, description="Variants of the rules.")
    title: str = Field(default="", max_length=MOST_TITLE)
    position: dict[str, list[dict[str, Any]]] = Field(
        default_factory=dict,
        description="Set-up facts as in a position file, rows under their word; empty for the usual set-up.",
        examples=[{"units": [{"seat": "orc", "place": "OR_k", "count": 5}]}],
    )


class Opened(Struct, frozen=True):
    """A game that was opened."""

    game: str
    head: Head
    tokens: Annotated[
        dict[Seat, str],
        Meta(
            description="One for each seat and one for the arbiter; they are told this once and never again."
        ),
    ]
    warnings: Annotated[
        tuple[str, ...],
        Meta(
            description="What the position leaves out that people mostly mean, and how it is set up, in sentences; a "
            "`[[word]]` there is a row under that word in `position`. Nothing here stops the game."
        ),
    ] = ()


class CommandBody(BaseModel):
    """A command, or the line that says it; the question it answers, and the key that makes it safe to send again."""

    model_config = ConfigDict(extra="forbid")

    command: dict[str, Any] | None = Field(
        default=None,
        description="The command as the log holds it: its kind in `Do`, and its fields; 50,000 bytes at most.",
    )
    say: str = Field(
        default="",
        max_length=10_000,
        description="In its place, a line as a scoresheet has it: `attack OR_n from OR_k with 5`, `dice: 5 3`.",
        examples=["attack OR_n from OR_k with 5"],
    )
    question: str = Field(default="", max_length=100, description="The name of the question it answers.")
    key: str = Field(
        default="",
        max_length=MOST_KEY,
        description="Idempotency key, one of this token's holder alone; also taken from `Idempotency-Key`. Everybody reads it in "
        "the log, as `<holder>:<key>`: let nothing hidden follow from it.",
    )
    seat: str = Field(
        default="",
        max_length=40,
        description="Another seat of the same player, or `chance` to give what is asked of it: typed dice by who throws "
        "them, a card that everybody sees by who draws it, either by the arbiter, and a card that not everybody sees by "
        "the arbiter alone; `may_answer` in GET /games/{game}/asks says whose turn it is. Else the token's own.",
    )


class TakeBackBody(BaseModel):
    """Where the game should go on from, and why."""

    model_config = ConfigDict(extra="forbid")

    to: int = Field(ge=1, lt=2**53, description="The entry that the game goes on from.")
    reason: str = Field(default="", max_length=MOST_TEXT, description="What the others read.")
    key: str = Field(default="", max_length=MOST_KEY, description="Idempotency key.")


class AnswerBody(BaseModel):
    """Whether a seat agrees to the take-back that another asks for."""

    model_config = ConfigDict(extra="forbid")

    agree: bool = Field(strict=True, description="True agrees; false refuses, or withdraws one's own.")
    reason: str = Field(default="", max_length=MOST_TEXT, description="Why it is refused.")
    key: str = Field(default="", max_length=MOST_KEY, description="Idempotency key.")


def as_json(value: Any, status: int = 200, *, exact: bool = False) -> Response:
    """Return a value as a JSON response; what no one sees in it is escaped, unless it holds lines of which each byte counts."""
    encoded = msgspec.json.encode(value)
    body = encoded if exact else harmless_json(encoded)
    return Response(body, status_code=status, media_type="application/json")


def answered_by(shape: type[Struct], status: int) -> dict[int | str, dict[str, Any]]:
    """Return how OpenAPI says that a route answers with a shape, which `components` describes."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}}
    return {status: {"description": shape.__doc__, "content": content}}


def ask_as_json(ask: Ask) -> dict[str, Any]:
    """Return an ask as plain JSON: the question, its offers with the bound of each free field, and the silence."""
    question = ask.question
    return {
        "question": ask.name,
        "seat": ask.seat,
        "kind": question.kind,
        "prompt": question.prompt,
        "because": question.because,
        "roll": msgspec.to_builtins(question.roll),
        "draw": msgspec.to_builtins(question.draw),
        "offers": [_offer(offer) for offer in ask.offers],
        "silence": msgspec.to_builtins(ask.silence),
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "Do": offer.command.__struct_config__.tag,
        "fields": {name: msgspec.to_builtins(held) for name, held in offer.fields.items()},
    }


def components() -> dict[str, Any]:
    """Return the OpenAPI schemas of answers, and of every game's commands and entries, these named `<game>.<kind>`."""
    _, schemas = msgspec.json.schema_components([Opened], ref_template="#/components/schemas/{name}")
    for game in found():
        rules = load(game)
        template = f"#/components/schemas/{game}.{{name}}"
        kinds = [rules.codec.commands, rules.codec.facts]
        _, named = msgspec.json.schema_components(kinds, ref_template=template)
        schemas |= {f"{game}.{name}": schema for name, schema in named.items()}
    return schemas
