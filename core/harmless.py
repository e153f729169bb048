r"""Texts that somebody typed, made harmless for those who read them: the one place for it, whatever shows them.

A log keeps a claim or a reason as it was given, for it is testimony. Whoever shows it to people shows it in one line, and
everything in it that no one sees, that commands a screen or that turns a line around as the escape it has in Python:
`\n`, `\x1b`, `\u202e`. So a text can neither pass for another line nor for another's name.
"""

import re
import unicodedata

__all__ = ["harmless", "harmless_json", "is_harmless"]

_JOINERS = "\u200c\u200d"
"""What joins or parts letters of some scripts, and makes one picture of several; between other signs it hides."""
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""What has no form of its own above the signs of ASCII: controls, directions, fillers, tags (Unicode, Default_Ignorable)."""


def harmless(said: str) -> str:
    """Return a text as one line of signs that can be seen; what can't be is escaped."""
    if said.isprintable() and (said.isascii() or not _UNSEEN.search(said)):
        return said
    return "".join(sign if _is_seen(said, at) else _escaped(sign) for at, sign in enumerate(said))


def is_harmless(said: str) -> bool:
    """Return whether a text is one line of signs that can all be seen."""
    return harmless(said) == said


def harmless_json(encoded: bytes) -> bytes:
    """Return JSON that says the same, with everything that no one sees in it escaped as JSON does."""
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded
    return _UNSEEN.sub(_as_json, encoded.decode()).encode()


def _is_seen(said: str, at: int) -> bool:
    sign = said[at]
    if sign in _JOINERS:
        return 0 < at < len(said) - 1 and _joins(said[at - 1]) and _joins(said[at + 1])
    if sign.isprintable():
        return not _UNSEEN.match(sign)
    return unicodedata.category(sign) == "Zs"


def _joins(sign: str) -> bool:
    """Return whether a sign beside a joiner is of such a script, or a picture."""
    return not sign.isascii() and unicodedata.category(sign)[0] in "LMS"


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


def _as_json(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
