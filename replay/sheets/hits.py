"""The dice behind a tally that differs: where it is their hits that a table has counted otherwise, they and their rule are told."""

from collections.abc import Iterator

from core.rules import Fact
from events.chance import Hits, Rolled, successes
from events.counting import plural
from events.event import FactData
from replay.sheets.claims import Tally, claim_words, is_of
from replay.sheets.playing import SheetPlay
from replay.sheets.writing import write_faces

__all__ = ["hits_behind", "hits_in_words"]


def hits_behind(play: SheetPlay, claim: Tally) -> list[FactData]:
    """Return the rolls whose hits a tally counts otherwise, and what it counts that was told before them; else nothing.

    Where as many hit as are claimed, something else is wrong.
    """
    rolls = [fact for fact, _ in _rolls(play, claim)]
    if not rolls or sum(successes(fact.counts, fact.faces) or 0 for fact in rolls) == claim.count:
        return []
    before = play.since[: play.since.index(rolls[0])]
    return [*(fact for fact in before if is_of(claim, fact)), *rolls]


def hits_in_words(play: SheetPlay, claim: Tally) -> str:
    """Return how many dice of each roll hit, and what was asked for: `1 hit in 4 4 3 5 6: orc attacks at T.A.S. 3`."""
    told = []
    for fact, asked in _rolls(play, claim):
        hits = successes(fact.counts, fact.faces) or 0
        told.append(f"{plural(hits, 'hit')} in {write_faces(fact.faces)}: {asked}.")
    return " ".join(dict.fromkeys(told))


def _rolls(play: SheetPlay, claim: Tally) -> Iterator[tuple[Rolled, str]]:
    """Yield the rolls since the last claim that may have hit whom a tally is about, each with what was asked."""
    kinds = claim_words(play.rules)[claim.word]
    if not any(issubclass(kind, Fact) and kind.BY_HITS for kind in kinds):
        return
    for at in range(max(1, play.since_at), len(play.told)):
        asked = play.told[at - 1].decision.after.question
        for fact in play.told[at].facts:
            if isinstance(fact, Rolled) and isinstance(fact.counts, Hits) and fact.owner != claim.who:
                yield fact, asked.prompt if asked is not None and asked.prompt else f"{fact.owner} rolls"
