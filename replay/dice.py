"""Where dice and cards come from: typed by a person, the system's generator, a committed seed, or a script.

The source is written into the entry by the session; no command can claim it (LS-4.5).

Sealed dice: die `i` of entry `n` in game `g` is `HMAC-SHA256(seed, "g/n/i/k")`, read as one big-endian number, modulo
the number of faces. Numbers from the incomplete last span are rejected and `k` counts up from 0, so that every face is
equally likely. A card is die 0 over the cards left, in the order in which the rules hold them. The commitment,
`sha256(seed)`, stands in the opening; whoever holds the seed knows all rolls to come, so it lies with the store's
keeper alone (`replay.files`) and is never in the log before the game is over.
"""

import hmac
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Protocol

from core.contract import Command
from core.deciding import Decision, Refused, decide
from core.kit.chance import AnswerRoll, Deal
from core.kit.forbidding import forbids_source
from core.seats import CHANCE
from core.telling import Moment
from events.counting import plural
from events.event import Face
from replay.outcomes import RefusedByRules

__all__ = [
    "BadScript",
    "BadSeed",
    "Live",
    "Script",
    "Scripted",
    "Sealed",
    "Source",
    "chance_waits",
    "check",
    "commitment",
    "decided",
    "new_seed",
    "numbers",
    "picked",
    "source_of",
]

Script = Iterable[Face | Sequence[Face]]
"""The faces of each roll in turn (one die may stand alone), and for a draw the card."""
_SPAN = 1 << 256


class BadSeed(ValueError):
    """Raised when a seed is missing, or is not the one that the opening committed to (LS-4.4)."""


class BadScript(ValueError):
    """Raised when scripted dice run out, do not fit what is asked, or are left over at the end."""


class Source(Protocol):
    """Who answers for chance in place of a person."""

    name: str

    def answer(self, now: Moment[Any]) -> Command[Any]:
        """Return the roll or the card that chance is asked for at a moment."""


class Live:
    """The operating system's generator."""

    name = "live"

    def answer(self, now: Moment[Any]) -> Command[Any]:
        """Return what the system's generator gives."""
        return picked(now, secrets.randbelow)


class Sealed:
    """A seed that the opening committed to: whoever gets it afterwards can check every roll."""

    name = "sealed"

    def __init__(self, seed: str) -> None:
        """Take the seed."""
        self.seed = seed

    def answer(self, now: Moment[Any]) -> Command[Any]:
        """Return what the seed fixes for this entry."""
        return picked(now, numbers(self.seed, now.table.id, now.entry))


class Scripted:
    """Dice from a list, each item one roll or one card; an item missing or left over is an error."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        """Take the rolls in the order in which they will be asked for."""
        self._left = deque(script)

    def answer(self, now: Moment[Any]) -> Command[Any]:
        """Return the next item; raise `BadScript` when none is left."""
        asked = now.question
        what = (asked.prompt or asked.kind) if asked is not None else "nothing"
        if not self._left:
            raise BadScript(
                f"entry {now.entry} asks for {what}, and the script has no roll left; nothing was written. A what-if goes on "
                "with dice that are typed"
            )
        item = self._left.popleft()
        if asked is not None and asked.draw is not None:
            return Deal(str(item))
        return AnswerRoll((item,) if isinstance(item, int | str) else tuple(item))

    def rehearse(self, now: Moment[Any]) -> None:
        """Raise `BadScript` unless the script answers all that chance is asked from a moment on; it stays as it is."""
        ahead = None
        while chance_waits(now):
            ahead = ahead or Scripted(self._left)
            now = decided(now, ahead.answer(now), self.name).after

    def finish(self) -> None:
        """Raise `BadScript` when rolls are left over."""
        if self._left:
            raise BadScript(
                f"{plural(len(self._left), 'scripted roll was', 'scripted rolls were')} never asked for; the next is {self._left[0]!r}"
            )


def new_seed() -> str:
    """Return a fresh seed: 256 bits from the operating system, in hexadecimal."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Return what the opening says of a seed: its sha256 in hexadecimal."""
    return sha256(seed.encode()).hexdigest()


def decided(now: Moment[Any], command: Command[Any], source: str) -> Decision[Any]:
    """Return what follows from an answer of chance; raise `BadScript` where it does not fit what is asked."""
    found = decide(now, CHANCE, command)
    if isinstance(found, Refused):
        why = "; ".join(reason.text for reason in found.reasons)
        raise BadScript(f"entry {now.entry} can't be answered by {source or 'chance'} dice: {why}")
    return found


def chance_waits(now: Moment[Any]) -> bool:
    """Return whether chance is asked at a moment, and no dispute keeps it from answering."""
    asked = now.question if now.state.ended is None and not now.table.disputes else None
    return asked is not None and (asked.roll is not None or asked.draw is not None)


def picked(now: Moment[Any], choose: Callable[[int], int]) -> Command[Any]:
    """Return the answer to what chance is asked, each die or card picked by a number from 0 to n - 1."""
    asked = now.question
    if asked is not None and asked.roll is not None:
        faces = now.rules.all_dice[asked.roll.die]
        return AnswerRoll(tuple(faces[choose(len(faces))] for _ in range(asked.roll.count)))
    pool = now.state.agenda[-1].step.pool(now)
    return Deal(pool[choose(len(pool))])


def numbers(seed: str, game: str, entry: int) -> Callable[[int], int]:
    """Return what picks the numbers of die 0, 1, 2 ... of an entry, as the seed fixes them."""
    key, die = seed.encode(), -1

    def choose(below: int) -> int:
        nonlocal die
        die += 1
        fair, attempt = _SPAN - _SPAN % below, 0
        while True:
            digest = hmac.digest(key, f"{game}/{entry}/{die}/{attempt}".encode(), "sha256")
            number = int.from_bytes(digest, "big")
            if number < fair:
                return number % below
            attempt += 1

    return choose


def check(dice: str, seed: str | None) -> None:
    """Raise `RefusedByRules` for a word that names no source, and `BadSeed` for sealed dice without a seed."""
    reasons = tuple(forbids_source(dice))
    if reasons:
        raise RefusedByRules(reasons)
    if dice == "sealed" and not seed:
        raise BadSeed("sealed dice need a seed: make one, keep it, then open the game")


def source_of(dice: str, seed: str | None, script: Script) -> Source | None:
    """Return who answers for chance; None: a person does, or the seed is not at hand."""
    if dice == "live":
        return Live()
    if dice == "scripted":
        return Scripted(script)
    return Sealed(seed) if dice == "sealed" and seed else None
