"""Moves as people type them: lines of a scoresheet, a little shorter where the table leaves no doubt."""

from typing import Any

from msgspec import inspect, structs

from core.kit.chance import AnswerRoll, Deal
from core.kit.table import RaiseDispute, Rule
from core.seats import ARBITER, CHANCE, is_player
from events.event import Face, Seat
from replay.cli.trouble import Trouble
from replay.dice import chance_waits
from replay.session import Session
from replay.sheets.arbiter import LATEST, parse_arbiter, parse_dispute
from replay.sheets.consenting import parse_consent
from replay.words.faults import close_to
from replay.words.forms import Reader, form_of
from replay.words.grammar import parse_command
from replay.words.wording import asked_of

__all__ = ["faces_of", "known_seat", "numbered", "said"]


def said(session: Session, line: str, *, alone: bool = True, me: Seat = "") -> tuple[Seat, Any]:
    """Return the seat and the command that a line says, as a scoresheet writes it: `orc: attack ...`, `dice: 5 3`.

    The seat may be left out when only one is asked and `alone` is set, or where `me` says whose line it is; bare faces
    are dice while dice are asked. Raises `Trouble` or `BadText`.
    """
    now = session.now
    seat, colon, rest = (part.strip() for part in line.partition(":"))
    if seat in ("dice", "card", CHANCE) and colon:
        return CHANCE, _chance(session, seat, rest)
    seat = next((name for name in now.table.seats if name.lower() == seat.lower()), seat)
    if colon and (seat in now.table.seats or seat == ARBITER):
        return seat, _parsed(session, seat, rest)
    asked = [name for name in asked_of(now) if is_player(name)]
    if colon and " " not in seat:
        near = close_to(seat, now.table.seats)
        hint = f"; did you mean {' or '.join(near)}?" if near else "."
        raise Trouble(
            f"Nobody sits at {seat!r}; the seats are {', '.join(now.table.seats)}{hint}", kind="no_such_seat"
        )
    if alone and chance_waits(now):
        return CHANCE, _chance(session, "dice", line)
    if me:
        return me, _parsed(session, me, line.strip())
    if alone and len(asked) == 1:
        return asked[0], _parsed(session, asked[0], line.strip())
    whom = " or ".join(asked or now.table.seats)
    raise Trouble(f"Say who does it: `{whom}: {line.strip()}`.", kind="no_seat")


def _parsed(session: Session, seat: Seat, written: str) -> Any:
    reader = Reader(written)
    if seat == ARBITER:
        return numbered(session, parse_arbiter(session.rules, session.now.table.seats, reader))
    if reader.take_words(["dispute"]):
        return numbered(session, parse_dispute(reader))
    about_consent = parse_consent(reader)
    if about_consent is not None:
        return about_consent
    return parse_command(session.rules, written, seat)


def numbered(session: Session, command: Any) -> Any:
    """Return a ruling or dispute with the number that its writer left to the program: the latest it can mean."""
    if isinstance(command, RaiseDispute) and command.at == LATEST:
        return structs.replace(command, at=session.head.id)
    if isinstance(command, Rule) and command.dispute == LATEST:
        disputes = session.now.table.disputes
        return structs.replace(command, dispute=disputes[0].id if disputes else 0)
    return command


def _chance(session: Session, how: str, written: str) -> Any:
    asked = session.now.question
    if how == "card" or (asked is not None and asked.draw is not None):
        return Deal(Reader(written).text_value("card"))
    return AnswerRoll(faces_of(written))


def faces_of(written: str) -> tuple[Face, ...]:
    """Return the faces in a text: `5 5 6 3`, `5, 5, 6, 3` or `skull blank`; raise `BadText`."""
    kind = form_of(inspect.type_info(tuple[int | str, ...]))
    reader = Reader(" ".join(written.replace(",", " ").split()))
    faces = tuple(kind.read(reader, "dice"))
    if not reader.at_end:
        raise reader.fault(f"dice: {reader.rest()!r} is no face of a die", "faces, as in: 5 5 6 3")
    return faces


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
