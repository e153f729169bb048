"""Bounds of free fields: what can be sampled is exactly what is allowed."""

from collections.abc import Callable, Hashable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import Between, Dice, Offer, OneOf, Part, Path, Pick
from core.kit.table import OpenGame
from tests.toys.fair.knives import Mend
from tests.toys.fair.scrolls import Curse, Endure
from tests.toys.fair.spoils import Propose

SQUARE: dict[str, tuple[str, ...]] = {"a": ("b", "c"), "b": ("a", "d"), "c": ("a", "d"), "d": ("b", "c")}
DEAD_END: dict[str, tuple[str, ...]] = {"a": ("b", "x"), "b": ("a",), "x": ()}


class Course:
    """One course of choosing: what was chosen so far, and among how many."""

    def __init__(self, taken: list[int]) -> None:
        self.taken, self.sizes = taken, list[int]()

    def choose(self, size: int) -> int:
        assert size > 0, "there is nothing to choose from"
        self.sizes.append(size)
        if len(self.sizes) > len(self.taken):
            self.taken.append(0)
        return self.taken[len(self.sizes) - 1]

    def following(self) -> list[int]:
        """Return the next course in order; an empty one after the last."""
        taken = self.taken[: len(self.sizes)]
        while taken and taken[-1] + 1 == self.sizes[len(taken) - 1]:
            taken.pop()
        return [*taken[:-1], taken[-1] + 1] if taken else []


def every(sample: Callable[[Callable[[int], int]], Any]) -> Iterator[Any]:
    """Yield what every possible course of choosing samples."""
    course = Course([])
    while True:
        yield sample(course.choose)
        following = course.following()
        if not following:
            return
        course = Course(following)


def plain(value: Any) -> Hashable:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


KINDS = ("a", "b", "c", "d")
COUNTS = [dict(zip(KINDS[:3], counts, strict=True)) for counts in product(range(4), repeat=3)]
TUPLES = [names for length in range(5) for names in product((*KINDS, "x"), repeat=length)]


@pytest.mark.parametrize(
    ("bound", "candidates"),
    (
        (OneOf(("a", "c")), KINDS),
        (OneOf((1, "a", None)), (0, 1, 2, "a", "b", None)),
        (Between(2, 5), range(-1, 9)),
        (Between(3, 3), range(9)),
        (Pick({"a": 2, "b": 1}, 1, 2), [{k: n for k, n in held.items() if n} for held in COUNTS]),
        (Pick({"a": 2, "b": 1}, 0, 9), [{k: n for k, n in held.items() if n} for held in COUNTS]),
        (Pick({"a": 3, "b": 3, "c": 3}, 3, 3), [{k: n for k, n in held.items() if n} for held in COUNTS]),
        (Part(("a", "b", "c"), 1, 2), TUPLES),
        (Part(("a", "b"), 0, 9), TUPLES),
        (Dice((1, 2, 3), 2), [*product(range(5), repeat=2), (1,), (1, 1, 1), ()]),
        (Dice(("skull", "axe"), 1), [("skull",), ("axe",), ("boot",), ("axe", "axe")]),
        (Path("a", SQUARE, 1, 3), TUPLES),
        (Path("a", SQUARE, 0, 2), TUPLES),
        (Path("a", DEAD_END, 2, 4), TUPLES),
        (Path("a", DEAD_END, 1, 3), TUPLES),
    ),
)
def test_what_can_be_sampled_is_exactly_what_is_allowed(bound: Any, candidates: Any) -> None:
    """Every course of choosing samples something allowed, and everything allowed can be sampled."""
    sampled = {plain(value) for value in every(bound.sample)}
    assert sampled == {plain(value) for value in candidates if bound.allows(value)}
    assert sampled


