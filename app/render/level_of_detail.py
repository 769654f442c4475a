"""Levels of detail: from which scale on the renderers draw what.

A scale is the radius of a hex in logical pixels; ``cell_size`` makes that of squares comparable.
"""

from __future__ import annotations

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap

PIXELS_AT_100 = 40
"""The scale that people know as a zoom of 100 %."""

HEXES_FROM = 2.5
"""From this scale on hexes have six corners; below, they are bricks of the overview raster."""

SPRITES_FROM = 10.0
"""From this cell size on cells are pictures; below, they have one colour each."""

FAR_BELOW = 8.0
"""Below so many device pixels a map unit the map of a canvas is shown by pictures made smaller."""

GRID_LINES_FROM = 8.0
"""From so many device pixels a map unit on landscapes have grid lines: hexes are 14 pixels high.

Nearer ones would hide the map.
"""

SIDES_FROM = 12.0
"""From this cell size on hexsides are drawn."""

LABELS_FROM = 16.0
"""From this cell size on labels, badges and icons are drawn."""

SQUARE_SIZE = 0.6
"""A square of side 1 has about as much room as a hex of this radius."""

MARGIN = 0.75
"""Room around the board for the names of the entry sides, in map units."""


def cell_size(grid: Grid, scale: float) -> float:
    """Return the radius, in logical pixels, of a hex with as much room as a cell of ``grid``."""
    if grid.degree == 4:
        return scale * SQUARE_SIZE
    return scale


def sprites_from(battlemap: BattleMap) -> float:
    """Return the cell size from which on cells are pictures.

    It is smaller on maps with routes, and where pictures are made for large worlds.
    """
    coloured = any(terrain.picture for terrain in battlemap.terrain_set.terrains)
    if coloured or battlemap.system.routes:
        return SPRITES_FROM / 2
    return SPRITES_FROM
