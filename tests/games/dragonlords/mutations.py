"""Rules of this game broken on purpose, one at least in each section that is enforced, with the tests that must fail.

`tests/games/dragonlords/test_mutations.py` breaks each in a copy of the house and runs those tests there.
"""

from typing import Final

from tests.mutations import Mutation

__all__ = ["BROKEN"]

GAME = "core/games/dragonlords"
TESTS = "tests/games/dragonlords"


def _broken(*slips: tuple[str, str, str, str, str, str]) -> tuple[Mutation, ...]:
    """Return broken rules: the section, what is so then, the module, which text becomes which, the tests that notice."""
    return tuple(
        Mutation(f"QD-{section}: {name}", f"{GAME}/{file}.py", old, new, f"{TESTS}/test_{killer}.py")
        for section, name, file, old, new, killer in slips
    )


# One broken rule a line.
# fmt: off
BROKEN: Final = (
    *_broken(
        ("1.3", "there are five DragonLords", "state", "MOST_DRAGONLORDS: Final = 4", "MOST_DRAGONLORDS: Final = 5", "places"),
        ("1.3", "there are nine ships", "state", "MOST_SHIPS: Final = 8", "MOST_SHIPS: Final = 9", "purchase"),
        ("1.4", "kings and wizards go along without a unit", "movement", "if bearers > there >= 0:", "if bearers > there + 9 >= 0:", "transfer"),
        ("1.5", "blue is a blessing", "decks", '"blue": "ignored"', '"blue": "blessed"', "quest_cards"),
    ),
    *_broken(
        ("2.4", "a mine is worth no more to Dwarves", "income", 'territory.income_dwarf if seat == "dwarf" else', 'territory.income if seat == "dwarf" else', "income"),
        ("2.2", "who attacks a kingdom is as strong as elsewhere", "strength", "strength -= 1", "strength -= 0", "land_combat"),
        ("2.6", "a teleportal opens for nobody in particular", "land_combat", '(way == "teleportal" and not keepers)', '(way == "nothing" and not keepers)', "land_combat"),
        ("2.3", "a player without a kingdom has an income", "income", "    if not kingdoms_of(now.state, seat):\n        return 0\n", "", "income"),
        ("2.1", "land of others is friendly", "forces", "return place not in war.tundra if army is None else army.seat == seat", "return place not in war.tundra if army is None else True", "transfer"),
        ("2.5", "an island is not left empty", "reach", "stay = int(place in TERRITORIES and not TERRITORIES[place].may_be_vacated)", "stay = int(place in TERRITORIES)", "teleport"),
        ("2.7", "one's own fleet is a blockade", "sailing", "return army is not None and army.seat != seat and not is_allied", "return army is not None and not is_allied", "sailing"),
        ("2.8", "a road has eleven spaces", "roads", "LENGTH: Final = 12", "LENGTH: Final = 11", "wastelands"),
        ("2.9", "units walk where there is no border", "land_combat", '    if target in NEIGHBOURS.get(origin, ()):\n        return "walk"', '    if target in NEIGHBOURS:\n        return "walk"', "land_combat"),
    ),
    *_broken(
        ("3.1", "two players begin with thirty units", "setup", "return (35 if two else 30)", "return (30 if two else 30)", "setup"),
        ("3.2", "any colour of the crystal die begins", "setup", 'if faces[0] != "yellow":', 'if faces[0] == "red":', "setup"),
        ("3.5", "a chip may lie where each unit bears one", "hiding", "if room(now.state, seat, self.place) < 1:", "if room(now.state, seat, self.place) < 0:", "setup"),
        ("3.6", "a ship is lost though there is a harbour", "hiding", "        if held:\n            self.docked", "        if len(held) > 1:\n            self.docked", "setup"),
        ("3.3", "units begin on islands", "setup", "elif territory is None or not territory.setup_allowed:", "elif territory is None:", "setup"),
        ("3.4", "units left over come in pairs", "setup", 'UnitsPlaced(seat, self.place, 1, because=("QD-3.4",))', 'UnitsPlaced(seat, self.place, 2, because=("QD-3.4",))', "setup"),
    ),
    *_broken(
        ("4.2", "four Orcs cost twelve gold", "purchase", "10 * (units // 4)", "12 * (units // 4)", "purchase"),
        ("1.2", "Barbarians cost three", "purchase", '(4 if seat == "barbarian" else 3)', '(3 if seat == "barbarian" else 3)', "purchase"),
        ("4.1", "a new phase keeps what was done once in the last", "phases", "phase=self.phase, ready=(),", "phase=self.phase,", "sea_sheets"),
        ("4.1", "who is out has a turn", "turn", "if not tale.is_out(name))", "if name)", "turn"),
        ("4.3", "items on a quest cost nothing", "places", "pay(tale, seat, GOODS[self.item].cost * self.count, self.source, (section,))", "pass", "places"),
    ),
    *_broken(
        ("5.1", "the ships of Barbarians sail as others", "docks", 'return 10 if seat == "barbarian" else RANGE', "return RANGE", "sailing"),
        ("5.6", "ships sail through a blockade", "sailing", "for zone in self.path[:-1] if _blockades", "for zone in self.path[:-2] if _blockades", "sailing"),
        ("5.1", "nine units fit on a ship", "state", "MOST_ABOARD: Final = 8", "MOST_ABOARD: Final = 9", "sailing"),
        ("5.3", "a wizard takes six along", "reach", "(LORDS_LIMIT if lord else 5)", "(LORDS_LIMIT if lord else 6)", "teleport"),
        ("5.4", "a DragonLord comes into the Wastelands", "reach", "            elif not lord:\n", "            else:\n", "teleport_at_sea"),
        ("5.7", "winners at sea fight on land", "conquest", 'spent, why = attacking, ("QD-5.7",)', 'spent, why = 0, ("QD-5.7",)', "sea_combat"),
        ("5.7", "who came after a battle at sea lands for who fought", "boarding", "war.spent.get(zone, 0) - moved)", "war.spent.get(zone, 0))", "sea_combat"),
        ("15.3", "a DragonLord that moved teleports for one that has not", "reach", "rested > len(fresh.riders)", "rested > 0", "transfer"),
        ("15.3", "a wizard flees to an island that is for ships alone", "flight", 'or now.answer("QD-X79") == "allowed"', "or place", "retreat"),
        ("5.3", "who landed boards again where a wizard took him", "armies", "        if not self.landed:", "        if self:", "sailing"),
        ("1.4", "a king stays under a unit that has stepped", "movement", "owed = max(owed, rested - (", "owed = max(owed, 0 * rested - (", "transfer"),
        ("15.3", "a DragonLord that is taken along teleports anew", "teleport", "for _ in range(self.weary):", "for _ in range(0):", "teleport"),
        ("5.2", "whoever takes a harbour leaves its ships to the loser", "docks", "    if count:\n        because", "    if count and at_sea:\n        because", "docks"),
        ("5.5", "kings are not teleported", "teleport", "apart=(caster,)\n        )", 'apart=(caster, f"{seat}.king")\n        )', "teleport_at_sea"),
        ("5.8", "nobody lands in an enemy harbour in phase 2", "boarding", '        if war.phase == "transfer":\n            yield from self._forbids_transfer', "        if war.phase:\n            yield from self._forbids_transfer", "sailing"),
    ),
    *_broken(
        ("6.1", "a party has seven units", "parties", "MOST: Final = 6", "MOST: Final = 7", "wastelands"),
        ("6.1", "a party takes the last unit of a territory", "wastelands", "army.size - (origin in TERRITORIES)", "army.size", "parties"),
        ("6.3", "several parties move in one Wasteland", "wastelands", 'f"party:{road}" not in moved', 'f"party:{road}" not in moved or True', "wastelands"),
        ("6.2", "the entry space does not count", "roads", "start, ways = (0, (1,))", "start, ways = (1, (1,))", "wastelands"),
        ("6.11", "gold of a quest is spent at once", "gains", "won = war.won if seat == war.active else 0", "won = 0", "gains"),
        ("6.7", "an orb bought in this visit teaches a spell", "places", '(Learning(seat, place),) if "dragonorb" in items else ()', "(Learning(seat, place),) if not items else ()", "places"),
        ("6.10", "a card that needs a torch is read in the dark", "quest_cards", 'if CARDS[card].requires_torch and "torch"', 'if CARDS[card].requires_torch and "pickaxe"', "quest_cards"),
        ("6.9", "the cursed orb costs nothing", "places", 'strike(tale, seat, place, 1, "lair", ("QD-6.9",))', 'strike(tale, seat, place, 0, "lair", ("QD-6.9",))', "places"),
        ("6.4", "a party stops beside an enemy in peace", "roads", "return army is None or army.seat == seat", "return True", "wastelands"),
        ("6.5", "a party leaves by the lair with a pip too few", "roads", "LENGTH: pips > LENGTH - index", "LENGTH: pips >= LENGTH - index", "wastelands"),
        ("6.6", "seven units leave the village", "places", "elif self.units > left:", "elif self.units > left + 1:", "places"),
        ("6.8", "scrolls harm in a shrine", "scrolls", '.kind == "shrine":\n', '.kind == "grove":\n', "scrolls"),
        ("6.12", "a party charms what is no dragon", "encounter", "return dragon and lords_left(now) > 0", "return lords_left(now) > 0", "encounter"),
        ("6.13", "a DragonLord goes on with the quest", "wastelands", "if party.dragonlords:", "if party.dragonlords < 0:", "wastelands"),
        ("6.14", "a die that spares loses a unit", "deeds", "lost = sum(face in losing for face in faces)", "lost = sum(face not in losing for face in faces)", "quest_cards"),
    ),
    *_broken(
        ("7.1", "the Ring of Power leaves enemies as strong", "treasures", 'Treasure("QD-7.1", friends=1, enemies=-1)', 'Treasure("QD-7.1", friends=1)', "treasures"),
        ("7.8", "the Holy Grail saves on a three", "losses", "SAVED = Hits((1, 2))", "SAVED = Hits((1, 2, 3))", "treasures"),
        ("7.7", "the Dragon Shield lets fireballs through", "treasures", 'Treasure("QD-7.7", stops=("fireball", "dragonfire"))', 'Treasure("QD-7.7", stops=("dragonfire",))', "treasures"),
        ("7.10", "the Golden Fleece works on land", "treasures", "friends=1, at_sea=True)", "friends=1)", "treasures"),
        ("7.1", "the treasures of the lost are nobody's", "treasures", "        if winner:\n            tale.tell(TreasureTaken", "        if not winner:\n            tale.tell(TreasureTaken", "treasures"),
        ("7.2", "the Ring of Hope helps nobody", "treasures", 'Treasure("QD-7.2", friends=1)', 'Treasure("QD-7.2")', "treasures"),
        ("7.3", "the Ring of Peril harms nobody", "treasures", 'Treasure("QD-7.3", enemies=-1)', 'Treasure("QD-7.3")', "treasures"),
        ("7.4", "the Ring of Fire throws nothing", "treasures", 'attack="fireball", ', "", "treasures"),
        ("7.5", "the Black Battle-Axe harms nobody", "treasures", 'Treasure("QD-7.5", enemies=-1)', 'Treasure("QD-7.5")', "treasures"),
        ("7.6", "the Invincible Shield stops no elemental", "scroll_book", '"d12", ("invincible_shield",)', '"d12", ()', "scroll_windows"),
        ("7.9", "the Trident throws nothing", "treasures", 'attack="lightning", ', "", "treasures"),
        ("7.11", "Excalibur helps nobody", "treasures", 'Treasure("QD-7.11", friends=1)', 'Treasure("QD-7.11")', "treasures"),
        ("7.12", "the Medusa Shield harms nobody", "treasures", 'Treasure("QD-7.12", enemies=-1)', 'Treasure("QD-7.12")', "treasures"),
    ),
    *_broken(
        ("8.3", "a potion is not used up", "encounter", 'spend_item(tale, self.seat, self.place, "potion", ("QD-8.3",))', "pass", "encounter"),
        ("8.1", "items leave the Wastelands with nobody", "items", 'seat if kept else ""', '"" if kept else ""', "wastelands"),
        ("8.1", "a monster's winner gets the items", "items", 'taken = winner and tale.answer("QD-X70") == "winner_takes"', 'taken = winner and tale.answer("QD-X70") == "destroyed"', "quest_combat"),
        ("8.4", "who drank is lost all the same", "elixir", 'left = int(tale.answer("QD-X84") == "only_drinker_lost")', "left = 1", "encounter"),
        ("8.6", "the orb is kept by who charms a dragon", "encounter", 'spend_item(tale, self.seat, self.place, "dragonorb", ("QD-8.6",))', "pass", "encounter"),
        ("8.2", "a party digs without a pickaxe", "deeds", '"then" if item in carried(tale.state, seat, place) else "else"', '"then" if item else "else"', "quest_cards"),
        ("8.5", "a talisman protects from no vampires", "deeds", "if item and item in carried(tale.state, self.seat, self.place):", "if item and item in ():", "quest_cards"),
    ),
    *_broken(
        ("9.2", "a monster is fought with D6", "encounter", 'f"d{monster.defence}"', '"d6"', "encounter"),
        ("9.3", "webbed units strike", "quest_combat", "return defenders(war).size - battle_of(war).poisoned", "return defenders(war).size", "encounter"),
        ("9.3", "the poisoned live", "encounter", "        if poisoned:\n            tale.tell(UnitsStruck", "        if poisoned < 0:\n            tale.tell(UnitsStruck", "encounter"),
        ("9.1", "what a beaten party had is lost", "quest_combat", 'winner = other if army is not None and army.seat == other else ""', 'winner = ""', "quest_combat"),
        ("9.4", "every monster falls to one hit", "quest_combat", "battle_of(war).hurt >= monster_of(war).hits_to_defeat", "battle_of(war).hurt >= 1", "encounter"),
        ("9.5", "battles between players are fought with D8", "battle", 'Roll("d6", count, side.seat', 'Roll("d8", count, side.seat', "quest_combat"),
    ),
    *_broken(
        ("10.2", "an attack may leave nobody behind", "moving_in", "if units + lords >= army.size:", "if units + lords > army.size:", "land_combat"),
        ("10.2", "attackers of a place that nobody holds fight themselves for it", "land_combat", "if enemy is None or enemy.seat == seat:", "if enemy is None:", "land_combat"),
        ("10.5", "the T.A.S. is what one hits under", "battle", "Hits(tuple(range(1, strength + 1)))", "Hits(tuple(range(1, strength)))", "worked_examples"),
        ("10.3", "the T.A.S. rises above six", "strength", "max(1, min(6, strength))", "max(1, strength)", "treasures"),
        ("10.4", "the same spell counts twice", "spell_users", "for spell in AURAS if spell in known", "for spell in (*AURAS, *AURAS) if spell in known", "spell_users"),
        ("10.6", "who was hit by dice does not roll", "battle", "count = side.size - dice_spent(now, side)", "count = side.size - dice_spent(now, side) - now.state.struck.get(shade(side.seat, side.place), 0)", "worked_examples"),
        ("10.7", "whoever fled leaves a die", "battle", 'if not side.attacks and now.answer("QD-X6") == "rolls_and_flees":', "if not side.attacks:", "retreat"),
        ("10.7", "flight is barred by as many hits as others", "flight", "<= side.size - 1", "< side.size - 1", "retreat"),
        ("10.1", "a battle is left unfought", "phases", 'if war.phase == "combat" and war.columns:', 'if war.phase == "quest" and war.columns:', "land_combat"),
        ("10.8", "the king is lost first", "losses", "return sorted(kinds, key=_rank)", "return sorted(kinds, key=_rank, reverse=True)", "land_combat"),
        ("10.9", "every attacker goes on to the end", "retreat", "return bool(retreats) or may_withdraw(now, side)", "return False", "retreat"),
        ("10.10", "defenders throw no spells", "battle", '"land": _ALL,', '"land": tuple(stage for stage in _ALL if stage != "defender_casts"),', "spells"),
    ),
    *_broken(
        ("11.3", "attack spells are thrown at sea", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("choice",)', "sea_combat"),
        ("11.1", "a fleet may retreat", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("attacker_casts", "defender_casts")', "sea_combat"),
        ("11.5", "unmanned ships sink though a harbour is near", "docks", "    harbour = harbour_of(tale.state, seat, zone)\n    if not harbour and", '    harbour = ""\n    if not harbour and', "scrolls"),
        ("11.5", "a winner keeps ships without a crew", "docks", "    empty = ships - units\n    if empty > 0:", "    empty = ships - units\n    if empty > 9:", "sea_combat"),
        ("11.2", "each ship has a die", "battle", "count = side.size - dice_spent(now, side)", "count = side.size - dice_spent(now, side) + now.state.fleets.get(side.place, 0)", "sea_combat"),
        ("11.4", "nobody flees at sea", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("attacker_casts", "defender_casts", "choice", "flight")', "sea_combat"),
        ("11.6", "a DragonLord without a home lives on at sea", "leaving_sea", "        if lords:\n", "        if lords and zone in SPACE_OF:\n", "teleport_at_sea"),
    ),
    *_broken(
        ("12.1", "Orcs sneak", "state", 'SNEAKS: Final = "elf"', 'SNEAKS: Final = "orc"', "sneak_attack"),
        ("12.2", "the enemy answers a sneak attack", "battle", '"sneak": (*_ALL[:5], "losses"),', '"sneak": (*_ALL[:5], "defender_rolls", "losses"),', "sneak_attack"),
        ("12.2", "who has sneaked creeps on for who has not", "movement", "    if sneaking:\n        fresh", "    if False:\n        fresh", "sneak_attack"),
        ("12.2", "Elves sneak twice in a turn", "sneak_attack", " - war.sneaked.get(place, 0)", "", "sneak_attack"),
        ("12.4", "Elves who went back fight on", "sneak_attack", "way=column.how, spent=column.size,", "way=column.how, spent=0,", "sneak_attack"),
        ("12.4", "Elves from one place all go back to one", "sneak_attack", "        if self.units + self.dragonlords:\n            part", "        if False:\n            part", "sneak_attack"),
        ("12.3", "Elves sneak on from what they took", "conquest", '(attacking, ("QD-12.2",))', '(0, ("QD-12.2",))', "sneak_attack"),
        ("12.5", "a sneak attack is mixed with an ordinary one", "land_combat", "if any(map(is_sneaking, war.columns.get(self.target, ()))):", "if any(map(is_sneaking, ())):", "sneak_attack"),
    ),
    *_broken(
        ("13.1", "who burns off his own coast is not saved", "fire_attack", "    if harbour:\n", "    if not harbour and harbour:\n", "fire_attack"),
        ("13.3", "a fire attack needs no DragonLord", "fire_attack", "army is not None and lords else", "army is not None else", "fire_attack"),
        ("13.1", "no treasure stops a fire attack", "fire_attack", '        return ""\n    return next((name for name in shown_treasures', '        return ""\n    return next((name for name in () and shown_treasures', "fire_attack"),
        ("13.1", "who burnt a fleet fights on", "fire_attack", "UnitsMarked(zone, spent=size, fought=size", "UnitsMarked(zone, fought=size", "fire_attack"),
        ("13.2", "docked ships are burnt", "fire_attack", "if self.place in TERRITORIES:", "if self.place in ():", "fire_attack"),
    ),
    *_broken(
        ("14.1", "the spells of a lost wizard stay", "chips", "        if self.chip in state.spells:\n            changes", "        if self.chip not in state.spells:\n            changes", "spell_users"),
        ("14.3", "a player has four wizards", "learning", "MOST_WIZARDS: Final = 3", "MOST_WIZARDS: Final = 4", "places"),
        ("14.4", "a spell that is known is learned again", "learning", "if spell in tale.state.spells[self.wizard]:", "if spell is None:", "places"),
        ("14.2", "the scrolls of a king go to nobody", "ending", "if victor and victor not in tale.state.out:", "if victor and victor in tale.state.out:", "ending"),
        ("14.2", "a king is taken into the Wastelands", "teleport", "if target in SPACE_OF and king in self._led(war, seat, self.caster):", "if target in ZONES and king_of(seat) in self.leading:", "teleport_at_sea"),
        ("14.5", "no wizard becomes a DragonLord", "learning", 'return ("", *wizards)', 'return ("",)', "places"),
        ("14.5", "a king becomes a DragonLord", "soundness", 'if chip.on_dragonlord and ".king" in name:', 'if chip.on_dragonlord and ".duke" in name:', "position"),
        ("14.6", "dragonfire takes the die", "spells", 'if name.startswith(f"{side.seat}.wizard")]', "if name.startswith(side.seat)]", "worked_examples"),
        ("14.7", "dragonfire is thrown at sea", "battle", 'if stage not in ("attacker_casts", "defender_casts", "choice")', 'if stage not in ("defender_casts", "choice")', "sea_combat"),
    ),
    *_broken(
        ("15.4", "Hope helps nobody", "spellbook", '"hope": Spell("QD-15.4", friends=1)', '"hope": Spell("QD-15.4")', "spell_users"),
        ("15.2", "a fireball burns dragons", "quest_combat", '(spell == "fireball" and not monster_of(war).is_dragon)', 'spell == "fireball"', "encounter"),
        ("15.2", "a wizard throws as often as he likes", "spells", "        if wizard not in used:\n            yield from ((wizard", "        if wizard:\n            yield from ((wizard", "spells"),
        ("15.2", "a spell costs no die", "spells", "return tuple(name for name in users if not extra or", "return tuple(name for name in users if extra and", "spells"),
        ("15.1", "Heal does nothing against Berserk", "scroll_effects", 'return next(iter(shown_wizards(war, seat, place, "heal")), "")', 'return ""', "scrolls"),
        ("15.3", "a teleport in phase 5 goes to enemies", "reach", 'friendly = war.phase == "transfer"', 'friendly = war.phase == "sea"', "transfer"),
        ("15.5", "lightning does nothing to monsters", "quest_combat", 'return spell == "lightning" or (', "return (", "encounter"),
        ("15.6", "Panic harms nobody", "spellbook", 'Spell("QD-15.6", enemies=-1)', 'Spell("QD-15.6")', "spell_users"),
    ),
    *_broken(
        ("16.1", "a scroll is read twice", "scroll_book", "held = state.held[self.seat] - 1", "held = state.held[self.seat]", "scrolls"),
        ("16.2", "a wizard summons an elemental", "scroll_aims", "return (king_of(seat),) if king is not None and", "return readers(war, seat, place) if king is not None and", "scrolls"),
        ("16.4", "Berserk goes by one less", "scroll_effects", "Hits(tuple(range(1, attack + 1)))", "Hits(tuple(range(1, attack)))", "scrolls"),
        ("16.1", "who can buy nothing reads no scroll before phase 4", "purchase", "if may_read_somewhere(war, seat) and", "if not war and", "scrolls"),
        ("16.1", "who bought in an earlier turn reads no scroll before phase 4", "purchase", "_mark(seat) not in war.ready:", "not war.bought:", "scrolls"),
        ("16.7", "a Legion brings six", "scroll_aims", "MOST_RAISED: Final = 5", "MOST_RAISED: Final = 6", "scrolls"),
        ("16.7", "a Legion leaves out a DragonLord that is aboard", "scroll_aims", "MOST_ABOARD * crew.ships - crew.size)", "MOST_ABOARD * crew.ships - crew.units)", "scrolls"),
        ("16.3", "a scroll that is turned back strikes where it was", "scroll_effects", "step.seat, origin, step.place, step.turned + 1)", "step.seat, step.place, origin, step.turned + 1)", "scroll_windows"),
        ("16.9", "everybody sees what Clairvoyance shows", "scroll_book", '        """The reader alone sees them."""\n        return (self.seat,)', '        """The reader alone sees them."""\n        return ()', "scrolls"),
        ("16.2", "elementals go into the Wastelands", "scrolls", 'if kind == "summon_elemental":\n                yield Refusal', 'if kind == "reflect":\n                yield Refusal', "scrolls"),
        ("16.5", "Infernal rolls a D6", "scroll_book", 'Scroll("QD-16.5", "d8", ("invincible_shield", "dragon_shield"', 'Scroll("QD-16.5", "d6", ("invincible_shield", "dragon_shield"', "scrolls"),
        ("16.6", "a ship is gained in any harbour", "scroll_aims", "return place if mine and place in TERRITORIES and", "return place if place in TERRITORIES and", "scrolls"),
        ("16.8", "Charm charms nothing", "encounter", "        raise_by_charm(tale, self.seat, self.place, wizard)", "        pass", "encounter"),
    ),
    *_broken(
        ("17.1", "who came by teleport may retreat", "flight", 'FREE: Final = ("walk", "ship")', 'FREE: Final = ("walk", "ship", "teleport")', "retreat"),
        ("17.1", "who retreated fights on", "retreat", "            spent = units + lords\n", "            spent = 0\n", "retreat"),
        ("17.1", "a retreat goes to any friendly place", "retreat", "for place in NEIGHBOURS.get(side.place, ())", "for place in war.armies", "retreat"),
        ("17.2", "the defender says whether the attack goes on", "battle", 'self.at.startswith("attacker") or self.at == "choice"', 'self.at.startswith("attacker")', "retreat"),
    ),
    *_broken(
        ("18.1", "a march goes through five territories", "land", "MOST: Final = 4", "MOST: Final = 5", "forced_march"),
        ("18.1", "who fought marches", "forced_march", "fought = max(war.fought.get(place, 0), war.spent.get(place, 0) - marched)", "fought = 0", "forced_march"),
        ("18.1", "who marched fights", "forced_march", "        tire(tale, seat, place, units, dragonlords, leading, because)\n        tale.tell(UnitsMarked(place, spent=units + dragonlords, because=because))", "        return", "forced_march"),
        ("18.1", "a march goes over enemy land", "forced_march", "            elif not may_enter(war, seat, place):\n", '            elif place == "":\n', "forced_march"),
    ),
    *_broken(
        ("19.1", "who stepped steps again", "transfer", "            tale, seat, self.target, self.units, self.dragonlords, led,\n            because", "            tale, seat, self.target, 0, 0, (),\n            because", "transfer"),
        ("19.2", "a DragonLord stays at sea", "transfer", "        if home is not None:\n", "        if home is None and home is not None:\n", "teleport_at_sea"),
        ("19.3", "units land on enemy land in phase 5", "boarding", "        if holder is not None and holder.seat != seat and not closed_to(war, seat, self.target):", '        if holder is not None and holder.seat == "":', "sea_combat"),
        ("19.1", "nothing is gained by claiming an empty kingdom", "transfer", "        if was_empty:\n            claimed(", "        if not was_empty:\n            claimed(", "transfer"),
        ("19.2", "a DragonLord stays with a fleet in phase 5", "reach", 'if lord and war.phase == "transfer":', 'if lord and war.phase == "combat":', "teleport_at_sea"),
    ),
    *_broken(
        ("20.1", "sea and Wastelands earn", "income", "for place in own_places(now.state, seat)])", "for place, army in now.state.armies.items() if army.seat == seat])", "income"),
        ("20.1", "a kingdom earns one more", "income", 'value > 1 and now.answer("QD-X14") == "added"', 'value > 1 and now.answer("QD-X14") != "added"', "income"),
        ("20.1", "income goes where no kingdom of one's own is", "income", "            if place not in kingdoms:\n                yield", "            if place not in KINGDOMS:\n                yield", "income"),
    ),
    *_broken(
        ("21.1", "gold territories are reinforced", "reinforcements", "if TERRITORIES[place].reinforce_allowed and TERRITORIES[place].realm in realms", "if TERRITORIES[place].setup_allowed and (TERRITORIES[place].realm in realms or not TERRITORIES[place].realm)", "reinforcements"),
        ("21.1", "any realm is reinforced", "reinforcements", "and TERRITORIES[place].realm in realms", "and TERRITORIES[place].realm", "reinforcements"),
        ("21.1", "what could not be placed waits", "reinforcements", 'tale.answer("QD-H52") == "waits"', 'tale.answer("QD-H52") != "waits"', "reinforcements"),
    ),
    *_broken(
        ("22.2", "no game ends amid a battle at sea that has emptied a ship", "soundness", "if war.ended is not None or (war.battle", "if war.seats == () or (war.battle", "sea_combat"),
        ("22.2", "five kingdoms win", "ending", "kingdoms_held(now.state, seats) >= need)", "kingdoms_held(now.state, seats) >= need - 1)", "ending"),
        ("22.2", "two kings who fall together leave a winner", "ending", 'return GameEnded((), "no_king_left"', 'return GameEnded(now.state.out[-1:], "no_king_left"', "ending"),
        ("22.1", "vanquished units are as strong as their magic", "spell_users", "    if is_vanquished(now, side.seat):\n        return ()\n    war = now.state\n    known", "    war = now.state\n    known", "ending"),
        ("22.1", "nobody on the right rolls for the vanquished", "battle", "roller = right_of(now, side.enemy, side.seat)", 'roller = ""', "ending"),
        ("22.1", "who breaks off leaves ships that others could not man", "conquest", "max(-(-column.units // MOST_ABOARD), ships - sailors)", "-(-column.units // MOST_ABOARD)", "sea_combat"),
        ("22.1", "vanquished units attack on", "conquest", "    if attacking and attacker in war.out:\n", "    if attacking and attacker in ():\n", "sea_combat"),
        ("22.1", "who beat a king by vanquished units has his scrolls", "battle", '"" if side.enemy in war.out else side.enemy', "side.enemy", "ending"),
        ("22.2", "a kingdom that a scroll takes amid a battle is noticed later", "scroll_effects", "            tale.top.struck_by_a_scroll(tale)", "            pass", "scroll_windows"),
        ("22.1", "a king who is given up falls when the phase is over", "turn", "    _give_up_kings(tale)\n    end_amid_battle(tale)", "    end_amid_battle(tale)", "rulings"),
        ("22.2", "a correction that wins is noticed when the phase is over", "turn", "    _give_up_kings(tale)\n    end_amid_battle(tale)", "    _give_up_kings(tale)", "rulings"),
        ("22.2", "a battle outlives the game that a ruling ends", "battle", "if ended is not None and battle is not None:", "if ended is not None and battle is None:", "rulings"),
        ("22.1", "a party whose king was given up goes on with its quest", "parties", "            and self.seat not in war.out\n", "", "rulings"),
        ("22.1", "a party whose king was given up fights on", "encounter", 'elif self.seat in tale.state.out and self.at not in ("cure", "over"):', "elif self.seat in ():", "rulings"),
        ("22.1", "a party whose king was given up sets out", "travelling", '(seat, "quest") or seat in war.out:', '(seat, "quest"):', "rulings"),
        ("22.1", "a king is given to vanquished units", "soundness", "            if seat in war.out:", "            if seat in ():", "rulings"),
    ),
    *_broken(
        ("23.1", "allied armies fight each other", "variants", "return bool(war.allies) and war.allies.get(seat) == other and other not in war.out", "return False", "allies"),
        ("23.1", "the army that beat the last king wins alone", "ending", 'GameEnded(left[0], "kings"', 'GameEnded(left[0][:1], "kings"', "allies"),
        ("23.1", "a vanquished ally may not be attacked", "variants", "return bool(war.allies) and war.allies.get(seat) == other and other not in war.out", "return bool(war.allies) and war.allies.get(seat) == other", "allies"),
        ("23.2", "the short game is won by six kingdoms", "variants", 'return AGREED[now.answer("QD-H22")] if now.state.tundra else len(KINGDOMS)', "return len(KINGDOMS)", "lengths"),
        ("23.2", "a DragonLord of the short game takes ten", "reach", 'if lord and war.length == "short":', 'if lord and war.length == "long":', "lengths"),
        ("23.2", "tundra is entered in the short game", "variants", "    if place in war.tundra:\n        return True", "    if place in ():\n        return True", "lengths"),
        ("23.3", "elementals are in the deck of the long game", "decks", 'if length == "long" else scrolls()', 'if length == "short" else scrolls()', "lengths"),
    ),
)
# fmt: on
"""The broken rules, chapter by chapter."""
