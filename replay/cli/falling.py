"""Dice and cards as people type them: faces in any case and by their other words, cards by name, `?` for an unseen one."""

from typing import Any

from msgspec import inspect

from core.kit.chance import AnswerRoll, Deal
from core.rules import Rules
from core.telling import Moment
from events.event import Face
from replay.cli.trouble import Trouble
from replay.picture_text import cards
from replay.sheets.unseen import UNSEEN
from replay.words.faults import close_to
from replay.words.forms import Reader, form_of

__all__ = ["are_faces", "card_said", "dice_said", "faces_of", "is_card", "roll_asked"]


def roll_asked(now: Moment[Any]) -> str:
    """Return the die that is asked for; empty when no dice are."""
    asked = now.question
    return asked.roll.die if asked is not None and asked.roll is not None else ""


def are_faces(rules: Rules[Any], die: str, written: str) -> bool:
    """Return whether a line without a word before it is a roll: numbers, or faces of the die that is asked for."""
    words = written.replace(",", " ").split()
    known = _faces(rules, die)
    return bool(words) and all(
        word.isdigit() or word.lower() in known or close_to(word, known, 1) or (word == UNSEEN and die)
        for word in words
    )


def dice_said(rules: Rules[Any], die: str, written: str) -> AnswerRoll:
    """Return a roll; raise `Trouble` for an unseen die or a word that is nearly a face, `BadText` for what can be none."""
    known = _faces(rules, die)
    faces: list[Face] = []
    for face in faces_of(written):
        said = str(face).lower()
        if said == UNSEEN and said not in known:
            raise Trouble(
                "A die that nobody saw can't be typed while a game is played, for what follows hangs on its face. Roll it "
                "again, or agree on a face, and type that. A sheet may hold `?` for it: `lawspeaker adjudicate` says what "
                "can be known then, and what it takes the die for.",
                kind="unseen_die",
            )
        near = () if said in known or isinstance(face, int) else close_to(said, known)
        if near:
            raise Trouble(
                f"The {die} has no face {face!r}; did you mean {' or '.join(near)}? Its faces are "
                f"{', '.join(map(str, dict.fromkeys(known.values())))}.",
                kind="no_such_face",
                face=face,
            )
        faces.append(known.get(said, face))
    return AnswerRoll(tuple(faces))


def _faces(rules: Rules[Any], die: str) -> dict[str, Face]:
    """Return the words for the faces of a die, in small letters, each with its face."""
    printed = {str(face).lower(): face for face in rules.all_dice.get(die, ())}
    return {**printed, **{word.lower(): face for word, face in rules.faces.get(die, {}).items()}}


def faces_of(written: str) -> tuple[Face, ...]:
    """Return the faces in a text: `5 5 6 3`, `5, 5, 6, 3` or `skull blank`; raise `BadText`."""
    kind = form_of(inspect.type_info(tuple[int | str, ...]))
    reader = Reader(" ".join(written.replace(",", " ").split()))
    faces = tuple(kind.read(reader, "dice"))
    if not reader.at_end:
        raise reader.fault(f"dice: {reader.rest()!r} is no face of a die", "faces, as in: 5 5 6 3")
    return faces


def card_said(now: Moment[Any], written: str) -> Deal:
    """Return a card, whatever its capitals and spaces; raise `Trouble` for one that no deck of the game has.

    What may have been meant comes from the whole deck, so that it tells nothing of the hands.
    """
    said = Reader(written).text_value("card") if len(written.split()) < 2 else written.strip()
    known, by_word = _cards(now)
    if said == UNSEEN or not known or said in known:
        return Deal(said)
    meant = by_word.get(_plain(said))
    if meant is not None:
        return Deal(meant)
    near = dict.fromkeys(by_word[word] for word in close_to(_plain(said), by_word))
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise Trouble(
        f"There is no card {said!r}.{hint} `lawspeaker rules {now.rules.name} --cards` lists them; one that nobody who "
        "records has seen is `card: ?`.",
        kind="no_such_card",
        card=said,
    )


def is_card(now: Moment[Any], written: str) -> bool:
    """Return whether a line names a card of the deck that is asked for, and nothing else."""
    return _plain(written) in _cards(now)[1]


def _cards(now: Moment[Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the cards of the deck that is asked for by name, and each name by the words that mean it."""
    asked = now.question
    known = cards(now.rules, asked.draw.deck if asked is not None and asked.draw is not None else "")
    return known, {_plain(word): name for name, title in known.items() for word in (title, name)}


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace(".", " ").split())
