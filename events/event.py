"""The data bases: what every fact, command and step is, before any rule gives it meaning."""

from typing import Annotated, ClassVar, dataclass_transform

from msgspec import Meta, Struct, field

__all__ = ["CommandData", "Count", "Face", "FactData", "Id", "Int", "Seat", "SectionRef", "StepData"]

LARGEST = 2**53 - 1
"""The largest whole number the strict profile allows: every JSON reader keeps it exact."""

Int = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""A whole number within the strict profile."""
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
"""How many of something: never negative."""
Id = Annotated[int, Meta(ge=0, le=LARGEST)]
"""The number of an entry: 1, 2, 3 ... without gaps; 0 stands before the first."""
Seat = Annotated[str, Meta(min_length=1, max_length=40, extra={"named": "seat"})]
"""Who acts: a player's seat, `chance` or `arbiter`."""
SectionRef = Annotated[str, Meta(min_length=1, max_length=16)]
"""A numbered rule in a game's rulebook, such as `QD-10.5`; that it exists is a law the tests hold."""
Face = Int | Annotated[str, Meta(max_length=20)]
"""What is printed on a die: `5`, `"skull"`, `"yellow"`."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class FactData(
    Struct,
    frozen=True,
    gc=False,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="Fact",
    tag=True,
    kw_only=True,
):
    """What happened, past tense, with its outcome inside. `because` names the rules that made it so."""

    because: tuple[SectionRef, ...] = ()

    TABLE: ClassVar[bool] = False
    """Whether the fact folds along ids (the table) and survives a take-back, or along parents (the game)."""
    CLAIM: ClassVar[str] = ""
    """The word by which a scoresheet claims such a fact, `loses`; empty when it cannot be claimed."""
    CLAIM_KINDS: ClassVar[tuple[str, ...]] = ()
    """What a claim may call that of which such a fact tells how many, each in the singular: `loses 2 unit`."""
    REVEALS: ClassVar[bool] = False
    """Whether it is there to tell what was secret: from such a fact on, and from no other, games may look different
    that differ in a secret alone. A mark for the law of non-interference; what a tail told is computed, never marked."""

    def audience(self) -> tuple[Seat, ...]:
        """Return the seats that alone may see this fact; nobody named means everybody may."""
        return ()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class CommandData(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="Do", tag=True
):
    """What a seat asks for, imperative. It stays in the log as testimony."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class StepData(
    Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True, tag_field="Step", tag=True
):
    """A place in a procedure. It holds no number that a rule computed: that would go stale."""
