"""A table for tests: given a position, when a seat commands, then facts; and lawful play at random.

    given(RULES, PebblesSet("blue", 1), seats=("red", "blue")).dice(3, 4).when("red", Throw("blue")).then(...)

Every command goes the whole way: decided, sealed, written as a line, read back and folded. When the table is left,
the scripted dice must be used up and the log must still say what was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

from msgspec import structs

from core.asking import Ask, Chooser
from core.deciding import Decision, Refused, asks, decide, opening, refusals
from core.folding import fold
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, MoveHead, OpenGame, Rule, TableCommand
from core.refusal import Refusal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.chain import hash_of
from events.chance import Rolled
from events.entry import Entry
from events.event import CommandData, Face, FactData, Seat
from events.play import Turned
from events.seals import Opening, conceal, for_seat
from events.table import Answered, Forfeited, Upheld, WentBack

__all__ = ["SPECTATOR", "Choice", "Table", "assert_open", "choices", "decisions", "play", "seats_of"]

SPECTATOR: Seat = "spectator"
"""Whoever looks on: no opening is ever his."""
AT = "2026-01-01T00:00:00Z"


@dataclass(frozen=True)
class Told:
    """An entry as it was decided: before sealing, with everything in it."""

    entry: Entry[Any, Any]
    line: bytes
    openings: tuple[Opening, ...]


class Table:
    """A game at a table: the log that grows, every state on the way, and the script that chance follows."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.log: list[Told] = []
        self.moments: list[Moment[Any]] = [opening(rules)]
        self.prev = ""
        self.told: list[FactData] = []
        self.reasons: tuple[Refusal, ...] = ()
        self._faces: list[Face] = []
        self._cards: list[str] = []
        self._views: dict[Seat, list[Moment[Any]]] = {}

    # what stands

    @property
    def now(self) -> Moment[Any]:
        """The state that the last entry led to, and the table."""
        return self.moments[-1]

    @property
    def state(self) -> Any:
        return self.now.state

    def _at(self, entry: int) -> Moment[Any]:
        """Return the state after an entry, beside the table after the last one."""
        if entry == len(self.log):
            return self.moments[entry]
        return Moment(self.rules, self.moments[entry].state, self.moments[-1].table, len(self.log) + 1)

    def asked(self) -> dict[Seat, list[str]]:
        """Return the kinds of question that each seat is asked now."""
        kinds: dict[Seat, list[str]] = {}
        for _, question in self.now.questions():
            for seat in question.seats:
                kinds.setdefault(seat, []).append(question.kind)
        return kinds

    def ask(self, seat: Seat, kind: str = "") -> Ask:
        """Return what a seat is asked now, seen from its own view; the question of that kind if it is asked several."""
        found = [ask for ask in asks(self.view(seat), seat) if kind in ("", ask.question.kind)]
        assert found, f"{seat} is asked nothing{kind and f' of kind {kind}'}; asked are {self.asked()}"
        return found[0]

    def view(self, seat: Seat) -> Moment[Any]:
        """Return the moment as a seat may see it: the fold of the lines with its own openings alone."""
        return self.views(seat)[-1]

    def views(self, seat: Seat) -> list[Moment[Any]]:
        """Return the moments after 0, 1, 2 ... entries as a seat may see them; chance sees everything."""
        if seat == CHANCE:
            return self.moments
        seen = self._views.setdefault(seat, [opening(self.rules)])
        for told in self.log[len(seen) - 1 :]:
            entry = self.seen(told, seat)
            before = Moment(self.rules, seen[entry.parent].state, seen[-1].table, entry.id)
            seen.append(fold(before, entry))
        return seen

    def twin(self) -> Table:
        """Return another table with the same game, which goes on by itself."""
        twin = copy(self)
        twin.log, twin.moments = list(self.log), list(self.moments)
        twin._faces, twin._cards = list(self._faces), list(self._cards)
        twin._views = {seat: list(views) for seat, views in self._views.items()}
        return twin

    def seen(self, told: Told, seat: Seat) -> Entry[Any, Any]:
        """Return an entry as a seat may read it."""
        return self.rules.codec.reveal(self.rules.codec.decode(told.line), for_seat(told.openings, seat))

    # what is done

    def send(self, seat: Seat, command: Any, *, overlook: bool = False) -> Decision[Any] | Refused:
        """Decide a command and, unless it is refused, append it."""
        to = command.goes_back() if hasattr(command, "goes_back") else None
        parent = to if to is not None and 0 <= to < len(self.moments) else len(self.log)
        decided = decide(self._at(parent), seat, command, overlook=overlook)
        if isinstance(decided, Decision):
            self._append(parent, seat, command, decided)
        return decided

    def _append(self, parent: int, seat: Seat, command: Any, decided: Decision[Any]) -> None:
        codec, number = self.rules.codec, len(self.log) + 1
        source = self.moments[-1].table.dice if isinstance(command, AnswerRoll | Deal) else ""
        whole: Entry[Any, Any] = Entry(
            number, parent, AT, seat, command, decided.facts, self.prev, source=source
        )
        public, openings = conceal(whole, decided.audiences, decided.command_to, codec.value, _salt)
        line = codec.encode(public, openings)
        read = codec.reveal(codec.decode(line), openings)
        assert read == whole, "the line reads back as something else"
        before = Moment(self.rules, self.moments[parent].state, self.moments[-1].table, number)
        folded = fold(before, read)
        assert folded.state == decided.after.state, "the fold of the line is not the state that was decided"
        assert folded.table == decided.after.table, "the fold of the line is not the table that was decided"
        self.log.append(Told(whole, line, openings))
        self.moments.append(decided.after)
        self.prev = hash_of(line)

    def must(self, seat: Seat, command: Any) -> Decision[Any]:
        """Append a command that the rules allow."""
        decided = self.send(seat, command)
        assert isinstance(decided, Decision), (
            f"entry {len(self.log) + 1}: {seat} may {command}, and is refused: {decided.reasons}"
        )
        return decided

    def when(self, seat: Seat, command: Any, *, overlook: bool = False) -> Table:
        """Let a seat command, and chance answer from the script as long as there is one."""
        first = len(self.log)
        decided = self.send(seat, command, overlook=overlook)
        self.reasons = decided.reasons if isinstance(decided, Refused) else ()
        if not self.reasons:
            self._follow_script()
        elif seat in self.now.table.seats and not isinstance(command, TableCommand):
            told, guessed = (refusals(self.view(who), seat, command) for who in (seat, SPECTATOR))
            assert_open(told, guessed, (seat, command))
        self.told = [fact for told in self.log[first:] for fact in told.entry.facts]
        return self

    def _follow_script(self) -> None:
        while (asked := self.now.question) is not None:
            command: Any
            if asked.roll is not None and self._faces:
                count = asked.roll.count
                assert count <= len(self._faces), f"{asked.roll} is asked, the script has only {self._faces}"
                command, self._faces = AnswerRoll(tuple(self._faces[:count])), self._faces[count:]
            elif asked.draw is not None and self._cards:
                command = Deal(self._cards.pop(0))
            else:
                return
            self.must(CHANCE, command)

    def dice(self, *faces: Face) -> Table:
        """Script the faces that fall next."""
        self._faces += faces
        return self

    def cards(self, *cards: str) -> Table:
        """Script the cards that are dealt next."""
        self._cards += cards
        return self

    # what is expected

    def then(self, *facts: FactData) -> Table:
        """Expect exactly these facts of the last `when`, in order, whatever moved the agenda.

        `Rolled` counts only where one is expected; `because` only where the expected fact has one.
        """
        assert not self.reasons, f"refused: {self.reasons}"
        passed_over = (Turned,) if any(isinstance(fact, Rolled) for fact in facts) else (Turned, Rolled)
        told = [fact for fact in self.told if not isinstance(fact, passed_over)]
        assert [_bare(fact, like) for fact, like in zip(told, facts, strict=False)] == list(facts), told
        assert len(told) == len(facts), f"told besides: {told[len(facts) :]}"
        return self

    def refused(self, code: str, *sections: str) -> Table:
        """Expect that the last `when` was refused for this reason, citing these sections."""
        assert self.reasons, f"not refused, but told: {self.told}"
        codes = {reason.code: reason.because for reason in self.reasons}
        assert code in codes, f"refused for other reasons: {self.reasons}"
        assert set(sections) <= set(codes[code]), f"{code} cites {codes[code]}"
        return self

    def asks(self, **kinds: str) -> Table:
        """Expect that exactly these seats are asked now: `red="wheel well"` is asked two questions, the top one first."""
        asked = self.asked()
        assert asked == {seat: kind.split() for seat, kind in kinds.items()}, f"asked are {asked}"
        return self

    # what must hold of the whole log

    def verify(self) -> None:
        """Decide every entry again, on its parent's state and the table before it: the same facts must follow."""
        for told in self.log:
            entry = told.entry
            state, table = self.moments[entry.parent].state, self.moments[entry.id - 1].table
            overlook = any(type(fact).__name__ == "Overlooked" for fact in entry.facts)
            again = decide(
                Moment(self.rules, state, table, entry.id), entry.seat, entry.command, overlook=overlook
            )
            assert isinstance(again, Decision), f"entry {entry.id} is refused now: {again}"
            assert again.facts == entry.facts, f"entry {entry.id} is told otherwise now"

    def leave(self) -> None:
        """Expect that the script is used up, that the log is lawful, and that everybody can read it."""
        assert not self._faces, f"scripted dice are left over: {self._faces}"
        assert not self._cards, f"scripted cards are left over: {self._cards}"
        self.verify()
        for seat in (*self.now.table.seats, SPECTATOR):
            assert [(opened.name(seat), question) for opened, question in self.view(seat).questions()] == [
                (opened.name(seat), question) for opened, question in self.now.questions()
            ], f"{seat} sees another question than is asked"


