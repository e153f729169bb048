"""Reading scrolls (QD-16): on one's own turn between any two acts, and in battle at the beginning of a round (QD-H29).

What a scroll can be read for is in `scroll_aims.py`, what it does that strikes a player in `scroll_effects.py`, what is
known of hands and readers in `scroll_book.py`.
"""

from collections.abc import Iterator
from typing import Annotated

from core.asking import Between, Bound, Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, word
from core.telling import Moment, Tale
from events.event import Count, Seat, SectionRef

from .board import SPACE_OF, SPACES, ZONES
from .decks import ScrollName, deck_of
from .docks import ShipsDocked
from .learning import lords_left
from .movement import show
from .parties import MeetsDragon
from .phases import Phase
from .purchase import ships_left
from .scroll_aims import (
    MOST_RAISED,
    able_to_read,
    berth_of,
    charm_forbidden,
    charmers,
    enemies_in,
    hands_to_see,
    may_hide_readers,
    room_for_legion,
)
from .scroll_book import (
    KINDS,
    SCROLLS,
    HandSeen,
    LegionCame,
    ScrollRead,
    holds,
    kind_of,
    lacks,
    may_read,
    may_read_somewhere,
    way_of,
)
from .scroll_effects import Unleashed, protection
from .spellbook import king_of
from .state import Place, User, War
from .treasures import TREASURES
from .variants import closed_to, forbids_place

__all__ = ["COMMANDS", "ReadScroll", "asks_to_read", "may_read_in_battle", "offers_to_read"]


