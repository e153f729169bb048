"""Upcasting: old shapes become new ones on reading, and a chain that leads nowhere is found at import."""

from collections.abc import Mapping
from typing import Any

import pytest

from events.upcasting import BadUpcasts, Hop, Raw, Upcasts


def _to(*tags: str) -> tuple[tuple[str, ...], Hop]:
    return tags, lambda raw: [{**raw, "Fact": tag} for tag in tags]


def _upcasts(hops: Mapping[str, tuple[tuple[str, ...], Hop]], *current: str) -> Upcasts:
    return Upcasts(hops, current, "Fact")


def test_a_current_shape_comes_back_alone_and_untouched() -> None:
    """As does one that nobody knows: both are no matter for upcasters."""
    upcasts = _upcasts({"A": _to("A.v2")}, "A.v2")
    for raw in ({"Fact": "A.v2", "n": 1}, {"Fact": "Other"}, {"n": 1}):
        assert upcasts.lift(raw) == [raw]


def test_an_older_shape_goes_hop_by_hop_to_the_current_one() -> None:
    """Each hop knows only its own two versions."""
    upcasts = _upcasts({"A": _to("A.v2"), "A.v2": _to("A.v3")}, "A.v3")
    assert upcasts.lift({"Fact": "A", "n": 1}) == [{"Fact": "A.v3", "n": 1}]
    assert upcasts.lift({"Fact": "A.v2", "n": 1}) == [{"Fact": "A.v3", "n": 1}]


def test_one_shape_may_become_several_or_none_in_their_order() -> None:
    """Branches end in different tags, each brought up to date by itself."""
    upcasts = _upcasts({"A": _to("B", "C", "D"), "C": _to(), "D": _to("E")}, "B", "E")
    assert upcasts.lift({"Fact": "A"}) == [{"Fact": "B"}, {"Fact": "E"}]
    assert upcasts.lift({"Fact": "C"}) == []


def test_what_is_lifted_is_left_as_it_was() -> None:
    """An upcaster works on a copy: what is stored is never rewritten."""

    def careless(raw: Raw) -> list[Raw]:
        raw["Fact"] = "A.v2"
        raw.pop("n")
        return [raw]

    upcasts = _upcasts({"A": (("A.v2",), careless)}, "A.v2")
    raw = {"Fact": "A", "n": 1}
    assert upcasts.lift(raw) == [{"Fact": "A.v2"}]
    assert raw == {"Fact": "A", "n": 1}


def test_older_tags_are_told_from_all_others() -> None:
    """Only those that can be brought up to date."""
    upcasts = _upcasts({"A": _to("A.v2")}, "A.v2")
    assert "A" in upcasts
    assert "A.v2" not in upcasts
    assert "B" not in upcasts
    assert 7 not in upcasts


@pytest.mark.parametrize(
    ("hops", "why"),
    (
        ({"A": _to("A.v2")}, "no upcaster leads on from A.v2 .reached from A."),
        ({"A": _to("A.v2"), "A.v2": _to("A.v4")}, "no upcaster leads on from A.v4 .reached from A.v2."),
        ({"A": _to("X", "Gone")}, "no upcaster leads on from Gone"),
        ({"A": _to("A")}, "in a circle: A -> A"),
        ({"A": _to("B"), "B": _to("A")}, "in a circle: A -> B -> A"),
        ({"A": _to("X", "B"), "B": _to("C"), "C": _to("B", "X")}, "in a circle: A -> B -> C -> B"),
        ({"X": _to("X.v2"), "X.v2": _to()}, "X is still current"),
    ),
)
def test_gaps_and_circles_are_found_when_the_game_is_loaded(
    hops: Mapping[str, tuple[tuple[str, ...], Hop]], why: str
) -> None:
    """Not when somebody opens a log of ten years ago."""
    with pytest.raises(BadUpcasts, match=why):
        _upcasts(hops, "X")


@pytest.mark.parametrize("result", ({"Fact": "Other"}, {"Fact": "A"}, {}, {"Fact": None}))
def test_an_upcaster_that_returns_another_tag_than_it_says_is_refused(result: dict[str, Any]) -> None:
    """Or the check for gaps and circles would be worth nothing."""
    upcasts = _upcasts({"A": (("A.v2",), lambda _: [result])}, "A.v2")
    with pytest.raises(BadUpcasts, match="the upcaster of A returned"):
        upcasts.lift({"Fact": "A"})


def test_a_long_row_of_hops_that_meet_again_is_checked_at_once() -> None:
    """Forty versions, each of which became two of the next: no more work than there are hops."""
    hops = {f"A.v{n}": _to(f"A.v{n + 1}", f"A.v{n + 1}") for n in range(1, 40)}
    assert "A.v1" in _upcasts(hops, "A.v40")
