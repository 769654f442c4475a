"""Tools that select cells; Shift adds to the selection, Ctrl or Alt removes from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.tools.areas import AlikeCells
from app.tools.pointer import Pointer
from app.tools.tool import Preview, Tool
from randomizer.geometry.shapes import Cells, area, lasso, parallelogram, rectangle
from randomizer.model.edits.edit import Edit
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions


class SelectTool(Tool):
    """Selects an area at the end of a drag."""

    paints = False
    picks = False
    text = "Select"

    def area(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return the cells that a drag to here would select."""
        raise NotImplementedError

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Select the area; no edit."""
        cells = self.area(document, pointer)
        now = document.selection.cells
        if pointer.shift:
            cells = area(np.concatenate([now, cells]))
        elif pointer.ctrl:
            cells = np.setdiff1d(now, cells, assume_unique=True)
        document.select(cells)
        yield from ()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview(self.area(document, pointer))


class SelectRectangleTool(SelectTool):
    """Selects a rectangle or parallelogram."""

    name = "select"
    title = "Select rectangle"
    words = "box marquee area"
    icon = "select"
    shortcut = "R"
    tip = "Select a rectangle of {cells}; Shift adds, Ctrl takes away."
    uses = frozenset({"slanted"})
    spans = True
    _start: int | None = None

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._start = pointer.cell

    def area(self, document: MapDocument, pointer: Pointer) -> Cells:
        start = pointer.cell if self._start is None else self._start
        shape = parallelogram if self.options.slanted else rectangle
        return shape(document.battlemap.grid, start, pointer.cell)

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
    spans = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._points: list[tuple[float, float]] = []

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._points = [(pointer.x, pointer.y)]

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the point, to a tenth of a map unit."""
        return (round(pointer.x * 10), round(pointer.y * 10))

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Go on with the line; no edit."""
        self._points.append((pointer.x, pointer.y))
        return None

    def area(self, document: MapDocument, pointer: Pointer) -> Cells:
        """Return cells within the line, closed from here to its start; for a click the one cell."""
        result = lasso(document.battlemap.grid, self._points)
        if len(result):
            return result
        return np.array([pointer.cell], np.intp)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview(self.area(document, pointer), points=tuple(self._points))

    def forget(self) -> None:
        self._points = []


class WandTool(SelectTool):
    """Selects an area of one terrain."""

    name = "wand"
    title = "Wand"
    words = "select magic area"
    icon = "wand"
    shortcut = "W"
    tip = "Select the area of one terrain around a {cell}; Shift adds, Ctrl takes away."
    needs = PlaneRole.TERRAIN
    everywhere = False

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._alike = AlikeCells()

    def area(self, document: MapDocument, pointer: Pointer) -> Cells:
        return self._alike.around(document, pointer.cell, everywhere=self.everywhere)

    def map_changed(self) -> None:
        self._alike.forget()


class SameTerrainTool(WandTool):
    """Selects everything of one terrain."""

    name = "same"
    title = "Select same terrain"
    words = "select all terrain similar"
    icon = "same"
    shortcut = "S"
    tip = "Select every {cell} of the same terrain; Shift adds, Ctrl takes away."
    everywhere = True
