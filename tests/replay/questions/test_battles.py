"""Battles as the log tells them: who fought whom, round by round, on every line that the game took."""

from pathlib import Path

from tests.replay.questions.logbook import Ask, Logbook

BATTLES = (
    "SELECT n, place, attacker, defender, began, ended, winner, taken, rounds, attacker_losses, defender_losses, live "
    "FROM battles ORDER BY n, live DESC"
)


def test_a_battle_is_told_with_its_losses(ask: Ask, folder: Path) -> None:
    """Losses are the facts that a scoresheet claims by `loses`, of either side, between beginning and end."""
    log = (
        Logbook().lost("red", 9).began("hill", "red", "blue").roll("red", 1, 5).lost("blue", 2).lost("red", 1)
    )
    path = log.fought("hill", "red", taken=True, rounds=1).lost("blue", 4).put(folder)
    assert ask(BATTLES, path) == [(1, "hill", "red", "blue", 3, 7, "red", True, 1, 1, 2, True)]


def test_a_round_is_dice_and_the_losses_they_bring(ask: Ask, folder: Path) -> None:
    """Both sides roll, both lose: one round; the next dice after a loss open the next. Before any dice there is none."""
    log = Logbook().began("hill", "red", "blue").add("red", {"Fact": "Shouted"})
    log.roll("red", 1).roll("blue", 2).lost("blue", 1).lost("red", 1).roll("red", 5).roll("blue", 6).roll(
        "red", 1
    ).lost("blue", 1)
    path = log.fought("hill", "red", rounds=2).roll("red", 6).put(folder)
    assert ask("SELECT entry, battle, round FROM rolls ORDER BY entry", path) == [
        (4, 1, 1), (5, 1, 1), (8, 1, 2), (9, 1, 2), (10, 1, 2), (13, None, None),
    ]  # fmt: skip
    assert ask("SELECT entry, fact, round FROM facts WHERE battle = 1 AND fact <> 'Rolled' ORDER BY entry", path) == [
        (2, "BattleBegan", None), (3, "Shouted", None), (6, "PebblesLost", 1), (7, "PebblesLost", 1),
        (11, "PebblesLost", 2), (12, "BattleEnded", 2),
    ]  # fmt: skip


def test_a_game_that_tells_its_rounds_counts_them_itself(ask: Ask, folder: Path) -> None:
    """DragonLords tells `RoundBegan`: dice after a loss stay in their round until it says so."""
    log = Logbook(game="dragonlords", seats=("orc", "elf")).began("OR_n", "orc", "elf").roll("orc", 1)
    log.add("elf", {"Fact": "UnitsLost", "seat": "elf", "place": "OR_n", "count": 2}).roll("elf", 2)
    log.add("orc", {"Fact": "RoundBegan", "round": 2}).roll("orc", 3)
    path = log.fought("OR_n", "orc", rounds=2).put(folder)
    assert ask("SELECT entry, round FROM rolls ORDER BY entry", path) == [(3, 1), (5, 1), (7, 2)]
    assert ask("SELECT defender_losses FROM battles", path) == [(2,)]


def test_two_battles_at_once_are_kept_apart_by_their_places(ask: Ask, folder: Path) -> None:
    """A fact that names a place belongs to the battle there; any other, and the dice, to the one that began last."""
    log = Logbook("g", ("red", "blue", "green")).began("hill", "red", "blue").began("ford", "green", "blue")
    log.roll("green", 1)
    log.add("blue", {"Fact": "PebblesLost", "seat": "blue", "count": 1})
    log.add("blue", {"Fact": "PebblesLost", "seat": "blue", "count": 5, "place": "hill"})
    path = log.fought("ford", "green", taken=True).roll("red", 1).fought("hill", "blue").put(folder)
    assert ask(BATTLES, path) == [
        (1, "hill", "red", "blue", 2, 9, "blue", False, 1, 0, 5, True),
        (2, "ford", "green", "blue", 3, 7, "green", True, 1, 0, 1, True),
    ]
    assert ask("SELECT entry, battle FROM rolls ORDER BY entry", path) == [(4, 2), (8, 1)]


def test_a_battle_that_was_taken_back_in_its_middle_is_told_for_each_line(ask: Ask, folder: Path) -> None:
    """Fought to its end, then taken back to its first round and fought again: two rows, one of them live."""
    log = (
        Logbook()
        .began("hill", "red", "blue")
        .roll("red", 1)
        .lost("blue", 1)
        .fought("hill", "red", taken=True)
    )
    log.add("red", {"Fact": "HeadMoved", "by": "red"}, do="MoveHead", parent=3)
    path = log.lost("red", 2).fought("hill", "blue").put(folder)
    assert ask(BATTLES, path) == [
        (1, "hill", "red", "blue", 2, 8, "blue", False, 1, 2, 0, True),
        (1, "hill", "red", "blue", 2, 5, "red", True, 1, 0, 1, False),
    ]


def test_a_battle_that_is_being_fought_has_its_losses_so_far(ask: Ask, folder: Path) -> None:
    """Also when an end of it was taken back; a battle left with its beginning is a row that is not live."""
    log = Logbook().began("hill", "red", "blue").lost("blue", 1).fought("hill", "red")
    log.add("red", {"Fact": "HeadMoved", "by": "red"}, parent=3).began("ford", "blue", "red").lost("red", 2)
    path = log.add("red", {"Fact": "HeadMoved", "by": "red"}, parent=5).put(folder)
    assert ask(BATTLES, path) == [
        (1, "hill", "red", "blue", 2, None, None, None, None, 0, 1, True),
        (1, "hill", "red", "blue", 2, 4, "red", False, 1, 0, 1, False),
        (2, "ford", "blue", "red", 6, None, None, None, None, None, None, False),
    ]


def test_a_battle_whose_beginning_the_log_does_not_hold_is_told_all_the_same(ask: Ask, folder: Path) -> None:
    """A what-if may begin in the middle of one: its sides are not known, its end is."""
    path = Logbook().lost("red", 1).fought("hill", "blue", taken=True, rounds=3).put(folder)
    assert ask(BATTLES, path) == [(1, "hill", None, None, None, 3, "blue", True, 3, None, None, True)]
