"""Dice that wait for nobody: what fell meanwhile is shown, and where their seed is gone that is said."""

from collections.abc import Sequence
from pathlib import Path

from replay.cli.kept import store_path
from replay.dice import chance_waits
from replay.files import seed_file
from replay.history import AnyEntry
from replay.session import Session
from replay.words.wording import chance_words

__all__ = ["fallen_now", "seed_is_missing"]


def fallen_now(session: Session) -> Sequence[AnyEntry]:
    """Let dice fall that were asked for when nobody could let them, and return their entries."""
    before = session.head.id
    session.answer_chance()
    return session.entries[before:]


def seed_is_missing(session: Session, store: Path | None) -> str:
    """Return in a sentence that dice wait for a seed that is gone, and what can be done; nothing when they don't."""
    if not (session.seedless and chance_waits(session.now)):
        return ""
    game, at = session.game, session.head.id
    return (
        f"{chance_words(session.now)}: the dice of {game} fall from its seed, and {seed_file(store_path(store), game)} is "
        f"missing or empty. Put it back and `lawspeaker roll {game}` goes on; else `lawspeaker whatif {game} --at {at}` does."
    )
