"""Terrain from percentiles: each terrain type has a rectangle of altitude x moisture.

A cell has a pair of percentiles, of its altitude and of its moisture (``Relief``). It gets the
first type, in the order of definition, whose rectangle holds this pair::

    type    min_alt  max_alt  min_wet  max_wet
    sea        0        60       0       100         a cell with (45, 80) is sea
    plains    60       100       0        50         one with (60, 20) is sea, too: it comes first

Both ends belong to a rectangle. ``classify`` looks the pairs up in ``Limits.make_table``, so that a
changed limit costs one look-up a cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.world.relief import PERCENTS, Relief

Bounds = NDArray[np.int64]
"""A limit of every terrain type, (types,), in the order of definition."""


@dataclass(frozen=True, eq=False)
class Limits:
    """The rectangles of the terrain types.

    Limits are any whole numbers; a rectangle whose minimum is above its maximum holds nothing.
    """

    min_alt: Bounds
    """The least percentiles of the altitude."""

    max_alt: Bounds
    """The greatest percentiles of the altitude."""

    min_wet: Bounds
    """The least percentiles of the moisture."""

    max_wet: Bounds
    """The greatest percentiles of the moisture."""

    def __len__(self) -> int:
        """Return the number of terrain types."""
        return len(self.min_alt)

    def types_holding(self, alt_percent: int, wet_percent: int) -> tuple[int, ...]:
        """Return the types whose rectangles hold a pair of percentiles, in order of definition."""
        holds_altitude = (self.min_alt <= alt_percent) & (alt_percent <= self.max_alt)
        holds_moisture = (self.min_wet <= wet_percent) & (wet_percent <= self.max_wet)
        return tuple(np.flatnonzero(holds_altitude & holds_moisture).tolist())

    def make_table(self) -> NDArray[np.int16]:
        """Return the type at each pair, by altitude and moisture; -1 where there is none.

        Shape (PERCENTS, PERCENTS).
        """
        table = np.full((PERCENTS, PERCENTS), -1, np.int16)
        # From the last type to the first, as each overwrites those before it.
        for terrain in reversed(range(len(self))):
            altitudes = _percentiles_within(self.min_alt[terrain], self.max_alt[terrain])
            moistures = _percentiles_within(self.min_wet[terrain], self.max_wet[terrain])
            table[altitudes, moistures] = terrain
        return table


def _percentiles_within(least: np.int64, greatest: np.int64) -> slice:
    """Return the slice of the percentiles within two limits, which may be any whole numbers."""
    # Negative numbers would count from the end of the table.
    return slice(max(0, int(least)), max(0, int(greatest) + 1))


@dataclass(frozen=True, eq=False)
class Classified:
    """The terrain of a world."""

    codes: NDArray[np.uint8]
    """The terrain types of the cells, (h, w), by their numbers in the order of definition."""

    unmatched: int
    """The number of cells that no type takes, without those that the edge terrain overwrites."""

    example: tuple[int, int] | None
    """The percentiles of altitude and moisture of the first cell that no type takes, if any."""


def classify(
    relief: Relief, limits: Limits, *, edge: int | None = None, default: int | None = None
) -> Classified:
    """Return the terrain of each cell.

    ``edge`` is the type of the first and the last row; None: they are like all others. ``default``
    is the type of cells that no type takes; None: the first type, as in the original.
    """
    table = limits.make_table()
    is_gap = table < 0
    if default is None:
        default = 0
    code_of_pair = np.where(is_gap, default, table).astype(np.uint8)
    codes = code_of_pair.ravel().take(relief.pairs)

    # Count the cells in gaps, but for the edge rows if they have a terrain of their own.
    pairs = relief.pairs
    if edge is not None:
        pairs = pairs[1:-1]
    unmatched = 0
    example = None
    if is_gap.any():
        is_unmatched = is_gap.ravel().take(pairs)
        unmatched = int(is_unmatched.sum())
        if unmatched:
            first_pair = int(pairs.ravel()[is_unmatched.argmax()])
            example = divmod(first_pair, PERCENTS)

    if edge is not None:
        codes[0] = edge
        codes[-1] = edge
    return Classified(codes, unmatched, example)
