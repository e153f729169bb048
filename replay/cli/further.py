"""Commands of higher floors, such as `serve`: found by their entry point, loaded only when they are called for."""

from importlib.metadata import EntryPoint, distributions
from types import SimpleNamespace
from typing import Any

import typer
from typer.core import TyperGroup

from replay.cli.swift import read_plainly

__all__ = ["GROUP", "TABLE", "Commands"]

TABLE = "At the table"
"""The heading in the help under which commands of higher floors stand, beside those with which a game is played."""
GROUP = "lawspeaker.commands"
"""The entry points under which a floor above lays a function that typer can take for a command."""


def _further() -> dict[str, EntryPoint]:
    # A checkout may have metadata of an older day beside the installed ones; all of them are asked.
    held = distributions(name="lawspeaker")
    return {point.name: point for found in held for point in found.entry_points if point.group == GROUP}


class Commands(TyperGroup):
    """The commands of this floor, and those that floors above add."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of this floor first."""
        own = super().list_commands(ctx)
        if ctx.resilient_parsing:  # a shell asks, which is told of the others in `shell_complete`
            return own
        return [*own, *(name for name in sorted(_further()) if name not in own)]

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands and options that begin so; those of higher floors by name alone, for to load them takes long."""
        found = super().shell_complete(ctx, incomplete)
        named = (name for name in sorted(_further()) if name.startswith(incomplete))
        return [*found, *(SimpleNamespace(value=name, type="plain", help=None) for name in named)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments of the program itself."""
        read_plainly(self)
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name; None when no floor has it."""
        own = super().get_command(ctx, cmd_name)
        point = None if own is not None else _further().get(cmd_name)
        if point is not None:
            alone = typer.Typer(add_completion=False)
            alone.command(cmd_name, rich_help_panel=TABLE)(point.load())
            own = typer.main.get_command(alone)
            own.help = _unwrapped(own.help or "")
            return own
        if own is not None:
            own.help = _unwrapped(own.help or "")
            read_plainly(own)
        return own


def _unwrapped(said: str) -> str:
    """Return a text whose paragraphs are lines, to be wrapped as wide as the terminal is."""
    return "\n\n".join(" ".join(part.split()) for part in said.split("\n\n"))
