"""Party against party (QD-9.1): as on land, but at once, without retreat, and the winner goes no further."""

from collections.abc import Sequence

from core.deciding import Decision, decide
from core.games.dragonlords.armies import PlaceTaken, UnitsLost
from core.games.dragonlords.battle import BattleBegan, BattleEnded
from core.games.dragonlords.chips import TreasureTaken
from core.games.dragonlords.elixir import Drink, HitsSpared
from core.games.dragonlords.ending import king_beaten
from core.games.dragonlords.flight import Flee
from core.games.dragonlords.phases import Pass
from core.games.dragonlords.position import (
    ChipSet,
    ColumnSet,
    ItemsSet,
    SpellsSet,
    UnitsSet,
)
from core.games.dragonlords.spells import Cast
from core.games.dragonlords.state import Army
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import AnswerRoll
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Roll
from tests.driver import Table
from tests.games.dragonlords.expeditions import (
    at_quest,
    dice,
    items_of,
    party,
    told,
    wizard,
)


def due(table: Table) -> Roll:
    """Return the dice that are asked for."""
    question = table.now.question
    assert question is not None
    assert question.roll is not None, f"{question.kind} is asked"
    return question.roll


# party against party


def meets(mine: Sequence[object], theirs: Sequence[object], *more: object, **answers: str) -> Table:
    """Return a table at which Orcs attack a party of Elves in WT03."""
    return at_quest(*mine, *theirs, *more, **answers)


ATTACK = [ColumnSet("orc", "WT03", "WT01", 3, how="party")]


def test_parties_fight_as_on_land_but_at_once_and_to_the_end() -> None:
    """As land combat, in the quest phase, no retreat, until one type remains (QD-9.1, QD-17.1)."""
    table = meets(ATTACK, party("elf", "WT03", 2))
    assert told(table, BattleBegan) == [
        BattleBegan("WT03", "orc", "elf", "quest", because=("QD-6.4", "QD-9.1"))
    ]
    assert (due(table).die, due(table).count) == ("d6", 3), "all units of the players have defence 6 (QD-9.5)"
    dice(table, 1, 6, 6, 1, 6)
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("elf", 1), ("orc", 1)]
    assert due(table).owner == "orc", "nobody was asked to retreat"
    dice(table, 1, 6, 6)
    assert told(table, PlaceTaken)[0].seat == "orc"
    assert table.state.armies["WT03"] == Army("orc", 2)


def test_the_winner_does_not_use_the_space() -> None:
    """The winner's quest ends there and he does not use the space (QD-9.1): no card is drawn."""
    table = at_quest(party("orc", "WT02", 3), party("elf", "WT03", 1))
    table.when("orc", MoveParty("WT02"))
    dice(table, 1)
    table.when("orc", Travel("WT03"))
    dice(table, 1, 6, 6, 6)
    assert told(table, BattleEnded)[0].winner == "orc"
    table.asks(orc="combat")


def test_the_winner_takes_treasures_and_items() -> None:
    """To the winner if a party beat it (QD-8.1, QD-X70); treasures too (QD-7.1)."""
    theirs = [*party("elf", "WT03", 1, torch=1, potion=1), ChipSet("elf", "excalibur", "WT03", True)]
    table = dice(meets(ATTACK, theirs, ItemsSet("orc", {"torch": 1}, "WT03")), 1, 6, 6, 6)
    assert items_of(table, "orc@WT03") == {"torch": 2, "potion": 1}
    assert told(table, TreasureTaken)[0].chip == "excalibur"
    assert table.state.chips["excalibur"].seat == "orc"


def test_a_defender_who_wins_takes_the_items_of_the_attacker() -> None:
    """To the winner if a party beat it (QD-8.1, QD-X70)."""
    attack = [ColumnSet("orc", "WT03", "WT01", 1, how="party"), ItemsSet("orc", {"torch": 1}, "WT03")]
    table = dice(meets(attack, party("elf", "WT03", 2)), 6, 1, 6)
    assert told(table, BattleEnded)[0].winner == "elf"
    assert items_of(table, "elf@WT03") == {"torch": 1}
    assert "orc@WT03" not in table.state.items


def test_items_of_a_beaten_party_are_gone_where_the_table_plays_it_so() -> None:
    """The alternative of QD-X70: the items of a lost party are always gone (QD-8.1)."""
    table = dice(meets(ATTACK, party("elf", "WT03", 1, torch=1), X70="destroyed"), 1, 6, 6, 6)
    assert table.state.items == {}


def test_parties_that_destroy_each_other_leave_the_space_empty() -> None:
    """Both wiped out: the place is empty (QD-H13), and the items of both are gone (QD-8.1)."""
    attack = [ColumnSet("orc", "WT03", "WT01", 1, how="party"), ItemsSet("orc", {"torch": 1}, "WT03")]
    table = dice(meets(attack, party("elf", "WT03", 1, torch=1)), 1, 1)
    assert "WT03" not in table.state.armies
    assert table.state.items == {}
    assert told(table, BattleEnded)[0].winner == ""


