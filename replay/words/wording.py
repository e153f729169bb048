"""Commands, facts, offers and asks in words: as a scoresheet writes them, or as a person reads them."""

import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any

from msgspec import structs

from core.asking import Ask, Between, Dice, Offer, OneOf, Part, Path, Pick
from core.consent import in_short
from core.harmless import harmless
from core.kit.table import MoveHead, OpenGame, Rule
from core.rules import Fact, Rules
from core.seats import is_player
from core.telling import Moment
from events.chance import Rolled, successes
from events.counting import plural
from events.entry import SealedCommand, UnrecognisedCommand
from events.event import CommandData, FactData, Seat, SectionRef
from events.play import Sealed, Turned, Unrecognised
from events.table import (
    Answered,
    Forfeited,
    GameOpened,
    HeadMoved,
    Penalised,
    Ruled,
    TakeBackProposed,
    Verdict,
    WentBack,
)
from replay.picture_text import worded
from replay.sheets.consenting import write_consent
from replay.sheets.writing import write_line
from replay.words.forms import quoted
from replay.words.grammar import Field, grammar, verb_of

__all__ = [
    "answers_to",
    "asked_of",
    "bound_words",
    "chance_words",
    "command_words",
    "fact_words",
    "is_are",
    "offer_words",
    "offers_words",
    "prompt_words",
    "silence_words",
]

GONE_BACK = "LS-5.3"
"""The section under which a ruling moves the head."""
LONG = 60
"""Letters of the choices of one field that are written out; of more only the first are, and how many there are."""
ENDLESS = 2**31
"""Letters of choices that are written out however many there are."""
PLAIN = frozenset({"seat", "place", "die", "owner"})
"""Fields whose value needs no name beside it: `units lost: orc, OR_n, count 2`."""


def command_words(rules: Rules[Any], seat: Seat, command: CommandData) -> str:
    """Return a command as a line of a scoresheet where there is such a line, else in words; harmless to show."""
    return harmless(_command_words(rules, seat, command))


def _command_words(rules: Rules[Any], seat: Seat, command: CommandData) -> str:
    if isinstance(command, SealedCommand):
        return f"{seat}: (sealed to {', '.join(command.to)})"
    if isinstance(command, UnrecognisedCommand):
        return f"{seat}: (unknown command {command.name})"
    written = write_line(rules, seat, command, disputed=False)
    if written is not None:
        return written
    consent = write_consent(command)
    if consent is not None:
        return f"{seat}: {consent}"
    if isinstance(command, OpenGame):
        start = " from a position" if command.position else ""
        origin = (
            f", a what-if of {command.branch.game} from entry {command.branch.entry}"
            if command.branch
            else ""
        )
        return f"{seat}: open a game of {command.game} for {', '.join(command.seats)}{start}{origin}"
    if isinstance(command, MoveHead):
        agreed = f", agreed by {', '.join(command.agreed)}" if command.agreed else ""
        decided = f", decided by {command.arbiter}" if command.arbiter else ""
        return f"{seat}: go on from entry {command.to}{agreed}{decided}"
    if isinstance(command, Rule):  # of which a sheet has no line: to go back
        under = f" under {', '.join(command.because)}" if command.because else ""
        return f"{seat}: {_ruling(command.verdict, command.dispute)}{under} because {command.reason}"
    verb = verb_of(_origin(command))
    own = verb.rpartition(" ")[2]
    named = [f" {worded(getattr(command, own))}"] if own in command.__struct_fields__ else []
    told = [f", {part}" for part in _parts(command, frozenset({own}))]
    return f"{seat}: {verb}{''.join((*named, *told))}"


def fact_words(rules: Rules[Any], fact: FactData, later: Sequence[FactData] = ()) -> str:
    """Return what a fact says, without the sections that made it so; nothing for one that only moves the agenda.

    `later` are the facts that follow it in its entry. It is harmless to show.
    """
    return harmless(_fact_words(rules, fact, later))


def _fact_words(rules: Rules[Any], fact: FactData, later: Sequence[FactData]) -> str:
    if isinstance(fact, Turned):
        return ""
    if isinstance(fact, Sealed):
        return f"something that only {' and '.join(fact.to)} may see"
    if isinstance(fact, Unrecognised):
        return f"{fact.name}, which this revision does not know: {worded(fact.raw)}"
    if isinstance(fact, Rolled):
        return _rolled(fact)
    if isinstance(fact, Fact) and (said := fact.in_words(later)):
        return said
    if isinstance(fact, Ruled):
        return f"ruled: {_ruling(fact.verdict, fact.dispute)}, because {fact.reason}"
    if isinstance(fact, HeadMoved) and GONE_BACK in fact.because:
        fact = structs.replace(fact, reason="")  # the ruling beside it states its reason
    if isinstance(fact, HeadMoved | TakeBackProposed) and fact.learned:
        fact = structs.replace(fact, learned=(in_short(fact.learned),))
    if isinstance(fact, GameOpened):
        usual = rules.rulebook.defaults
        own = {point: answer for point, answer in fact.answers.items() if usual.get(point) != answer}
        together = [" and ".join(seats) for seats in fact.players]
        fact = structs.replace(fact, answers=own, players=tuple((each,) for each in together))
    fields = list(_parts(fact, frozenset({"because"})))
    return f"{verb_of(_origin(fact))}: {', '.join(fields)}" if fields else verb_of(_origin(fact))


