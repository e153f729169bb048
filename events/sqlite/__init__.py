"""The default store: one SQLite file, no server, nothing acknowledged is ever lost.

`connections` opens the file and refuses what is none of ours; `writing` holds the one who appends and the one who
checkpoints; `store` is the protocol over both.
"""

from events.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
