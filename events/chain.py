"""The chain: each line holds the hash of the line before it. `sha256sum` checks it."""

from bisect import bisect_left
from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct, json

from events.counting import plural

__all__ = ["Break", "Head", "check_chain", "hash_of"]


class Head(Struct, frozen=True, gc=False):
    """Where a log ends: the id of its last entry and that entry's hash; `Head(0, "")` before the first."""

    id: int = 0
    hash: str = ""


class Break(Struct, frozen=True, gc=False):
    """A place where a log is not whole: at entry `entry`, what was `expected` and what was `found`."""

    entry: int
    kind: str
    expected: str
    found: str


class _Link(Struct, frozen=True, gc=False):
    id: int
    prev: str = ""


_link = json.Decoder(_Link)


def hash_of(line: bytes) -> str:
    """Return the hash of a stored line (without its newline): sha256 in hexadecimal."""
    return sha256(line).hexdigest()


def check_chain(lines: Iterable[bytes], head: Head | None = None) -> Iterable[Break]:
    """Yield each place where the lines are not one unbroken log, in the order of entries.

    Ids decide first which entry a line is, so that a dropped entry is named as missing instead of its follower as
    changed; then each entry is held against the hash that the next one, or the head, keeps of it. `kind` is
    `unreadable`, `changed`, `missing`, `moved`, `repeated`, `cut` or `added`. Without a `head` a cut tail can't be
    seen, nor a change of the last line.
    """
    held = list(lines)
    if _is_whole(held, head):
        return iter(())
    log = _Log(held, head)
    return iter(sorted([*log.breaks, *_check_hashes(log, head)], key=lambda found: found.entry))


def _is_whole(lines: list[bytes], head: Head | None) -> bool:
    """Return whether there is nothing to be named; most logs are whole, and this is all the time they take."""
    before = ""
    try:
        for entry, line in enumerate(lines, start=1):
            link = _link.decode(line)
            if link.id != entry or link.prev != before:
                return False
            before = sha256(line).hexdigest()
    except (ValueError, RecursionError):
        return False
    return head is None or head == Head(len(lines), before)


class _Log:
    """Which entry each line is (`entries`, 0: none in its place), the `last` of them, and what is wrong with that."""

    def __init__(self, lines: list[bytes], head: Head | None) -> None:
        self.hashes = [hash_of(line) for line in lines]
        self.links = [_linked(line) for line in lines]
        self.breaks: list[Break] = []
        self.last = 0
        numbers = [0] * len(lines)
        for at in range(len(lines)):
            numbers[at] = self._number(at, numbers[at - 1] if at else 0)
        rising = _longest_rising(numbers)
        self.entries = [number if at in rising else 0 for at, number in enumerate(numbers)]
        self._walk(numbers, head)

    def link(self, at: int) -> _Link | None:
        """Return what the line at a place says of itself; None: nothing, or there is no such line."""
        found = self.links[at] if at < len(self.links) else None
        return found if isinstance(found, _Link) else None

    def _number(self, at: int, before: int) -> int:
        """Return which entry a line says it is; or must be, when it continues the line before it; 0: nothing."""
        link = self.link(at)
        if link is None:
            return 0
        continues = link.prev == (self.hashes[at - 1] if at else "")
        if not continues or link.id == before + 1 or (at and not before):
            return link.id
        self._tell("changed", before + 1, f"id {before + 1}", f"id {link.id}")
        return before + 1

    def _walk(self, numbers: list[int], head: Head | None) -> None:
        """Go from one line in its place to the next, and judge what lies and what is missing between them."""
        unreadable: list[str] = []
        strays: list[tuple[int, int]] = []
        gaps: list[tuple[int, int]] = []
        for at, entry in enumerate(self.entries):
            if entry:
                gaps.append(self._gap(unreadable, entry - 1))
                unreadable, self.last = [], entry
            elif isinstance(fault := self.links[at], str):
                unreadable.append(fault)
            else:
                strays.append((numbers[at], self.last + 1))
        room = self.last + len(unreadable)
        first, _ = self._gap(unreadable, min(room, head.id) if head and head.id > self.last else room)
        self.last = max(self.last, first - 1)
        self._judge([gap for gap in gaps if gap[0] <= gap[1]], strays)

    def _gap(self, unreadable: list[str], upto: int) -> tuple[int, int]:
        """Take unreadable lines for the entries that belong in their place, and return which are missing still."""
        first = self.last + 1
        # More lines than entries: one entry with a line break written into it, or something that is none at all.
        for fault in unreadable[: max(1, upto - self.last)]:
            self._tell("unreadable", first, "a JSON object with a whole `id` and a text `prev`", fault)
            first += first <= upto
        return first, upto

    def _judge(self, gaps: list[tuple[int, int]], strays: list[tuple[int, int]]) -> None:
        """Say of each line out of its place what it is, and of each gap what stands nowhere else."""
        there = set(self.entries) - {0}
        for number, place in strays:
            if number in there:
                self._tell("repeated", number, f"entry {place}", f"entry {number} once more")
            elif any(first <= number <= upto for first, upto in gaps):
                there.add(number)
                self._tell("moved", number, f"entry {number} in its place", f"it stands before entry {place}")
            else:
                self._tell("added", place, f"entry {place}", f"entry {number}")
        moved = sorted(there.difference(self.entries))
        for first, upto in gaps:
            for number in [*(number for number in moved if first <= number <= upto), upto + 1]:
                if first < number:
                    what = f"entry {first}" if first == number - 1 else f"entries {first} to {number - 1}"
                    self._tell("missing", first, what, f"entry {upto + 1}")
                first = number + 1

    def _tell(self, kind: str, entry: int, expected: str, found: str) -> None:
        self.breaks.append(Break(entry, kind, expected, found))


