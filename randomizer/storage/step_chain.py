"""The chain of digests of a journal's steps: what was exchanged, lost or put in is noticed.

The digest of a step is that of its content and of the digest before it, so one step cannot be
replaced without all that follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple


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
    """The digest (32 bytes) of a step whose predecessor has the digest ``last``."""
    parts = (text.encode(), b"%d %d" % (before, after), extras.encode(), edit)
    return chained(last, *parts)


def chained(last: bytes, *parts: bytes) -> bytes:
    """The digest (32 bytes) of ``parts`` that follow what has the digest ``last``."""
    found = sha256(last)
    for part in parts:
        found.update(b"%d:" % len(part))
        found.update(part)
    return found.digest()


def is_typed(row: StepRow) -> bool:
    """Whether the values have the types of their columns, which sqlite does not enforce."""
    kinds = (int, str, int, int, str, bytes, bytes)
    return all(type(value) is kind for value, kind in zip(row, kinds, strict=True))


def broken_links(
    start: bytes, rows: Iterable[StepRow], first: int = 1
) -> tuple[dict[int, bytes], list[int]]:
    """The digests that steps have by number, and the numbers of those that are not whole.

    The first of ``rows`` has the number ``first``; ``start`` is the digest before it. A step that
    is missing is broken, as is the one that follows it.
    """
    digests: dict[int, bytes] = {}
    broken: list[int] = []
    last, expected = start, first
    for row in rows:
        if row.number != expected:
            broken += [expected, row.number]
        elif not is_typed(row) or digest_of(last, *row[1:-1]) != row.digest:
            broken.append(row.number)
        digests[row.number] = last = row.digest if isinstance(row.digest, bytes) else b""
        expected = row.number + 1
    return digests, broken
