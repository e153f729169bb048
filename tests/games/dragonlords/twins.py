"""Twin games: two sessions that differ in a secret, given the same decisions, and all that others are shown of both.

`play_on` compares them after every entry, for everybody who may not know the secret, until a fact reveals it to him:
his lines and how long they are, his state, what he is asked and offered, what anybody is asked, what he is told when he
commands what he may not, and what a bot in his place would do.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from api.schemas import ask_as_json
from core.deciding import Decision, decide
from core.games.dragonlords import RULES
from core.games.dragonlords.ending import ScrollsPassed
from core.games.dragonlords.scroll_book import HandSeen
from core.kit.chance import Deal
from core.kit.table import MoveHead
from events.event import Seat
from replay.bots import bots_of
from replay.cli.moves import said
from replay.hearing import barred, decided_for
from replay.history import goes_on_from
from replay.outcomes import Accepted, Refused
from replay.session import Session
from tests.driver import Heard, choices
from tests.games.dragonlords.hidden import World
from tests.laws.worlds import perturbed, words_of
from tests.replay.engine import Memory

__all__ = ["Leak", "Pair", "Reader", "begin", "give", "look", "masked", "play_on", "submit"]

_DIGESTS = re.compile(rb"\b[0-9a-f]{64}\b")
Reader = Seat | None
"""A seat, or None for a spectator."""


class Leak(AssertionError):
    """Raised when somebody can tell twins apart by a secret that is not his: who, where, and what he is shown."""


def masked(text: bytes) -> bytes:
    """Return bytes with digests, and the hashes that hang on them, made alike: what is a digest shorter is none."""
    return _DIGESTS.sub(b"0" * 64, text)


@dataclass
class Pair:
    """Twin games at one point: the sessions, and who still may not tell them apart."""

    world: World
    first: Session
    second: Session
    watching: list[Reader] = field(default_factory=list)

    @property
    def both(self) -> tuple[Session, Session]:
        return self.first, self.second


def _session(world: World, hidden: Sequence[Any]) -> Session:
    ticks = iter(range(86_400))
    return Session.create(
        Memory(), RULES, game="twins", seats=world.seats, position=(*world.both, *hidden),
        clock=lambda: f"2026-01-01T{(n := next(ticks)) // 3600:02}:{n // 60 % 60:02}:{n % 60:02}.000Z",
    )  # fmt: skip


def begin(world: World) -> Pair:
    """Open both games of a world and play what leads to where the secret matters, comparing on the way."""
    readers: tuple[Reader, ...] = (*world.seats, None)
    watching = [reader for reader in readers if reader not in world.owners]
    pair = Pair(world, _session(world, world.first), _session(world, world.second), watching)
    look(pair)
    for line in world.lead:
        give(pair, *((line, line) if isinstance(line, str) else line))
    return pair


def give(pair: Pair, one: str, other: str) -> None:
    """Let both games have a line each, and compare them."""
    seat, command = said(pair.first, one)
    submit(pair, seat, command, said(pair.second, other)[1])


def submit(pair: Pair, seat: Seat, one: Any, other: Any) -> None:
    """Let a seat command in both games, and compare what others are shown."""
    told = [session.submit(seat, command) for session, command in zip(pair.both, (one, other), strict=True)]
    where = f"{pair.world.name}, entry {pair.first.head.id}: {seat} {one}"
    if all(isinstance(each, Refused) for each in told):
        raise ValueError(f"{where} is refused: {told}")
    if not all(isinstance(each, Accepted) for each in told):
        raise Leak(f"{where} is accepted in one game and refused in the other: {told}")
    look(pair)


def look(pair: Pair) -> None:
    """Compare the last entry and what stands after it for everybody who may not know; raise `Leak` for a difference."""
    pair.watching = [reader for reader in pair.watching if _same_to(pair, reader)]


def _same_to(pair: Pair, reader: Reader) -> bool:
    """Return whether a reader still can't tell the games apart; False once a fact has revealed it to him."""
    where = f"{pair.world.name}, entry {pair.first.head.id}: {reader or 'a spectator'}"
    lines = [_line(session, reader) for session in pair.both]
    if lines[0] != lines[1]:
        facts = [session.history.entry_for(reader, session.head.id).facts for session in pair.both]
        parting = next((pair for pair in zip(*facts, strict=False) if _differ(*pair)), ())
        if any(_may_reveal(fact, reader) for fact in parting):
            return False
        raise Leak(f"{where} reads {lines[0]!r} or {lines[1]!r}")
    for what, show in SHOWN.items():
        shown = [masked(repr(show(session, reader)).encode()) for session in pair.both]
        if shown[0] != shown[1]:
            raise Leak(f"{where} can tell by {what}: {shown[0]!r} or {shown[1]!r}")
    return True


def _differ(one: Any, other: Any) -> bool:
    return masked(RULES.codec.value(one)) != masked(RULES.codec.value(other))


def _may_reveal(fact: Any, reader: Reader) -> bool:
    """Return whether a fact is there to tell this reader what was secret: hands are seen by one seat alone (QD-16.9, QD-14.2)."""
    if isinstance(fact, HandSeen):
        return reader == fact.seat
    if isinstance(fact, ScrollsPassed):
        return reader in (fact.seat, fact.victor)
    return bool(type(fact).REVEALS)


