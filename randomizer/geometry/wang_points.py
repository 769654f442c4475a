"""The points at which tiles of a Wang set touch: middles of sides, and corners, of cells.

A cell has a *position* for each of its sides, then one for each of its corners: for squares 0 to 3
are sides, 4 to 7 corners. The same *point* of the map is a position of each cell that has it::

    points = WangPoints(grid, positions)
    points.point(cell, 1) == points.point(neighbour, 3)      # the side between two squares
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE

_PARTS = 12
"""Points are told in so many parts of the distance of columns and of rows.

On all layouts these are whole numbers: the points lie at halves, thirds or quarters.
"""

Point = tuple[int, int]
"""The point of a side (its middle) or of a corner, across and down in ``_PARTS``.

It is the same from all cells at it, so that squares and hexes are alike.
"""


class WangPoints:
    """The points of one grid at which the tiles of one set have colours."""

    def __init__(self, grid: Grid, positions: Iterable[int]) -> None:
        self._grid = grid
        self.positions = list(positions)
        """The positions at which tiles of the set have colours, ascending."""
        self._offsets = _offsets_of_positions(grid)
        """The step from the centre of a cell to each of its positions, in map units."""

    def points(self, cell: int) -> Iterator[Point]:
        """Yield the points of a cell at which tiles have colours."""
        for position in self.positions:
            yield self.point(cell, position)

    def point(self, cell: int, position: int) -> Point:
        """Return the point of a position of a cell."""
        grid = self._grid
        x, y = grid.centre(cell)
        right, down = self._offsets[position]
        parts_across = round((x + right) / grid.layout.column_distance * _PARTS)
        if grid.wrap:  # what lies at the seam is at the left and at the right of the map
            parts_across %= grid.width * _PARTS
        parts_down = round((y + down) / grid.layout.row_distance * _PARTS)
        return parts_across, parts_down


def _offsets_of_positions(grid: Grid) -> list[tuple[float, float]]:
    """Return the steps from the centre of a cell to the middles of its sides, then its corners."""
    corners = grid.layout.corners
    middles = []
    for side, (start_x, start_y) in enumerate(corners):
        end_x, end_y = corners[(side + 1) % len(corners)]
        middles.append(((start_x + end_x) / 2, (start_y + end_y) / 2))
    return [*middles, *corners]


def cells_around(grid: Grid, cell: int) -> Iterator[int]:
    """Yield the cells that share a side or a corner with one."""
    if grid.layout is not SQUARE:
        yield from grid.neighbours(cell)
        return
    x, y = grid.xy(cell)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near = grid.cell(x + right, y + down)
            if near >= 0 and near != cell:
                yield near
