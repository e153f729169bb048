"""The prompt of `lawspeaker play`: what is asked stands above it, a line is typed, what follows stands below."""

import contextlib

from replay.cli.back import last_move
from replay.cli.eyes import Eyes
from replay.cli.play import complain_of, refusing, submit
from replay.cli.show import heading, indented, say, section_text, text
from replay.cli.told import moment_shown, title_of
from replay.cli.trouble import trouble_of
from replay.outcomes import Refused
from replay.session import Session
from replay.words.grammar import grammar
from replay.words.wording import asked_of

__all__ = ["converse"]

HELP = """\
A move:       {example}
              (the seat may be left out when only one is asked)
Dice:         5 5 6 3
?             what is asked, with every lawful answer
show          the board          show 12   the board after entry 12
rules 10.5    a section of the rulebook
undo          take the last move back (undo orc,elf: those agree)
quit          leave; everything played is kept"""


def converse(seen: Eyes) -> None:
    """Read lines until the end of input or `quit`, play each, and show what follows and what is asked next."""
    session = seen.session
    _completing(session)
    say(title_of(session), *moment_shown(seen.now), *seen.asked())
    say(text("? for help, quit to leave; everything played is kept.", "dim"))
    while True:
        try:
            line = input(f"{' / '.join(asked_of(session.now)) or session.game}> ").strip()
        except EOFError:
            return
        if line in ("quit", "exit", "q"):
            return
        if line:
            _heard(seen, line)


def _heard(seen: Eyes, line: str) -> None:
    """Do what one line says; whatever is wrong with it is told and changes nothing."""
    session = seen.session
    session.refresh()
    try:
        word, _, rest = line.partition(" ")
        if word in ("?", "help"):
            who = next(iter(session.now.table.seats), "seat")
            usage = next(iter(grammar(session.rules).commands.values())).usage
            say(*seen.asked(), "", text(HELP.format(example=f"{who}: {usage}")))
        elif word == "show":
            at = int(rest) if rest.strip().isdecimal() else None
            say(title_of(session, at), *moment_shown(seen.at(at)))
        elif word == "rules":
            ref = session.rules.rulebook.full_id(rest)
            book = session.rules.rulebook
            found = section_text(ref, book, answers=session.now.table.answers)
            if ref in book.points:
                found.insert(0, text(" ".join(book.points[ref].text.split())))
            say(*(found or [text(f"{rest!r} is nowhere in the rulebook.")]))
        elif word == "undo":
            _undo(seen, tuple(part.strip() for part in rest.split(",") if part.strip()))
        else:
            seat, command = seen.said(line)
            say(*seen.shown(submit(session, seat, command, line)))
    except Exception as fault:
        told = trouble_of(fault)
        if told is None:
            raise
        complain_of(session, told, 0)


def _undo(seen: Eyes, agreed: tuple[str, ...]) -> None:
    session = seen.session
    to, by = last_move(session)
    answer = session.take_back(by, to, agreed=agreed)
    if isinstance(answer, Refused):
        raise refusing(session, answer, "undo")
    say(heading(f"The game goes on from entry {to}."), *map(indented, seen.asked()))


def _completing(session: Session) -> None:
    """Let the Tab key complete verbs and seats where the system has readline."""
    with contextlib.suppress(ImportError):
        import readline

        words = sorted(
            {*(f"{seat}:" for seat in session.now.table.seats), "dice:", "show", "rules", "undo", "quit"}
            | {word for verb in grammar(session.rules).commands for word in verb.split()}
        )

        def complete(begun: str, place: int) -> str | None:
            fitting = [word for word in words if word.startswith(begun)]
            return f"{fitting[place]} " if place < len(fitting) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        readline.parse_and_bind(
            "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
        )