def given(
    rules: Rules[Any],
    *position: Any,
    seats: Sequence[Seat] = (),
    answers: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
) -> Table:
    """Return a table at which a game was opened, from a position if set-up facts are given.

    Of several set-up facts about one thing the last one counts, so that a test can change a position it shares.
    """
    table = Table(rules)
    command: OpenGame[Any] = OpenGame(
        "game",
        rules.name,
        tuple(seats or rules.seats),
        dict(answers or {}),
        dice="scripted",
        options=dict(options or {}),
        position=latest(position),
    )
    table.when(ARBITER, command)
    assert not table.reasons, f"the opening is refused: {table.reasons}"
    return table


def latest(position: Sequence[Any]) -> tuple[Any, ...]:
    """Return set-up facts without those that a later one about the same thing replaces."""
    kept: dict[Any, Any] = {}
    for n, fact in enumerate(position):
        about = n if fact.KEY is None else (type(fact), *(getattr(fact, name) for name in fact.KEY))
        kept.pop(about, None)
        kept[about] = fact
    return tuple(kept.values())


def assert_open(told: Sequence[Refusal], guessed: Sequence[Refusal], about: object) -> None:
    """Compare why a seat is refused with what somebody who looks on makes of it (LS-2.7)."""
    public, seen = ({repr(one) for one in each if not one.secret} for each in (told, guessed))
    assert told or not seen, f"{about} is lawful, and a spectator would be told {seen}"
    if not any(one.secret for one in told):
        assert seen <= public, f"a spectator would be told of {about} what is not so: {seen - public}"
    if not any(one.secret for one in guessed):
        assert public <= seen, f"a spectator may be told of {about}, and is not: {public - seen}"


