"""What players call their kings and wizards is known wherever a chip or a spell user can be named (QD-14)."""

from typing import Any, cast

import pytest
from msgspec import inspect

from core.games.dragonlords import RULES
from core.games.dragonlords.spell_users import Declare
from core.games.dragonlords.spells import Cast
from replay.sheets.adjudicate import adjudicate
from replay.sheets.scoresheet import BadSheet, parse_sheet
from replay.words.forms import unwrapped
from replay.words.grammar import grammar, parse_command, write_command
from tests.games.dragonlords.test_when import command

GOLDMERE = """game: dragonlords
seats: elf, orc
setup: units elf FM_s 5
setup: chip elf wizard FM_s
setup: units orc G1 6
setup: chip orc wizard G1
setup: spells orc.wizard.1 heal, fireball, teleport
setup: units orc OR_k 2
setup: turn elf combat
elf: attack G1 from FM_s with 4 leading wizard
elf: cast fireball{by}
dice: 1 2 3
orc: flee {wizard} to OR_k
dice: 3 4 5 5
"""


@pytest.mark.parametrize(
    ("seat", "line", "field", "name"),
    (
        ("orc", "flee wizard to OR_k", "user", "orc.wizard.1"),
        ("orc", "flee wizard 1 to OR_k", "user", "orc.wizard.1"),
        ("orc", "flee Wizard 2 to OR_k", "user", "orc.wizard.2"),
        ("orc", "flee orc wizard to OR_k", "user", "orc.wizard.1"),
        ("orc", "flee DragonLord to OR_k", "user", "dragonlord"),
        ("elf", "withdraw wizard to FM_k", "user", "elf.wizard.1"),
        ("elf", "cast fireball by wizard 2", "user", "elf.wizard.2"),
        ("elf", "cast fireball by ring of fire at orc king", "user", "ring_of_fire"),
        ("elf", "cast fireball by ring of fire at orc king", "aim", "orc.king"),
        ("elf", "throw fireball by wizard", "user", "elf.wizard.1"),
        ("elf", "cure wizard", "by", "elf.wizard.1"),
        ("elf", "cure potion", "by", "potion"),
        ("elf", "reflect by king", "user", "elf.king"),
        ("orc", "read scroll berserk in FM_k by wizard", "user", "orc.wizard.1"),
        ("orc", "teleport wizard to OR_k from OR_n", "caster", "orc.wizard.1"),
        ("dwarf", "attack T1 from T2 with 5 through king", "gatekeeper", "dwarf.king"),
        ("dwarf", "attack T1 from T2 with 5 through dwarf king", "gatekeeper", "dwarf.king"),
        ("dwarf", "transfer to T1 from T2 with 5 through wizard 3", "gatekeeper", "dwarf.wizard.3"),
        ("orc", "take losses 1 unit, 1 wizard", "losses", {"unit": 1, "orc.wizard.1": 1}),
    ),
)
def test_what_a_seat_calls_its_own_is_meant(seat: str, line: str, field: str, name: Any) -> None:
    """`king`, `wizard` and `wizard 2` said by a seat, or after it, are its own chips, whatever the verb."""
    assert getattr(parse_command(RULES, line, seat), field) == name


def test_each_field_that_takes_a_name_is_marked() -> None:
    """No command has a plain text where a chip or spell user goes: only a mark makes its other names known."""
    plain = {
        (kind.__name__, field.name)
        for kind in RULES.commands
        for field in cast(inspect.StructType, inspect.type_info(kind)).fields
        if isinstance(unwrapped(field.type)[0], inspect.StrType) and "named" not in unwrapped(field.type)[1]
    }
    users = {"user", "by", "caster", "gatekeeper", "wizard", "chip", "bearer", "aim"}
    assert {one for one in plain if one[1] in users} == {("HideChip", "chip")}, "which says what kind of chip"


@pytest.mark.parametrize("wizard", ("wizard", "wizard 1", "orc wizard", "orc.wizard.1"))
@pytest.mark.parametrize("by", ("", " by wizard", " by elf wizard 1"))
def test_a_sheet_names_the_wizard_who_casts_or_flees(wizard: str, by: str) -> None:
    """A flight and a fireball are lawful however the wizard is called (QD-10.7, QD-15.2)."""
    report = adjudicate(parse_sheet(GOLDMERE.format(wizard=wizard, by=by)))
    assert [one.verdict for one in report.verdicts] == ["lawful"] * 5


def test_a_spell_user_whom_the_game_does_not_know_is_a_fault_of_the_sheet() -> None:
    """A slip of the pen in a name is told as one, with what may have been meant."""
    with pytest.raises(BadSheet, match=r"there is no user 'orc.wizzard.1'.*orc.wizard.1"):
        parse_sheet(GOLDMERE.format(wizard="orc.wizzard.1", by=""))


@pytest.mark.parametrize("kind", RULES.commands, ids=lambda kind: str(kind.__name__))
def test_what_the_usage_shows_can_be_typed(kind: type[Any]) -> None:
    """Each value may stand after the name that the usage gives it, with the colon of the usage or without."""
    sentence = next(one for one in grammar(RULES).commands.values() if one.kind is kind)
    meant = command(kind.__name__)
    values = [field for field in sentence.fields if not field.optional]
    for sign in (":", "", " :"):
        typed = [
            f"{field.word} {field.name}{sign} {field.form.write(getattr(meant, field.name), frozenset(), True)}"
            for field in values
        ]
        assert parse_command(RULES, f"{sentence.verb} {' '.join(typed)}", "orc") == meant
        assert all(f"<{field.name}: " in sentence.usage for field in values)


def test_the_usage_of_declare_says_that_chips_are_named() -> None:
    """The name of what is shown may be typed or left out, and so may a colon behind a word."""
    usage = grammar(RULES).commands["declare"].usage
    assert usage == "declare [<shows: chip, chip, ...>] [without <without: text, text, ...>]"
    for typed in (
        "declare shows: king without: hope",
        "declare shows king without hope",
        "declare king without hope",
    ):
        assert parse_command(RULES, typed, "orc") == Declare(("orc.king",), ("hope",))


def test_a_value_that_is_called_like_its_field_is_written_in_quotes() -> None:
    """So that it is read back as the value, whatever follows it."""
    for name in ("spell", "spell:"):
        written = write_command(RULES, Cast(name, "orc.wizard.1"))
        assert written == f'cast "{name}" by orc.wizard.1'
        assert parse_command(RULES, written) == Cast(name, "orc.wizard.1")
