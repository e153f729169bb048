"""The session: the one place where commands meet clock, dice and disk."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core import games
from core.consent import must_agree
from core.deciding import Decision, decide, opening
from core.deciding import Refused as Forbidden
from core.kit.chance import AnswerRoll, Deal
from core.kit.disputing import RaiseDispute
from core.kit.table import Correct, MoveHead, OpenGame, RevealSeed, Rule
from core.refusal import Refusal
from core.rules import Rules
from core.seats import ARBITER, CHANCE
from events.chain import Head
from events.codec import BadValue, opened_game
from events.entry import Entry
from events.event import Seat, SectionRef
from events.seals import Salts, conceal
from events.store import GameExists, NoSuchGame, Store, WrongHead
from events.table import Verdict
from replay import dice as chance
from replay.files import name_for_new
from replay.hearing import (
    barred,
    computed,
    decided_for,
    learned,
    own_key,
    said_before,
    stale,
    told_openly,
    unheard,
    well_formed,
)
from replay.history import AnyEntry, goes_on_from
from replay.outcomes import Accepted, Overtaken, Refused, RefusedByRules
from replay.reading import Reading
from replay.texts import unclear

__all__ = ["Accepted", "Refused", "RefusedByRules", "Session", "fresh_salt", "utc_now"]

Clock = Callable[[], str]
"""Gives the time: UTC in RFC 3339, ending in Z."""


def utc_now() -> str:
    """Return the time, UTC in RFC 3339 to the millisecond, ending in Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def fresh_salt(entry: int, part: int) -> bytes:  # noqa: ARG001 - a salt hangs on nothing
    """Return 16 bytes of the system's randomness, whatever the part of an entry that they seal."""
    return secrets.token_bytes(16)


