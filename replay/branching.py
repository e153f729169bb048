"""What-ifs: a log of its own that goes on from an entry of another (core/decisions/0005-what-ifs.md)."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Raw, json, structs

from core.kit.table import OpenGame
from core.refusal import Refusal
from core.seats import ARBITER
from events.chain import Head, hash_of
from events.counting import plural
from events.entry import SealedCommand
from events.seals import COMMAND, Opening, digest_of
from events.store import GameExists, Store, WrongHead
from events.table import Branch, GameOpened
from replay import dice as chance
from replay.files import name_for_new
from replay.outcomes import RefusedByRules
from replay.verifying.report import Finding

if TYPE_CHECKING:
    from replay.session import Session

__all__ = ["branch", "check_copy"]


def branch(
    session: "Session",
    store: Store,
    name: str,
    at: int,
    *,
    dice: str | None = None,
    seed: str | None = None,
    script: chance.Script = (),
    title: str = "",
) -> "Session":
    """Copy the log up to and including entry `at` under a new name, its opening saying where it comes from.

    Dice come from the same kind of source as before unless said; a sealed what-if needs a seed of its own, for the
    original's would foretell the original's rolls; once that is revealed none is needed. Raises `RefusedByRules` for an entry that is not there or is not
    understood, `GameExists`, and `Unstorable` for a name that no new game can have.
    """
    from replay.session import Session

    name_for_new(name)
    opened = session.at(1).table if session.entries and len(session.moments) > 1 else None
    if opened is None or not 1 <= at < len(session.moments):
        text = (
            f"A what-if goes on from an entry that is understood: 1 to {len(session.moments) - 1}, not {at}."
        )
        raise RefusedByRules((Refusal("no_such_entry", ("LS-3.1",), text, {"entry": at}),))
    kind = dice or ("typed" if opened.dice == "scripted" and not script else opened.dice)
    revealed = session.at(at).table.seed
    chance.check(kind, revealed or seed)
    script = tuple(script)
    if kind == "scripted":
        chance.Scripted(script).rehearse(session.at(at))
    line = next(iter(session.store.read(session.game, at - 1, at))).line
    start = Branch(session.game, at, hash_of(line))
    seed = None if revealed else seed
    committed = chance.commitment(seed) if kind == "sealed" and seed else ""
    if revealed:
        committed = opened.commitment  # the copied revelation speaks of this one; from here on dice are live
    lines = _copied(
        session, name, at, start, {"dice": kind, "commitment": committed, "title": title or opened.title}
    )
    head = Head()
    for entry, openings in lines:
        text_line = session.rules.codec.encode(structs.replace(entry, prev=head.hash, key=""), openings)
        try:
            head = store.append(name, text_line, expected=head, openings=openings).head
        except WrongHead as fault:
            raise GameExists(f"there is a game {name!r} already") from fault
    made = Session.open(
        store, name, rules=session.rules, seed=seed if kind == "sealed" else None, script=script,
        clock=session.clock, salts=session.salts, actor=session.actor,
    )  # fmt: skip
    made.answer_chance()
    return made


def _copied(
    session: "Session", name: str, at: int, start: Branch, changed: dict[str, str]
) -> list[tuple[Any, tuple[Opening, ...]]]:
    """Return the entries up to `at` as stored, the first one opening the what-if in place of the game."""
    history = session.history
    sealed, openings = history.as_stored(1)
    command = session.entries[0].command
    if not isinstance(command, OpenGame) or not isinstance(sealed.facts[0], GameOpened):
        text = "The opening of this log is sealed to others; who keeps the log can begin a what-if."
        raise RefusedByRules((Refusal("sealed_opening", ("LS-1.1",), text),))
    command = structs.replace(command, id=name, branch=start, **changed)
    fact = structs.replace(sealed.facts[0], id=name, branch=start, **changed)
    shut: Any = command
    if isinstance(sealed.command, SealedCommand):
        salt, value = session.salts(1, COMMAND), session.rules.codec.value(command)
        to = sealed.command.to
        shut = SealedCommand(digest_of(salt, value), to)
        own = Opening(1, COMMAND, salt.hex(), to, Raw(value))
        openings = (own, *(opening for opening in openings if opening.part != COMMAND))
    first = structs.replace(sealed, command=shut, facts=(fact, *sealed.facts[1:]), seat=ARBITER)
    return [(first, openings), *(history.as_stored(entry) for entry in range(2, at + 1))]


def check_copy(start: Branch, lines: Sequence[bytes], original: Sequence[bytes] | None) -> Iterator[Finding]:
    """Yield where a what-if is not the copy of its original that its opening says; without the original only its length."""
    if len(lines) < start.entry:
        recorded, expected = plural(len(lines), "entry"), f"{start.entry} copied from {start.game}"
        yield Finding("whole", len(lines) + 1, "", "cut", (), recorded, expected)
    if original is None:
        return
    found = hash_of(original[start.entry - 1]) if start.entry <= len(original) else "no such entry"
    if found != start.hash:
        where = f"entry {start.entry} of {start.game}"
        yield Finding("whole", 1, "", "original", (), f"{where} with hash {start.hash}", f"hash {found}")
        return
    for at, (copy, line) in enumerate(zip(lines[: start.entry], original, strict=False), start=1):
        theirs, ours = _played(line, first=at == 1), _played(copy, first=at == 1)
        if theirs != ours:
            parts = " and ".join(part for part in theirs if ours.get(part) != theirs[part]) or "its parts"
            yield Finding(
                "whole", at, "", "original", (), f"another entry ({parts})", f"that of {start.game}"
            )


def _played(line: bytes, *, first: bool) -> dict[str, Any]:
    """Return what an entry says of the play, less what a what-if says otherwise than its original."""
    plain: dict[str, Any] = json.decode(line)
    plain.pop("prev", None)
    plain.pop("key", None)
    if first:
        plain.pop("command", None)
        opened, *position = plain["facts"]
        for part in ("id", "branch", "dice", "commitment", "title"):
            opened.pop(part, None)
        plain["facts"] = [opened, *position]
    return plain
