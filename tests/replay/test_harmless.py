"""What somebody typed is shown harmless wherever people read it, and kept in the log as it was given (LS-1.7)."""

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.problems import Problem
from core.harmless import harmless, harmless_json, is_harmless
from core.refusal import Refusal
from core.rules import Rules
from events.table import Upheld
from replay.cli.trouble import Trouble
from replay.session import RefusedByRules
from replay.sheets.scoresheet import parse_sheet
from replay.sheets.writing import write_sheet
from replay.words.faults import Fault
from replay.words.wording import command_words, fact_words
from tests.replay.engine import Memory, accepted, create, reasons, words

EVIL = "a\nb\x1b[2J\x9b1m\u202ec\u2066d\u200be\ufefff\xadg\u3164h\u2028i\rj\x00k\U000e0041l\x7f"
"""New lines, escapes of 7 and 8 bits, directions, what has no width, fillers, tags."""
SHOWN = re.compile(r"a.*b.*c.*d.*e.*f.*g.*h.*i.*j.*k.*l", re.DOTALL)


def is_seen(said: str) -> bool:
    """Return whether nothing in a text of several lines is a control, a direction, or invisible."""
    return all(
        unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")
        and sign not in "\u3164\xad"
        for sign in said.replace("\n", "")
    )


@given(st.text(st.characters()))
def test_a_harmless_text_is_one_line_that_is_seen_and_making_it_so_again_changes_nothing(said: str) -> None:
    """Whatever it was; JSON that is made harmless says the same as before."""
    shown = harmless(said)
    assert "\n" not in shown
    assert is_seen(re.sub("[\u200c\u200d]", "", shown))
    assert harmless(shown) == shown
    assert is_harmless(said) == (shown == said)
    encoded = json.dumps([said], ensure_ascii=False).encode("utf-8", "surrogatepass")
    if not re.search("[\ud800-\udfff]", said):
        assert json.loads(harmless_json(encoded)) == [said]
        assert "\u202e" not in harmless_json(encoded).decode()


@pytest.mark.parametrize(
    "name",
    (
        "Anna",
        "Zoë",
        "山田　太郎",
        "علی\u200cرضا",
        "שלום",
        "👨\u200d👩\u200d👧",
        "Ivo ❤\ufe0f",
        "e\u0301",
        "O'Hara-Smith",
        "a\xa0b",
    ),
)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    """Joiners stand between letters of their scripts and in pictures; between other signs they hide."""
    assert harmless(name) == name
    assert harmless(f"An\u200cna {name}") == f"An\\u200cna {name}"


@pytest.mark.parametrize(
    "labels",
    (
        {"title": EVIL},
        {"persons": {"red": EVIL}},
        {"actor": EVIL},
        {"title": "a\u202eb"},
        {"title": "two\nlines"},
    ),
)
def test_a_title_or_name_in_which_something_is_not_seen_is_refused_at_the_door(
    labels: dict[str, Any], skirmish: Rules[Any]
) -> None:
    """It could be taken for another's; what is wrong in it is shown by its escapes, and no game is opened (LS-1.7)."""
    store = Memory()
    with pytest.raises(RefusedByRules) as told:
        create(skirmish, store, **labels)
    (reason,) = told.value.reasons
    assert (reason.code, reason.because) == ("unclear_name", ("LS-1.7",))
    assert is_harmless(reason.text)
    assert store.games() == []


def test_who_plays_or_decides_under_an_unclear_name_is_refused(skirmish: Rules[Any]) -> None:
    """Nothing is written; under a name that the opening has, which an older program took, everybody goes on (LS-1.7)."""
    session, toy = create(skirmish), words(skirmish)
    assert reasons(session.submit("red", toy.Bid(1), actor="An\u200bna")) == [("unclear_name", "LS-1.7")]
    assert reasons(session.take_back("red", 1, arbiter="Z\u202eed")) == [("unclear_name", "LS-1.7")]
    assert session.head.id == 1
    with pytest.MonkeyPatch.context() as older:
        older.setattr("replay.session.unclear", lambda *_: None)
        old = create(skirmish, persons={"red": "An\u200bna"})
    assert accepted(old.submit("red", toy.Bid(1), actor="An\u200bna")).actor == "An\u200bna"


def test_a_claim_and_a_reason_are_kept_as_they_were_given_and_shown_in_one_line(skirmish: Rules[Any]) -> None:
    """They are testimony: the log holds every sign of them; in words each is one line that is seen (LS-5.1)."""
    session, toy = create(skirmish), words(skirmish)
    accepted(session.submit("red", toy.Bid(3)))
    entries = [accepted(session.dispute("blue", 2, EVIL)), accepted(session.rule(Upheld(), EVIL))]
    assert entries[0].command.claim == entries[1].command.reason == EVIL
    said = [command_words(skirmish, entry.seat, entry.command) for entry in entries]
    said += [fact_words(skirmish, fact) for entry in entries for fact in entry.facts]
    told = [one for one in said if SHOWN.search(one)]
    assert len(told) == 4
    assert all(map(is_harmless, said))
    again = parse_sheet(write_sheet(skirmish, session.entries))
    assert EVIL in [getattr(getattr(line, "command", None), "claim", "") for line in again.lines]


def test_errors_refusals_and_faults_are_harmless_whatever_they_repeat() -> None:
    """A file may be called anything, and a line may hold anything."""
    assert (
        Trouble(f"{EVIL}: there is no such file.", file=EVIL).text
        == f"{harmless(EVIL)}: there is no such file."
    )
    assert Trouble(EVIL, EVIL).text.count("\n") == 1
    assert is_harmless(str(Fault(EVIL, EVIL, (EVIL,), EVIL, 3)))
    assert is_harmless(Refusal("code", ("LS-2.1",), EVIL).text)
    assert is_harmless(Problem("fault", 500, "title", EVIL).detail)
