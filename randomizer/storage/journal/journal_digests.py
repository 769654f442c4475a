"""The chain of digests of a journal's steps: what was exchanged, lost or put in is noticed.

The digest of a step is that of its content and of the digest before it, so one step cannot be
replaced without all that follow. Which steps are done and what the map is called has a digest, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

START = bytes(32)
"""What stands for the digest before the first step."""


class StepRow(NamedTuple):
    """A step as a journal's database holds it; ``number`` counts from 1."""

    number: int
    text: str
    before: int
    after: int
    extras: str
    edit: bytes
    digest: bytes


def digest_of(last: bytes, text: str, before: int, after: int, extras: str, edit: bytes) -> bytes:
    """Return the digest (32 bytes) of a step whose predecessor has the digest ``last``."""
    digest = sha256(last)
    for part in (text.encode(), b"%d %d" % (before, after), extras.encode(), edit):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.digest()


def state_digest(state: Sequence[object], about: Mapping[str, str]) -> bytes:
    """Return the digest (32 bytes) of a row of the table ``done``, and of all that describes the
    map.

    ``state`` is the row without its digest.
    """
    values = [repr(value) for value in state]
    return sha256(json.dumps([values, sorted(about.items())]).encode()).digest()


def is_typed(row: StepRow) -> bool:
    """Return whether the values have the types of their columns, which sqlite does not enforce."""
    kinds = (int, str, int, int, str, bytes, bytes)
    return all(type(value) is kind for value, kind in zip(row, kinds, strict=True))


def whole_links(last: bytes, rows: Iterable[StepRow], first: int) -> tuple[list[bytes], int]:
    """Return the digests of the steps up to one that is not whole, and how many rows there are.

    The first of ``rows`` has the number ``first``; ``last`` is the digest before it.
    """
    digests: list[bytes] = []
    total = 0
    is_whole = True
    for total, row in enumerate(rows, 1):
        is_whole = is_whole and row.number == first + total - 1 and is_typed(row)
        is_whole = is_whole and digest_of(last, *row[1:-1]) == row.digest
        if is_whole:
            last = row.digest
            digests.append(last)
    return digests, total
