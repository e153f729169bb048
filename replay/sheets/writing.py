"""Scoresheets written: from a log, and as a form to begin from."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import structs

import core.games
from core.asking import Offer
from core.contract import Setup
from core.deciding import Refused, asks, decide, opening
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, OpenGame, Rule, TableCommand
from core.rules import Rules
from core.seats import ARBITER
from events.entry import Entry, SealedCommand, UnrecognisedCommand
from events.event import Face
from events.table import GameOpened
from replay.sheets.arbiter import prose, write_arbiter, write_dispute
from replay.sheets.claims import claim_kinds
from replay.words.faults import Fault
from replay.words.forms import FACE, quoted
from replay.words.grammar import grammar

__all__ = ["sealed_in", "template", "write_line", "write_sheet"]

Log = Sequence[Entry[Any, Any]]
_SEALED = re.compile(r"^# entry (\d+), (\S+): sealed to (.+)$", re.MULTILINE)
"""The remark that stands in a sheet for what its reader may not see."""


def write_line(rules: Rules[Any], seat: str, command: Any, *, disputed: bool = True) -> str | None:
    """Return the line of a scoresheet that says a command; None when a sheet has no words for it.

    While a dispute is open a ruling says which one it is on, even when it is on none.
    """
    if isinstance(command, AnswerRoll):
        return f"dice: {write_faces(command.faces)}"
    if isinstance(command, Deal):
        return f"card: {prose(command.card)}"
    if isinstance(command, RaiseDispute):
        return f"{seat}: {write_dispute(command)}"
    if isinstance(command, Correct | Rule):
        said = write_arbiter(rules, command, disputed=disputed)
        return said and f"{seat}: {said}"
    if isinstance(command, TableCommand | SealedCommand | UnrecognisedCommand):
        return None
    return f"{seat}: {grammar(rules).write(command)}"


def write_faces(faces: Iterable[Face]) -> str:
    """Return dice as they are written after `dice:`."""
    return " ".join(FACE.write(face, frozenset(), True) for face in faces) or "none"


def write_sheet(rules: Rules[Any], log: Log) -> str:
    """Return the scoresheet of a log whose first entry opens the game: every command, those of silence included.

    What was taken back is left out, and what took it back; rulings are kept, wherever they were made. Numbers of entries
    are those that the sheet will give. What a sheet can't say stands there as a remark.
    """
    first = log[0].command
    if isinstance(first, SealedCommand):
        first = _opened_by(log[0])
    if not isinstance(first, OpenGame):
        raise ValueError("the first entry does not open a game")  # noqa: TRY004 - it is the log that is wrong
    lines = [*_header(rules, first), ""]
    numbers = {log[0].id: 1}
    disputes: set[int] = set()
    for entry in _standing(log):
        command = _renumbered(entry.command, numbers)
        said = write_line(rules, entry.seat, command, disputed=bool(disputes))
        if said is None:
            lines.append(f"# entry {entry.id}, {entry.seat}: {_unsayable(command)}")
        else:
            numbers[entry.id] = len(numbers) + 1
            lines.append(said)
        if isinstance(command, RaiseDispute):
            disputes.add(numbers[entry.id])
        elif isinstance(command, Rule):
            disputes.discard(command.dispute)
    return "\n".join(lines) + "\n"


def _opened_by(entry: Entry[Any, Any]) -> Any:
    """Return the opening as far as the facts of it tell somebody who may not see all of its position."""
    opened = next((fact for fact in entry.facts if isinstance(fact, GameOpened)), None)
    if opened is None:
        return None
    return OpenGame[Any](
        opened.id, opened.game, opened.seats, opened.answers, opened.dice, opened.commitment, opened.persons,
        opened.options, tuple(fact for fact in entry.facts if isinstance(fact, Setup)), opened.branch, opened.title,
    )  # fmt: skip


def _header(rules: Rules[Any], first: OpenGame[Any]) -> Iterator[str]:
    yield f"game: {rules.name}"
    if first.title:
        yield f"title: {prose(first.title)}"
    yield f"seats: {', '.join(map(quoted, first.seats))}"
    for point, answer in sorted(first.answers.items()):
        if answer != rules.rulebook.defaults.get(point):
            yield f"answer: {point} = {quoted(answer)}"
    for name, value in sorted(first.options.items()):
        yield f"option: {quoted(name)} = {quoted(value)}"
    for fact in first.position:
        yield f"setup: {grammar(rules).write(structs.replace(fact, because=()))}"


def _standing(log: Log) -> Iterator[Entry[Any, Any]]:
    """Yield the entries that the game stands on, and the table's acts wherever they were done."""
    by_id = {entry.id: entry for entry in log}
    path: set[int] = set()
    at = log[-1].id
    while at in by_id and at not in path:
        path.add(at)
        at = by_id[at].parent
    backwards = {entry.id for entry in log if _goes_back(entry.command)}
    backwards |= {
        entry.command.dispute for entry in log if entry.id in backwards and isinstance(entry.command, Rule)
    }
    for entry in log[1:]:
        if entry.id not in backwards and (entry.id in path or isinstance(entry.command, Rule | RaiseDispute)):
            yield entry


