"""The games: one folder each. Discovery is by folder; no list names them."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from core.rules import Rules

__all__ = ["NoSuchRules", "found", "load"]


class NoSuchRules(LookupError):
    """Raised when no game of that name has a folder here."""


@cache
def found() -> tuple[str, ...]:
    """Return the names of the games, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


@cache
def load(name: str) -> Rules[Any]:
    """Return the rules of a game; raise `NoSuchRules` when there is no such folder."""
    if name not in found():
        raise NoSuchRules(f"there is no game {name!r}; there are: {', '.join(found())}")
    rules: Rules[Any] = import_module(f"{__name__}.{name}").RULES
    return rules