class Session(Reading):
    """An open game. What the log holds is in `entries` and `moments`; `submit` is the one way to add to it."""

    def __init__(
        self,
        store: Store,
        game: str,
        rules: Rules[Any],
        source: chance.Source | None = None,
        *,
        clock: Clock = utc_now,
        salts: Salts = fresh_salt,
        actor: str = "",
    ) -> None:
        """Take where the log is kept and under which name; use `create` or `open`, which also read it."""
        super().__init__(store, game, rules)
        self.actor = actor
        self.clock, self.salts = clock, salts
        self._source = source

    @classmethod
    def create(
        cls,
        store: Store,
        rules: Rules[Any],
        *,
        game: str,
        seats: Sequence[Seat],
        answers: Mapping[str, str] | None = None,
        dice: str = "typed",
        position: Sequence[Any] = (),
        persons: Mapping[Seat, str] | None = None,
        options: Mapping[str, str] | None = None,
        title: str = "",
        seed: str | None = None,
        script: chance.Script = (),
        clock: Clock = utc_now,
        salts: Salts = fresh_salt,
        actor: str = "",
    ) -> "Session":
        """Open a new game in a store; raise `RefusedByRules` when the rules do not allow it, `GameExists` when it is there,
        `Unstorable` for a name that no new game can have.

        Sealed dice need a `seed`, kept by the caller before this is called (`replay.files`); answers may be named
        `X61` for `QD-X61`.
        """
        name_for_new(game)
        chance.check(dice, seed)
        house = {rules.rulebook.full_id(point): answer for point, answer in (answers or {}).items()}
        command: Any = OpenGame[Any](
            game,
            rules.name,
            tuple(seats),
            house,
            dice,
            chance.commitment(seed) if dice == "sealed" and seed else "",
            dict(persons or {}),
            dict(options or {}),
            tuple(position),
            title=title,
        )
        session = cls(
            store, game, rules, chance.source_of(dice, seed, script), clock=clock, salts=salts, actor=actor
        )
        command = well_formed(rules, command)
        refused = command if isinstance(command, Refused) else unclear(command, actor)
        decided = refused or decide(opening(rules), ARBITER, command)
        if isinstance(decided, Refused | Forbidden):
            raise RefusedByRules(decided.reasons, rules.rulebook, house)
        session._rehearse(decided)
        try:
            session._append(ARBITER, command, 0, decided)
        except WrongHead as fault:
            raise GameExists(f"there is a game {game!r} already") from fault
        session.answer_chance()
        return session

    @classmethod
    def open(
        cls,
        store: Store,
        game: str,
        *,
        rules: Rules[Any] | None = None,
        seed: str | None = None,
        script: chance.Script = (),
        clock: Clock = utc_now,
        salts: Salts = fresh_salt,
        actor: str = "",
    ) -> "Session":
        """Open a game that a store holds, folded as far as it folds.

        Raises `NoSuchGame`, `BadLine` when the first line opens no game, `NoSuchRules` for a game that has no folder
        here, and `BadSeed` when the seed is not the one committed to.
        """
        first = next(iter(store.read(game, 0, 1)), None)
        if first is None:
            raise NoSuchGame(f"there is no game {game!r}")
        rules = rules or games.load(opened_game(first.line)[0])
        session = cls(store, game, rules, clock=clock, salts=salts, actor=actor)
        session.refresh()
        session.take_seed(seed, script)
        return session

    @property
    def seedless(self) -> bool:
        """Whether dice are to fall from a seed that is not at hand."""
        now = self.now
        return now.table.dice == "sealed" and self._source is None and now.state.ended is None

    def take_seed(self, seed: str | None, script: chance.Script = ()) -> None:
        """Let dice fall from a seed, where the game has sealed ones; raise `BadSeed` when it is not the one committed to."""
        table = self.now.table
        if seed is not None and table.dice == "sealed" and table.commitment != chance.commitment(seed):
            raise chance.BadSeed(f"this is not the seed that {self.game} committed to at its opening")
        self._source = chance.source_of(table.dice, seed or table.seed or None, script)

    def submit(
        self,
        seat: Seat,
        command: Any,
        *,
        question: str = "",
        key: str = "",
        actor: str = "",
        overlook: bool = False,
        by: Seat = "",
        openly: bool = False,
        upon: Head | None = None,
    ) -> Accepted | Refused:
        """Decide a command of a seat and append what follows, durably, or say why not.

        `question` names what it answers (empty: whatever is open to the seat); `key` makes it safe to send again, and is one
        of `by` alone; `overlook` tells what is forbidden but can be told, and says so in the entry.

        `by` is the seat that gives it, where each gives its own: as itself, or dice in the name of chance. Then only its
        own word is heard (LS-3.4), it gives only what falls to it (LS-4.6), and all it is answered is what it may read.
        Empty: one person writes for the whole table, and answers for what others are said to agree to.

        `openly`: the answer stands where everybody reads it, so that it holds nothing that hangs on what is hidden (LS-2.7).

        `upon` is the head up to which whoever gives the command has looked: where others wrote since, it is not decided on
        what he has not seen, and `Overtaken` is raised; the session then holds what they wrote.
        """
        command = well_formed(self.rules, command)
        heard = self.now.table.seats_of(by) if by else None
        refused = command if isinstance(command, Refused) else unheard(command, heard)
        person = actor or self.actor
        known = person in self.now.table.persons.values()
        refused = refused or unclear(command, "" if known else person, key)
        if refused is not None:
            return refused
        key = own_key(by, key)
        while True:
            outcome = self._tried(seat, command, question, key, actor, overlook, by, openly, upon)
            if outcome is not None and not (isinstance(outcome, Refused) and self.refresh()):
                return outcome
            # Others wrote meanwhile: it is decided again on what stands now, or by who gives it.
            if upon is not None and not (key and self.store.find(self.game, key)):
                raise Overtaken(f"the log goes on after entry {upon.id}")

    def take_back(
        self,
        by: Seat,
        to: int,
        *,
        agreed: Sequence[Seat] = (),
        arbiter: str = "",
        reason: str = "",
        key: str = "",
        actor: str = "",
    ) -> Accepted | Refused:
        """Let the game go on from entry `to`; refused, with what had been learned, when consent is missing (LS-3.2)."""
        return self.submit(by, MoveHead(to, tuple(agreed), arbiter, reason=reason), key=key, actor=actor)

    def learned(self, by: Seat, to: int) -> tuple[tuple[str, ...], tuple[Seat, ...]]:
        """Return what going back to entry `to` would leave behind that was told to a seat, and who must agree to it."""
        told = learned(self.history, by, to)
        return told, must_agree(self.now.table, by, told)

    def dispute(self, seat: Seat, at: int, claim: str, **more: str) -> Accepted | Refused:
        """Contest entry `at`; until it is ruled only the arbiter is asked."""
        return self.submit(seat, RaiseDispute(at, claim), **more)  # type: ignore[arg-type]

    def rule(
        self,
        verdict: Verdict,
        reason: str,
        *,
        dispute: int = 0,
        because: Sequence[SectionRef] = (),
        **more: str,
    ) -> Accepted | Refused:
        """Rule as the arbiter, on a dispute or unasked."""
        return self.submit(ARBITER, Rule(verdict, reason, dispute, tuple(because)), **more)  # type: ignore[arg-type]

    def correct(self, reason: str, facts: Sequence[Any], **more: str) -> Accepted | Refused:
        """Set the position right as the arbiter, in set-up facts."""
        return self.submit(ARBITER, Correct[Any](reason, tuple(facts)), **more)  # type: ignore[arg-type]

    def branch(self, store: Store, name: str, at: int, **more: Any) -> "Session":
        """Begin a what-if that goes on from entry `at`, as a log of its own; see `replay.branching.branch`."""
        from replay.branching import branch

        made: Session = branch(self, store, name, at, **more)
        return made

    def answer_chance(self) -> None:
        """Let the source of the dice answer whatever is asked of it; typed dice wait for a person."""
        while not self.read_only:
            now, source = self.now, self._source
            if isinstance(source, chance.Sealed):
                if now.state.ended is not None and not now.table.seed:
                    self._answer(RevealSeed(source.seed), "")
                    continue
                if now.table.seed:
                    source = chance.Live()  # everybody could foresee what a published seed will roll
            if source is None or not chance.chance_waits(now):
                return
            self._answer(source.answer(now), source.name)

    def close(self) -> None:
        """Be done with a game; raise `BadScript` when scripted dice are left over. The store stays open."""
        if isinstance(self._source, chance.Scripted):
            self._source.finish()

    def _rehearse(self, decided: Decision[Any]) -> None:
        """Raise `BadScript` before anything is written, where scripted dice could not answer what follows."""
        if isinstance(self._source, chance.Scripted):
            self._source.rehearse(decided.after)

    def _answer(self, command: Any, source: str) -> None:
        decided = chance.decided(self.now, command, source)
        try:
            self._append(CHANCE, command, self.head.id, decided, source=source)
        except WrongHead:
            if not self.refresh():
                raise

    def _tried(
        self,
        seat: Seat,
        command: Any,
        question: str,
        key: str,
        actor: str,
        overlook: bool,
        by: Seat,
        openly: bool,
        upon: Head | None,
    ) -> Accepted | Refused | None:
        """Try a command once; None when somebody else wrote in between and it must be decided again."""
        reader = by or seat
        refused = barred(self.now.table, self.read_only, seat, command, seedless=self.seedless)
        if refused is not None:
            return refused
        if key and (said := self._said_before(seat, command, key, by)) is not None:
            return said
        self.answer_chance()
        if upon is not None and self.head != upon:
            return None
        command = computed(self.history, seat, command)
        parent = goes_on_from(command, self.head.id)
        refused = self._not_to_give(seat, by) or stale(self.history, seat, command, question, reader)
        if refused is not None:
            return refused
        decided = decided_for(self.history, seat, command, parent, overlook=overlook, by=reader)
        if isinstance(decided, Refused):
            return told_openly(self.history, seat, command, parent, decided) if openly else decided
        self._rehearse(decided)
        typed = seat == CHANCE and isinstance(command, AnswerRoll | Deal)
        try:
            entry = self._append(
                seat, command, parent, decided, source="typed" if typed else "", key=key, actor=actor
            )
        except WrongHead:
            if not self.refresh():
                raise
            return None
        except BadValue as fault:
            return Refused(
                (Refusal("unwritable", ("LS-2.4",), f"This can't be written to the log: {fault}."),)
            )
        if entry is None:
            return None
        self.answer_chance()
        return self._accepted(None if openly else reader, entry.id)

    def _said_before(self, seat: Seat, command: Any, key: str, by: Seat) -> Accepted | Refused | None:
        """Return the answer given to the same command under the same key, or why the key can't be used again."""
        found = self.store.find(self.game, key)
        if found is None:
            return None
        if found > len(self.entries):
            self.refresh()
        refused = said_before(self.history, seat, command, found, by or ARBITER)
        return refused or self._accepted(by or seat, found, repeated=True)

    def _not_to_give(self, seat: Seat, by: Seat) -> Refused | None:
        """Return why who gives a command may not give it in the name of chance; one who writes for all may (LS-4.6)."""
        if not by or seat != CHANCE:
            return None
        from replay.giving import not_to_give

        refusal = not_to_give(self.now, by)
        return Refused((refusal,)) if refusal is not None else None

    def _append(
        self,
        seat: Seat,
        command: Any,
        parent: int,
        decided: Decision[Any],
        *,
        source: str = "",
        key: str = "",
        actor: str = "",
    ) -> AnyEntry | None:
        """Store an entry on the head and add it to the history; None when its key turns out to be used."""
        head = self.head
        entry: AnyEntry = Entry(
            head.id + 1,
            parent,
            self.clock(),
            seat,
            command,
            decided.facts,
            head.hash,
            actor or self.actor,
            source,
            key,
        )
        codec = self.rules.codec
        sealed, openings = conceal(entry, decided.audiences, decided.command_to, codec.value, self.salts)
        line = codec.encode(sealed, openings)
        appended = self.store.append(self.game, line, expected=head, key=key, openings=openings)
        if appended.repeated:
            self.refresh()
            return None
        self.history.add(entry, sealed, openings, decided.after, appended.head)
        return entry

    def _accepted(self, reader: Seat | None, first: int, *, repeated: bool = False) -> Accepted:
        """Return the entry of a command and those by which chance answered at once, as a seat may read them."""
        last = first
        while last < len(self.entries):
            upcoming = self.entries[last]
            if upcoming.seat != CHANCE or (upcoming.source in ("", "typed") and not _reveals(upcoming)):
                break
            last += 1
        return Accepted(tuple(self.history.entries_for(reader, first - 1, last)), repeated)


def _reveals(entry: AnyEntry) -> bool:
    return isinstance(entry.command, RevealSeed)
