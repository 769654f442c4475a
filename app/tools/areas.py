"""Tools that paint a whole area: fill, line, rectangle; the last two at the end of a drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.tools.brushes import BRUSH, TerrainTool
from app.tools.painting import paint
from app.tools.pointer import Pointer, Reach, reach
from app.tools.tool import Preview
from randomizer.geometry.flood import contiguous, same_value
from randomizer.geometry.shapes import Cells, parallelogram, path, rectangle, swept_area

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.edits.edit import Edit


class AlikeCells:
    """Finds the cells with the same terrain as a given one: connected with it, or all."""

    def __init__(self) -> None:
        self._known: dict[bool, Cells] = {}

    def around(self, document: MapDocument, cell: int, *, everywhere: bool) -> Cells:
        """Return the area, shape (n,), ascending; kept for further cells of it until ``forget``."""
        known = self._known.get(everywhere)
        if known is not None:
            at = int(np.searchsorted(known, cell))
            if at < len(known) and known[at] == cell:
                return known
        values = document.composite.plane(document.battlemap.system.terrain)
        assert values is not None, "the tools that look for terrain need its plane"
        find = same_value if everywhere else contiguous
        result = self._known[everywhere] = find(document.battlemap.grid, values, cell)
        return result

    def forget(self) -> None:
        """Drop the areas found: the map has changed."""
        self._known.clear()


class FillTool(TerrainTool):
    """Paints the area of one terrain around the pointer."""

    name = "fill"
    title = "Fill"
    icon = "fill"
    shortcut = "F"
    tip = "Fill an area of one terrain with the chosen one; with Shift all of that terrain."
    text = "Fill"
    uses = frozenset({"symmetry", "everywhere"})

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._alike = AlikeCells()

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        everywhere = self.options.everywhere or pointer.shift
        cells = self._alike.around(document, pointer.cell, everywhere=everywhere)
        return reach(document, self.options, cells)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return one place: a fill is done once in a drag."""
        return ()

    def map_changed(self) -> None:
        self._alike.forget()


class LineTool(TerrainTool):
    """Draws a straight line of the brush's width."""

    name = "line"
    title = "Line"
    icon = "line"
    shortcut = "L"
    tip = "Drag a straight line of the chosen terrain, as wide as the brush."
    text = "Draw line"
    uses = BRUSH
    spans = True
    _start: int | None = None

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._start = pointer.cell

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        grid = document.battlemap.grid
        start = pointer.cell if self._start is None else self._start
        cells = swept_area(
            grid, path(grid, start, pointer.cell), self.options.radius, bar=self.options.bar
        )
        return reach(document, self.options, cells)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        return None

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        cells = self.reach(document, pointer).cells
        yield paint(document, self.plane(document.battlemap.system), cells, self.options.terrain)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return self.preview_of(document, self.reach(document, pointer))

    def forget(self) -> None:
        self._start = None


class RectangleTool(LineTool):
    """Fills a rectangle of columns and rows, or a parallelogram along the axes of the hexes."""

    name = "rectangle"
    title = "Rectangle"
    icon = "rectangle"
    shortcut = "U"
    tip = "Drag a rectangle of the chosen terrain; slanted, it follows the rows of {cells}."
    text = "Draw rectangle"
    uses = frozenset({"symmetry", "slanted"})

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        start = pointer.cell if self._start is None else self._start
        shape = parallelogram if self.options.slanted else rectangle
        return reach(document, self.options, shape(document.battlemap.grid, start, pointer.cell))
