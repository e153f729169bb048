"""What a token is told of who is asked what: its own questions with offers, what chance is asked, who is to agree.

What a seat could answer is that seat's own affair. What dice fall for whom, and who may give them, is everybody's.
"""

from typing import Any

import msgspec

from api.schemas import ask_as_json
from core.asking import Dice, OneOf
from core.consent import why_not_alone
from core.harmless import harmless
from core.kit.consenting import unanswered
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.event import Seat
from replay.dice import chance_waits
from replay.giving import may_give
from replay.session import Session
from replay.words.wording import chance_words

__all__ = ["asked_now", "asks_of", "proposal_of"]


def asks_of(session: Session, holder: Seat | None) -> list[dict[str, Any]]:
    """Return everything that the holder of a token is told to be asked; None is a spectator."""
    if session.read_only:
        return []
    told: list[dict[str, Any]] = []
    if holder is not None and is_player(holder):
        own = session.now.table.seats_of(holder)
        asks = (ask for seat in own for ask in session.asks(seat))
        told += [{**ask_as_json(ask), "may_answer": session.now.table.seats_of(ask.seat)} for ask in asks]
    now = session.view(holder)
    if chance_waits(now):
        told.append(_of_chance(session, now, holder))
    told += [_of_dispute(dispute) for dispute in now.table.disputes]
    proposal = proposal_of(session)
    if proposal is not None:
        told.append(_of_consent(proposal, holder))
    return told


def proposal_of(session: Session) -> dict[str, Any] | None:
    """Return the take-back that waits for agreement, with who has answered and who has not; None when none does."""
    table = session.now.table
    held = table.proposed(session.now.entry)
    if held is None:
        return None
    return {
        "id": held.id,
        "by": held.seat,
        "to": held.to,
        "learned": held.learned,
        "reason": held.reason,
        "agreed": held.agreed,
        "missing": unanswered(table, held),
    }


def asked_now(session: Session, holder: Seat | None) -> dict[str, Any]:
    """Return in a few words who is asked now, as the live stream tells it: the offers are for `asks`."""
    now = session.view(holder)
    return {
        "head": session.head.id,
        "ended": now.state.ended,
        "asks": [
            {
                name: ask[name]
                for name in ("question", "seat", "kind", "prompt", "may_answer", "proposal")
                if name in ask
            }
            for ask in asks_of(session, holder)
        ],
        "asked": now.question.seats if now.question is not None and not now.table.disputes else (),
    }


def _of_chance(session: Session, now: Moment[Any], holder: Seat | None) -> dict[str, Any]:
    opened, question = now.questions()[0]
    roll, draw = question.roll, question.draw
    if roll is not None:
        offers = [_offer("AnswerRoll", faces=Dice(session.rules.all_dice[roll.die], roll.count))]
    elif holder == ARBITER or (draw is not None and draw.public):
        offers = [_offer("Deal", card=OneOf(opened.step.pool(now)))]
    else:
        offers = [_offer("Deal")]  # which cards are left is nobody's to know
    return {
        "question": opened.name(CHANCE),
        "seat": CHANCE,
        "kind": question.kind,
        "prompt": question.prompt or chance_words(now),
        "wanted": chance_words(now),
        "because": question.because,
        "roll": msgspec.to_builtins(roll),
        "draw": msgspec.to_builtins(draw),
        "offers": offers,
        "silence": None,
        "may_answer": may_give(now),
    }


def _offer(kind: str, **fields: Any) -> dict[str, Any]:
    return {"Do": kind, "fields": {name: msgspec.to_builtins(held) for name, held in fields.items()}}


def _of_dispute(dispute: Any) -> dict[str, Any]:
    return {
        "question": "",
        "seat": ARBITER,
        "kind": "dispute",
        "prompt": harmless(
            f"rule on dispute {dispute.id}: {dispute.seat} contests entry {dispute.at}: {dispute.claim}"
        ),
        "because": ("LS-5.1", "LS-5.2"),
        "dispute": dispute.id,
        "offers": [],
        "silence": None,
        "may_answer": [ARBITER],
    }


def _of_consent(proposal: dict[str, Any], holder: Seat | None) -> dict[str, Any]:
    missing = proposal["missing"]
    why = why_not_alone(proposal["learned"])
    reason = f", because {proposal['reason']}" if proposal["reason"] else ""
    return {
        "question": "",
        "seat": holder if holder in missing else missing[0],
        "kind": "take_back",
        "prompt": harmless(
            f"{proposal['by']} asks to go back to entry {proposal['to']}{reason}; alone it may not, for {why}"
        ),
        "because": ("LS-3.3",),
        "proposal": proposal,
        "offers": [
            _offer(answer, proposal=proposal["id"]) for answer in ("AgreeToTakeBack", "RefuseTakeBack")
        ],
        "silence": None,
        "may_answer": missing,
    }
