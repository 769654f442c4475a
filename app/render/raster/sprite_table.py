"""Where the sprites of an atlas are on its sheet, and whether they are drawn.

A *piece* describes a drawing; its *sprite* is the drawing in pixels, on the *sheet*, one large
pixmap for all sprites. Each piece has a number, and the table a row for it. The life of a row::

    table = SpriteTable()
    table.ensure_size(len(pieces))
    table.states[number]                                   # SpriteState.MISSING
    table.place_new(number, source, left, top)             # it has a part of the sheet ...
    table.states[number] = SpriteState.READY               # ... in which it is drawn now
    table.fragments_at(numbers, centres)                   # what a frame draws of the sheet

An atlas for other pieces, at the same scale, can take over a sheet with the sprites that are the
same for both: ``place_of`` of the old table and ``adopt`` of the new one.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect

from app.render.raster.fragments import (
    AFTER_MIDDLE,
    FIELDS,
    HALF_PIXEL,
    MIDDLE,
    PLAIN_FIELDS,
    SIZE,
    SOURCE,
    SOURCE_CORNER,
)

_Scalar = TypeVar("_Scalar", bound=np.generic)
"""The type of the elements of an array."""


class SpriteState:
    """The state of the sprite of a piece in an atlas.

    The states are plain numbers. To compare an element of an array with a member of an ``IntEnum``
    takes numpy a hundred times as long, and each sprite and each batch of a frame does it.
    """

    MISSING: Final = 0
    """Nothing, not even room on the sheet."""

    DRAFT: Final = 1
    """A coarse drawing, over which the sprite is to be drawn."""

    READY: Final = 2
    """The sprite."""


class SpritePlace(NamedTuple):
    """A row of a ``SpriteTable``: where a sprite is on the sheet, and where it is drawn."""

    fragment: NDArray[np.float64]
    """The sprite as Qt draws it (fragments.py), shape (FIELDS,).

    x and y, which are the middle of what is drawn, are half the width and half the height: those of
    a sprite whose left top corner is drawn at (0, 0). A frame adds to them where it is drawn.
    """

    offset: NDArray[np.float64]
    """The step (x, y) from the centre of a cell to the left top corner of its sprite.

    In device pixels, plus half a pixel: so ``floor(centre + offset)`` is the whole pixel that is
    nearest to the corner. With a centre at x = 100.7 and a corner 24 pixels to the left of it, the
    offset is -23.5, and the sprite is drawn from floor(77.2) = 77 on.
    """


class SpriteTable:
    """The places and states of the sprites of an atlas, by the numbers of their pieces.

    The atlas reads and sets ``states``, of many pieces at a time. The places are set by
    ``place_new`` and ``adopt``.
    """

    def __init__(self) -> None:
        self.states = np.zeros(0, np.uint8)
        """The ``SpriteState`` of each piece, shape (n,)."""
        self._fragments = np.zeros((0, FIELDS))
        """``SpritePlace.fragment`` of each piece, shape (n, FIELDS); 0 for a piece without one."""
        self._offsets = np.zeros((0, 2))
        """``SpritePlace.offset`` of each piece, shape (n, 2); 0 for a piece without one."""

    def ensure_size(self, piece_count: int) -> None:
        """Make rows for the pieces below a number; the sprites of new ones are missing."""
        if piece_count <= len(self.states):
            return
        # Twice as many, so that the arrays are seldom copied while pieces come one by one.
        size = 2 * piece_count + 16
        self.states = _lengthened(self.states, size)
        self._fragments = _lengthened(self._fragments, size)
        self._offsets = _lengthened(self._offsets, size)

    def place_new(self, number: int, source: QRect, left: float, top: float) -> None:
        """Set the place of a sprite that is still to be drawn, into ``source`` of the sheet.

        ``left`` and ``top`` are its left top corner, in device pixels from the centre of the cell.
        """
        width = source.width()
        height = source.height()
        fragment = self._fragments[number]  # a view: what is set here is set in the table
        fragment[AFTER_MIDDLE] = PLAIN_FIELDS
        fragment[MIDDLE] = (width / 2, height / 2)
        fragment[SOURCE_CORNER] = (source.left(), source.top())
        fragment[SIZE] = (width, height)
        self._offsets[number] = (left + HALF_PIXEL, top + HALF_PIXEL)

    def adopt(self, number: int, place: SpritePlace) -> None:
        """Set the place of a sprite that is on the sheet already; it is ready."""
        self._fragments[number] = place.fragment
        self._offsets[number] = place.offset
        self.states[number] = SpriteState.READY

    def place_of(self, number: int) -> SpritePlace:
        """Return the place of a sprite that is not missing."""
        return SpritePlace(self._fragments[number].copy(), self._offsets[number].copy())

    def source(self, number: int) -> QRect:
        """Return the part of the sheet that a sprite fills, in pixels."""
        return QRect(*self._fragments[number, SOURCE].astype(int).tolist())

    def source_corner(self, number: int) -> QPoint:
        """Return the left top corner of a sprite on the sheet, in pixels."""
        return QPoint(*self._fragments[number, SOURCE_CORNER].astype(int).tolist())

    def fragments_at(
        self, numbers: NDArray[np.intp], centres: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what Qt draws for sprites at the centres of cells, shape (n, FIELDS).

        ``numbers`` (n,) are those of pieces whose sprites are not missing, ``centres`` (n, 2) in
        device pixels.
        """
        fragments = self._fragments[numbers]
        fragments[:, MIDDLE] += np.floor(centres + self._offsets[numbers])
        return fragments


def _lengthened(array: NDArray[_Scalar], length: int) -> NDArray[_Scalar]:
    """Return an array with more rows, all 0."""
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
