"""The text forms of types: one a type, read from a line of a scoresheet and written to it.

| type | form |
|---|---|
| whole number | `3` |
| name | `OR_n`, `or_n`, `Fernhollow`: as the game has it or as people call it, whatever the capitals |
| text | `OR_n`; in double quotes, escaped as in JSON, when it could be taken for something else |
| truth | `yes`, `no`; after its word: the word alone |
| one of a few | as written in the type |
| numbers or faces | `5 5 6 3`, in round brackets where something else follows |
| texts | `OR_n, OR_k` |
| how many of each | `2 unit, 1 wizard` |
| texts by name | `colour=red, size=big` |
| anything else | JSON |

Nothing at all is `none`.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect

from replay.words.faults import BadText, Fault, close_to

__all__ = ["FACE", "Bool", "Form", "Reader", "form_of", "is_text", "quoted", "unwrapped"]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,;()"=]+|\S')
_BARE = re.compile(r"[^\s,;()\"=#{}\[\]]+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}")
MOST_WORDS = 5
"""A name has so many words at most."""
_RESERVED = frozenset({"none", "yes", "no"})
_json = json.JSONDecoder()


class Reader:
    """A place in a text, and the words that end a value there."""

    def __init__(self, text: str, column: int = 1) -> None:
        """Take the text, and the column at which it stands in its line."""
        self.text, self._first = text, column
        self.seat = ""
        """Whose names are meant where several seats have such: who speaks, or of whom a sentence speaks."""
        self.resolve: Callable[[str, str, str], str | None] = lambda _what, _said, _seat: None
        """Says which name of a kind is meant by some words, of a seat if it is one's; None when it is none."""
        self.words: frozenset[str] = frozenset()
        self.go_to(0)

    def go_to(self, at: int) -> None:
        """Go to a place in the text, and past the spaces there."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        self.at = at

    @property
    def column(self) -> int:
        """The column of what stands next, from 1."""
        return self._first + self.at

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    def rest(self) -> str:
        """Return what is left of the text."""
        return self.text[self.at :].rstrip()

    def token(self) -> str:
        """Return the next token as it is written; empty at the end."""
        found = _TOKEN.match(self.text, self.at)
        return found.group() if found else ""

    def word(self) -> str:
        """Return the next token when it is a bare word, else nothing."""
        token = self.token()
        return "" if token.startswith('"') else token

    def take(self) -> str:
        """Return the next token and go past it."""
        token = self.token()
        self.go_to(self.at + len(token))
        return token

    def takes(self, sign: str) -> bool:
        """Go past a sign if it stands next, and return whether it did."""
        if self.token() != sign:
            return False
        self.take()
        return True

    def take_words(self, words: list[str]) -> bool:
        """Go past these words if all stand next, whatever their capitals, and return whether they did."""
        before = self.at
        for word in words:
            if self.word().lower() != word:
                self.at = before
                return False
            self.take()
        return True

    def fault(
        self, message: str, expected: str = "", close: tuple[str, ...] = (), column: int = 0
    ) -> BadText:
        """Return the fault to raise, at a column or at what stands next."""
        return BadText([Fault(message, expected, close, column=column or self.column)])

    def text_value(self, name: str) -> str:
        """Return the text that stands next, without its quotes."""
        token = self.token()
        if token.startswith('"') and len(token) > 1:
            try:
                value: str = json.loads(token)
            except ValueError:
                raise self.fault(
                    f"{name}: {token} is not a quoted text", "quotes and escapes as in JSON"
                ) from None
            self.take()
            return value
        if not _BARE.fullmatch(token) or token.lower() in self.words:
            raise self.fault(f"{name}: {_found(token)}", "a name, or a text in double quotes")
        return self.take()


def _found(token: str) -> str:
    return f"there is {token!r}" if token else "nothing is there"


def quoted(text: str, also: frozenset[str] = frozenset()) -> str:
    """Return a text as it is written: bare when it can be nothing else, or in quotes."""
    if _BARE.fullmatch(text) and text.isprintable() and not ({text, text.lower()} & (_RESERVED | also)):
        return text
    return json.dumps(text).replace("#", "\\u0023")


class Form:
    """How values of one type are read and written."""

    usage = "text"

    def read(self, reader: Reader, name: str) -> Any:
        """Return the value of field `name` that stands next; raise `BadText`."""
        return reader.text_value(name)

    def write(self, value: Any, words: frozenset[str], _followed: bool, /) -> str:
        """Return a value as text; `words` are to be quoted; `followed`: another value comes right after it."""
        return quoted(value, words)


class _Named(Form):
    """A name that the game knows, in any capitals, or the words by which people call it."""

    def __init__(self, what: str) -> None:
        self._what = self.usage = what

    def read(self, reader: Reader, name: str) -> str:
        for end in self._ends(reader):
            said = " ".join(reader.text[reader.at : end].split())
            known = reader.resolve(self._what, said, reader.seat)
            if known is not None:
                reader.go_to(end)
                return known
        said = reader.text_value(name)
        return reader.resolve(self._what, said, reader.seat) or said

    @staticmethod
    def _ends(reader: Reader) -> list[int]:
        """Return where one, two ... bare words end that stand next, the last first; such as end a value are not among them."""
        ends: list[int] = []
        at = reader.at
        while len(ends) < MOST_WORDS:
            found = _TOKEN.match(reader.text, at)
            if found is None or not _BARE.fullmatch(found.group()) or found.group().lower() in reader.words:
                break
            ends.append(found.end())
            at = found.end()
            while at < len(reader.text) and reader.text[at].isspace():
                at += 1
        return ends[::-1]


class _Int(Form):
    usage = "number"

    def read(self, reader: Reader, name: str) -> int:
        token = reader.token()
        if not _NUMBER.fullmatch(token):
            raise reader.fault(f"{name}: {_found(token)}", "a whole number")
        return int(reader.take())

    def write(self, value: Any, _words: frozenset[str], _followed: bool, /) -> str:
        return str(value)


class Bool(Form):
    """Yes or no."""

    usage = "yes|no"

    def read(self, reader: Reader, name: str) -> bool:
        """Return what stands next; raise `BadText`."""
        token = reader.word()
        if token not in ("yes", "no"):
            raise reader.fault(f"{name}: {_found(token)}", "yes or no")
        return reader.take() == "yes"

    def write(self, value: Any, _words: frozenset[str], _followed: bool, /) -> str:
        """Return the word."""
        return "yes" if value else "no"


class _Choice(Form):
    def __init__(self, values: tuple[Any, ...]) -> None:
        self._values = {str(value): value for value in values}
        self.usage = "|".join(self._values)

    def read(self, reader: Reader, name: str) -> Any:
        column, token = reader.column, reader.token()
        said = reader.text_value(name)
        if said not in self._values:
            raise reader.fault(
                f"{name}: {_found(token)}",
                f"one of: {', '.join(self._values)}",
                close_to(said, self._values),
                column,
            )
        return self._values[said]

    def write(self, value: Any, words: frozenset[str], _followed: bool, /) -> str:
        return quoted(str(getattr(value, "value", value)), words)


class _Face(Form):
    usage = "face"

    def read(self, reader: Reader, name: str) -> Any:
        return int(reader.take()) if _NUMBER.fullmatch(reader.token()) else reader.text_value(name)

    def write(self, value: Any, words: frozenset[str], _followed: bool, /) -> str:
        if isinstance(value, int):
            return str(value)
        return json.dumps(value) if _NUMBER.fullmatch(value) else quoted(value, words)


class _Maybe(Form):
    def __init__(self, inner: Form) -> None:
        self._inner = inner
        self.usage = f"{inner.usage}|none"

    def read(self, reader: Reader, name: str) -> Any:
        if reader.word() == "none":
            reader.take()
            return None
        return self._inner.read(reader, name)

    def write(self, value: Any, words: frozenset[str], followed: bool, /) -> str:
        return "none" if value is None else self._inner.write(value, words, followed)


class _Spaced(Form):
    def __init__(self, item: Form) -> None:
        self._item = item
        self.usage = f"{item.usage} {item.usage} ..."

    def read(self, reader: Reader, name: str) -> list[Any]:
        if reader.word() == "none":
            reader.take()
            return []
        bracket = reader.takes("(")
        values: list[Any] = []
        while not reader.at_end and reader.token() not in ("(", ")", ",", ";"):
            if reader.word().lower() in reader.words:
                break
            values.append(self._item.read(reader, name))
        if bracket and not reader.takes(")"):
            raise reader.fault(f"{name}: the round bracket is not closed", "`)`")
        if not values and not bracket:
            raise reader.fault(f"{name}: {_found(reader.token())}", self.usage)
        return values

    def write(self, value: Any, words: frozenset[str], followed: bool, /) -> str:
        text = " ".join(self._item.write(item, words, True) for item in value)
        return (f"({text})" if followed else text) or "none"


class _Listed(Form):
    """Parts with commas between them."""

    def __init__(
        self, read: Callable[[Reader, str], Any], write: Callable[[Any, frozenset[str]], str]
    ) -> None:
        self._read_one, self._write_one = read, write

    def parts(self, reader: Reader, name: str) -> list[Any]:
        if reader.word() == "none":
            reader.take()
            return []
        values = [self._read_one(reader, name)]
        while reader.takes(","):
            values.append(self._read_one(reader, name))
        return values

    def read(self, reader: Reader, name: str) -> Any:
        return self.parts(reader, name)

    def write(self, value: Any, words: frozenset[str], _followed: bool, /) -> str:
        parts = value.items() if isinstance(value, Mapping) else value
        return ", ".join(self._write_one(part, words) for part in parts) or "none"


class _Texts(_Listed):
    def __init__(self, item: Form) -> None:
        super().__init__(item.read, lambda one, words: item.write(one, words, False))
        self.usage = f"{item.usage}, {item.usage}, ..."


class _ByName(_Listed):
    """A dict: its parts are pairs, and no name may come twice."""

    def read(self, reader: Reader, name: str) -> Any:
        column = reader.column
        pairs = self.parts(reader, name)
        held = dict(pairs)
        if len(held) != len(pairs):
            raise reader.fault(f"{name}: the same name stands twice", "each name once", column=column)
        return held


class _Counts(_ByName):
    def __init__(self, number: Form, key: Form) -> None:
        self._number, self._key = number, key
        super().__init__(
            self._pair,
            lambda pair, words: f"{pair[1]} {key.write(pair[0], words, False)}",
        )
        self.usage = "number kind, number kind, ..."

    def _pair(self, reader: Reader, name: str) -> tuple[str, int]:
        count = self._number.read(reader, name)
        if reader.at_end:
            raise reader.fault(f"{name}: it does not say {count} of what", self.usage)
        return self._key.read(reader, name), count


class _Pairs(_ByName):
    usage = "name=text, name=text, ..."

    def __init__(self) -> None:
        super().__init__(self._pair, lambda pair, words: f"{quoted(pair[0], words)}={quoted(pair[1], words)}")

    def _pair(self, reader: Reader, name: str) -> tuple[str, str]:
        key = reader.text_value(name)
        if not reader.takes("="):
            raise reader.fault(f"{name}: {_found(reader.token())}", "`=` and a text")
        return key, reader.text_value(name)


class _Json(Form):
    usage = "JSON"

    def read(self, reader: Reader, name: str) -> Any:
        try:
            value, end = _json.raw_decode(reader.text, reader.at)
        except (ValueError, RecursionError):
            raise reader.fault(f"{name}: {_found(reader.token())}", "JSON") from None
        reader.go_to(end)
        return value

    def write(self, value: Any, _words: frozenset[str], _followed: bool, /) -> str:
        return msgspec.json.encode(value, order="sorted").decode()


def unwrapped(info: inspect.Type) -> tuple[inspect.Type, Mapping[str, Any]]:
    """Return the type inside its metadata, and the metadata's own marks."""
    extra: dict[str, Any] = {}
    while isinstance(info, inspect.Metadata):
        extra |= info.extra or {}
        info = info.type
    return info, extra


