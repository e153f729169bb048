"""Seals: what a reader may not see stands in the line as a digest, and verifies to the same head."""

from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.chain import Head, check_chain, hash_of
from events.entry import SealedCommand
from events.play import Sealed
from events.seals import COMMAND, Opening, conceal, digest_of, for_seat, opens
from tests.events.words import CODEC, Attack, Hide, Noted, Said, said

SEATS = ("orc", "elf", "dwarf")
AUDIENCES = st.lists(st.sampled_from(SEATS), unique=True, max_size=2).map(tuple)


def _salt(entry: int, part: int) -> bytes:
    return sha256(f"{entry} {part}".encode()).digest()[:16]


def _seal(
    entry: Said, *to: tuple[str, ...], command_to: tuple[str, ...] = ()
) -> tuple[Said, tuple[Opening, ...]]:
    return conceal(entry, to, command_to, CODEC.value, _salt)


def test_the_digest_is_sha256_of_salt_and_value() -> None:
    """Anyone who is given both can check it with the simplest tools."""
    assert digest_of(b"salt", b"value") == sha256(b"saltvalue").hexdigest()


def test_a_public_entry_is_left_as_it_is() -> None:
    """Nothing sealed, no openings, the very same entry."""
    entry = said(Noted("a"), Noted("b"))
    assert _seal(entry, (), ()) == (entry, ())


def test_what_is_sealed_stands_in_the_line_as_a_digest_and_whom_it_concerns() -> None:
    """The line holds nothing else of it; the opening holds salt and value, and fits."""
    entry, openings = _seal(
        said(Noted("open"), Noted("secret"), command=Hide("king")), (), ("orc",), command_to=("orc",)
    )
    command, fact = openings
    assert (command.part, fact.part) == (COMMAND, 1)
    assert entry.command == SealedCommand(
        command_digest := digest_of(_salt(1, COMMAND), bytes(command.value)), ("orc",)
    )
    assert entry.facts == (
        Noted("open"),
        Sealed(digest=digest_of(_salt(1, 1), bytes(fact.value)), to=("orc",)),
    )
    assert opens(command, command_digest)
    line = CODEC.encode(entry, openings)
    for secret in (b"king", b"secret", _salt(1, 1).hex().encode(), _salt(1, COMMAND).hex().encode()):
        assert secret not in line


def test_every_part_is_sealed_with_a_salt_of_its_own() -> None:
    """Equal secrets in two places have digests that nobody can tell to be equal."""
    entry, _ = _seal(said(Noted("same"), Noted("same")), ("orc",), ("orc",))
    assert entry.facts[0] != entry.facts[1]


def test_an_audience_must_be_given_for_every_fact() -> None:
    """One too few would publish a secret, one too many would seal nothing."""
    for to in ((), ((), ()), ((), (), ("orc",), ())):
        with pytest.raises(ValueError, match="zip"):
            conceal(said(Noted("a"), Noted("b"), Noted("c")), to, (), CODEC.value, _salt)


@given(st.binary(max_size=20), st.binary(max_size=40), st.binary(max_size=40))
def test_an_opening_fits_its_own_value_alone(salt: bytes, value: bytes, other: bytes) -> None:
    """Neither another value nor another salt."""
    opening = Opening(1, 0, salt.hex(), ("orc",), msgspec.Raw(value))
    assert opens(opening, digest_of(salt, value))
    assert opens(opening, digest_of(salt, other)) == (value == other)
    assert not opens(msgspec.structs.replace(opening, salt=(salt + b"x").hex()), digest_of(salt, value))


@pytest.mark.parametrize("salt", ("x", "0", "zz", "þ", "0x00"))
def test_a_salt_that_is_no_hexadecimal_opens_nothing(salt: str) -> None:
    """It is a false opening, not a fault."""
    assert not opens(Opening(1, 0, salt, ("orc",), msgspec.Raw(b"1")), digest_of(b"", b"1"))


def test_a_seat_is_given_its_own_openings_and_no_others() -> None:
    """Those that name it; chance, arbiter and strangers have none unless named."""
    openings = [
        Opening(1, part, "", to, msgspec.Raw(b"1"))
        for part, to in enumerate((("orc",), ("elf",), ("orc", "elf")))
    ]
    assert [told.part for told in for_seat(openings, "orc")] == [0, 2]
    assert [told.part for told in for_seat(openings, "elf")] == [1, 2]
    assert for_seat(openings, "arbiter") == for_seat(openings, "or") == for_seat([], "orc") == ()


@given(st.lists(st.tuples(AUDIENCES, AUDIENCES, AUDIENCES), min_size=1, max_size=5))
def test_every_view_of_a_game_verifies_to_the_same_head(audiences: list[tuple[tuple[str, ...], ...]]) -> None:
    """Whoever sees what: the lines are the same for all, each opens its own parts, and all openings open the game."""
    lines: list[bytes] = []
    told: list[Opening] = []
    whole: list[Said] = []
    head = Head()
    for first, second, command_to in audiences:
        plain = said(Noted("a"), Noted("b"), command=Attack("gate"), id=head.id + 1, prev=head.hash)
        whole.append(plain)
        entry, openings = _seal(plain, first, second, command_to=command_to)
        lines.append(CODEC.encode(entry, openings))
        told += openings
        head = Head(head.id + 1, hash_of(lines[-1]))
    assert list(check_chain(lines, head)) == []
    for seat in SEATS:
        for line, plain, to in zip(lines, whole, audiences, strict=True):
            entry = CODEC.decode(line)
            view = CODEC.reveal(entry, [o for o in for_seat(told, seat) if o.entry == entry.id])
            assert [fact == said_ for fact, said_ in zip(view.facts, plain.facts, strict=True)] == [
                not seats or seat in seats for seats in to[:2]
            ]
            assert (view.command == plain.command) == (not to[2] or seat in to[2])
    opened = [
        CODEC.reveal(entry, [o for o in told if o.entry == entry.id]) for entry in map(CODEC.decode, lines)
    ]
    assert opened == whole
