"""A battle, round by round (QD-10.1, QD-H29). Land, sea, sneak attack and party against party fight the same round.

A kind of battle names the stages of its round. Whoever opens a battle tells `BattleBegan` and lays two steps: `Round`,
and beneath it one of its own that says what follows when a side is gone or has left; that one tells `BattleEnded`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import structs

from core.asking import Offer, Question
from core.rules import Command, Fact, Step
from core.seats import CHANCE
from core.telling import Moment, Tale
from events import play
from events.chance import Hits, Roll
from events.counting import plural
from events.event import Count, Face, Seat, SectionRef

from .armies import UnitsStruck
from .elixir import asks_to_drink, offers_to_drink, spare
from .ending import ending_of, king_beaten
from .flight import ANSWERING, Flee, Withdraw, has_to_flee, offers_to_flee
from .in_battle import InBattle
from .losses import Losses
from .phases import Pass, right_of
from .retreat import Continue, Retreat, has_to_choose, offers_to_choose
from .scrolls import ReadScroll, may_read_in_battle, offers_to_read
from .spell_users import Declare, has_to_declare, offers_to_declare, tell_declared
from .spells import Cast, dice_spent, has_to_cast, less_for_spells, offers_to_cast
from .state import Battle, War, shade
from .strength import Side, attack_strength, attackers, battle_of, defenders, is_vanquished, over

__all__ = [
    "FACTS",
    "STAGES",
    "STEPS",
    "BattleBegan",
    "BattleEnded",
    "Pass",
    "Round",
    "RoundBegan",
    "end_amid_battle",
]

_ALL = (
    "attacker_declares",
    "defender_declares",
    "attacker_casts",
    "attacker_rolls",
    "flight",
    "defender_casts",
    "defender_rolls",
    "losses",
    "choice",
)
STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "land": _ALL,
    "sneak": (*_ALL[:5], "losses"),
    "sea": tuple(stage for stage in _ALL if stage not in ("attacker_casts", "defender_casts", "choice")),
    "quest": (
        *_ALL[:2], "attacker_drinks", "defender_drinks", *_ALL[2:-2], "attacker_drinks_late", "defender_drinks_late",
        "losses",
    ),
}  # fmt: skip
"""The stages of a round by the kind of battle (QD-H29, QD-12.2, QD-H50, QD-9.1).

