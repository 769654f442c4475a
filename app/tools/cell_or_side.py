"""The base of tools that work on cells or, where a drag begins near an edge, on hexsides.

An *edge* lies between two cells and has a *side* in each of them, so that a plane of hexsides has
two values for it. A side is known by its flat index in such a plane: cell * sides of a cell + side.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from app.tools.brushes import BrushTool
from app.tools.pointer import (
    CellSide,
    Pointer,
    means_edge,
    side_index,
    side_twins,
    sides_can_be_aimed_at,
)
from app.tools.preview import Preview
from randomizer.model.map.battlemap import BattleMap

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class Target(Enum):
    """The elements that a stroke, or a click, changes."""

    CELLS = auto()
    """The cells under the brush."""

    SIDES = auto()
    """The hexsides of the edge near the pointer."""


class CellOrSideTool(BrushTool):
    """A brush for cells or, where a drag begins near an edge, for hexsides.

    A brush wider than one cell always means cells, and so does one on a map whose sides are too
    short to be aimed at.
    """

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stroke_target: Target | None = None
        """The target of the stroke under way, decided at its press; None between strokes."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        """Decide between cells and hexsides for the whole drag."""
        self.begin(document, pointer, self._target_at(document, pointer))

    def start_at_edge(self, document: MapDocument, pointer: Pointer) -> None:
        """Decide for cells: a drag that comes in crosses a side without meaning it."""
        self.begin(document, pointer, Target.CELLS)

    def begin(self, document: MapDocument, pointer: Pointer, target: Target) -> None:
        """Begin a stroke that changes cells, or hexsides, all along."""
        self._stroke_target = target

    def forget(self) -> None:
        self._stroke_target = None

    @property
    def changes_sides(self) -> bool:
        """True during a stroke for hexsides, False during one for cells and between strokes."""
        return self._stroke_target is Target.SIDES

    def _target_at(self, document: MapDocument, pointer: Pointer) -> Target:
        """Return the target of a stroke that begins here."""
        battlemap = document.battlemap
        has_wide_brush = self.options.radius > 0
        if has_wide_brush or not sides_can_be_aimed_at(battlemap.grid, pointer.scale):
            return Target.CELLS
        if means_edge(battlemap, pointer.hit):
            return Target.SIDES
        return Target.CELLS

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the cell, or the nearest edge, the same from both of its sides."""
        if not self.changes_sides:
            return (pointer.cell,)
        twin = battlemap.grid.twin(pointer.cell, pointer.side)
        cell_and_side = (pointer.cell, pointer.side)
        if twin is None:
            return cell_and_side
        return min(cell_and_side, twin)

    def sides(self, document: MapDocument, pointer: Pointer) -> list[int]:
        """Return the flat indices of both hexsides of the edge here and of its symmetric twins.

        They are ascending; [] where the pointer is not near an edge that two cells share.
        """
        battlemap = document.battlemap
        if not means_edge(battlemap, pointer.hit):
            return []
        grid = battlemap.grid
        sides = set()
        for cell_side in side_twins(document, self.options, CellSide(pointer.cell, pointer.side)):
            sides.add(side_index(battlemap, cell_side))
            across = grid.twin(*cell_side)
            if across is not None:
                sides.add(side_index(battlemap, CellSide(*across)))
        return sorted(sides)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        target = self._stroke_target
        if target is None:
            target = self._target_at(document, pointer)
        if target is Target.CELLS:
            return super().preview(document, pointer)
        if not means_edge(document.battlemap, pointer.hit):
            return Preview()  # a drag for sides has gone away from all edges
        cell_sides = side_twins(document, self.options, CellSide(pointer.cell, pointer.side))
        return Preview(sides=tuple((cell_side, None) for cell_side in cell_sides))
