"""What scrolls do that strike a player (QD-16.2, QD-16.4, QD-16.5), and how he answers them (QD-16.3).

A scroll that is read against somebody waits for him: he may turn it back by Reflect, or turn up what protects his units
there (QD-H9). He is asked when he may have a scroll and a spell user in the place, or may hide such a protection, as
far as everybody knows; never because of what he has.
"""

from collections.abc import Iterator
from typing import Annotated

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Step, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Roll, Sum
from events.event import Count, Face, Seat, SectionRef

from .armies import UnitsStruck
from .board import SPACE_OF, ZONES
from .docks import lose_ships, settle_raiders, settle_ships, take_ships
from .ending import check_end, king_beaten
from .items import leave_behind
from .losses import Losses
from .movement import show
from .phases import Pass, right_of
from .scroll_book import (
    SCROLLS,
    ScrollFoiled,
    ScrollRead,
    holds,
    kind_of,
    lacks,
    may_be_read,
    may_read,
    readers,
)
from .spellbook import here, king_of, may_hold, shown_here, shown_wizards, wizards_here, wizards_of
from .state import RACES, ChipId, Place, User, War, column_size, is_shaded, units_of
from .treasures import TREASURES, hand_over, may_hide_treasure, shown_treasures

__all__ = ["COMMANDS", "STEPS", "Protect", "Reflect", "Unleashed", "protection"]


def _stopping(now: Moment[War], kind: str) -> tuple[ChipId, ...]:
    """Return the treasures that stop a kind of scroll: the Trident stops Tempest unless the table says no (QD-H53)."""
    stops = SCROLLS[kind].stopped_by
    if now.answer("QD-H53") == "bolts_only":
        stops = tuple(name for name in stops if name != "trident")
    return stops


def protection(now: Moment[War], scroll: str, seat: Seat, place: Place) -> ChipId:
    """Return what everybody sees to protect the units of a seat in a place from a scroll; empty when nothing does.

    Berserk does nothing where the king is, or a spell user with Heal (QD-16.4, QD-14.2, QD-15.1).
    """
    war, kind = now.state, kind_of(scroll)
    if seat in war.out:
        return ""  # vanquished units have no treasures (QD-H47)
    shown = shown_treasures(war, seat, place)
    found = next((name for name in _stopping(now, kind) if name in shown), "")
    if not found and kind == "berserk":
        if shown_here(war, king_of(seat), place):
            return king_of(seat)
        return next(iter(shown_wizards(war, seat, place, "heal")), "")
    return found


def _helpful(now: Moment[War], kind: str) -> tuple[ChipId, ...]:
    """Return the treasures that help against a scroll: those that stop it, and the Holy Grail, which saves (QD-H18)."""
    grail = ("holy_grail",) if now.answer("QD-H18") == "magic_too" else ()
    return (*_stopping(now, kind), *grail)


def _hidden(now: Moment[War], scroll: str, seat: Seat, place: Place) -> tuple[ChipId, ...]:
    """Return the chips that their owner, who knows them, may turn up against a scroll."""
    war, kind = now.state, kind_of(scroll)
    chips = [name for name in _helpful(now, kind) if here(war, name, seat, place)]
    if kind == "berserk":
        chips += wizards_here(war, seat, place, "heal")
        if here(war, king_of(seat), seat, place):
            chips.append(king_of(seat))
    return tuple(name for name in chips if not war.chips[name].shown)


def _may_hide(now: Moment[War], scroll: str, seat: Seat, place: Place) -> bool:
    """Return whether a chip that helps against a scroll may lie hidden in a stack, as far as everybody knows."""
    war, kind = now.state, kind_of(scroll)
    if may_hide_treasure(war, seat, place) and any(
        (lies := war.chips.get(name)) is None or not lies.shown for name in _helpful(now, kind)
    ):
        return True
    if kind != "berserk":
        return False
    able = [king_of(seat), *(name for name in wizards_of(war, seat) if "heal" in war.spells[name])]
    return any(may_hold(war, seat, place, name) and not shown_here(war, name, place) for name in able)


