"""Rules of this game broken on purpose, three in each chapter and more, each with the tests that must fail because of it.

`tests/games/dragonlords/test_mutations.py` breaks each in a copy of the house and runs those tests there.
"""

from typing import Final

from tests.mutations import Mutation

__all__ = ["BROKEN"]

GAME = "core/games/dragonlords"
TESTS = "tests/games/dragonlords"


def _broken(chapter: str, *slips: tuple[str, str, str, str, str]) -> tuple[Mutation, ...]:
    """Return the broken rules of a chapter: what is so then, the module, which text becomes which, the tests that notice."""
    return tuple(
        Mutation(f"{chapter}: {name}", f"{GAME}/{file}.py", old, new, f"{TESTS}/test_{killer}.py")
        for name, file, old, new, killer in slips
    )


# One broken rule a line.
# fmt: off
BROKEN: Final = (
    *_broken(
        "QD-2",
        ("a mine is worth no more to Dwarves", "income", 'territory.income_dwarf if seat == "dwarf" else', 'territory.income if seat == "dwarf" else', "income"),
        ("who attacks a kingdom is as strong as elsewhere", "strength", "strength -= 1", "strength -= 0", "land_combat"),
        ("a teleportal opens for nobody in particular", "land_combat", '(way == "teleportal" and not keepers)', '(way == "nothing" and not keepers)', "land_combat"),
        ("a player without a kingdom has an income", "income", "    if not kingdoms_of(now.state, seat):\n        return 0\n", "", "income"),
    ),
    *_broken(
        "QD-3",
        ("two players begin with thirty units", "setup", "return (35 if two else 30)", "return (30 if two else 30)", "setup"),
        ("any colour of the crystal die begins", "setup", 'if faces[0] != "yellow":', 'if faces[0] == "red":', "setup"),
        ("a chip may lie where each unit bears one", "hiding", "if room(now.state, seat, self.place) < 1:", "if room(now.state, seat, self.place) < 0:", "setup"),
        ("a ship is lost though there is a harbour", "hiding", "        if held:\n            self.docked", "        if len(held) > 1:\n            self.docked", "setup"),
    ),
    *_broken(
        "QD-4",
        ("four Orcs cost twelve gold", "purchase", "10 * (units // 4)", "12 * (units // 4)", "purchase"),
        ("Barbarians cost three", "purchase", '(4 if seat == "barbarian" else 3)', '(3 if seat == "barbarian" else 3)', "purchase"),
        ("a new phase keeps what was done once in the last", "phases", "phase=self.phase, ready=(),", "phase=self.phase,", "sea_sheets"),
        ("who is out has a turn", "turn", "if not tale.is_out(name))", "if name)", "turn"),
    ),
    *_broken(
        "QD-5",
        ("the ships of Barbarians sail as others", "docks", 'return 10 if seat == "barbarian" else RANGE', "return RANGE", "sailing"),
        ("ships sail through a blockade", "sailing", "for zone in self.path[:-1] if _blockades", "for zone in self.path[:-2] if _blockades", "sailing"),
        ("nine units fit on a ship", "state", "MOST_ABOARD: Final = 8", "MOST_ABOARD: Final = 9", "sailing"),
        ("a wizard takes six along", "teleport", "(LORDS_LIMIT if lord else 5)", "(LORDS_LIMIT if lord else 6)", "teleport"),
        ("a DragonLord comes into the Wastelands", "teleport", "            elif not lord:\n", "            else:\n", "teleport_at_sea"),
        ("winners at sea fight on land", "conquest", 'spent, why = attacking, ("QD-5.7",)', 'spent, why = 0, ("QD-5.7",)', "sea_combat"),
        ("who came after a battle at sea lands for who fought", "boarding", "war.spent.get(zone, 0) - moved)", "war.spent.get(zone, 0))", "sea_combat"),
        ("a DragonLord that is taken along teleports anew", "teleport", "for _ in range(self.weary):", "for _ in range(0):", "teleport"),
    ),
    *_broken(
        "QD-6",
        ("a party has seven units", "parties", "MOST: Final = 6", "MOST: Final = 7", "wastelands"),
        ("a party takes the last unit of a territory", "wastelands", "army.size - (origin in TERRITORIES)", "army.size", "parties"),
        ("several parties move in one Wasteland", "wastelands", 'f"party:{road}" not in moved', 'f"party:{road}" not in moved or True', "wastelands"),
        ("the entry space does not count", "roads", "start, ways = (0, (1,))", "start, ways = (1, (1,))", "wastelands"),
        ("gold of a quest is spent at once", "gains", "won = war.won if seat == war.active else 0", "won = 0", "gains"),
        ("an orb bought in this visit teaches a spell", "places", '(Learning(seat, place),) if "dragonorb" in items else ()', "(Learning(seat, place),) if not items else ()", "places"),
        ("a card that needs a torch is read in the dark", "quest_cards", 'if CARDS[card].requires_torch and "torch"', 'if CARDS[card].requires_torch and "pickaxe"', "quest_cards"),
        ("the cursed orb costs nothing", "places", 'strike(tale, seat, place, 1, "lair", ("QD-6.9",))', 'strike(tale, seat, place, 0, "lair", ("QD-6.9",))', "places"),
    ),
    *_broken(
        "QD-7",
        ("the Ring of Power leaves enemies as strong", "treasures", 'Treasure("QD-7.1", friends=1, enemies=-1)', 'Treasure("QD-7.1", friends=1)', "treasures"),
        ("the Holy Grail saves on a three", "losses", "SAVED = Hits((1, 2))", "SAVED = Hits((1, 2, 3))", "treasures"),
        ("the Dragon Shield lets fireballs through", "treasures", 'Treasure("QD-7.7", stops=("fireball", "dragonfire"))', 'Treasure("QD-7.7", stops=("dragonfire",))', "treasures"),
        ("the Golden Fleece works on land", "treasures", "friends=1, at_sea=True)", "friends=1)", "treasures"),
        ("the treasures of the lost are nobody's", "treasures", "        if winner:\n            tale.tell(TreasureTaken", "        if not winner:\n            tale.tell(TreasureTaken", "treasures"),
    ),
    *_broken(
        "QD-8",
        ("a potion is not used up", "encounter", 'spend_item(tale, self.seat, self.place, "potion", ("QD-8.3",))', "pass", "encounter"),
        ("items leave the Wastelands with nobody", "items", 'seat if kept else ""', '"" if kept else ""', "wastelands"),
        ("a monster's winner gets the items", "items", 'taken = winner and tale.answer("QD-X70") == "winner_takes"', 'taken = winner and tale.answer("QD-X70") == "destroyed"', "quest_combat"),
        ("who drank is lost all the same", "elixir", 'left = int(tale.answer("QD-X84") == "only_drinker_lost")', "left = 1", "encounter"),
        ("the orb is kept by who charms a dragon", "encounter", 'spend_item(tale, self.seat, self.place, "dragonorb", ("QD-8.6",))', "pass", "encounter"),
    ),
    *_broken(
        "QD-9",
        ("a monster is fought with D6", "encounter", 'f"d{monster.defence}"', '"d6"', "encounter"),
        ("webbed units strike", "quest_combat", "return defenders(war).size - battle_of(war).poisoned", "return defenders(war).size", "encounter"),
        ("the poisoned live", "encounter", "        if poisoned:\n            tale.tell(UnitsStruck", "        if poisoned < 0:\n            tale.tell(UnitsStruck", "encounter"),
        ("what a beaten party had is lost", "quest_combat", 'winner = other if army is not None and army.seat == other else ""', 'winner = ""', "quest_combat"),
        ("every monster falls to one hit", "quest_combat", "battle_of(war).hurt >= monster_of(war).hits_to_defeat", "battle_of(war).hurt >= 1", "encounter"),
    ),
    *_broken(
        "QD-10",
        ("an attack may leave nobody behind", "moving_in", "if units + lords >= army.size:", "if units + lords > army.size:", "land_combat"),
        ("the T.A.S. is what one hits under", "battle", "Hits(tuple(range(1, strength + 1)))", "Hits(tuple(range(1, strength)))", "worked_examples"),
        ("the T.A.S. rises above six", "strength", "max(1, min(6, strength))", "max(1, strength)", "treasures"),
        ("the same spell counts twice", "spell_users", "        for spell in AURAS\n        if spell in", "        for spell in (*AURAS, *AURAS)\n        if spell in", "spell_users"),
        ("who was hit by dice does not roll", "battle", "count = side.size - dice_spent(now, side)", "count = side.size - dice_spent(now, side) - now.state.struck.get(shade(side.seat, side.place), 0)", "worked_examples"),
        ("whoever fled leaves a die", "battle", 'if not side.attacks and now.answer("QD-X6") == "rolls_and_flees":', "if not side.attacks:", "retreat"),
        ("flight is barred by as many hits as others", "retreat", "<= side.size - 1", "< side.size - 1", "retreat"),
    ),
    *_broken(
        "QD-11",
        ("attack spells are thrown at sea", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("choice",)', "sea_combat"),
        ("a fleet may retreat", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("attacker_casts", "defender_casts")', "sea_combat"),
        ("unmanned ships sink though a harbour is near", "docks", "    harbour = harbour_of(tale.state, seat, zone)\n    if not harbour and", '    harbour = ""\n    if not harbour and', "scrolls"),
        ("a winner keeps ships without a crew", "docks", "    empty = ships - units\n    if empty > 0:", "    empty = ships - units\n    if empty > 9:", "sea_combat"),
    ),
    *_broken(
        "QD-12",
        ("Orcs sneak", "sneak_attack", 'ELF: Final = "elf"', 'ELF: Final = "orc"', "sneak_attack"),
        ("the enemy answers a sneak attack", "battle", '"sneak": (*_ALL[:5], "losses"),', '"sneak": (*_ALL[:5], "defender_rolls", "losses"),', "sneak_attack"),
        ("Elves sneak twice in a turn", "sneak_attack", " - war.sneaked.get(place, 0)", "", "sneak_attack"),
        ("Elves who went back fight on", "sneak_attack", "way=column.how, spent=column.size,", "way=column.how, spent=0,", "sneak_attack"),
    ),
    *_broken(
        "QD-13",
        ("who burns off his own coast is not saved", "fire_attack", "    if harbour:\n", "    if not harbour and harbour:\n", "fire_attack"),
        ("a fire attack needs no DragonLord", "fire_attack", "army is not None and lords else", "army is not None else", "fire_attack"),
        ("no treasure stops a fire attack", "fire_attack", '        return ""\n    return next((name for name in shown_treasures', '        return ""\n    return next((name for name in () and shown_treasures', "fire_attack"),
        ("who burnt a fleet fights on", "fire_attack", "UnitsMarked(zone, spent=size, fought=size", "UnitsMarked(zone, fought=size", "fire_attack"),
    ),
    *_broken(
        "QD-14",
        ("the spells of a lost wizard stay", "chips", "        if self.chip in state.spells:\n            changes", "        if self.chip not in state.spells:\n            changes", "spell_users"),
        ("a player has four wizards", "learning", "MOST_WIZARDS: Final = 3", "MOST_WIZARDS: Final = 4", "places"),
        ("a spell that is known is learned again", "learning", "if spell in tale.state.spells[self.wizard]:", "if spell is None:", "places"),
        ("the scrolls of a king go to nobody", "ending", "if victor and victor not in tale.state.out:", "if victor and victor in tale.state.out:", "ending"),
        ("a king is taken into the Wastelands", "teleport", "if target in SPACE_OF and king_of(seat) in self.leading:", "if target in ZONES and king_of(seat) in self.leading:", "teleport_at_sea"),
    ),
    *_broken(
        "QD-15",
        ("Hope helps nobody", "spellbook", '"hope": Spell("QD-15.4", friends=1)', '"hope": Spell("QD-15.4")', "spell_users"),
        ("a fireball burns dragons", "quest_combat", '(spell == "fireball" and not monster_of(war).is_dragon)', 'spell == "fireball"', "encounter"),
        ("a wizard throws as often as he likes", "spells", "        if wizard not in used:\n            yield from ((wizard", "        if wizard:\n            yield from ((wizard", "spells"),
        ("a spell costs no die", "spells", "return tuple(name for name in users if not extra or", "return tuple(name for name in users if extra and", "spells"),
        ("Heal does nothing against Berserk", "scroll_effects", 'return next(iter(shown_wizards(war, seat, place, "heal")), "")', 'return ""', "scrolls"),
    ),
    *_broken(
        "QD-16",
        ("a scroll is read twice", "scroll_book", "held = state.held[self.seat] - 1", "held = state.held[self.seat]", "scrolls"),
        ("a wizard summons an elemental", "scrolls", "return (king_of(seat),) if king is not None and", "return readers(war, seat, place) if king is not None and", "scrolls"),
        ("Berserk goes by one less", "scroll_effects", "Hits(tuple(range(1, attack + 1)))", "Hits(tuple(range(1, attack)))", "scrolls"),
        ("a Legion brings six", "scrolls", "MOST_RAISED: Final = 5", "MOST_RAISED: Final = 6", "scrolls"),
        ("a Legion leaves out a DragonLord that is aboard", "scrolls", "MOST_ABOARD * crew.ships - crew.size)", "MOST_ABOARD * crew.ships - crew.units)", "scrolls"),
        ("a scroll that is turned back strikes where it was", "scroll_effects", "step.seat, origin, step.place, step.turned + 1)", "step.seat, step.place, origin, step.turned + 1)", "scroll_windows"),
        ("everybody sees what Clairvoyance shows", "scroll_book", '        """The reader alone sees them."""\n        return (self.seat,)', '        """The reader alone sees them."""\n        return ()', "scrolls"),
        ("elementals go into the Wastelands", "scrolls", 'if kind == "summon_elemental":\n                yield Refusal', 'if kind == "reflect":\n                yield Refusal', "scrolls"),
    ),
    *_broken(
        "QD-17",
        ("who came by teleport may retreat", "retreat", 'FREE: Final = ("walk", "ship")', 'FREE: Final = ("walk", "ship", "teleport")', "retreat"),
        ("who retreated fights on", "retreat", "            spent = units + lords\n", "            spent = 0\n", "retreat"),
        ("a retreat goes to any friendly place", "retreat", "for place in NEIGHBOURS.get(side.place, ())", "for place in war.armies", "retreat"),
    ),
    *_broken(
        "QD-18",
        ("a march goes through five territories", "land", "MOST: Final = 4", "MOST: Final = 5", "forced_march"),
        ("who fought marches", "forced_march", "fought = max(war.fought.get(place, 0), war.spent.get(place, 0) - marched)", "fought = 0", "forced_march"),
        ("who marched fights", "forced_march", "        tire(tale, seat, place, units, dragonlords, leading, because)\n        tale.tell(UnitsMarked(place, spent=units + dragonlords, because=because))", "        return", "forced_march"),
        ("a march goes over enemy land", "forced_march", "            elif not may_enter(war, seat, place):\n", '            elif place == "":\n', "forced_march"),
    ),
    *_broken(
        "QD-19",
        ("who stepped steps again", "transfer", "            tale, seat, self.target, self.units, self.dragonlords, self.leading,\n            because", "            tale, seat, self.target, 0, 0, (),\n            because", "transfer"),
        ("a DragonLord stays at sea", "transfer", "        if home is not None:\n", "        if home is None and home is not None:\n", "teleport_at_sea"),
        ("units land on enemy land in phase 5", "boarding", "        if holder is not None and holder.seat != seat and not closed_to(war, seat, self.target):", '        if holder is not None and holder.seat == "":', "sea_combat"),
        ("nothing is gained by claiming an empty kingdom", "transfer", "        if was_empty:\n            claimed(", "        if not was_empty:\n            claimed(", "transfer"),
    ),
    *_broken(
        "QD-20",
        ("sea and Wastelands earn", "income", "if army.seat == seat and place in TERRITORIES)", "if army.seat == seat)", "income"),
        ("a kingdom earns one more", "income", 'value > 1 and now.answer("QD-X14") == "added"', 'value > 1 and now.answer("QD-X14") != "added"', "income"),
        ("income goes where no kingdom of one's own is", "income", "            if place not in kingdoms:\n                yield", "            if place not in KINGDOMS:\n                yield", "income"),
    ),
    *_broken(
        "QD-21",
        ("gold territories are reinforced", "reinforcements", "if territory.reinforce_allowed\n        and territory.realm in realms", "if territory.setup_allowed\n        and (territory.realm in realms or not territory.realm)", "reinforcements"),
        ("any realm is reinforced", "reinforcements", "and territory.realm in realms", "and territory.realm", "reinforcements"),
        ("what could not be placed waits", "reinforcements", 'tale.answer("QD-H52") == "waits"', 'tale.answer("QD-H52") != "waits"', "reinforcements"),
    ),
    *_broken(
        "QD-22",
        ("five kingdoms win", "ending", "kingdoms_held(tale.state, seats) >= need:", "kingdoms_held(tale.state, seats) >= need - 1:", "ending"),
        ("two kings who fall together leave a winner", "ending", 'tale.tell(GameEnded((), "no_king_left"', 'tale.tell(GameEnded(tale.state.out[-1:], "no_king_left"', "ending"),
        ("vanquished units are as strong as their magic", "spell_users", "    if is_vanquished(now, side.seat):\n        return ()\n    war = now.state\n    may", "    war = now.state\n    may", "ending"),
        ("nobody on the right rolls for the vanquished", "battle", "roller = right_of(now, side.enemy, side.seat)", 'roller = ""', "ending"),
        ("vanquished units attack on", "conquest", "    if attacking and attacker in war.out:\n", "    if attacking and attacker in ():\n", "sea_combat"),
        ("who beat a king by vanquished units has his scrolls", "battle", '"" if side.enemy in war.out else side.enemy', "side.enemy", "ending"),
        ("a king who is given up falls when the phase is over", "phases", "return on and not given_up(now)", "return on", "turn"),
    ),
)
# fmt: on
"""The broken rules, chapter by chapter."""
