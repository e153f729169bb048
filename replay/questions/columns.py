"""The tables that every question is put to: what each column holds. One place, for the reader, Parquet and the help."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["TABLES", "Column", "create"]


class Column(NamedTuple):
    """A column: its name, its DuckDB type, and what it holds."""

    name: str
    kind: str
    meaning: str


def _columns(*rows: tuple[str, str, str]) -> tuple[Column, ...]:
    return tuple(Column(*row) for row in rows)


_GAME = ("game", "VARCHAR", "the id of the game, `games.id`")
_ENTRY = ("entry", "BIGINT", "the entry, `entries.id`")
_LIVE = ("live", "BOOLEAN", "on the line that led to the log's head; false where it was taken back")
_BATTLE = ("battle", "BIGINT", "the battle it belongs to, `battles.n`; null outside battles")
_ROUND = ("round", "BIGINT", "the round of that battle, counted from 1; null before the first dice")

TABLES: Mapping[str, tuple[Column, ...]] = {
    "games": _columns(
        ("id", "VARCHAR", "the game's own id; a second, other game of that id gets `#2`"),
        ("game", "VARCHAR", "the rules it is played by, a folder of `core/games`"),
        ("revision", "BIGINT", "the revision of those rules that opened it"),
        ("title", "VARCHAR", "its title, if it has one"),
        ("seats", "VARCHAR[]", "the seats in their order"),
        ("dice", "VARCHAR", "where dice come from by agreement: typed, live, sealed, scripted"),
        ("opened_at", "TIMESTAMP", "when it was opened, UTC"),
        ("last_at", "TIMESTAMP", "when its last entry was made, UTC"),
        ("entries", "BIGINT", "how many entries it has, those taken back included"),
        ("taken_back", "BIGINT", "how many of them are not on the live line"),
        ("ended", "BOOLEAN", "whether it is over"),
        ("how", "VARCHAR", "how it ended, in the game's word; null while it goes on"),
        ("winners", "VARCHAR[]", "who won; empty for a draw, null while it goes on"),
        ("answers", "VARCHAR", "the answer to each point at the opening, as a JSON object"),
        ("options", "VARCHAR", "the options it was opened with, as a JSON object"),
        ("branch_of", "VARCHAR", "the game that a what-if left; null for a game proper"),
        (
            "branch_entry",
            "BIGINT",
            "the entry it goes on from; what it copied up to there is that game's, and no row here",
        ),
        ("found", "VARCHAR", "the file or store it was read from"),
    ),
    "seats": _columns(
        _GAME,
        ("seat", "VARCHAR", "the seat"),
        ("n", "BIGINT", "its place in the order of seats, counted from 1"),
        ("person", "VARCHAR", "who sat there; null when nobody said"),
        ("won", "BOOLEAN", "whether it won; null while the game goes on"),
        ("out", "BOOLEAN", "whether it was put out of the game; null where the game's facts do not tell"),
        ("forfeited", "BOOLEAN", "whether a ruling took the game from it"),
        ("penalties", "BIGINT", "how many rulings penalised it"),
    ),
    "entries": _columns(
        _GAME,
        ("id", "BIGINT", "1, 2, 3 ... in each game"),
        ("parent", "BIGINT", "the entry it goes on from; 0 before the first"),
        ("made_at", "TIMESTAMP", "when it was made, UTC"),
        ("seat", "VARCHAR", "who acted: a player's seat, `chance` or `arbiter`"),
        ("actor", "VARCHAR", "the person; null when nobody said"),
        ("source", "VARCHAR", "where dice came from: typed, live, sealed, scripted; null without dice"),
        ("command", "VARCHAR", "the command's tag; `Sealed` when the reader may not see it"),
        ("body", "VARCHAR", "the whole command as JSON"),
        ("sealed", "BOOLEAN", "whether the command is sealed in the log, opened here or not"),
        _LIVE,
    ),
    "facts": _columns(
        _GAME,
        _ENTRY,
        ("n", "BIGINT", "its place in the entry, counted from 1"),
        ("fact", "VARCHAR", "its tag; `Sealed` when the reader may not see it"),
        ("seat", "VARCHAR", "whom it concerns, where it says `seat`"),
        ("place", "VARCHAR", "where, where it says `place`"),
        ("count", "BIGINT", "how many, where it says `count`"),
        ("claim", "VARCHAR", "the word a scoresheet claims such facts by, `loses`; null where there is none"),
        ("because", "VARCHAR[]", "the sections that made it so"),
        ("body", "VARCHAR", "the whole fact as JSON"),
        ("sealed", "BOOLEAN", "whether it is sealed in the log, opened here or not"),
        _BATTLE,
        _ROUND,
        _LIVE,
    ),
    "rolls": _columns(
        _GAME,
        _ENTRY,
        ("n", "BIGINT", "the fact of the roll in its entry, `facts.n`"),
        ("d", "BIGINT", "the die in the roll, counted from 1; one row a die"),
        ("die", "VARCHAR", "the kind of die, `d6`"),
        ("face", "VARCHAR", "what it showed, as printed"),
        ("pips", "BIGINT", "the same as a number; null for faces that are words"),
        ("owner", "VARCHAR", "for whom it was rolled"),
        ("roller", "VARCHAR", "who threw it: the owner unless another was named"),
        ("purpose", "VARCHAR", "what it was rolled for"),
        ("counts", "VARCHAR", "how such dice count: Hits, Best, Sum, Pairs, Names"),
        ("success", "BOOLEAN", "whether it was a success; null where single dice do not count as such"),
        ("chance", "DOUBLE", "the chance of a success on a fair die, `winning / sides`; null with `success`"),
        ("winning", "BIGINT", "how many of the die's sides are a success"),
        ("sides", "BIGINT", "how many sides the die has; null for a die that the rules do not know"),
        ("source", "VARCHAR", "where it came from: typed, live, sealed, scripted"),
        _BATTLE,
        _ROUND,
        _LIVE,
    ),
    "battles": _columns(
        _GAME,
        ("n", "BIGINT", "its number in the game, counted from 1"),
        ("place", "VARCHAR", "where it was fought"),
        ("attacker", "VARCHAR", "who attacked; null when the log begins in the battle"),
        ("defender", "VARCHAR", "who defended; null when the log begins in the battle"),
        ("kind", "VARCHAR", "the game's word for the sort of battle"),
        ("began", "BIGINT", "the entry in which it began"),
        (
            "ended",
            "BIGINT",
            "the entry in which it ended; null while it is fought, or where it was left by a take-back",
        ),
        ("winner", "VARCHAR", "who won; null when nobody did or it has not ended"),
        ("taken", "BOOLEAN", "whether the place changed hands"),
        (
            "rounds",
            "BIGINT",
            "how many rounds it took, as its end says; 0 where there are none, as in a fire attack",
        ),
        (
            "attacker_losses",
            "BIGINT",
            "what the attacker lost; null where the game's facts do not tell losses",
        ),
        (
            "defender_losses",
            "BIGINT",
            "what the defender lost; null where the game's facts do not tell losses",
        ),
        _LIVE,
    ),
    "rulings": _columns(
        _GAME,
        _ENTRY,
        ("fact", "VARCHAR", "Ruled, Overlooked, Corrected, DisputeRaised or CalledOff"),
        ("verdict", "VARCHAR", "what was ruled: Upheld, WentBack, Answered, Penalised, Forfeited"),
        (
            "seat",
            "VARCHAR",
            "whom it concerns: who was penalised, who disputes, whose command was overlooked",
        ),
        ("point", "VARCHAR", "the point that was answered"),
        ("answer", "VARCHAR", "the answer"),
        ("penalty", "VARCHAR", "what the penalty is, in the arbiter's words"),
        ("code", "VARCHAR", "the code of the refusal that was overlooked"),
        ("dispute", "BIGINT", "the entry of the dispute that was ruled"),
        ("about", "BIGINT", "the entry that was gone back to, or that is disputed"),
        ("reason", "VARCHAR", "the reason given, or the claim of a dispute"),
        ("because", "VARCHAR[]", "the sections"),
        (
            "live",
            "BOOLEAN",
            "whether it stands: rulings and disputes whatever is taken back, the others where that was not taken back",
        ),
    ),
    "dice": _columns(
        ("game", "VARCHAR", "the rules, `games.game`"),
        ("die", "VARCHAR", "the kind of die"),
        ("face", "VARCHAR", "one of its faces, as printed"),
        ("showing", "BIGINT", "how many of its sides show that face"),
        ("sides", "BIGINT", "how many sides it has"),
        ("faces", "VARCHAR", "all its sides, by which equal dice of different games are told"),
    ),
}
"""Every table with its columns. Games are joined by `games.id = rolls.game`, since `games.game` names the rules."""


def create(name: str) -> str:
    """Return the SQL that makes a table."""
    columns = ", ".join(f'"{column.name}" {column.kind}' for column in TABLES[name])
    return f'CREATE TABLE "{name}" ({columns})'
