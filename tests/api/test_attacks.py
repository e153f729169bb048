"""Attacks on secrets over HTTP: twin games that differ in what a seat may not see must answer it the same bytes.

The games are in the middle of a fight or a quest: chips lie face down, hands hold scrolls, a scroll or a treasure is being
drawn. Masked is what hides a secret by itself, digests, salts and the hashes that hang on them, and the time of the clock.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.desk import Desk
from core.games.dragonlords.position import HandSet
from core.seats import ARBITER, CHANCE
from replay import giving
from replay.history import History
from tests.api.attacking import Attack, attacked, commands_at_random, guessed
from tests.games.dragonlords.hidden import WORLDS, World, world
from tests.games.dragonlords.surface_leaks import says_more_in_a_problem
from tests.games.dragonlords.twins import Leak, Pair, begin, play_on
from tests.stressed import is_full

DRAWN = world("a scroll that is drawn")
DRAWING = World(
    "a scroll to be drawn while another holds one", DRAWN.seats, DRAWN.both,
    (HandSet("elf", ("summon_elemental.fire",)),), (HandSet("elf", ("summon_elemental.wind",)),),
    DRAWN.lead[:-1], frozenset({"elf"}), DRAWN.about,
)  # fmt: skip
"""The Orcs draw a scroll, and may not know which one the Elves hold; there is one of each in the deck."""
QUICK = (
    DRAWING, world("the king or the decoy among defenders"), world("two hands changed over"),
    world("a treasure that is found"), world("a correction of what is hidden"),
)  # fmt: skip
"""The worlds that are attacked in every run, by one seat and a spectator; full stress attacks all, by everybody."""
ADDRESSES = ("", "asks", "entries", "picture.svg", "state", "stream", "take-backs", "verify")
EYES = ("spectator", "orc", "elf", "dwarf", "arbiter", "chance", "nobody", "%00", "")
TIMES, GUESSES = 400, 1_000
"""How many commands at random, and about how many guesses, a full run lets each seat try in each world."""

Attacks = Generator[Attack, None, None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each attack the worlds of this run."""
    if "hidden" in metafunc.fixturenames:
        worlds = (DRAWING, *WORLDS) if is_full(metafunc.config) else QUICK
        metafunc.parametrize("hidden", worlds, ids=lambda hidden: hidden.name)


@pytest.fixture
def attacks(hidden: World, tmp_path: Path, pytestconfig: pytest.Config) -> Iterator[Attacks]:
    """Everybody who may not know the secret of a world, where it matters."""
    with closing(every(begin(hidden), tmp_path, all_readers=is_full(pytestconfig))) as found:
        yield found


@pytest.fixture
def asked(hidden: World, tmp_path: Path, pytestconfig: pytest.Config) -> Iterator[Attacks]:
    """The same a little later, when one of them is asked what to do."""
    with closing(every(until_asked(hidden), tmp_path, all_readers=is_full(pytestconfig))) as found:
        yield found


def every(pair: Pair, folder: Path, *, all_readers: bool = False) -> Attacks:
    """Yield the attacks of everybody who may not know what parts a pair; of one seat and a spectator unless said."""
    with attacked(pair, folder) as games:
        readers = sorted(pair.watching, key=lambda reader: reader is None or not pair.first.asks(reader))
        for reader in readers if all_readers else dict.fromkeys((readers[0], None)):
            yield Attack(pair, games, reader)


def until_asked(hidden: World) -> Pair:
    """Play a world on until one is asked who may not know its secret; as far as it goes when nobody ever is."""
    for entries in range(20):
        pair = begin(hidden)
        play_on(pair, 2, entries)
        if any(reader is not None and pair.first.asks(reader) for reader in pair.watching):
            return pair
    return begin(hidden)


def seats_of(attacks: Attacks) -> Attacks:
    return (attack for attack in attacks if attack.reader is not None)


# what is read


