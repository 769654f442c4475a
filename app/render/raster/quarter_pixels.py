"""Pieces that lie at places between whole pixels, so that lines go on in the next cell.

A sprite is drawn at whole pixels. There are sixteen of a piece, each moved by some quarters of a
pixel to the right and down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces

QUARTERS_FROM = 14.0
"""From so many pixels a map unit on; below, sprites would be many and lines are thin."""


class QuarterPixels:
    """The moved ones of ``pieces``, for ``unit`` device pixels a map unit."""

    def __init__(self, pieces: Pieces, unit: float) -> None:
        self._pieces, self._unit = pieces, unit
        self._corners: dict[int, tuple[float, float]] = {}

    def pieces_at(self, batch: Batch, at: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of a batch that fit the places ``at`` (n, 2).

        These are device pixels.
        """
        present, which = np.unique(batch.piece_of, return_inverse=True)
        corners = np.array([self._corner(number) for number in present.tolist()]).reshape(-1, 2)
        quarters = np.floor((at + corners[which]) % 1 * 4).astype(np.intp)
        codes = batch.piece_of << 4 | quarters[:, 0] << 2 | quarters[:, 1]
        return self._pieces.numbers("quarter", codes, self._moved)

    def _corner(self, number: int) -> tuple[float, float]:
        """Where the corner of a sprite would lie for a cell at (0, 0), half a pixel further."""
        result = self._corners.get(number)
        if result is None:
            corner = self._pieces[number].box.topLeft() * self._unit
            result = self._corners[number] = (corner.x() + 0.5, corner.y() + 0.5)
        return result

    def _moved(self, code: int) -> Piece:
        """The piece that is drawn ``(q + 0.5) / 4 - 0.5`` pixels to the right, and down."""
        piece, pixel = self._pieces[code >> 4], 1 / self._unit
        right, down = ((quarter + 0.5) / 4 - 0.5 for quarter in (code >> 2 & 3, code & 3))
        box = QRectF(
            piece.box.left() - (1 + right) * pixel,
            piece.box.top() - (1 + down) * pixel,
            piece.box.width() + 3 * pixel,
            piece.box.height() + 3 * pixel,
        )
        return piece._replace(key=(piece.key, code & 15), box=box)
