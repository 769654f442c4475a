"""Terrain from percentiles: each type takes a rectangle of altitude x moisture.

The first type in order of definition whose rectangle holds the pair counts; both ends belong to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.relief import PERCENTS, Relief

Bounds = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Limits:
    """The rectangles of the terrain types: the least and greatest percentiles, (types,) each.

    Any whole numbers; a rectangle whose minimum is above its maximum holds nothing.
    """

    min_alt: Bounds
    max_alt: Bounds
    min_wet: Bounds
    max_wet: Bounds

    def __len__(self) -> int:
        """Return the number of terrain types."""
        return len(self.min_alt)

    def holding(self, altitude: int, moisture: int) -> tuple[int, ...]:
        """Return the types whose rectangles hold a pair of percentiles, in order of definition."""
        return tuple(
            int(terrain)
            for terrain in np.flatnonzero(
                (self.min_alt <= altitude)
                & (altitude <= self.max_alt)
                & (self.min_wet <= moisture)
                & (moisture <= self.max_wet)
            )
        )

    @property
    def table(self) -> NDArray[np.int16]:
        """The type at each pair, (PERCENTS, PERCENTS) by altitude and moisture; -1 where none."""
        table = np.full((PERCENTS, PERCENTS), -1, np.int16)
        for terrain in reversed(range(len(self))):
            alt = slice(max(0, int(self.min_alt[terrain])), max(0, int(self.max_alt[terrain]) + 1))
            wet = slice(max(0, int(self.min_wet[terrain])), max(0, int(self.max_wet[terrain]) + 1))
            table[alt, wet] = terrain
        return table


@dataclass(frozen=True, eq=False)
class Classified:
    """The terrain of a world: codes (h, w) uint8 in order of definition.

    ``unmatched`` is the number of cells that no type takes (without those that the edge terrain
    overwrites), and ``example`` the percentiles of altitude and moisture of the first of them.
    """

    codes: NDArray[np.uint8]
    unmatched: int
    example: tuple[int, int] | None


def classify(
    relief: Relief, limits: Limits, *, edge: int | None = None, default: int | None = None
) -> Classified:
    """Return the terrain of each cell.

    ``edge`` is the type of the first and the last row, if they have one of their own; ``default``
    that of cells which no type takes (None: the first type, as the original does).
    """
    table = limits.table
    gaps = table < 0
    kinds = np.where(gaps, 0 if default is None else default, table).astype(np.uint8)
    codes = kinds.ravel().take(relief.pairs)
    rows = slice(None) if edge is None else slice(1, -1)
    unmatched = 0
    example = None
    if gaps.any():
        missed = gaps.ravel().take(relief.pairs[rows])
        unmatched = int(missed.sum())
        if unmatched:
            pair = int(relief.pairs[rows].ravel()[missed.argmax()])
            example = divmod(pair, PERCENTS)
    if edge is not None:
        codes[0] = codes[-1] = edge
    return Classified(codes, unmatched, example)