def test_every_address_that_reads_a_game_is_attacked(client: TestClient) -> None:
    """A new route that reads is looked at here, or this fails."""
    paths = client.get("/openapi.json").json()["paths"]
    reading = [path for path, methods in paths.items() if "{game}" in path and "get" in methods]
    assert sorted(path.removeprefix("/games/{game}").strip("/") for path in reading) == list(ADDRESSES)


def test_nothing_that_is_read_parts_the_twins(attacks: Attacks) -> None:
    """Every address at every entry, with everybody's eyes, in every form, headers and sizes included (QD-H42, QD-16.1)."""
    for attack in attacks:
        read_everything(attack)
        assert attack.compared > 60


def read_everything(attack: Attack) -> None:
    entries = range(attack.head + 2)
    for address in ADDRESSES:
        for method in ("GET", "HEAD", "OPTIONS"):
            attack.get(f"{address}?idle=0" if address == "stream" else address, method=method)
    for at in entries:
        for eyes in ("", *(f"&as={whom}" for whom in EYES)):
            attack.get(f"state?at={at}{eyes}")
        for theme in ("light", "dark"):
            attack.get(f"picture.svg?at={at}&theme={theme}")
        attack.get(f"entries?since={at}&limit=1")
        attack.get(f"stream?since={at}&idle=0")
        attack.get("stream?idle=0", **{"Last-Event-ID": str(at)})
    for whom in EYES:
        attack.get(f"picture.svg?as={whom}")
    tag = attack.get("picture.svg").headers["etag"]
    assert attack.get("picture.svg", **{"If-None-Match": tag}).status_code == 304


# what is guessed


def test_no_card_and_no_roll_that_is_guessed_parts_the_twins(attacks: Attacks) -> None:
    """Each card of each deck, unseen ones and dice, in the name of chance, for each question there was (LS-4.6, LS-2.2)."""
    for attack in seats_of(attacks):
        guess_what_falls(attack)
        assert attack.compared > 100


def guess_what_falls(attack: Attack) -> None:
    asked = [ask["question"] for ask in attack.get("asks").json() if ask["seat"] == CHANCE]
    stale = [f"{entry}.{n}.chance" for entry in range(attack.head + 1) for n in (0, 1)]
    for word in attack.words:
        attack.post("commands", {"command": {"Do": "Deal", "card": word}, "seat": "chance"})
        attack.post("commands", {"say": f"card: {word}"})
    for question in (*asked, *stale):
        for command in ({"Do": "Deal", "card": "reflect"}, {"Do": "AnswerRoll", "faces": [6]}):
            attack.post("commands", {"command": command, "seat": "chance", "question": question})
    for count in range(8):
        attack.post("commands", {"command": {"Do": "AnswerRoll", "faces": [6] * count}, "seat": "chance"})


def test_no_command_that_is_guessed_parts_the_twins(asked: Attacks, rounds: Callable[[int], int]) -> None:
    """A seat tries each chip, scroll, treasure, card and place in whatever it is asked, and commands at random (LS-2.4)."""
    for attack in seats_of(asked):
        guess_commands(attack, rounds(TIMES), rounds(GUESSES))
        assert attack.compared > 20


