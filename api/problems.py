"""Problems: what the service says when it can't do what was asked, as `application/problem+json` (RFC 9457)."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct, field
from starlette.responses import Response

from core.refusal import Refusal

__all__ = ["CODES", "Problem", "Raised", "problem", "refused"]

CODES = {
    "refused_by_the_rules": "The rules do not allow it; `refusals` says which and why.",
    "stale_question": "The question this command answers is no longer open to its seat.",
    "bad_shape": "The body is not what this route takes; `detail` names the field.",
    "bad_json": "The body is not JSON.",
    "too_large": "The body is larger than the service takes.",
    "no_such_game": "There is no game of that name here.",
    "no_such_rules": "There are no rules of that name here.",
    "no_such_entry": "The log has no such entry.",
    "game_exists": "There is a game of that name already.",
    "no_token": "This route acts for a seat and needs its token.",
    "wrong_token": "The token stands for no seat of this game.",
    "not_your_seat": "The token stands for another seat.",
    "read_only": "The log can't be continued: this revision does not understand all of it.",
    "store_failed": "The store could not keep it; nothing was written.",
    "not_found": "There is no such route.",
    "method_not_allowed": "The route does not take this method.",
}
"""Every problem code and what it means."""


class Problem(Struct, omit_defaults=True):
    """A problem: what kind (`code`), the HTTP status, a sentence, and for refusals the reasons with their sections."""

    code: str
    status: int
    title: str
    detail: str = ""
    refusals: tuple[Refusal, ...] = ()
    since: tuple[Any, ...] = field(default=())
    type: str = "about:blank"


class Raised(Exception):
    """Raised inside a route to answer with a problem."""

    def __init__(self, status: int, code: str, detail: str = "", refusals: Iterable[Refusal] = ()) -> None:
        """Take the HTTP status, the code, and what there is to say."""
        super().__init__(detail or CODES[code])
        self.problem = Problem(code, status, CODES[code], detail, tuple(refusals))


def problem(held: Problem) -> Response:
    """Return a problem as a response."""
    return Response(msgspec.json.encode(held), status_code=held.status, media_type="application/problem+json")


def refused(reasons: tuple[Refusal, ...], *, stale: bool = False, since: tuple[Any, ...] = ()) -> Problem:
    """Return the problem of a refused command: 409 with its reasons, or 412 when its question was stale."""
    code, status = ("stale_question", 412) if stale else ("refused_by_the_rules", 409)
    return Problem(code, status, CODES[code], " ".join(reason.text for reason in reasons), reasons, since)
