"""The overview: a whole map as a small raster image, kept up to date with the edits of the map.

``OverviewRaster`` is the image and how it is drawn at any scale; its docstring says how hexes are
pixels. ``Overview`` knows which of its cells have to be coloured again, and colours them in several
turns where they are many.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QRectF
from PySide6.QtGui import QImage, QPainter

from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.level_of_detail import HEXES_FROM
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import ascending
from randomizer.model.grid.layouts import HALF3
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

Box = tuple[int, int, int, int]
"""Left, top, width and height, in device pixels."""

BLOCK = 256
"""Pixels are transposed in blocks of this many rows and columns."""

CHUNK = 1 << 16
"""This many cells are coloured at a time, so that their arrays stay in the processor's caches."""


class OverviewRaster:
    """The raster of one grid: ``pixels`` (height, width), uint32, 0xffRRGGBB.

    A square is one pixel, a hex two: a line of hexes (a row, or a column of flat hexes) is a line
    of *bricks*, each two pixels long; every other line is shifted by one pixel. Stretched, they
    show the map at the smallest scales; at somewhat larger ones ``hexes`` computes the six corners.

    With a ``background`` of 0 what has the colour 0 is transparent.
    """

    def __init__(self, grid: Grid, background: int) -> None:
        self.grid = grid
        self.background = np.uint32(background)
        # The raster has pixels for all cells, also for those that a mask leaves out.
        unmasked = Grid(grid.layout, grid.width, grid.height, None, grid.wrap, grid.lean)
        left, top, right, bottom = unmasked.bounds
        self._left = left
        self._top = top
        self._flat = grid.layout.shear == "columns"
        """Whether lines are columns of the map, not rows."""
        self._square = grid.degree == 4

        # The step is the width and height of a pixel, in map units. Lines of hexes overlap by half
        # a radius; the tip of the last line is not counted.
        if self._square:
            self._step = (1.0, 1.0)
            tip = (0.0, 0.0)
        elif self._flat:
            self._step = (1.5, HALF3)
            tip = (0.5, 0.0)
        else:
            self._step = (HALF3, 1.5)
            tip = (0.0, 0.5)
        width = round((right - left - tip[0]) / self._step[0])
        height = round((bottom - top - tip[1]) / self._step[1])
        self.pixels: NDArray[np.uint32] = np.full((height, width), background, np.uint32)
        self._lines = self.pixels.T if self._flat else self.pixels
        line, start = self._bricks_of(np.zeros(1, np.intp))
        self._odd = int(start[0]) + int(line[0]) & 1
        """0 if the bricks of even lines begin at even pixels, 1 if at odd ones."""

    def _bricks_of(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the line of each of ``cells`` (n,), and the pixel in it at which its brick
        begins.
        """
        centres = self.grid.centres_of(cells)
        across = (centres[:, 0] - self._left) / self._step[0]
        down = (centres[:, 1] - self._top) / self._step[1]
        line, along = (across, down) if self._flat else (down, across)
        if self._square:
            centre_behind_line = 0.5
            centre_behind_start = 0.5
        else:
            # A hex's centre lies one radius (two thirds of a line) behind the line's tip, and in
            # the middle of a brick of two pixels.
            centre_behind_line = 2 / 3
            centre_behind_start = 1.0
        lines = np.rint(line - centre_behind_line).astype(np.intp)
        starts = np.rint(along - centre_behind_start).astype(np.intp)
        return lines, starts

    # --- colouring --------------------------------------------------------------------------

    def fill(self, colours: Callable[[slice], NDArray[np.uint32]]) -> None:
        """Colour all cells; ``colours`` gives the colours (n,) of a slice of cells."""
        first = 0
        while first < self.grid.height:
            first = self.fill_from(first, colours)

    def fill_from(self, first: int, colours: Callable[[slice], NDArray[np.uint32]]) -> int:
        """Colour the cells of some rows from the even row ``first`` on; return the row after them.

        ``colours`` is as in ``fill``.
        """
        width = self.grid.width
        mask = self.grid.mask
        # An even number of rows: ``_fill_rows`` relies on an even first row.
        row_count = max(2, CHUNK // width & ~1)
        last = min(first + row_count, self.grid.height)
        block = colours(slice(first * width, last * width)).reshape(last - first, width)
        if mask is not None:
            block = np.where(mask[first:last], block, self.background)
        self._fill_rows(first, last, block)
        return last

    def _fill_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour the rows ``first`` to ``last`` of the grid: ``block`` (last - first, width).

        ``first`` is even. Every slice of pixels is one half of the bricks of one kind of lines: odd
        lines are shifted by one pixel, and the second half of a brick lies one pixel further.
        """
        width = self.grid.width
        pixels = self.pixels
        shear = self.grid.layout.shear
        if shear == "none":
            pixels[first:last] = block
        elif shear == "columns":
            for odd in (0, 1):
                for half in (0, 1):
                    start = 2 * first + odd + half
                    pixels[start : start + 2 * (last - first) : 2, odd::2] = block[:, odd::2]
        elif shear == "rows":
            for odd in (0, 1):
                for half in (0, 1):
                    start = odd + half
                    pixels[first + odd : last : 2, start : start + 2 * width : 2] = block[odd::2]
        else:
            self._fill_slanting_rows(first, last, block)

    def _fill_slanting_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour rows each of which begins further along than the one before it."""
        width = self.grid.width
        pixels = self.pixels
        lines, starts = self._bricks_of(np.arange(first, last, dtype=np.intp) * width)
        for row, line, start in zip(block, lines.tolist(), starts.tolist(), strict=True):
            # A row of an upright grid that wraps begins in the middle and goes on at the left.
            count = width
            if self.grid.upright:
                count = (pixels.shape[1] - start) // 2
            for half in (0, 1):
                begin = start + half
                pixels[line, begin : begin + 2 * count : 2] = row[:count]
                if count < width:
                    begin = start + 2 * count - 2 * width + half
                    pixels[line, begin : begin + 2 * (width - count) : 2] = row[count:]

    def colour(self, cells: NDArray[np.intp], colours: NDArray[np.uint32]) -> None:
        """Give ``cells`` (n,) these ``colours`` (n,)."""
        line, start = self._bricks_of(cells)
        self._lines[line, start] = colours
        if not self._square:
            self._lines[line, start + 1] = colours

    # --- drawing ----------------------------------------------------------------------------

    def paint(self, painter: QPainter, viewport: Viewport, ratio: float, box: Box) -> None:
        """Draw the device pixels of ``box`` (left, top, width, height), the painter's unit."""
        if self._square or viewport.scale * ratio < HEXES_FROM:
            pixels = self.stretched(viewport, ratio, box)
        else:
            pixels = self.hexes(viewport, ratio, box)
        left, top, width, height = box
        form = QImage.Format.Format_RGB32
        if not self.background:
            form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, 4 * width, form)
        painter.drawImage(left, top, image)

    def stretched(self, viewport: Viewport, ratio: float, box: Box) -> NDArray[np.uint32]:
        """Return colours of the device pixels of ``box`` (left, top, width, height), with bricks.

        Shape (height, width), 0xffRRGGBB.
        """
        xs, ys = self._pixel_middles(viewport, ratio, box)
        if not self._square:
            # A brick is as wide as the distance of lines: it begins at half of the line's tip.
            if self._flat:
                xs = xs - 0.25
            else:
                ys = ys - 0.25
        columns = np.floor(xs / self._step[0]).astype(np.intp)
        rows = np.floor(ys / self._step[1]).astype(np.intp)
        return self._pixels_at(rows, columns)

    def hexes(self, viewport: Viewport, ratio: float, box: Box) -> NDArray[np.uint32]:
        """Return the picture of ``stretched``, with hexagons instead of bricks."""
        xs, ys = self._pixel_middles(viewport, ratio, box)
        if self._flat:
            return self._hexes_at(ys, xs)
        return self._hexes_at(xs, ys)

    def _pixel_middles(
        self, viewport: Viewport, ratio: float, box: Box
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the middles of the columns (width,) and rows (height,) of device pixels in
        ``box``.

        In map units from the left top corner of the map. A pixel's place depends on the viewport
        alone, so that every box shows the same picture.
        """
        left, top, width, height = box
        xs = (left + 0.5 + np.arange(width, dtype=np.float64)) / ratio
        ys = (top + 0.5 + np.arange(height, dtype=np.float64)) / ratio
        xs = np.asarray((xs - viewport.dx) / viewport.scale - self._left, np.float64)
        ys = np.asarray((ys - viewport.dy) / viewport.scale - self._top, np.float64)
        return xs, ys

    def _hexes_at(
        self, along: NDArray[np.float64], across: NDArray[np.float64]
    ) -> NDArray[np.uint32]:
        """Return the colours of hexagons at points ``along`` the lines and ``across`` them.

        Both are ascending, in map units; the result has the shape of the picture, as ``stretched``.

        A line of hexes has straight sides in its middle, where its bricks are the picture. Between
        the middles of two lines the border is a zigzag: there a point belongs to the upper or to
        the lower line, depending on how far it lies along its brick.
        """
        # Along the line: the brick's half (a pixel of the raster), and the share of it.
        along_pixels = along / HALF3
        pixel = np.floor(along_pixels).astype(np.intp)
        share = along_pixels - pixel

        # Across: the line, and how far down the zigzag at its end (0 to 1; below 0 in its middle).
        level = (across - 0.5) / 1.5
        line = np.floor(level).astype(np.intp)
        tooth = ((level - line) * 1.5 - 1.0) * 2.0

        # The depth of the border between a line and the next, for even and for odd lines.
        is_first_half = (pixel + self._odd) & 1 == 0  # of a hex of an even line
        depth_of_even = np.where(is_first_half, share, 1 - share)
        depth_of_odd = np.where(is_first_half, 1 - share, share)

        # The colours of all the lines that occur, and the one after them.
        first = int(line[0])
        last = int(line[-1]) + 2
        line -= first
        lines = np.arange(first, last)
        if self._flat:
            colours = _transposed(self._pixels_at(pixel, lines))
        else:
            colours = self._pixels_at(lines, pixel)

        result = colours[line]
        zigzag = np.flatnonzero(tooth > 0)
        for odd, depth in ((0, depth_of_even), (1, depth_of_odd)):
            rows = zigzag[(line[zigzag] + first & 1) == odd]
            is_below = tooth[rows, None] >= depth
            result[rows] = np.where(is_below, colours[line[rows] + 1], colours[line[rows]])
        if self._flat:
            return _transposed(result)
        return result

    def _pixels_at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.uint32]:
        """Return these rows and columns, ascending, of ``pixels``; background outside of it.

        All three ways to take them give the same: they are there for their speed.
        """
        height, width = self.pixels.shape
        top, bottom = np.searchsorted(rows, (0, height))
        left, right = np.searchsorted(columns, (0, width))
        shape = len(rows), len(columns)
        if top == bottom or left == right:
            return np.full(shape, self.background, np.uint32)
        rows = rows[top:bottom]
        columns = columns[left:right]
        block: NDArray[np.uint32]
        if columns[-1] - columns[0] + 1 == len(columns):  # without gaps: a slice
            block = self.pixels[rows, columns[0] : columns[-1] + 1]
        elif rows[-1] - rows[0] < len(rows):  # enlarged: rows are repeated
            # The rows are a slice, from which columns are taken without copying it before.
            once = self.pixels[rows[0] : rows[-1] + 1]
            block = np.take(once, columns, axis=1, mode="clip")[rows - rows[0]]
        else:
            block = np.take(self.pixels[rows], columns, axis=1, mode="clip")
        if block.shape == shape:
            return block
        result = np.full(shape, self.background, np.uint32)
        result[top:bottom, left:right] = block
        return result


def _transposed(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the transposed array, made in blocks that fit into the processor's caches."""
    result = np.empty(pixels.shape[::-1], np.uint32)
    for row in range(0, pixels.shape[0], BLOCK):
        for column in range(0, pixels.shape[1], BLOCK):
            block = pixels[row : row + BLOCK, column : column + BLOCK]
            result[column : column + BLOCK, row : row + BLOCK] = block.T
    return result


def device_box(dirty: QRectF, ratio: float) -> tuple[int, int, int, int]:
    """Return device pixels (left, top, width, height) that cover a rectangle of logical pixels."""
    left = math.floor(dirty.left() * ratio)
    top = math.floor(dirty.top() * ratio)
    right = math.ceil(dirty.right() * ratio)
    bottom = math.ceil(dirty.bottom() * ratio)
    return left, top, right - left, bottom - top


MOST_STALE = 100_000
"""If more cells than these changed, colouring all of them is quicker."""


@dataclass
class _Pass:
    """A raster that is being coloured, or has been."""

    raster: OverviewRaster
    colours: CellColours
    row: int = 0
    """The rows before this one are coloured."""


class Overview:
    """The overview rasters of maps; that of the ``followed`` one is kept.

    ``colours_of`` gives the colours of a map's cells. Where all cells are to be coloured again,
    that can be done in several turns: meanwhile the raster is shown as it was.
    """

    def __init__(self, colours_of: Callable[[BattleMap], CellColours]) -> None:
        self.followed: BattleMap | None = None
        """The map whose raster is stored."""
        self._colours_of = colours_of
        self._complete_pass: _Pass | None = None
        """The last raster that was coloured completely."""
        self._pass: _Pass | None = None
        """The raster that is being coloured to take its place."""
        self._stale: list[NDArray[np.intp]] | None = None
        """The cells that have to be coloured again, None for all cells."""
        self._stale_count = 0
        """How many cells ``_stale`` has, counted with repetitions."""

    def follow(self, battlemap: BattleMap) -> None:
        """Keep this map's raster; the caller reports its changes to ``changed``."""
        self.followed = battlemap
        self._drop()

    def forget(self) -> None:
        """Colour all cells again, from the start: the theme is another.

        What was coloured completely is shown until then.
        """
        self._pass = None
        self._stale = None

    def _drop(self) -> None:
        """Let go of the rasters: the map or its grid is another."""
        self._complete_pass = None
        self._pass = None
        self._stale = None

    @property
    def is_current(self) -> bool:
        """True if the kept raster shows the followed map as ``raster`` last had it."""
        return self._pass is None and self._stale is not None

    def all_changed(self) -> None:
        """Colour all cells of the followed map again when they are drawn next."""
        self._stale = None

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Colour these cells (n,) of the followed map again when they are drawn next."""
        if self._stale is None:
            return
        self._stale.append(cells)
        self._stale_count += len(cells)
        if self._stale_count > MOST_STALE:
            self._stale = None

    def raster(
        self,
        battlemap: BattleMap,
        composite: Composite,
        background: int,
        budget_ms: int | None = None,
    ) -> OverviewRaster:
        """Return the raster of a map as it is now; ``background`` is 0xffRRGGBB.

        With a budget that of the followed map is perhaps not yet current (``is_current``): one that
        was complete is given as it was, else what is coloured of the first.
        """
        starts = listed_cells(battlemap, composite)
        if battlemap is not self.followed:
            raster = OverviewRaster(battlemap.grid, background)
            colours = self._colours_of(battlemap)
            raster.fill(lambda run: colours.of(composite, run, starts))
            return raster

        latest = self._complete_pass if self._pass is None else self._pass
        if latest is not None and latest.raster.grid is not battlemap.grid:
            self._drop()
        self._colour_stale(composite, starts)

        clock = QElapsedTimer()
        clock.start()
        while not self.is_current:
            # With a budget a pass under way goes on to its end although all cells changed
            # meanwhile; then another one begins.
            begins_anew = self._stale is None and budget_ms is None
            if self._pass is None or begins_anew:
                raster = OverviewRaster(battlemap.grid, background)
                self._pass = _Pass(raster, self._colours_of(battlemap))
                self._stale = []
                self._stale_count = 0
            self._go_on(self._pass, composite, starts)
            if budget_ms is not None and clock.elapsed() >= budget_ms:
                break

        if self._complete_pass is not None:
            return self._complete_pass.raster
        assert self._pass is not None, "one of them has been made"
        return self._pass.raster

    def _colour_stale(self, composite: Composite, starts: NDArray[np.intp]) -> None:
        """Colour the cells that changed, if they are not all."""
        if self._stale is None:
            return
        if self._stale:
            cells = ascending(np.concatenate(self._stale))
            for started in (self._complete_pass, self._pass):
                if started is not None:
                    started.raster.colour(cells, started.colours.of(composite, cells, starts))
        self._stale = []
        self._stale_count = 0

    def _go_on(self, under_way: _Pass, composite: Composite, starts: NDArray[np.intp]) -> None:
        """Colour some more rows; once all are coloured this raster is the one that is shown."""
        colours = under_way.colours
        under_way.row = under_way.raster.fill_from(
            under_way.row, lambda run: colours.of(composite, run, starts)
        )
        if under_way.row >= under_way.raster.grid.height:
            self._complete_pass = under_way
            self._pass = None
