"""What the recordings of this game show, told by replaying them: each command, fact, step, stage, section and ending.

A recording is a log in `fixtures/dragonlords`, or a scoresheet there, which is judged first. What there is to show is
read from the code.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest import mock

from msgspec import Struct, json

from core.contract import Step
from core.deciding import Decision, decide, opening
from core.folding import fold
from core.games.dragonlords import RULES, encounter, losses, scroll_effects
from core.games.dragonlords.battle import STAGES, Round
from core.games.dragonlords.chips import ChipShown
from core.games.dragonlords.deeds import Deed
from core.games.dragonlords.monsters import MONSTERS
from core.games.dragonlords.phases import PhaseBegan
from core.games.dragonlords.quest_cards import FateRead
from core.games.dragonlords.quest_deck import CARDS, OPS
from core.games.dragonlords.scroll_book import KINDS, ScrollRead
from core.games.dragonlords.spell_users import Declared
from core.games.dragonlords.state import PHASES, War
from core.games.dragonlords.treasures import TREASURES
from core.telling import Moment
from events.entry import Entry
from events.jsonl import read_log, write_log
from events.play import BattleBegan, GameEnded, Overlooked
from replay.sheets.adjudicate import judge
from replay.sheets.scoresheet import load_sheet
from tests.driver import Table

__all__ = [
    "FOLDER",
    "LOGS",
    "SHEETS",
    "due",
    "entries_of",
    "keep",
    "last_state",
    "moments_of",
    "shown",
    "shown_by",
]

FOLDER: Final = Path(__file__).parents[3] / "fixtures" / "dragonlords"
"""Where the recordings lie; those in `older` are of facts in shapes that were, and show nothing here."""
LOGS: Final = tuple(sorted(path for path in FOLDER.rglob("*.jsonl") if path.parent.name != "older"))
SHEETS: Final = tuple(sorted(FOLDER.rglob("*.score")))
AT: Final = "2026-01-01T00:00:00Z"
ENDED: Final = ("kings", "kingdoms", "no_king_left", "called_off")
"""How a game can end: by its own rules (QD-22.2), or by the arbiter (LS-5.4)."""
ASKING: Final[Mapping[Any, tuple[str, ...]]] = {
    encounter.Encounter: (
        "declare",
        "drink",
        "strike",
        "drink_late",
        "orb",
        "charm",
        "cast",
        "answer",
        "cure",
    ),
    scroll_effects.Unleashed: ("answer", "strike"),
}
"""The stages at which steps that go through stages ask; at the others they only play."""
PLAYING: Final[Mapping[Any, tuple[str, ...]]] = {
    encounter.Encounter: ("spare", "toll", "end", "over"),
    scroll_effects.Unleashed: ("aftermath",),
}
ASKING_OPS: Final = ("CharmDragon", "Choice", "Crystal", "PayGold", "PerUnitRoll", "RollOnTable")
"""The steps of quest cards that ask for an answer or for dice."""


# what the recordings show


def entries_of(path: Path) -> list[Entry[Any, Any]]:
    """Return the entries of a recording, with all that is sealed in them opened."""
    if path.suffix == ".score":
        return list(judge(load_sheet(path)).entries(AT))
    log, codec = read_log(path), RULES.codec
    beside: dict[int, list[Any]] = {}
    for one in log.openings:
        beside.setdefault(one.entry, []).append(one)
    lines = enumerate(log.lines, start=1)
    return [codec.reveal(codec.decode(line), beside.get(number, [])) for number, line in lines]


def moments_of(entries: Iterable[Entry[Any, Any]]) -> list[Moment[War]]:
    """Return the moments after 0, 1, 2 ... entries, by folding what they tell."""
    moments: list[Moment[War]] = [opening(RULES)]
    for entry in entries:
        moments.append(fold(Moment(RULES, moments[entry.parent].state, moments[-1].table, entry.id), entry))
    return moments


@cache
def shown() -> frozenset[str]:
    """Return all that the recordings show together."""
    return frozenset().union(*(shown_by(tuple(entries_of(path))) for path in (*LOGS, *SHEETS)))


def shown_by(entries: tuple[Entry[Any, Any], ...]) -> frozenset[str]:
    """Return what one recording shows; each entry is decided again, so that the steps it plays are seen."""
    found: set[str] = set()
    moments = moments_of(entries)
    with _watched(found):
        for entry in entries:
            before = Moment(RULES, moments[entry.parent].state, moments[entry.id - 1].table, entry.id)
            overlook = any(isinstance(fact, Overlooked) for fact in entry.facts)
            again = decide(before, entry.seat, entry.command, overlook=overlook)
            assert isinstance(again, Decision), f"entry {entry.id} is refused now: {again}"
            found |= _told(entry) | _asked(again.after)
    return frozenset(found)


def _told(entry: Entry[Any, Any]) -> set[str]:
    """Return what an entry shows by its command and its facts."""
    found = {f"command {type(entry.command).__name__}"}
    for fact in entry.facts:
        found.add(f"fact {type(fact).__name__}")
        found |= {f"section {ref}" for ref in fact.because}
        match fact:
            case GameEnded(how=how):
                found.add(f"ended {how}")
            case PhaseBegan(phase=phase):
                found.add(f"phase {phase}")
            case BattleBegan(kind="monster", attacker=monster):
                found.add(f"monster {monster}")
            case BattleBegan(kind=kind):
                found.add(f"battle {kind}")
            case FateRead(card=card, fate=fate):
                found.add(f"column {card} {fate}")
            case ScrollRead(scroll=scroll):
                found.add(f"scroll {scroll}")
            case Declared(magic=magic):
                found |= {f"treasure {name}" for name in magic if name in TREASURES}
            case ChipShown(chip=chip) if chip in TREASURES:
                found.add(f"treasure {chip}")
    return found


def _asked(now: Moment[War]) -> set[str]:
    """Return at which stages of which steps somebody is asked now, and by which sections."""
    found = set()
    for opened, question in now.questions():
        found.add(f"waits {_stage(opened.step, now.state)}")
        found.add(f"asks {type(opened.step).__name__} {question.kind}")
        found |= {f"section {ref}" for ref in question.because}
    return found


def _stage(step: Any, war: War) -> str:
    """Return a step and its stage in words: the kind of battle too for a round, what a quest card says for a deed."""
    name = type(step).__name__
    if isinstance(step, Round):
        return f"{name} {war.battle.kind if war.battle is not None else 'none'} {step.at}"
    if isinstance(step, Deed):
        return f"{name} {type(step.op).__name__}"
    if isinstance(step, losses.Losses):
        return f"{name} {step.cause}"
    return f"{name} {step.at}" if isinstance(getattr(step, "at", None), str) else name


@contextmanager
def _watched(found: set[str]) -> Iterator[None]:
    """Note which steps are played, and at which stage, while entries are decided."""

    def noting(own: Any) -> Any:
        def play(step: Any, tale: Any) -> None:
            found.add(f"plays {_stage(step, tale.state)}")
            own(step, tale)

        return play

    with ExitStack() as patched:
        for kind in RULES.steps:
            if "play" in vars(kind) or kind.play is not Step.play:
                patched.enter_context(mock.patch.object(kind, "play", noting(kind.play)))
        yield


# how recordings are kept


def last_state(now: Moment[War]) -> bytes:
    """Return a state as it is kept beside a log: JSON that people can read and compare, with every field in it."""
    return json.format(json.encode(_plain(now.state), order="sorted"), indent=1) + b"\n"


def _plain(value: Any) -> Any:
    """Return a part of a state as JSON has it; steps are told by their names."""
    if isinstance(value, Struct):
        name = {"Step": type(value).__name__} if isinstance(value, Step) else {}
        return name | {field: _plain(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def keep(path: Path, table: Table) -> None:
    """Write the log of a game to `path`, and its last state beside it."""
    table.leave()
    openings = [opening for told in table.log for opening in told.openings]
    write_log(path, [told.line for told in table.log], openings, overwrite=True)
    path.with_suffix(".state.json").write_bytes(last_state(table.now))
    print(path.stem, len(table.log), file=sys.stderr)


# what there is to show


def due() -> frozenset[str]:
    """Return all that recordings could show, as the code has it."""
    names = {f"command {_named(kind)}" for kind in RULES.all_commands}
    names |= {f"fact {_named(kind)}" for kind in RULES.all_facts}
    names |= {f"section {section.id}" for section in RULES.rulebook.section}
    names |= {f"ended {how}" for how in ENDED} | {f"phase {phase}" for phase in PHASES}
    names |= {f"battle {kind}" for kind in STAGES} | {f"monster {name}" for name in MONSTERS}
    names |= {f"column {card.id} {fate}" for card in CARDS.values() for fate in card.outcomes}
    names |= {f"scroll {scroll}" for scroll in KINDS} | {f"treasure {name}" for name in TREASURES}
    for kind in RULES.steps:
        names |= {f"asks {kind.__name__} {asked}" for asked in kinds_of(kind)}
        names |= set(_stages_of(kind))
    return frozenset(names)


def _named(kind: Any) -> str:
    return str(getattr(kind, "__origin__", kind).__name__)


def _stages_of(kind: type[Any]) -> Iterator[str]:
    """Yield each stage at which a step waits for somebody or goes on by itself."""
    name = kind.__name__
    if kind is Round:
        for battle, stages in STAGES.items():
            yield from (f"{'plays' if at == 'losses' else 'waits'} {name} {battle} {at}" for at in stages)
    elif kind is Deed:
        for op in {type(op).__name__ for op in OPS.values()}:
            yield f"{'waits' if op in ASKING_OPS else 'plays'} {name} {op}"
    elif kind is losses.Losses:
        yield from (f"{how} {name} {cause}" for cause in losses.SECTIONS for how in ("waits", "plays"))
    elif kind in ASKING:
        yield from (f"waits {name} {at}" for at in ASKING[kind])
        yield from (f"plays {name} {at}" for at in PLAYING[kind])
    else:
        if kinds_of(kind):
            yield f"waits {name}"
        if kind.play is not Step.play:
            yield f"plays {name}"


def kinds_of(step: type[Any]) -> frozenset[str]:
    """Return the kinds of question that a step can ask, read from its source and from the functions that it asks by."""
    found: set[str] = set()
    for kind in step.__mro__:
        if not kind.__module__.startswith(RULES.package):
            break
        found.update(_kinds_in(inspect.getsource(kind), vars(sys.modules[kind.__module__])))
        if {"question", "asked"} & vars(kind).keys():
            break  # what it inherits besides, it does not ask
    return frozenset(found)


def _kinds_in(source: str, names: dict[str, Any], deep: bool = True) -> Iterator[str]:
    for node in ast.walk(ast.parse(textwrap.dedent(source))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        first = node.args[0] if node.args else None
        if called in ("Question", "asks", "_asks") and isinstance(first, ast.Constant):
            yield str(first.value)
        elif deep and called.startswith("asks_to_") and called in names:
            yield from _kinds_in(inspect.getsource(names[called]), names, deep=False)