def guess_commands(attack: Attack, times: int = 40, most: int = 100) -> None:
    """Try up to about so many guesses, spread over all there are, and so many commands at random."""
    assert attack.reader is not None
    guesses = list(guessed(attack.session, attack.reader, attack.words))
    spread = guesses[:: max(1, len(guesses) // most)]
    for command in (*spread, *commands_at_random(attack.session, attack.words, 7, times)):
        attack.post("commands", {"command": command})


def test_no_line_that_is_said_parts_the_twins(attacks: Attacks) -> None:
    """Lines cut short, misspelled, or said in another's name are answered alike: what is meant is never looked up in secret."""
    for attack in seats_of(attacks):
        say_everything(attack)


def say_everything(attack: Attack) -> None:
    seats = attack.session.now.table.seats
    for before in ("", *(f"{who}: " for who in (*seats, *map(str.upper, seats), ARBITER, CHANCE))):
        for verb in ("attack", "take losses", "read scroll", "flee", "end", "re", "x", "5"):
            attack.post("commands", {"say": f"{before}{verb}"})
        attack.post("commands", {"say": f"{before}flee", "seat": seats[0]})
    for word in attack.words:
        for verb in ("take losses 1", "read scroll", "transfer to OR_ne from OR_k with 1 leading"):
            attack.post("commands", {"say": f"{verb} {word}".strip()})


def test_nothing_about_the_table_parts_the_twins(attacks: Attacks) -> None:
    """Take-backs, consents, rulings, corrections, disputes: what is proposed, refused, listed as learned (LS-3, LS-5, LS-6)."""
    for attack in seats_of(attacks):
        move_the_table(attack)
        assert attack.accepted > 0


def move_the_table(attack: Attack) -> None:
    seats, entries = attack.session.now.table.seats, range(attack.head + 2)
    for to in entries:
        attack.post("take-backs", {"to": to})
        attack.post(f"take-backs/{to}", {"agree": True})
        for agreed in ([], list(seats)):
            attack.post("commands", {"command": {"Do": "MoveHead", "to": to, "agreed": agreed}})
        attack.post("commands", {"command": {"Do": "ProposeTakeBack", "to": to, "learned": ["nothing"]}})
    for place in ("OR_n", "FM_k", "OR_k"):
        for chip in ("dwarf.king", "orc.wizard.1", "excalibur"):
            fact = {"Fact": "ChipSet", "seat": chip.partition(".")[0], "chip": chip, "place": place}
            attack.post("commands", {"command": {"Do": "Correct", "reason": "so", "facts": [fact]}})
    for command in (
        {"Do": "Rule", "reason": "so", "verdict": {"Verdict": "Upheld"}},
        {"Do": "CallOff", "reason": "rain", "winners": [attack.reader]},
        {"Do": "RevealSeed", "seed": "x"},
        {"Do": "OpenGame", "id": "twins", "game": "dragonlords", "seats": list(seats)},
    ):
        attack.post("commands", {"command": command})
    attack.post("commands", {"command": {"Do": "RaiseDispute", "at": 1, "claim": "not so"}})
    for address in ADDRESSES:
        attack.get(f"{address}?idle=0" if address == "stream" else address)
    for command in guessed(attack.session, str(attack.reader), attack.words[:12]):
        attack.post("commands", {"command": command})
    attack.post("commands", {"command": {"Do": "RaiseDispute", "at": 2, "claim": "nor so"}})
    for game in attack.games:
        (open_now,) = game.get(None, "").json()["disputes"]
        rule = {"Do": "Rule", "reason": "so", "dispute": open_now["id"], "verdict": {"Verdict": "Upheld"}}
        assert game.post(ARBITER, rule).status_code == 201


# that the attacks can succeed


def lets_who_draws_give_the_card(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(giving, "may_give", lambda now: (*now.table.seats, ARBITER))


def reads_what_others_say(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Desk, "acting", staticmethod(lambda _session, _holder, seat: seat))


def shows_earlier_moments_whole(patch: pytest.MonkeyPatch) -> None:
    usual = History.view
    patch.setattr(
        History, "view", lambda history, seat, at=None: usual(history, seat if at is None else ARBITER, at)
    )


@pytest.mark.parametrize(
    ("plant", "attack"),
    (
        (lets_who_draws_give_the_card, guess_what_falls),
        (reads_what_others_say, say_everything),
        (shows_earlier_moments_whole, read_everything),
        (says_more_in_a_problem, move_the_table),
        (says_more_in_a_problem, guess_commands),
    ),
)
def test_a_leak_that_is_planted_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    attack: Callable[[Attack], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The attacks can fail: each of these slips is found by one of them."""
    plant(monkeypatch)
    assert any(is_told_apart(begin(hidden), tmp_path / str(n), attack) for n, hidden in enumerate(QUICK))


def is_told_apart(pair: Pair, folder: Path, attack: Callable[[Attack], None]) -> bool:
    """Return whether a seat that may not know it finds out by an attack what parts the twins."""
    with closing(every(pair, folder)) as attacks:
        try:
            for each in seats_of(attacks):
                attack(each)
        except Leak:
            return True
    return False
