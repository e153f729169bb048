"""Slips of one line, each with the tests that must fail because of it: in the kernel, and in a game that breaks a law.

`tests/core/test_mutations.py` makes each in a copy of the house and runs those tests there.
"""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["MUTATIONS", "Mutation"]

ASKING = "tests/core/test_asking.py"
DECIDING = "tests/core/test_deciding.py"
OPENING = "tests/core/test_opening.py"
TABLE_LAW = "tests/core/test_table_law.py"
PLAYERS = "tests/core/test_one_player_at_several_seats.py"
CARDS = "tests/core/test_shapes_cards.py"
DICE = "tests/core/test_shapes_dice.py"
ENDINGS = "tests/core/test_shapes_endings.py"
MEANWHILE = "tests/core/test_shapes_meanwhile.py"
REACTION = "tests/core/test_shapes_reaction.py"
RULINGS = "tests/core/test_shapes_rulings.py"
SECRET_CHOICES = "tests/core/test_shapes_secret_choices.py"
WALKS = "tests/core/test_shapes_walks.py"
SHARING = "tests/core/test_shapes_sharing.py"
LAW_CITING = "tests/laws/test_citing.py"
LAW_DECIDING = "tests/laws/test_deciding.py"
LAW_FOLDING = "tests/laws/test_folding.py"
LAW_SECRETS = "tests/laws/test_secrets.py"


@dataclass(frozen=True)
class Mutation:
    """A slip: in which file, which text becomes which, and the test file that must notice."""

    name: str
    file: str
    old: str
    new: str
    killer: str

    def make(self, house: Path) -> None:
        """Make the slip in a copy of the house; raise `ValueError` unless the text stands there exactly once.

        Raises `SyntaxError` when what comes out is no Python.
        """
        path = house / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} holds {self.old!r} {text.count(self.old)} times")
        slipped = text.replace(self.old, self.new)
        compile(slipped, str(path), "exec")  # what does not even load would be noticed by any test
        path.write_text(slipped, encoding="utf-8")


def _in(file: str, *slips: tuple[str, str, str, str]) -> tuple[Mutation, ...]:
    return tuple(Mutation(name, file, old, new, killer) for name, old, new, killer in slips)


