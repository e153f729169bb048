"""The laws that every game keeps, for positions of this game played at random."""

from collections.abc import Callable
from typing import Any

from core.games.dragonlords import RULES
from tests.driver import Table
from tests.laws import test_deciding, test_folding, test_secrets
from tests.laws.test_citing import assert_cites

LAWS: tuple[Callable[[Table], Any], ...] = (
    test_deciding.law_offered, test_deciding.law_refused, test_deciding.law_silence,
    test_folding.law_codec, test_folding.law_fold, test_folding.law_untouched, test_folding.law_sound,
    test_folding.law_asking, test_secrets.law_view_asks, test_secrets.law_view_refusals,
)  # fmt: skip
"""Offered is accepted, all else refused, silence lawful; folding changes nothing; each view is enough."""


def assert_log_cites(table: Table) -> None:
    """Every fact of a log after its opening says which rule made it so, and the rule is in the book."""
    for told in table.log[1:]:
        for fact in told.entry.facts:
            assert_cites(RULES, fact)
