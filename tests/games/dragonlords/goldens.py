"""Games on record that are written by hand; run as a module, it writes their logs and last states anew.

    python -m tests.games.dragonlords.goldens

Most are scoresheets in `fixtures/dragonlords/endings` and `fixtures/dragonlords/stages`, each with a title and remarks: the
log and the last state beside them are made from it. What no sheet can say, and what would be tedious to write, is here.
"""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from core.games.dragonlords import RULES
from core.games.dragonlords.land_combat import Attack, Fight
from core.games.dragonlords.phases import EndPhase
from core.games.dragonlords.position import ChipSet, GoldSet, ItemsSet, SpellsSet, TurnSet, UnitsSet
from core.games.dragonlords.quest_deck import CARDS
from core.games.dragonlords.travelling import Travel
from core.games.dragonlords.wastelands import MoveParty
from core.kit.chance import AnswerRoll, Deal
from core.kit.consenting import AgreeToTakeBack, ProposeTakeBack, RefuseTakeBack
from core.kit.disputing import RaiseDispute
from core.kit.table import CallOff, Correct, MoveHead, OpenGame, RevealSeed, Rule
from core.seats import ARBITER, CHANCE
from core.telling import Moment
from events.table import Answered, Forfeited, Penalised, Upheld, WentBack
from replay.dice import numbers, picked
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import load_sheet
from tests.driver import Table
from tests.games.dragonlords.land import stands
from tests.games.dragonlords.recorded import FOLDER, keep

__all__ = ["MADE", "SHEETS", "made_from"]

SHEETS: Final = tuple(
    sorted(path for name in ("endings", "stages") for path in (FOLDER / name).glob("*.score"))
)
"""The sheets that have a log beside them."""
FACES: Final = {"blessed": "yellow", "ignored": "blue", "cursed": "red"}


def made_from(sheet: Path) -> Table:
    """Return the game that a sheet says, with the silences that fill it; what it says must be lawful and right."""
    judged = judge(load_sheet(sheet))
    wrong = [
        f"line {one.line}: {one.text}: {one.message}"
        for one in judged.report.verdicts
        if one.verdict != "lawful"
    ]
    assert not wrong, f"{sheet.name}: {wrong}"
    table = Table(RULES)
    for told in judged.told:
        table.must(told.seat, told.command)
    return table


def opened(title: str, *position: Any, seats: tuple[str, ...], **more: Any) -> Table:
    """Return a table at which a game of this title was opened from a position."""
    table = Table(RULES)
    command: OpenGame[Any] = OpenGame("golden", RULES.name, seats, position=position, title=title, **more)
    table.must(ARBITER, command)
    return table


WAR: Final = (
    *stands("orc", OR_k=4, OR_n=5), *stands("elf", G1=2, FM_k=3), ChipSet("orc", "orc.king", "OR_k"),
    ChipSet("elf", "elf.king", "FM_k"), TurnSet("orc", "combat"),
)  # fmt: skip


def drawn() -> Table:
    """Time is up and nobody is ahead: the arbiter calls the game off, which is a draw (LS-5.4)."""
    table = opened("Called off as a draw", *WAR, seats=("orc", "elf"))
    table.must("orc", EndPhase())
    table.must(ARBITER, CallOff("the hall closes at eleven"))
    return table


def awarded() -> Table:
    """Amid a battle the arbiter calls the game off, and names who won by the rules of the tournament (LS-5.4)."""
    table = opened("Called off amid a battle, with a winner", *WAR, seats=("orc", "elf"))
    table.must("orc", Attack("G1", "OR_n", 4))
    table.must("orc", Fight("G1"))
    table.must(CHANCE, AnswerRoll((1, 2, 6, 6)))
    table.must(ARBITER, CallOff("the round is over; the Orcs hold more", ("orc",)))
    return table


def contested() -> Table:
    """Everything a table may do besides playing: overlook, take back, dispute, be ruled upon, reveal the seed (LS-3 to LS-6)."""
    seed = "seventeen crows"
    commitment = sha256(seed.encode()).hexdigest()
    table = opened(
        "An evening with its arbiter", *WAR, seats=("orc", "elf"), dice="sealed", commitment=commitment
    )
    table.must("orc", Attack("G1", "OR_n", 1))
    table.must("orc", MoveHead(1, reason="all of them, not one"))
    table.when("orc", Attack("G1", "OR_n", 5), overlook=True)
    assert not table.reasons
    table.must("elf", RaiseDispute(4, "nobody stayed in OR_n"))
    table.must(ARBITER, Rule(WentBack(1), "one stays behind", 5, ("QD-10.2",), ("entry 4: act of orc",)))
    table.must("orc", Attack("G1", "OR_n", 4))
    table.must("orc", Fight("G1"))
    table.must("elf", RaiseDispute(8, "the bridge is broken"))
    table.must(ARBITER, Rule(Upheld(), "it is a pass", dispute=9))
    table.must(ARBITER, Rule(Answered("QD-X61", "extra"), "so this table always played"))
    table.must(ARBITER, Rule(Penalised("elf", "touched a die"), "seen by two"))
    for _ in range(2):
        table.must(CHANCE, picked(table.now, numbers(seed, table.now.table.id, table.now.entry)))
    table.must(ARBITER, Correct("a unit lay under the table", (UnitsSet("elf", "FM_s", 1),)))
    table.must(ARBITER, Rule(Forfeited("elf"), "left without a word"))
    table.must(ARBITER, RevealSeed(seed))
    return table


