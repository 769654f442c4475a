"""Pictures of what cells show, for the tilesets of other programs: plain ones, without the desk.

The desk draws better ones: it sets ``PAINTERS.current``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.layouts import Layout
from randomizer.systems.interchange.pixels import Pixels, write_png

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap

COLUMNS = 8
"""So many pictures are in a row."""

_NARROW = 0.09
"""Half the width of lines, in map units."""


class Look(NamedTuple):
    """A value of a plane of a map, on one of the sides if the plane has sides."""

    plane: str
    side: int
    value: int


Painter = Callable[["BattleMap", Sequence[Look | None], int, int], bytes]
"""Returns a PNG of pictures of ``width`` x ``height`` pixels in rows; None is left empty."""


class Painters:
    """Who paints the pictures."""

    def __init__(self) -> None:
        self.current: Painter = paint_plainly


def paint_plainly(
    battlemap: BattleMap, looks: Sequence[Look | None], width: int, height: int
) -> bytes:
    """Paint looks in their colours: areas for terrains, lines for hexsides and ways."""
    rows = -(-len(looks) // COLUMNS)
    sheet = np.zeros((rows, height, COLUMNS, width, 4), np.uint8)
    geometry = _Cell(battlemap.grid.layout, width, height)
    for at, look in enumerate(looks):
        if look is not None:
            sheet[at // COLUMNS, :, at % COLUMNS] = _painted(battlemap, look, geometry)
    return write_png(sheet.reshape(rows * height, COLUMNS * width, 4))


class _Cell:
    """Which pixels of a cell's picture are in the cell, near each side and on the way to it."""

    def __init__(self, layout: Layout, width: int, height: int) -> None:
        corners = np.array(layout.corners)
        lowest, size = corners.min(axis=0), np.ptp(corners, axis=0)
        y, x = np.mgrid[:height, :width] + 0.5
        self._points = np.stack([x / width, y / height], axis=2) * size + lowest
        self.inside = np.ones((height, width), np.bool_)
        ends = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
        for start, end in ends:
            (along_x, along_y), far = end - start, self._points - start
            self.inside &= along_x * far[:, :, 1] - along_y * far[:, :, 0] >= -0.02
        self.sides = [self._near(start, end) for start, end in ends]
        self.ways = [self._near(np.zeros(2), (start + end) / 2) for start, end in ends]

    def _near(self, start: NDArray[Any], end: NDArray[Any]) -> NDArray[np.bool_]:
        line = end - start
        along = ((self._points - start) @ line / (line @ line)).clip(0, 1)
        far = np.hypot(*np.moveaxis(self._points - start - along[:, :, None] * line, 2, 0))
        return np.asarray(self.inside & (far < _NARROW))


def _painted(battlemap: BattleMap, look: Look, cell: _Cell) -> Pixels:
    """The picture of a look: (height, width, 4)."""
    known, plane, value = battlemap.terrain_set, look.plane, look.value
    where, colour, alpha = np.zeros_like(cell.inside), "#000000", 255
    ways = dict(zip((spec.name for spec in battlemap.system.ways), known.ways, strict=False))
    if plane == "terrain":
        where, colour = cell.inside, known.terrains[value].colour
    elif plane == "elevation":
        where, colour = cell.inside, "#ffffff" if value > 0 else "#000000"
        alpha = min(160, 30 * abs(value))
    elif plane == "hexside" and value:
        where, colour = cell.sides[look.side], known.hexsides[value - 1].colour
    elif plane in ways:
        colour = ways[plane].colour
        for side, way in enumerate(cell.ways):
            where |= way & bool(value >> side & 1)
    pixels = np.zeros((*cell.inside.shape, 4), np.uint8)
    pixels[where] = (*bytes.fromhex(colour[1:]), alpha)
    return pixels


PAINTERS = Painters()
"""The one that paints now."""
