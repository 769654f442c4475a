"""Brushes that paint terrain: one terrain, or a mixture of several.

``BrushTool`` is the base of all tools that work on the cells under the brush.

``Tool`` (tool.py) explains the attributes and methods that a tool overrides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.tools.painting import left_out, mark_left_out, paint
from app.tools.pointer import Pointer, Reach, brush, reach
from app.tools.preview import Preview
from app.tools.tool import Tool
from randomizer.geometry.areas import Cells
from randomizer.model.basics.dice import fresh_seed, streams, words_of_streams
from randomizer.model.edits.edit import Edit
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.planes import PlaneRole

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.system.system import System

BRUSH = frozenset({"radius", "bar", "symmetry"})
"""The tool options that matter to every brush (``Tool.uses``)."""


UNUSED_BITS = 16
"""Of each random word of 64 bits only the upper 48 decide: with other bits the mixture of a stroke
would be another one with the same seed."""


RADIUS_ON_TILES = 3
"""The first radius of the brushes for terrain on maps with heights at corners.

A tile of 0 A.D. is 4 m wide, and the map at least 128 tiles: one alone is hardly seen.
"""


class BrushTool(Tool):
    """Works on the cells under the brush and their symmetric twins."""

    uses = BRUSH
    may_begin_outside = True

    def reach(self, document: MapDocument, pointer: Pointer) -> Reach:
        """Return the cells that the tool would change with its brush here."""
        return reach(document, self.options, brush(document, self.options, pointer.cell))

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return Preview.of(self.reach(document, pointer))


class _TerrainBrush(BrushTool):
    """A brush for terrain, which is wide at first on maps of small tiles."""

    def first_radius_on(self, system: System) -> int:
        if system.has_corners:
            return RADIUS_ON_TILES
        return self.first_radius


class TerrainTool(_TerrainBrush):
    """Paints the chosen terrain; elevation and hexsides stay."""

    name = "terrain"
    title = "Terrain brush"
    words = "paint pencil draw hex"
    icon = "brush"
    shortcut = "B"
    tip = "Paint the chosen terrain: click or drag over {cells}. Escape takes the stroke back."
    text = "Paint terrain"
    needs = PlaneRole.TERRAIN

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        cells = self.reach(document, pointer).cells
        return paint(document, self.plane(document.battlemap.system), cells, self.options.terrain)

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        return self.preview_of(document, self.reach(document, pointer))

    def preview_of(self, document: MapDocument, reached: Reach) -> Preview:
        """Return the preview of cells that get the chosen terrain."""
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, Preview.of(reached, self.options.terrain), barred)


class RandomTool(_TerrainBrush):
    """Paints a mixture of terrains, each as often as its weight says.

    The seed of a stroke is drawn before it begins, so that the preview shows its result.
    """

    name = "random"
    title = "Random brush"
    words = "mixture spray noise scatter"
    icon = "roll"
    shortcut = "D"
    tip = "Paint a mixture of terrains; the bar of tool options says how much of each."
    text = "Paint mixture"
    needs = PlaneRole.TERRAIN
    uses = BRUSH | {"weights"}

    def __init__(self, options: ToolOptions) -> None:
        super().__init__(options)
        self._seed = fresh_seed()
        """The seed of the stroke under way, or of the next one."""

    def _terrains(self, document: MapDocument, cells: Cells) -> NDArray[np.integer]:
        """Return the terrain code for each cell, shape (n,); symmetric twins get the same.

        The mixture must not be empty.
        """
        # Every cell has a stream of random numbers of its own, so that its terrain does not depend
        # on the other cells of the stroke. Twins share the stream of one of them.
        grid = document.battlemap.grid
        keys = first_twins(self.options.symmetry(grid), grid, cells)
        # The first random number (of 64 bits) of each stream.
        numbers = words_of_streams(streams(self._seed, keys.astype(np.uint64)), 0)
        draws = numbers >> np.uint64(UNUSED_BITS)

        # A draw is a point on a line as long as the sum of the weights, on which each terrain has a
        # stretch as long as its weight:   | grass 2     | wood 1 |   the ends are 2 and 3.
        codes = np.array([code for code, _weight in self.options.weights])
        ends = np.cumsum([weight for _code, weight in self.options.weights], dtype=np.uint64)
        positions = np.searchsorted(ends, draws % ends[-1], side="right")
        result: NDArray[np.integer] = codes[positions]
        return result

    def _mixture_is_empty(self) -> bool:
        """Return whether all weights are 0, so that there is nothing to paint."""
        return not any(weight for _code, weight in self.options.weights)

    def why_not_here(self, document: MapDocument) -> str:
        """Return a reason also if the mixture is empty."""
        if self._mixture_is_empty():
            return "The mixture is empty: give a terrain some weight in the tool options."
        return super().why_not_here(document)

    def edit(self, document: MapDocument, pointer: Pointer) -> Edit | None:
        """Paint terrains of the mixture; a cell gets the same one throughout a stroke."""
        cells = self.reach(document, pointer).cells
        plane = self.plane(document.battlemap.system)
        return paint(document, plane, cells, self._terrains(document, cells))

    def forget(self) -> None:
        self._seed = fresh_seed()

    def preview(self, document: MapDocument, pointer: Pointer) -> Preview:
        reached = self.reach(document, pointer)
        if self._mixture_is_empty():
            return Preview.of(reached)
        terrains = self._terrains(document, reached.cells)
        preview = Preview(reached.cells, terrains, lost=reached.lost, note=reached.note)
        barred = left_out(document, self.plane(document.battlemap.system), reached.cells)
        return mark_left_out(document, preview, barred)


def first_twins(symmetry: Symmetry | None, grid: Grid, cells: Cells) -> Cells:
    """Return for each of ``cells`` (n,) the lowest number among it and its symmetric twins, (n,).

    Twins get the same number: what is drawn by chance from it is symmetric.
    """
    if symmetry is None:
        return cells
    # Twins outside the map are -1: a number above all cells keeps them from being the lowest.
    images = symmetry.images(grid, cells)
    return np.asarray(np.where(images < 0, grid.size, images).min(axis=0))
