"""The whole map as a small raster image with one pixel a square, two a hex.

A line of hexes (a row, or a column of flat hexes) is a line of *bricks*, each two pixels long;
every other line is shifted by one pixel. Stretched, they show the map at the smallest scales
(``stretched``); at somewhat larger ones ``hexes`` computes the six corners.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.render.level_of_detail import HEXES_FROM
from app.render.viewport import Viewport
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import HALF3

BLOCK = 256
"""Pixels are transposed in blocks of this many rows and columns."""

CHUNK = 1 << 16
"""This many cells are coloured at a time, so that their arrays stay in the processor's caches."""


class OverviewRaster:
    """The raster of one grid: ``pixels`` (height, width), uint32, 0xffRRGGBB.

    With a ``background`` of 0 what has the colour 0 is transparent.
    """

    def __init__(self, grid: Grid, background: int) -> None:
        self.grid = grid
        self.background = np.uint32(background)
        self._whole = Grid(grid.layout, grid.width, grid.height, None, grid.wrap, grid.lean)
        left, top, right, bottom = self._whole.bounds
        self._left, self._top = left, top
        self._flat = grid.layout.shear == "columns"
        self._square = grid.degree == 4
        if self._square:
            self._step = (1.0, 1.0)
        else:
            self._step = (1.5, HALF3) if self._flat else (HALF3, 1.5)
        # Lines of hexes overlap by half a radius; the tip of the last line is not counted.
        tip = (0.0, 0.0) if self._square else ((0.5, 0.0) if self._flat else (0.0, 0.5))
        width = round((right - left - tip[0]) / self._step[0])
        height = round((bottom - top - tip[1]) / self._step[1])
        self.pixels: NDArray[np.uint32] = np.full((height, width), background, np.uint32)
        self._lines = self.pixels.T if self._flat else self.pixels
        self._odd = int(self._place(np.zeros(1, np.intp))[1][0]) + self._first_line() & 1

    def _first_line(self) -> int:
        return int(self._place(np.zeros(1, np.intp))[0][0])

    def _place(self, cells: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The line of each of ``cells`` (n,), and the pixel in it at which its brick begins."""
        centres = self.grid.centres_of(cells)
        across = (centres[:, 0] - self._left) / self._step[0]
        down = (centres[:, 1] - self._top) / self._step[1]
        line, along = (across, down) if self._flat else (down, across)
        # A hex's centre lies one radius (two thirds of a line) behind the line's tip.
        return (
            np.rint(line - (0.5 if self._square else 2 / 3)).astype(np.intp),
            np.rint(along - (0.5 if self._square else 1)).astype(np.intp),
        )

    # --- colouring --------------------------------------------------------------------------

    def fill(self, colours: Callable[[slice], NDArray[np.uint32]]) -> None:
        """Colour all cells; ``colours`` gives the colours (n,) of a slice of cells."""
        first = 0
        while first < self.grid.height:
            first = self.fill_from(first, colours)

    def fill_from(self, first: int, colours: Callable[[slice], NDArray[np.uint32]]) -> int:
        """Colour the cells of some rows from the even row ``first`` on; the row after them."""
        width, mask = self.grid.width, self.grid.mask
        last = min(first + max(2, CHUNK // width & ~1), self.grid.height)
        block = colours(slice(first * width, last * width)).reshape(last - first, width)
        if mask is not None:
            block = np.where(mask[first:last], block, self.background)
        self._fill_rows(first, last, block)
        return last

    def _fill_rows(self, first: int, last: int, block: NDArray[np.uint32]) -> None:
        """Colour the rows ``first`` to ``last`` of the grid: ``block`` (last - first, width)."""
        width, pixels = self.grid.width, self.pixels
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
            lines, starts = self._place(np.arange(first, last, dtype=np.intp) * width)
            for row, line, start in zip(block, lines.tolist(), starts.tolist(), strict=True):
                # A row of an upright grid that wraps begins in the middle and goes on at the left.
                count = (pixels.shape[1] - start) // 2 if self.grid.upright else width
                for half in (0, 1):
                    at = start + half
                    pixels[line, at : at + 2 * count : 2] = row[:count]
                    if count < width:
                        at = start + 2 * count - 2 * width + half
                        pixels[line, at : at + 2 * (width - count) : 2] = row[count:]

    def colour(self, cells: NDArray[np.intp], colours: NDArray[np.uint32]) -> None:
        """Give ``cells`` (n,) these ``colours`` (n,)."""
        line, along = self._place(cells)
        self._lines[line, along] = colours
        if not self._square:
            self._lines[line, along + 1] = colours

    # --- drawing ----------------------------------------------------------------------------

    def paint(
        self, painter: QPainter, viewport: Viewport, ratio: float, box: tuple[int, int, int, int]
    ) -> None:
        """Draw the device pixels of ``box`` (left, top, width, height), the painter's unit."""
        plain = self._square or viewport.scale * ratio < HEXES_FROM
        pixels = (self.stretched if plain else self.hexes)(viewport, ratio, box)
        left, top, width, height = box
        form = QImage.Format.Format_RGB32
        if not self.background:
            form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, 4 * width, form)
        painter.drawImage(left, top, image)

    def stretched(
        self, viewport: Viewport, ratio: float, box: tuple[int, int, int, int]
    ) -> NDArray[np.uint32]:
        """Return colours of the device pixels of ``box`` (left, top, width, height), with bricks.

        Shape (height, width), 0xffRRGGBB.
        """
        xs, ys = self._places(viewport, ratio, box)
        quarter = 0.0 if self._square else 0.25  # half of a line's tip
        columns = (xs - (quarter if self._flat else 0.0)) / self._step[0]
        rows = (ys - (0.0 if self._flat else quarter)) / self._step[1]
        return self._part(np.floor(rows).astype(np.intp), np.floor(columns).astype(np.intp))

    def hexes(
        self, viewport: Viewport, ratio: float, box: tuple[int, int, int, int]
    ) -> NDArray[np.uint32]:
        """As ``stretched``, with hexagons instead of bricks."""
        xs, ys = self._places(viewport, ratio, box)
        return self._compose(ys, xs) if self._flat else self._compose(xs, ys)

    def _places(
        self, viewport: Viewport, ratio: float, box: tuple[int, int, int, int]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The middles of the columns (width,) and rows (height,) of device pixels in ``box``.

        In map units from the left top corner of the map. A pixel's place depends on the viewport
        alone, so that every box shows the same picture.
        """
        left, top, width, height = box
        xs = (left + 0.5 + np.arange(width, dtype=np.float64)) / ratio
        ys = (top + 0.5 + np.arange(height, dtype=np.float64)) / ratio
        xs = np.asarray((xs - viewport.dx) / viewport.scale - self._left, np.float64)
        ys = np.asarray((ys - viewport.dy) / viewport.scale - self._top, np.float64)
        return xs, ys

    def _compose(
        self, along: NDArray[np.float64], across: NDArray[np.float64]
    ) -> NDArray[np.uint32]:
        """The colours of hexagons at places ``along`` the lines and ``across`` them, in map units.

        Between the straight middles of two lines the border is a zigzag: there a point belongs to
        one or the other, depending on its place along the line.
        """
        place = along / HALF3
        brick = np.floor(place).astype(np.intp)
        inside = place - brick
        level = (across - 0.5) / 1.5
        line = np.floor(level).astype(np.intp)
        tooth = ((level - line) * 1.5 - 1.0) * 2.0  # 0 to 1 down the zigzag, below 0 in the middle
        rises = (brick + self._odd) & 1 == 0  # the first half of a hex of an even line
        depths = np.where(rises, inside, 1 - inside), np.where(rises, 1 - inside, inside)
        first, last = int(line[0]), int(line[-1]) + 2
        line -= first
        lines = np.arange(first, last)
        if self._flat:
            colours = _transposed(self._part(brick, lines))
        else:
            colours = self._part(lines, brick)
        result = colours[line]
        zigzag = np.flatnonzero(tooth > 0)
        for odd in (0, 1):
            odd_columns = zigzag[(line[zigzag] + first & 1) == odd]
            under = tooth[odd_columns, None] >= depths[odd]
            result[odd_columns] = np.where(
                under, colours[line[odd_columns] + 1], colours[line[odd_columns]]
            )
        return _transposed(result) if self._flat else result

    def _part(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.uint32]:
        """These rows and columns, ascending, of ``pixels``; background outside of it."""
        height, width = self.pixels.shape
        top, bottom = np.searchsorted(rows, (0, height))
        left, right = np.searchsorted(columns, (0, width))
        shape = len(rows), len(columns)
        if top == bottom or left == right:
            return np.full(shape, self.background, np.uint32)
        rows, columns = rows[top:bottom], columns[left:right]
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
    """The transposed array, made in blocks that fit into the processor's caches."""
    result = np.empty(pixels.shape[::-1], np.uint32)
    for row in range(0, pixels.shape[0], BLOCK):
        for column in range(0, pixels.shape[1], BLOCK):
            block = pixels[row : row + BLOCK, column : column + BLOCK]
            result[column : column + BLOCK, row : row + BLOCK] = block.T
    return result


def device_box(dirty: QRectF, ratio: float) -> tuple[int, int, int, int]:
    """Return device pixels (left, top, width, height) that cover a rectangle of logical pixels."""
    left, top = math.floor(dirty.left() * ratio), math.floor(dirty.top() * ratio)
    right, bottom = math.ceil(dirty.right() * ratio), math.ceil(dirty.bottom() * ratio)
    return left, top, right - left, bottom - top