def form_of(info: inspect.Type) -> Form:
    """Return the form of a type."""
    info, extra = unwrapped(info)
    if isinstance(info, inspect.IntType):
        return _Int()
    if isinstance(info, inspect.StrType):
        return _Named(str(extra["named"])) if "named" in extra else Form()
    if isinstance(info, inspect.BoolType):
        return Bool()
    if isinstance(info, inspect.LiteralType):
        return _Choice(info.values)
    if isinstance(info, inspect.EnumType):
        return _Choice(tuple(member.value for member in info.cls))
    if isinstance(info, inspect.UnionType):
        return _form_of_union(info)
    if isinstance(info, inspect.VarTupleType | inspect.ListType):
        item = form_of(info.item_type)
        if isinstance(item, _Int | _Face):
            return _Spaced(item)
        return _Texts(item) if is_text(item) or isinstance(item, _Choice) else _Json()
    if isinstance(info, inspect.DictType):
        key, value = form_of(info.key_type), form_of(info.value_type)
        if isinstance(value, _Int) and (is_text(key) or isinstance(key, _Choice)):
            return _Counts(value, key)
        if is_text(key) and is_text(value):
            return _Pairs()
    return _Json()


def is_text(form: Form) -> bool:
    """Return whether a form is that of one text, be it a name that the game knows or any."""
    return type(form) in (Form, _Named)


def _form_of_union(info: inspect.UnionType) -> Form:
    kinds = [unwrapped(member)[0] for member in info.types]
    some = [kind for kind in kinds if not isinstance(kind, inspect.NoneType)]
    if len(some) == 1 and len(some) < len(kinds):
        inner = form_of(some[0])
        plain = is_text(inner) or isinstance(inner, _Int | _Choice | Bool)
        return _Maybe(inner) if plain else _Json()
    if len(kinds) == 2 and {type(kind) for kind in kinds} == {inspect.IntType, inspect.StrType}:
        return _Face()
    return _Json()


FACE: Final[Form] = _Face()
"""The form of what is printed on a die."""
