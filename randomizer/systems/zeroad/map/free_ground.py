"""Free ground of a map, where the fixes of problems put things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.planes.corners import heights_around
from randomizer.systems.zeroad.map.map_edge import MAP_BORDER, round_edge
from randomizer.systems.zeroad.map.water_height import water_plane_height

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap


def free_tiles(battlemap: BattleMap, heights: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return a mask (tiles,) of tiles above the water that units reach and that have no thing."""
    grid = battlemap.grid
    corners = heights_around(grid, heights, slice(0, grid.size))
    is_free = corners.mean(axis=0) >= water_plane_height(battlemap)
    ys, xs = np.divmod(np.arange(grid.size, dtype=np.intp), grid.width)

    # Neither at the edge nor, on a round map, outside of the circle.
    distance_x = np.abs(xs + 0.5 - grid.width / 2)  # from the middle of the map
    distance_y = np.abs(ys + 0.5 - grid.height / 2)
    edge = round_edge(battlemap)
    if edge is None:
        is_free &= distance_x < grid.width / 2 - MAP_BORDER
        is_free &= distance_y < grid.height / 2 - MAP_BORDER
    else:
        _outline_radius, walkable_radius = edge
        is_free &= np.hypot(distance_x, distance_y) < walkable_radius

    for layer in battlemap.layers:
        if layer.visible and layer.things:
            tiles = grid.cells_at(layer.things.arrays().points)
            is_free[tiles[tiles >= 0]] = False
    return np.asarray(is_free)


def nearest_tile(grid: Grid, is_free: NDArray[np.bool_], tile: int) -> int | None:
    """Return the free tile nearest to another one, None if there is none."""
    tiles = np.flatnonzero(is_free)
    if not len(tiles):
        return None
    ys, xs = np.divmod(tiles, grid.width)
    x, y = grid.xy(tile)
    return int(tiles[np.argmin((xs - x) ** 2 + (ys - y) ** 2)])