def _parts(said: CommandData | FactData, but: frozenset[str]) -> Iterator[str]:
    """Yield the fields of a command or fact that hold something, in words, without those in `but`."""
    for name in said.__struct_fields__:
        value = getattr(said, name)
        if name not in but and value not in (None, False, "", (), {}):
            yield worded(value) if name in PLAIN else f"{name.replace('_', ' ')} {worded(value)}"


def _ruling(verdict: Verdict, dispute: int) -> str:
    """Return what a ruling says, and the dispute that it is on, if any."""
    match verdict:
        case WentBack(to):
            said = f"go back to entry {to}"
        case Answered(point, answer):
            said = f"{point} is answered {answer}"
        case Penalised(seat, what):
            said = f"{seat} is penalised for {what}"
        case Forfeited(seat):
            said = f"{seat} forfeits"
        case _:
            said = "what the log holds stands"
    return f"{said}, on dispute {dispute}" if dispute else said


def _rolled(fact: Rolled) -> str:
    who = fact.owner if fact.roller in ("", fact.owner) else f"{fact.roller} for {fact.owner}"
    hits = successes(fact.counts, fact.faces)
    told = (
        f"{who} rolled {' '.join(map(_face, fact.faces))} on {len(fact.faces)} {fact.die} for {fact.purpose}"
    )
    if hits is None:
        return told
    return f"{told}: {plural(hits, 'success')}"


def _origin(value: Any) -> type[Any]:
    kind = type(value)
    return getattr(kind, "__origin__", kind)


def _face(face: int | str) -> str:
    return str(face) if isinstance(face, int) else quoted(face)


def offer_words(rules: Rules[Any], offer: Offer, *, whole: bool = False) -> str:
    """Return an offer as the line of a scoresheet that would take it, its free fields between angle brackets.

    `whole`: however many choices a field has, all are written out.
    """
    sentence = next((each for each in grammar(rules).commands.values() if each.kind is offer.command), None)
    if sentence is None:
        return verb_of(offer.command)
    parts = [sentence.verb]
    for field in sentence.fields:
        if field.name in offer.fields:
            held = offer.fields[field.name]
            parts.extend(_field_words(field, held, sentence.words, ENDLESS if whole else LONG))
    return " ".join(parts)


def offers_words(rules: Rules[Any], offers: Iterable[Offer], *, whole: bool = False) -> Iterator[str]:
    """Yield offers as lines; walks of one command from one place are gathered into one line, with how many there are."""
    gathered: dict[Any, list[Offer]] = {}
    for place, offer in enumerate(offers):
        walked = any(_is_walk(held) for held in offer.fields.values())
        key = (offer.command, repr(offer.fields.get("origin"))) if walked else place
        gathered.setdefault(key, []).append(offer)
    for group in gathered.values():
        walked = any(map(_is_walk, group[0].fields.values()))
        yield offer_words(rules, _gathered(group) if walked or len(group) > 1 else group[0], whole=whole)


def _is_walk(held: Any) -> bool:
    """Return whether a field holds a way over the board: places in the order walked, not one place.

    The only way there is stands for itself, unless it goes to and fro.
    """
    if isinstance(held, Path):
        return True
    ways = held.values if isinstance(held, OneOf) else ()
    several = len(ways) > 1 or any(isinstance(way, tuple) and len(set(way)) < len(way) for way in ways)
    return several and all(isinstance(way, tuple) for way in ways)


def _gathered(group: list[Offer]) -> Offer:
    """Return offers as one to show: each field as wide as any of them has it."""
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(name for offer in group for name in offer.fields):
        held = [offer.fields[name] for offer in group if name in offer.fields]
        if any(map(_is_walk, held)):
            fields[name] = OneOf((_walks(held),))
        else:
            everywhere = len(held) == len(group)
            fields[name] = _widest(held, everywhere)
    return Offer(group[0].command, fields)


def _walks(held: list[Any]) -> str:
    paths = [path for n, path in enumerate(held) if isinstance(path, Path) and path not in held[:n]]
    written = {
        way
        for each in held
        if isinstance(each, OneOf)
        for way in each.values
        if not any(path.allows(way) for path in paths)
    }
    low = min([path.low for path in paths] + [len(way) for way in written])
    high = max([path.high for path in paths] + [len(way) for way in written])
    ways = len(written) + sum(map(_ways, paths))
    return f"<{_span(low, high)} steps, {plural(ways, 'way')}>"


