"""The values of planes when each cell of a map is cut into smaller ones.

Values of cells are those of the old cell in which a new one lies. What is on sides and corners
needs more thought (``_sides``, ``_corners``), and ways even more (finer_ways.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.finer_ways import way_values
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, blank, is_blank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.geometry.finer_grid import FinerGrid

    Cells = NDArray[np.intp]


def finer_plane(finer: FinerGrid, plane: Plane, spec: PlaneSpec) -> Plane:
    """Return a plane of the new grid, with the values of one of the old grid."""
    if is_blank(plane):
        return blank(spec.shape(finer.new), plane.flat[0], plane.dtype)
    if spec.element is Element.SIDE:
        return _sides(finer, plane, spec)
    if spec.element is Element.CORNER:
        return _corners(finer, plane, spec)
    if spec.links:
        return way_values(finer, plane, spec)
    values: Plane = plane.reshape(-1)[finer.old_cells]
    return values.reshape(spec.shape(finer.new))


def _sides(finer: FinerGrid, plane: Plane, spec: PlaneSpec) -> Plane:
    """Return the values of the new sides.

    Where two old cells meet, and at the rim, a side has the value of the old side there. Inside an
    old cell it is unset if the old cell sets no side, else set to nothing: what lies on a layer
    below is not to show between parts of one old cell. A hex A with a wall to B, cut by 2::

        old     A|B         new      a a|b b       the border of A and B has the wall,
                                     a a|b b       sides between two a are set to nothing
    """
    old_values = plane.reshape(-1, finer.old.degree)
    sets_no_side = (old_values == spec.unset).all(axis=1)
    inner_values = np.where(sets_no_side, spec.unset, spec.default)
    values = np.repeat(inner_values[finer.old_cells][:, None], finer.old.degree, axis=1)
    values = values.astype(plane.dtype)

    # The old cell across each side of each new cell, (size, degree); -1 beyond the rim, which is
    # the last row of the table, where the neighbour number -1 leads to.
    old_across = np.append(finer.old_cells, -1)[finer.new.neighbour_table]
    for old_side in range(finer.old.degree):
        _set_sides_at_rim(finer, values, old_values, old_side, old_across)
        _set_sides_at_borders(finer, values, old_values, old_side, old_across)
    return values.reshape(spec.shape(finer.new))


def _set_sides_at_rim(
    finer: FinerGrid, values: Plane, old_values: Plane, side: int, old_across: Cells
) -> None:
    """Set the new sides at the rim of the map, which lie on the old ones of the same direction.

    ``values`` and ``old_across`` are tables of the new sides, ``old_values`` of the old ones.
    """
    old_neighbours = finer.old.neighbour_table[finer.old_cells, side]
    at_rim = (old_neighbours < 0) & (old_across[:, side] < 0)
    values[at_rim, side] = old_values[finer.old_cells[at_rim], side]


def _set_sides_at_borders(
    finer: FinerGrid, values: Plane, old_values: Plane, old_side: int, old_across: Cells
) -> None:
    """Set the new sides that lie on ``old_side`` of old cells: all that lead into the neighbour.

    They can have other directions: the border between two old hexes is a zigzag of sides of small
    ones. The tables are as in ``_set_sides_at_rim``.
    """
    old_neighbours = finer.old.neighbour_table[finer.old_cells, old_side]
    for new_side in range(finer.new.degree):
        leads_into_neighbour = old_across[:, new_side] == old_neighbours
        leads_into_neighbour &= old_neighbours >= 0
        # On a wrapped map of one column a cell is its own neighbour.
        leads_into_neighbour &= old_across[:, new_side] != finer.old_cells
        if finer.old.wrap and finer.old.width <= 2:
            leads_into_neighbour &= _lie_on_half_of(finer, new_side, old_side)
        old_cells = finer.old_cells[leads_into_neighbour]
        values[leads_into_neighbour, new_side] = old_values[old_cells, old_side]


def _lie_on_half_of(finer: FinerGrid, new_side: int, old_side: int) -> NDArray[np.bool_]:
    """Return whether ``new_side`` of each new cell is on the same half of its old cell as a side.

    The halves are east and west. On a wrapped map of one or two columns the neighbours in both
    directions are one cell, so that the neighbour does not tell which side the border lies on.
    """
    layout = finer.old.layout
    old_side_x = layout.point(*layout.steps[old_side])[0]
    if old_side_x == 0:  # north or south
        return np.ones(finer.new.size, np.bool_)
    offsets = finer.to_old(finer.new.centres()) - finer.old.centres()[finer.old_cells]
    # An old cell that the seam cuts has new cells at the other end of the map, a period away.
    centre_x = offsets[:, 0] - np.rint(offsets[:, 0] / finer.old.period) * finer.old.period
    side_x = centre_x + layout.point(*layout.steps[new_side])[0] / 2 / finer.factor
    return np.asarray(side_x * old_side_x > 0)


def _corners(finer: FinerGrid, plane: Plane, spec: PlaneSpec) -> Plane:
    """Return the heights of the new corners, which rise evenly between the old ones.

    Beside an old corner that is unset a new one has the value of the nearest old one.
    """
    # Bilinear interpolation between the four old corners around each new one. Maps with heights
    # of corners have squares (docs/adr/0008), so that rows and columns can be told apart.
    old_rows = np.arange(finer.old.height * finer.factor + 1) / finer.factor
    old_columns = np.arange(finer.old.width * finer.factor + 1) / finer.factor
    top = np.minimum(old_rows.astype(int), finer.old.height - 1)
    left = np.minimum(old_columns.astype(int), finer.old.width - 1)
    share_down = (old_rows - top)[:, None]
    share_right = old_columns - left
    top_left = plane[np.ix_(top, left)].astype(np.float64)
    top_right = plane[np.ix_(top, left + 1)].astype(np.float64)
    bottom_left = plane[np.ix_(top + 1, left)].astype(np.float64)
    bottom_right = plane[np.ix_(top + 1, left + 1)].astype(np.float64)
    upper = top_left * (1 - share_right) + top_right * share_right
    lower = bottom_left * (1 - share_right) + bottom_right * share_right
    even_heights = np.rint(upper * (1 - share_down) + lower * share_down)

    nearest_rows = np.rint(old_rows).astype(int)
    nearest_columns = np.rint(old_columns).astype(int)
    nearest_heights = plane[np.ix_(nearest_rows, nearest_columns)]
    beside_unset = np.zeros(even_heights.shape, np.bool_)
    for corner_heights in (top_left, top_right, bottom_left, bottom_right):
        beside_unset |= corner_heights == spec.unset
    heights: Plane = np.where(beside_unset, nearest_heights, even_heights).astype(plane.dtype)
    return heights
