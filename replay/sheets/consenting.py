"""What a seat says of taking back, in words: `propose to go back to 4 because ...`, `agree to 7`, `refuse 7 because ...`."""

from typing import Any

from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack, RefuseTakeBack
from replay.sheets.arbiter import prose, read_prose
from replay.words.forms import Reader

__all__ = ["parse_consent", "write_consent"]


def parse_consent(reader: Reader) -> Any:
    """Return the command about a take-back that a line begins with; None when it is about something else; raise `BadText`."""
    if reader.take_words(["propose", "to", "go", "back", "to"]):
        return ProposeTakeBack(_entry(reader), _because(reader))
    if reader.take_words(["agree", "to"]):
        agreed = AgreeToTakeBack(_entry(reader))
        if not reader.at_end:
            raise reader.fault(f"there is {reader.token()!r}", "nothing more")
        return agreed
    if reader.take_words(["refuse"]):
        return RefuseTakeBack(_entry(reader), _because(reader))
    return None


def write_consent(command: Any) -> str | None:
    """Return the text of a command about a take-back; None for any other."""
    match command:
        case ProposeTakeBack(to=to, reason=reason):
            said = f"propose to go back to {to}"
        case RefuseTakeBack(proposal=proposal, reason=reason):
            said = f"refuse {proposal}"
        case AgreeToTakeBack(proposal=proposal):
            return f"agree to {proposal}"
        case _:
            return None
    return f"{said} because {prose(reason)}" if reason else said


def _entry(reader: Reader) -> int:
    token = reader.token()
    if not (token.isascii() and token.isdecimal() and len(token) < 16):
        said = f"there is {token!r}" if token else "the number is missing"
        raise reader.fault(said, "the number of an entry")
    return int(reader.take())


def _because(reader: Reader) -> str:
    if reader.at_end:
        return ""
    if not reader.take_words(["because"]):
        raise reader.fault(f"there is {reader.token()!r}", "because ...")
    return read_prose(reader, "the reason")
