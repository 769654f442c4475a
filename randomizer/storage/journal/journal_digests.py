"""The chain of digests of a journal's steps: an exchanged, lost or inserted step is noticed.

A journal is a database with the undo steps of an open map. The digest of a step is the SHA-256 of
its content and of the digest of the step before, so one step cannot be replaced without all that
follow::

    digest 1 = SHA-256(START,    step 1)
    digest 2 = SHA-256(digest 1, step 2)

Whoever writes a step adds its ``step_digest`` to the row; whoever reads steps extends a
``StepChain`` by their rows. Which steps are done, and what the map is called, has a digest of its
own (``state_digest``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

START = bytes(32)
"""The digest that stands for that of a step before the first one."""


class StepRow(NamedTuple):
    """A step as a journal's database holds it: a row of the table ``steps``."""

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
    """The edit from ``encode_edit_for_journal``."""
    digest: bytes
    """``step_digest`` of all but the number."""

    def is_typed(self) -> bool:
        """Return whether each value has the type of its column; sqlite does not enforce it."""
        kinds = (int, str, int, int, str, bytes, bytes)  # of the fields above, in their order
        return all(type(value) is kind for value, kind in zip(self, kinds, strict=True))

    def follows(self, previous_digest: bytes) -> bool:
        """Return whether the row is whole and stands behind the step with that digest."""
        if not self.is_typed():
            return False
        digest = step_digest(
            previous_digest, self.text, self.old_active, self.new_active, self.extras, self.edit
        )
        return digest == self.digest


@dataclass(frozen=True, slots=True)
class StepChain:
    """The digests of steps that follow each other, each proven by the one before it.

    The chain of a journal without damage begins at its first step. If earlier steps are damaged it
    begins behind a base, whose row names the digest there. Here steps 1 to 3 are lost::

        step              1   2   3   4   5
        ``start`` = 3     x   x   x
        ``digests``                d3  d4  d5
        ``end`` = 5
    """

    start: int = 0
    """The number of steps in front of the chain. They are not whole and cannot be undone."""

    digests: tuple[bytes, ...] = (START,)
    """The digest of the state after ``start`` steps, then that of each step of the chain."""

    @property
    def end(self) -> int:
        """The number of the last step; ``start`` if the chain has no steps."""
        return self.start + len(self.digests) - 1

    def digest_after(self, number: int) -> bytes:
        """Return the digest of step ``number``, from ``start`` to ``end``; 0 is before step 1."""
        assert self.start <= number <= self.end, "the chain has no such step"
        return self.digests[number - self.start]

    def up_to(self, number: int) -> StepChain:
        """Return the chain without the steps behind step ``number``."""
        return StepChain(self.start, self.digests[: number - self.start + 1])

    def extended(self, rows: Iterable[StepRow]) -> ExtendedChain:
        """Return the chain with the ``rows`` behind it, up to the first one that is not whole.

        All rows are read to the end in any case, so that the caller can tell how many are lost.
        """
        digests = list(self.digests)
        row_count = 0
        is_whole = True
        for row in rows:
            row_count += 1
            # A missing row shows by the number of the next one.
            is_next = row.number == self.end + row_count
            is_whole = is_whole and is_next and row.follows(digests[-1])
            if is_whole:
                digests.append(row.digest)
        return ExtendedChain(StepChain(self.start, tuple(digests)), row_count)


class ExtendedChain(NamedTuple):
    """A chain with further rows of steps, and how many rows there were, whole or not."""

    chain: StepChain
    row_count: int


def step_digest(
    previous_digest: bytes, text: str, old_active: int, new_active: int, extras: str, edit: bytes
) -> bytes:
    """Return the digest (32 bytes) of a step; ``previous_digest`` is that of the step before it.

    The other arguments are the fields of ``StepRow`` with these names.
    """
    digest = sha256(previous_digest)
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
