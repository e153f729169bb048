"""Problems: what the service says when it can't do what was asked, as `application/problem+json` (RFC 9457)."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from msgspec import Struct, field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from core.harmless import harmless, harmless_json
from core.refusal import Refusal

__all__ = ["CODES", "MEDIA_TYPE", "Problem", "Raised", "add_problems", "problem", "refused"]

MEDIA_TYPE = "application/problem+json"

CODES = {
    "refused_by_the_rules": "The rules do not allow it; `refusals` says which and why.",
    "stale_question": "The question this command answers is no longer open to its seat.",
    "bad_shape": "The body or a parameter is not what this route takes; `detail` names the field.",
    "bad_text": "What is said is no line of a scoresheet; `detail` names the column and what was expected.",
    "bad_json": "The body is not JSON.",
    "no_body": "This route takes a body, and there is none.",
    "not_json": "The body is not announced as JSON: `Content-Type: application/json` is missing.",
    "too_large": "The body is larger than the service takes.",
    "no_such_game": "There is no game of that name here.",
    "no_such_rules": "There are no rules of that name here.",
    "no_such_entry": "The log has no such entry.",
    "no_such_seat": "Nobody of that name sits at the table.",
    "no_such_problem": "No problem has that code.",
    "game_exists": "There is a game of that name already.",
    "no_token": "This route acts for a seat and needs its token, as `Authorization: Bearer <token>`.",
    "wrong_token": "The token stands for no seat of this game.",
    "not_your_seat": "The token stands for another seat.",
    "read_only": "The log can't be continued: this revision does not understand all of it.",
    "store_failed": "The store could not do it; nothing was written.",
    "tokens_failed": "The game was opened, but its tokens could not be kept; who runs the service hands them out.",
    "not_found": "There is no such route.",
    "method_not_allowed": "The route does not take this method.",
    "fault": "This is a fault of the service itself, not of the request; nothing was written by the step that failed.",
}
"""Every problem code and what it means."""

LONGEST_PART = 100
"""Characters of a name in a body from which on it is cut when it is repeated."""
_log = logging.getLogger("lawspeaker")


class Problem(Struct, omit_defaults=True):
    """A problem: what kind (`code`), the HTTP status, a sentence, and for refusals the reasons with their sections."""

    code: str
    status: int
    title: str
    detail: str = ""
    refusals: tuple[Refusal, ...] = ()
    since: tuple[Any, ...] = field(default=())
    type: str = ""

    def __post_init__(self) -> None:
        """Name the page that explains the code, unless another is named; what was typed is harmless to show."""
        self.type = self.type or f"/problems/{self.code}"
        self.detail = harmless(self.detail)


class Raised(Exception):
    """Raised inside a route to answer with a problem."""

    def __init__(self, status: int, code: str, detail: str = "", refusals: Iterable[Refusal] = ()) -> None:
        """Take the HTTP status, the code, and what there is to say."""
        super().__init__(detail or CODES[code])
        self.problem = Problem(code, status, CODES[code], detail, tuple(refusals))


def problem(held: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    more = {**(headers or {}), **({"WWW-Authenticate": "Bearer"} if held.status == 401 else {})}
    body = harmless_json(msgspec.json.encode(held))
    return Response(body, status_code=held.status, media_type=MEDIA_TYPE, headers=more)


def refused(reasons: tuple[Refusal, ...], *, stale: bool = False, since: tuple[Any, ...] = ()) -> Problem:
    """Return the problem of a refused command: 409 with its reasons, or 412 when its question was stale."""
    code, status = ("stale_question", 412) if stale else ("refused_by_the_rules", 409)
    return Problem(code, status, CODES[code], " ".join(reason.text for reason in reasons), reasons, since)


def add_problems(app: FastAPI) -> None:
    """Let everything that goes wrong in an application be answered with a problem."""

    @app.exception_handler(Raised)
    async def raised(_: Request, fault: Raised) -> Response:
        return problem(fault.problem)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, fault: RequestValidationError) -> Response:
        return problem(_of_shape(request, fault))

    @app.exception_handler(HTTPException)
    async def other(_: Request, fault: HTTPException) -> Response:
        if fault.status_code == 400:  # what FastAPI says of a body that is not even text
            return problem(Problem("bad_json", 422, CODES["bad_json"], str(fault.detail)))
        code = "method_not_allowed" if fault.status_code == 405 else "not_found"
        return problem(Problem(code, fault.status_code, CODES[code], str(fault.detail)), fault.headers)

    @app.exception_handler(Exception)
    async def defect(request: Request, fault: Exception) -> Response:
        # What broke may name what is secret: it goes to the keeper's own log, never to who asked.
        _log.error("%s %s failed", request.method, harmless(request.url.path), exc_info=fault)
        return problem(Problem("fault", 500, CODES["fault"]))


def _of_shape(request: Request, fault: RequestValidationError) -> Problem:
    errors = fault.errors()
    if any(error["type"] == "json_invalid" for error in errors):
        why = "; ".join(str(error.get("ctx", {}).get("error", error["msg"])) for error in errors[:5])
        return Problem("bad_json", 422, CODES["bad_json"], why)
    body = [error for error in errors if tuple(error["loc"]) == ("body",)]
    if (
        body
        and request.headers.get("content-length", "0") == "0"
        and not request.headers.get("transfer-encoding")
    ):
        return Problem(
            "no_body",
            422,
            CODES["no_body"],
            f"{request.method} {request.url.path} takes JSON; /docs shows it.",
        )
    kind = request.headers.get("content-type", "")
    if body and "json" not in kind.partition(";")[0]:
        said = f"This one is announced as {kind!r}" if kind else "This one is announced as nothing"
        detail = f"{said}; send the header `Content-Type: application/json`."
        return Problem("not_json", 415, CODES["not_json"], detail)
    detail = "; ".join(
        f"{'.'.join(str(part)[:LONGEST_PART] for part in error['loc'])}: {error['msg']}"
        for error in errors[:5]
    )
    return Problem("bad_shape", 422, CODES["bad_shape"], detail)