def _line(session: Session, reader: Reader) -> bytes:
    """Return the last stored line as bytes, with the openings that a reader gets with it, masked but for their salt."""
    line, openings = list(session.lines_as(reader, session.head.id - 1))[-1]
    bare = [(opening.part, opening.to, len(opening.salt), bytes(opening.value)) for opening in openings]
    return masked(line + repr(bare).encode())


def _asks(session: Session, reader: Reader) -> list[Any]:
    return [ask_as_json(ask) for ask in session.asks(reader)] if reader is not None else []


def _questions(session: Session, _reader: Reader) -> list[Any]:
    """Return everything that anybody is asked, on the whole state: others see at least that a game waits, and for whom."""
    return [(opened.name(seat), asked) for opened, asked in session.now.questions() for seat in asked.seats]


def _bots(session: Session, reader: Reader) -> list[Any]:
    """Return what each bot would play for a reader now: it would do so before all eyes."""
    if reader is None:
        return []
    view = session.view(reader)
    return [
        choose(view, ask, Random(1).randrange)
        for ask in session.asks(reader)
        if ask.offers
        for choose in bots_of(RULES).values()
    ]


SHOWN: dict[str, Callable[[Session, Reader], Any]] = {
    "the state": lambda session, reader: session.view(reader).state,
    "the table": lambda session, reader: session.view(reader).table,
    "what is asked": _asks,
    "who is asked": _questions,
    "what a bot does": _bots,
    "whether the game is over": lambda session, _: (session.now.state.ended, session.now.state.out),
    "how far the log goes": lambda session, _: session.head.id,
}
"""What a reader is shown, apart from the lines themselves."""


def heard(session: Session, seat: Seat, command: Any) -> Any:
    """Return what a seat would be told of a command, which is not given: why it is refused, or what would follow."""
    refused = barred(session.now.table, session.read_only, seat, command)
    if refused is not None:
        return refused
    decided = decided_for(session.history, seat, command, goes_on_from(command, session.head.id))
    if isinstance(decided, Refused):
        return decided
    shown = zip(decided.facts, decided.audiences, strict=True)
    return [fact if not to or seat in to else to for fact, to in shown]


def tease(pair: Pair, choose: Callable[[int], int], times: int = 3) -> None:
    """Let those who may not know command what is wrong, and compare what they are told."""
    names = (*sorted({*pair.world.about, *_words_in(pair)}), "nobody", "?", "")
    asked: Heard = {}
    for _ in range(times):
        found = perturbed(pair.first.now, names, choose, asked)
        for seat in pair.watching if found is not None else ():
            if seat is None or found is None:
                continue
            told = [heard(session, seat, found[1]) for session in pair.both]
            if msgspec.to_builtins(told[0]) != msgspec.to_builtins(told[1]) and not _reveals(told):
                where = f"{pair.world.name}, after entry {pair.first.head.id}"
                raise Leak(f"{where}: {seat} may tell by {found[1]}: {told[0]} or {told[1]}")


def _words_in(pair: Pair) -> set[str]:
    return {word for entry in pair.first.entries[-8:] for word in words_of(entry.command)}


def _reveals(told: Sequence[Any]) -> bool:
    return any(
        getattr(type(fact), "REVEALS", False) for each in told if isinstance(each, list) for fact in each
    )


def play_on(pair: Pair, seed: int, entries: int) -> int:
    """Play both games on alike; return after how many entries nobody was left who may not know, or could be asked."""
    choose = Random(seed).randrange
    for count in range(entries):
        if not pair.watching:
            return count
        tease(pair, choose)
        if not choose(12):
            _go_back(pair, choose)
            continue
        step = _common(pair, choose)
        if step is None:
            return count
        submit(pair, *step, step[1])
    return entries


def _go_back(pair: Pair, choose: Callable[[int], int]) -> None:
    """Let one who may not know ask to go back, first alone, which may be refused, then with everybody's consent."""
    asking = [seat for seat in pair.watching if seat is not None]
    if not asking:
        return
    seat, to = asking[choose(len(asking))], max(1, pair.first.head.id - 1 - choose(4))
    told = [heard(session, seat, MoveHead(to)) for session in pair.both]
    known = [session.learned(seat, to) for session in pair.both]
    if told[0] != told[1] or known[0] != known[1]:
        raise Leak(f"{pair.world.name}: {seat} may tell by going back to {to}: {told}, {known}")
    if not (isinstance(told[0], Refused) and told[0].reasons[0].code == "goes_nowhere"):
        submit(pair, seat, command := MoveHead(to, pair.world.seats), command)


def _common(pair: Pair, choose: Callable[[int], int]) -> tuple[Seat, Any] | None:
    """Return a decision that can be made in both games, rather one about the secret; whoever knows it may have to look."""
    now = pair.first.now
    asked: Heard = {}
    knowing = {seat for seat in pair.world.seats if seat not in pair.watching}
    found = [choice for _ in range(12) if (choice := choices(now, choose, heard=asked))]
    for choice in sorted(found, key=lambda choice: not pair.world.about & words_of(choice.command)):
        may_differ = choice.seat in knowing or isinstance(choice.command, Deal)
        if not may_differ or isinstance(decide(pair.second.now, choice.seat, choice.command), Decision):
            return choice.seat, choice.command
    return None
