"""Ways when each cell of a map is cut into smaller ones: a link becomes a chain of links.

A way is made of links across the sides of cells (``planes/routes.py``). The link between two old
cells becomes the links along the line from the middle of one to the middle of the other. Two
squares with a road, cut by 3 (``o`` are their middles)::

    old   A-B       new   a a a b b b
                          a o-a-b-o b
                          a a a b b b
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.shapes import path
from randomizer.model.planes.routes import MARKS, SIDES, has_side, sides_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.geometry.finer_grid import FinerGrid
    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.planes import Plane, PlaneSpec


class _Link(NamedTuple):
    """A link of a way across a side of the finer grid, told by its ends (cell, side)."""

    near: tuple[int, int]
    """The end from which the way comes."""

    far: tuple[int, int] | None
    """The end in the next cell; None where the way leads off the map."""


def way_values(finer: FinerGrid, plane: Plane, spec: PlaneSpec) -> Plane:
    """Return the plane of a way (``planes/routes.py``) for the new cells.

    The way runs along the lines between the centres of old cells. Where the old cell is set, new
    ones off the lines are set to no way.
    """
    old_values = plane.reshape(-1)
    values_below = old_values[finer.old_cells]
    new_values = np.where(values_below == spec.unset, spec.unset, 0).astype(np.int64)
    has_way = (old_values & SIDES > 0) & (old_values != spec.unset)
    for cell in np.flatnonzero(has_way).tolist():
        mark = int(old_values[cell]) & MARKS
        for side in sides_of(int(old_values[cell]), finer.old.degree):
            if not _is_drawn_already(finer, cell, side, old_values, spec):
                for link in _links_along_line(finer, cell, side):
                    _draw_link(new_values, link, mark, spec)
    return new_values.astype(plane.dtype).reshape(spec.shape(finer.new))


def _draw_link(values: NDArray[np.int64], link: _Link, mark: int, spec: PlaneSpec) -> None:
    """Set the bits of a link, and the mark of its way, in the values (size,) of the new cells."""
    ends = [link.near]
    # Links of a one-way plane (the flow of water) lead out of a cell, and have no other end.
    if link.far is not None and not spec.one_way:
        ends.append(link.far)
    for cell, side in ends:
        value = int(values[cell])
        if value == spec.unset:
            value = 0
        values[cell] = value | mark | (1 << side)


def _is_drawn_already(
    finer: FinerGrid, cell: int, side: int, old_values: Plane, spec: PlaneSpec
) -> bool:
    """Return whether the neighbour across a side has drawn the line of this link.

    Cells draw their lines in ascending order, and a link has an end in both cells.
    """
    neighbour = int(finer.old.neighbour_table[cell, side])
    if not 0 <= neighbour < cell or old_values[neighbour] == spec.unset:
        return False
    return bool(has_side(old_values[neighbour], finer.old.opposite(side)))


def _links_along_line(finer: FinerGrid, cell: int, side: int) -> list[_Link]:
    """Return the links from the centre of an old cell to that of its neighbour across a side.

    At the rim, where there is no neighbour, the line goes straight off the map.
    """
    new = finer.new
    start = int(finer.middles[cell])
    links: list[_Link] = []
    neighbour = int(finer.old.neighbour_table[cell, side])
    if neighbour >= 0:
        line_cells = path(new, start, int(finer.middles[neighbour])).tolist()
        for line_cell, next_cell in pairwise(line_cells):
            links += _links_between(new, line_cell, next_cell)
        return links

    line_cell = start
    while new.neighbour(line_cell, side) >= 0:
        next_cell = new.neighbour(line_cell, side)
        links += _links_between(new, line_cell, next_cell)
        line_cell = next_cell
    links.append(_Link((line_cell, side), far=None))
    return links


def _links_between(new: Grid, first: int, second: int) -> list[_Link]:
    """Return the link between neighbours, or two links by way of a third cell.

    Nothing for cells that have no common neighbour, which a hole in the map can part.
    """
    for side in range(new.degree):
        if new.neighbour(first, side) == second:
            return [_Link((first, side), (second, new.opposite(side)))]
    # Squares of a slanted line meet at a corner, across which no way leads.
    for between in new.neighbours(first):
        if second in new.neighbours(between):
            return _links_between(new, first, between) + _links_between(new, between, second)
    return []