def _linked(line: bytes) -> _Link | str:
    """Return what a line says of itself, or why it says nothing."""
    try:
        return _link.decode(line)
    except (ValueError, RecursionError) as fault:
        return str(fault)


def _longest_rising(numbers: list[int]) -> set[int]:
    """Return the places of the longest rising row among the numbers above 0: the lines that stand in their place."""
    # From the end, so that of two swapped neighbours the first is out of place.
    ends: list[int] = []
    places: list[int] = []
    before: dict[int, int] = {}
    for at in range(len(numbers) - 1, -1, -1):
        if numbers[at] < 1:
            continue
        length = bisect_left(ends, -numbers[at])
        if length == len(ends):
            ends.append(0)
            places.append(0)
        ends[length], places[length] = -numbers[at], at
        before[at] = places[length - 1] if length else -1
    rising: set[int] = set()
    at = places[-1] if places else -1
    while at >= 0:
        rising.add(at)
        at = before[at]
    return rising


def _check_hashes(log: _Log, head: Head | None) -> Iterable[Break]:
    """Hold each entry against what its follower, or the head, says of it.

    When an entry and the one before it both disagree with their followers, and no third, one changed `prev` explains
    both: the later entry is named.
    """
    first = log.link(0)
    if first is not None and log.entries[0] == 1 and first.prev:
        yield Break(1, "changed", "no hash before the first entry", f"prev {first.prev}")
    known = {broken.entry for broken in log.breaks}
    found, said = _hashes(log, head)
    wrong = {entry for entry in said if said[entry] != found[entry]}
    for entry in wrong - known:
        if entry + 1 not in wrong or entry - 1 in wrong or entry + 2 in wrong:
            yield Break(entry, "changed", f"hash {said[entry]}", f"hash {found[entry]}")
    if head is not None and head.id > log.last:
        yield Break(
            log.last + 1, "cut", f"{plural(head.id, 'entry')}, as the head says", plural(log.last, "entry")
        )
    elif head is not None and head.id < log.last:
        yield Break(
            head.id + 1, "added", f"{plural(head.id, 'entry')}, as the head says", plural(log.last, "entry")
        )


def _hashes(log: _Log, head: Head | None) -> tuple[dict[int, str], dict[int, str]]:
    """Return the hash of each entry that is there, and the hash that somebody says it has."""
    found, said = {}, {}
    for at, entry in enumerate(log.entries):
        if not entry:
            continue
        found[entry] = log.hashes[at]
        after = log.link(at + 1)
        if after is not None and log.entries[at + 1] == entry + 1:
            said[entry] = after.prev
        elif head is not None and head.id == entry:
            said[entry] = head.hash
    return found, said
