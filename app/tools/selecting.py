"""Tools that select cells: rectangle, lasso, wand and all cells of one terrain.

With Shift they add to the selection, with Ctrl they remove from it. A tool says which cells a drag
covers (``area``); ``SelectTool.finish`` changes the selection in the same way for all of them.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.tools.areas import SameTerrain
from app.tools.pointer import Pointer
from app.tools.preview import Preview
from app.tools.tool import Tool
from randomizer.geometry.areas import Cells, area
from randomizer.geometry.lasso import lasso
from randomizer.geometry.shapes import parallelogram, rectangle
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class SelectTool(Tool):
    """Selects an area when a drag ends; until then the area is only previewed."""

    changes_planes = False
    is_eyedropper_with_ctrl = False
    text = "Select"

    def cells_of_drag(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return the cells that a drag which ends at ``pointer`` selects: ascending, (n,)."""
        raise NotImplementedError

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Select the cells; with Shift add them to the selection, with Ctrl or Alt remove them."""
        cells = self.cells_of_drag(document, pointer)
        selected_cells = document.selection.cells
        if pointer.shift:
            cells = area(np.concatenate([selected_cells, cells]))
        elif pointer.ctrl_or_alt:
            cells = np.setdiff1d(selected_cells, cells, assume_unique=True)
        document.select(cells)
        yield from ()  # a tool's ``finish`` is a generator of edits; a selection is none

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview(self.cells_of_drag(document, pointer))


class SelectRectangleTool(SelectTool):
    """Selects a rectangle, or with the option *Slanted* a parallelogram along the axes of hexes."""

    name = "select"
    title = "Select rectangle"
    words = "box marquee area"
    icon = "select"
    shortcut = "R"
    tip = "Select a rectangle of {cells}; Shift adds, Ctrl takes away."
    uses = frozenset({"slanted"})
    drags_between_cells = True
    may_begin_outside = True
    _start: int | None = None
    """The cell where the drag began, None between drags."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._start = pointer.cell

    def cells_of_drag(self, document: MapDocument, pointer: Pointer) -> Cells:
        start = self._start
        if start is None:  # the preview before a drag
            start = pointer.cell
        grid = document.battlemap.grid
        if self.options.slanted:
            return parallelogram(grid, start, pointer.cell)
        return rectangle(grid, start, pointer.cell)

    def forget(self) -> None:
        self._start = None


class LassoTool(SelectTool):
    """Selects the cells whose centre lies within a line drawn around them."""

    name = "lasso"
    title = "Lasso"
    words = "select freehand outline"
    icon = "lasso"
    shortcut = "Q"
    tip = "Draw around the {cells} to select; Shift adds, Ctrl takes away."
    drags_between_cells = True
    may_begin_outside = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._points: list[tuple[float, float]] = []
        """The line that was drawn so far, in map units; empty between drags."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._points = [(pointer.x, pointer.y)]

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the point in tenths of a map unit: a line that comes there again adds none."""
        return (round(pointer.x * 10), round(pointer.y * 10))

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Add the point to the line; return no edit."""
        self._points.append((pointer.x, pointer.y))
        return None

    def cells_of_drag(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return the cells within the line, which is closed from its end to its start.

        If there are none, as for a click, it is the cell at the pointer.
        """
        enclosed_cells = lasso(document.battlemap.grid, self._points)
        if len(enclosed_cells):
            return enclosed_cells
        return np.array([pointer.cell], np.intp)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview(self.cells_of_drag(document, pointer), points=tuple(self._points))

    def forget(self) -> None:
        self._points = []


class WandTool(SelectTool):
    """Selects the connected area of one terrain around the pointer."""

    name = "wand"
    title = "Wand"
    words = "select magic area"
    icon = "wand"
    shortcut = "W"
    tip = "Select the area of one terrain around a {cell}; Shift adds, Ctrl takes away."
    needs = PlaneRole.TERRAIN
    selects_everywhere = False
    """True if all cells of the terrain are selected, False: those connected with the pointer's."""

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._same_terrain = SameTerrain()

    def cells_of_drag(self, document: MapDocument, pointer: Pointer) -> Cells:
        return self._same_terrain.cells_like(
            document, pointer.cell, everywhere=self.selects_everywhere
        )

    def map_changed(self) -> None:
        self._same_terrain.clear()


class SameTerrainTool(WandTool):
    """Selects all cells that have the terrain under the pointer."""

    name = "same"
    title = "Select same terrain"
    words = "select all terrain similar"
    icon = "same"
    shortcut = "S"
    tip = "Select every {cell} of the same terrain; Shift adds, Ctrl takes away."
    selects_everywhere = True
