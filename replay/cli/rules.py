"""The rule sets and their rulebooks: `games` and `rules`."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import RenderableType

import core.games
from core.kit.table import TABLE_LAW
from core.rulebook import Point, Rulebook, Section
from core.rules import Rules
from events.counting import plural
from events.store import Store
from replay import picture_text
from replay.cli import completing, kept, terms
from replay.cli.searching import holding
from replay.cli.show import give, heading, indented, lines, table, text
from replay.cli.trouble import Trouble
from replay.coverage import Covered, NoTests, beside_the_code, cover
from replay.picture_text import Sheet

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(rich_help_panel="Rules", epilog=terms.example("lawspeaker games"))(games)
    app.command(
        rich_help_panel="Rules",
        epilog=terms.example(
            "lawspeaker rules dragonlords",
            "lawspeaker rules dragonlords QD-10.5",
            "lawspeaker rules dragonlords X61",
            "lawspeaker rules dragonlords --search teleport",
            "lawspeaker rules dragonlords --places OR_k",
            "lawspeaker rules dragonlords --cards quest",
        ),
    )(rules)


def games(store: terms.StorePath = None, json: terms.Json = False) -> None:
    """List the games whose rules are known, and those that are kept in your store."""
    path = kept.store_path(store)
    logged: list[dict[str, Any]] = []
    if path.exists():
        with kept.store_at(store, readonly=True) as held:
            logged = [_kept(held, name) for name in held.games()]
    known = [_known(core.games.load(name)) for name in core.games.found()]

    def shown() -> Iterator[RenderableType]:
        yield table(
            ("rules", "title", "edition", "seats"),
            [(each["name"], each["title"], each["edition"], _seats(each)) for each in known],
        )
        if logged:
            yield table(
                ("game", "rules", "entries", "seats", "title"),
                [
                    (each["name"], each["rules"], each["entries"], ", ".join(each["seats"]), each["title"])
                    for each in logged
                ],
                right=(2,),
            )
        yield text(f"{plural(len(logged), 'game') if logged else 'no games'} kept in {path}", "dim")

    give({"rules": known, "store": str(path), "games": logged}, shown, json=json)


def _known(rules: Rules[Any]) -> dict[str, Any]:
    book = rules.rulebook.book
    return {
        "name": rules.name, "title": book.title, "edition": book.edition, "code": book.code,
        "revision": rules.revision, "seats": rules.seats, "least": rules.least, "options": rules.options,
    }  # fmt: skip


def _kept(store: Store, name: str) -> dict[str, Any]:
    told = {"name": name, "rules": "?", "entries": store.head(name).id, "seats": (), "title": ""}
    try:
        rules = kept.rules_of(store, name)
        first = rules.codec.decode(next(iter(store.read(name, 0, 1))).line)
    except Exception as fault:  # noqa: BLE001 - one log that nobody can read must not hide the others
        return {**told, "title": f"(cannot be read: {fault})"}
    opened = first.facts[0]
    return {**told, "rules": rules.name, "seats": opened.seats, "title": opened.title}


def _seats(known: dict[str, Any]) -> str:
    return f"{known['least']} to {len(known['seats'])} of {', '.join(known['seats'])}"


def rules(
    game: Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help="A rule set; `lawspeaker games` lists them.",
            autocompletion=completing.rule_sets,
        ),
    ],
    section: Annotated[
        str,
        typer.Argument(
            metavar="SECTION",
            help="A section, chapter or point: QD-10.5, QD-10, X61; LS-3.2 for the table's law.",
            autocompletion=completing.sections,
        ),
    ] = "",
    points: Annotated[
        bool, typer.Option("--points", help="List what the rulebook leaves open, and how it is answered.")
    ] = False,
    search: Annotated[
        str,
        typer.Option(
            "--search", metavar="WORDS", help="List the sections and points that hold all these words."
        ),
    ] = "",
    places: Annotated[
        str,
        typer.Option(
            "--places",
            metavar="WORD",
            help="List the places that hold this word, and what each borders on; `all` lists every one.",
            autocompletion=completing.places,
        ),
    ] = "",
    cards: Annotated[
        str,
        typer.Option(
            "--cards",
            metavar="WORD",
            help="List the cards that hold this word, by the names under which they are typed, and what they say; `all` lists every name.",
            autocompletion=completing.cards,
        ),
    ] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List for each section whether code and tests hold it.")
    ] = False,
    json: terms.Json = False,
) -> None:
    """Show the rules of a game: its chapters, one section with its text and source, or what it leaves open."""
    known = core.games.load(game)
    if sum(map(bool, (section, points, search, places, cards, coverage))) > 1:
        raise Trouble(
            "Ask for one thing at a time: a section, --points, --search, --places, --cards or --coverage.",
            kind="usage",
        )
    if section:
        _one(known.rulebook, section, json)
    elif points:
        _points(known.rulebook, json)
    elif search:
        _search(known.rulebook, search, json)
    elif places:
        _places(known, places, json)
    elif cards:
        _cards(known, cards, json)
    elif coverage:
        _coverage(known, json)
    else:
        _chapters(known, json)


def _chapters(game: Rules[Any], json: bool) -> None:
    book = game.rulebook
    of = {
        chapter.id: [section for section in book.section if section.chapter == chapter.id]
        for chapter in book.chapter
    }

    def shown() -> Iterator[RenderableType]:
        yield heading(book.book.title, f"edition {book.book.edition}; {book.book.source}")
        yield table(
            ("chapter", "title", "sections"),
            [(chapter.id, chapter.title, len(of[chapter.id])) for chapter in book.chapter],
            right=(2,),
        )
        yield text(
            f"{plural(len(book.section), 'section')}, {plural(len(book.point), 'point')} that the source leaves open or contradicts (--points).",
            "dim",
        )
        if game.options:
            said = "; ".join(f"{name}={' or '.join(values)}" for name, values in game.options.items())
            yield text(f"Variants, chosen with --option when a game opens: {said}.", "dim")

    told = [
        {"id": part.id, "title": part.title, "lines": part.lines, "sections": of[part.id]}
        for part in book.chapter
    ]
    held = {"book": book.book, "chapters": told, "points": len(book.point), "options": game.options}
    give(held, shown, json=json)


def _one(book: Rulebook, named: str, json: bool) -> None:
    ref = named.strip().upper()
    held = TABLE_LAW if ref.startswith(f"{TABLE_LAW.book.code}-") else book
    ref = held.full_id(named)
    if ref in held.sections:
        section = held.sections[ref]
        of = [held.points[name] for name in section.points if name in held.points]
        give({"section": section, "points": of}, lambda: _section(section, of), json=json)
    elif ref in held.points:
        point = held.points[ref]
        give({"point": point}, lambda: [_point(point)], json=json)
    elif ref in held.chapters:
        chapter = held.chapters[ref]
        within = [section for section in held.section if section.chapter == ref]

        def shown() -> Iterator[RenderableType]:
            yield heading(f"{chapter.id}  {chapter.title}", chapter.lines)
            for section in within:
                yield from _section(section, [])

        give({"chapter": chapter, "sections": within}, shown, json=json)
    else:
        raise Trouble(
            f"{named!r} is no section, chapter or point of {held.book.title}; chapters are "
            f"{held.chapter[0].id} to {held.chapter[-1].id}, sections look like {held.section[0].id}.",
            kind="no_such_section",
            section=named,
        )


def _section(section: Section, points: list[Point]) -> Iterator[RenderableType]:
    yield text("")
    yield heading(f"{section.id}  {section.title}", section.lines)
    yield indented(text(" ".join(section.text.split())))
    if section.not_enforced:
        yield indented(text(f"Not enforced by itself: {section.not_enforced}.", "dim"))
    if section.needs:
        yield indented(text(f"Can be played once chapter {section.needs} is built.", "dim"))
    for point in points:
        yield text("")
        yield indented(_point(point))
    if section.points and not points:
        yield indented(text(f"Points: {', '.join(section.points)}", "dim"))


def _point(point: Point) -> RenderableType:
    return lines(
        heading(f"{point.id}  {point.title}", f"{point.kind} {point.lines}".strip()),
        indented(text(" ".join(point.text.split()))),
        indented(text(f"Why: {' '.join(point.reason.split())}", "dim")),
        *(
            indented(
                text(f"{'* ' if choice.id == point.default else '  '}{choice.id}: ", "cyan").append(
                    text(" ".join(choice.text.split()))
                )
            )
            for choice in point.answer
        ),
    )


def _points(book: Rulebook, json: bool) -> None:
    def shown() -> Iterator[RenderableType]:
        yield table(
            ("point", "question", "answer", "others"),
            [
                (
                    point.id,
                    point.title,
                    point.default,
                    ", ".join(choice.id for choice in point.answer if choice.id != point.default),
                )
                for point in book.point
            ],
        )
        yield text(
            f"A table chooses another answer at the opening: lawspeaker new --answer {book.point[0].id}=..."
            if book.point
            else "This rulebook leaves nothing open.",
            "dim",
        )

    give({"points": book.point}, shown, json=json)


def _search(book: Rulebook, words: str, json: bool) -> None:
    sections, points = holding(book, words)

    def shown() -> Iterator[RenderableType]:
        for section in sections:
            yield from _section(section, [])
        for point in points:
            yield text("")
            yield _point(point)
        yield text("")
        yield text(
            f"{words!r} stands in {plural(len(sections), 'section')} and {plural(len(points), 'point')}.",
            "dim",
        )

    give({"sections": sections, "points": points}, shown, json=json)


def _places(known: Rules[Any], word: str, json: bool) -> None:
    sheets = picture_text.places(known)
    found = [
        sheet._replace(rows=rows)
        for sheet in sheets
        if (
            rows := tuple(
                row for row in sheet.rows if _is_meant(word, sheet.title, row, exact=_is_id(word, sheets))
            )
        )
    ]
    if not found:
        has = "has no list of places" if not sheets else f"has no place with {word!r}"
        raise Trouble(f"{known.name} {has}; `--places all` lists every one.", kind="no_such_place")

    def shown() -> Iterator[RenderableType]:
        for sheet in found:
            yield table(sheet.heads, sheet.rows, title=sheet.title)

    told = [
        {"region": sheet.title, **dict(zip(sheet.heads, row, strict=True))}
        for sheet in found
        for row in sheet.rows
    ]
    give({"game": known.name, "places": told}, shown, json=json)


def _cards(known: Rules[Any], word: str, json: bool) -> None:
    wanted = word.casefold()
    decks, texts = picture_text.card_sheets(known), picture_text.card_texts(known)
    found = [
        sheet._replace(rows=rows)
        for sheet in (*decks, *(texts if word != "all" else ()))
        if (
            rows := tuple(
                row
                for row in sheet.rows
                if word == "all" or wanted in " ".join((sheet.title, *row)).casefold().replace("_", " ")
                or wanted in row[0].casefold() or wanted == sheet.title
            )
        )
    ]  # fmt: skip
    if not found:
        has = "has no list of cards" if not decks else f"has no card with {word!r}"
        raise Trouble(f"{known.name} {has}; `--cards all` lists every one.", kind="no_such_card")

    def shown() -> Iterator[RenderableType]:
        for sheet in found:
            yield table(sheet.heads, sheet.rows, title=sheet.title.replace("_", " "))
        if word == "all" and texts:
            yield text(
                f"What a card says: `--cards {texts[0].rows[0][0]}`, or a word of it, or of what is met.",
                "dim",
            )

    told = [
        {"deck": sheet.title, **dict(zip(sheet.heads, row, strict=True))}
        for sheet in found
        for row in sheet.rows
    ]
    give({"game": known.name, "cards": told}, shown, json=json)


def _is_id(word: str, sheets: tuple[Sheet, ...]) -> bool:
    return any(row[0].casefold() == word.casefold() for sheet in sheets for row in sheet.rows)


def _is_meant(word: str, region: str, row: tuple[str, ...], *, exact: bool) -> bool:
    """Return whether a place is meant by a word: its id and then what borders on it, else any part of its row."""
    if word == "all":
        return True
    wanted = word.casefold()
    if exact:
        return wanted == row[0].casefold() or wanted in row[-1].casefold().replace(",", "").split()
    return wanted in " ".join((region, *row)).casefold()


_STYLES = {"enforced": "green", "not_enforced": "dim", "pending": "bold red"}


def _coverage(known: Rules[Any], json: bool) -> None:
    try:
        covered = cover(known, beside_the_code())
    except NoTests as fault:
        raise Trouble(f"{fault}.", kind="no_tests") from fault
    totals = {status: sum(each.status == status for each in covered) for status in _STYLES}

    def row(each: Covered) -> tuple[Any, ...]:
        status = text(each.status.replace("_", " "), _STYLES[each.status])
        return each.id, each.title, status, each.tests, each.reason

    def shown() -> Iterator[RenderableType]:
        yield table(("section", "title", "status", "tests", "reason"), map(row, covered), right=(3,))
        told = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in totals.items())
        yield text(f"{plural(len(covered), 'section')}: {told}.", "bold")

    give(
        {"game": known.name, "sections": [each.plain() for each in covered], "totals": totals},
        shown,
        json=json,
    )
