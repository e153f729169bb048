"""Leaks to plant, each in one of the places where what is hidden could colour what others are shown.

Each is a slip of a line or two, of the kind that somebody may really make, and names the world in which it must be seen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import structs

from core import deciding
from core.asking import Ask, Question
from core.games.dragonlords import battle, losses, scroll_book, scroll_effects, scrolls, soundness
from core.games.dragonlords.armies import UnitsLost
from core.games.dragonlords.bot import choose as bot_choose
from core.games.dragonlords.chips import ChipsMoved
from core.games.dragonlords.decks import HandDealt
from core.games.dragonlords.gains import TreasurePicked
from core.games.dragonlords.movement import bears
from core.games.dragonlords.state import chips_at
from core.refusal import Refusal
from core.telling import Tale
from events import seals
from replay import hearing
from replay.history import History
from replay.outcomes import Refused
from replay.session import Session
from tests.games.dragonlords import twins

__all__ = ["DEFENDERS", "HIDDEN", "LEAKS", "Patch", "Planted", "hands_out_every_opening"]

Patch = pytest.MonkeyPatch
DEFENDERS = "the king or the decoy among defenders"
WIZARD = "the wizard or the king among defenders"
SHIELDS = "a shield or a sword among defenders"
DRAWN = "a scroll that is drawn"
HANDS = "two hands changed over"
MOVED = "whether anybody goes along"


@dataclass(frozen=True)
class Planted:
    """A leak: what is wrong, how it is planted, and the world where it shows."""

    name: str
    plant: Callable[[Patch], None]
    world: str
    surface: str = ""
    """The function of `surfaces` that must see it; empty: what the session shows."""


def _hides(war: Any, seat: str, place: str, what: str) -> bool:
    """Return whether a chip of that kind lies face down in a stack, which its owner alone may know."""
    return any(what in name and not chip.shown for name, chip in chips_at(war, seat, place).items())


def asks_for_losses_where_a_king_is(patch: Patch) -> None:
    usual = losses.Losses._chooses
    patch.setattr(
        losses.Losses,
        "_chooses",
        lambda step, now: usual(step, now) and any(map(bears, chips_at(now.state, step.seat, step.place))),
    )


def says_in_the_prompt_who_may_be_lost(patch: Patch) -> None:
    usual = losses.Losses.question

    def question(step: Any, now: Any) -> Question | None:
        asked = usual(step, now)
        king = _hides(now.state, step.seat, step.place, ".king")
        return structs.replace(asked, prompt=f"{asked.prompt}!") if asked is not None and king else asked

    patch.setattr(losses.Losses, "question", question)


def asks_another_kind_where_a_wizard_is(patch: Patch) -> None:
    usual = battle.Round.question

    def question(step: Any, now: Any) -> Question | None:
        asked = usual(step, now)
        held = now.state.battle
        wizard = held is not None and _hides(now.state, held.defender, held.place, ".wizard")
        return (
            structs.replace(asked, kind="magic")
            if asked is not None and asked.roll is None and wizard
            else asked
        )

    patch.setattr(battle.Round, "question", question)


def asks_twice_where_a_treasure_helps(patch: Patch) -> None:
    """The round asks for what works once more, so that a game waits longer where there is something to decide."""
    usual = battle.Round.go_on

    def go_on(step: Any, tale: Any) -> None:
        held = tale.state.battle
        again = step.at == "defender_declares" and _hides(tale.state, held.defender, held.place, "shield")
        usual(step, tale)
        if again:
            tale.then(battle.Round("defender_declares"))

    patch.setattr(battle.Round, "go_on", go_on)


def opens_the_window_to_who_can_use_it(patch: Patch) -> None:
    patch.setattr(
        scroll_effects,
        "may_read",
        lambda war, seat, place: (
            scroll_book.may_read(war, seat, place) and "reflect" in war.hands.get(seat, ())
        ),
    )


def passes_by_where_nothing_can_be_read(patch: Patch) -> None:
    patch.setattr(
        scrolls,
        "may_read",
        lambda war, seat, place: (
            scroll_book.may_read(war, seat, place) and "tempest" in war.hands.get(seat, ())
        ),
    )


def refuses_for_a_shield_that_lies_face_down(patch: Patch) -> None:
    usual = scroll_effects.protection

    def protection(now: Any, scroll: str, seat: str, place: str) -> str:
        hidden = _hides(now.state, seat, place, "invincible_shield")
        return "invincible_shield" if hidden else usual(now, scroll, seat, place)

    patch.setattr(scrolls, "protection", protection)


def says_more_in_a_refusal(patch: Patch) -> None:
    usual = hearing.decided_for

    def decided_for(history: History, *args: Any, **more: Any) -> Any:
        said = usual(history, *args, **more)
        if not isinstance(said, Refused):
            return said
        king = history.now.state.chips.get("dwarf.king")
        reasons = (structs.replace(reason, text=f"{reason.text} {king}") for reason in said.reasons)
        return Refused(tuple(reasons))

    patch.setattr(twins, "decided_for", decided_for)


def says_more_in_the_figures_of_a_refusal(patch: Patch) -> None:
    usual = deciding._not_asked

    def not_asked(now: Any, seat: str, command: Any) -> Iterator[Refusal]:
        for reason in usual(now, seat, command):
            chips = HIDDEN.get("state", now.state).chips
            yield structs.replace(reason, figures={**reason.figures, "king": str(chips.get("dwarf.king"))})

    patch.setattr(deciding, "_not_asked", not_asked)
    _remembering_the_whole_state(patch)


HIDDEN: dict[str, Any] = {}


def _remembering_the_whole_state(patch: Patch) -> None:
    usual = History.base

    def base(history: History, parent: int) -> Any:
        whole = usual(history, parent)
        HIDDEN["state"] = whole.state
        return whole

    patch.setattr(History, "base", base)


def finds_a_position_unsound_for_who_is_hidden(patch: Patch) -> None:
    usual = soundness._sound_chips

    def sound(war: Any, *changed: Any) -> Iterator[str]:
        yield from usual(war, *changed)
        for place, columns in war.columns.items():
            if columns and _hides(war, "dwarf", place, ".king"):
                yield "a king stands where enemies stand"

    patch.setattr(soundness, "_sound_chips", sound)


def leaves_out_what_says_nothing(patch: Patch) -> None:
    usual = Tale.tell

    def tell(tale: Any, fact: Any, to: Any = None) -> None:
        if not (isinstance(fact, ChipsMoved) and not fact.chips):
            usual(tale, fact, to)

    patch.setattr(Tale, "tell", tell)


def tells_in_another_order_who_leads(patch: Patch) -> None:
    usual = Tale.turn

    def turn(tale: Any) -> None:
        for n, fact in enumerate(tale.facts[:-1]):
            if isinstance(fact, ChipsMoved) and any(map(bears, fact.chips)):
                tale.facts[n : n + 2] = reversed(tale.facts[n : n + 2])
                tale.audiences[n : n + 2] = reversed(tale.audiences[n : n + 2])
        usual(tale)

    patch.setattr(Tale, "turn", turn)


def cites_the_king_for_a_loss(patch: Patch) -> None:
    usual = Tale.tell

    def tell(tale: Any, fact: Any, to: Any = None) -> None:
        if isinstance(fact, UnitsLost) and _hides(tale.state, fact.seat, fact.place, ".king"):
            fact = structs.replace(fact, because=(*fact.because, "QD-14.2"))
        usual(tale, fact, to)

    patch.setattr(Tale, "tell", tell)


def lays_other_steps_where_a_king_is(patch: Patch) -> None:
    usual = battle.Round.play

    def play(step: Any, tale: Any) -> None:
        held = tale.state.battle
        twice = (
            step.at == "losses"
            and held is not None
            and _hides(tale.state, held.defender, held.place, ".king")
        )
        usual(step, tale)
        if twice:
            tale.then(losses.Losses(held.attacker, held.place))

    patch.setattr(battle.Round, "play", play)


def shows_a_scroll_to_everybody(patch: Patch) -> None:
    patch.setattr(HandDealt, "audience", lambda fact: () if fact.card == "reflect" else (fact.seat,))


def shows_a_treasure_to_the_next_player(patch: Patch) -> None:
    patch.setattr(TreasurePicked, "audience", lambda fact: (fact.seat, "elf"))


def shows_to_all_what_clairvoyance_shows(patch: Patch) -> None:
    patch.setattr(scroll_book.HandSeen, "audience", lambda _fact: ())


def leaves_the_command_of_a_deal_open(patch: Patch) -> None:
    patch.setattr(deciding, "_dealt_to", lambda _seat, _audiences: ())


def leaves_a_command_open_whose_facts_are_sealed(patch: Patch) -> None:
    from core.games.dragonlords.transfer import Transfer

    patch.setattr(Transfer, "SEALS", False)


def makes_digests_as_long_as_what_they_hide(patch: Patch) -> None:
    usual = seals.digest_of
    patch.setattr(seals, "digest_of", lambda salt, value: usual(salt, value)[: 20 + len(value) % 40])


def takes_longer_over_a_secret(patch: Patch) -> None:
    usual = Session._append

    def append(session: Session, seat: str, command: Any, parent: int, decided: Any, **more: Any) -> Any:
        if "reflect" in repr(decided.facts):
            session.clock()
        return usual(session, seat, command, parent, decided, **more)

    patch.setattr(Session, "_append", append)


def names_an_entry_by_its_secret(patch: Patch) -> None:
    usual = Session._append

    def append(session: Session, seat: str, command: Any, parent: int, decided: Any, **more: Any) -> Any:
        return usual(
            session, seat, command, parent, decided, **{**more, "key": str(hash(repr(decided.facts)))}
        )

    patch.setattr(Session, "_append", append)


def shows_the_whole_state_to_who_looks_on(patch: Patch) -> None:
    usual = Session.view
    patch.setattr(
        Session,
        "view",
        lambda session, seat, at=None: (
            session.history.view("arbiter" if seat is None else seat, at)
            if at is None
            else usual(session, seat, at)
        ),
    )


def hands_out_every_opening(patch: Patch) -> None:
    def lines_as(session: Session, _seat: Any, since: int = 0) -> Iterator[Any]:
        for stored in session.store.read(session.game, since):
            yield stored.line, stored.openings

    patch.setattr(Session, "lines_as", lines_as)


def sorts_offers_by_what_the_enemy_hides(patch: Patch) -> None:
    usual = Session.asks

    def asks(session: Session, seat: str) -> tuple[Ask, ...]:
        told = usual(session, seat)
        king = session.now.state.chips.get("dwarf.king")
        if king is None or king.place != "OR_n":
            return told
        return tuple(Ask(ask.name, ask.seat, ask.question, ask.offers[::-1], ask.silence) for ask in told)

    patch.setattr(Session, "asks", asks)


def lists_a_secret_among_what_was_learned(patch: Patch) -> None:
    usual = hearing.learned

    def learned(history: History, by: str, to: int) -> tuple[str, ...]:
        king = history.now.state.chips.get("dwarf.king")
        return tuple(f"{what} of {king.place if king else ''}" for what in usual(history, by, to))

    patch.setattr("replay.session.learned", learned)


def lets_a_bot_peek(patch: Patch) -> None:
    def choose(view: Any, ask: Any, pick: Any) -> Any:
        whole = HIDDEN.get("state", view.state)
        king = whole.chips.get("dwarf.king")
        if king is not None and king.place == "OR_n":
            return ask.silence
        return bot_choose(view, ask, pick)

    usual = Session.view

    def view(session: Session, seat: Any, at: Any = None) -> Any:
        HIDDEN["state"] = session.now.state
        return usual(session, seat, at)

    patch.setattr("core.games.dragonlords.bot.choose", choose)
    patch.setattr(Session, "view", view)


LEAKS = (
    Planted(
        "a question that is asked where there is something to choose",
        asks_for_losses_where_a_king_is,
        DEFENDERS,
    ),
    Planted("a prompt", says_in_the_prompt_who_may_be_lost, DEFENDERS),
    Planted("the kind of a question", asks_another_kind_where_a_wizard_is, WIZARD),
    Planted("the number of questions", asks_twice_where_a_treasure_helps, SHIELDS),
    Planted("a window of reaction", opens_the_window_to_who_can_use_it, "a scroll to turn another back"),
    Planted("a silence that fills a moment to read in", passes_by_where_nothing_can_be_read, HANDS),
    Planted(
        "a refusal for a hidden reason",
        refuses_for_a_shield_that_lies_face_down,
        "what shields from an elemental",
    ),
    Planted("the text of a refusal", says_more_in_a_refusal, DEFENDERS),
    Planted("the figures of a refusal", says_more_in_the_figures_of_a_refusal, DEFENDERS),
    Planted("an unsound position", finds_a_position_unsound_for_who_is_hidden, DEFENDERS),
    Planted("the number of facts", leaves_out_what_says_nothing, MOVED),
    Planted("the order of facts", tells_in_another_order_who_leads, MOVED),
    Planted("a section that is cited", cites_the_king_for_a_loss, DEFENDERS),
    Planted("the agenda", lays_other_steps_where_a_king_is, DEFENDERS),
    Planted("an audience: a scroll", shows_a_scroll_to_everybody, DRAWN),
    Planted("an audience: a treasure", shows_a_treasure_to_the_next_player, "a treasure that is found"),
    Planted("an audience: a private reveal", shows_to_all_what_clairvoyance_shows, "what clairvoyance shows"),
    Planted("the command of a deal", leaves_the_command_of_a_deal_open, DRAWN),
    Planted("the command of a move", leaves_a_command_open_whose_facts_are_sealed, MOVED),
    Planted("the length of a digest", makes_digests_as_long_as_what_they_hide, DRAWN),
    Planted("the time", takes_longer_over_a_secret, DRAWN),
    Planted("a key", names_an_entry_by_its_secret, DRAWN),
    Planted("the state", shows_the_whole_state_to_who_looks_on, DEFENDERS),
    Planted("openings", hands_out_every_opening, DEFENDERS),
    Planted("the order of offers", sorts_offers_by_what_the_enemy_hides, DEFENDERS),
    Planted("what was learned before a take-back", lists_a_secret_among_what_was_learned, DEFENDERS),
    Planted("what a bot does", lets_a_bot_peek, DEFENDERS),
)
"""Every leak, and where it must show."""
