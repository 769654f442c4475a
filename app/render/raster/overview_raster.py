"""A whole map as a small raster image, and how it is drawn at any scale.

A square is one pixel, a hex two: a line of hexes (a row, or a column of flat hexes) is a line of
*bricks*, each two pixels long; every other line is shifted by one pixel:

    1 1 2 2 3 3
      4 4 5 5 6 6
    7 7 8 8 9 9

Stretched, bricks show the map at the smallest scales; at somewhat larger ones ``hexes`` computes
the six corners from them. ``Overview`` keeps the raster of the map on the canvas, pictures make
their own. Begin with ``fill`` and ``paint``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.render.level_of_detail import HEXES_FROM
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3, Shear

LINE_DISTANCE = 1.5
"""The distance of neighbouring lines of hexes, in map units."""

STRAIGHT_SIDE = 1.0
"""The length of the straight sides in the middle of a line of hexes, in map units."""

TIP = 0.5
"""How far the tip of a hex reaches beyond its straight sides, in map units; there lines overlap."""

CENTRE_BEHIND_LINE = 1 / LINE_DISTANCE
"""How far the centre of a hex lies behind the tip of its line: one radius, in lines."""

PIXEL_BYTES = 4
"""The bytes of a pixel."""

BLOCK = 256
"""Pixels are transposed in blocks of this many rows and columns."""

CHUNK = 1 << 16
"""This many cells are coloured at a time, so that their arrays stay in the processor's caches."""


class DeviceBox(NamedTuple):
    """A rectangle of device pixels; ``QRect(*box)`` is the same."""

    left: int
    top: int
    width: int
    height: int


