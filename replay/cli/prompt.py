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
from replay.cli.show import say, text, written
from replay.cli.tabbing import completing, forget_since, remembered
from replay.cli.told import asks_openly, asks_shown, moment_shown, rulings, title_of
from replay.cli.trouble import Refusing, Trouble, trouble_of
from replay.cli.why import why_shown
from replay.cli.wiping import erase, hints_of, tells_hidden, unspoken
from replay.session import Session
from replay.sheets.filling import ends
from replay.words.grammar import grammar
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
        self.seen = _of_table(seen.session) if seen.who == ARBITER else seen
        self.talk = Talk(self.seen, careful=True)
        self.marks = Marks(seen.session)
        self.private = ""
        self.refused = ""
        """The last line that was refused, for `why` alone; none that tells what is hidden."""
        self.typed = ""
        """What stands on the screen of the line that is heard, with the prompt; nothing once it is wiped."""
        self.telling = False
        """Whether the line that is heard may tell what is hidden."""
        self.before = 0
        """How many lines the arrow keys brought back when one seat began to be alone with the screen."""
        self.ending = ""
        """The end of a phase that Enter would be, once it is pressed again."""

    @property
    def shared(self) -> bool:
        """Whether the whole table looks at the screen."""
        return self.seen.openly

    @property
    def shown_to(self) -> Eyes:
        """Whose eyes what is shown is for: of a shared screen those of who sits nowhere."""
        return Eyes(self.seen.session, self.seen.reader)

    def run(self) -> None:
        """Talk until somebody leaves."""
        completing(lambda: self.seen)
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
        typed = f"{self._prompt()}{line}"
        self.seen.session.refresh()
        ending, self.ending = self.ending, ""
        self.typed, self.telling = typed, False
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
            self._complain(line, told)

    def _done(self, line: str) -> None:
        session = self.seen.session
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in ("?", "help"):
            say(*self.asked(whole=rest == "all", everything=rest == "all"), "", written(self._help()))
        elif word == "show" and not _is_move(session, line):
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
            self.telling = self.shared and tells_hidden(self.seen.session, move)
            if self.telling:
                raise Trouble(
                    "That is a matter of what is hidden: `as` and the seat, then `why` there.", kind="hidden"
                )
            say(*why_shown(self.seen, move))
        elif word in ("undo", "restore"):
            said = self.marks.undo(rest) if word == "undo" else self.marks.restore(rest)
            say(*said, *self.asked())
            self.talk = Talk(self.seen, careful=True)
        elif word == "as" and rest and ":" not in line:
            self._alone(rest)
        else:
            self._play(line)

    def _play(self, line: str, *, question: str = "") -> None:
        """Play a line, and show what follows once all of it is played, so that it can still be wiped."""
        before = self.seen.session.head.id
        self.telling = self.shared and tells_hidden(self.seen.session, line)
        caused: list[Played] = []
        failed = True
        try:
            caused.extend(self.talk.play(line, question=question))
            failed = False
        finally:
            if caused:
                if self.shared and (any(map(self._is_secret, caused)) or (failed and self.telling)):
                    self._wipe()
                self.marks.mark(before)
                say(*played_shown(self.shown_to, caused), *self.asked())

    def _is_secret(self, played: Played) -> bool:
        """Return whether a line should not stay on a shared screen: what it says is sealed."""
        public = self.seen.session.history.entry_for(None, played.entry.id)
        return isinstance(public.command, SealedCommand)

    def _wipe(self) -> None:
        """Take what was typed off the screen, as long as nothing stands below it."""
        if self.typed:
            erase(self.typed)
        self.typed = ""

    def _complain(self, line: str, told: Trouble) -> None:
        """Tell what is wrong with a line; one that may tell what is hidden is not repeated on a shared screen."""
        if self.telling:
            self.refused = ""
            self._wipe()
            say(*unspoken(self.seen.session, told), file=sys.stderr)
            return
        self.refused = line
        complain_of(self.seen.session, told, 0)
        if self.shared and isinstance(told, Refusing):
            say(*(text(hint, "dim") for hint in hints_of(told)), file=sys.stderr)

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
        ends_phase = not isinstance(decided, Forbidden) and ends(session.now, decided)
        chosen = bool(getattr(ask.silence, "__struct_fields__", ()))
        if ends_phase and not chosen and ending != ask.name:
            self.ending = ask.name
            say(text(f"Enter again is `{said}`.", "dim"))
            return
        self.talk.ended = ""
        self._play(said, question=ask.name)

    def _board(self, at: int | None = None, *, everything: bool = False) -> Iterator[RenderableType]:
        eyes = self.seen if everything else self.shown_to
        yield title_of(self.seen.session, at)
        yield from moment_shown(eyes.at(at), eyes.who)

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
        if own.who not in session.now.table.seats:
            raise Trouble(f"`as` is for a seat: {', '.join(session.now.table.seats)}.", kind="no_such_seat")
        self.seen, self.private, self.before = own, own.who or "", remembered()
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
        self.seen, self.private, self.refused = _of_table(self.seen.session), "", ""
        forget_since(self.before)
        self.talk = Talk(self.seen, careful=True)
        _clear()
        say(*self._board(), *self.asked())

    def _help(self) -> str:
        session = self.seen.session
        asks: list[Ask] = []
        for seat in asked_of(session.now):
            if self.seen.who in (ARBITER, seat) or seat == CHANCE:
                asks.extend(asks_openly(session, seat) if self.shared else session.asks(seat))
        example = (
            next(rulings(session.now)) if session.now.table.disputes else example_of(session.rules, asks)
        )
        return HELP.format(example=example, alone=session.now.table.seats[0])


def _is_move(session: Session, line: str) -> bool:
    """Return whether a line begins with a whole verb of the game's, such as `show grail`."""
    said = f"{line.lower()} "
    return any(said.startswith(f"{verb} ") for verb in grammar(session.rules).commands)


def _of_table(session: Session) -> Eyes:
    """Return the eyes of a screen at which one person types for the whole table, and everybody looks on."""
    return Eyes(session, ARBITER, openly=True)


def _clear() -> None:
    if sys.stdout.isatty():
        sys.stdout.write(CLEAR)
        sys.stdout.flush()
