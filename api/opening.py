"""Routes about rule sets, and about games as a whole: list them, open one, see where one stands."""

from hmac import compare_digest

from fastapi import FastAPI, Response

from api.asked import proposal_of
from api.desk import Desk, rules_called
from api.problems import Raised
from api.schemas import Authorization, OpenBody, Opened, answered_by, as_json
from api.settings import Settings
from core import games

__all__ = ["add_games", "add_rules"]


def add_rules(app: FastAPI) -> None:
    """Add the routes about rule sets."""

    @app.get("/rules", summary="The rule sets that live here")
    def rule_sets() -> Response:
        books = ((name, games.load(name)) for name in games.found())
        return as_json(
            [
                {
                    "rules": name,
                    "title": rules.rulebook.book.title,
                    "seats": rules.seats,
                    "options": rules.options,
                }
                for name, rules in books
            ]
        )

    @app.get("/rules/{rules}", summary="A rulebook: chapters, sections and points")
    def rulebook(rules: str) -> Response:
        return as_json(rules_called(rules).rulebook)


def add_games(app: FastAPI, desk: Desk, settings: Settings) -> None:
    """Add the routes about games."""

    @app.post(
        "/games",
        status_code=201,
        summary="Open a game; the answer holds the token of each seat, once, and what its position leaves out",
        responses=answered_by(Opened, 201),
    )
    def open_game(body: OpenBody, authorization: Authorization = None) -> Response:
        organiser = settings.organiser
        wanted = b"" if organiser is None else f"Bearer {organiser.get_secret_value()}".encode()
        if wanted and not compare_digest((authorization or "").encode(), wanted):
            raise Raised(401, "no_token", "Games are opened with the organiser's token here.")
        try:
            rows = ((word, row) for word, held in body.position.items() for row in held)
            rules = rules_called(body.rules)
            position = rules.position(rows)
        except ValueError as fault:
            raise Raised(422, "bad_shape", f"position: {fault}") from fault
        session, tokens = desk.open_game(
            body.game, body.rules, body.dice, seats=body.seats, answers=body.answers, persons=body.persons,
            options=body.options, title=body.title, position=position,
        )  # fmt: skip
        warnings = tuple(rules.doubts(session.moments[1], position)) if position else ()
        return as_json(Opened(body.game, session.head, tokens, warnings), 201)

    @app.get("/games", summary="The games of this store")
    def list_games() -> Response:
        return as_json([{"game": game, "head": desk.store.head(game)} for game in desk.store.games()])

    @app.get("/games/{game}", summary="Where a game stands, in public words")
    def one_game(game: str) -> Response:
        with desk.session(game) as session:
            now = session.view(None)
            table, asked = now.table, now.question
            return as_json(
                {
                    "game": game,
                    "rules": table.game,
                    "revision": table.revision,
                    "title": table.title,
                    "seats": table.seats,
                    "persons": table.persons,
                    "players": table.players,
                    "answers": table.answers,
                    "options": table.options,
                    "dice": table.dice,
                    "commitment": table.commitment,
                    "head": session.head,
                    "asked": asked.seats if asked else (),
                    "kind": asked.kind if asked else "",
                    "ended": now.state.ended,
                    "disputes": table.disputes,
                    "take_back": proposal_of(session),
                    "read_only": session.read_only,
                }
            )
