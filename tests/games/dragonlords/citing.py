"""Which refusals the code can yield, and under which sections, read from its source.

A section that is not written where the refusal is yielded is followed to where it is: to a constant, to what is given to
the function by each of its callers, to what a function returns, to the data that is looked up. So a pair may be read that
no game can come to; the test that uses them lists those, with reasons.
"""

import ast
import importlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

__all__ = ["ASKED", "House", "Said", "texts"]

ASKED: Final = "asked"
"""Stands for the sections that say when a command is given, or of the question that is open, whichever they are."""
REF: Final = re.compile(r"[A-Z]{2}-[A-Z]?\d+(?:\.\d+)*")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Said(NamedTuple):
    """A refusal where the code yields it: its code, and the sections that it can cite."""

    module: str
    line: int
    code: str
    sections: frozenset[str]


@dataclass(frozen=True)
class Module:
    """A module of the house: its name, its source, and what its functions are."""

    name: str
    tree: ast.Module
    within: dict[ast.AST, Function] = field(default_factory=dict)
    """The innermost function around each node."""


def texts(node: ast.AST) -> list[str]:
    """Return the texts in a part of a source."""
    return [
        one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def read(path: Path, name: str) -> Module:
    """Return a module as it is read from its source."""
    module = Module(name, ast.parse(path.read_text(encoding="utf-8")))

    def mark(node: ast.AST, around: Function | None) -> None:
        for child in ast.iter_child_nodes(node):
            if around is not None:
                module.within[child] = around
            mark(child, child if isinstance(child, Function) else around)

    mark(module.tree, None)
    return module


class House:
    """The modules of some packages, read together."""

    def __init__(self, packages: Iterable[str]) -> None:
        """Read all modules of the packages, and of the packages in them unless they are games."""
        self.modules: list[Module] = []
        for package in packages:
            folder = Path(str(importlib.import_module(package).__file__)).parent
            for path in sorted(folder.rglob("[!_]*.py")):
                parts = path.relative_to(folder).with_suffix("").parts
                if "games" not in parts:
                    self.modules.append(read(path, ".".join((package, *parts))))
        self._calls: dict[str, list[tuple[Module, ast.Call]]] = {}
        self._functions: dict[str, list[tuple[Module, Function]]] = {}
        for module in self.modules:
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Call):
                    self._calls.setdefault(_called(node), []).append((module, node))
                elif isinstance(node, Function):
                    self._functions.setdefault(node.name, []).append((module, node))
        self._following: set[tuple[str, str]] = set()

    def refusals(self) -> Iterator[Said]:
        """Yield each refusal with each code that it can have."""
        for module, node in self._calls["Refusal"]:
            code, sections = node.args[:2]
            cited = self.cited(sections, module, module.within.get(node))
            name = module.name.rpartition(".")[2]
            yield from (Said(name, node.lineno, said, cited) for said in texts(code))

    def cited(self, node: ast.expr, module: Module, around: Function | None) -> frozenset[str]:
        """Return the sections that an expression can come to."""
        match node:
            case ast.Constant(value=str(text)):
                return frozenset({text} if REF.fullmatch(text) else ())
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
                return self._all(parts, module, around)
            case ast.Starred(value=inner):
                return self.cited(inner, module, around)
            case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
                return self._all((one, other), module, around)
            case ast.Name(id=name):
                return self._named(name, module, around)
            case ast.Attribute(attr="because" | "WHEN"):
                return frozenset({ASKED})
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)), attr=part):
                return frozenset(str(getattr(one, part)) for one in self._data(name).values())
            case ast.Subscript(value=ast.Name(id=name)):
                return frozenset(map(str, self._data(name).values()))
            case ast.Call(func=ast.Attribute(attr="when")):
                return frozenset({ASKED})
            case ast.Call():
                return self._returned(_called(node))
            case _:
                text = ast.unparse(node)
                raise TypeError(f"{module.name}:{node.lineno}: nobody reads {text} as sections yet")

    def _all(self, nodes: Sequence[ast.expr], module: Module, around: Function | None) -> frozenset[str]:
        return frozenset().union(*(self.cited(node, module, around) for node in nodes))

    def _named(self, name: str, module: Module, around: Function | None) -> frozenset[str]:
        """Return what a name can stand for in a function: what is assigned to it there, given for it, or a constant."""
        if around is None:
            return _constant(name, module)
        key = (f"{module.name}.{around.name}.{around.lineno}", name)
        if key in self._following:  # a value that is made of itself adds nothing
            return frozenset()
        self._following.add(key)
        try:
            values = list(_assigned(name, around))
            found = self._all(values, module, around)
            if name in _parameters(around):
                found |= self._given(name, module, around)
            elif not values:
                found = _constant(name, module)
            return found
        finally:
            self._following.remove(key)

    def _given(self, name: str, home: Module, function: Function) -> frozenset[str]:
        """Return what callers give for a parameter of a function, and what it is unless given."""
        names = _parameters(function)
        place = names.index(name) - (names[0] == "self")
        found = frozenset[str]()
        default = _default(name, function)
        if default is not None:
            found |= self.cited(default, home, None)
        for module, node in self._calls.get(function.name, ()):
            given = [one.value for one in node.keywords if one.arg == name]
            if not given and place < len(node.args):
                given = [node.args[place]]
            found |= self._all(given, module, module.within.get(node))
        return found

    def _returned(self, name: str) -> frozenset[str]:
        """Return what the functions of a name can return."""
        found = frozenset[str]()
        for module, function in self._functions[name]:
            values = [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value]
            found |= self._all(values, module, function)
        return found

    def _data(self, name: str) -> dict[Any, Any]:
        """Return a table of data, in whichever module it stands."""
        return self._tables[name]

    @cached_property
    def _tables(self) -> dict[str, dict[Any, Any]]:
        named: dict[str, dict[Any, Any]] = {}
        for module in self.modules:
            names = vars(importlib.import_module(module.name))
            named |= {
                name: held for name, held in names.items() if name.isupper() and hasattr(held, "values")
            }
        return named


def _constant(name: str, module: Module) -> frozenset[str]:
    held = vars(importlib.import_module(module.name))[name]
    return frozenset((held,) if isinstance(held, str) else held)


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _parameters(function: Function) -> list[str]:
    each = function.args
    return [one.arg for one in (*each.posonlyargs, *each.args, *each.kwonlyargs)]


def _default(name: str, function: Function) -> ast.expr | None:
    each = function.args
    placed = [*each.posonlyargs, *each.args]
    known = dict(
        zip([one.arg for one in placed][len(placed) - len(each.defaults) :], each.defaults, strict=True)
    )
    known |= {one.arg: value for one, value in zip(each.kwonlyargs, each.kw_defaults, strict=True) if value}
    return known.get(name)


def _assigned(name: str, function: Function) -> Iterator[ast.expr]:
    """Yield what is assigned to a name in a function, also as a part of several."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=known)], value=value) if known == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=known), value=ast.expr() as value) if known == name:
                yield value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = zip(targets, values, strict=True)
                yield from (value for one, value in pairs if isinstance(one, ast.Name) and one.id == name)
            case _:
                pass
