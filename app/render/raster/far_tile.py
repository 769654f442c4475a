"""One tile of a map seen from afar: its pixels, and which of them are not drawn as the map is now.

An edit makes *stale* what it touches of a *block* of the tile (``tile_levels``)::

    tile = FarTile(level)                                    # blank, and all of it is stale
    tile.pixels[stale_box.slices] = shrunken(image, level)   # a part is drawn
"""

from __future__ import annotations

from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from app.render.raster.tile_levels import TILE, WHOLE_TILE, Level, LevelBox

BYTES_OF_PIXEL = 4
"""What a pixel takes in memory."""

TILE_BYTES = TILE * TILE * BYTES_OF_PIXEL
"""What a tile takes in memory."""


class FarTile:
    """A square of ``TILE`` pixels, of which some may be drawn as the map no longer is.

    It is made blank, with all of it stale. ``FarTiles`` draws the stale boxes one by one; edits
    make others stale.
    """

    def __init__(self, level: Level) -> None:
        self.pixels = np.zeros((TILE, TILE), np.uint32)
        """0xAARRGGBB, shape (rows, columns)."""
        self.stale_boxes: dict[tuple[int, int], LevelBox] = {}
        """What is not drawn as the map is now, by the column and row of its block.

        It is a box of pixels in the tile, which lies within the block.
        """
        self.is_whole = False
        """True once all of it was drawn, if only as the map was then."""
        self._block_side = level.block_side
        self.make_stale(WHOLE_TILE)

    def make_stale(self, box: LevelBox) -> None:
        """Note that the map changed in a box of pixels, which may reach over the tile.

        A block that it meets has one stale box, around this one and what was stale before.
        """
        side = self._block_side
        left, top, right, bottom = box.within(WHOLE_TILE)
        for row in range(top // side, ceil(bottom / side)):
            for column in range(left // side, ceil(right / side)):
                stale = box
                former = self.stale_boxes.get((column, row))
                if former is not None:
                    stale = stale.united(former)
                block = LevelBox(0, 0, side, side).moved(column * side, row * side)
                self.stale_boxes[column, row] = stale.within(block)


def shrunken(image: QImage, level: Level) -> NDArray[np.uint32]:
    """Return the pixels of a picture (rows, columns), smaller by ``Level.halvings``."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    for _ in range(level.halvings):
        pixels = halved(pixels)
    return pixels


def halved(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return an image (height, width), 0xAARRGGBB, of half the height and width.

    The mean of two numbers is ``(a & b) + ((a ^ b) >> 1)``, rounded down, or ``(a | b) - ((a ^ b)
    >> 1)``, rounded up. So the four channels of a pixel are worked out in one number, if the lowest
    bit of each is cleared before the shift. Rows are rounded down and columns up: the errors do not
    add up.
    """
    without_lowest_bits = np.uint32(0xFEFEFEFE)  # of the four channels
    above = pixels[0::2]
    below = pixels[1::2]
    row_difference = (above ^ below) & without_lowest_bits
    rows = (above & below) + (row_difference >> np.uint32(1))  # rounded down
    even_columns = rows[:, 0::2]
    odd_columns = rows[:, 1::2]
    difference = (even_columns ^ odd_columns) & without_lowest_bits
    return np.asarray((even_columns | odd_columns) - (difference >> np.uint32(1)))  # rounded up
