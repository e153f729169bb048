"""Adjudicate: play a scoresheet by the rules, and say of each line whether they allow it.

Where a line can be read in several ways, all are played on beside each other, and that reading of the sheet is taken
which finds the least wrong in it: so a slip is found at its own line, and one slip does not hide the next.
"""

from replay.sheets.citing import cited
from replay.sheets.courses import Course, best_of, fewest
from replay.sheets.playing import SheetPlay
from replay.sheets.readings import LineReader
from replay.sheets.scoresheet import Sheet
from replay.sheets.verdicts import LAWFUL, UNKNOWABLE, Judgement, Report, Verdict

__all__ = ["Report", "Verdict", "adjudicate", "judge"]


def adjudicate(sheet: Sheet) -> Report:
    """Return the verdicts on a scoresheet; raise `BadSheet` when its game can't be opened."""
    return judge(sheet).report


def judge(sheet: Sheet) -> Judgement:
    """Return the verdicts on a scoresheet and the game played by it; raise `BadSheet` when it can't be opened."""
    reader = LineReader(sheet.lines)
    courses = [Course(SheetPlay(sheet))]
    for place in range(len(sheet.lines)):
        courses = fewest([after for course in courses for after in reader.read(course, place)], place)
    best = best_of([after for course in courses for after in reader.finish(course)])
    verdicts = tuple(cited(best.play, sheet.lines, tuple(best.verdicts())))
    ok = all(verdict.verdict in (LAWFUL, UNKNOWABLE) for verdict in verdicts)
    report = Report(sheet.rules.name, sheet.path, sheet.position.title, ok, verdicts)
    return Judgement(sheet.rules, report, tuple(best.play.told))