def test_a_wizard_of_the_attacked_party_may_flee() -> None:
    """As land combat (QD-9.1): a defending Teleport wizard may leave in place of his die (QD-10.7, QD-X83)."""
    table = meets(
        ATTACK, [*party("elf", "WT03", 3), *wizard("elf", "WT03", "teleport")], UnitsSet("elf", "FM_k", 1)
    )
    dice(table, 6, 6, 6)
    table.asks(elf="flight")
    table.when("elf", Flee("elf.wizard.1", "FM_k"))
    assert table.state.armies["FM_k"] == Army("elf", 2)


def test_the_last_wizard_who_flees_leaves_the_items_to_the_winner() -> None:
    """He goes with what he bears (QD-10.7); silver chips stay with the party, and that is beaten (QD-8.1)."""
    theirs = [*party("elf", "WT03", 1, torch=1), *wizard("elf", "WT03", "teleport")]
    table = meets(ATTACK, theirs, UnitsSet("elf", "FM_k", 1))
    dice(table, 6, 6, 6)
    table.when("elf", Flee("elf.wizard.1", "FM_k"))
    assert told(table, BattleEnded)[0].winner == "orc"
    assert items_of(table, "orc@WT03") == {"torch": 1}


def test_the_player_on_the_right_rolls_for_a_vanquished_party() -> None:
    """Vanquished units must be beaten to take their place, in the Wastelands too (QD-22.1, QD-9.1); they drink nothing (QD-H47)."""
    position = (
        party("orc", "WT02", 3), party("elf", "WT03", 1, elixir=1), UnitsSet("dwarf", "FM_k", 1),
        UnitsSet("elf", "FM_n", 1), ChipSet("elf", "elf.king", "FM_n", True), UnitsSet("dwarf", "FM_ne", 1),
    )  # fmt: skip
    table = at_quest(*position)
    tale = Tale.begin(table.now)
    king_beaten(tale, "elf", "orc")
    begun = Moment(table.rules, tale.state, table.now.table, table.now.entry)
    for seat, command in (
        ("orc", MoveParty("WT02")), (CHANCE, AnswerRoll((1,))), ("orc", Travel("WT03")), (CHANCE, AnswerRoll((6, 6, 6))),
    ):  # fmt: skip
        decided = decide(begun, seat, command)
        assert isinstance(decided, Decision), decided
        begun = decided.after
    question = begun.question
    assert question is not None
    assert question.roll is not None
    assert (question.roll.owner, question.roll.thrower) == ("elf", "dwarf")


def test_a_party_drinks_against_another_party_too() -> None:
    """The drinker takes all hits of the party for one round of a fight (QD-8.4), whoever strikes."""
    attack = [ColumnSet("orc", "WT03", "WT01", 3, how="party"), ItemsSet("orc", {"elixir": 1}, "WT03")]
    table = at_quest(*attack, party("elf", "WT03", 3, elixir=1))
    table.asks(orc="drink")
    table.when("orc", Pass()).asks(elf="drink")
    table.when("elf", Drink())
    dice(table, 1, 2, 6, 1, 6, 6)
    assert told(table, HitsSpared) == [HitsSpared("elf", "WT03", because=("QD-8.4", "QD-X84"))]
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("orc", 1)]
    table.asks(orc="drink")
    assert items_of(table, "elf@WT03") == {}


def test_a_party_drinks_after_the_dice_where_the_table_plays_it_so() -> None:
    """The alternative of QD-H15 holds against parties too: before losses are removed (QD-8.4)."""
    attack = [ColumnSet("orc", "WT03", "WT01", 3, how="party")]
    table = at_quest(
        *attack, party("elf", "WT03", 3, elixir=1), H15="after_the_roll", X84="only_drinker_lost"
    )
    dice(table, 1, 2, 6, 6, 6, 6)
    table.asks(elf="drink")
    table.when("elf", Drink())
    assert [(fact.seat, fact.count) for fact in told(table, UnitsLost)] == [("elf", 1)]


def test_a_drinker_takes_a_fireball_too() -> None:
    """All hits of the round (QD-8.4): the invincible drinker is not lost to a spell (QD-X84)."""
    attack = [ColumnSet("orc", "WT03", "WT01", 3, how="party")]
    caster = [
        ChipSet("orc", "orc.wizard.1", "WT03", True, way="party"),
        SpellsSet("orc.wizard.1", ("fireball",)),
    ]
    table = at_quest(*attack, *caster, party("elf", "WT03", 3, elixir=1))
    table.when("elf", Drink())
    table.when("orc", Cast("fireball"))
    assert told(table, HitsSpared) != []
    assert told(table, UnitsLost) == []
    assert due(table).count == 2
