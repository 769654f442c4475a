"""The links of routes: which sides a route crosses on its way from cell to cell.

A route is stored as links: the value of a cell has a bit for each of its sides that the route
crosses, and bits that mark the kind of route (randomizer/model/planes/routes.py). A road from cell
A to its neighbour B therefore needs a bit in both, that of the side they share:

     ____          side 2 of A is side 5 of B, so that
    / A  \\____     A gets mark | 1 << 2
    \\____/ B  \\    B gets mark | 1 << 5
         \\____/

A side is named by a ``CellSide``: a cell and the number of one of its sides. A ``SideCrossing``
says in which direction a way crosses a side, and a ``Link`` is that crossing as both cells see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out
from app.tools.pointer import CellSide, Pointer, side_twins
from randomizer.geometry.shapes import path
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.planes.routes import MARKS, RouteSpec, without_bare_mark

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

NEAR_EDGE = 0.5
"""From this depth on in a cell at the edge of the map (0: centre, 1: side) a drag leaves the map.

If it is larger, one has to draw nearer to the edge; if smaller, a road that is to end in the cell
leads off the map.
"""

# --- the sides that a drag crosses ----------------------------------------------------------------


class SideCrossing(NamedTuple):
    """A side that a way crosses, and in which direction."""

    side: CellSide
    """The side, as a cell of the map sees it."""

    comes_in: bool = False
    """True if the way comes into the cell by this side, from beyond the edge of the map.

    Otherwise it leaves the cell by it.
    """


def crossings_between(grid: Grid, start: int, end: int) -> list[SideCrossing]:
    """Return how a straight way from one cell to another crosses sides, in its order."""
    return crossings_along(grid, path(grid, start, end).tolist())


def crossings_along(grid: Grid, cells: Iterable[int]) -> list[SideCrossing]:
    """Return how a way crosses the sides between its cells, of which each touches the next one."""
    crossings = []
    for cell, next_cell in pairwise(cells):
        shared_sides = [
            side for side in range(grid.degree) if grid.neighbour(cell, side) == next_cell
        ]
        if shared_sides:
            crossings.append(SideCrossing(CellSide(cell, shared_sides[0])))
            continue
        # Squares that meet at a corner share no side: the way leads through a neighbour of both.
        for neighbour in grid.neighbours(cell):
            if next_cell in grid.neighbours(neighbour):
                crossings += crossings_along(grid, (cell, neighbour, next_cell))
                break
    return crossings


def side_at_edge(grid: Grid, pointer: Pointer) -> CellSide | None:
    """Return the side by which a drag leaves or enters the map at the pointer; None if it does not.

    It does in a cell at the edge of the map, near a side (``NEAR_EDGE``) beyond which is no cell.
    """
    hit = pointer.hit
    is_at_edge = grid.neighbour(hit.cell, hit.side) < 0
    if is_at_edge and hit.depth > NEAR_EDGE:
        return CellSide(hit.cell, hit.side)
    return None


# --- links across sides ---------------------------------------------------------------------------


class Link(NamedTuple):
    """A side that a route crosses, as both of its cells see it.

    At the edge of the map there is only one of them.
    """

    near: CellSide | None
    """The cell that the way leaves, and its side; None if the way comes in from beyond the map."""

    far: CellSide | None
    """The cell that the way enters, and its side; None if the way leads off the map."""

    @property
    def ends(self) -> tuple[CellSide, ...]:
        """The cells and sides that exist: one or two."""
        return tuple(end for end in (self.near, self.far) if end is not None)

    def touches(self, cells: Set[int]) -> bool:
        """Return whether either cell is one of these."""
        return any(end.cell in cells for end in self.ends)


def links_across(
    document: MapDocument, options: ToolOptions, crossings: Iterable[SideCrossing], plane: PlaneSpec
) -> list[list[Link]]:
    """Return for each crossing its link, followed by those of its symmetric twins.

    ``plane`` holds the route. A link is left out if a locked layer holds either of its cells: no
    route ends half way between two cells.
    """
    grid = document.battlemap.grid
    links_by_side = []
    for crossing in crossings:
        links = []
        for here in side_twins(document, options, crossing.side):
            beyond: CellSide | None = None
            opposite = grid.twin(*here)
            if opposite is not None:
                beyond = CellSide(*opposite)
            if crossing.comes_in:
                links.append(Link(near=beyond, far=here))
            else:
                links.append(Link(near=here, far=beyond))
        links_by_side.append(links)

    cells: list[int] = []
    for links in links_by_side:
        for link in links:
            cells += [end.cell for end in link.ends]
    barred_cells = set(left_out(document, plane, cells).elements.tolist())
    free_links_by_side = []
    for links in links_by_side:
        free_links_by_side.append([link for link in links if not link.touches(barred_cells)])
    return free_links_by_side


def linked_values(
    former_values: NDArray[np.uint8], links_by_side: Sequence[Sequence[Link]], route: RouteSpec
) -> dict[int, int]:
    """Return the new values of the cells that links connect, by cell.

    ``former_values`` (size,) are those of the route's plane. A linked cell gets the mark of the
    route in place of another one: a road that is laid along a track makes it a road.
    """
    values: dict[int, int] = {}
    for cell, side in _ends(links_by_side):
        value = values.get(cell, int(former_values[cell]))
        values[cell] = (value & ~MARKS) | route.mark | (1 << side)
    return values


def unlinked_values(
    former_values: NDArray[np.uint8], links_by_side: Sequence[Sequence[Link]]
) -> dict[int, int]:
    """Return the new values of the cells whose links are taken away, by cell.

    ``former_values`` (size,) are those of the route's plane. The last link of a cell takes the mark
    of the route away with it.
    """
    values: dict[int, int] = {}
    for cell, side in _ends(links_by_side):
        value = values.get(cell, int(former_values[cell]))
        values[cell] = without_bare_mark(value & ~(1 << side))
    return values


def _ends(links_by_side: Sequence[Sequence[Link]]) -> list[CellSide]:
    """Return the ends of all links."""
    ends: list[CellSide] = []
    for links in links_by_side:
        for link in links:
            ends += link.ends
    return ends
