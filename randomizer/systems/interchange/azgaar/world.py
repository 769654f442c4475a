"""Makes arrays of the cells of an export, and chooses the grid of hexes for the map.

    world = World(document)
    world.heights[7]                 # the height of the cell with the index 7
    world.to_map_units(world.points)       # the points of all cells in map units, (cells, 2)

A world is a Voronoi diagram of some thousands of cells, which the export lists as objects, such as
``{"p": [410.2, 77.5], "h": 34, "biome": 6, "state": 2, "f": 3}``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, ROOT3
from randomizer.systems.interchange.azgaar.document import (
    FARTHEST,
    Document,
    is_number,
    point_of,
    word_of,
)
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.nearest_points import Floats

MAX_HEXES = 120_000
"""The largest number of hexes; the generator makes 100,000 cells at most."""

_LARGEST_NUMBER = 65_535
"""The largest number of a state or feature: as many as 16 bits hold."""

_LARGEST_HEIGHT = 255
"""The largest height that is read: one byte, though the generator itself stops at ``HIGHEST``."""

NO_CELLS = "this export of Azgaar's generator has no cells: choose “full” in its Export to JSON"
"""The message about an export without the cells of the world."""

SEA_LEVEL = 20
"""The generator's lowest height of land."""

HIGHEST = 100
"""The generator's largest height."""


class _Placement(NamedTuple):
    """The grid of the map that is made of a world, and where the world lies on it."""

    grid: Grid
    """The grid of hexes."""

    scale: float
    """The map units of a pixel."""

    origin: Floats
    """The point in map units at which the pixel (0, 0) lies, (2,)."""


class World:
    """The cells of an export, and the grid of the map that is made of it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        """The export."""
        cells = document.list_at("pack", "cells")
        if not cells:
            raise fault(NO_CELLS, 1)
        self.points = self._cell_points(cells)
        """The points of the generator's cells in pixels, (cells, 2)."""
        self.heights = self._column(cells, "h", _LARGEST_HEIGHT)
        """The height of each cell, (cells,): land from ``SEA_LEVEL`` on."""
        biomes = document.list_at("biomesData", "name") or [""]  # without names there is one biome
        self.biomes = self._column(cells, "biome", len(biomes) - 1).astype(np.intp)
        """The index of each cell in ``biome_names``, (cells,)."""
        self.biome_names = [
            word_of(name) or f"Biome {number}" for number, name in enumerate(biomes)
        ]
        states = self._column(cells, "state", _LARGEST_NUMBER, missing=0)
        self.states = states.astype(np.intp)
        """The number of the state of each cell, (cells,), 0 for none."""
        features = self._column(cells, "f", _LARGEST_NUMBER, missing=0)
        self.features = features.astype(np.intp)
        """The number of the feature (a sea, lake or island) of each cell, (cells,)."""
        self.road_cells_without_route = self._count_roads_without_routes(cells)
        """The number of cells with a road that leads nowhere, since the export has no routes."""
        self._placement = self._chosen_placement()
        self.grid = self._placement.grid
        """The grid of hexes of the map."""
        self.scale = self._placement.scale
        """The map units of a pixel."""

    @property
    def shape(self) -> tuple[int, int]:
        """The height and width of the map in hexes."""
        return self.grid.height, self.grid.width

    def to_map_units(self, pixels: Floats) -> Floats:
        """Return points of the map for pixels, of any shape (..., 2)."""
        points: Floats = pixels * self.scale + self._placement.origin
        return points

    def _cell_points(self, cells: Sequence[Any]) -> Floats:
        """Return the points of all cells, (n, 2), in pixels. Raises ProblemError."""
        points = []
        for index, cell in enumerate(cells):
            point = None
            if isinstance(cell, dict):
                point = point_of(cell.get("p"))
            if point is None:
                message = "a cell must have a point “p” of two numbers"
                raise self.document.fault(message, "pack", "cells", index, "p")
            points.append(point)
        return np.array(points)

    def _column(
        self, cells: Sequence[Any], name: str, highest: int, missing: int | None = None
    ) -> Floats:
        """Return the entry ``name`` of all cells as numbers, (cells,).

        A cell without the entry has ``missing``. Raises ProblemError for a value that is no number
        from 0 to ``highest``, and for a missing one if ``missing`` is None.
        """
        values = [cell.get(name, missing) for cell in cells]
        for index, value in enumerate(values):
            if not is_number(value) or not 0 <= value <= highest:
                message = f"“{name}” of a cell must be a number from 0 to {highest:,}"
                raise self.document.fault(message, "pack", "cells", index, name)
        return np.array(values, np.float64)

    def _count_roads_without_routes(self, cells: Sequence[Any]) -> int:
        """Return the number of cells with a road, in an export that does not say where it leads.

        Exports have routes since version 1.99.
        """
        if self.document.list_at("pack", "routes"):
            return 0
        return sum(1 for cell in cells if is_number(cell.get("road")) and cell["road"] > 0)

    def _chosen_placement(self) -> _Placement:
        """Return the grid of hexes for the world, and where the world lies on it.

        It has as many hexes as the generator has cells, and the world lies in its middle.
        """
        width, height = self._extent()
        cell_count = len(self.document.list_at("grid", "cells")) or len(self.points)
        hex_count = min(cell_count, MAX_HEXES)
        area_of_hex = 1.5 * ROOT3  # of a hex with the side 1
        scale = math.sqrt(hex_count * area_of_hex / (width * height))
        # Columns of flat-top hexes with the side 1 are 1.5 apart, hexes in a column ROOT3.
        columns = max(1, round(width * scale / 1.5))
        rows = max(1, round(height * scale / ROOT3))
        grid = Grid(FLAT, columns, rows)
        left, top, right, bottom = grid.bounds
        origin_x = (left + right - width * scale) / 2
        origin_y = (top + bottom - height * scale) / 2
        return _Placement(grid, scale, np.array((origin_x, origin_y)))

    def _extent(self) -> tuple[float, float]:
        """Return width and height of the world in pixels.

        They are stated in newer exports; else they follow from the generator's grid, or as a last
        resort from the points of its cells.
        """
        document = self.document
        width = document.at("info", "width")
        height = document.at("info", "height")
        if _is_extent(width) and _is_extent(height):
            return float(width), float(height)

        spacing = document.at("grid", "spacing")
        columns = document.at("grid", "cellsX")
        rows = document.at("grid", "cellsY")
        if is_number(spacing) and is_number(columns) and is_number(rows):
            grid_width = float(columns) * spacing
            grid_height = float(rows) * spacing
            if _is_extent(grid_width) and _is_extent(grid_height):
                return grid_width, grid_height

        rightmost, lowest = self.points.max(axis=0).tolist()
        return max(1.0, rightmost), max(1.0, lowest)


def _is_extent(length: object) -> bool:
    """Return whether a value can be the width or height of a world in pixels."""
    return is_number(length) and 1 <= length <= FARTHEST
