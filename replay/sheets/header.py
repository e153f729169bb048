"""What the header of a position or a scoresheet may say: answers to points, variants; and how such a file is read."""

from pathlib import Path
from typing import Any, BinaryIO

from core.rules import Rules
from events.store import Unreadable, is_no_stream
from replay.words.faults import BadInput, Fault, close_to

__all__ = ["LARGEST", "bounded", "faulty_answer", "faulty_option", "read_text"]

LARGEST = 4_000_000
"""Bytes of the largest position or scoresheet that is read: many times what the longest evening fills."""


def read_text(path: Path) -> str:
    """Return the text of a file that a person wrote; raise `BadInput` when it can't be read, is no UTF-8 or too large."""
    try:
        is_no_stream(path)
        with path.open("rb") as file:
            return bounded(file, str(path)).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        why = Fault(f"byte {fault.start + 1} is no UTF-8", "a text in UTF-8", path=str(path), line=line)
        raise BadInput([why]) from None
    except BadInput:
        raise
    except Unreadable:
        raise BadInput([Fault("it is a pipe or device", "a file on a disk", path=str(path))]) from None
    except (OSError, ValueError) as fault:
        told = getattr(fault, "strerror", None) or str(fault)
        raise BadInput([Fault(told, "a file to read", path=str(path))]) from None


def bounded(file: BinaryIO, path: str) -> bytes:
    """Return all that a stream holds; raise `BadInput`, having read no further, when that is more than `LARGEST`."""
    held = file.read(LARGEST + 1)
    if len(held) > LARGEST:
        raise BadInput([Fault("it is too large", f"at most {LARGEST:,} bytes", path=path)])
    return held


def faulty_answer(rules: Rules[Any], point: str, answer: object) -> tuple[str, Fault | None]:
    """Return the full id of a point, and what is wrong with answering it so."""
    full = rules.rulebook.full_id(point)
    known = rules.rulebook.points.get(full)
    if known is None:
        short = [name.partition("-")[2] for name in rules.rulebook.points]
        close = close_to(point.upper(), short)
        return full, Fault(f"the rulebook has no point {point}", "a point of the rulebook", close)
    choices = [choice.id for choice in known.answer]
    if answer not in choices:
        expected = f"one of: {', '.join(choices)}"
        close = close_to(str(answer), choices)
        return full, Fault(f"{point} is not answered by {answer!r}", expected, close)
    return full, None


def faulty_option(rules: Rules[Any], name: str, value: object) -> Fault | None:
    """Return what is wrong with choosing a variant so; nothing when the game has it."""
    known = rules.options.get(name)
    if known is None:
        all_of_them = f"one of: {', '.join(rules.options)}"
        expected = all_of_them if rules.options else "none: the game has no variants"
        return Fault(f"there is no option {name!r}", expected, close_to(name, rules.options))
    if value not in known:
        expected = f"one of: {', '.join(known)}"
        return Fault(f"{name} = {value!r} is no variant", expected, close_to(str(value), known))
    return None
