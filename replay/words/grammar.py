"""The text form of commands and facts, derived from their structs.

A sentence is the class name in small words (`BuyUnits` is `buy units`), then the fields in order, each after its word
when it has one (`from`), each in the one form that its type has. A text that could be taken for something else stands
in double quotes. Fields that hold their default may be left out. A value may stand after the name of its field,
with a colon or without, as the usage shows it: `declare shows: orc.king`, `attack OR_n from origin: OR_k`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec import NODEFAULT, inspect, structs

from core.refusal import small_words
from core.rules import Rules
from replay.words.faults import BadText, close_to, in_words
from replay.words.forms import Bool, Form, Reader, form_of, unwrapped
from replay.words.naming import named

__all__ = ["BadText", "Field", "Grammar", "Sentence", "grammar", "parse_command", "write_command"]


class Field:
    """One field of a sentence: its name, its word if it has one, its form, and whether it may be left out."""

    def __init__(self, info: inspect.Field, kind: Any) -> None:
        """Take what msgspec says of the field, and its annotation."""
        self.name = info.name
        _, extra = unwrapped(info.type)
        self.word: str = extra.get("word", "")
        self.named: str = extra.get("named", "")
        """Of which kind the name is that it takes; empty where it takes no name of the game's."""
        self.form: Form = form_of(info.type)
        self.optional = not info.required
        self._info, self._kind = info, kind

    @property
    def default(self) -> Any:
        """What the field holds when it is left out."""
        if self._info.default is not NODEFAULT:
            return self._info.default
        return self._info.default_factory() if self._info.default_factory is not NODEFAULT else NODEFAULT

    def read(self, reader: Reader) -> Any:
        """Return the value that stands next; raise `BadText` when it is none, or out of bounds."""
        column = reader.column
        value = self.form.read(reader, self.name)
        try:
            return msgspec.convert(value, self._kind)
        except (msgspec.ValidationError, OverflowError, RecursionError) as fault:
            raise reader.fault(
                f"{self.name} = {value!r} will not do", in_words(str(fault)), column=column
            ) from fault

    @property
    def usage(self) -> str:
        """How the field is written, in square brackets when it may be left out."""
        written = f"<{self.name}: {self.form.usage}>"
        if self.word:
            written = self.word if isinstance(self.form, Bool) else f"{self.word} {written}"
        return f"[{written}]" if self.optional else written


