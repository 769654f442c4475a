"""The tool that measures distances on the map.

A *way* leads from stop to stop, its *legs* are the straight lines between two stops. ``way_text``
says how lengths are counted.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from app.tools.pointer import Pointer
from app.tools.tool import Preview, Tool
from randomizer.geometry.areas import area
from randomizer.geometry.distance import NO_DISTANCE, Distance, distance, straight_lines
from randomizer.geometry.shapes import path
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.model.edits.edit import Edit
    from randomizer.model.system.cell_width import CellWidth

MOST_LEGS = 4
"""The most legs whose lengths are listed; of a way with more of them only the sum is written."""

MOST_OUTLINED = 200
"""The most cells of a way that are outlined: outlines of more would hide the map."""


class MeasureTool(Tool):
    """Measures from stop to stop; presses and releases of the mouse are stops.

    The way goes on to the cell pointed at until a click on the last stop, or Enter there, ends it.
    The next press begins another one.
    """

    name = "measure"
    title = "Measure"
    words = "distance ruler length miles kilometres feet range far"
    icon = "measure"
    shortcut = "Shift+M"
    tip = (
        "Drag from {cell} to {cell} to measure how far it is, or click from stop to stop; "
        "a click on the last stop ends the way, Escape takes it away."
    )
    text = "Measure"
    paints = False
    picks = False
    stays = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._stops: list[int] = []
        """The cells of the stops, in the order of the way."""
        self._goes_on = False
        """True if the way goes on to the cell under the pointer, False once it has ended."""
        self._pressed_last_stop = False
        """True if the stroke under way began at the last stop: a click there ends the way."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        self._pressed_last_stop = self._goes_on and self._stops[-1:] == [pointer.cell]
        if not self._goes_on:
            self._stops = []
        self._goes_on = True
        self._add(pointer.cell)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Add the stop where the drag ends; a click on the last stop, or a drag, ends the way."""
        was_drag = pointer.cell != self._stops[-1]
        self._add(pointer.cell)
        if was_drag or self._pressed_last_stop:
            self._goes_on = False
        yield from ()  # a tool's ``finish`` is a generator of edits; a stop is none

    def _add(self, cell: int) -> None:
        """Add a stop, unless the way is at that cell already."""
        if self._stops[-1:] != [cell]:
            self._stops.append(cell)

    def put_down(self) -> bool:
        had_stops = bool(self._stops)
        self.map_changed()
        return had_stops

    def map_changed(self) -> None:
        self._stops = []
        self._goes_on = False

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        if self._goes_on:
            return _preview_of_way(document, [*self._stops, pointer.cell])
        preview_at_rest = self.preview_at_rest(document)
        if preview_at_rest is not None:
            return preview_at_rest
        return super().preview(document, pointer)

    def preview_at_rest(self, document: MapDocument) -> Preview | None:
        """Return the preview of the way that was measured, None if there is none."""
        if len(self._stops) < 2:
            return None
        return _preview_of_way(document, self._stops)


def _preview_of_way(document: MapDocument, stops: list[int]) -> Preview:
    """Return the preview of a way with its length; of its only cell if it has no length."""
    battlemap = document.battlemap
    grid = battlemap.grid
    legs = [leg for leg in pairwise(stops) if leg[0] != leg[1]]
    if not legs:
        return Preview(np.array(stops[-1:], np.intp))
    # On a map that goes round a leg over the edge is two lines.
    lines = tuple(chain.from_iterable(straight_lines(grid, *leg) for leg in legs))
    cells = area(np.concatenate([path(grid, *leg) for leg in legs]))
    if len(cells) > MOST_OUTLINED:
        cells = cells[:0]
    width = battlemap.system.cell_width(battlemap, document.composite.properties)
    text = way_text(grid, [distance(grid, *leg) for leg in legs], width)
    return replace(Preview(cells), lines=lines, caption=text, note=text)


def way_text(grid: Grid, legs: list[Distance], width: CellWidth | None) -> str:
    """Return the length of a way in words: ``3 + 4 = 7 hexes, 42 miles``.

    On hexes the length in the world is that of the steps, as games with hexes count. Squares are
    counted in moves, which may cross corners, with the steps that cross none in brackets; their
    length in the world is that of the straight lines.
    """
    total = NO_DISTANCE
    for leg in legs:
        total = total.plus(leg)
    words = cell_words(grid.layout)
    text = counted(total.moves, words.cell, words.cells)
    if 1 < len(legs) <= MOST_LEGS:
        lengths = " + ".join(f"{leg.moves:,}" for leg in legs)
        text = f"{lengths} = {text}"
    if total.steps != total.moves:
        text += f" ({total.steps:,} without diagonals)"
    if width is None:
        return text
    if grid.degree == 6:
        return f"{text}, {width.text(total.moves)}"
    return f"{text}, {width.text(total.straight)}"
