"""At the prompt that everybody sees: games that differ in something hidden answer every typed line in the same words.

Lawful lines, unlawful and misspelt ones, what `why` says to each, and what the Tab key offers (LS-2.7, QD-H42).
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from random import Random

import pytest

from core.deciding import Refused, decide
from core.games.dragonlords import RULES
from core.seats import ARBITER
from replay.cli.eyes import Eyes
from replay.cli.prompt import Conversation
from replay.cli.tabbing import candidates
from replay.session import Session
from replay.words.wording import command_words
from tests.driver import Heard
from tests.games.dragonlords import twins
from tests.games.dragonlords.hidden import WORLDS, World, world
from tests.games.dragonlords.leaks import DEFENDERS, HANDS, MOVED
from tests.games.dragonlords.twins import Leak, Pair, begin, masked
from tests.laws.worlds import perturbed, words_of
from tests.replay.engine import Memory

FLEECE = "what carries a fleet away"
QUICK = (DEFENDERS, HANDS, MOVED)
"""The worlds that are looked at in every run; full stress looks at all."""
STEPS = 4
"""How many decisions are played on between lines that are typed."""
TYPED = (
    "attack OR_n from OR_k with 9", "leap by fleece D3 from D1 with 9", "attack OR_n from OR_k with 5 leading wizard", "att OR_n from OR_ne with 3",
    "attck OR_n from OR_k with 1 leading king", "transfer OR_ne from OR_k with 6", "transfer to OR_ne from OR_k with 3 carrying blank",
    "forced march OR_ne from OR_k with 5 leading orc.wizard.1", "hide chip wizard in OR_k", "hide king in OR_ne",
    "hide chip wizzard in OR_k", "declare hope", "declare king", "declare dwarf.king", "declare without hope", "losses 1",
    "losses 2 unit", "losses 4 unit", "losses 1 unit, 1 king", "take losses 1 dwarf.king", "flee wizard to FM_k", "flee dwarf.wizard.1 to FM_k",
    "read berserk in OR_n", "read scroll infernal in OR_n", "read scroll summon_elemental.fire in OR_n", "reflect", "protect by king",
    "protect dwarf.king", "cast fireball", "cast fireball by wizard", "cast lightning by trident", "retreat to OR_k",
    "withdraw wizard to OR_k", "teleport orc.wizard.1 to OR_n from OR_k with 2", "send party from AL_s with 4 leading wizard",
    "throw fireball", "cure by wizard", "raise dragonlord from wizard", "teach wizard", "end phase", "end combat", "pass", "fight",
    "put treasure in OR_k", "card: reflect", "card: reflct", "dice: 9 9", "1 2", "nonsense", "arbiter: uphold because so it was",
    "arbiter: correct chip dwarf dwarf.king OR_k because it lay there", "arbiter: correct units orc OR_k 1 because so",
    "dispute 99 it was not so", "undo 99", "undo", "restore", "?", "show", "show 2", "rules berserk", "why", "as nobody",
)  # fmt: skip


class Screen:
    """A prompt that everybody sees, at a copy of a game, and all that stands on it."""

    def __init__(self, session: Session) -> None:
        store = Memory()
        store.held = {session.game: list(session.store.read(session.game))}
        self.session = Session.open(store, session.game, rules=RULES)
        self.talk = Conversation(Eyes(self.session, ARBITER))
        self.head = self.session.head

    @property
    def moved(self) -> bool:
        """Whether a line was played here."""
        return self.session.head != self.head

    def after(self, line: str) -> bytes:
        """Return what is printed when a line was typed."""
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            self.talk.heard(line)
        return _unstamped(masked(out.getvalue().encode()))

    def offered(self, before: str) -> tuple[str, ...]:
        """Return what the Tab key offers behind the beginning of a line."""
        return candidates(self.talk.seen, before, "")


def _unstamped(shown: bytes) -> bytes:
    return re.sub(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d\.\d+Z)?", b"<time>", shown)


def typed(pair: Pair, choose: Callable[[int], int]) -> Iterator[str]:
    """Yield lines that people could type: some that are written above, some at random, with and without a seat."""
    seats = (*pair.world.seats, *(seat for seat in pair.world.owners for _ in range(3)))
    for line in TYPED:
        yield line
        if ":" not in line:
            yield f"{seats[choose(len(seats))]}: {line}"
    names = (*sorted(pair.world.about), *sorted(_words_in(pair)), "nobody", "?", "")
    heard: Heard = {}
    for _ in range(20):
        found = perturbed(pair.first.now, names, choose, heard)
        if found is not None and found[0] != ARBITER:
            yield command_words(pair.first.rules, *found)


def _words_in(pair: Pair) -> set[str]:
    return {word for entry in pair.first.entries[-8:] for word in words_of(entry.command)}


def compare(hidden: World, steps: int, seed: int = 1) -> int:
    """Type the same lines at the prompts of both games of a world, at so many moments; return how many were answered alike."""
    pair, choose, compared = begin(hidden), Random(seed).randrange, 0
    for _ in range(steps):
        if None not in pair.watching:
            break
        screens = [Screen(session) for session in pair.both]
        lines = list(typed(pair, choose))
        for before in {
            " ".join((*words[:n], "")) for words in map(str.split, lines) for n in range(len(words))
        }:
            offered = [screen.offered(before) for screen in screens]
            if offered[0] != offered[1]:
                raise Leak(f"{hidden.name}, {before!r}: the Tab key offers {offered[0]} or {offered[1]}")
        for line in lines:
            for each in (f"why {line}", line):
                shown = [screen.after(each) for screen in screens]
                if any(screen.moved for screen in screens):
                    screens = [Screen(session) for session in pair.both]  # who plays, tells by it that he may
                elif shown[0] != shown[1]:
                    raise Leak(f"{hidden.name}, {each!r}: everybody reads {shown[0]!r} or {shown[1]!r}")
                else:
                    compared += 1
        step = twins._common(pair, choose)
        if step is None:
            break
        twins.submit(pair, *step, step[1])
    return compared


def test_a_screen_that_everybody_sees_tells_nothing_that_is_hidden(rounds: Callable[[int], int]) -> None:
    """Whatever is typed there, refused, misread or asked about with `why`: both games answer in the same bytes."""
    full = rounds(10) == 10
    for hidden in WORLDS if full else [world(name) for name in QUICK]:
        assert compare(hidden, STEPS if full else 1) > 100, hidden.name


def _tells_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("replay.session.told_openly", lambda _history, _seat, _command, _parent, refused: refused)


def _tells_what_is_not_marked(patch: pytest.MonkeyPatch) -> None:
    """What would seem enough: those of the true reasons that are not secret."""
    patch.setattr(
        "replay.session.told_openly",
        lambda _history, _seat, _command, _parent, refused: type(refused)(
            tuple(one for one in refused.reasons if not one.secret)
        ),
    )


def _makes_whole_by_what_the_seat_knows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("replay.cli.moves.asks_openly", lambda session, seat: session.asks(seat))


def _offers_what_the_seat_knows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("replay.cli.tabbing.asks_openly", lambda session, seat: session.asks(seat))


def _foresees_on_the_whole_state(patch: pytest.MonkeyPatch) -> None:
    usual = Session.view
    patch.setattr(
        "replay.cli.why.open_reasons",
        lambda now, seat, command: (
            reasons.reasons if isinstance(reasons := decide(WHOLE[0].now, seat, command), Refused) else ()
        ),
    )

    def view(session: Session, seat: str | None, at: int | None = None) -> object:
        WHOLE[:] = [session]
        return usual(session, seat, at)

    patch.setattr(Session, "view", view)


WHOLE: list[Session] = []


@pytest.mark.parametrize(
    ("plant", "where"),
    (
        (_tells_all, FLEECE),
        (_tells_what_is_not_marked, FLEECE),
        (_makes_whole_by_what_the_seat_knows, HANDS),
        (_offers_what_the_seat_knows, DEFENDERS),
        (_foresees_on_the_whole_state, FLEECE),
    ),
)
def test_a_prompt_that_tells_more_is_found_out(
    plant: Callable[[pytest.MonkeyPatch], None], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each way of telling what only a seat may see parts the twins."""
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare(world(where), 1)


def test_enter_takes_a_usual_choice_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a treasure goes is a choice, though a phase may end with it; to end one by nothing else Enter is pressed twice."""
    monkeypatch.setattr("replay.cli.prompt.ends", lambda *_: True)
    screen = Screen(begin(world("a treasure that is found")).first)
    asked = screen.session.now.question
    assert asked is not None
    assert asked.kind == "treasure"
    assert b"put treasure in WT05" in screen.after("")
    assert screen.moved