class Sentence:
    """The sentence of one class: a verb and fields."""

    def __init__(self, verb: str, kind: type[Any], leave_out: Sequence[str] = ()) -> None:
        """Take the verb, the class, and the fields that the text form does not have; their names end it."""
        self.verb, self.kind = verb, kind
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)  # noqa: S101 - commands and facts are structs
        kinds = {field.name: field.type for field in structs.fields(kind)}
        self.fields = tuple(
            Field(field, kinds[field.name]) for field in info.fields if field.name not in leave_out
        )
        self.lead = tuple(field.word for field in self.fields if field.word)
        """The words that stand before values."""
        self.words = frozenset((*leave_out, *self.lead, *(f"{word}:" for word in self.lead)))
        """The words that end a value."""
        self.onward: frozenset[str] = frozenset()
        """Words that would make the verb another, longer one."""

    @property
    def usage(self) -> str:
        """The form of the whole sentence."""
        return " ".join((self.verb, *(field.usage for field in self.fields)))

    def read(self, reader: Reader) -> Any:
        """Return the value whose fields stand next, the verb having been read; raise `BadText`."""
        before, reader.words = reader.words, self.words
        try:
            return self.kind(**self._values(reader))
        finally:
            reader.words = before

    def _values(self, reader: Reader) -> dict[str, Any]:
        """Return the values by field: those without a word in their order, each that has one wherever its word stands.

        What may be left out and has no word is left out once a word stands there that comes after it.
        """
        values: dict[str, Any] = {}
        left = list(self.fields)
        while not reader.at_end:
            word = reader.word().lower()
            bare = word.removesuffix(":")
            field = next((each for each in left if each.word and each.word == bare), None)
            if field is None and word not in self.words and word not in (",", ";"):
                field = next((each for each in left if not each.word), None)
            if field is None:
                break
            if field.word:
                reader.take()
                reader.takes(":")
                left = [each for each in left if each.word or not each.optional or self._after(each, field)]
            left.remove(field)
            self._skip_name(reader, field)
            alone = field.word and isinstance(field.form, Bool) and reader.word() not in ("yes", "no")
            values[field.name] = True if alone else field.read(reader)
            if field.name == "seat":
                reader.seat = values["seat"]
        return {
            field.name: values[field.name] if field.name in values else self._absent(reader, field)
            for field in self.fields
        }

    def _skip_name(self, reader: Reader, field: Field) -> None:
        """Go past the name of a field where it stands before the value, as the usage shows it."""
        before = reader.at
        if isinstance(field.form, Bool) or reader.word().lower() not in _names(field):
            return
        reader.take()
        reader.takes(":")
        if reader.at_end or reader.word().lower() in (*self.words, ",", ";", ")", "="):
            reader.go_to(before)

    def _after(self, one: Field, other: Field) -> bool:
        return self.fields.index(one) > self.fields.index(other)

    def _absent(self, reader: Reader, field: Field) -> Any:
        """Return what a field holds that was left out; raise `BadText` when it must not be."""
        if field.optional:
            return field.default
        expected = f"`{field.word}` and {field.form.usage}" if field.word else field.form.usage
        found = f"{reader.token()!r}" if not reader.at_end else "nothing"
        raise reader.fault(
            f"{self.verb}: {field.name} is missing, there is {found}",
            f"{expected}, as in: {self.usage}",
            close_to(reader.token(), self.lead),
        )

    def write(self, value: Any) -> str:
        """Return the sentence of a value."""
        parts = [self.verb]
        written = self._to_write(value)
        for place, field in enumerate(written):
            held = getattr(value, field.name)
            followed = place + 1 < len(written) and not written[place + 1].word
            quoted = self.words | (self.onward if place == 0 else frozenset())
            quoted |= _names(field)
            if field.word:
                parts.append(field.word)
                if isinstance(field.form, Bool) and held:
                    continue
            parts.append(field.form.write(held, quoted, followed))
        return " ".join(parts)

    def _to_write(self, value: Any) -> list[Field]:
        """Return the fields that must be written: those that hold no default, and those before a field like them."""
        written: list[Field] = []
        for field in reversed(self.fields):
            needed = not field.optional or getattr(value, field.name) != field.default
            if needed or any(later.word == field.word for later in written):
                written.append(field)
        return written[::-1]


def _names(field: Field) -> frozenset[str]:
    """Return what may stand before the value of a field and be no part of it."""
    return frozenset({field.name, f"{field.name}:", ":"})


