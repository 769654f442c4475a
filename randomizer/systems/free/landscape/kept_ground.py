"""The ground around locked cells: it leads up or down to what is kept, instead of breaking off.

A roll is free of the locks; the kept cells are put into it at the end. So that kept mountains do
not stand in the deep sea, the fields from which terrain is chosen are drawn towards the kept cells
beforehand, most beside them and less with each cell of distance.

``kept_ground`` makes a ``KeptGround`` of the locks; ``relief`` asks it for ``shaped_lands`` and
``shaped_heights``, ``terrain`` for values ``drawn_into_chart``. *Kept* cells are the locked ones.
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
from randomizer.systems.free.landscape.terrain_names import SEAS
from randomizer.systems.free.system import SYSTEM

BLENDED_CELLS = 3
"""The distance, in cells, up to which cells are drawn towards a kept one.

A larger one is seen as a ring around the kept cells.
"""

_SHORE = 0.8
"""The least distance of kept land above the shore, and of kept sea below, in spreads of the noise.
"""


@dataclass(frozen=True, eq=False)
class KeptGround:
    """The locked cells of a map. Arrays have the shape (cells,) unless they say otherwise."""

    table: NDArray[np.int32]
    """The neighbours of each cell, (cells, sides), as ``Grid.neighbour_table``."""
    share: Field
    """The share that the kept cells have of a value: 1 in these, 0 far from them."""
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

    def shaped_lands(self, lands: Field, shore: float) -> Field:
        """Return the noise of lands and seas, with kept land above the shore, kept sea below."""
        step = _SHORE * max(float(lands.std()), 1e-6)
        kept_lands = lands.copy()
        kept_lands[self.land] = np.maximum(lands[self.land], shore + step)
        kept_lands[self.water] = np.minimum(lands[self.water], shore - step)
        return self.blended(lands, kept_lands)

    def shaped_heights(self, heights: Field, sea: Marks, choices: Choices) -> Field:
        """Return heights of land that lead to the elevation of the kept land."""
        kept_heights = heights.copy()
        kept_land = self.land & ~sea
        kept_heights[kept_land] = heights_of(self.elevations[kept_land], choices, self.levels)
        blended = self.blended(heights, kept_heights)
        return np.where(sea, heights, np.maximum(blended, LOWEST_LAND))

    def drawn_into_chart(self, values: Field, choices: Choices, column: int) -> Field:
        """Return values in percent, drawn into the limits that the chart has for the kept terrains.

        ``column`` is that of the lower limit in the chart.
        """
        limits: dict[str, tuple[int, int]] = {}
        for name, line in choices.chart:
            limits.setdefault(name, (line[column], line[column + 1]))
        kept_values = values.copy()
        for cell, name in self.terrains.items():
            if name in limits:
                low, high = limits[name]
                kept_values[cell] = min(max(values[cell], low), max(high - 0.1, low))
        return self.blended(values, kept_values)

    def blended(self, values: Field, kept_values: Field) -> Field:
        """Return values that go over to ``kept_values`` in the kept cells."""
        near = self._spread(np.where(self.share == 1, kept_values - values, 0.0))
        return values + self.share * near

    def _spread(self, differences: Field) -> Field:
        """Carry differences from the kept cells outwards, ring by ring.

        Each cell of a ring takes the mean of its neighbours that have a difference already.
        """
        spread = differences.copy()
        has_difference = self.share == 1
        for _ring in range(BLENDED_CELLS):
            total = np.zeros(len(spread))
            count = np.zeros(len(spread))
            for side in range(self.table.shape[1]):
                neighbour = self.table[:, side]
                counts = (neighbour >= 0) & has_difference[neighbour]
                total += np.where(counts, spread[neighbour], 0.0)
                count += counts
            is_in_ring = ~has_difference & (count > 0)
            spread[is_in_ring] = total[is_in_ring] / count[is_in_ring]
            has_difference = has_difference | is_in_ring
        return spread


def kept_ground(base: Base, grid: Grid) -> KeptGround | None:
    """Return the locked ground of the map below a roll, None if none is locked on this grid."""
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
    return KeptGround(table, share, water, locked & ~water, terrains, elevations, levels)


def _exists(grid: Grid) -> Marks:
    """Return True for the cells that are not masked, (cells,)."""
    exists = np.zeros(grid.size, np.bool_)
    exists[grid.cells] = True
    return exists
