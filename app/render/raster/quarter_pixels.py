"""Pieces moved by quarters of a pixel, so that fine lines go on in the next cell without a step.

A sprite is drawn at whole pixels, but cells lie between them. So the sprites of a cell are moved by
up to half a pixel, and a line that crosses two cells breaks where they were moved differently::

    ___________|             the same line in two cells,
               |__________   moved up in the left one and down in the right one

For fine lines there are sixteen pieces in place of each, for the quarters of a pixel at which the
corner of a sprite can lie, from left to right and from top to bottom: each is drawn at its quarter
within the sprite, and the sprite stays at whole pixels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces

QUARTERS_FROM = 14.0
"""From so many pixels a map unit on pieces are moved by quarters.

Below, lines are thin, so that no step is seen, and the sprites of many cells would be many.
"""

QUARTER_BITS = 2
"""The bits of the number of a quarter."""

QUARTERS = 1 << QUARTER_BITS
"""The quarters in a pixel."""


MOVED_ROOM_PX = 3
"""So many pixels a moved piece is wider and higher: one on each side, and one for the shift."""


class QuarterPixels:
    """Makes copies of ``pieces`` that are moved by quarters of a pixel, and numbers them.

    ``unit`` is the number of device pixels in a map unit.
    """

    def __init__(self, pieces: Pieces, unit: float) -> None:
        self._pieces = pieces
        self._unit = unit
        self._corners: dict[int, tuple[float, float]] = {}
        """The results of ``_corner_for_floor``, by the number of the piece."""

    def pieces_at(self, batch: Batch, centres: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the numbers (n,) of the moved pieces of a batch.

        ``centres`` (n, 2) are those of their cells, in device pixels.
        """
        numbers, number_index = np.unique(batch.piece_of, return_inverse=True)
        corners = np.array([self._corner_for_floor(number) for number in numbers.tolist()]).reshape(
            -1, 2
        )
        shares_of_pixel = (centres + corners[number_index]) % 1
        quarters = np.floor(shares_of_pixel * QUARTERS).astype(np.intp)
        codes = _codes(batch.piece_of, quarters[:, 0], quarters[:, 1])
        return self._pieces.numbers("quarter", codes, self._moved_piece)

    def _corner_for_floor(self, number: int) -> tuple[float, float]:
        """Return where the corner of a sprite lies for a cell at (0, 0), half a pixel further on.

        So its ``floor`` is the whole pixel at which the sprite is drawn.
        """
        corner = self._corners.get(number)
        if corner is None:
            left_top = self._pieces[number].box.topLeft() * self._unit
            corner = (left_top.x() + 0.5, left_top.y() + 0.5)
            self._corners[number] = corner
        return corner

    def _moved_piece(self, code: int) -> Piece:
        """Return the piece of a code: drawn around the middle of its quarter of a pixel."""
        number, column, row = _parts_of_code(code)
        piece = self._pieces[number]
        # From -3/8 to 3/8 of a pixel, since ``_corner_for_floor`` is half a pixel further on.
        right = (column + 0.5) / QUARTERS - 0.5
        down = (row + 0.5) / QUARTERS - 0.5
        pixel = 1 / self._unit
        # The box begins a whole pixel farther out, so that nothing of the line is cut off; what is
        # at its left top corner lies at whole pixels.
        box = QRectF(
            piece.box.left() - (1 + right) * pixel,
            piece.box.top() - (1 + down) * pixel,
            piece.box.width() + MOVED_ROOM_PX * pixel,
            piece.box.height() + MOVED_ROOM_PX * pixel,
        )
        key = (piece.key, column, row)
        return piece._replace(key=key, box=box, keeps_exact_corner=True)


def _codes(
    numbers: NDArray[np.intp], columns: NDArray[np.intp], rows: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return one code (n,) for each piece and the column and row of its quarter.

    Piece 5 in column 3, row 1 has the code 0b101_11_01.
    """
    return numbers << (2 * QUARTER_BITS) | columns << QUARTER_BITS | rows


def _parts_of_code(code: int) -> tuple[int, int, int]:
    """Return the number of the piece, and the column and row of its quarter, of a code."""
    rest, row = divmod(code, QUARTERS)
    number, column = divmod(rest, QUARTERS)
    return number, column, row
