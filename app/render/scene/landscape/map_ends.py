"""The ends of the map around pictures that stand on cells: pictures are cut off at them.

A picture of a cell at the edge of the map would reach into what lies beside the map, and one at the
seam of a map that wraps would be cut by the edge of the view. ``features`` cuts such pictures off.

A *span* is a picture that stands on several cells. A *code of ends* says for each cell on which a
picture stands beyond which sides the map ends: six bits for each cell, the picture's own cell in
the lowest ones, then the further cells of its span::

    0b000110_000001     own cell: side 0; the second cell: sides 1 and 2
    0                   no end is near: the picture is not cut
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainterPath, QPolygonF

from app.render.cell_geometry import STANDING_REACH, cell_box, cell_outline, neighbour_centres
from app.render.piece import closed_path
from app.render.scene.edges.map_edges import map_edge_sides, may_lie_at_map_edge
from app.render.scene.landscape.spans import kinds_of
from app.render.scene.part import ScenePart
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout

END_BITS = 6
"""The bits in a code of ends that each cell has: hexes have six sides."""

BEYOND_END = 1.005
"""What would lie beyond the end of the map is cut out as cells larger by this factor.

So no seam shows between two of them.
"""


def ends_of_features(part: ScenePart, kind_of_span: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the codes of ends (n,) of what stands on the cells of a part; most are 0.

    ``kind_of_span`` (n,) is the number of the kind of span whose picture a cell draws (an index
    into ``kinds_of`` the layout), -1 for a single cell.
    """
    if part.is_far_from_ends:
        return np.zeros(len(part.cells), np.intp)
    codes = _sides_at_ends(part.grid, part.cells)
    for index, kind in enumerate(kinds_of(part.grid.layout)):
        rows = np.flatnonzero(kind_of_span == index)
        for cell_number, side in enumerate(kind.sides, 1):
            masks = _sides_at_ends(part.grid, part.neighbour_cells[side, rows])
            codes[rows] |= masks << (cell_number * END_BITS)
    return codes


def _sides_at_ends(grid: Grid, cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return masks (n,) of the sides of cells beyond which the map ends or its seam lies.

    0 for cells that are -1.
    """
    masks = np.zeros(len(cells), np.intp)
    rows = np.flatnonzero(cells >= 0)
    rows = rows[may_lie_at_map_edge(grid, cells[rows])]  # few cells of a large map have to be asked
    if len(rows):
        for side in range(grid.degree):
            map_edge = map_edge_sides(grid, cells[rows], side)
            is_end = map_edge.is_edge | map_edge.is_seam
            masks[rows] |= is_end.astype(np.intp) << side
    return masks


def _sides_of_cell(ends: int, cell_number: int) -> list[int]:
    """Return the sides that a code of ends has for a cell: 0 is the picture's own cell.

    ``_sides_of_cell(0b000110_000001, 1)`` is [1, 2].
    """
    mask = ends >> (cell_number * END_BITS)  # those of further cells are above these bits
    return [side for side in range(END_BITS) if (mask >> side) & 1]


@registered(bytes_each=3 * KB)
@lru_cache(64)
def area_within_ends(layout: Layout, sides: tuple[int, ...], ends: int) -> QPolygonF:
    """Return the area around a cell's centre in which a picture with a code of ``ends`` is shown.

    ``sides`` are those beyond which the further cells of its span lie. The area is the surroundings
    of the cell without the cells that would lie beyond the ends of the map; in map units.
    """
    steps = neighbour_centres(layout)
    area = QPainterPath()
    # Larger than any picture: one on several cells reaches farther than one on its own.
    area.addRect(cell_box(layout, 2 * STANDING_REACH))
    cells_of_span = [(0.0, 0.0), *(steps[side] for side in sides)]
    for cell_number, (x, y) in enumerate(cells_of_span):
        for side in _sides_of_cell(ends, cell_number):
            step_x, step_y = steps[side]
            beyond = cell_outline(layout, BEYOND_END).translated(x + step_x, y + step_y)
            area = area.subtracted(closed_path(beyond))
    return area.toFillPolygon()
