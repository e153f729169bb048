"""How entries, asks and moments are shown, and what `--json` says of them."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from core.asking import Ask
from core.deciding import asks
from core.kit.consenting import unanswered
from core.rules import Rules
from core.seats import ARBITER, CHANCE, is_player
from core.telling import Moment
from events.entry import Entry
from events.event import Seat
from events.play import Sealed
from replay.cli.show import heading, indented, plain, table, text
from replay.picture_text import sheets
from replay.session import Session
from replay.words.wording import (
    asked_of,
    chance_words,
    command_words,
    fact_words,
    is_are,
    offer_words,
    offers_words,
    prompt_words,
    silence_words,
)

__all__ = [
    "TAKEN_BACK",
    "asks_openly",
    "asks_plain",
    "asks_shown",
    "entry_plain",
    "entry_shown",
    "moment_shown",
    "rulings",
]

TAKEN_BACK = "taken back"
"""What stands beside an entry that is not on the line of play, for those who see no strike through it."""

AnyEntry = Entry[Any, Any]


def entry_plain(rules: Rules[Any], entry: AnyEntry) -> dict[str, Any]:
    """Return an entry as a JSON object: as it stands in the log, with its command and facts in words beside."""
    told = plain(entry)
    told["text"] = command_words(rules, entry.seat, entry.command)
    told["told"] = [fact_words(rules, fact, entry.facts[place:]) for place, fact in enumerate(entry.facts, 1)]
    return told  # type: ignore[no-any-return]


def entry_shown(
    rules: Rules[Any], entry: AnyEntry, *, facts: bool = True, taken_back: bool = False, silent: bool = False
) -> Iterator[RenderableType]:
    """Yield an entry as a person reads it: its number and command, then what followed and which sections say so.

    `silent`: nobody typed it, and silence stands for it.
    """
    line = text(f"{entry.id:>4}  ", "dim")
    line.append(text(command_words(rules, entry.seat, entry.command), "bold"))
    beside = [entry.at[:16].replace("T", " ")] if facts else []
    beside += [part for part in (entry.actor, entry.source) if part]
    if silent:
        beside.append("not typed")
    if entry.parent != entry.id - 1:
        beside.append(f"goes on from {entry.parent}")
    if taken_back:
        beside.append(TAKEN_BACK)
    if beside:
        line.append("  ").append(text(f"({', '.join(beside)})", "dim"))
    yield line
    for place, fact in enumerate(entry.facts if facts else ()):
        said = fact_words(rules, fact, entry.facts[place + 1 :])
        if said:
            shown = text(said, "dim" if isinstance(fact, Sealed) else "")
            if fact.because:
                shown.append("  ").append(text(f"[{', '.join(fact.because)}]", "cyan"))
            yield indented(shown, 6)


def moment_shown(now: Moment[Any], seat: Seat | None) -> Iterator[RenderableType]:
    """Yield the tables of a moment as a seat may know it (None: a spectator)."""
    for sheet in sheets(now, seat):
        yield table(sheet.heads, sheet.rows, title=sheet.title)
    if now.state.out:
        yield text(f"Out of the game: {', '.join(now.state.out)}.")
    if now.state.ended is not None:
        winners = " and ".join(now.state.ended.winners) or "nobody"
        yield text(f"The game is over: {winners} won ({now.state.ended.how.replace('_', ' ')}).", "bold")
    for dispute in now.table.disputes:
        said = f"Dispute {dispute.id}: {dispute.seat} contests entry {dispute.at}: {dispute.claim}"
        yield text(said, "bold red")


def asks_plain(
    session: Session, seats: tuple[Seat, ...] | None = None, who: Seat | None = ARBITER
) -> list[dict[str, Any]]:
    """Return what seats are asked (all of them unless named) as JSON objects, as `who` may see it."""
    asked = asked_of(session.view(who)) if seats is None else seats
    return [_ask_plain(session, ask, who) for seat in asked for ask in _asks(session, seat, who)]


def _asks(session: Session, seat: Seat, who: Seat | None) -> tuple[Ask, ...]:
    """Return what a seat is asked, as `who` may see it.

    What a seat could answer is its own affair, for it may hang on what only that seat sees: others, and a spectator,
    are told that it is asked and what kind of thing, on their own view of the game.
    """
    if who == ARBITER or (seat == who and is_player(seat)):
        return session.asks(seat)
    now = session.view(who)
    if session.read_only or now.state.ended is not None or now.table.disputes:
        return ()
    return tuple(
        Ask(opened.name(seat), seat, question, (), None)
        for opened, question in now.questions()
        if seat in question.seats
    )


def _ask_plain(session: Session, ask: Ask, who: Seat | None) -> dict[str, Any]:
    rules, question = session.rules, ask.question
    offers = [] if ask.seat == CHANCE else ask.offers
    return {
        "question": ask.name,
        "seat": ask.seat,
        "kind": question.kind,
        "prompt": question.prompt,
        "sections": question.because,
        "roll": plain(question.roll),
        "draw": plain(question.draw),
        "offers": [
            {
                "command": offer.command.__name__,
                "text": offer_words(rules, offer),
                "fields": {name: plain(held) for name, held in offer.fields.items()},
            }
            for offer in offers
        ],
        "offers_hidden": not (who == ARBITER or ask.seat in (who, CHANCE)),
        "silence": silence_words(rules, ask),
    }


def asks_shown(
    session: Session,
    seats: tuple[Seat, ...] | None = None,
    who: Seat | None = ARBITER,
    *,
    openly: bool = False,
    whole: bool = False,
) -> Iterator[RenderableType]:
    """Yield what is asked now and of whom, as `who` may see it, each offer as the line that would take it.

    `openly`: what everybody at the table may see is all that offers are worked out from, so that nothing hidden is told.
    `whole`: no list of choices is cut.
    """
    now = session.view(None if openly else who)
    if now.state.ended is not None:
        yield text("Nothing is asked: the game is over.")
        return
    asked = asked_of(now)
    for seat in asked if seats is None else seats:
        if seat == ARBITER and now.table.disputes:
            yield text("arbiter: rules on the dispute; until then nobody else is asked.", "bold")
            if who == ARBITER:
                yield from (indented(text(f"{ARBITER}: {line}"), 4) for line in rulings(now))
        for ask in asks_openly(session, seat) if openly else _asks(session, seat, who):
            yield from _ask_shown(session, ask, now, whole=whole)
    yield from _consent_shown(now)
    if not asked:
        yield text("Nobody is asked anything now.")
    elif seats is not None and not set(seats) & set(asked):
        waits = chance_words(now)
        others = [seat for seat in asked if seat != CHANCE]
        wanted = (
            [f"{waits} {'is' if now.question and now.question.draw else 'are'} to come"] if waits else []
        ) + ([f"asked: {' and '.join(others)}"] if others else [])
        yield text(f"{' and '.join(seats)} {is_are(seats)} asked nothing now; {'; '.join(wanted)}.")


def rulings(now: Moment[Any]) -> Iterator[str]:
    """Yield the lines by which the arbiter can rule on the oldest open dispute; sections may stand before each reason."""
    dispute = now.table.disputes[0]
    yield "uphold because <reason>"
    yield f"go back to entry {max(1, dispute.at - 1)} because <reason>"
    yield f"penalise {dispute.seat} for <what> because <reason>"
    yield "forfeit <seat> because <reason>"
    yield "rule <point> = <answer> because <reason>"
    yield "uphold under <section> because <reason>"


def _consent_shown(now: Moment[Any]) -> Iterator[RenderableType]:
    """Yield who asks to take back, and who has not answered (LS-3.3)."""
    standing = now.table.proposed(now.entry)
    if standing is None:
        return
    missing = unanswered(now.table, standing)
    verb = "has" if len(missing) == 1 else "have"
    line = f"{standing.seat} asks to go back to entry {standing.to}; {' and '.join(missing)} {verb} not answered."
    yield _asked(text(line, "bold"), ("LS-3.3",))
    for seat in missing:
        yield indented(text(f"{seat}: agree to {standing.id}"), 4)
        yield indented(text(f"{seat}: refuse {standing.id}"), 4)


def asks_openly(session: Session, seat: Seat) -> tuple[Ask, ...]:
    """Return what a seat is asked as far as everybody may know it: worked out on what a spectator sees."""
    if not is_player(seat) or session.read_only:
        return session.asks(seat)
    return tuple(asks(session.view(None), seat))


def _ask_shown(session: Session, ask: Ask, now: Moment[Any], *, whole: bool) -> Iterator[RenderableType]:
    question = ask.question
    if ask.seat == CHANCE:
        what = chance_words(now)
        how = "card" if question.draw is not None else "dice"
        yield _asked(Text.assemble(text(f"{how}: ", "bold"), text(what)), question.because)
        return
    line = text(f"{ask.seat}: ", "bold").append(text(prompt_words(ask)))
    yield _asked(line, question.because)
    for said in offers_words(session.rules, ask.offers, whole=whole):
        yield indented(text(f"{ask.seat}: {said}"), 4)
    silence = silence_words(session.rules, ask)
    if silence:
        yield indented(text(f"without an answer: {silence.partition(': ')[2]}", "dim"), 4)


def _asked(line: Text, because: tuple[str, ...]) -> Text:
    if because:
        line.append("  ").append(text(f"[{', '.join(because)}]", "cyan"))
    return line


def title_of(session: Session, at: int | None = None) -> Text:
    """Return the line above a moment: which game, which entry of how many."""
    table = session.now.table
    last = len(session.moments) - 1
    where = f"after entry {last if at is None else at} of {session.head.id}"
    return heading(table.title or session.game, f"{session.rules.rulebook.book.title}, {where}")
