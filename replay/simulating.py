"""Simulated games: bots play them out, one log a game, the same to the byte for the same seed.

Everything that differs from game to game derives from the seed and the game's number: who rolls what (sealed dice, so
that every log can be checked), what the bots pick, the times, the salts. How many processes work makes no difference.
"""

import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from core import games
from core.contract import Command
from core.deciding import Refused, asks, decide
from core.kit.table import CallOff, OpenGame, RevealSeed
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.chain import Head, hash_of
from events.entry import Entry
from events.jsonl import write_log
from events.seals import Opening, conceal
from replay.bots import NoSuchBot, bots_of
from replay.dice import Sealed, Source, commitment, picked
from replay.history import History
from replay.run_folder import leave_alone, lies_there

__all__ = [
    "Plan",
    "Played",
    "Simulated",
    "Stuck",
    "game_name",
    "is_done",
    "play_out",
    "simulate_one",
]

_BEGAN = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate: which game, from which seed, who sits, which bots play, and when it is called off."""

    game: str
    seed: str
    seats: tuple[str, ...] = ()
    bots: tuple[str, ...] = ("random",)
    """The bot of each seat in turn, repeated as long as needed."""
    options: tuple[tuple[str, str], ...] = ()
    most: int = 5_000
    """After so many entries the arbiter calls the game off."""
    dice: str = "sealed"
    """`sealed`: from a committed seed that the log reveals at its end; `scripted`: open dice, fixed by the seed alike."""
    answers: tuple[tuple[str, str], ...] = ()
    """House answers to points, by their full ids."""


class Stuck(RuntimeError):
    """Raised when a game neither goes on nor ends, or an offer is refused: a defect of its rules, never of input."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """How one game came out."""

    name: str
    entries: int
    how: str
    winners: tuple[str, ...]


def game_name(plan: Plan, number: int) -> str:
    """Return the name of a simulated game."""
    return f"{plan.game}-{plan.seed}-{number:06d}"


def is_done(plan: Plan, number: int, folder: Path) -> bool:
    """Return whether a game lies in the folder already: its head is written last.

    Raises `AnotherPlan` when what lies there under its name was not written by this plan.
    """
    rules = games.load(plan.game)
    return lies_there(rules, _place(plan, number, folder), Played(rules, plan, number).opening_line())


def simulate_one(plan: Plan, number: int, folder: Path) -> Simulated:
    """Play one game out and write its log into a folder; what half a run left there is replaced.

    Raises `AnotherPlan` when what lies there under its name was not written by this plan.
    """
    play = Played(games.load(plan.game), plan, number)
    history = play.to_the_end()
    path = _place(plan, number, folder)
    leave_alone(path, play.lines, play.openings, history.head)
    write_log(path, play.lines, play.openings, head=history.head, overwrite=True)
    ended = history.now.state.ended
    return Simulated(play.name, len(play.lines), ended.how, ended.winners)


def _place(plan: Plan, number: int, folder: Path) -> Path:
    return folder / f"{game_name(plan, number)}.jsonl"


def play_out(rules: Rules[Any], plan: Plan, number: int) -> History:
    """Return the history of a game that bots play to its end, or until it is called off."""
    return Played(rules, plan, number).to_the_end()


class _Open:
    """Dice that anybody may foresee who has the seed: for games in which nothing is to be proved."""

    name = "scripted"

    def __init__(self, key: bytes) -> None:
        self._choose = Random(hmac.digest(key, b"dice", "sha256")).randrange

    def answer(self, now: Moment[Any]) -> Command[Any]:
        return picked(now, self._choose)


class Played:
    """One game being played by bots."""

    def __init__(self, rules: Rules[Any], plan: Plan, number: int) -> None:
        self.lines: list[bytes] = []
        self.openings: list[Opening] = []
        self._rules, self._plan = rules, plan
        self.name = game_name(plan, number)
        self._key = hmac.digest(plan.seed.encode(), self.name.encode(), "sha256")
        self._seed = self._key.hex()
        self._dice: Source = Sealed(self._seed) if plan.dice == "sealed" else _Open(self._key)
        self._pick = Random(self._key).randrange
        known = bots_of(rules)
        unknown = [bot for bot in plan.bots if bot not in known]
        if unknown or not plan.bots:
            raise NoSuchBot(f"{rules.name} has no bot {' or '.join(unknown)!r}; it has: {', '.join(known)}")
        seats = plan.seats or rules.seats
        self._seats = seats
        self._persons = {seat: f"{plan.bots[n % len(plan.bots)]} bot" for n, seat in enumerate(seats)}
        self._bots = {seat: known[plan.bots[n % len(plan.bots)]] for n, seat in enumerate(seats)}
        self.history = History(rules)

    def to_the_end(self) -> History:
        """Play until the game is over, then reveal the seed."""
        self._give(ARBITER, self.opening())
        while self.history.now.state.ended is None:
            if len(self.history.entries) >= self._plan.most:
                reason = f"called off after {self._plan.most} entries"
                self._give(ARBITER, CallOff(reason))
            else:
                self._next()
        if self._plan.dice == "sealed":
            self._give(CHANCE, RevealSeed(self._seed))
        return self.history

    def opening_line(self) -> bytes:
        """Return the line that opens the game, without its newline; nothing is played beyond it."""
        if not self.lines:
            self._give(ARBITER, self.opening())
        return self.lines[0]

    def opening(self) -> Any:
        """Return the command that opens the game; it tells all that the plan says."""
        bots = ", ".join(self._plan.bots)
        return OpenGame[Any](
            self.name,
            self._rules.name,
            self._seats,
            dict(self._plan.answers),
            dice=self._plan.dice,
            commitment=commitment(self._seed) if self._plan.dice == "sealed" else "",
            persons=self._persons,
            options=dict(self._plan.options),
            title=f"Simulated game {self.name}: {bots}; at most {self._plan.most} entries",
        )

    def _next(self) -> None:
        now = self.history.now
        question = now.question
        if question is None:
            raise Stuck(f"{self.name}: nobody is asked after entry {now.entry - 1}, and the game goes on")
        if question.roll is not None or question.draw is not None:
            self._give(CHANCE, self._dice.answer(now), source=self._dice.name)
            return
        seat = question.seats[self._pick(len(question.seats))]
        view = self.history.view(seat)
        asked = [ask for ask in asks(view, seat) if ask.offers or ask.silence is not None]
        while asked:
            ask = asked.pop(self._pick(len(asked)) if len(asked) > 1 else 0)
            command = self._bots[seat](view, ask, self._pick)
            if command is not None:
                self._give(seat, command)
                return
        raise Stuck(f"{self.name}: {seat} answers nothing that it is asked after entry {now.entry - 1}")

    def _give(self, seat: str, command: Any, source: str = "") -> None:
        history = self.history
        now = history.now
        decided = decide(now, seat, command)
        if isinstance(decided, Refused):
            why = " ".join(reason.text for reason in decided.reasons)
            raise Stuck(f"{self.name}, entry {now.entry}: {seat} gives {command}, and is refused: {why}")
        head = history.head
        at = (_BEGAN + timedelta(seconds=head.id)).isoformat().replace("+00:00", "Z")
        entry: Entry[Any, Any] = Entry(
            head.id + 1,
            head.id,
            at,
            seat,
            command,
            decided.facts,
            head.hash,
            self._persons.get(seat, "bots"),
            source,
        )
        codec = self._rules.codec
        sealed, openings = conceal(entry, decided.audiences, decided.command_to, codec.value, self._salt)
        line = codec.encode(sealed, openings)
        self.lines.append(line)
        self.openings += openings
        history.add(entry, sealed, openings, decided.after, Head(entry.id, hash_of(line)))

    def _salt(self, entry: int, part: int) -> bytes:
        return hmac.digest(self._key, f"salt {entry} {part}".encode(), "sha256")[:16]
