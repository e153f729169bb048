"""A toy game: a further game is one folder. Its chapters exercise the shapes that real games have."""

from core.rulebook import load_rulebook
from core.rules import Rules

from .duel import COMMANDS, FACTS, SETUP, STEPS, begin
from .state import Board, sound, start

RULES: Rules[Board] = Rules(
    package=__name__,
    revision=1,
    rulebook=load_rulebook(__name__),
    seats=("red", "blue", "green"),
    least=2,
    commands=COMMANDS,
    facts=FACTS,
    setup=SETUP,
    steps=STEPS,
    start=start,
    begin=begin,
    sound=sound,
)
