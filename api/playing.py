"""Routes that add to a log: commands, and take-backs with the consent of each seat's own token."""

from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Header, Response

from api.asked import proposal_of
from api.desk import Desk
from api.problems import Raised, problem, refused
from api.schemas import AnswerBody, Authorization, CommandBody, TakeBackBody, as_json
from core.kit.chance import AnswerRoll, Deal
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack, RefuseTakeBack
from core.kit.table import MoveHead
from core.seats import ARBITER, CHANCE
from events.event import Seat
from replay.cli.falling import are_faces, is_card
from replay.cli.moves import said
from replay.cli.trouble import Trouble
from replay.dice import chance_waits
from replay.outcomes import Refused
from replay.session import Session
from replay.texts import MOST_KEY
from replay.words.faults import BadText, Fault

__all__ = ["add_play"]

MOST_COMMAND = 50_000
"""The most bytes of a command, for whatever it says stays in the log that everybody reads; a whole position has 10,000."""
Key = Annotated[
    str, Header(max_length=MOST_KEY, description="Sent twice under one key a command is one entry.")
]


def add_play(app: FastAPI, desk: Desk) -> None:
    """Add the routes."""

    @app.post(
        "/games/{game}/commands", status_code=201, summary="Post a command, as the log holds it or as a line"
    )
    def post_command(
        game: str, body: CommandBody, authorization: Authorization = None, idempotency_key: Key = ""
    ) -> Response:
        holder = desk.player(game, authorization)
        with desk.session(game) as session:
            seat, command = _heard(session, holder, body)
            key = body.key or idempotency_key
            return _answer(
                session, desk.submit(session, holder, seat, command, question=body.question, key=key)
            )

    @app.post(
        "/games/{game}/take-backs",
        status_code=201,
        summary="Take back: at once where nobody is to agree, else ask",
    )
    def take_back(
        game: str, body: TakeBackBody, authorization: Authorization = None, idempotency_key: Key = ""
    ) -> Response:
        holder = desk.player(game, authorization)
        with desk.session(game) as session:
            needed = () if holder == ARBITER else session.learned(holder, body.to)[1]
            command: Any = MoveHead(body.to, reason=body.reason)
            if needed and needed != (ARBITER,):
                command = ProposeTakeBack(body.to, body.reason)
            key = body.key or idempotency_key
            return _answer(session, desk.submit(session, holder, holder, command, key=key))

    @app.get(
        "/games/{game}/take-backs", summary="The take-back that waits for agreement, and who has answered"
    )
    def standing(game: str) -> Response:
        with desk.session(game) as session:
            return as_json({"take_back": proposal_of(session)})

    @app.post(
        "/games/{game}/take-backs/{proposal}", status_code=201, summary="Agree to a take-back, or refuse it"
    )
    def answer(
        game: str,
        proposal: int,
        body: AnswerBody,
        authorization: Authorization = None,
        idempotency_key: Key = "",
    ) -> Response:
        holder = desk.player(game, authorization)
        if not 0 < proposal < 2**53:
            raise Raised(404, "no_such_entry", f"There is no entry {proposal}.")
        command: Any = AgreeToTakeBack(proposal) if body.agree else RefuseTakeBack(proposal, body.reason)
        with desk.session(game) as session:
            key = body.key or idempotency_key
            return _answer(session, desk.submit(session, holder, holder, command, key=key))


def _answer(session: Session, outcome: Any) -> Response:
    if isinstance(outcome, Refused):
        return problem(refused(outcome.reasons, stale=outcome.stale, since=outcome.since))
    return as_json(
        {
            "entries": outcome.entries,
            "repeated": outcome.repeated,
            "head": session.head,
            "take_back": proposal_of(session),
        },
        201,
    )


def _heard(session: Session, holder: Seat, body: CommandBody) -> tuple[Seat, Any]:
    """Return the seat that a token's holder speaks as and the command that a body holds, as JSON or as a line.

    Raises `Raised`; what is said in another's name is not even read, for how it is misread would tell what he is asked.
    """
    if (body.command is None) == (not body.say.strip()):
        raise Raised(422, "bad_shape", "Give either `command` or `say`, not both and not neither.")
    before = _speaker(session, body.say) or ("" if body.seat else _of_chance(session, body.say))
    if before and body.seat not in ("", before):
        raise Raised(422, "bad_shape", f"`seat` says {body.seat}, and the line speaks as {before}.")
    seat = Desk.acting(session, holder, before or body.seat or holder)
    command = _read(session, body.command) if body.command is not None else _said(session, holder, seat, body)
    if seat == CHANCE and not isinstance(command, AnswerRoll | Deal):
        raise Raised(
            403, "not_your_seat", f"As chance only dice and cards are given; this token acts as {holder}."
        )
    return seat, command


def _speaker(session: Session, line: str) -> Seat:
    """Return the seat that a line speaks as by its first word, or nothing where it names none."""
    before = line.partition(":")[0].strip().lower() if ":" in line else ""
    if before in ("dice", "card"):
        return CHANCE
    return next((seat for seat in (*session.now.table.seats, ARBITER, CHANCE) if seat.lower() == before), "")


def _of_chance(session: Session, line: str) -> Seat:
    """Return chance where a line that names nobody is bare dice, or the name of a card, and such are asked for; else nothing."""
    asked = session.now.question
    if ":" in line or asked is None or not chance_waits(session.now):
        return ""
    fallen = are_faces(session.rules, asked.roll.die, line) if asked.roll else is_card(session.now, line)
    return CHANCE if fallen else ""


def _read(session: Session, command: dict[str, Any]) -> Any:
    try:
        held = msgspec.json.encode(command)
        if len(held) > MOST_COMMAND:
            text = f"command: it has {len(held)} bytes; {MOST_COMMAND} are the most that stand in the log."
            raise Raised(422, "bad_shape", text)
        return session.rules.codec.command(held)
    except (ValueError, TypeError, OverflowError, RecursionError) as fault:
        raise Raised(422, "bad_shape", f"command: {fault}") from fault


def _said(session: Session, holder: Seat, seat: Seat, body: CommandBody) -> Any:
    speaking = bool(_speaker(session, body.say))
    line = body.say.strip() if speaking else f"{seat}: {body.say.strip()}"
    try:
        return said(session, line, alone=False, now=session.view(holder))[1]
    except Trouble as fault:
        raise Raised(422, "bad_text", fault.text) from fault
    except BadText as fault:
        raise Raised(422, "bad_text", str(_counted(fault.fault, body.say, speaking))) from fault


def _counted(fault: Fault, said: str, speaking: bool) -> Fault:
    """Return a fault with its column counted from the beginning of what was sent; the reader saw what follows the seat."""
    after = said.index(":") + 1 if speaking else 0
    begins = after + len(said[after:]) - len(said[after:].lstrip())
    return msgspec.structs.replace(fault, column=fault.column + begins) if fault.column else fault
