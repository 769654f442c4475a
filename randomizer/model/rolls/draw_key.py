"""``DrawKey``: the seed and the number by which any roll can be repeated."""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.problems import error


class DrawKey(NamedTuple):
    """Identifies a map: the seed (0 .. 2**32 - 1) and the map's number under that seed (from 0)."""

    seed: int
    number: int

    def checked(self) -> DrawKey:
        """Return the key itself. Raises ProblemError if it is out of range."""
        if not 0 <= self.seed < SEED_LIMIT:
            raise error("seed-range", f"a seed is a whole number from 0 to {SEED_LIMIT - 1}")
        if not 0 <= self.number < NUMBER_LIMIT:
            raise error("number-range", f"a map number is 0 to {NUMBER_LIMIT - 1}")
        return self
