"""Stepping through a game with the keys of a terminal."""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator

import typer
from rich.console import Console, Group
from rich.segment import Segment, Segments

from core.contract import Fact
from events.counting import plural
from events.event import FactData, Seat
from events.play import BattleBegan
from replay.cli.show import console, text
from replay.cli.told import entry_shown, moment_shown, title_of
from replay.session import Session

__all__ = ["Stepper", "step_through"]

LEGEND = "left/right: step  up/down: scroll  n/p: next/previous battle  Home/End: first/last  q: leave"
PAGE = 10
"""Lines that one press of Page Up or Page Down scrolls."""

_KEYS = {
    "\x1b[C": "on", "\x1bOC": "on", "\xe0M": "on", "\x00M": "on", "l": "on", "j": "on", " ": "on", "\r": "on", "\n": "on",
    "\x1b[B": "down", "\x1bOB": "down", "\x1b[6~": "page down",
    "\x1b[D": "back", "\x1bOD": "back", "\xe0K": "back", "\x00K": "back", "h": "back", "k": "back", "\x7f": "back", "\x08": "back",
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[5~": "page up",
    "\x1b[H": "first", "\x1bOH": "first", "\x1b[1~": "first", "g": "first", "\xe0G": "first", "0": "first",
    "\x1b[F": "last", "\x1bOF": "last", "\x1b[4~": "last", "G": "last", "\xe0O": "last", "$": "last",
    "n": "next battle", "p": "previous battle", "N": "previous battle",
    "q": "leave", "\x1b": "leave", "\x03": "leave", "\x04": "leave",
}  # fmt: skip


class Stepper:
    """Where one stands in a game, and how a key moves there."""

    def __init__(self, session: Session, seat: Seat | None) -> None:
        """Begin at the first entry, as a seat may see the game (None: a spectator)."""
        self.session, self.seat, self.at = session, seat, 1
        self.last = len(session.moments) - 1
        self.scrolled = 0
        self.battles = [
            entry.id
            for entry in session.history.entries_for(seat, 0, self.last)
            if any(map(_begins_battle, entry.facts))
        ]

    def press(self, key: str) -> bool:
        """Move as a key says; return False when it says to leave. Keys without a meaning do nothing."""
        act = _KEYS.get(key, "")
        moves: dict[str, Callable[[], int]] = {
            "on": lambda: min(self.at + 1, self.last),
            "back": lambda: max(self.at - 1, 1),
            "first": lambda: 1,
            "last": lambda: self.last,
            "next battle": lambda: min((at for at in self.battles if at > self.at), default=self.at),
            "previous battle": lambda: max((at for at in self.battles if at < self.at), default=self.at),
        }
        if act in moves:
            self.at, self.scrolled = moves[act](), 0
        by = {"down": 1, "up": -1, "page down": PAGE, "page up": -PAGE}.get(act, 0)
        self.scrolled = max(0, self.scrolled + by)
        return act != "leave"

    def page(self) -> Group:
        """Return what stands on the screen now."""
        entry = self.session.history.entry_for(self.seat, self.at)
        return Group(
            title_of(self.session, self.at),
            *entry_shown(self.session.rules, entry),
            *moment_shown(self.session.view(self.seat, self.at), self.seat),
        )

    def draw(self, screen: Console) -> None:
        """Draw as much of the page as the screen holds, from where it was scrolled to; the legend stands below."""
        lines = screen.render_lines(self.page(), pad=False)
        room = max(1, screen.size.height - 2)
        self.scrolled = min(self.scrolled, max(0, len(lines) - room))
        shown = lines[self.scrolled : self.scrolled + room]
        screen.clear()
        for line in shown:
            screen.print(Segments([*line, Segment.line()]), end="")
        below = len(lines) - self.scrolled - len(shown)
        more = f"  ({plural(below, 'line')} below)" if below else ""
        screen.print(text(f"{LEGEND}{more}", "dim"), end="")


def _begins_battle(fact: FactData) -> bool:
    return isinstance(fact, BattleBegan) or (isinstance(fact, Fact) and fact.whole_battle() is not None)


def step_through(session: Session, seat: Seat | None) -> None:
    """Let a person step through a game until they leave; the screen before is restored afterwards."""
    stepper, screen = Stepper(session, seat), console()
    if stepper.last < 1:
        return
    with screen.screen(), contextlib.suppress(KeyboardInterrupt), _keyboard() as keys:
        going = True
        while going:
            stepper.draw(screen)
            going = stepper.press(next(keys, "q"))


_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)


@contextlib.contextmanager
def _keyboard() -> Iterator[Iterator[str]]:
    """Yield the keys as they are pressed, none lost in between; the terminal is as before afterwards."""
    try:
        import termios
        import tty
    except ImportError:  # not a Unix terminal
        yield iter(typer.getchar, "")
        return
    source = sys.stdin.fileno()
    before = termios.tcgetattr(source)
    tty.setcbreak(source, termios.TCSADRAIN)
    try:
        yield (
            key
            for some in iter(lambda: os.read(source, 64), b"")
            for key in _KEY.findall(some.decode(errors="replace"))
        )
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
