"""How much of a rig is run: all of it under full stress, else a part."""

import os
from typing import TypeVar

import pytest

__all__ = ["is_full", "part_of"]

T = TypeVar("T")


def is_full(config: pytest.Config) -> bool:
    """Return whether rigs are run in full: by --full-stress, or LAWSPEAKER_STRESS=full in the environment."""
    return bool(config.getoption("--full-stress")) or os.environ.get("LAWSPEAKER_STRESS") == "full"


def part_of(cases: tuple[T, ...], config: pytest.Config, *, every: int, first: int = 0) -> tuple[T, ...]:
    """Return all cases under full stress, else one of `every`, from the one at place `first` on."""
    return cases if is_full(config) else cases[first::every]