def _ways(path: Path) -> int:
    """Return how many walks a path has."""
    here, found = {path.start: 1}, 0
    for steps in range(1, path.high + 1):
        onward: dict[str, int] = {}
        for place, ways in here.items():
            for beyond in path.edges.get(place, ()):
                onward[beyond] = onward.get(beyond, 0) + ways
        here = onward
        found += sum(here.values()) if steps >= path.low else 0
    return found


def _widest(held: list[Any], everywhere: bool) -> Any:
    """Return a bound that holds what any of these does; what some offers lack may be left out."""
    first = held[0]
    if all(isinstance(each, Between) for each in held):
        return Between(min(each.low for each in held), max(each.high for each in held))
    if all(isinstance(each, Part) for each in held):
        names = tuple(dict.fromkeys(name for each in held for name in each.of))
        low = min(each.low for each in held) if everywhere else 0
        return Part(names, low, max(each.high for each in held))
    return first


def _field_words(field: Field, held: Any, words: frozenset[str], most: int) -> Iterator[str]:
    if _is_empty(held) or (field.optional and held in (field.default, OneOf((field.default,)))):
        return
    may_lack = isinstance(held, Pick | Part) and held.low == 0
    if isinstance(held, OneOf) and field.optional and field.default in held.values:
        held, may_lack = OneOf(tuple(value for value in held.values if value != field.default)), True
    written = bound_words(held, most) or field.form.write(held, words, True)
    if field.word:
        written = field.word if held is True else f"{field.word} {written}"
    yield f"[{written}]" if may_lack else written


def _is_empty(held: Any) -> bool:
    """Return whether a field is bounded so that nothing can be put there."""
    match held:
        case Pick(pool, low, _):
            return low == 0 and not any(pool.values())
        case Part(of, low, _):
            return low == 0 and not of
        case _:
            return False


def bound_words(held: Any, most: int = LONG) -> str:
    """Return what a free field may hold, as `<2 to 5>`; nothing for a field that is fixed."""
    match held:
        case OneOf(values) if len(values) == 1:
            return worded(values[0])
        case OneOf(values):
            return f"<{_some([worded(value) or 'none' for value in values], '|', most)}>"
        case Between(low, high):
            return f"<{low}>" if low == high else f"<{low} to {high}>"
        case Pick(pool, low, high):
            return f"<{_span(low, high)} of {worded(pool)}>"
        case Part(of, low, high):
            return f"<{_span(low, high)} of {_some(list(of), ', ', most)}>"
        case Dice(faces, count):
            return f"<{count} of {_some([_face(face) for face in faces], ' ', most)}>"
        case Path(start, _, low, high):
            return f"<{_span(low, high)} steps from {start}>"
        case _:
            return ""


def _some(values: list[str], between: str, most: int) -> str:
    whole = between.join(values)
    if len(whole) <= most or len(values) == 1:
        return whole
    kept: list[str] = []
    for value in values:
        if kept and len(between.join((*kept, value))) > most:
            break
        kept.append(value)
    return f"{between.join(kept)}{between}... {len(values)} in all"


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def chance_words(now: Moment[Any]) -> str:
    """Return what chance is asked for at a moment: how many of which dice for whom and why, or a card; else nothing."""
    asked = now.question
    if asked is not None and asked.roll is not None:
        roll = asked.roll
        by = f" (rolled by {roll.roller})" if roll.roller and roll.roller != roll.owner else ""
        return f"{roll.count} {roll.die} of {roll.owner}{by} for {roll.purpose}"
    if asked is not None and asked.draw is not None:
        return f"a card from {asked.draw.deck} for {asked.draw.to}"
    return ""


def silence_words(rules: Rules[Any], ask: Ask) -> str:
    """Return what stands for no answer to an ask, as a line of a scoresheet; nothing where an answer is owed."""
    return "" if ask.silence is None else command_words(rules, ask.seat, ask.silence)


def prompt_words(ask: Ask) -> str:
    """Return what an ask asks, to stand behind the seat's name: the prompt without that name, else the kind in words."""
    prompt = ask.question.prompt or sentence_of(ask.question.kind)
    return prompt.removeprefix(f"{ask.seat} ")


def is_are(counted: Sized) -> str:
    """Return the verb for so many seats: `is` for one, `are` for more."""
    return "is" if len(counted) == 1 else "are"


def answers_to(now: Moment[Any], sections: Iterable[SectionRef]) -> dict[SectionRef, str]:
    """Return the answers in force at a moment, to the points among these sections."""
    points = now.rules.rulebook.points
    return {ref: now.answer(ref) for ref in sections if ref in points}


def asked_of(now: Moment[Any]) -> tuple[Seat, ...]:
    """Return every seat that is asked something at a moment, players first, then chance, then the arbiter."""
    asked = dict.fromkeys(seat for _, question in now.questions() for seat in question.seats)
    if now.state.ended is not None:
        asked = {}
    if now.table.disputes:
        return ("arbiter",)
    return tuple(sorted(asked, key=lambda seat: not is_player(seat)))


def sentence_of(name: str) -> str:
    """Return a code or kind as words: `wrong_dice_count` is `wrong dice count`."""
    return re.sub(r"[_-]+", " ", name)
