"""Games as JSON lines: the interchange form, one readable and diffable file a game.

A game `g` is `g.jsonl` (one entry a line), `g.openings` (the salts and values of sealed parts, one a line) and
`g.head` (its last entry's id and hash). Without `g.head` nobody can say whether the tail was cut. `JsonlStore` keeps
two files of its own beside the games: `.lock`, and `.positions` with the order of entries across games.
"""

from events.jsonl.log import Log, game_texts, read_log, write_log
from events.jsonl.store import JsonlStore

__all__ = ["JsonlStore", "Log", "game_texts", "read_log", "write_log"]
