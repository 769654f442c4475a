"""The hexside brush: a click paints the nearest side, a drag the edges along its way.

An *edge* lies between two cells and has a *side* in each of them; only the side of the cell that
owns the edge is painted (``_sides_to_paint``).

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import CellSide, Pointer, side_index, side_twins
from app.tools.preview import Preview
from app.tools.tool import Tool
from randomizer.geometry.auto_edges import EdgePlanes, owner_of_edge
from randomizer.geometry.edge_paths import along_path
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

NO_HEXSIDE = 0
"""The code of the hexside "none", which clears an edge."""

NEAR_CORNER = 0.3
"""A press nearer to a corner than this, in map units, paints nothing until the drag goes on.

Only the drag tells which of the edges at the corner is meant.
"""


@dataclass
class _Drag:
    """The drag of the brush that is under way; it lives from the press to the release."""

    last_point: tuple[float, float]
    """The point (x, y) up to which edges are painted, in map units."""

    waits_for_edge: bool
    """True after a press near a corner (``NEAR_CORNER``), until the drag has followed an edge."""


class HexsideTool(Tool):
    """Paints the chosen hexside for the cell that owns it by the rules, or (flipped) the other."""

    name = "hexside"
    title = "{Side} brush"
    words = "edge wall cliff river border paint"
    icon = "hexside"
    shortcut = "G"
    tip = (
        "Paint the chosen {side} on the side that lights up, or drag along edges. It goes to the "
        "higher {cell} (a dune to the sand); X gives it to the other one."
    )
    text = "Paint {side}"
    needs = PlaneRole.HEXSIDE
    uses = frozenset({"symmetry", "flipped"})
    may_begin_outside = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._drag: _Drag | None = None
        """The drag under way, from the first ``edit`` of a stroke on, which is its press."""

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the cell and its corner nearest to the pointer: a drag follows the corners."""
        return (pointer.cell, _nearest_corner(battlemap, pointer))

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Paint the nearest side at the press, and then the edges along the way of the drag."""
        if self._drag is None:
            return self._press(document, pointer)
        drag = self._drag
        point = (pointer.x, pointer.y)
        edges = along_path(document.battlemap.grid, (drag.last_point, point))
        drag.last_point = point
        if edges:
            drag.waits_for_edge = False
        return compound(self._paint(document, CellSide(*edge)) for edge in edges)

    def _press(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Begin a drag; return the edit of the nearest side, None near a corner."""
        point = (pointer.x, pointer.y)
        battlemap = document.battlemap
        grid = battlemap.grid
        corner = grid.layout.corners[_nearest_corner(battlemap, pointer)]
        is_near_corner = math.dist(corner, _point_in_cell(grid, pointer)) < NEAR_CORNER
        self._drag = _Drag(last_point=point, waits_for_edge=is_near_corner)
        if is_near_corner:
            return None
        return self._paint(document, CellSide(pointer.cell, pointer.side))

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Paint the nearest side after all, if the press has waited and no edge was followed."""
        if self._drag is not None and self._drag.waits_for_edge:
            yield self._paint(document, CellSide(pointer.cell, pointer.side))

    def forget(self) -> None:
        self._drag = None

    def _sides_to_paint(self, document: MapDocument, cell_side: CellSide) -> list[CellSide]:
        """Return the sides to paint at an edge and at its symmetric twins, one of each edge.

        It is the side of the owner by the rules, such as the higher cell, or with the option
        ``flipped`` that of the cell across. Edges at the rim of the map are left out.
        """
        battlemap = document.battlemap
        planes = EdgePlanes.of(battlemap.system, document.composite)
        grid = battlemap.grid
        terrain_set = battlemap.terrain_set
        sides = []
        for edge in side_twins(document, self.options, cell_side):
            owner = owner_of_edge(planes, terrain_set, grid, *edge, self.options.hexside)
            across = grid.twin(*owner)
            if across is None:
                continue  # the rim of the map: a hexside lies between two cells
            if self.options.flipped:
                owner = across
            sides.append(CellSide(*owner))
        return sides

    def _paint(self, document: MapDocument, cell_side: CellSide) -> Edit | None:
        """Return the edit that paints an edge and its symmetric twins with the chosen hexside."""
        index = self._painted_indices(document, self._sides_to_paint(document, cell_side))
        return paint(document, self.plane(document.battlemap.system), index, self.options.hexside)

    def _painted_indices(self, document: MapDocument, sides: list[CellSide]) -> list[int]:
        """Return the flat indices of the sides that are painted for the sides of edges.

        To clear an edge (the hexside "none") is to clear its sides in both cells.
        """
        battlemap = document.battlemap
        index = [side_index(battlemap, side) for side in sides]
        is_cleared = self.options.hexside == NO_HEXSIDE
        if is_cleared:
            for side in sides:
                across = battlemap.grid.twin(*side)
                if across is not None:
                    index.append(side_index(battlemap, CellSide(*across)))
        return index

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        sides = self._sides_to_paint(document, CellSide(pointer.cell, pointer.side))
        preview = Preview(sides=tuple((side, self.options.hexside) for side in sides))
        plane = self.plane(document.battlemap.system)
        barred = left_out(document, plane, self._painted_indices(document, sides))
        return mark_left_out(document, preview, barred, sides=True)


def _nearest_corner(battlemap: BattleMap, pointer: Pointer) -> int:
    """Return the number of the nearest corner: one of the two ends of the nearest side."""
    grid = battlemap.grid
    point = _point_in_cell(grid, pointer)
    ends = (pointer.side, (pointer.side + 1) % grid.degree)
    return min(ends, key=lambda corner: math.dist(grid.layout.corners[corner], point))


def _point_in_cell(grid: Grid, pointer: Pointer) -> tuple[float, float]:
    """Return the pointer's point (x, y) relative to the centre of its cell, in map units."""
    centre_x, centre_y = grid.centre(pointer.cell)
    x = pointer.x - centre_x
    if grid.wrap:  # the pointer may be a whole turn of the map away from its cell
        x -= round(x / grid.period) * grid.period
    return (x, pointer.y - centre_y)
