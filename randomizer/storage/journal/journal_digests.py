"""The chain of digests of a journal's steps: an exchanged, lost or inserted step is noticed.

A journal is a database with the undo steps of an open map. The digest of a step is the SHA-256 of
its content and of the digest of the step before, so one step cannot be replaced without all that
follow::

    digest 1 = SHA-256(START,    step 1)
    digest 2 = SHA-256(digest 1, step 2)

Whoever writes a step adds its ``digest_of`` to the row; whoever reads steps checks the chain with
``whole_links``. Which steps are done, and what the map is called, has a digest of its own
(``state_digest``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

START = bytes(32)
"""The digest that stands for that of a step before the first one."""


class StepRow(NamedTuple):
    """A step as a journal's database holds it."""

    number: int
    """Counted from 1."""
    text: str
    """The name of the step in the list of steps, as JSON."""
    old_active: int
    """The id of the active layer before the step."""
    new_active: int
    """The id of the active layer after the step."""
    extras: str
    """Further data of the desk, as JSON."""
    edit: bytes
    """The edit from ``encode_edit``."""
    digest: bytes
    """``digest_of`` of all but the number."""


def digest_of(
    last_digest: bytes, text: str, old_active: int, new_active: int, extras: str, edit: bytes
) -> bytes:
    """Return the digest (32 bytes) of a step; ``last_digest`` is that of the step before it.

    The other arguments are the fields of ``StepRow`` with these names.
    """
    digest = sha256(last_digest)
    active_layers = b"%d %d" % (old_active, new_active)
    for field in (text.encode(), active_layers, extras.encode(), edit):
        # With its length before it no byte can move from one field to the next.
        digest.update(b"%d:" % len(field))
        digest.update(field)
    return digest.digest()


def state_digest(state: Sequence[object], about: Mapping[str, str]) -> bytes:
    """Return the digest (32 bytes) of the row of the table ``done`` and of the table ``about``.

    ``state`` is the row without its digest; ``about`` has the descriptions of the map by name.
    """
    values = [repr(value) for value in state]
    return sha256(json.dumps([values, sorted(about.items())]).encode()).digest()


def is_typed(row: StepRow) -> bool:
    """Return whether the values have the types of their columns, which sqlite does not enforce."""
    kinds = (int, str, int, int, str, bytes, bytes)
    return all(type(value) is kind for value, kind in zip(row, kinds, strict=True))


def whole_links(
    last_digest: bytes, rows: Iterable[StepRow], first_number: int
) -> tuple[list[bytes], int]:
    """Return the digests of the steps before the first that is not whole, and the number of rows.

    ``first_number`` is the number that the first row should have, ``last_digest`` the digest of the
    step before it. The rows are read to the end in any case: the caller tells how many are lost.
    """
    digests: list[bytes] = []
    row_count = 0
    is_whole = True
    for row in rows:
        if is_whole:
            is_whole = _is_link(row, first_number + row_count, last_digest)
        if is_whole:
            last_digest = row.digest
            digests.append(row.digest)
        row_count += 1
    return digests, row_count


def _is_link(row: StepRow, number: int, last_digest: bytes) -> bool:
    """Return whether a row is whole, has this number and follows the step with ``last_digest``."""
    if row.number != number or not is_typed(row):
        return False
    digest = digest_of(last_digest, row.text, row.old_active, row.new_active, row.extras, row.edit)
    return digest == row.digest
