"""The last move in the picture of the board: an arrow along each way that it took, or a ring where it happened."""

from core.games.dragonlords.armies import UnitsLost, UnitsMoved
from core.games.dragonlords.chips import ChipsPlaced
from core.games.dragonlords.income import GoldStored
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.sailing import Sail
from core.games.dragonlords.svg import draw
from events.play import Sealed
from tests.games.dragonlords.sea import fleet, sea
from tests.games.dragonlords.test_svg import afield, drawn, within


def test_the_last_move_is_marked_with_an_arrow() -> None:
    """An attack from OR_k on OR_n is marked from the one to the other."""
    table = afield().when("orc", Attack("OR_n", "OR_k", 6))
    root = drawn(table.now, told=[table.told])
    arrow = within(root, "data-last", "OR_k OR_n")
    assert any(part.get("marker-end") for part in arrow.iter())


def test_what_happened_in_one_place_is_marked_by_its_rim() -> None:
    """A battle that begins in OR_n is marked there."""
    table = afield().when("orc", Attack("OR_n", "OR_k", 6)).when("orc", Fight("OR_n"))
    within(drawn(table.now, told=[table.told]), "data-last", "OR_n")


def test_a_move_is_marked_until_the_next_that_happens_somewhere() -> None:
    """Entries that happen nowhere, such as the end of a phase, leave the mark where it was; later moves take it."""
    table = afield().when("orc", Attack("OR_n", "OR_k", 6))
    first = table.told
    assert "data-last" not in draw(table.now, told=[[]])
    within(drawn(table.now, told=[[], first]), "data-last", "OR_k OR_n")


def test_a_voyage_is_one_arrow_along_its_way() -> None:
    """The facts say from where to where, and by which zones: who sees the way needs no second arrow across it."""
    table = sea(*fleet("orc", "S1", 2, 7)).when("orc", Sail(("W3", "W2"), "S1", 7))
    marked = [part.get("data-last") for part in drawn(table.now, told=[table.told]).iter()]
    assert [each for each in marked if each] == ["S1 W3 W2"]


def test_gold_is_marked_where_nothing_else_happened() -> None:
    """Gold that is stored is the last move; that which a purchase cost is not, where the goods are seen to come."""
    stored, lost = GoldStored("orc", "OR_k", 5), UnitsLost("orc", "OR_n", 1)
    within(drawn(afield().now, told=[[stored]]), "data-last", "OR_k")
    marked = [part.get("data-last") for part in drawn(afield().now, told=[[lost, stored]]).iter()]
    assert [each for each in marked if each] == ["OR_n"]


def test_where_a_chip_was_hidden_is_marked_for_who_knows() -> None:
    """What was told to its owner alone marks his picture; others, to whom it is sealed, see the mark of before (QD-3.5)."""
    board = afield().now
    before, hidden = UnitsMoved("elf", "OR_n", "G1", 1), ChipsPlaced("orc", {"orc.king": "OR_k"})
    within(drawn(board, told=[[hidden], [before]]), "data-last", "OR_k")
    within(drawn(board, told=[[Sealed("0" * 64, ("orc",))], [before]]), "data-last", "OR_n G1")


def test_a_position_is_no_move() -> None:
    """What a position sets up is not marked as if it had just happened."""
    table = afield()
    assert "data-last" not in draw(table.now, told=[table.log[0].entry.facts])