At sea nobody throws an attack spell, no treasure gives one, and nobody retreats (QD-11.1, QD-11.3, QD-14.7, QD-X7,
QD-H51).
"""


HITS: Final[Mapping[int, Hits]] = {strength: Hits(tuple(range(1, strength + 1))) for strength in range(1, 7)}
"""What hits by the T.A.S. of a side (QD-10.3)."""


class BattleBegan(play.BattleBegan, tag="BattleBegan"):
    """A battle began; the state keeps it until it has ended."""

    def onto(self, state: War) -> War:  # type: ignore[override]  # the shared fact folds onto any state
        battle = Battle(self.place, self.attacker, self.defender, self.kind)
        return structs.replace(state, battle=battle)


class BattleEnded(play.BattleEnded, tag="BattleEnded"):
    """A battle is over."""

    def onto(self, state: War) -> War:  # type: ignore[override]  # the shared fact folds onto any state
        return structs.replace(state, battle=None)


class RoundBegan(Fact[War]):
    """Another round of the battle began; nothing is declared or spent in it yet (QD-10.9)."""

    round: Count

    def onto(self, state: War) -> War:
        new = structs.replace(battle_of(state), round=self.round, cast=(), used=(), fled=0)
        return structs.replace(state, battle=new)


class Round(Step[War]):
    """A round of the battle that is being fought, at one of its stages."""

    at: str = "attacker_declares"

    def _side(self, war: War) -> Side:
        return attackers(war) if self.at.startswith("attacker") or self.at == "choice" else defenders(war)

    def question(self, now: Moment[War]) -> Question | None:
        war = now.state
        if war.battle is None or self.at not in STAGES[war.battle.kind]:
            return None
        if _kings_to_settle(war) or self._is_decided(now):
            return None
        side = self._side(war)
        at = self.at
        if at.endswith("declares"):
            if may_read_in_battle(now, side.seat, side.place):
                prompt = "read a scroll, or declare what works this round"
                return self._asks(war, "declare", side.seat, Declare, ReadScroll, prompt=prompt)
            if has_to_declare(now, side):
                return self._asks(war, "declare", side.seat, Declare, prompt="declare what works this round")
        elif "drinks" in at:
            return asks_to_drink(now, side.seat, late=at.endswith("late"))
        elif at.endswith("casts"):
            if has_to_cast(now, side):
                return self._asks(war, "cast", side.seat, Cast, Pass, prompt="make a spell attack or pass")
        elif at == "flight":
            if has_to_flee(now, side):
                return self._asks(
                    war, "flight", side.seat, Flee, Pass, prompt="let a spell user flee or pass"
                )
        elif at == "choice":
            if has_to_choose(now):
                return self._asks(
                    war, "choice", side.seat, Continue, Retreat, Withdraw, prompt="go on, retreat or withdraw"
                )
        elif at.endswith("rolls"):
            return self._roll(now, side)
        return None

    def _is_decided(self, now: Moment[War]) -> bool:
        """Return whether no more dice are due: a side is gone, or the attacker's king fell and he attacks no more."""
        war = now.state
        battle = battle_of(war)
        if battle.attacker in war.out:
            return True
        if battle.fled and now.answer("QD-X6") == "rolls_and_flees" and self.at in ANSWERING:
            return not attackers(war).size
        return over(war)

    def _asks(self, war: War, kind: str, seat: Seat, *answers: type[Command[War]], prompt: str) -> Question:
        """Return a question by the sections that say in this kind of battle when it is answered, if it has such."""
        usual = SECTIONS[kind]
        own = answers[0].WHEN_IN.get(battle_of(war).kind) if issubclass(answers[0], InBattle) else None
        because = usual if own is None else tuple(dict.fromkeys((*own, usual[0])))
        return Question(kind, (seat,), answers, because, prompt)

    def _roll(self, now: Moment[War], side: Side) -> Question | None:
        """Return the dice of a side, one for each unit that has not attacked or fled otherwise (QD-10.5, QD-10.6).

        They are D6, for all units have defence 6 (QD-9.5).
        """
        count = side.size - dice_spent(now, side)
        if not side.attacks and now.answer("QD-X6") == "rolls_and_flees":
            count += battle_of(now.state).fled
        roller = ""
        if is_vanquished(now, side.seat):
            if now.answer("QD-H10") == "no_dice":
                return None
            roller = right_of(now, side.enemy, side.seat)
        if count <= 0:
            return None
        strength, because = attack_strength(now, side)
        purpose, section = ("attack", "QD-10.5") if side.attacks else ("defence", "QD-10.6")
        sections: tuple[SectionRef, ...] = (section, *because)
        if battle_of(now.state).kind == "sea":
            sections = (*sections, "QD-11.2")
        less, fewer = less_for_spells(now, side)
        fled = 0 if side.attacks else battle_of(now.state).fled
        if fled:
            fewer = ("QD-10.7", *fewer)
            if now.answer("QD-X6") != "rolls_and_flees":
                fled_words = f"{plural(fled, 'spell user')} fled in place of a die."
                less = f"{fled_words} {less}".rstrip()
        sections = fewer or sections  # what takes dice away, for whoever counts them
        roll = Roll("d6", count, side.seat, HITS[strength], purpose, roller, less)
        prompt = (
            f"{side.seat} attacks at T.A.S. {strength}"
            if side.attacks
            else f"{side.seat} defends at T.A.S. {strength}"
        )
        return Question("roll", (CHANCE,), (), sections, prompt, roll=roll)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        if self.at.endswith("declares"):
            yield from offers_to_declare(now, seat)
            yield from offers_to_read(now, seat)
        elif "drinks" in self.at:
            yield from offers_to_drink()
        elif self.at.endswith("casts"):
            yield from offers_to_cast(now, seat)
            yield Offer(Pass)
        elif self.at == "flight":
            yield from offers_to_flee(now, seat)
            yield Offer(Pass)
        else:
            yield from offers_to_choose(now, seat)

    def silence(self, now: Moment[War], seat: Seat) -> Command[War]:
        """Return what no answer stands for: all that is shown works, no spell attack, no flight, another round."""
        if self.at.endswith("declares"):
            return Declare()
        return Continue() if self.at == "choice" else Pass()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that nothing is declared, drunk or cast, that nobody flees, or that the attack goes on."""
        war, at = now.state, self.at
        if war.battle is None or at not in STAGES[war.battle.kind] or _kings_to_settle(war):
            return
        if at != "losses" and not at.endswith("rolls") and not self._is_decided(now):
            yield self._side(war).seat, self.silence(now, self._side(war).seat)

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Tell the hits; their losses are taken when both sides have rolled (QD-X4)."""
        asked = tale.question
        assert asked is not None
        assert asked.roll is not None
        assert isinstance(asked.roll.counts, Hits)
        winning = asked.roll.counts.faces
        hits = sum([face in winning for face in faces])
        side = self._side(tale.state)
        if hits:
            section = "QD-10.5" if side.attacks else "QD-10.6"
            tale.tell(UnitsStruck(side.enemy, side.place, hits, because=(section, "QD-X1")))
        self.go_on(tale)

    def play(self, tale: Tale[War]) -> None:
        """Go on where nobody is asked: settle fallen kings, tell what works, take losses, begin the next round."""
        war = tale.state
        if war.battle is None:
            tale.done()
        elif _kings_to_settle(war) and self.at != "losses":
            _settle_kings(tale)
            if not self._is_decided(tale):
                end_amid_battle(tale)
        elif self._is_decided(tale) and self.at != "losses":
            if _hits_open(war):
                tale.become(Round("losses"))
            else:
                tale.done()
        elif self.at == "losses":
            battle = war.battle
            spare(tale, battle.defender)
            spare(tale, battle.attacker)
            tale.become(
                Losses(battle.defender, battle.place), Losses(battle.attacker, battle.place), Round("choice")
            )
        else:
            if self.at.endswith("declares"):
                tell_declared(tale, self._side(war))
            self.go_on(tale)

    def struck_by_a_scroll(self, tale: Tale[War]) -> None:
        """End the game, and this battle with it, if a scroll read in it has decided it, by a king or a kingdom (QD-H48).

        Where that decides the battle, what follows from it is told first, and the game ends there.
        """
        if not self._is_decided(tale):
            end_amid_battle(tale)

    def go_on(self, tale: Tale[War]) -> None:
        """Go on to the next stage of the round, or to the next round (QD-10.9)."""
        battle = battle_of(tale.state)
        stages = STAGES[battle.kind]
        place = stages.index(self.at) + 1 if self.at in stages else len(stages)
        if place < len(stages):
            tale.become(Round(stages[place]))
        elif battle.kind == "sneak" or self._is_decided(tale):
            tale.done()
        else:
            tale.tell(RoundBegan(battle.round + 1, because=("QD-10.9",)))
            tale.become(Round())


