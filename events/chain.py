"""The chain: each line holds the hash of the line before it. `sha256sum` checks it."""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct, json

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
    """Yield each place where the lines are not one unbroken log: ids first, then the chain, then the head.

    Ids are checked over the whole log before any hash, so that a dropped entry is named as missing instead of
    its follower as changed. Without a `head` a cut tail can't be seen.
    """
    held = list(lines)
    links: list[_Link | None] = []
    breaks: list[Break] = []
    for place, line in enumerate(held, start=1):
        try:
            link = _link.decode(line)
        except (ValueError, UnicodeDecodeError) as fault:
            links.append(None)
            breaks.append(
                Break(place, "encoding", "a JSON object with a whole `id` and a text `prev`", str(fault))
            )
        else:
            links.append(link)
    yield from breaks
    broken_ids = list(_check_ids(links))
    yield from broken_ids
    if broken_ids:
        return
    yield from _check_hashes(held, links, head)


def _check_ids(links: list[_Link | None]) -> Iterable[Break]:
    expected = 1
    for link in links:
        if link is None:
            expected += 1
        elif link.id == expected:
            expected += 1
        elif link.id > expected:
            yield Break(expected, "missing", f"entry {expected}", f"entry {link.id}")
            expected = link.id + 1
        else:
            yield Break(link.id, "repeated", f"entry {expected}", f"entry {link.id} once more")


def _check_hashes(held: list[bytes], links: list[_Link | None], head: Head | None) -> Iterable[Break]:
    """Compare what each entry's follower (or the head) says of it with what it is.

    When an entry and the one before it both disagree with their followers, and no third, one changed `prev`
    explains both: the later entry is named.
    """
    found = [hash_of(line) for line in held]
    said = [link.prev if link is not None else None for link in links[1:]]
    said.append(head.hash if head is not None and head.id == len(held) else None)
    if links and links[0] is not None and links[0].prev:
        yield Break(1, "changed", "no hash before the first entry", f"prev {links[0].prev}")
    wrong = [
        place
        for place, (is_, says) in enumerate(zip(found, said, strict=True))
        if says is not None and says != is_
    ]
    for at, place in enumerate(wrong):
        before, after = place - 1 in wrong[max(0, at - 1) : at], wrong[at + 1 : at + 2] == [place + 1]
        if after and not before and wrong[at + 2 : at + 3] != [place + 2]:
            continue
        yield Break(place + 1, "changed", f"hash {said[place]}", f"hash {found[place]}")
    if head is not None and head.id > len(held):
        yield Break(len(held) + 1, "cut", f"{head.id} entries, as the head says", f"{len(held)} entries")
    elif head is not None and head.id < len(held):
        yield Break(head.id + 1, "added", f"{head.id} entries, as the head says", f"{len(held)} entries")
