"""What keeps a command from being slow to begin: only its own module is loaded, and its arguments are read without pydantic.

typer loads pydantic, a quarter of a second's worth, for the first argument that it reads; texts, paths and whole numbers
do not need it.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import typer

__all__ = ["GROUPS", "add_for", "read_plainly"]

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("games", "rules"),
    "play": ("new", "play", "roll", "asks"),
    "why": ("why",),
    "back": ("undo", "restore", "whatif"),
    "look": ("show", "log", "diff", "replay"),
    "drawing": ("picture",),
    "judge": ("dispute", "rule", "correct"),
    "adjudicating": ("adjudicate",),
    "verifying": ("verify",),
    "auditing": ("audit",),
    "files": ("position", "sheet", "import", "export"),
    "handing": ("tokens",),
    "ask": ("query", "sql"),
    "simulate": ("simulate",),
}
"""The modules with commands, in the order of the help, and the commands of each."""


def add_for(app: typer.Typer, words: Sequence[str]) -> None:
    """Add to a program the command that its first word names, with those of its module; all of them for any other word."""
    first = next((word for word in words if not word.startswith("-")), "")
    chosen = [module for module, commands in GROUPS.items() if first in commands]
    for module in chosen or GROUPS:
        import_module(f"replay.cli.{module}").add(app)


def read_plainly(command: Any) -> Any:
    """Let a command read its texts, paths and whole numbers here; what has bounds of its own is left to typer."""
    for parameter in command.get_params(typer.Context(command)):
        descriptor = getattr(parameter, "type_descriptor", None)
        told = getattr(descriptor, "parameter_info", None)
        kind = getattr(descriptor, "annotation", None)
        bounded = any(getattr(told, name, None) is not None for name in ("min", "max", "parser"))
        checked = any(getattr(told, name, False) for name in ("exists", "writable", "resolve_path"))
        if getattr(parameter, "_runtime_param", parameter) is not None:
            continue
        plain = _READERS.get(kind) if not bounded and not checked else None
        parameter._runtime_param = _Plain(plain)  # noqa: SLF001 - the one door that typer leaves to it
    return command


def _whole(value: Any) -> int:
    if isinstance(value, int):
        return value
    try:
        return int(str(value).strip())
    except ValueError:
        raise typer.BadParameter(f"{value!r} is not a valid int.") from None


_READERS: Final[Mapping[Any, Any]] = {
    str: str,
    Path: Path,
    int: _whole,
    list[str]: lambda held: [str(each) for each in held],
    list[Path]: lambda held: [Path(each) for each in held],
}


class _Plain:
    """Reads the values of a parameter as typer's own readers do; those come in only where it has no reader for a value."""

    def __init__(self, read: Any) -> None:
        self._read = read

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """Return the value as what it is declared to be; nothing stays nothing."""
        if value is None:
            return None
        if self._read is None:
            param._runtime_param = None  # noqa: SLF001 - so that typer makes its own
            return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
        try:
            return self._read(value)
        except typer.BadParameter as fault:
            fault.ctx, fault.param = ctx, param
            raise