class Reflect(Command[War]):
    """Turn a scroll back on who read it, by the scroll Reflect and a spell user in the place that is hit (QD-16.3).

    `user` is the chip of a king or wizard there, or `dragonlord`; left out, the first who gives nothing away.
    """

    WHEN = ("QD-16.3",)

    SEALS = False

    user: Annotated[User, word("by")] = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it without the scroll, without a spell user there, and against a Reflect (QD-16.3, QD-H19)."""
        step: Unleashed = now.state.agenda[-1].step
        if not step.may_be_turned(now):
            yield Refusal(
                "not_reflected_again",
                ("QD-16.3", "QD-H19"),
                "A scroll that was turned back by Reflect is not turned back again.",
            )
        yield from lacks(now.state, seat, "reflect")
        able = readers(now.state, seat, step.place)
        if not able or self.user not in ("", *able):
            yield Refusal(
                "no_spell_user",
                ("QD-16.3", "QD-16.1"),
                f"Reflect is read by a spell user in {step.place}, the place that is hit; {seat} has "
                f"{', '.join(able) or 'none'} there.",
                {"place": step.place, "user": self.user},
                secret=is_shaded(now.state, seat, step.place),
            )

    def untimely(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse it to who is struck where none of his spell users can be, as everybody knows: he is not even asked (QD-16.3)."""
        step = now.state.agenda[-1].step if now.state.agenda else None
        if not isinstance(step, Unleashed) or seat != step.victim or may_be_read(now.state, seat, step.place):
            return
        yield Refusal(
            "no_spell_user",
            ("QD-16.3", "QD-16.1"),
            f"Reflect is read by a spell user in {step.place}, the place that is hit; {seat} has none there.",
            {"place": step.place, "user": self.user},
        )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who read it; the scroll strikes where its reader is, an elemental the king's own place."""
        step: Unleashed = tale.top
        user = self.user or readers(tale.state, seat, step.place)[0]
        if user in tale.state.chips:
            show(tale, seat, user, ("QD-H9",))
        tale.tell(ScrollRead(seat, "reflect", user, step.place, step.seat, because=("QD-16.3",)))
        origin = step.origin
        if not origin:
            king = king_of(step.seat)
            show(tale, step.seat, king, ("QD-16.3", "QD-H42"))
            origin = tale.state.chips[king].place
        tale.become(Unleashed(step.scroll, seat, step.seat, origin, step.place, step.turned + 1))


class Protect(Command[War]):
    """Turn up a chip that protects from the scroll: a treasure; against Berserk the king or a wizard with Heal (QD-H9)."""

    WHEN = ("QD-16.1", "QD-H49")

    chip: ChipId

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse what does not lie face down there, or protects from nothing (QD-7.6, QD-16.4, QD-16.5)."""
        step: Unleashed = now.state.agenda[-1].step
        fit = _hidden(now, step.scroll, seat, step.place)
        if self.chip not in fit:
            yield Refusal(
                "no_protection_there",
                ("QD-H9", SCROLLS[kind_of(step.scroll)].section),
                f"{self.chip} does not lie face down in {step.place} to protect from {step.scroll}; "
                f"{' or '.join(fit) or 'nothing'} does.",
                {"chip": self.chip, "place": step.place},
                secret=is_shaded(now.state, seat, step.place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell that it is shown."""
        show(tale, seat, self.chip, ("QD-H9",))
        tale.reopen()


