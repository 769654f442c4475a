"""Which map of a generator is to be rolled next; undo steps of rolls carry it."""

from __future__ import annotations

from typing import NamedTuple


class RollState(NamedTuple):
    """Seed and map number as the roll bar shows them.

    ``typed``: the user has typed them since the last roll, so the next one takes them as they are.
    """

    seed: int = 0
    number: int = 0
    typed: bool = False
