"""Tools that paint a whole area: fill, line and rectangle.

A fill is made at the press; a line or a rectangle leads from there to the end of the drag, and is
only a preview until then. ``SameTerrain`` and ``LineEnds`` are used by other tools, too.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.tools.brushes import BRUSH, TerrainTool
from app.tools.painting import paint
from app.tools.pointer import NO_CELLS, Pointer, Reach, reach
from app.tools.preview import Preview
from randomizer.geometry.areas import Cells
from randomizer.geometry.flood import contiguous, same_value
from randomizer.geometry.shapes import parallelogram, path, rectangle
from randomizer.geometry.swept_area import swept_bar, swept_disc
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.document.open_map import OpenMap
    from app.document.undo_history import UndoStep
    from app.tools.options import ToolOptions


class SameTerrain:
    """Finds the cells with the same terrain as a given one: those connected with it, or all.

    The last result is stored: the pointer mostly stays in the area, and a search of a large map
    takes longer than a frame.
    """

    def __init__(self) -> None:
        self._connected: Cells = NO_CELLS
        """The last result of connected cells."""
        self._all_alike: Cells = NO_CELLS
        """The last result of all cells of a terrain."""

    def cells_like(self, document: MapDocument, cell: int, *, everywhere: bool) -> Cells:
        """Return the cells (n,), ascending, with the terrain of ``cell``.

        With ``everywhere`` they are all of the map, else those that are connected with ``cell``.
        """
        stored = self._connected
        if everywhere:
            stored = self._all_alike
        # Areas do not overlap: the stored one is that of the cell if the cell is in it.
        position = int(np.searchsorted(stored, cell))
        if position < len(stored) and stored[position] == cell:
            return stored
        terrain = document.composite.plane(document.battlemap.system.terrain)
        assert terrain is not None, "the tools that look for terrain need its plane"
        grid = document.battlemap.grid
        if everywhere:
            self._all_alike = same_value(grid, terrain, cell)
            return self._all_alike
        self._connected = contiguous(grid, terrain, cell)
        return self._connected

    def clear(self) -> None:
        """Drop the stored areas: the map has changed."""
        self._connected = NO_CELLS
        self._all_alike = NO_CELLS


class FillTool(TerrainTool):
    """Paints the area of one terrain around the pointer."""

    name = "fill"
    title = "Fill"
    words = "bucket flood area paint"
    icon = "fill"
    shortcut = "F"
    tip = "Fill an area of one terrain with the chosen one; with Shift all of that terrain."
    text = "Fill"
    uses = frozenset({"symmetry", "everywhere"})
    may_begin_outside = False  # which area is meant is told by the press

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._same_terrain = SameTerrain()

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        everywhere = self.options.everywhere or pointer.shift
        cells = self._same_terrain.cells_like(document, pointer.cell, everywhere=everywhere)
        return reach(document, self.options, cells)

    def touch_key(self, battlemap: BattleMap, pointer: Pointer) -> tuple[int, ...]:
        """Return the same key for every pointer: a fill is done once in a drag."""
        return ()

    def map_changed(self) -> None:
        self._same_terrain.clear()


class _LineEnd(NamedTuple):
    """The end of a line that was drawn, from where the next one can go on."""

    open_map: OpenMap
    grid: Grid
    """The grid in which it lies: that of the map may be another one by now."""

    position: int
    """Its cell or corner."""

    last_step: UndoStep | None
    """The undo step that the line was, or the one before it if it changed nothing."""

    def counts_on(self, document: MapDocument) -> bool:
        """Return whether a line on the current map can go on from here: it was not undone."""
        if self.open_map is not document.current_map or self.grid is not document.battlemap.grid:
            return False
        return self.last_step is None or document.history.is_done(self.last_step)


class LineEnds:
    """The ends of the lines that a tool draws: cells, or corners for tools that draw from those.

    The tool calls ``begin`` at the press, ``finish`` when the stroke is a step of undo, and
    ``end_line`` at the end of each stroke, also one that is taken back.
    """

    def __init__(self) -> None:
        self.start: int | None = None
        """The beginning of the line of the stroke under way, None between strokes."""

        self._earlier_ends: list[_LineEnd] = []
        """The ends of the lines of the last path, from the first to the last one."""

        self._goes_on = False
        """Whether the line of the stroke under way, or of the last one, belongs to that path."""

    def begin(self, document: MapDocument, position: int, *, goes_on: bool) -> None:
        """Begin a line here, or if it ``goes_on`` at the end of the previous one on this map."""
        self._goes_on = goes_on
        self.start = self._start_if_pressed_at(document, position, goes_on=goes_on)

    def finish(self, document: MapDocument, end: int) -> None:
        """Note where the line has ended, once it is the last step of undo."""
        if not self._goes_on:
            self._earlier_ends.clear()
        grid = document.battlemap.grid
        last_step = document.history.next_undo
        self._earlier_ends.append(_LineEnd(document.current_map, grid, end, last_step))

    def end_line(self) -> None:
        """Drop the beginning: the stroke has ended or was taken back."""
        self.start = None

    def start_of_line_to(self, document: MapDocument, end: int, *, goes_on: bool) -> int:
        """Return the beginning of the line that leads to ``end``.

        During a stroke it is where that began. Between strokes it is what a press at ``end`` would
        make it (``_start_if_pressed_at``).
        """
        if self.start is not None:
            return self.start
        return self._start_if_pressed_at(document, end, goes_on=goes_on)

    def _start_if_pressed_at(self, document: MapDocument, end: int, *, goes_on: bool) -> int:
        """Return the beginning of a line that is begun by a press at ``end``.

        That is ``end``, or if the line ``goes_on`` the end of the last line of the path that is not
        undone.
        """
        if goes_on:
            for earlier_end in reversed(self._earlier_ends):
                if earlier_end.counts_on(document):
                    return earlier_end.position
        return end


class LineTool(TerrainTool):
    """Draws a straight line of the brush's width, and paths of such lines."""

    name = "line"
    title = "Line"
    words = "straight draw"
    icon = "line"
    shortcut = "L"
    tip = (
        "Drag a straight line of the chosen terrain, as wide as the brush; or click one end, then "
        "the next with Shift, and so on along a path."
    )
    text = "Draw line"
    uses = BRUSH
    drags_between_cells = True
    continues_previous = True
    """True if with Shift a line goes on from the end of the previous one."""

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._ends = LineEnds()

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._ends.begin(document, pointer.cell, goes_on=self._goes_on(pointer))

    def _start_cell(self, document: MapDocument, pointer: Pointer) -> int:
        """Return the cell from which a line to the pointer leads."""
        return self._ends.start_of_line_to(document, pointer.cell, goes_on=self._goes_on(pointer))

    def _goes_on(self, pointer: Pointer) -> bool:
        """Return whether a line begins at the end of the previous one."""
        return self.continues_previous and pointer.shift

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        grid = document.battlemap.grid
        middle_cells = path(grid, self._start_cell(document, pointer), pointer.cell)
        if self.options.bar:
            cells = swept_bar(grid, middle_cells, self.options.radius)
        else:
            cells = swept_disc(grid, middle_cells, self.options.radius)
        return reach(document, self.options, cells)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        return None  # the line is drawn at the end of the drag

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        cells = self.reach(document, pointer).cells
        yield paint(document, self.plane(document.battlemap.system), cells, self.options.terrain)

    def stroke_made(self, document: MapDocument, pointer: Pointer) -> None:
        self._ends.finish(document, pointer.cell)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return self.preview_of(document, self.reach(document, pointer))

    def forget(self) -> None:
        self._ends.end_line()


class RectangleTool(LineTool):
    """Fills a rectangle of columns and rows, or a parallelogram along the axes of the hexes."""

    name = "rectangle"
    title = "Rectangle"
    words = "box square draw"
    icon = "rectangle"
    shortcut = "U"
    tip = "Drag a rectangle of the chosen terrain; slanted, it follows the rows of {cells}."
    text = "Draw rectangle"
    uses = frozenset({"symmetry", "slanted"})
    continues_previous = False

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        grid = document.battlemap.grid
        start = self._start_cell(document, pointer)
        if self.options.slanted:
            cells = parallelogram(grid, start, pointer.cell)
        else:
            cells = rectangle(grid, start, pointer.cell)
        return reach(document, self.options, cells)