class Unleashed(Step[War]):
    """A scroll that strikes units of `victim` in a place: it may be answered, then the dice fall, then losses are told.

    `seat` read it, or turned it back last; `origin` is where he stands, and where it goes when it is turned back;
    empty for an elemental, whose king nobody has seen (QD-H42). `turned` says how often that happened.
    """

    scroll: str
    seat: Seat
    victim: Seat
    place: Place
    origin: Place = ""
    turned: Count = 0
    at: str = "answer"

    @property
    def kind(self) -> str:
        """The kind of the scroll."""
        return kind_of(self.scroll)

    def may_be_turned(self, now: Moment[War]) -> bool:
        """Return whether a Reflect may answer it: a Reflect itself is not reflected unless the table says so (QD-H19)."""
        return not self.turned or now.answer("QD-H19") == "yes"

    def _strikes(self, now: Moment[War]) -> bool:
        """Return whether somebody is there to be struck, and not protected in the open."""
        if not units_of(now.state, self.victim, self.place):
            return False
        return not protection(now, self.scroll, self.victim, self.place)

    def question(self, now: Moment[War]) -> Question | None:
        if not self._strikes(now):
            return None
        if self.at == "answer" and self._may_answer(now):
            prompt = f"{self.scroll} strikes {self.place}: turn it back, show what protects, or pass"
            return Question(
                "scroll_window", (self.victim,), (Reflect, Protect, Pass), ("QD-16.3", "QD-H49"), prompt
            )
        return self._roll(now) if self.at == "strike" else None

    def _may_answer(self, now: Moment[War]) -> bool:
        war = now.state
        if self.victim in war.out:
            return False
        if self.may_be_turned(now) and may_read(war, self.victim, self.place):
            return True
        return _may_hide(now, self.scroll, self.victim, self.place)

    def _roll(self, now: Moment[War]) -> Question:
        """Return the dice that say how many are lost: the player who is hit rolls them (QD-16.2, QD-16.4, QD-16.5)."""
        war, scroll = now.state, SCROLLS[self.kind]
        roller = right_of(now, self.seat, self.victim) if self.victim in war.out else ""
        because: tuple[SectionRef, ...] = (scroll.section,)
        if self.kind == "berserk":
            attack = RACES[self.victim]
            count = units_of(war, self.victim, self.place)
            hits = Hits(tuple(range(1, attack + 1)))
            roll = Roll(scroll.die, count, self.victim, hits, self.kind, roller)
            because = (*because, "QD-X3")
        else:
            roll = Roll(scroll.die, 1, self.victim, Sum(), self.kind, roller)
        return Question("roll", (CHANCE,), (), because, f"{self.kind} strikes {self.place}", roll=roll)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        war = now.state
        able = readers(war, seat, self.place)
        if able and self.may_be_turned(now) and holds(war, seat, "reflect"):
            yield Offer(Reflect, {"user": OneOf(("", *able))})
        fit = _hidden(now, self.scroll, seat, self.place)
        if fit:
            yield Offer(Protect, {"chip": OneOf(fit)})
        yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return not to answer: silence reads no scroll and turns up no chip (QD-H9)."""
        return Pass()

    def _to(self, stage: str) -> "Unleashed":
        return Unleashed(self.scroll, self.seat, self.victim, self.place, self.origin, self.turned, stage)

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that it is not answered."""
        if self.at == "answer":
            yield self.victim, Pass()

    def go_on(self, tale: Tale[War]) -> None:
        """Let it strike: it was not answered."""
        tale.become(self._to("strike"))

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Tell how many units are struck; their owner says which are lost (QD-X52)."""
        asked = tale.question
        assert asked is not None
        assert asked.roll is not None
        counts = asked.roll.counts
        if isinstance(counts, Hits):
            count = sum(face in counts.faces for face in faces)
        else:
            count = sum(face for face in faces if isinstance(face, int))
        if not count:
            tale.done()
            return
        tale.tell(UnitsStruck(self.victim, self.place, count, because=asked.because))
        tale.become(Losses(self.victim, self.place, self.kind), self._to("aftermath"))

    def play(self, tale: Tale[War]) -> None:
        """Go on where nobody is asked: strike, be foiled, or tell what the losses lead to."""
        if self.at == "aftermath":
            self._conclude(tale)
        elif self._strikes(tale):
            self.go_on(tale)
        else:
            shield = protection(tale, self.scroll, self.victim, self.place)
            if shield:
                why = TREASURES[shield].section if shield in TREASURES else "QD-16.4"
                because = (SCROLLS[self.kind].section, why)
                tale.tell(ScrollFoiled(self.victim, self.scroll, self.place, shield, because=because))
            tale.done()

    def _conclude(self, tale: Tale[War]) -> None:
        """Tell who beat a king: whoever turned the scroll back last, or else its reader (QD-H48); and what becomes of the place.

        Amid a battle over that place the battle tells the latter.
        """
        tale.done()
        battle = tale.state.battle
        fought_for = battle is not None and battle.place == self.place
        if not fought_for:
            _clear(tale, self.victim, self.place)
        if self.victim in tale.state.fallen:
            king_beaten(tale, self.victim, self.seat)
        if battle is None:
            check_end(tale)
        else:
            tale.top.struck_by_a_scroll(tale)


def _clear(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell what becomes of treasures and ships where a scroll has taken units outside battle (QD-H54, QD-H39)."""
    war = tale.state
    army = war.armies.get(place)
    if not units_of(war, seat, place):
        hand_over(tale, place, seat, "")
    attacks = seat == war.active and (
        column_size(war, seat, place) > 0 or place in war.raiders or (army is not None and army.seat != seat)
    )
    if place in ZONES:
        if attacks:
            settle_raiders(tale, seat, place)
        else:
            settle_ships(tale, seat, place)
    elif place in war.raiders and place not in war.columns:
        if army is not None:
            take_ships(tale, army.seat, place, seat, war.raiders[place])
        else:
            lose_ships(tale, place, seat, seat)
    elif place in SPACE_OF and not units_of(tale.state, seat, place):
        leave_behind(tale, seat, place)
    if place not in tale.state.armies and place in tale.state.columns:
        from .conquest import take_place  # noqa: PLC0415 - what a battle leads to stands on battles, and they on scrolls

        take_place(tale, tale.state.columns[place][0].seat, place, seat, ("QD-H26",))


COMMANDS = (Reflect, Protect)
STEPS = (Unleashed,)