# lawful play at random


@dataclass(frozen=True)
class Choice:
    """One command that somebody may give now."""

    seat: Seat
    ask: Ask
    command: Any


def seats_of(now: Moment[Any]) -> list[Seat]:
    """Return every seat that is asked something now, in a fixed order; none while only the arbiter is asked."""
    if now.table.disputes:
        return []
    return list(dict.fromkeys(seat for _, question in now.questions() for seat in question.seats))


Heard = dict[Seat, list[Ask]]
"""What each seat was asked at one moment, for who asks more than once."""


def choices(
    now: Moment[Any], choose: Chooser, unseen: bool = False, heard: Heard | None = None
) -> Choice | None:
    """Return a lawful command at random: a seat that is asked, an ask, an offer, a sample; None when nobody is asked.

    With `unseen` whoever records sees no card that is dealt.
    """
    seats = seats_of(now)
    if not seats:
        return None
    seat = seats[choose(len(seats))]
    heard = {} if heard is None else heard
    open_asks = _open_to(now, seat, heard)
    if not open_asks:
        others = [ask for name in seats for ask in _open_to(now, name, heard)]
        assert others, f"{seats} are asked, and nobody is offered anything"
        open_asks = others
    ask = open_asks[choose(len(open_asks))]
    offer = ask.offers[choose(len(ask.offers))]
    command: CommandData = offer.sample(choose)
    if unseen and isinstance(command, Deal):
        command = Deal("?")
    return Choice(ask.seat, ask, command)


def _open_to(now: Moment[Any], seat: Seat, heard: Heard) -> list[Ask]:
    if seat not in heard:
        heard[seat] = list(asks(now, seat))
    return [ask for ask in heard[seat] if ask.offers]


