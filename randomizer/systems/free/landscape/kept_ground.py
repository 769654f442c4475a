"""The ground around locked cells: it leads up or down to what is kept, instead of breaking off.

A roll is free of the locks; the kept cells are put into it at the end. So that kept mountains do
not stand in the deep sea, the fields from which terrain is chosen are drawn towards the kept cells
beforehand, most beside them and less with each cell of distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base
from randomizer.model.grid.grid import Grid
from randomizer.systems.free.landscape.drainage import Marks, nearest
from randomizer.systems.free.landscape.levels import LOWEST_LAND, heights_of, land_levels
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.terrain_names import SEAS
from randomizer.systems.free.system import SYSTEM

BLENDED_CELLS = 3
"""How many cells around a kept one are drawn towards it; more would be seen as a ring."""

_SHORE = 0.8
"""How far above or below the shore kept land and sea are taken to be, in spreads of the noise."""


@dataclass(frozen=True, eq=False)
class KeptGround:
    """The locked cells of a map: all fields are (cells,).

    ``share`` is how much of a value is that of the kept cells, 1 in these, 0 far from them.
    ``water`` and ``land`` mark the kept cells, ``terrains`` names each of them, ``elevations``
    holds what is shown of their elevation, 0 elsewhere; ``levels`` (n,) are those of land that the
    terrain set has, in ascending order.
    """

    table: NDArray[np.int32]
    share: Field
    water: Marks
    land: Marks
    terrains: dict[int, str]
    elevations: NDArray[np.int64]
    levels: NDArray[np.int64]

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
        """Carry differences from the kept cells outwards: each takes the mean of those reached."""
        spread = differences.copy()
        reached = self.share == 1
        for _step in range(BLENDED_CELLS):
            total = np.zeros(len(spread))
            count = np.zeros(len(spread))
            for side in range(self.table.shape[1]):
                neighbour = self.table[:, side]
                counts = (neighbour >= 0) & reached[neighbour]
                total += np.where(counts, spread[neighbour], 0.0)
                count += counts
            ring = ~reached & (count > 0)
            spread[ring] = total[ring] / count[ring]
            reached = reached | ring
        return spread


def kept_ground(base: Base, grid: Grid) -> KeptGround | None:
    """Return the locked ground of the map below a roll, None if none is locked on this grid."""
    if not grid.same_as(base.grid):
        return None
    locked = base.locked_mask(SYSTEM.terrain).reshape(-1) & _exists(grid)
    if not locked.any():
        return None
    codes = base.shown.planes[SYSTEM.terrain.name].reshape(-1)
    terrains = {
        cell: base.terrain_set.terrains[int(codes[cell])].name
        for cell in np.flatnonzero(locked).tolist()
    }
    water = np.zeros(grid.size, np.bool_)
    water[[cell for cell, name in terrains.items() if name in SEAS]] = True
    table = grid.neighbour_table
    distance = nearest(locked, table, BLENDED_CELLS + 1)
    share = 1 - distance / (BLENDED_CELLS + 1)
    shown_heights = base.shown.planes[SYSTEM.height.name].reshape(-1)
    elevations = np.where(locked, shown_heights, 0).astype(np.int64)
    levels = land_levels(base.terrain_set)
    return KeptGround(table, share, water, locked & ~water, terrains, elevations, levels)


def _exists(grid: Grid) -> Marks:
    exists = np.zeros(grid.size, np.bool_)
    exists[grid.cells] = True
    return exists
