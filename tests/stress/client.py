"""A program that appends to a store and says of each entry when it was acknowledged.

    python -m tests.stress.client STORE NAME THREADS COUNT GAME...

Each line on its standard output is `game id hash key`. It appends to any of the games, on whatever head they have; a
COUNT of 0 means until it is killed.
"""

import itertools
import os
import random
import sys
import threading
from pathlib import Path

from events.store import Store, WrongHead
from events.stores import open_store
from tests.events.lines import line_after, opening


def insist(store: Store, game: str, key: str, note: str = "") -> str:
    """Append an entry to a game on whatever head it has, and return what to say of it."""
    head = store.head(game)
    while True:
        line = line_after(head, key, note)
        try:
            answer = store.append(game, line, expected=head, key=key, openings=[opening(head.id + 1)])
        except WrongHead as lost:
            head = lost.actual
        else:
            return f"{game} {answer.head.id} {answer.head.hash} {key}\n"


def _run(store: Store, name: str, count: int, games: list[str]) -> None:
    dice = random.Random(name)
    for number in range(count) if count else itertools.count():
        said = insist(store, dice.choice(games), f"{name}.{number}", "x" * dice.choice((1, 200, 4_000)))
        # One write of a short line to a pipe is whole or not at all.
        os.write(sys.stdout.fileno(), said.encode())


def main() -> None:
    path, name, threads, count, *games = sys.argv[1:]
    store = open_store(Path(path))
    running = [
        threading.Thread(target=_run, args=(store, f"{name}.{number}", int(count), games))
        for number in range(int(threads))
    ]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    store.close()


if __name__ == "__main__":
    main()
