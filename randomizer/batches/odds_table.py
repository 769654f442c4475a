"""How likely every cell and side of a generator's maps is to become what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base

State = tuple[int, int]
"""Terrain code and elevation."""


class Origin(NamedTuple):
    """A statement of a script: its first and last line (from 1), and how it begins."""

    line: int
    end_line: int
    words: str


class Stage(NamedTuple):
    """The chances, shape (cells, S), as they stand when a statement has been carried out."""

    origin: Origin
    chances: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OddsTable:
    """The chances of cells by flat cell of the base's grid, of sides by (cell, side).

    ``method`` is "exact" or "sampled"; then ``samples`` maps were counted, of ``tried`` ones rolled
    (fewer than those under locks or where maps fail); both are 0 for exact odds. ``chances`` has
    shape (cells, S) for the S ``states``; rows of places that are no cells are all 0. ``sides``
    (None: not asked for) gives the plane values with a chance, "none" (0) left out. ``stages``
    stand in the order of the script.
    ``sources`` (None: not asked for), shape (cells, S, O): the chance that a cell ends in a state
    *because of* origin ``origins[o]``; the last column (O = len(origins) + 1) is the map below.
    """

    method: str
    samples: int
    tried: int
    states: tuple[State, ...]
    chances: NDArray[np.float64]
    sides: Mapping[tuple[int, int], Mapping[int, float]] | None = None
    stages: tuple[Stage, ...] = ()
    origins: tuple[Origin, ...] = ()
    sources: NDArray[np.float64] | None = None

    def of(self, cell: int) -> dict[State, float]:
        """What a cell can become, the likeliest first."""
        found = zip(self.states, self.chances[cell].tolist(), strict=True)
        return dict(sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[1]))

    def error(self, chance: float) -> float:
        """The standard error of a chance: 0 if it is exact."""
        if not self.samples:
            return 0.0
        # One map is taken as seen either way: what never came up is not impossible.
        likely = min(max(chance, 1 / (self.samples + 1)), self.samples / (self.samples + 1))
        return math.sqrt(likely * (1 - likely) / self.samples)


@runtime_checkable
class HasOdds(Protocol):
    """A generator whose odds can be told."""

    def odds(
        self,
        settings: Mapping[str, object],
        base: Base,
        *,
        sides: bool = False,
        sources: bool = False,
        samples: int = 0,
        seed: int = 0,
    ) -> Iterator[OddsTable]:
        """An exact table; or sampled ones, each better than the last, the first within 10 ms.

        Exact odds that take longer than that come behind a first sampled table, and are the last.
        ``samples`` > 0 asks for one sampled table of so many maps. Under the base's locks they are
        the odds among the maps that keep them; a table of 0 samples says that none was found yet.
        Exact and sampled odds of the ``stages`` leave locks aside (then there are none). Raises
        ProblemError as a roll does.
        """
