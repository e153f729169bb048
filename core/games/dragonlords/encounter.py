"""The fight of a party against a monster, stage by stage (QD-9.2 to QD-9.4).

The monster acts first: the player on the right, who reads the card, rolls for it; the party answers with dice of as many
sides as the monster has defence. Webbed and poisoned units answer no more, and are cured or lost when the fight is over.
"""

from collections.abc import Callable, Iterator
from typing import Final

from core.asking import Offer, OneOf, Question
from core.rules import Command
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Hits, Names, Roll
from events.event import Face, Seat, SectionRef

from .armies import UnitsStruck
from .battle import BattleBegan, BattleEnded, RoundBegan
from .elixir import asks_to_drink, offers_to_drink, spare
from .items import carried, leave_behind, spend_item
from .learning import Rising, lords_left, raise_by_charm
from .losses import Losses
from .monsters import monster_of
from .movement import show
from .parties import MeetsDragon, drop_quest
from .phases import Pass, right_of
from .quest_combat import (
    Cure,
    MonsterHurt,
    Throw,
    UnitsCured,
    UnitsPoisoned,
    UseOrb,
    cures,
    harms,
    is_beaten,
    strikers,
    throwers,
)
from .scrolls import ReadScroll, may_read_in_battle, offers_to_read
from .spell_users import Declare, has_to_declare, offers_to_declare, tell_declared
from .spellbook import may_know, shown_wizards
from .spells import dice_spent, is_protected, less_for_spells, possible
from .state import ChipId, Place, War, shade
from .strength import Side, attack_strength, battle_of, defenders, monster_strength
from .treasures import hand_over

__all__ = ["STAGES", "STEPS", "Encounter", "meet", "tame"]

STAGES: Final = (
    "declare", "drink", "strike", "drink_late", "spare", "orb", "cast", "answer", "toll", "end", "cure", "over",
)  # fmt: skip
"""The stages of a round against a monster, in order; `cure` and `over` follow the last one (QD-9.3, QD-H15, QD-H32)."""


SPOKEN: Final = ("declare", "drink", "drink_late", "orb", "cast", "cure")
"""The stages in which its owner may say something."""


def meet(tale: Tale[War], seat: Seat, place: Place, monster: str) -> None:
    """Tell that a party meets a monster, and lay the fight."""
    tale.tell(BattleBegan(place, monster, seat, "monster", because=("QD-9.2", "QD-9.3")))
    tale.then(Encounter(seat, place))


