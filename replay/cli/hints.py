"""What `?` says at the prompt: what can be typed there, and an example of what is asked just then."""

from collections.abc import Iterable
from typing import Any

from core.asking import Ask, Dice, Offer
from core.rules import Rules
from core.seats import CHANCE
from replay.words.wording import command_words

__all__ = ["HELP", "example_of"]

HELP = """\
Now, for example:  {example}
Enter              the answer shown as `without an answer`; twice where it ends a phase
1 5 5 6            dice, also before the passes that lead to them: those are filled in and said; a die that nobody saw
                   is rolled again, for only a sheet may hold `?` for one
reflect            a card by its name; `card: ?` when nobody who records has seen it
end combat         end a phase by its name; the seat may be left out when one is asked, and verbs be cut short
a; b               several moves on a line; `claim OR_n IH_k` is one claim after the other
Tab                what may stand next: verbs, places by id or name, chips, cards
show, show 12      the board as all may see it, now or after entry 12; `show all` with what is hidden
as {alone:<15} what that seat alone may see, on an empty screen; it plays there until Enter
? all              every lawful answer, with what is hidden
why MOVE           whether the rules allow a move, without playing it; `why` alone: the last one refused
rules WORDS        a section (10.5), or those that hold the words
undo               take the last line back; `undo 12` to entry 12; `undo elf`: elf agrees; `undo all`: all do;
                   `undo --arbiter Zed`: he decides
restore            bring back what the last `undo` took; `restore --arbiter Zed` where he had decided
{alone}: dispute WORDS  contest what was played last, or `{alone}: dispute entry 12 WORDS`; then the arbiter rules on it
quit               leave; everything played is kept"""


def example_of(rules: Rules[Any], asks: Iterable[Ask]) -> str:
    """Return a line that answers what is asked: the first answer that is offered, with the least in each field."""
    for ask in asks:
        if ask.seat == CHANCE and ask.question.draw is not None:
            return "card: ?"
        if ask.seat == CHANCE:
            faces = (held for offer in ask.offers for held in offer.fields.values() if isinstance(held, Dice))
            return " ".join(str(die.faces[n % len(die.faces)]) for die in faces for n in range(die.count))
        if ask.offers:
            return command_words(rules, ask.seat, _least(ask.offers))
    return "show"


def _least(offers: tuple[Offer, ...]) -> Any:
    return offers[0].sample(lambda _: 0)
