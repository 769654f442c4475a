"""Blends a rolled landscape into the locked cells of the map that it is rolled onto.

A user can lock cells, which are to be the same after a roll. A roll makes the whole landscape as if
there were none, and the locked cells are put into it at the end. Locked mountains would then stand
in the deep sea. So the values from which terrain is chosen are changed around locked cells
beforehand: most of all beside them, less with each cell of distance, and not at all beyond
``BLENDED_CELLS``. In a row of cells, with a locked one of the height 90::

    rolled      10  10  10  10  10  10
    locked       .   .   .   .   .  90
    blended     10  10  30  50  70  90      1/4, 2/4 and 3/4 of the difference, then all of it

``relief`` and ``terrain`` use it like this::

    ground = locked_ground(base, grid)                       # None if nothing is locked
    lands = ground.shaped_lands(lands, shore)                # where land is
    heights = ground.shaped_heights(heights, sea, choices)   # how high it is
    warmth = ground.fitted_to_chart(warmth, limits)          # so for each value of the chart

Each of the three works out which values the locked cells should have, and leaves the blending to
``LockedGround.blended``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.drainage import Marks, steps_to_nearest
from randomizer.systems.free.landscape.levels import LOWEST_LAND, heights_of, land_levels
from randomizer.systems.free.landscape.noise import Field
from randomizer.systems.free.landscape.settings import Choices, Limits
from randomizer.systems.free.landscape.terrain_names import BUILT_UP, DENSELY_BUILT_UP, SEAS
from randomizer.systems.free.system import SYSTEM

BLENDED_CELLS = 3
"""The distance, in cells, up to which the values around a locked cell are changed.

With a larger one a ring can be seen around the locked cells.
"""

_MIN_DISTANCE_FROM_SHORE = 0.8
"""How far above the shore locked land lies at least, and locked sea below it.

It is in standard deviations of the noise of lands: so it means the same for all settings.
"""

_BELOW_LIMIT = 0.1
"""How far, in percent, a value stays below the upper limit of a line of the chart.

At the limit itself the next line may fit as well.
"""


@dataclass(frozen=True, eq=False)
class LockedGround:
    """The locked cells of a map. Arrays have the shape (cells,) unless they say otherwise."""

    table: NDArray[np.int32]
    """The neighbours of each cell, (cells, sides), as ``Grid.neighbour_table``."""
    share: Field
    """How far a value is changed: 1 in locked cells, 0 far from them, in equal steps between."""
    water: Marks
    """True for locked cells of the sea."""
    land: Marks
    """True for all other locked cells."""
    terrains: dict[int, str]
    """The name of the terrain of each locked cell."""
    elevations: NDArray[np.int64]
    """The visible elevation of locked cells, 0 elsewhere."""
    levels: NDArray[np.int64]
    """The elevations of land that the terrain set has, (n,), ascending."""

    @property
    def towns(self) -> list[int]:
        """The locked cells with a town or a city."""
        cells = []
        for cell, terrain in self.terrains.items():
            if terrain in (BUILT_UP, DENSELY_BUILT_UP):
                cells.append(cell)
        return cells

    def shaped_lands(self, lands: Field, shore: float) -> Field:
        """Return the noise of lands with locked land above the shore and locked sea below it.

        ``lands`` (cells,) is land where it is above the number ``shore``, else sea.
        """
        deviation = max(float(lands.std()), 1e-6)
        min_distance = _MIN_DISTANCE_FROM_SHORE * deviation
        locked_lands = lands.copy()
        locked_lands[self.land] = np.maximum(lands[self.land], shore + min_distance)
        locked_lands[self.water] = np.minimum(lands[self.water], shore - min_distance)
        return self.blended(lands, locked_lands)

    def shaped_heights(self, heights: Field, sea: Marks, choices: Choices) -> Field:
        """Return the heights (cells,) of land, blended into those of the locked land.

        ``sea`` marks the cells of the sea, whose heights stay.
        """
        locked_heights = heights.copy()
        locked_land = self.land & ~sea
        locked_heights[locked_land] = heights_of(self.elevations[locked_land], choices, self.levels)
        blended = self.blended(heights, locked_heights)
        return np.where(sea, heights, np.maximum(blended, LOWEST_LAND))

    def fitted_to_chart(self, values: Field, limits_of_terrains: Mapping[str, Limits]) -> Field:
        """Return values in percent (cells,) that lead into the limits of the locked terrains.

        ``limits_of_terrains`` are the limits of the value by the name of the terrain.
        """
        locked_values = values.copy()
        for cell, name in self.terrains.items():
            limits = limits_of_terrains.get(name)
            if limits is not None:
                highest = max(limits.high - _BELOW_LIMIT, limits.low)
                locked_values[cell] = min(max(values[cell], limits.low), highest)
        return self.blended(values, locked_values)

    def blended(self, values: Field, locked_values: Field) -> Field:
        """Return ``values`` (cells,) that are ``locked_values`` in the locked cells.

        Around them the values are changed by as much as in locked cells nearby, times ``share``.
        """
        is_locked = self.share == 1
        differences = self._spread(np.where(is_locked, locked_values - values, 0.0))
        return values + self.share * differences

    def _spread(self, differences: Field) -> Field:
        """Return differences (cells,) that are carried from the locked cells outwards.

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


def locked_ground(base: Base, grid: Grid) -> LockedGround | None:
    """Return the locked cells of the map below a roll.

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
    distance = steps_to_nearest(locked, table, BLENDED_CELLS + 1)
    share = 1 - distance / (BLENDED_CELLS + 1)
    shown_heights = base.shown.planes[SYSTEM.height.name].reshape(-1)
    elevations = np.where(locked, shown_heights, 0).astype(np.int64)
    levels = land_levels(base.terrain_set)
    return LockedGround(
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