class ReadScroll(Command[War]):
    """Read a scroll; `place` is where it works: where its reader is, or what an elemental strikes (QD-16.1, QD-16.2).

    `user` is the chip of the king or wizard who reads, or `dragonlord`; left out, the first who gives nothing away.
    `target` is the player whose scrolls are looked at, or, where two enemies are in a place, which one is struck;
    `units` is how many a Legion brings.
    """

    WHEN = ("QD-16.1", "QD-14.1")

    SEALS = False

    scroll: ScrollName
    place: Annotated[Place, word("in")]
    user: Annotated[User, word("by")] = ""
    target: Annotated[Seat, word("against")] = ""
    units: Annotated[Count, word("with")] = 0

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse a scroll not in hand, without a reader there, and what it can't do there (QD-16.1 to QD-16.9)."""
        war, kind = now.state, kind_of(self.scroll)
        if self.scroll not in KINDS:
            yield Refusal(
                "no_scroll_of_that_name",
                ("QD-16.1",),
                f"No scroll is called {self.scroll!r}; there are {', '.join(KINDS)}.",
                {"scroll": self.scroll},
            )
            return
        if kind == "reflect":
            yield Refusal(
                "answers_only",
                ("QD-16.3",),
                "Reflect is for defence only: it answers a scroll that strikes a place of one's own.",
            )
            return
        if self.scroll not in deck_of(war):
            yield Refusal(
                "out_of_the_deck",
                ("QD-23.3",),
                f"In the long game there is no {self.scroll}: these scrolls are taken out of the deck.",
                {"scroll": self.scroll},
            )
            return
        yield from lacks(war, seat, self.scroll)
        able = able_to_read(war, seat, self.scroll, self.place)
        if not able or self.user not in ("", *able):
            who = "the king" if kind == "summon_elemental" else f"a spell user in {self.place}"
            yield Refusal(
                "no_spell_user",
                (SCROLLS[kind].section, "QD-16.1", "QD-H49"),
                f"{self.scroll} is read by {who}, in battle only by who stands in it; {seat} has "
                f"{', '.join(able) or 'none'}.",
                {"place": self.place, "user": self.user},
                secret=may_hide_readers(war, seat, kind, self.place),
            )
        yield from self._forbids_effect(now, seat, kind)

    def _forbids_effect(self, now: Moment[War], seat: Seat, kind: str) -> Iterator[Refusal]:
        war = now.state
        if self.units and kind != "legion":
            yield Refusal("no_units", ("QD-16.7",), f"{kind} brings no units; Legion does.")
        if SCROLLS[kind].harms:
            yield from self._forbids_harm(now, seat, kind)
            return
        if self.target and kind != "clairvoyance":
            yield Refusal(
                "no_target",
                (SCROLLS[kind].section,),
                f"{kind} is read against nobody.",
                {"target": self.target},
            )
        if kind == "ship":
            if not berth_of(war, seat, self.place):
                yield Refusal(
                    "no_harbour",
                    ("QD-16.6",),
                    f"A ship is gained in a harbour territory of one's own or in a village, not in {self.place}.",
                    {"place": self.place},
                )
            if ships_left(now) < 1:
                yield Refusal(
                    "no_ship_left", ("QD-16.6", "QD-H6"), "Every ship is in play or bought; there is no gain."
                )
        elif kind == "legion":
            most = room_for_legion(now, seat, self.place)
            if not 1 <= self.units <= most:
                yield Refusal(
                    "no_room_for_legion",
                    ("QD-16.7", "QD-H12"),
                    f"A Legion brings 1 to {MOST_RAISED} units, and {max(0, most)} fit in {self.place}, not {self.units}.",
                    {"most": max(0, most), "given": self.units},
                    waivable=1 <= self.units <= MOST_RAISED and self.place in SPACE_OF,
                )
        elif kind == "clairvoyance" and self.target not in hands_to_see(war, seat):
            yield Refusal(
                "no_hand_to_see",
                ("QD-16.9",),
                f"Clairvoyance shows the scrolls of another player; {', '.join(hands_to_see(war, seat)) or 'nobody'} "
                f"holds any, not {self.target or 'nobody'}.",
                {"target": self.target},
            )
        elif kind == "charm":
            yield from charm_forbidden(now, seat, self.place, self.user)

    def _forbids_harm(self, now: Moment[War], seat: Seat, kind: str) -> Iterator[Refusal]:
        war, place, section = now.state, self.place, SCROLLS[kind].section
        if place in SPACE_OF:
            if kind == "summon_elemental":
                yield Refusal(
                    "not_in_wastelands",
                    ("QD-16.2",),
                    f"{place} lies in the Wastelands, where no elemental goes.",
                    {"place": place},
                    waivable=True,
                )
            elif SPACES[SPACE_OF[place]].kind == "shrine":
                yield Refusal(
                    "peace_of_the_shrine",
                    ("QD-6.8", "QD-H49"),
                    f"{place} is a shrine: no scroll harms anybody there.",
                    {"place": place},
                )
        if place in ZONES and kind in ("infernal", "tempest") and now.answer("QD-H17") == "not_at_sea":
            yield Refusal(
                "not_at_sea",
                (section, "QD-H17"),
                f"{kind} does not work against a blockade at this table.",
                {"place": place},
                waivable=True,
            )
        enemies = enemies_in(war, seat, place)
        if not enemies and closed_to(war, seat, place):
            yield from forbids_place(war, seat, place)
            return
        if not enemies or self.target not in ("", *enemies):
            yield Refusal(
                "nobody_to_strike",
                (section, "QD-16.1", "QD-H49"),
                f"{self.scroll} strikes enemies in {place}; {', '.join(enemies) or 'none'} is there"
                + (f", not {self.target}." if self.target else "."),
                {"place": place, "target": self.target},
            )
            return
        victim = self.target or enemies[0]
        shield = protection(now, self.scroll, victim, place)
        if shield:
            yield Refusal(
                "protected",
                (section, TREASURES[shield].section)
                if shield in TREASURES
                else (section, "QD-14.2", "QD-15.1"),
                f"{shield} protects the units of {victim} in {place} from {kind}.",
                {"by": shield, "place": place},
                waivable=True,
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell who read it, then what it does; an elemental does not show the king (QD-H42)."""
        war, kind = tale.state, kind_of(self.scroll)
        able = able_to_read(war, seat, self.scroll, self.place)
        user = self.user or (charmers(tale, seat, self.place) if kind == "charm" else able)[0]
        because: tuple[SectionRef, ...] = (SCROLLS[kind].section, "QD-16.1")
        harms = SCROLLS[kind].harms
        victim = self.target or (enemies_in(war, seat, self.place)[0] if harms else "")
        if kind != "summon_elemental" and user in war.chips:
            show(tale, seat, user, ("QD-H9",))
        tale.tell(ScrollRead(seat, self.scroll, user, self.place, victim, because=because))
        if kind == "charm":
            tale.top.charm_by(tale, user)
            return
        tale.reopen()
        if harms:
            origin = "" if kind == "summon_elemental" else self.place
            tale.then(Unleashed(self.scroll, seat, victim, self.place, origin))
        elif kind == "ship":
            tale.tell(ShipsDocked(seat, berth_of(war, seat, self.place), 1, because=("QD-16.6", "QD-H39")))
        elif kind == "legion":
            way = way_of(war, seat, self.place, user)
            way = "ship" if way and self.place in ZONES else way
            tale.tell(LegionCame(seat, self.place, self.units, way, because=("QD-16.7", "QD-X72")))
        else:
            hand = war.hands.get(self.target, ())
            tale.tell(HandSeen(seat, self.target, hand, because=("QD-16.9",)))


def asks_to_read(now: Moment[War]) -> Question | None:
    """Return what a turn asks from beneath: between any two acts its player may read a scroll (QD-16.1, QD-X57).

    Amid dice, losses and battles nothing is read in between: battles have a stage of their own for it (QD-H29).
    """
    war = now.state
    seat, step, asked = war.active, war.agenda[-1].step, now.question
    if not isinstance(step, Phase) or war.battle is not None or asked is None or asked.seats != (seat,):
        return None
    if not may_read_somewhere(war, seat):
        return None
    return Question("scroll", (seat,), (ReadScroll,), ("QD-16.1", "QD-X57"), "read a scroll")


def may_read_in_battle(now: Moment[War], seat: Seat, place: Place) -> bool:
    """Return whether a side of a battle may have a scroll to read at the beginning of a round (QD-H29, QD-H49)."""
    return may_read(now.state, seat, place)


def offers_to_read(now: Moment[War], seat: Seat) -> Iterator[Offer]:
    """Yield one offer for each scroll in the hand of a seat and each place where it can be read, from what it knows."""
    war = now.state
    if not war.hands.get(seat):
        return
    cards = [card for card in KINDS if holds(war, seat, card)]
    elementals = tuple(card for card in cards if kind_of(card) == "summon_elemental")
    if elementals and able_to_read(war, seat, elementals[0], ""):
        places = tuple(dict.fromkeys((*war.armies, *war.columns)))
        yield from _harms(now, seat, elementals, places, (king_of(seat),))
    yield from _charms(now, seat, cards)
    others = [
        card for card in cards if kind_of(card) != "summon_elemental" and card not in ("reflect", "charm")
    ]
    if not others:
        return
    for place in _places_of_readers(war, seat):
        able = able_to_read(war, seat, others[0], place)
        if able:
            yield from _offers_there(now, seat, others, place, able)


def _charms(now: Moment[War], seat: Seat, cards: list[str]) -> Iterator[Offer]:
    """Yield the offer to charm the dragon that a party meets."""
    step = now.state.agenda[-1].step
    if "charm" in cards and isinstance(step, MeetsDragon) and lords_left(now) > 0:
        able = charmers(now, seat, step.place)
        if able:
            yield Offer(ReadScroll, {"scroll": "charm", "place": step.place, "user": OneOf(("", *able))})


def _places_of_readers(war: War, seat: Seat) -> tuple[Place, ...]:
    known = [chip.place for _, chip in sorted(war.chips.items()) if chip.seat == seat]
    lords = [place for place, army in war.armies.items() if army.seat == seat and army.dragonlords]
    lords += [place for place, columns in war.columns.items() if any(c.dragonlords for c in columns)]
    return tuple(dict.fromkeys((*known, *lords)))


def _harms(
    now: Moment[War], seat: Seat, cards: tuple[str, ...], places: tuple[Place, ...], able: tuple[str, ...]
) -> Iterator[Offer]:
    """Yield the offers to strike the enemies in places by scrolls of one kind; who holds a place need not be named."""
    war, kind = now.state, kind_of(cards[0])
    at_sea = kind not in ("infernal", "tempest") or now.answer("QD-H17") == "work_at_sea"
    by: Bound = OneOf(("", *able))
    found: dict[tuple[str, ...], list[Place]] = {}
    for place in places:
        if (place in ZONES and not at_sea) or (place in SPACE_OF and not _harms_in_wastelands(kind, place)):
            continue
        enemies = enemies_in(war, seat, place)
        for enemy in enemies:
            if not protection(now, cards[0], enemy, place):
                named: tuple[str, ...] = ("", enemy) if enemy == enemies[0] else (enemy,)
                found.setdefault(named, []).append(place)
    for named, struck in found.items():
        yield Offer(
            ReadScroll,
            {"scroll": OneOf(cards), "place": OneOf(tuple(struck)), "user": by, "target": OneOf(named)},
        )


def _harms_in_wastelands(kind: str, place: Place) -> bool:
    return kind != "summon_elemental" and SPACES[SPACE_OF[place]].kind != "shrine"


def _offers_there(
    now: Moment[War], seat: Seat, cards: list[str], place: Place, able: tuple[str, ...]
) -> Iterator[Offer]:
    by: Bound = OneOf(("", *able))
    for card in cards:
        fields: dict[str, Bound | str] = {"scroll": card, "place": place, "user": by}
        if SCROLLS[card].harms:
            yield from _harms(now, seat, (card,), (place,), able)
        elif card == "ship" and berth_of(now.state, seat, place) and ships_left(now) > 0:
            yield Offer(ReadScroll, fields)
        elif card == "legion" and (most := room_for_legion(now, seat, place)) > 0:
            yield Offer(ReadScroll, {**fields, "units": Between(1, most)})
        elif card == "clairvoyance" and (hands := hands_to_see(now.state, seat)):
            yield Offer(ReadScroll, {**fields, "target": OneOf(hands)})


COMMANDS = (ReadScroll,)