class Encounter(MeetsDragon):
    """The fight of a party against the monster it met, at one of the stages of a round (QD-9.2, QD-9.3)."""

    at: str = "declare"

    def is_on(self, now: Moment[War]) -> bool:
        """Return whether the fight goes on here; the party may be gone, then it is lost."""
        war = now.state
        battle = war.battle
        fights = battle is not None and battle.kind == "monster" and battle.place == self.place
        return fights and (war.active, war.phase) == (self.seat, "quest")

    def asked(self, now: Moment[War]) -> Question | None:
        side = defenders(now.state)
        if not side.size or self.seat in now.state.out:
            return None
        match self.at:
            case "declare":
                return self._ask_to_declare(now, side)
            case "drink" | "drink_late":
                return asks_to_drink(now, self.seat, late=self.at == "drink_late")
            case "strike":
                return self._ask_for_its_dice(now, side)
            case "orb":
                return self._ask_to_charm(now)
            case "charm":
                return self._ask_for_the_crystal()
            case "cast":
                return self._ask_to_throw(now, side)
            case "answer":
                return self._ask_for_dice(now, side)
            case "cure":
                return self._ask_to_cure(now)
            case _:
                return None

    def _asks(
        self, kind: str, because: tuple[SectionRef, ...], prompt: str, *answers: type[Command[War]]
    ) -> Question:
        return Question(kind, (self.seat,), answers, because, prompt)

    def _ask_to_declare(self, now: Moment[War], side: Side) -> Question | None:
        because = ("QD-H31", "QD-10.4")
        if may_read_in_battle(now, self.seat, self.place):
            prompt = "read a scroll, or declare what works this round"
            return self._asks("declare", because, prompt, Declare, ReadScroll)
        if has_to_declare(now, side):
            return self._asks("declare", because, "declare what works this round", Declare)
        return None

    def meets_dragon(self, now: Moment[War]) -> bool:
        """Return whether the monster is a dragon, at the beginning of a round, when scrolls are read (QD-H29)."""
        return self.at == "declare" and self.is_on(now) and monster_of(now.state).is_dragon

    def charm_by(self, tale: Tale[War], wizard: ChipId) -> None:
        """End fight and quest: the wizard who read Charm becomes a DragonLord (QD-16.8)."""
        _end(tale, self.place, self.seat)
        drop_quest(tale)
        raise_by_charm(tale, self.seat, self.place, wizard)

    def _ask_for_its_dice(self, now: Moment[War], side: Side) -> Question | None:
        """Return the monster's dice, which the player on the right rolls; none where its fire harms nobody (QD-7.7)."""
        monster = monster_of(now.state)
        if monster.on_hit == "dragonfire" and is_protected(now.state, side, "dragonfire"):
            return None
        attack, because = monster_strength(now.state, monster.attack)
        count = side.size if now.answer("QD-H2") == "die_per_unit" else monster.attacks_per_round
        hits = Hits(tuple(range(1, attack + 1)))
        roll = Roll("d6", count, monster.name, hits, "monster", right_of(now, self.seat))
        prompt = f"the {monster.name} strikes at {attack}"
        return Question("roll", (CHANCE,), (), (*because, "QD-9.4", "QD-H2"), prompt, roll=roll)

    def _ask_to_charm(self, now: Moment[War]) -> Question | None:
        war = now.state
        if not self._may_charm(now) or strikers(war) < 1:
            return None
        return self._asks(
            "orb", ("QD-8.6", "QD-6.12"), "try the orb in place of your dice, or pass", UseOrb, Pass
        )

    def _may_charm(self, now: Moment[War]) -> bool:
        dragon = monster_of(now.state).is_dragon
        return dragon and lords_left(now) > 0 and "dragonorb" in carried(now.state, self.seat, self.place)

    def _ask_for_the_crystal(self) -> Question:
        roll = Roll("crystal", 1, self.seat, Names(), "charm")
        return Question(
            "roll", (CHANCE,), (), ("QD-8.6",), f"{self.seat} tries to charm the dragon", roll=roll
        )

    def _ask_to_throw(self, now: Moment[War], side: Side) -> Question | None:
        war = now.state
        if is_beaten(war) or strikers(war) < 1 or not any(harms(war, spell) for spell in possible(war, side)):
            return None
        return self._asks(
            "throw", ("QD-14.1", "QD-X61"), "throw a spell at the monster, or pass", Throw, Pass
        )

    def _ask_for_dice(self, now: Moment[War], side: Side) -> Question | None:
        """Return the party's dice: one for each unit that can strike, of as many sides as the monster's defence."""
        war = now.state
        count = strikers(war) - dice_spent(now, side)
        if is_beaten(war) or count < 1:
            return None
        monster = monster_of(war)
        strength, because = attack_strength(now, side)
        hits = Hits(tuple(range(1, min(strength, monster.defence) + 1)))
        less, fewer = less_for_spells(now, side)
        roll = Roll(f"d{monster.defence}", count, self.seat, hits, "counter-attack", less=less)
        prompt = f"{self.seat} strikes back at T.A.S. {strength}"
        sections = fewer or ("QD-9.2", "QD-9.3", *because)
        return Question("roll", (CHANCE,), (), sections, prompt, roll=roll)

    def _ask_to_cure(self, now: Moment[War]) -> Question | None:
        war = now.state
        if not battle_of(war).poisoned or shown_wizards(war, self.seat, self.place, "heal"):
            return None
        potion = "potion" in carried(war, self.seat, self.place)
        if not potion and not may_know(war, self.seat, self.place, "heal"):
            return None
        return self._asks("cure", ("QD-9.3", "QD-H32"), "cure the poisoned units, or pass", Cure, Pass)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        if self.at == "declare":
            yield from offers_to_declare(now, seat)
            if may_read_in_battle(now, seat, self.place):
                yield from offers_to_read(now, seat)
            return
        if self.at in ("drink", "drink_late"):
            yield from offers_to_drink()
            return
        if self.at == "orb":
            yield Offer(UseOrb)
        elif self.at == "cast":
            users: dict[str, list[str]] = {}
            for user, spell in throwers(now, defenders(now.state)):
                users.setdefault(spell, []).append(user)
            for spell, able in users.items():
                yield Offer(Throw, {"spell": spell, "user": OneOf(("", *able))})
        elif fit := cures(now, seat):
            yield Offer(Cure, {"by": OneOf(fit)})
        yield Offer(Pass)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return that nothing more is shown, drunk or tried, but that a potion cures who is poisoned."""
        if self.at == "declare":
            return Declare()
        if self.at == "cure" and "potion" in carried(now.state, seat, self.place):
            return Cure("potion")
        return Pass()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that nothing is declared, drunk, tried, thrown or cured."""
        if self.at in SPOKEN and self.is_on(now):
            yield self.seat, Declare() if self.at == "declare" else Pass()

    def to(self, tale: Tale[War], stage: str) -> None:
        """Go on to another stage."""
        tale.become(Encounter(self.seat, self.place, stage))

    def go_on(self, tale: Tale[War]) -> None:
        """Go on to the next stage; who is not cured is lost."""
        if self.at == "cure":
            self._bury(tale)
        else:
            self.to(tale, STAGES[STAGES.index(self.at) + 1])

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Tell what the dice hit; the crystal die says whether the dragon is charmed."""
        if self.at == "charm":
            self._charmed(tale, faces[0])
            return
        asked = tale.question
        assert asked is not None
        assert asked.roll is not None
        assert isinstance(asked.roll.counts, Hits)
        hits = sum(face in asked.roll.counts.faces for face in faces)
        because = ("QD-9.2", "QD-X1")
        if hits and self.at == "strike":
            tale.tell(UnitsStruck(self.seat, self.place, hits, because=because))
        elif hits:
            tale.tell(MonsterHurt(monster_of(tale.state).name, self.place, hits, because=because))
        self.go_on(tale)

    def _charmed(self, tale: Tale[War], face: Face) -> None:
        """Go on with a DragonLord, another roll, or the dragon's next attack (QD-8.6, QD-X31)."""
        if face == "yellow":
            spend_item(tale, self.seat, self.place, "dragonorb", ("QD-8.6",))
            tame(tale, self.seat, self.place)
        elif face == "blue":
            tale.reopen()
        else:
            self.to(tale, "toll")

    def play(self, tale: Tale[War]) -> None:
        """Go on where nobody is asked; vanquished units fight no more, and those who are not cured are lost (QD-22.1)."""
        if not self.is_on(tale):
            if tale.state.battle is not None and tale.state.battle.kind == "monster":
                _end(tale, self.place, "")
            tale.done()
        elif not defenders(tale.state).size:
            self._perish(tale)
        elif self.seat in tale.state.out and self.at not in ("cure", "over"):
            tale.become(Losses(self.seat, self.place, "monster"), Encounter(self.seat, self.place, "cure"))
        else:
            acts: dict[str, Callable[[Tale[War]], None]] = {
                "declare": self._declare, "spare": self._spare, "toll": self._toll, "end": self._next_round,
                "cure": self._cure, "over": self._conclude,
            }  # fmt: skip
            acts.get(self.at, self.go_on)(tale)

    def _declare(self, tale: Tale[War]) -> None:
        tell_declared(tale, defenders(tale.state))
        self.go_on(tale)

    def _spare(self, tale: Tale[War]) -> None:
        """Let the drinker take the hits, then let them work as the monster's do (QD-X84, QD-9.3)."""
        seat, place = self.seat, self.place
        stack, on_hit = shade(seat, place), monster_of(tale.state).on_hit
        spare(tale, seat)
        hits = tale.state.struck.get(stack, 0)
        if hits and on_hit == "dragonfire":
            tale.become(Losses(seat, place, "breath"), Encounter(seat, place, "orb"))
            return
        if hits and on_hit != "kill":
            tale.tell(UnitsPoisoned(seat, place, min(hits, strikers(tale.state)), because=("QD-9.3",)))
        self.go_on(tale)

    def _toll(self, tale: Tale[War]) -> None:
        """Take the losses of who was hit: they have struck back (QD-9.3)."""
        tale.become(Losses(self.seat, self.place, "monster"), Encounter(self.seat, self.place, "end"))

    def _next_round(self, tale: Tale[War]) -> None:
        """Begin another round, unless the monster is beaten or nobody is left who can strike (QD-H32)."""
        war = tale.state
        if is_beaten(war) or strikers(war) < 1:
            self.to(tale, "cure")
            return
        tale.tell(RoundBegan(battle_of(war).round + 1, because=("QD-9.2", "QD-10.9")))
        self.to(tale, "declare")

    def _cure(self, tale: Tale[War]) -> None:
        """Cure by a wizard whom everybody sees; without any cure the poisoned units are lost."""
        healers = shown_wizards(tale.state, self.seat, self.place, "heal")
        if healers and battle_of(tale.state).poisoned:
            self.cured(tale, healers[0])
        else:
            self._bury(tale)

    def cured(self, tale: Tale[War], by: str) -> None:
        """Tell what cured the units."""
        if by == "potion":
            spend_item(tale, self.seat, self.place, "potion", ("QD-8.3",))
        else:
            show(tale, self.seat, by, ("QD-15.1", "QD-H9"))
        count = battle_of(tale.state).poisoned
        because: tuple[SectionRef, ...] = ("QD-8.3" if by == "potion" else "QD-15.1", "QD-9.3", "QD-H32")
        tale.tell(UnitsCured(self.seat, self.place, count, because=because))
        self.to(tale, "over")

    def _bury(self, tale: Tale[War]) -> None:
        poisoned = battle_of(tale.state).poisoned
        over = Encounter(self.seat, self.place, "over")
        if poisoned:
            tale.tell(UnitsStruck(self.seat, self.place, poisoned, because=("QD-9.3", "QD-H32")))
            tale.become(Losses(self.seat, self.place, "poison"), over)
        else:
            tale.become(over)

    def _conclude(self, tale: Tale[War]) -> None:
        """Tell the end: who beat the monster goes on to the reward, who did not has failed on this quest (QD-H32)."""
        if is_beaten(tale.state):
            _end(tale, self.place, self.seat)
            tale.done()
        else:
            _end(tale, self.place, monster_of(tale.state).name)
            drop_quest(tale)

    def _perish(self, tale: Tale[War]) -> None:
        """Tell what a lost party leaves: its treasures go back, its items are gone (QD-H54, QD-8.1)."""
        winner = "" if is_beaten(tale.state) else monster_of(tale.state).name
        hand_over(tale, self.place, self.seat, "")
        leave_behind(tale, self.seat, self.place)
        _end(tale, self.place, winner)
        drop_quest(tale)


def _end(tale: Tale[War], place: Place, winner: str) -> None:
    rounds = battle_of(tale.state).round
    tale.tell(BattleEnded(place, winner, rounds=rounds, because=("QD-9.2", "QD-10.9")))


def tame(tale: Tale[War], seat: Seat, place: Place) -> None:
    """Tell that a dragon is charmed: fight and quest are over, a unit becomes a DragonLord, and that is all (QD-8.6).

    What stands below the line is for who beats the dragon.
    """
    if tale.state.battle is not None:
        _end(tale, place, seat)
    drop_quest(tale)
    tale.then(Rising(seat, place))


STEPS = (Encounter,)