MUTATIONS = (
    *_in(
        "core/kit/disputing.py",
        (
            "a ruling opens the next dispute",
            "ruled and ruled[-1].id >=",
            "ruled and ruled[-1].id >",
            TABLE_LAW,
        ),
        ("each seat of a player contests by itself", "now.table.seats_of(seat)\n", "(seat,)\n", PLAYERS),
    ),
    *_in(
        "core/asking.py",
        (
            "a number above the highest is allowed",
            "self.low <= value <= self.high",
            "self.low <= value <= self.high + 1",
            ASKING,
        ),
        (
            "the highest number is never sampled",
            "self.low + choose(self.high - self.low + 1)\n\n\nclass Pick",
            "self.low + choose(max(1, self.high - self.low))\n\n\nclass Pick",
            ASKING,
        ),
        (
            "more of a kind than the pool holds may be picked",
            "n <= self.pool.get(k, 0) for k",
            "n <= self.pool.get(k, 0) + 1 for k",
            ASKING,
        ),
        (
            "a name may be taken twice",
            "and len(set(value)) == len(value)\n",
            "",
            ASKING,
        ),
        (
            "any number of dice is allowed",
            "and len(value) == self.count\n",
            "",
            ASKING,
        ),
        (
            "a walk runs into a dead end before it is long enough",
            "owed is None or place in owed",
            "True",
            ASKING,
        ),
        (
            "a walk may begin anywhere",
            "zip((self.start, *value), value, strict=False)",
            "zip(value, value[1:], strict=False)",
            ASKING,
        ),
        (
            "an offer allows any value of a field that it does not name",
            "held = self.fields[name] if name in self.fields else _default(self.command, name)",
            "held = self.fields[name] if name in self.fields else value",
            ASKING,
        ),
    ),
    *_in(
        "core/deciding.py",
        ("one waivable reason lets all be overlooked", "overlook and all(", "overlook and any(", DECIDING),
        (
            "what was overlooked is not told",
            "        tale.tell(Overlooked(reason.code, because=reason.because))",
            "        pass",
            DECIDING,
        ),
        (
            "unsound positions are appended",
            "        if flaws:\n",
            "        if flaws and not flaws:\n",
            DECIDING,
        ),
        (
            "an unsound opening cites the wrong section",
            'section = "LS-1.5" if isinstance(command, OpenGame) else "LS-2.4"',
            'section = "LS-1.5"',
            DECIDING,
        ),
        (
            "play goes on while a dispute is open",
            "    if tale.table.disputes:\n        return dealt, False\n",
            "",
            RULINGS,
        ),
        (
            "every table command turns the agenda",
            "if not isinstance(command, TableCommand) or tale.has_turned:",
            "if True:",
            DECIDING,
        ),
        (
            "a decision hands no question on but the one of before",
            "now.entry + 1, question)",
            "now.entry + 1, now.question)",
            LAW_FOLDING,
        ),
        ("the next entry has the same id", "now.entry + 1, question)", "now.entry, question)", OPENING),
        (
            "a secret command is public",
            "(seat,) if command.SEALS and any(audiences) else ()",
            "()",
            SECRET_CHOICES,
        ),
        (
            "a secret command is sealed to one seat of its player alone",
            "    sealed_to = tale.table.told_to(sealed_to)\n",
            "",
            PLAYERS,
        ),
        (
            "what chance deals is sealed to the seat of chance",
            "return (seat if seat in told else CHANCE,)",
            "return (CHANCE,)",
            CARDS,
        ),
        (
            "a card that its holder may not see is shown to him",
            "seat if seat in told else CHANCE",
            "seat",
            DECIDING,
        ),
        (
            "a card is shown to whom something else is told later",
            "_dealt_to(asked.draw.to, audiences[:dealt])",
            "_dealt_to(asked.draw.to, audiences)",
            DECIDING,
        ),
        (
            "the game is played on after its end",
            "    if now.state.ended is not None:\n        yield",
            "    if False:\n        yield",
            ENDINGS,
        ),
        (
            "a disputed game is played on",
            "    if now.table.disputes:\n        yield",
            "    if False:\n        yield",
            RULINGS,
        ),
        (
            "any seat answers for any other",
            "        if seat in question.seats:\n            if _answers(",
            "        if True:\n            if _answers(",
            DECIDING,
        ),
        (
            "any command answers any question",
            "if type(command) in question.answers:",
            "if True:",
            DECIDING,
        ),
        (
            "a card answers a roll",
            "        return isinstance(command, AnswerRoll)\n",
            "        return isinstance(command, AnswerRoll | Deal)\n",
            DECIDING,
        ),
        (
            "asks are made while a dispute is open",
            "or (now.table.disputes and seat != ARBITER)",
            "",
            DECIDING,
        ),
        (
            "everybody is offered what one seat is asked",
            "        if seat not in question.seats:\n            continue\n",
            "",
            WALKS,
        ),
        (
            "a step beneath offers all it has",
            "tuple(offer for offer in offers if offer.command in question.answers)",
            "tuple(offers)",
            MEANWHILE,
        ),
    ),
    *_in(
        "core/telling.py",
        (
            "a secret is told to one seat of its player alone",
            "self.table.told_to(audience) if audience else audience",
            "audience",
            PLAYERS,
        ),
        (
            "a question derived once is kept for another state",
            "            agenda = self.state.agenda\n            self._question = agenda[-1].step.question(self) if agenda else None",
            "            agenda = self.state.agenda\n            self._question = agenda[0].step.question(self) if agenda else None",
            LAW_FOLDING,
        ),
        (
            "nothing is heard from beneath",
            "            if asked is not None:\n                left",
            "            if asked is None:\n                left",
            MEANWHILE,
        ),
        (
            "who is out is heard from beneath",
            "if not self.is_out(seat))\n                if left",
            "if True)\n                if left",
            MEANWHILE,
        ),
        (
            "who forfeited is asked all the same",
            "return seat in self.state.out or seat in self.table.forfeited",
            "return seat in self.state.out",
            SECRET_CHOICES,
        ),
        (
            "who was eliminated is asked all the same",
            "return seat in self.state.out or seat in self.table.forfeited",
            "return seat in self.table.forfeited",
            ENDINGS,
        ),
        (
            "a fact's own audience is forgotten",
            "fact.audience() if to is None else to",
            "() if to is None else to",
            SECRET_CHOICES,
        ),
        (
            "a fact that does not fold is a traceback",
            "            raise DoesNotFold(",
            "            raise RuntimeError(",
            DECIDING,
        ),
        (
            "the end leaves steps open",
            "            self._kept, self._new = 0, []\n\n",
            "            self._kept, self._new = self._kept, self._new\n\n",
            ENDINGS,
        ),
        (
            "steps are laid in the wrong order",
            "self._new.extend(reversed(steps))",
            "self._new.extend(steps)",
            DECIDING,
        ),
        (
            "steps are laid after the end",
            "        if self.state.ended is None:\n            self._new",
            "        if True:\n            self._new",
            DECIDING,
        ),
        (
            "a ruling does not rename the open question",
            "        if top is not None:\n            self.become(top)",
            "        if top is None:\n            self.become(top)",
            RULINGS,
        ),
        (
            "silence waits until all that are asked are out",
            "            if out is None:\n",
            "            if out is None or not all(self.is_out(seat) for seat in asked.seats):\n",
            SECRET_CHOICES,
        ),
        (
            "one step too few ends",
            "Turned(len(self._opened) - self._kept, tuple(self._new))",
            "Turned(max(0, len(self._opened) - self._kept - 1), tuple(self._new))",
            REACTION,
        ),
        (
            "more steps end than are open",
            "    if kept < 0:\n",
            "    if kept < -9:\n",
            DECIDING,
        ),
        (
            "all steps of an entry have one place",
            "repeat(entry), count())",
            "repeat(entry), repeat(0))",
            LAW_FOLDING,
        ),
        (
            "a step is named after the entry before",
            "repeat(entry), count())",
            "repeat(entry - 1), count())",
            LAW_FOLDING,
        ),
    ),
    *_in(
        "core/folding.py",
        (
            "game facts fold along ids",
            "moments[entry.parent].state, moments[-1].table",
            "moments[-1].state, moments[-1].table",
            LAW_FOLDING,
        ),
        (
            "table facts fold along parents",
            "moments[entry.parent].state, moments[-1].table",
            "moments[entry.parent].state, moments[entry.parent].table",
            LAW_FOLDING,
        ),
        (
            "the agenda does not move",
            "                state = moved(state, fact, entry.id)\n",
            "                state = moved(state, fact, entry.id - 1)\n",
            LAW_FOLDING,
        ),
        (
            "an opening leaves the board of nobody",
            "                if type(fact) is GameOpened:\n",
            "                if False:\n",
            OPENING,
        ),
    ),
    *_in(
        "core/table.py",
        (
            "a player's other seat is told nothing",
            "            return seats\n        return tuple(",
            "            return seats\n        return seats or tuple(",
            PLAYERS,
        ),
        (
            "a seat stands beside no other of its player",
            "(seat, *(other for other in own if other != seat))",
            "(seat,)",
            PLAYERS,
        ),
        (
            "a ruling answers nothing",
            "answers={**table.answers, verdict.point: verdict.answer}",
            "answers={**table.answers}",
            RULINGS,
        ),
        (
            "a ruling closes every dispute but its own",
            "if dispute.id != fact.dispute)",
            "if dispute.id == fact.dispute and fact.dispute)",
            TABLE_LAW,
        ),
        (
            "what is ruled is no longer told from what is played",
            "first if last and last >= entry - 1 else entry",
            "entry",
            TABLE_LAW,
        ),
        (
            "a table that talked once is taken to talk still",
            "first if last == entry - 1 else entry",
            "first",
            TABLE_LAW,
        ),
        (
            "a forfeit is forgotten",
            "forfeited=(*table.forfeited, verdict.seat)",
            "forfeited=table.forfeited",
            TABLE_LAW,
        ),
    ),
    *_in(
        "core/state.py",
        (
            "a question is not named after its seat",
            '{self.n}.{seat}"',
            '{self.n}.seat"',
            LAW_FOLDING,
        ),
    ),
    *_in(
        "core/kit/chance.py",
        (
            "too many dice are taken",
            "        if len(self.faces) != roll.count:\n",
            "        if len(self.faces) < roll.count:\n",
            TABLE_LAW,
        ),
        (
            "a roll on record does not say who threw",
            "                roller=roll.roller,\n",
            "",
            DICE,
        ),
        (
            "a card that is not left is dealt",
            'elif self.card != "?" and self.card not in',
            'elif self.card == "?" and self.card not in',
            CARDS,
        ),
    ),
    *_in(
        "core/kit/table.py",
        (
            "an opening keeps only the answers it was given",
            "{**rules.rulebook.defaults, **self.answers}",
            "{**self.answers}",
            OPENING,
        ),
        (
            "a correction leaves the open question as it was",
            "            tale.tell(fact)  # type: ignore[arg-type]\n        tale.reopen()",
            "            tale.tell(fact)  # type: ignore[arg-type]",
            RULINGS,
        ),
        (
            "a position that does not hold is opened",
            '            yield from forbids_position(now, state, self.position, "LS-1.5")',
            "            yield from ()",
            OPENING,
        ),
    ),
    *_in(
        "tests/toys/fair/scrolls.py",
        (
            "a window opens because of which card the target holds",
            "if not now.state.cards[self.target]:",
            'if not holds(now, self.target, "mirror"):',
            LAW_SECRETS,
        ),
        (
            "a card is offered to who does not hold it",
            '        if holds(now, seat, "mirror"):\n            yield Offer(Mirror)',
            "        yield Offer(Mirror)",
            LAW_DECIDING,
        ),
        (
            "a card that is held is not offered",
            '        if holds(now, seat, "mirror"):\n            yield Offer(Mirror)',
            "        yield from ()",
            LAW_DECIDING,
        ),
    ),
    *_in(
        "tests/toys/fair/auction.py",
        (
            "a bid of nothing tells fewer facts than another",
            "        tale.tell(BidNamed(seat, self.coins",
            "        if self.coins:\n            tale.tell(BidNamed(seat, self.coins",
            LAW_SECRETS,
        ),
        (
            "a refusal tells what others bid in secret",
            '{now.state.coins[seat]} coins."',
            '{now.state.coins[seat]} coins, {now.state.bids} are bid."',
            LAW_SECRETS,
        ),
        (
            "what is revealed is not marked so",
            "    REVEALS = True\n",
            "    REVEALS = False\n",
            LAW_SECRETS,
        ),
        (
            "an auction has no lawful silence",
            "        return Bid(0)\n",
            "        return Bid(99)\n",
            LAW_DECIDING,
        ),
        (
            "a question cites a rule that is not in the book",
            '(Bid,), ("FA-5.2",)',
            '(Bid,), ("FA-5.9",)',
            LAW_CITING,
        ),
    ),
    *_in(
        "tests/toys/fair/coins.py",
        (
            "a fold writes into the state before it",
            "        left = state.coins[self.seat] - self.count\n        out =",
            "        left = state.coins[self.seat] - self.count\n        state.coins[self.seat] = left  # type: ignore[index]\n        out =",
            LAW_FOLDING,
        ),
        (
            "more coins are lost than there are",
            "    count = min(count, tale.state.coins[seat])\n",
            "",
            LAW_DECIDING,
        ),
        (
            "a seat without coins is asked on",
            "out = (*state.out, self.seat) if left == 0 else state.out",
            "out = state.out",
            ENDINGS,
        ),
    ),
    *_in(
        "tests/toys/fair/deck.py",
        (
            "everybody sees the card that was drawn",
            "    def audience(self) -> tuple[Seat, ...]:\n        return (self.seat,)\n\n    def onto(self, state: Fair) -> Fair:\n        hand = plus(",
            "    def onto(self, state: Fair) -> Fair:\n        hand = plus(",
            CARDS,
        ),
        (
            "asking changes the state",
            "    hand = now.state.hands.get(seat, {})\n    if hand.get(card):",
            '    hand = now.state.hands.setdefault(seat, {"?": 0})  # type: ignore[attr-defined]\n    if hand.get(card):',
            LAW_FOLDING,
        ),
        (
            "a card on the pile is still in the deck",
            "range(count - seen(now.state, card))",
            "range(count)",
            CARDS,
        ),
    ),
    *_in(
        "tests/toys/fair/spoils.py",
        (
            "an agreement outlives the proposal it was given to",
            "agreed=(self.seat,), proposals",
            "agreed=(*state.agreed, self.seat), proposals",
            SHARING,
        ),
        (
            "a new proposal keeps the name of the question",
            "        tale.reopen()\n",
            "",
            SHARING,
        ),
    ),
)