class Grammar:
    """The sentences of one game."""

    def __init__(self, rules: Rules[Any]) -> None:
        """Take the rules of the game."""
        self.rules = rules
        self.commands = _by_verb(Sentence(verb_of(kind), kind) for kind in rules.commands)
        self.setup = _by_verb(Sentence(word, kind, ("because",)) for word, kind in rules.by_word.items())

    @cached_property
    def phases(self) -> tuple[str, ...]:
        """The names of the phases of a turn, as a position says which one is open; none where the game has none."""
        for sentence in self.setup.values():
            info = inspect.type_info(sentence.kind)
            assert isinstance(info, inspect.StructType)  # noqa: S101 - set-up facts are structs
            for field in info.fields:
                kind, _ = unwrapped(field.type)
                if field.name == "phase" and isinstance(kind, inspect.StrType):
                    return tuple(re.findall(r"\w+", kind.pattern or ""))
        return ()

    @cached_property
    def end_of_phase(self) -> type[Any] | None:
        """The command that ends a phase, whichever is open; None where the game has none."""
        ends = (each for verb, each in self.commands.items() if verb.startswith("end ") and not each.fields)
        return next((each.kind for each in ends), None)

    @cached_property
    def _of_command(self) -> dict[type[Any], Sentence]:
        return {sentence.kind: sentence for sentence in self.commands.values()}

    @cached_property
    def _of_setup(self) -> dict[type[Any], Sentence]:
        return {sentence.kind: sentence for sentence in self.setup.values()}

    def command(self, reader: Reader, seat: str = "") -> Any:
        """Return the command that stands next, up to the end of the text, as `seat` says it; raise `BadText`."""
        reader.resolve, reader.seat = self.named, seat
        return self._whole(reader, self.commands, "a command")

    def named(self, what: str, said: str, seat: str = "") -> str | None:
        """Return the name of a kind that is meant by some words, of a seat if it is one's; None when it is none."""
        return named(self.rules, what, said, seat)

    def standing(self, reader: Reader) -> Any:
        """Return the set-up fact that stands next; more may follow it; raise `BadText`."""
        reader.resolve = self.named
        return _sentence(reader, self.setup, "what stands").read(reader)

    def write(self, value: Any) -> str:
        """Return the sentence of a command or set-up fact of this game."""
        sentence = self._of_command.get(type(value)) or self._of_setup[type(value)]
        return sentence.write(value)

    def _whole(self, reader: Reader, sentences: dict[str, Sentence], what: str) -> Any:
        sentence = _sentence(reader, sentences, what)
        value = sentence.read(reader)
        if not reader.at_end:
            raise reader.fault(
                f"{reader.rest()!r} is more than the command says",
                f"the end, as in: {sentence.usage}",
                close_to(reader.token(), sentence.lead),
            )
        return value


def verb_of(kind: type[Any]) -> str:
    """Return the verb of a command's class: `BuyUnits` is `buy units`."""
    return small_words(kind)


def _by_verb(sentences: Iterable[Sentence]) -> dict[str, Sentence]:
    """Return sentences by verb, longest verb first, each knowing the words that would lead on to a longer verb."""
    held = sorted(sentences, key=lambda sentence: -len(sentence.verb.split()))
    for sentence in held:
        own = sentence.verb.split()
        sentence.onward = frozenset(
            longer.verb.split()[len(own)]
            for longer in held
            if longer is not sentence and longer.verb.split()[: len(own)] == own
        )
    return {sentence.verb: sentence for sentence in held}


def _sentence(reader: Reader, sentences: dict[str, Sentence], what: str) -> Sentence:
    """Take the verb that stands next and return its sentence; raise `BadText` with the close ones."""
    for verb, sentence in sentences.items():
        if reader.take_words(verb.split()):
            return sentence
    said = " ".join(reader.rest().split()[:3])
    first = said.partition(" ")[0].lower()
    alike = [verb for verb in sentences if verb.partition(" ")[0] == first]
    close = dict.fromkeys(
        match
        for words in (said, " ".join(said.split()[:2]), said.partition(" ")[0])
        for match in close_to(words.replace("_", " "), alike or sentences)
    )
    close |= dict.fromkeys(alike)
    found = f"{said!r} is not {what}" if said else f"{what} is missing"
    raise reader.fault(found, f"one of: {', '.join(sorted(sentences)) or 'none'}", tuple(close)[:3])


_held: dict[int, Grammar] = {}


def grammar(rules: Rules[Any]) -> Grammar:
    """Return the grammar of a game, made once."""
    known = _held.get(id(rules))
    if known is None:
        known = _held[id(rules)] = Grammar(rules)
    return known


def parse_command(rules: Rules[Any], text: str, seat: str = "") -> Any:
    """Return the command that a text says, as `seat` says it; raise `BadText` with column, what was expected, and close matches."""
    return grammar(rules).command(Reader(text), seat)


def write_command(rules: Rules[Any], command: Any) -> str:
    """Return the text of a command, such that `parse_command` gives it back."""
    return grammar(rules).write(command)
