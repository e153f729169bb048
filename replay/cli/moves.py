"""Moves as people type them: lines of a scoresheet, a little shorter where the table leaves no doubt."""

import json
from collections.abc import Callable
from typing import Any

from msgspec import structs

from core.asking import Ask
from core.deciding import asks
from core.kit.disputing import RaiseDispute
from core.kit.table import Rule
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from replay.cli.falling import are_faces, card_said, dice_said, is_card, roll_asked
from replay.cli.shorter import asked_verbs, begins_with_verb, spelled_out
from replay.cli.told import asks_openly
from replay.cli.trouble import DIVERGED, Trouble
from replay.dice import chance_waits
from replay.history import is_tables
from replay.session import Session
from replay.sheets.arbiter import LATEST, parse_arbiter, parse_dispute, parse_going_back
from replay.sheets.consenting import parse_consent
from replay.sheets.unseen import UNSEEN
from replay.words.faults import close_to
from replay.words.forms import Reader
from replay.words.grammar import parse_command
from replay.words.names import unknown_words
from replay.words.wording import asked_of, chance_words

__all__ = ["asks_at", "known_seat", "last_played", "numbered", "said"]


def said(
    session: Session,
    line: str,
    *,
    alone: bool = True,
    me: Seat = "",
    now: Moment[Any] | None = None,
    openly: bool = False,
    hears: Callable[[Seat], None] = lambda _: None,
) -> tuple[Seat, Any]:
    """Return the seat and the command that a line says, as a scoresheet writes it: `orc: attack ...`, `dice: 5 3`.

    The seat may be left out when only one is asked and `alone` is set, or where `me` says whose line it is; bare faces
    are dice, and a bare name a card while one is asked. Moves may be cut short as far as no doubt is left. `now` is
    another moment than the last one, or it as somebody sees it; `openly`: what is cut short is made whole by what
    everybody may know of the game, so that nothing hidden shows in what a line is taken for, or in what is said to one
    that can't be. `hears` is asked for each seat before what it says is read, for how that is misread tells what the seat
    is offered; it raises where nobody speaks for that seat here. Raises `Trouble`, also for a name that the game does not
    know, or `BadText`.
    """
    now = session.now if now is None else now
    if line.strip() == "?":
        raise Trouble(
            f"`?` alone asks what may be answered, as `lawspeaker asks {session.game}` does; a card that nobody who "
            "records has seen is `card: ?`.",
            kind="usage",
        )
    seat, colon, rest = (part.strip() for part in line.partition(":"))
    if seat in ("dice", "card", CHANCE) and colon:
        hears(CHANCE)
        return CHANCE, _chance(now, seat, rest)
    seat = next((name for name in now.table.seats if name.lower() == seat.lower()), seat)
    if colon and (seat in now.table.seats or seat == ARBITER):
        hears(seat)
        return seat, _parsed(session, now, seat, rest, openly=openly)
    asked = [name for name in asked_of(now) if is_player(name)]
    if colon and " " not in seat:
        near = close_to(seat, now.table.seats)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        raise Trouble(
            f"Nobody sits at {seat!r}; the seats are {', '.join(now.table.seats)}{hint}", kind="no_such_seat"
        )
    line = line.strip()
    if alone and now.table.disputes and not me and not line.startswith("dispute"):
        hears(ARBITER)
        return ARBITER, _parsed(session, now, ARBITER, line, openly=openly)
    whose = me or (asked[0] if alone and len(asked) == 1 else "")
    known = asks_at(session, now, whose, openly=openly) if alone and whose and _is_heard(hears, whose) else ()
    if alone and _falls(now, line, known):
        hears(CHANCE)
        return CHANCE, _chance(now, "dice", line)
    if whose:
        hears(whose)
        return whose, _parsed(session, now, whose, line, openly=openly)
    if chance_waits(now) and not asked:
        raise Trouble(
            f"{chance_words(now)} {'is' if now.question and now.question.draw else 'are'} asked for now; moves follow then.",
            code=DIVERGED,
            kind="dice_first",
        )
    whom = " or ".join(asked or now.table.seats)
    raise Trouble(f"Say who does it: `{whom}: {line}`.", kind="no_seat")


