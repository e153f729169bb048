"""Shapes at the door: what requests and answers hold beside commands and facts, and the OpenAPI text of those."""

from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from core.asking import Ask, Offer
from core.games import found, load

__all__ = ["CommandBody", "OpenBody", "ask_as_json", "components"]


class OpenBody(BaseModel):
    """A game to open."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(
        min_length=1, max_length=100, description="The name of the new log.", examples=["league-7"]
    )
    rules: str = Field(description="Which rules: a name from GET /rules.", examples=["dragonlords"])
    seats: list[str] = Field(description="Who sits, in the order of play.", examples=[["orc", "barbarian"]])
    answers: dict[str, str] = Field(
        default_factory=dict, description="House answers to points, `X61: extra`."
    )
    dice: str = Field(default="typed", pattern="^(typed|live|sealed)$")
    persons: dict[str, str] = Field(default_factory=dict, description="Who sits at which seat.")
    options: dict[str, str] = Field(default_factory=dict, description="Variants of the rules.")
    title: str = Field(default="", max_length=200)
    position: dict[str, list[dict[str, Any]]] = Field(
        default_factory=dict,
        description="Set-up facts as in a position file, rows under their word; empty for the usual set-up.",
        examples=[{"units": [{"seat": "orc", "place": "OR_k", "count": 5}]}],
    )


class CommandBody(BaseModel):
    """A command, with the question it answers and the key that makes it safe to send again."""

    model_config = ConfigDict(extra="forbid")

    command: dict[str, Any] = Field(
        description="The command as the log holds it: its kind in `Do`, and its fields."
    )
    question: str = Field(default="", max_length=100, description="The name of the question it answers.")
    key: str = Field(
        default="", max_length=200, description="Idempotency key; also taken from `Idempotency-Key`."
    )
    seat: str = Field(
        default="", max_length=40, description="`chance` to give typed dice; else the token's own seat."
    )


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
    """Return the OpenAPI schemas of every game's commands and entries, named `<game>.<kind>`."""
    schemas: dict[str, Any] = {}
    for game in found():
        rules = load(game)
        template = f"#/components/schemas/{game}.{{name}}"
        kinds = [rules.codec.commands, rules.codec.facts]
        _, named = msgspec.json.schema_components(kinds, ref_template=template)
        schemas |= {f"{game}.{name}": schema for name, schema in named.items()}
    return schemas