def _goes_back(command: Any) -> bool:
    return isinstance(command, TableCommand) and command.goes_back() is not None


def _renumbered(command: Any, numbers: dict[int, int]) -> Any:
    if isinstance(command, RaiseDispute):
        return structs.replace(command, at=numbers.get(command.at, 1))
    if isinstance(command, Rule):
        return structs.replace(command, dispute=numbers.get(command.dispute, 0))
    return command


def sealed_in(text: str) -> Fault | None:
    """Return why a sheet can't be judged in which entries are sealed: what one seat may not see is missing from it."""
    sealed = _SEALED.search(text)
    if sealed is None:
        return None
    entry, who, to = sealed.groups()
    more = sum(1 for _ in _SEALED.finditer(text)) - 1
    others = f", and {more} more of its entries are sealed" * (more > 0)
    return Fault(
        f"this is a sheet as one seat sees it: what {who} said in entry {entry} is sealed to {to}{others}, so it can't be judged",
        "the sheet of who records, in which everything stands: `lawspeaker sheet` without --as",
        line=text.count("\n", 0, sealed.start()) + 1,
        column=1,
    )


def _unsayable(command: Any) -> str:
    if isinstance(command, SealedCommand):
        return f"sealed to {' and '.join(command.to)}"
    return f"{type(command).__name__}, which a scoresheet does not say"


def template(game: str) -> str:
    """Return a commented sheet to begin from; raise `NoSuchRules` when there is no such game."""
    return "\n".join(_template(core.games.load(game))) + "\n"


def _template(rules: Rules[Any]) -> Iterator[str]:
    words = grammar(rules)
    claims = claim_kinds(rules)
    seats = rules.seats[: max(rules.least, 2)]
    yield f"# A scoresheet of {rules.rulebook.book.title}. What follows a # is a remark."
    yield "# `<name: what>` stands for a value, before which the name may be written; `[]` for what may be left out."
    yield "# The header: which game, who plays, and what departs from the usual."
    yield f"game: {rules.name}"
    yield f"seats: {', '.join(seats)}"
    yield "# title: an evening in winter"
    yield f"# position: {rules.name}.toml     # a file beside this one that says what stands where; or line by line:"
    for sentence in words.setup.values():
        yield f"# setup: {sentence.usage}"
    for point in rules.rulebook.point[:1]:
        yield f"# answer: {point.id.partition('-')[2]} = {point.default}     # any point of the rulebook: lawspeaker rules {rules.name}"
    for name, values in rules.options.items():
        yield f"# option: {name} = {'|'.join(values)}"
    yield ""
    yield "# Then what was done, one act a line, in the order it was done. Passes and forced choices may be left out."
    for sentence in words.commands.values():
        yield f"# {seats[0]}: {sentence.usage}"
    yield "# dice: <face> <face> ...     # the roll that is now asked for"
    yield "# card: <name>     # the card that is now drawn; ? when nobody recording could see it"
    for word, kinds in claims.items():
        kind = f" [{'|'.join(kinds)}]" if kinds else ""
        yield f"# claim: <who> {word} <number>{kind}     # counted since the last claim"
    for sentence in words.setup.values():
        yield f"# claim: {sentence.usage}"
    yield f"# {ARBITER}: rule <point> = <answer> because ..."
    yield f"# {ARBITER}: correct <what stands> because ..."
    yield from _example(rules, seats)


def _example(rules: Rules[Any], seats: tuple[str, ...]) -> Iterator[str]:
    """Yield what may be done first when the game opens as usual, if it can."""
    opened = decide(opening(rules), ARBITER, OpenGame[Setup[Any]]("example", rules.name, seats))
    if isinstance(opened, Refused):
        return
    offered = [(seat, offer) for seat in seats for ask in asks(opened.after, seat) for offer in ask.offers]
    if offered:
        yield ""
        yield "# For example, at the opening:"
    for seat, offer in offered[:4]:
        yield f"# {write_line(rules, seat, _one_of(offer))}"


def _one_of(offer: Offer) -> Any:
    return offer.sample(lambda count: count - 1)
