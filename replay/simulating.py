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
from core.deciding import Refused, asks, decide
from core.kit.table import CallOff, OpenGame, RevealSeed
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.chain import Head, hash_of
from events.entry import Entry
from events.jsonl import write_log
from events.seals import Opening, conceal
from replay.bots import NoSuchBot, bots_of
from replay.dice import Sealed, commitment
from replay.history import History

__all__ = ["Plan", "Simulated", "Stuck", "game_name", "is_done", "play_out", "simulate_one"]

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
    """Return whether a game lies in the folder already: its head is written last."""
    return (folder / f"{game_name(plan, number)}.head").exists()


def simulate_one(plan: Plan, number: int, folder: Path) -> Simulated:
    """Play one game out and write its log into a folder; what half a run left there is replaced."""
    play = _Play(games.load(plan.game), plan, number)
    history = play.to_the_end()
    name = game_name(plan, number)
    write_log(folder / f"{name}.jsonl", play.lines, play.openings, head=history.head, overwrite=True)
    ended = history.now.state.ended
    return Simulated(name, len(play.lines), ended.how, ended.winners)


def play_out(rules: Rules[Any], plan: Plan, number: int) -> History:
    """Return the history of a game that bots play to its end, or until it is called off."""
    return _Play(rules, plan, number).to_the_end()


class _Play:
    """One game being played by bots."""

    def __init__(self, rules: Rules[Any], plan: Plan, number: int) -> None:
        self.lines: list[bytes] = []
        self.openings: list[Opening] = []
        self._rules, self._plan = rules, plan
        self._name = game_name(plan, number)
        self._key = hmac.digest(plan.seed.encode(), self._name.encode(), "sha256")
        self._seed = self._key.hex()
        self._dice = Sealed(self._seed)
        self._pick = Random(self._key).randrange
        known = bots_of(rules)
        unknown = [bot for bot in plan.bots if bot not in known]
        if unknown or not plan.bots:
            raise NoSuchBot(f"{rules.name} has no bot {' or '.join(unknown)!r}; it has: {', '.join(known)}")
        seats = plan.seats or rules.seats
        self._seats = seats
        self._bots = {seat: known[plan.bots[n % len(plan.bots)]] for n, seat in enumerate(seats)}
        self._history = History(rules)

    def to_the_end(self) -> History:
        """Play until the game is over, then reveal the seed."""
        self._give(ARBITER, self._opening())
        while self._history.now.state.ended is None:
            if len(self._history.entries) >= self._plan.most:
                reason = f"called off after {self._plan.most} entries"
                self._give(ARBITER, CallOff(reason))
            else:
                self._next()
        self._give(CHANCE, RevealSeed(self._seed))
        return self._history

    def _opening(self) -> Any:
        return OpenGame[Any](
            self._name,
            self._rules.name,
            self._seats,
            dice="sealed",
            commitment=commitment(self._seed),
            options=dict(self._plan.options),
            title=f"Simulated game {self._name}",
        )

    def _next(self) -> None:
        now = self._history.now
        question = now.question
        if question is None:
            raise Stuck(f"{self._name}: nobody is asked after entry {now.entry - 1}, and the game goes on")
        if question.roll is not None or question.draw is not None:
            self._give(CHANCE, self._dice.answer(now), source="sealed")
            return
        seat = question.seats[self._pick(len(question.seats))]
        view = self._history.view(seat)
        asked = [ask for ask in asks(view, seat) if ask.offers or ask.silence is not None]
        ask = asked[self._pick(len(asked))] if len(asked) > 1 else asked[0]
        self._give(seat, self._bots[seat](view, ask, self._pick))

    def _give(self, seat: str, command: Any, source: str = "") -> None:
        history = self._history
        now = history.now
        decided = decide(now, seat, command)
        if isinstance(decided, Refused):
            why = " ".join(reason.text for reason in decided.reasons)
            raise Stuck(f"{self._name}, entry {now.entry}: {seat} gives {command}, and is refused: {why}")
        head = history.head
        at = (_BEGAN + timedelta(seconds=head.id)).isoformat().replace("+00:00", "Z")
        entry: Entry[Any, Any] = Entry(
            head.id + 1, head.id, at, seat, command, decided.facts, head.hash, "bot", source
        )
        codec = self._rules.codec
        sealed, openings = conceal(entry, decided.audiences, decided.command_to, codec.value, self._salt)
        line = codec.encode(sealed, openings)
        self.lines.append(line)
        self.openings += openings
        history.add(entry, sealed, openings, decided.after, Head(entry.id, hash_of(line)))

    def _salt(self, entry: int, part: int) -> bytes:
        return hmac.digest(self._key, f"salt {entry} {part}".encode(), "sha256")[:16]
