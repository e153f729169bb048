"""`simulate`: bots play games out, one log a game."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from core import games
from core.deciding import Refused, decide, opening
from core.seats import ARBITER
from events.counting import plural
from replay.bots import bots_of
from replay.cli import completing, terms
from replay.cli.show import give, heading, text
from replay.cli.trouble import Trouble
from replay.jobs import BrokenOff, simulate_all
from replay.outcomes import RefusedByRules
from replay.run_folder import AnotherPlan
from replay.simulating import Plan, Played, Simulated, is_done

__all__ = ["add"]


def add(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(
        rich_help_panel="Questions",
        epilog=terms.example(
            "lawspeaker simulate dragonlords --games 10 --seed spring --out spring/",
            "lawspeaker simulate dragonlords --seats orc,elf --bots sensible,random --out duels/",
            ends=terms.ACTS,
        ),
    )(simulate)


def simulate(
    game: Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help="Which rules: a name from `lawspeaker games`.",
            autocompletion=completing.rule_sets,
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder for the logs, one a game; made when it is missing.")],
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 10,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games, to the byte.")] = "1",
    jobs: Annotated[
        int, typer.Option(min=1, help="How many processes; it changes nothing but the time.")
    ] = 1,
    seats: Annotated[
        str,
        typer.Option(
            help="Who sits, `orc,elf`; every seat unless said.", autocompletion=completing.listed_seats
        ),
    ] = "",
    bots: Annotated[
        str,
        typer.Option(
            help="Who plays, one for each seat in turn, the same at all seats of a player: random, sensible.",
            autocompletion=completing.bots,
        ),
    ] = "random",
    option: Annotated[
        list[str] | None,
        typer.Option(help="A variant, `name=value`; may be repeated.", autocompletion=completing.variants),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            help="A house answer to a point, `X61=extra`; may be repeated.", autocompletion=completing.answers
        ),
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="After so many entries a game is called off.")] = 5_000,
    dice: Annotated[
        str,
        typer.Option(
            help="sealed: from a committed seed, to be checked; scripted: open dice, as fixed by the seed."
        ),
    ] = "sealed",
    json: terms.Json = False,
) -> None:
    """Let bots play games out and keep their logs. Games that lie in the folder already are not played again, other files under their names not touched."""
    rules = games.load(game)
    names = tuple(part.strip() for part in bots.split(",") if part.strip())
    for name in names or ("",):
        if name not in bots_of(rules):
            raise Trouble(f"{game} has no bot {name!r}; it has: {', '.join(bots_of(rules))}")
    if not seed or not all(sign.isalnum() or sign in "-_" for sign in seed) or len(seed) > 40:
        raise Trouble(f"a seed is 1 to 40 letters, digits, - and _, not {seed!r}")
    if dice not in ("sealed", "scripted"):
        raise Trouble(f"dice are sealed or scripted, not {dice!r}", kind="usage")
    answers = tuple((rules.rulebook.full_id(point), held) for point, held in _pairs(answer))
    plan = Plan(game, seed, _names(seats), names, _pairs(option), most, dice, answers)
    _check(plan)
    left = _left(plan, count, out)
    endings: dict[str, int] = {}
    entries = 0
    for played in _played(plan, left, out, jobs, quiet=json or not sys.stderr.isatty()):
        endings[played.how] = endings.get(played.how, 0) + 1
        entries += played.entries
    told = {"game": game, "seed": seed, "played": len(left), "kept": count - len(left), "entries": entries}

    def shown() -> Iterator[RenderableType]:
        yield heading(
            f"{plural(len(left), 'game')} played, {count - len(left)} {'was' if count - len(left) == 1 else 'were'} there",
            f"{plural(entries, 'entry')} in {out}",
        )
        for how, n in sorted(endings.items()):
            yield text(f"{how}: {n}")

    give({**told, "endings": endings, "folder": str(out)}, shown, json=json)


def _left(plan: Plan, count: int, folder: Path) -> list[int]:
    """Return the games that are still to be played; raise `Trouble` where others lie under their names, or nothing can."""
    if folder.exists() and not folder.is_dir():
        raise Trouble(f"{folder} is a file; games are written into a folder.", file=str(folder))
    try:
        return [number for number in range(1, count + 1) if not is_done(plan, number, folder)]
    except AnotherPlan as fault:
        raise Trouble(str(fault), kind="another_plan") from fault


def _pairs(given: list[str] | None) -> tuple[tuple[str, str], ...]:
    return tuple((part.partition("=")[0].strip(), part.partition("=")[2].strip()) for part in given or ())


def _names(listed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in listed.split(",") if part.strip())


def _check(plan: Plan) -> None:
    """Raise `RefusedByRules` when no game of the plan could open: a variant, an answer, or two bots for one player."""
    rules = games.load(plan.game)
    decided = decide(opening(rules), ARBITER, Played(rules, plan, 1).opening())
    if isinstance(decided, Refused):
        raise RefusedByRules(decided.reasons, rules.rulebook)


def _played(plan: Plan, numbers: list[int], folder: Path, jobs: int, *, quiet: bool) -> list[Simulated]:
    held: list[Simulated] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=quiet, transient=True, console=Console(stderr=True)) as progress:
        bar = progress.add_task(f"playing {plan.game}", total=len(numbers))
        try:
            for done in simulate_all(plan, numbers, folder, jobs):
                held.append(done)
                progress.advance(bar)
        except BrokenOff as fault:
            raise Trouble(str(fault), kind="broken_off") from fault
        except AnotherPlan as fault:
            raise Trouble(f"{fault} What was played stands.", kind="another_plan") from fault
    return held
