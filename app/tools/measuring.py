"""The tool that measures distances on the map.

A *way* leads from stop to stop, its *legs* are the straight lines between two stops::

    press at A, drag to B, release       the way A-B, 4 hexes; it has ended
    click A, click B, click C, click C   the way A-B-C, 4 + 3 = 7 hexes; the last click ends it

``way_text`` says how lengths are counted.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from app.tools.pointer import NO_CELLS, Pointer
from app.tools.preview import Preview
from app.tools.tool import Tool
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

MAX_LISTED_LEGS = 4
"""The most legs whose lengths are listed; of a way with more of them only the sum is written."""

MAX_OUTLINED_CELLS = 200
"""The most cells of a way that are outlined: outlines of more would hide the map."""


@dataclass
class _Way:
    """A way that is measured: it begins with a press, grows stop by stop, and ends.

    A way that has ended stays on the map until another one begins.
    """

    stops: list[int] = field(default_factory=list)
    """The cells of the stops, in the order of the way; no two neighbours are the same."""

    has_ended: bool = False
    """False while the way goes on to the cell under the pointer."""

    ends_at_release: bool = False
    """True while the mouse is pressed on the last stop: a click there ends the way."""

    def is_last_stop(self, cell: int) -> bool:
        """Return whether a cell is the last stop; a way without stops has none."""
        return self.stops[-1:] == [cell]

    def add_stop(self, cell: int) -> None:
        """Go on to a cell, unless the way is there already."""
        if not self.is_last_stop(cell):
            self.stops.append(cell)


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
    changes_planes = False
    is_eyedropper_with_ctrl = False
    keeps_preview = True

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._way: _Way | None = None
        """The way on the map, under way or at its end; None while there is none."""

    def start(self, document: MapDocument, pointer: Pointer) -> None:
        if self._way is None or self._way.has_ended:
            self._way = _Way()
        self._way.ends_at_release = self._way.is_last_stop(pointer.cell)
        self._way.add_stop(pointer.cell)

    def finish(self, document: MapDocument, pointer: Pointer) -> Iterator[Edit | None]:
        """Add the stop where the drag ends; a click on the last stop, or a drag, ends the way."""
        way = self._way
        if way is not None:
            was_drag = not way.is_last_stop(pointer.cell)
            way.add_stop(pointer.cell)
            way.has_ended = was_drag or way.ends_at_release
        yield from ()  # a tool's ``finish`` is a generator of edits; a stop is none

    def cancel_pending(self) -> bool:
        had_way = self._way is not None
        self._way = None
        return had_way

    def map_changed(self) -> None:
        self._way = None

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        way = self._way
        if way is not None and not way.has_ended:
            return _preview_of_way(document, [*way.stops, pointer.cell])
        preview_at_rest = self.preview_at_rest(document)
        if preview_at_rest is not None:
            return preview_at_rest
        return super().preview(document, pointer)

    def preview_at_rest(self, document: MapDocument) -> Preview | None:
        """Return the preview of the way with its stops so far, None if there is none."""
        if self._way is None or len(self._way.stops) < 2:
            return None
        return _preview_of_way(document, self._way.stops)


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
    if len(cells) > MAX_OUTLINED_CELLS:
        cells = NO_CELLS
    width = battlemap.system.cell_width(battlemap, document.composite.properties)
    text = way_text(grid, [distance(grid, *leg) for leg in legs], width)
    return Preview(cells, lines=lines, caption=text, note=text)


def way_text(grid: Grid, legs: list[Distance], width: CellWidth | None) -> str:
    """Return the length of a way in words: ``3 + 4 = 7 hexes, 42 miles``.

    *Moves* go over sides or corners, *steps* over sides alone. ``width`` is how wide a cell is in
    the world, None if nobody knows.
    """
    total = NO_DISTANCE
    for leg in legs:
        total = total.plus(leg)
    words = cell_words(grid.layout)
    text = counted(total.moves, words.cell, words.cells)
    if 1 < len(legs) <= MAX_LISTED_LEGS:
        lengths = " + ".join(f"{leg.moves:,}" for leg in legs)
        text = f"{lengths} = {text}"
    # Only squares have diagonals: a move may cross a corner, a step may not.
    if total.steps != total.moves:
        text += f" ({total.steps:,} without diagonals)"
    if width is None:
        return text
    # Games with hexes count a distance in hexes; on squares it is that of the straight lines.
    if grid.degree == 6:
        return f"{text}, {width.text(total.moves)}"
    return f"{text}, {width.text(total.straight)}"