def consented() -> Table:
    """A player asks to take back what dice have answered: it is refused, then the other asks and is agreed to (LS-3.3)."""
    table = opened("A take-back that is refused, and one that is agreed to", *WAR, seats=("orc", "elf"))
    table.must("orc", Attack("G1", "OR_n", 4))
    table.must("orc", Fight("G1"))
    table.must(CHANCE, AnswerRoll((6, 6, 6, 6)))
    table.must("orc", ProposeTakeBack(2, "with one less", learned=("entry 4: roll",)))
    table.must("elf", RefuseTakeBack(5, "the dice lie"))
    table.must(CHANCE, AnswerRoll((1, 6)))
    table.must("elf", ProposeTakeBack(6, "that one was cocked", learned=("entry 7: roll",)))
    table.must("orc", AgreeToTakeBack(8, to=6))
    table.must(CHANCE, AnswerRoll((5, 6)))
    return table


def cards(fate: str) -> Table:
    """Twelve quest cards, two in each turn, every one read in this column (QD-6.10)."""
    party: dict[str, int] = {"torch": 1, "pickaxe": 1, "talisman": 1, "potion": 2}
    items = {**party, "dragonorb": 1} if fate == "blessed" else {"torch": 1, "pickaxe": 1, "potion": 1}
    table = opened(
        f"Every quest card, {fate}", *stands("orc", OR_k=4, WT02=6, WB02=6), *stands("elf", FM_k=4),
        ChipSet("orc", "orc.king", "OR_k"), ChipSet("elf", "elf.king", "FM_k"), TurnSet("orc", "quest"),
        ChipSet("orc", "orc.wizard.1", "WT02"), SpellsSet("orc.wizard.1", ("heal", "lightning")),
        ItemsSet("orc", items, "WT02"), ItemsSet("orc", items, "WB02"), GoldSet("OR_k", 4),
        seats=("orc", "elf"),
    )  # fmt: skip
    left, at = list(CARDS), {"WT": "02", "WB": "02"}
    while left:
        road = next((road for road in at if f"party:{road}" not in table.state.ready), "")
        if (table.state.active, table.state.phase) != ("orc", "quest") or not road:
            _silently(table)
            continue
        there = {"02": "03", "03": "02"}[at[road]]
        table.must("orc", MoveParty(road + at[road]))
        table.must(CHANCE, AnswerRoll((1,)))
        if table.now.question is not None and table.now.question.kind == "travel":
            table.must("orc", Travel(road + there))
        at[road] = there
        table.must(CHANCE, Deal(left.pop(0)))
        table.must(CHANCE, AnswerRoll((FACES[fate],)))
        while table.now.question is not None and table.now.question.kind not in ("quest", "combat"):
            _silently(table)
    return table


def _silently(table: Table) -> None:
    """Let silence answer for whoever is asked, and kind dice for chance."""
    question = table.now.question
    assert question is not None
    if question.roll is not None:
        table.must(CHANCE, AnswerRoll(tuple(_kind_faces(table.now))))
    elif question.draw is not None:
        table.must(CHANCE, Deal(table.state.agenda[-1].step.pool(table.now)[0]))
    else:
        silence = table.ask(question.seats[0]).silence
        table.must(question.seats[0], silence)


def _kind_faces(now: Moment[Any]) -> Iterator[Any]:
    """Yield dice that spare the party: it hits, monsters miss where they can, and a spell is a new one."""
    question = now.question
    assert question is not None
    assert question.roll is not None
    known = {"heal": 1, "fireball": 2, "teleport": 3, "hope": 4, "lightning": 5, "panic": 6}
    for _ in range(question.roll.count):
        match question.roll.purpose:
            case "spell":
                wizard = now.state.agenda[-1].step.wizard
                yield next(n for name, n in known.items() if name not in now.state.spells[wizard])
            case "crystal on a card":
                yield "blue"
            case "charm":
                yield "yellow"
            case "monster" | "each unit" | "riddle":
                yield 6
            case _:
                yield 1


MADE: Final[Mapping[str, Callable[[], Table]]] = {
    "endings/drawn": drawn,
    "endings/awarded": awarded,
    "stages/contested": contested,
    "stages/consented": consented,
    "stages/cards_blessed": lambda: cards("blessed"),
    "stages/cards_ignored": lambda: cards("ignored"),
    "stages/cards_cursed": lambda: cards("cursed"),
}
"""The games that are made here, by where their logs lie."""


def record() -> None:
    """Write every log that is made from a sheet, or here."""
    for sheet in SHEETS:
        keep(sheet.with_suffix(".jsonl"), made_from(sheet))
    for name, make in MADE.items():
        keep(FOLDER / f"{name}.jsonl", make())


if __name__ == "__main__":
    record()
