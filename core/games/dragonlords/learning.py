"""Wizards, spells and DragonLords that a party gains (QD-14.3 to QD-14.5, QD-6.13).

A gained wizard joins before all eyes, so his chip is shown until the party splits (QD-H42). Who learns a spell is shown
too: only wizards of the party learn, and the pegs are open. Which unit a DragonLord replaces stays hidden.
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from msgspec import structs

from core.asking import Offer, OneOf, Question
from core.refusal import Refusal
from core.rules import Command, Fact, word
from core.seats import CHANCE
from core.telling import Moment, Tale
from events.chance import Names, Roll
from events.event import Face, Seat, SectionRef

from .armies import DragonLordGained
from .decks import deck_data
from .gains import nothing_gained
from .movement import bears, show
from .parties import OnQuest, party_at
from .spellbook import may_hold, wizards_here, wizards_of
from .state import MOST_DRAGONLORDS, Chip, ChipId, Place, War, chips_at, is_shaded

__all__ = [
    "COMMANDS",
    "FACTS",
    "STEPS",
    "Learning",
    "RaiseDragonlord",
    "RiderChosen",
    "Rising",
    "SpellLearned",
    "SpellRolling",
    "Teach",
    "WizardJoined",
    "join_wizard",
    "lords_left",
    "raise_by_charm",
]

MOST_WIZARDS: Final = 3
"""How many wizards a player has at most (QD-14.3)."""
NUMBERED: Final[dict[Face, str]] = {each["n"]: each["id"] for each in deck_data()["spells"]}
"""The spell that each face of the D6 names (QD-14.4)."""


def lords_left(now: Moment[War]) -> int:
    """Return how many DragonLords are still to be had; lost ones come back, unless the table plays otherwise (QD-H44)."""
    war = now.state
    there = sum(army.dragonlords for army in war.armies.values())
    there += sum(column.dragonlords for columns in war.columns.values() for column in columns)
    return MOST_DRAGONLORDS - there - (war.slain if now.answer("QD-H44") == "out_of_the_game" else 0)


class WizardJoined(Fact[War]):
    """A unit of a party became a wizard, seen by everybody; he knows no spell yet (QD-14.4, QD-H43)."""

    CLAIM = "gains"
    CLAIM_KINDS = ("wizard",)
    kind: ClassVar[str] = "wizard"

    seat: Seat
    chip: ChipId
    place: Place

    def onto(self, state: War) -> War:
        return structs.replace(
            state,
            chips={**state.chips, self.chip: Chip(self.seat, self.place, True)},
            spells={**state.spells, self.chip: ()},
        )


def _free_row(war: War, seat: Seat) -> ChipId:
    """Return the chip that a new wizard of a seat gets; empty when it has three (QD-14.3)."""
    rows = (f"{seat}.wizard.{n}" for n in range(1, MOST_WIZARDS + 1))
    return next((name for name in rows if name not in war.spells), "")


def join_wizard(tale: Tale[War], seat: Seat, place: Place) -> ChipId:
    """Tell that a unit of a party becomes a wizard, and return his chip; empty when none can join (QD-14.4, QD-H43).

    Where every unit bears a wizard already, those are shown, for nobody could know otherwise why none joins.
    """
    war = tale.state
    chip = _free_row(war, seat)
    if not chip:
        nothing_gained(tale, seat, place, "wizard", ("QD-14.4", "QD-14.3"))
        return ""
    army = party_at(war, seat, place)
    on_foot = [
        name for name, lies in chips_at(war, seat, place).items() if bears(name) and not lies.on_dragonlord
    ]
    if army is None or len(on_foot) >= army.units:
        for name in on_foot:
            show(tale, seat, name, ("QD-H43",))
        nothing_gained(tale, seat, place, "wizard", ("QD-H43",))
        return ""
    tale.tell(WizardJoined(seat, chip, place, because=("QD-14.4", "QD-H43")))
    return chip


class SpellLearned(Fact[War]):
    """A wizard learned a spell: a peg marks it for all to see (QD-14.4)."""

    CLAIM = "learns"
    CLAIM_KINDS = ("spell", *NUMBERED.values())

    seat: Seat
    wizard: ChipId
    spell: str

    @property
    def kind(self) -> str:
        """What a claim calls it: the spell."""
        return self.spell

    def onto(self, state: War) -> War:
        return structs.replace(
            state, spells={**state.spells, self.wizard: (*state.spells[self.wizard], self.spell)}
        )


class SpellRolling(OnQuest):
    """A wizard of the party rolls which spell he learns; for one that he knows he rolls again (QD-14.4)."""

    wizard: ChipId

    def asked(self, now: Moment[War]) -> Question | None:
        if len(now.state.spells.get(self.wizard, NUMBERED)) >= len(NUMBERED):
            return None
        roll = Roll("d6", 1, self.seat, Names(), "spell")
        return Question(
            "roll", (CHANCE,), (), ("QD-14.4", "QD-15"), f"which spell {self.wizard} learns", roll=roll
        )

    def rolled(self, tale: Tale[War], faces: tuple[Face, ...]) -> None:
        """Tell the spell; or roll again."""
        spell = NUMBERED[faces[0]]
        if spell in tale.state.spells[self.wizard]:
            tale.reopen()
            return
        tale.tell(SpellLearned(self.seat, self.wizard, spell, because=("QD-14.4",)))
        tale.done()

    def go_on(self, tale: Tale[War]) -> None:
        """Tell that he knows all six (QD-H6)."""
        nothing_gained(tale, self.seat, self.place, "spell")
        tale.done()


class Teach(Command[War]):
    """Say which wizard of the party learns; nobody named: the first who can, or else a unit becomes the next one (QD-14.4)."""

    WHEN = ("QD-14.4",)

    wizard: ChipId = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who is no wizard of the party (QD-14.4, QD-H43)."""
        step = now.state.agenda[-1].step
        fit = step.pupils(now)
        if self.wizard not in ("", *fit):
            yield Refusal(
                "no_pupil",
                ("QD-14.4", "QD-H43"),
                f"{self.wizard} can't learn there; who can is {' or '.join(fit) or 'a unit that becomes a wizard'}.",
                {"wizard": self.wizard},
                secret=is_shaded(now.state, seat, step.place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Show the wizard, or let one join, and roll for the spell."""
        tale.top.taught(tale, self.wizard or tale.top.pupils(tale)[0])


class Learning(OnQuest):
    """A party gains a spell: its owner picks which of its wizards learns, if any may be there (QD-14.4, QD-H43)."""

    def pupils(self, now: Moment[War]) -> tuple[ChipId, ...]:
        """Return who may learn, from what the owner knows: wizards there who do not know all; nobody named without any."""
        spells = now.state.spells
        wizards = wizards_here(now.state, self.seat, self.place)
        able = tuple(name for name in wizards if len(spells[name]) < len(NUMBERED))
        return able or wizards or ("",)

    def asked(self, now: Moment[War]) -> Question | None:
        war = now.state
        if not any(may_hold(war, self.seat, self.place, name) for name in wizards_of(war, self.seat)):
            return None
        prompt = "say which wizard of the party learns a spell"
        return Question("learn", (self.seat,), (Teach,), ("QD-14.4", "QD-H43"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        yield Offer(Teach, {"wizard": OneOf(tuple(dict.fromkeys(("", *self.pupils(now)))))})

    def silence(self, now: Moment[War], seat: Seat) -> Teach:
        """Return the first who may learn, one who is shown if there is such."""
        return Teach(self.pupils(now)[0])

    def taught(self, tale: Tale[War], wizard: ChipId) -> None:
        """Go on with who learns."""
        if wizard:
            show(tale, self.seat, wizard, ("QD-14.4",))
        else:
            wizard = join_wizard(tale, self.seat, self.place)
        if wizard:
            tale.become(SpellRolling(self.seat, self.place, wizard))
        else:
            tale.done()

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that a unit becomes the wizard who learns."""
        if self.is_on(now):
            yield self.seat, Teach("")

    def go_on(self, tale: Tale[War]) -> None:
        """Let a unit become a wizard: none can be there."""
        self.taught(tale, "")


class RiderChosen(Fact[War]):
    """This wizard became a DragonLord and keeps his spells; nobody named: an ordinary unit did (QD-14.5).

    Known to the owner alone, unless everybody saw the wizard before (`shown`).
    """

    seat: Seat
    chip: ChipId
    shown: bool = False

    def audience(self) -> tuple[Seat, ...]:
        """Only its owner knows, unless the wizard was shown."""
        return () if self.shown else (self.seat,)

    def onto(self, state: War) -> War:
        if not self.chip:
            return state
        chip = structs.replace(state.chips[self.chip], on_dragonlord=True)
        return structs.replace(state, chips={**state.chips, self.chip: chip})


class RaiseDragonlord(Command[War]):
    """Say which unit of the party becomes the DragonLord: a wizard, or left out, an ordinary unit (QD-14.5, QD-X31).

    Where each unit bears a wizard, one of them who is hidden does, if any is.
    """

    WHEN = ("QD-14.5",)

    wizard: Annotated[ChipId, word("from")] = ""

    def forbids(self, now: Moment[War], seat: Seat) -> Iterator[Refusal]:
        """Refuse who is not in the party (QD-14.5, QD-X31)."""
        step = now.state.agenda[-1].step
        fit = step.candidates(now)
        if self.wizard not in ("", *fit) or not fit:
            names = " or ".join(name or "an ordinary unit" for name in fit) or "nobody"
            yield Refusal(
                "no_such_unit",
                ("QD-14.5", "QD-X31"),
                f"{self.wizard or 'An ordinary unit'} is not in the party; who can become the DragonLord is {names}.",
                {"wizard": self.wizard},
                secret=is_shaded(now.state, seat, step.place),
            )

    def tells(self, tale: Tale[War], seat: Seat) -> None:
        """Tell the DragonLord, and to its owner alone which unit it was."""
        tale.top.raised(tale, self.wizard or tale.top.candidates(tale)[0])


class Rising(OnQuest):
    """A unit of the party becomes a DragonLord: the one that is lost is the one that it replaces (QD-14.5, QD-X31)."""

    def candidates(self, now: Moment[War]) -> tuple[ChipId, ...]:
        """Return who may become it, from what the owner knows: an ordinary unit, as nobody named, and wizards."""
        war = now.state
        army = party_at(war, self.seat, self.place)
        units = army.units if army is not None else 0
        wizards = [
            name for name in wizards_here(war, self.seat, self.place) if not war.chips[name].on_dragonlord
        ]
        if units > len(wizards):
            return ("", *wizards)
        return tuple(sorted(wizards, key=lambda name: war.chips[name].shown))

    def asked(self, now: Moment[War]) -> Question | None:
        war = now.state
        army = party_at(war, self.seat, self.place)
        if lords_left(now) < 1 or army is None or not army.units:
            return None
        if not any(may_hold(war, self.seat, self.place, name) for name in wizards_of(war, self.seat)):
            return None
        prompt = "say which unit becomes the DragonLord"
        return Question("dragonlord", (self.seat,), (RaiseDragonlord,), ("QD-14.5", "QD-X31"), prompt)

    def offers(self, now: Moment[War], seat: Seat) -> Iterator[Offer]:
        fit = self.candidates(now)
        if fit:
            yield Offer(RaiseDragonlord, {"wizard": OneOf(tuple(dict.fromkeys(("", *fit))))})

    def silence(self, now: Moment[War], seat: Seat) -> RaiseDragonlord:
        """Return an ordinary unit; where all are wizards, the first."""
        return RaiseDragonlord(self.candidates(now)[0])

    def by_itself(self, now: Moment[War]) -> Iterator[tuple[Seat, Command[War]]]:
        """Yield that an ordinary unit becomes the DragonLord."""
        if self.is_on(now) and lords_left(now) > 0 and party_at(now.state, self.seat, self.place):
            yield self.seat, RaiseDragonlord()

    def raised(self, tale: Tale[War], wizard: ChipId) -> None:
        """Tell the DragonLord and, where somebody may be under it, who is."""
        self._tell(tale)
        shown = bool(wizard) and tale.state.chips[wizard].shown
        tale.tell(RiderChosen(self.seat, wizard, shown, because=("QD-14.5",)))
        tale.done()

    def _tell(self, tale: Tale[War]) -> None:
        because: tuple[SectionRef, ...] = ("QD-14.5", "QD-X31")
        tale.tell(DragonLordGained(self.seat, self.place, because=because))

    def go_on(self, tale: Tale[War]) -> None:
        """Tell the DragonLord where it can only be an ordinary unit; with none left there is no gain (QD-H6)."""
        army = party_at(tale.state, self.seat, self.place)
        if lords_left(tale) > 0 and army is not None and army.units:
            self._tell(tale)
        else:
            nothing_gained(tale, self.seat, self.place, "dragonlord")
        tale.done()


def raise_by_charm(tale: Tale[War], seat: Seat, place: Place, wizard: ChipId) -> None:
    """Tell that a wizard who charmed a dragon by a scroll became a DragonLord, before all eyes (QD-16.8, QD-X31)."""
    because: tuple[SectionRef, ...] = ("QD-16.8", "QD-14.5", "QD-X31")
    tale.tell(DragonLordGained(seat, place, because=because))
    tale.tell(RiderChosen(seat, wizard, shown=True, because=because))


COMMANDS = (Teach, RaiseDragonlord)
FACTS = (WizardJoined, SpellLearned, RiderChosen)
STEPS = (SpellRolling, Learning, Rising)