@pytest.mark.parametrize(
    ("bound", "values"),
    (
        (Between(0, 3), (True, 1.0, "1", None, (1,))),
        (Pick({"a": 2}, 1, 2), ({"a": 0}, {"a": -1}, {"a": True}, {"a": 3}, {"b": 1}, ("a",), None, {})),
        (Part(("a", "b"), 1, 2), (["a"], "a", ("a", "a"), ("a", "b", "a"), None, {"a": 1})),
        (Dice((1, 2), 2), ([1, 2], (1,), (1, 3), "12", None)),
        (Path("a", SQUARE, 1, 3), (["b"], "b", ("d",), ("b", "c"), ("a",), None, ("b", "a", "b", "a"))),
    ),
)
def test_a_bound_allows_nothing_of_another_shape(bound: Any, values: Any) -> None:
    """Lists, flags and texts are not tuples, whole numbers and dicts."""
    assert [value for value in values if bound.allows(value)] == []


BOUNDS = st.one_of(
    st.lists(st.text(max_size=3), min_size=1).map(lambda values: OneOf(tuple(values))),
    st.tuples(st.integers(-9, 9), st.integers(0, 99)).map(lambda at: Between(at[0], at[0] + at[1])),
    st.tuples(
        st.dictionaries(st.sampled_from(KINDS), st.integers(1, 30), min_size=1), st.integers(0, 40)
    ).map(lambda at: Pick(at[0], min(at[1], sum(at[0].values())), at[1])),
    st.tuples(st.sets(st.text(max_size=2), min_size=1), st.integers(0, 9)).map(
        lambda at: Part(tuple(sorted(at[0])), min(at[1], len(at[0])), at[1])
    ),
    st.integers(0, 30).map(lambda count: Dice((1, 2, 3, 4, 5, 6), count)),
    st.tuples(st.integers(0, 4), st.integers(0, 9)).map(lambda at: Path("a", SQUARE, at[0], at[0] + at[1])),
)


@given(BOUNDS, st.integers(0, 2**32))
def test_any_bound_allows_what_it_samples(bound: Any, seed: int) -> None:
    """Whatever the numbers, a sample is within its bound."""
    value = bound.sample(Random(seed).randrange)
    assert bound.allows(value), value


def test_a_walk_avoids_dead_ends_until_it_is_long_enough() -> None:
    """A path that must have three steps never turns into the cul-de-sac after the first."""
    assert set(every(Path("a", DEAD_END, 3, 3).sample)) == {("b", "a", "b"), ("b", "a", "x")}


def test_an_offer_allows_its_own_command_with_fields_within_their_bounds() -> None:
    """A fixed field holds what the offer says, a bounded one what its bound allows."""
    offer = Offer(Mend, {"die": Between(1, 2)})
    assert offer.allows(Mend(2))
    assert not offer.allows(Mend(3))
    assert not offer.allows(Endure())
    fixed = Offer(Curse, {"target": "blue"})
    assert fixed.allows(Curse("blue"))
    assert not fixed.allows(Curse("red"))
    assert fixed.sample(lambda size: 0) == Curse("blue")


def test_an_offer_allows_a_field_that_it_does_not_name_only_its_default() -> None:
    """What is not offered cannot be chosen, be the default a value or made anew each time."""
    offer = Offer(OpenGame, {"id": "g", "game": "fair", "seats": ("red", "blue")})
    plain_one: OpenGame[Any] = OpenGame("g", "fair", ("red", "blue"))
    assert offer.allows(plain_one)
    assert offer.sample(lambda size: 0) == plain_one
    for other in (
        OpenGame[Any]("g", "fair", ("red", "blue"), {"FA-X1": "three"}),
        OpenGame[Any]("g", "fair", ("red", "blue"), dice="live"),
        OpenGame[Any]("h", "fair", ("red", "blue")),
    ):
        assert not offer.allows(other)


def test_an_offer_without_a_needed_field_allows_nothing() -> None:
    """A field that has no default must be named by the offer."""
    assert not Offer(Propose).allows(Propose({"red": 6}))
    assert not Offer(Mend).allows(Mend(1))