def any_opening(rules: Rules[Any], choose: Chooser, *, shuffled: bool = False) -> OpenGame[Any]:
    """Return an opening at random that the rules allow: how many seats, which options, which answers to points.

    The seats are the first ones of the game, or if `shuffled` any, in any order. Seats and options that do not go
    together are chosen again, a few times.
    """
    command = _any_opening(rules, choose, shuffled=shuffled)
    for _ in range(8):
        if not refusals(opening(rules), ARBITER, command):
            return command
        command = _any_opening(rules, choose, shuffled=shuffled)
    return structs.replace(command, options={}, answers={})


def _any_opening(rules: Rules[Any], choose: Chooser, *, shuffled: bool) -> OpenGame[Any]:
    count = rules.least + choose(len(rules.seats) - rules.least + 1)
    seats = rules.seats[:count]
    if shuffled:
        left = list(rules.seats)
        seats = tuple(left.pop(choose(len(left))) for _ in range(count))
    options = {name: values[choose(len(values))] for name, values in rules.options.items()}
    answers = {
        point.id: point.answer[choose(len(point.answer))].id
        for point in rules.rulebook.point
        if not choose(3)
    }
    return OpenGame("game", rules.name, seats, answers, dice="scripted", options=options)


def play(
    rules: Rules[Any],
    seed: int,
    entries: int = 150,
    *,
    begun: Iterable[tuple[Seat, Any]] = (),
    shuffled: bool = False,
    unseen: bool = False,
    troubled: bool = False,
) -> Table:
    """Play lawfully at random, as the seed says, until the game ends or so many entries were played.

    The game goes on from what was commanded in `begun`, or opens at random, its seats `shuffled` or not. With `unseen` whoever records sees no
    card; with `troubled` the arbiter is busy: take-backs, rulings, disputes.
    """
    choose = Random(seed).randrange
    table = Table(rules)
    for seat, command in begun:
        table.must(seat, command)
    if not table.log:
        table.must(ARBITER, any_opening(rules, choose, shuffled=shuffled))
    entries += len(table.log) - 1
    while len(table.log) < entries:
        if troubled and not choose(12):
            for seat, command in any_trouble(table, choose):
                table.must(seat, command)
            continue
        choice = choices(table.now, choose, unseen)
        if choice is None:
            break
        table.must(choice.seat, choice.command)
    return table


def any_trouble(table: Table, choose: Chooser) -> Iterator[tuple[Seat, Any]]:
    """Yield what keeps an arbiter busy: a take-back, an answer to a point, a forfeit, a dispute and its ruling."""
    now = table.now
    points = now.rules.rulebook.point
    kind = choose(5)
    if kind == 0:
        yield ARBITER, MoveHead(1 + choose(len(table.log)), arbiter="a coin")
    elif kind == 1 and points:
        point = points[choose(len(points))]
        answer = point.answer[choose(len(point.answer))].id
        yield ARBITER, Rule(Answered(point.id, answer), "so the table wants it")
    elif kind == 2 and len(now.table.forfeited) + 2 < len(now.table.seats):
        yield ARBITER, Rule(Forfeited(now.table.seats[choose(len(now.table.seats))]), "went home")
    elif kind == 3:
        contested = 1 + choose(len(table.log))
        seat, dispute = now.table.seats[choose(len(now.table.seats))], RaiseDispute(contested, "not so")
        if refusals(now, seat, dispute):
            return  # it has raised one just now, or over this entry before
        yield seat, dispute
        verdict = WentBack(contested) if choose(2) else Upheld()
        yield ARBITER, Rule(verdict, "looked it up", dispute=len(table.log))
    else:
        yield ARBITER, Correct("looked at once more", ())


def decisions(
    rules: Rules[Any], seed: int, entries: int
) -> Iterator[tuple[Moment[Any], Seat, Any, Decision[Any]]]:
    """Yield lawful decisions at random and nothing besides: no lines, no seals, no views; new games when one ends."""
    choose = Random(seed).randrange
    now = opening(rules)
    for _ in range(entries):
        choice = choices(now, choose) if now.table.opened else None
        seat, command = (choice.seat, choice.command) if choice else (ARBITER, any_opening(rules, choose))
        if choice is None and now.table.opened:
            now = opening(rules)
        decided = decide(now, seat, command)
        assert isinstance(decided, Decision), (
            f"{seat} was offered {command}, and is refused: {decided.reasons}"
        )
        yield now, seat, command, decided
        now = decided.after


def _salt(entry: int, part: int) -> bytes:
    """Return a salt that is the same in every run: a test needs no secrecy."""
    return sha256(f"{entry} {part}".encode()).digest()[:16]


def _bare(fact: FactData, like: FactData) -> FactData:
    """Return a fact without its sections, when the one it is compared with has none."""
    from msgspec import structs

    return structs.replace(fact, because=()) if not like.because else fact