SECTIONS: Final = {
    "declare": ("QD-H29", "QD-10.4"),
    "cast": ("QD-14.1", "QD-10.5"),
    "flight": ("QD-10.7", "QD-17.2"),
    "choice": ("QD-10.9", "QD-17.1"),
}
"""What a question of a round goes by, in a battle on land."""


def _kings_to_settle(war: War) -> bool:
    return bool(war.fallen) and any(seat not in war.out for seat in war.fallen)


def _hits_open(war: War) -> bool:
    """Return whether units that are still there have hits to pay: both sides' dice count though one side is gone."""
    sides = (attackers(war), defenders(war))
    return any(side.size and war.struck.get(shade(side.seat, side.place)) for side in sides)


def _settle_kings(tale: Tale[War]) -> None:
    """Tell of every king that fell who beat him: the enemy, or nobody when that is a vanquished army (QD-H48)."""
    war = tale.state
    fallen = [side for side in (defenders(war), attackers(war)) if side.seat in war.fallen]
    for side in fallen:
        king_beaten(tale, side.seat, "" if side.enemy in war.out else side.enemy)


def end_amid_battle(tale: Tale[War]) -> None:
    """End the game if it is decided, and with it the battle that is being fought, if any (QD-22.2, QD-H48)."""
    ended, battle = ending_of(tale), tale.state.battle
    if ended is not None and battle is not None:
        tale.tell(BattleEnded(battle.place, rounds=battle.round, because=("QD-22.2", "QD-H48")))
    if ended is not None:
        tale.tell(ended)


FACTS = (BattleBegan, BattleEnded, RoundBegan)
STEPS = (Round,)