def asks_at(session: Session, now: Moment[Any], seat: Seat, *, openly: bool = False) -> tuple[Ask, ...]:
    """Return what a seat is asked at a moment, now or at any other, as it may see it, or `openly` as everybody may."""
    if now is session.now:
        return asks_openly(session, seat) if openly else session.asks(seat)
    if not is_player(seat) or now.entry > len(session.moments):
        return tuple(asks(now, seat))
    return tuple(asks(session.view(None if openly else seat, now.entry - 1), seat))


def _is_heard(hears: Callable[[Seat], None], seat: Seat) -> bool:
    try:
        hears(seat)
    except Trouble:
        return False
    return True


def _falls(now: Moment[Any], line: str, asked: tuple[Ask, ...]) -> bool:
    """Return whether a line without a word before it is a roll or a card, not a move."""
    if now.question is not None and now.question.draw is not None:
        verbs = {verb.split(maxsplit=1)[0] for verb in asked_verbs(now.rules, asked)}
        if is_card(now, line) and line.split(maxsplit=1)[0].lower() not in verbs:
            return True  # a card may be called like a command that nobody is asked for
        return not begins_with_verb(now.rules, asked, line)
    return are_faces(now.rules, roll_asked(now), line)


def _parsed(session: Session, now: Moment[Any], seat: Seat, written: str, *, openly: bool) -> Any:
    reader = Reader(written)
    if seat == ARBITER:
        back = parse_going_back(session.rules, reader)
        return numbered(session, back or parse_arbiter(session.rules, now.table.seats, reader))
    if reader.take_words(["dispute"]):
        return numbered(session, _contested(reader))
    about_consent = parse_consent(reader)
    if about_consent is not None:
        return about_consent
    whole = spelled_out(now, seat, asks_at(session, now, seat, openly=openly), written)
    command = parse_command(session.rules, whole, seat)
    strange = unknown_words(session.rules, command)
    if strange:
        raise Trouble(strange, kind="no_such_name")
    return command


def _contested(reader: Reader) -> RaiseDispute:
    """Return a dispute; raise `Trouble` at a number that may be the entry or belong to the claim."""
    number = reader.word()
    if number.isdecimal():
        rest = reader.rest()
        claim = rest.removeprefix(number).strip() or "what is wrong"
        raise Trouble(
            f"Is {number} the entry? `dispute entry {number} {claim}` contests that entry; a claim that begins with a number "
            f"stands in quotes: `dispute {json.dumps(rest)}`.",
            kind="which_entry",
            entry=int(number),
        )
    return parse_dispute(reader)


def numbered(session: Session, command: Any) -> Any:
    """Return a ruling or dispute with the number that its writer left to the program: the latest it can mean."""
    if isinstance(command, RaiseDispute) and command.at == LATEST:
        return structs.replace(command, at=last_played(session))
    if isinstance(command, Rule) and command.dispute == LATEST:
        disputes = session.now.table.disputes
        return structs.replace(command, dispute=disputes[0].id if disputes else 0)
    return command


def last_played(session: Session) -> int:
    """Return the last entry on the line of play that is not about the table alone: nobody means a take-back by what was last."""
    line = session.history.line(session.head.id)
    return next((at for at in reversed(line) if not is_tables(session.entries[at - 1])), session.head.id)


def _chance(now: Moment[Any], how: str, written: str) -> Any:
    asked = now.question
    if how != "card" and written.strip() == UNSEEN and not roll_asked(now):
        raise Trouble("A card that nobody who records has seen is `card: ?`.", kind="usage")
    if how == "card" or (how != "dice" and asked is not None and asked.draw is not None):
        return card_said(now, written)
    if asked is not None and asked.draw is not None and not are_faces(now.rules, "", written):
        return card_said(now, written)
    return dice_said(now.rules, roll_asked(now), written)


def known_seat(session: Session, seat: str) -> Seat:
    """Return a seat of the table, the arbiter's or chance's; raise `Trouble` for any other word."""
    known = (*session.now.table.seats, ARBITER, CHANCE)
    if seat not in known:
        near = close_to(seat, known)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise Trouble(
            f"Nobody sits at {seat!r}; the seats are {', '.join(known)}.{hint}", kind="no_such_seat"
        )
    return seat
