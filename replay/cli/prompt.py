"""The prompt of `lawspeaker play`: what is asked stands above it, a line is typed, what follows stands below.

Everybody at the table may look at the screen, so nothing hidden is on it unless it is asked for: `show all`, or `as orc`
for one pair of eyes. A session that `--as` opened for one seat shows what that seat may see.
"""

import sys
from collections.abc import Iterator

from rich.console import RenderableType

from core.asking import Ask
from core.deciding import Refused as Forbidden
from core.deciding import decide
from core.seats import ARBITER, CHANCE, is_player
from events.entry import SealedCommand
from replay.cli.eyes import Eyes
from replay.cli.hints import HELP, example_of
from replay.cli.lines import Played, Talk
from replay.cli.play import complain_of, played_shown
from replay.cli.prompt_back import Marks
from replay.cli.searching import rules_shown
from replay.cli.show import say, text
from replay.cli.tabbing import completing
from replay.cli.told import asks_openly, asks_shown, moment_shown, title_of
from replay.cli.trouble import Trouble, trouble_of
from replay.cli.why import why_shown
from replay.history import AnyEntry
from replay.sheets.filling import ends
from replay.words.wording import asked_of, command_words

__all__ = ["converse"]

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Empties a terminal and what can be scrolled back to."""


def converse(seen: Eyes) -> None:
    """Read lines until the end of input or `quit`, play each, and show what follows and what is asked next."""
    Conversation(seen).run()


class Conversation:
    """A table's evening at the prompt."""

    def __init__(self, seen: Eyes) -> None:
        """Take whose eyes are on the screen: a seat's own, or the whole table's."""
        self.seen = seen
        self.shared = seen.who == ARBITER
        """Whether the whole table looks at the screen."""
        self.talk = Talk(seen, careful=True)
        self.marks = Marks(seen.session)
        self.private = ""
        self.refused = ""
        self.ending = ""
        """The end of a phase that Enter would be, once it is pressed again."""

    @property
    def shown_to(self) -> Eyes:
        """Whose eyes what is shown is for: of a shared screen those of who sits nowhere."""
        return Eyes(self.seen.session, None) if self.shared else self.seen

    def run(self) -> None:
        """Talk until somebody leaves."""
        completing(lambda: (self.seen, self.shared))
        say(*self._board(), *self.asked())
        say(text("? for help, Enter for the usual answer, quit to leave; everything played is kept.", "dim"))
        while True:
            try:
                line = input(self._prompt())
            except EOFError:
                return
            if line.strip() in ("quit", "exit", "q"):
                return
            self.heard(line.strip())

    def _prompt(self) -> str:
        if self.private:
            return f"{self.private} alone> "
        return f"{' / '.join(asked_of(self.seen.session.now)) or self.seen.session.game}> "

    def heard(self, line: str) -> None:
        """Do what one line says; whatever is wrong with it is told and changes nothing."""
        self.seen.session.refresh()
        ending, self.ending = self.ending, ""
        try:
            if self.private and line in ("", "back", "table"):
                self._leave()
            elif not line:
                self._usual(ending)
            else:
                self._done(line)
        except Exception as fault:
            told = trouble_of(fault)
            if told is None:
                raise
            self.refused = line
            complain_of(self.seen.session, told, 0)

    def _done(self, line: str) -> None:
        session = self.seen.session
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in ("?", "help"):
            say(*self.asked(whole=rest == "all", everything=rest == "all"), "", text(self._help()))
        elif word == "show":
            self._show(rest)
        elif line == "clear":
            _clear()
            say(*self._board(), *self.asked())
        elif word == "rules":
            say(*rules_shown(session, rest))
        elif word == "why":
            move = rest or self.refused
            if not move:
                raise Trouble(
                    "Nothing was refused yet; `why orc: attack ...` asks about any move.", kind="usage"
                )
            say(*why_shown(self.seen, move, shared=self.shared))
        elif word in ("undo", "restore"):
            said = self.marks.undo(rest) if word == "undo" else self.marks.restore(rest)
            say(*said, *self.asked())
            self.talk = Talk(self.seen, careful=True)
        elif word == "as" and rest and ":" not in line:
            self._alone(rest)
        else:
            self._play(line)

    def _play(self, line: str) -> None:
        self.marks.mark()
        told = False
        try:
            for played in self.talk.play(line):
                if not told and self._is_secret(played.entry):
                    _erase(f"{self._prompt()}{line}")
                told = True
                say(*self._played(played))
        finally:
            if told:
                say(*self.asked())
            else:
                self.marks.forget()

    def _is_secret(self, entry: AnyEntry) -> bool:
        """Return whether a line should not stay on a shared screen: what it says is sealed."""
        return self.shared and isinstance(self._public(entry).command, SealedCommand)

    def _public(self, entry: AnyEntry) -> AnyEntry:
        return self.seen.session.history.entry_for(None, entry.id)

    def _played(self, played: Played) -> Iterator[RenderableType]:
        return played_shown(self.shown_to, (played,))

    def _usual(self, ending: str) -> None:
        """Take the answer that stands for none; what ends a phase only when Enter is pressed twice."""
        session = self.seen.session
        usual = [
            ask
            for seat in asked_of(session.now)
            if is_player(seat) and self.seen.who in (ARBITER, seat)
            for ask in session.asks(seat)
            if ask.silence is not None
        ]
        if len(usual) != 1 or CHANCE in asked_of(session.now):
            waits = "Dice or a card are" if CHANCE in asked_of(session.now) else "More than one seat is"
            raise Trouble(f"{waits} asked for: Enter alone does not say what; ? helps.", kind="usage")
        (ask,) = usual
        said = command_words(session.rules, ask.seat, ask.silence)  # type: ignore[arg-type]
        decided = decide(session.now, ask.seat, ask.silence)  # type: ignore[arg-type]
        if not isinstance(decided, Forbidden) and ends(session.now, decided) and ending != ask.name:
            self.ending = ask.name
            say(text(f"Enter again is `{said}`.", "dim"))
            return
        self.talk.ended = ""
        self._play(said)

    def _board(self, at: int | None = None, *, everything: bool = False) -> Iterator[RenderableType]:
        eyes = self.seen if everything else self.shown_to
        yield title_of(self.seen.session, at)
        yield from moment_shown(eyes.at(at))

    def asked(self, *, whole: bool = False, everything: bool = False) -> Iterator[RenderableType]:
        """Yield what is asked now, as those who look at the screen may see it."""
        return asks_shown(
            self.seen.session,
            (self.private,) if self.private else None,
            self.seen.who,
            openly=self.shared and not everything,
            whole=whole,
        )

    def _show(self, rest: str) -> None:
        words = rest.split()
        everything = "all" in words
        at = next((int(word) for word in words if word.isdecimal()), None)
        if any(word != "all" and not word.isdecimal() for word in words):
            raise Trouble(
                "`show` is the board as all may see it, `show 12` that after entry 12, `show all` with all that is hidden.",
                kind="usage",
            )
        say(*self._board(at, everything=everything))
        if everything and self.shared:
            say(text("What is hidden is on the screen now; `clear` empties it.", "dim"))

    def _alone(self, named: str) -> None:
        """Show what one seat may see, on an empty screen, and hear that seat alone until it leaves."""
        session = self.seen.session
        if not self.shared and not self.private:
            raise Trouble(f"This prompt is for {self.seen.name} alone.", kind="not_your_seat")
        own = Eyes.of(session, named)
        if not is_player(own.who or ""):
            raise Trouble(f"`as` is for a seat: {', '.join(session.now.table.seats)}.", kind="no_such_seat")
        self.seen, self.shared, self.private = own, False, own.who or ""
        self.talk = Talk(own, careful=True)
        _clear()
        say(*self._board(), *self.asked())
        say(
            text(
                f"Only {self.private} should look now. Enter empties the screen and goes back to the table.",
                "dim",
            )
        )

    def _leave(self) -> None:
        self.seen, self.shared, self.private = Eyes(self.seen.session, ARBITER), True, ""
        self.talk = Talk(self.seen, careful=True)
        _clear()
        say(*self._board(), *self.asked())

    def _help(self) -> str:
        session = self.seen.session
        asks: list[Ask] = []
        for seat in asked_of(session.now):
            if self.seen.who in (ARBITER, seat) or seat == CHANCE:
                asks.extend(asks_openly(session, seat) if self.shared else session.asks(seat))
        return HELP.format(example=example_of(session.rules, asks), alone=session.now.table.seats[0])


def _clear() -> None:
    if sys.stdout.isatty():
        sys.stdout.write(CLEAR)
        sys.stdout.flush()


def _erase(typed: str) -> None:
    """Take the line that was typed last off a terminal, and out of what the arrow keys bring back."""
    if not sys.stdout.isatty():
        return
    import shutil

    rows = 1 + (len(typed) - 1) // max(1, shutil.get_terminal_size().columns)
    sys.stdout.write("\x1b[1A\x1b[2K" * rows)
    sys.stdout.flush()
    from replay.cli.tabbing import forget_last

    forget_last()
