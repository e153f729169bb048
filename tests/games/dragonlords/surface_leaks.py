"""Leaks to plant in what shows a game: commands, pictures, reports, questions, the service; see `leaks` for the game itself."""

from typing import Any
from zlib import crc32

import msgspec
from msgspec import structs
from starlette.responses import Response

from replay import hearing, knowing
from replay.cli import moves
from replay.cli.eyes import Eyes
from replay.cli.trouble import Trouble
from replay.history import History
from replay.outcomes import Refused
from replay.picture import picture
from replay.questions.queries import Reading
from replay.session import Session
from replay.verifying.verify import verify_log
from replay.words.faults import BadInput
from replay.words.grammar import parse_command
from tests.games.dragonlords.leaks import DEFENDERS, Patch, Planted, hands_out_every_opening

__all__ = ["SURFACE_LEAKS", "says_more_in_a_problem"]


def draws_the_whole_state(patch: Patch) -> None:
    patch.setattr(
        "replay.cli.drawing.draw", lambda history, at, _who, theme: picture(history, at, "arbiter", theme)
    )


def reads_every_entry_open(patch: Patch) -> None:
    patch.setattr(History, "entry_for", lambda history, _seat, at: history.entries[at - 1])


def shows_the_board_as_it_is(patch: Patch) -> None:
    patch.setattr(Eyes, "at", lambda seen, at: seen.session.history.view("arbiter", at))


def lists_what_others_could_answer(patch: Patch) -> None:
    patch.setattr("replay.cli.told._asks", lambda session, seat, _who: session.asks(seat))


def suggests_names_that_are_hidden(patch: Patch) -> None:
    usual = parse_command

    def parsed(session: Session, _now: Any, _seat: str, written: str, **_more: Any) -> Any:
        try:
            return usual(session.rules, written)
        except BadInput as fault:
            king = session.now.state.chips.get("dwarf.king")
            raise Trouble(f"{fault}; did you mean {king.place if king else ''}?") from fault

    patch.setattr(moves, "_parsed", parsed)


def says_what_others_know(patch: Patch) -> None:
    patch.setattr(
        "replay.cli.look.knowledge", lambda history, _seat, at: knowing.knowledge(history, "dwarf", at)
    )


def proves_with_every_opening(patch: Patch) -> None:
    usual = verify_log

    def verified(rules: Any, lines: Any, openings: Any, head: Any, **more: Any) -> Any:
        report = usual(rules, lines, openings, head, **more)
        return structs.replace(
            report, unknown=(str(crc32(repr([bytes(o.value) for o in openings]).encode())),)
        )

    patch.setattr("replay.cli.verifying.for_seat", lambda openings, _seat: openings)
    patch.setattr("replay.cli.verifying.verify_log", verified)


def counts_what_is_sealed(patch: Patch) -> None:
    patch.setattr(Reading, "may_open", lambda _reading, _opening: True)
    patch.setattr(Reading, "opens_any", True)


def tags_an_answer_by_the_whole_state(patch: Patch) -> None:
    usual = Session.view
    whole: list[Any] = []

    def view(session: Session, seat: Any, at: Any = None) -> Any:
        whole[:] = [session.now.state]
        return usual(session, seat, at)

    def tagged(value: Any, status: int = 200, **_how: bool) -> Response:
        tag = str(crc32(repr(whole).encode()))
        return Response(msgspec.json.encode(value), status, {"etag": tag}, media_type="application/json")

    patch.setattr(Session, "view", view)
    patch.setattr("api.reading.as_json", tagged)


def says_more_in_a_problem(patch: Patch) -> None:
    usual = hearing.decided_for

    def decided_for(history: History, *args: Any, **more: Any) -> Any:
        said = usual(history, *args, **more)
        if not isinstance(said, Refused):
            return said
        king = history.now.state.chips.get("dwarf.king")
        return Refused(tuple(structs.replace(one, text=f"{one.text} {king}") for one in said.reasons))

    patch.setattr("replay.session.decided_for", decided_for)


SURFACE_LEAKS = (
    Planted("a picture", draws_the_whole_state, DEFENDERS, "shown_by_commands"),
    Planted("an entry", reads_every_entry_open, DEFENDERS, "shown_by_commands"),
    Planted("a board in words", shows_the_board_as_it_is, DEFENDERS, "shown_by_commands"),
    Planted("what others are offered", lists_what_others_could_answer, DEFENDERS, "shown_by_commands"),
    Planted("names that are suggested", suggests_names_that_are_hidden, DEFENDERS, "shown_by_commands"),
    Planted("what a seat knew", says_what_others_know, DEFENDERS, "shown_by_commands"),
    Planted("a report of verify", proves_with_every_opening, DEFENDERS, "shown_by_commands"),
    Planted("what is handed on", hands_out_every_opening, DEFENDERS, "shown_by_http"),
    Planted("answers to questions", counts_what_is_sealed, DEFENDERS, "shown_by_questions"),
    Planted("a header", tags_an_answer_by_the_whole_state, DEFENDERS, "shown_by_http"),
    Planted("the text of a problem", says_more_in_a_problem, DEFENDERS, "shown_by_http"),
)
"""Leaks in what shows a game, beyond the game itself, and the world where each must be seen."""
