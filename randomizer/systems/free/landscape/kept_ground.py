"""Blends a rolled landscape into the locked cells of the map that it is rolled onto.

A user can lock cells. They are called *kept* cells here: they are to be the same after a roll. A
roll makes the whole landscape as if there were none, and the kept cells are put into it at the end.
Kept mountains would then stand in the deep sea. So the values from which terrain is chosen are
changed around kept cells beforehand: most of all beside them, less with each cell of distance, and
not at all beyond ``BLENDED_CELLS``.

    kept = kept_ground(base, grid)                        # None if nothing is locked
    lands = kept.shaped_lands(lands, shore)               # relief: where land is
    heights = kept.shaped_heights(heights, sea, choices)  # relief: how high it is
    warmth = kept.drawn_into_chart(warmth, choices, COLD_COLUMN)     # terrain: so for each value

Each of the three works out which values the kept cells should have, and leaves the blending to
``KeptGround.blended``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.drainage import Marks, nearest
from randomizer.systems.free.landscape.levels import LOWEST_LAND, heights_of, land_levels
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.terrain_names import BUILT_UP, DENSELY_BUILT_UP, SEAS
from randomizer.systems.free.system import SYSTEM

BLENDED_CELLS = 3
"""The distance, in cells, up to which the values around a kept cell are changed.

With a larger one a ring can be seen around the kept cells.
"""

_LEAST_DISTANCE_FROM_SHORE = 0.8
"""How far above the shore kept land lies at least, and kept sea below it.

It is in standard deviations of the noise of lands: so it means the same for all settings.
"""

_BELOW_LIMIT = 0.1
"""How far, in percent, a value stays below the upper limit of a line of the chart.

At the limit itself the next line begins.
"""


@dataclass(frozen=True, eq=False)
class KeptGround:
    """The locked cells of a map. Arrays have the shape (cells,) unless they say otherwise."""

    table: NDArray[np.int32]
    """The neighbours of each cell, (cells, sides), as ``Grid.neighbour_table``."""
    share: Field
    """How far a value is changed: 1 in kept cells, 0 far from them, in equal steps between."""
    water: Marks
    """True for kept cells of the sea."""
    land: Marks
    """True for all other kept cells."""
    terrains: dict[int, str]
    """The name of the terrain of each kept cell."""
    elevations: NDArray[np.int64]
    """The visible elevation of kept cells, 0 elsewhere."""
    levels: NDArray[np.int64]
    """The elevations of land that the terrain set has, (n,), ascending."""

    @property
    def towns(self) -> list[int]:
        """The kept cells with a town or a city."""
        cells = []
        for cell, terrain in self.terrains.items():
            if terrain in (BUILT_UP, DENSELY_BUILT_UP):
                cells.append(cell)
        return cells

    def shaped_lands(self, lands: Field, shore: float) -> Field:
        """Return the noise of lands with kept land above the shore and kept sea below it.

        ``lands`` (cells,) is land where it is above the number ``shore``, else sea.
        """
        deviation = max(float(lands.std()), 1e-6)
        least_distance = _LEAST_DISTANCE_FROM_SHORE * deviation
        kept_lands = lands.copy()
        kept_lands[self.land] = np.maximum(lands[self.land], shore + least_distance)
        kept_lands[self.water] = np.minimum(lands[self.water], shore - least_distance)
        return self.blended(lands, kept_lands)

    def shaped_heights(self, heights: Field, sea: Marks, choices: Choices) -> Field:
        """Return the heights (cells,) of land, which lead to those of the kept land.

        ``sea`` marks the cells of the sea, whose heights stay.
        """
        kept_heights = heights.copy()
        kept_land = self.land & ~sea
        kept_heights[kept_land] = heights_of(self.elevations[kept_land], choices, self.levels)
        blended = self.blended(heights, kept_heights)
        return np.where(sea, heights, np.maximum(blended, LOWEST_LAND))

    def drawn_into_chart(self, values: Field, choices: Choices, column: int) -> Field:
        """Return values in percent (cells,) that lead into the limits of the kept terrains.

        The limits of a terrain are those of its first line in the chart. ``column`` is the column
        of the lower limit there; the next column has the upper limit.
        """
        limits: dict[str, tuple[int, int]] = {}
        for name, line in choices.chart:
            limits.setdefault(name, (line[column], line[column + 1]))
        kept_values = values.copy()
        for cell, name in self.terrains.items():
            if name in limits:
                low, high = limits[name]
                highest = max(high - _BELOW_LIMIT, low)
                kept_values[cell] = min(max(values[cell], low), highest)
        return self.blended(values, kept_values)

    def blended(self, values: Field, kept_values: Field) -> Field:
        """Return ``values`` (cells,) that are ``kept_values`` in the kept cells.

        Around them the values are changed by as much as in the kept cells nearby, times ``share``.
        """
        is_kept = self.share == 1
        differences = self._spread(np.where(is_kept, kept_values - values, 0.0))
        return values + self.share * differences

    def _spread(self, differences: Field) -> Field:
        """Return differences (cells,) that are carried from the kept cells outwards.

        That is done ring by ring: each cell of a ring gets the mean of those of its neighbours that
        have a difference already. Beyond the last ring differences are 0.
        """
        spread = differences.copy()
        has_difference = self.share == 1
        for _ring in range(BLENDED_CELLS):
            total = np.zeros(len(spread))
            count = np.zeros(len(spread))
            for side in range(self.table.shape[1]):
                neighbour = self.table[:, side]
                is_counted = (neighbour >= 0) & has_difference[neighbour]
                total += np.where(is_counted, spread[neighbour], 0.0)
                count += is_counted
            is_in_ring = ~has_difference & (count > 0)
            spread[is_in_ring] = total[is_in_ring] / count[is_in_ring]
            has_difference = has_difference | is_in_ring
        return spread


def kept_ground(base: Base, grid: Grid) -> KeptGround | None:
    """Return the kept cells of the map below a roll.

    None if no terrain is locked, and if the roll has another grid than that map.
    """
    if not grid.same_as(base.grid):
        return None
    locked = base.locked_mask(SYSTEM.terrain).reshape(-1) & _exists(grid)
    if not locked.any():
        return None
    codes = base.shown.planes[SYSTEM.terrain.name].reshape(-1)
    terrains: dict[int, str] = {}
    water = np.zeros(grid.size, np.bool_)
    for cell in np.flatnonzero(locked).tolist():
        name = base.terrain_set.terrains[int(codes[cell])].name
        terrains[cell] = name
        water[cell] = name in SEAS
    table = grid.neighbour_table
    distance = nearest(locked, table, BLENDED_CELLS + 1)
    share = 1 - distance / (BLENDED_CELLS + 1)
    shown_heights = base.shown.planes[SYSTEM.height.name].reshape(-1)
    elevations = np.where(locked, shown_heights, 0).astype(np.int64)
    levels = land_levels(base.terrain_set)
    return KeptGround(
        table=table,
        share=share,
        water=water,
        land=locked & ~water,
        terrains=terrains,
        elevations=elevations,
        levels=levels,
    )


def _exists(grid: Grid) -> Marks:
    """Return a mask of the cells that the grid has, (cells,): a grid can have holes."""
    exists = np.zeros(grid.size, np.bool_)
    exists[grid.cells] = True
    return exists