class OverviewRaster:
    """The raster of one grid: ``pixels`` (height, width), uint32, 0xffRRGGBB.

    ``background`` is the colour around the map and in its holes. With 0 it is transparent, and so
    are all cells of the colour 0.
    """

    def __init__(self, grid: Grid, background: int) -> None:
        self.grid = grid
        self.background = np.uint32(background)
        self._is_transparent = background == 0
        # The raster has pixels for all cells, also for those that a mask leaves out.
        unmasked = Grid(
            grid.layout, grid.width, grid.height, mask=None, wrap=grid.wrap, lean=grid.lean
        )
        left, top, right, bottom = unmasked.bounds
        self._left = left
        """The left end of the map, in map units."""
        self._top = top
        """The upper end of the map, in map units."""
        self._is_flat = grid.layout.shear is Shear.COLUMNS
        """True if lines are columns of the map (of flat hexes), not rows."""
        self._is_square = grid.degree == 4
        """True if cells are squares, of one pixel each."""

        self._step = _pixel_size(grid)
        """The width and height of a pixel, in map units."""
        width_in_pixels = (right - left) / self._step[0]
        height_in_pixels = (bottom - top) / self._step[1]
        # Without the tip of the last line of hexes, a third of a line.
        if self._is_flat:
            width_in_pixels -= TIP / LINE_DISTANCE
        elif not self._is_square:
            height_in_pixels -= TIP / LINE_DISTANCE
        shape = (round(height_in_pixels), round(width_in_pixels))
        self.pixels: NDArray[np.uint32] = np.full(shape, background, np.uint32)
        self._lines = self.pixels
        """The memory of ``pixels`` as an array (lines, pixels of a line)."""
        if self._is_flat:
            self._lines = self.pixels.T
        first_line, first_start = self._bricks_of(np.zeros(1, np.intp))
        self._parity = (int(first_line[0]) + int(first_start[0])) % 2
        """0 if the bricks of even lines begin at even pixels, 1 if at odd ones."""

    def _bricks_of(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the lines of ``cells`` (n,), and the pixels in these where their bricks begin."""
        centres = self.grid.centres_of(cells)
        across = (centres[:, 0] - self._left) / self._step[0]
        down = (centres[:, 1] - self._top) / self._step[1]
        if self._is_flat:
            centre_line = across
            centre_along = down
        else:
            centre_line = down
            centre_along = across
        if self._is_square:
            centre_behind_line = 0.5
            centre_behind_start = 0.5
        else:
            # A hex's centre lies in the middle of a brick of two pixels.
            centre_behind_line = CENTRE_BEHIND_LINE
            centre_behind_start = 1.0
        lines = np.rint(centre_line - centre_behind_line).astype(np.intp)
        starts = np.rint(centre_along - centre_behind_start).astype(np.intp)
        return lines, starts

    # --- colouring --------------------------------------------------------------------------

    def fill(self, colours: Callable[[slice], NDArray[np.uint32]]) -> None:
        """Colour all cells; ``colours`` gives the colours (n,) of a slice of cells."""
        first = 0
        while first < self.grid.height:
            first = self.fill_from(first, colours)

    def fill_from(self, first: int, colours: Callable[[slice], NDArray[np.uint32]]) -> int:
        """Colour the cells of some rows from the even row ``first`` on; return the row after them.

        So a large map can be coloured in several turns. ``colours`` is as in ``fill``.
        """
        width = self.grid.width
        mask = self.grid.mask
        # An even number of rows: ``_fill_rows`` relies on an even first row.
        row_pairs = max(1, CHUNK // width // 2)
        last = min(first + 2 * row_pairs, self.grid.height)
        block = colours(slice(first * width, last * width)).reshape(last - first, width)
        if mask is not None:
            block = np.where(mask[first:last], block, self.background)
        self._fill_rows(first, last, block)
        return last

    def _fill_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour the rows ``first`` to ``last`` of the grid: ``block`` (last - first, width).

        ``first`` is even.
        """
        shear = self.grid.layout.shear
        if shear is Shear.NONE:
            self.pixels[first:last] = block
        elif shear is Shear.COLUMNS:
            self._fill_shifted_columns(first, last, block)
        elif shear is Shear.ROWS:
            self._fill_shifted_rows(first, last, block)
        else:
            self._fill_slanting_rows(first, last, block)

    # Shifted lines are coloured in four slices: of the even and of the odd lines, which are shifted
    # by one pixel, the first and the second halves of all bricks.

    def _fill_shifted_columns(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour rows of a grid whose odd columns are shifted down: flat hexes.

        Bricks stand on end, and each row of the grid has two rows of pixels::

            1 .        columns 0 and 1 of rows 1 and 3
            1 2
            3 2
            3 4
            . 4
        """
        for odd in (0, 1):
            for half in (0, 1):
                start = 2 * first + odd + half
                self.pixels[start : start + 2 * (last - first) : 2, odd::2] = block[:, odd::2]

    def _fill_shifted_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour rows of a grid whose odd rows are shifted right: pointy hexes.

        The bricks are those of the picture at the top of this module.
        """
        width = self.grid.width
        for odd in (0, 1):
            for half in (0, 1):
                start = odd + half
                pixels_of_halves = self.pixels[
                    first + odd : last : 2, start : start + 2 * width : 2
                ]
                pixels_of_halves[:] = block[odd::2]

    def _fill_slanting_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour rows each of which begins half a hex further along than the one above it.

        The whole map leans then, unless its grid is shown ``upright``: there each row begins at the
        left end, and what the lean moves out at the right is found there.
        """
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
        lines, starts = self._bricks_of(cells)
        self._lines[lines, starts] = colours
        if not self._is_square:
            self._lines[lines, starts + 1] = colours  # the second half of each brick

    # --- drawing ----------------------------------------------------------------------------

    def paint(self, painter: QPainter, viewport: Viewport, ratio: float, box: DeviceBox) -> None:
        """Draw the device pixels of ``box``, the painter's unit."""
        if self._is_square or viewport.scale * ratio < HEXES_FROM:
            pixels = self.stretched(viewport, ratio, box)
        else:
            pixels = self.hexes(viewport, ratio, box)
        image_format = QImage.Format.Format_RGB32
        if self._is_transparent:
            image_format = QImage.Format.Format_ARGB32_Premultiplied
        row_bytes = PIXEL_BYTES * box.width
        image = QImage(pixels.data, box.width, box.height, row_bytes, image_format)
        painter.drawImage(box.left, box.top, image)

    def stretched(self, viewport: Viewport, ratio: float, box: DeviceBox) -> NDArray[np.uint32]:
        """Return colours of the device pixels of ``box``, with bricks.

        Shape (height, width), 0xffRRGGBB.
        """
        xs, ys = self._pixel_middles(viewport, ratio, box)
        # A brick is as wide as the distance of lines: it begins in the middle of the line's tip.
        if self._is_flat:
            xs = xs - TIP / 2
        elif not self._is_square:
            ys = ys - TIP / 2
        columns = np.floor(xs / self._step[0]).astype(np.intp)
        rows = np.floor(ys / self._step[1]).astype(np.intp)
        return self._pixels_at(rows, columns)

    def hexes(self, viewport: Viewport, ratio: float, box: DeviceBox) -> NDArray[np.uint32]:
        """Return the picture of ``stretched``, with hexagons instead of bricks."""
        xs, ys = self._pixel_middles(viewport, ratio, box)
        if self._is_flat:
            return _transposed(self._hexes_at(along=ys, across=xs))
        return self._hexes_at(along=xs, across=ys)

    def _pixel_middles(
        self, viewport: Viewport, ratio: float, box: DeviceBox
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the middles of the columns (width,) and rows (height,) of pixels of ``box``.

        They are in map units from the left top corner of the map. A pixel's position depends on
        the viewport alone, so that every box shows the same picture.
        """
        xs = (box.left + 0.5 + np.arange(box.width, dtype=np.float64)) / ratio
        ys = (box.top + 0.5 + np.arange(box.height, dtype=np.float64)) / ratio
        xs = np.asarray((xs - viewport.dx) / viewport.scale - self._left, np.float64)
        ys = np.asarray((ys - viewport.dy) / viewport.scale - self._top, np.float64)
        return xs, ys

    def _hexes_at(
        self, along: NDArray[np.float64], across: NDArray[np.float64]
    ) -> NDArray[np.uint32]:
        """Return the colours of hexagons at points ``along`` the lines and ``across`` them.

        Both are ascending, in map units; the result has the shape (across, along).

        A line of hexes has straight sides in its middle, where its bricks are the picture. Between
        the middles of two lines the border is a zigzag: there a point belongs to the upper or to
        the lower line, depending on how far it lies along its brick::

            |             |             |      the middle of a line
             '.         .' '.         .'
               '.     .'     '.     .'         the zigzag, ``TIP`` high
                 '. .'         '. .'
                   |             |             the middle of the next line
        """
        if not len(along) or not len(across):
            return np.zeros((len(across), len(along)), np.uint32)

        # Along the line: the brick's half (a pixel of the raster), and the share of it that lies
        # before the point.
        along_pixels = along / HALF3
        pixel = np.floor(along_pixels).astype(np.intp)
        share = along_pixels - pixel

        # Across: the line, and how far down the zigzag at its end (0 to 1; below 0 in its middle).
        # The middle of a line begins behind its tip; with it the line is ``LINE_DISTANCE`` high.
        level = (across - TIP) / LINE_DISTANCE
        line = np.floor(level).astype(np.intp)
        behind_middle = (level - line) * LINE_DISTANCE - STRAIGHT_SIDE
        depth_in_zigzag = behind_middle / TIP

        # The depth of the border between a line and the next, for even and for odd lines.
        is_first_half = (pixel + self._parity) & 1 == 0  # of a hex of an even line
        depth_of_even = np.where(is_first_half, share, 1 - share)
        depth_of_odd = np.where(is_first_half, 1 - share, share)

        # The colours of all the lines that occur, and of the one after them.
        first = int(line[0])
        last = int(line[-1]) + 2
        colours = self._colours_of_lines(np.arange(first, last), pixel)

        line_index = line - first
        result = colours[line_index]
        zigzag = np.flatnonzero(depth_in_zigzag > 0)
        is_odd_line = (line[zigzag] & 1) == 1
        for is_odd, border_depth in ((False, depth_of_even), (True, depth_of_odd)):
            rows = zigzag[is_odd_line == is_odd]
            is_in_next_line = depth_in_zigzag[rows, None] >= border_depth
            upper = colours[line_index[rows]]
            lower = colours[line_index[rows] + 1]
            result[rows] = np.where(is_in_next_line, lower, upper)
        return result

    def _colours_of_lines(
        self, lines: NDArray[np.intp], pixels_of_line: NDArray[np.intp]
    ) -> NDArray[np.uint32]:
        """Return these pixels of lines, (lines, pixels); both are ascending, as ``_pixels_at``."""
        if self._is_flat:
            return _transposed(self._pixels_at(rows=pixels_of_line, columns=lines))
        return self._pixels_at(rows=lines, columns=pixels_of_line)

    def _pixels_at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.uint32]:
        """Return these rows and columns, ascending, of ``pixels``; background outside of it.

        Which pixels are taken is always the same. There are three ways to copy them, each the
        quickest for one kind of picture, and a frame of a large view does nothing else.
        """
        height, width = self.pixels.shape
        # The first that lies in the raster, and the first behind it.
        first_row, end_row = np.searchsorted(rows, (0, height))
        first_column, end_column = np.searchsorted(columns, (0, width))
        shape = len(rows), len(columns)
        if first_row == end_row or first_column == end_column:
            return np.full(shape, self.background, np.uint32)
        rows = rows[first_row:end_row]
        columns = columns[first_column:end_column]
        block: NDArray[np.uint32]
        if columns[-1] - columns[0] + 1 == len(columns):
            # Columns without gaps are a slice.
            block = self.pixels[rows, columns[0] : columns[-1] + 1]
        elif rows[-1] - rows[0] < len(rows):
            # In an enlarged picture rows are repeated. Each row once is a slice, from which columns
            # are taken without copying it before.
            once = self.pixels[rows[0] : rows[-1] + 1]
            block = np.take(once, columns, axis=1, mode="clip")[rows - rows[0]]
        else:
            block = np.take(self.pixels[rows], columns, axis=1, mode="clip")
        if block.shape == shape:
            return block
        result = np.full(shape, self.background, np.uint32)
        result[first_row:end_row, first_column:end_column] = block
        return result


def _pixel_size(grid: Grid) -> tuple[float, float]:
    """Return the width and height of a pixel of a raster, in map units."""
    if grid.degree == 4:
        return 1.0, 1.0
    if grid.layout.shear is Shear.COLUMNS:
        return LINE_DISTANCE, HALF3
    return HALF3, LINE_DISTANCE


def _transposed(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the transposed array, made in blocks that fit into the processor's caches."""
    result = np.empty(pixels.shape[::-1], np.uint32)
    for row in range(0, pixels.shape[0], BLOCK):
        for column in range(0, pixels.shape[1], BLOCK):
            block = pixels[row : row + BLOCK, column : column + BLOCK]
            result[column : column + BLOCK, row : row + BLOCK] = block.T
    return result


def device_box(dirty: QRectF, ratio: float) -> DeviceBox:
    """Return the device pixels that cover a rectangle of logical pixels."""
    left = math.floor(dirty.left() * ratio)
    top = math.floor(dirty.top() * ratio)
    right = math.ceil(dirty.right() * ratio)
    bottom = math.ceil(dirty.bottom() * ratio)
    return DeviceBox(left, top, width=right - left, height=bottom - top)
