"""Where the sprites of an atlas are on its sheet, and whether they are drawn.

Each piece has a number, and the table a row for it::

    table = SpriteTable()
    table.grow(len(pieces))
    table.states[number]        # SpriteState.MISSING
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint

from app.render.raster.fragments import FIELDS, SOURCE_CORNER

_Scalar = TypeVar("_Scalar", bound=np.generic)
"""The type of the elements of an array."""


class SpriteState(IntEnum):
    """The state of the sprite of a piece in an atlas."""

    MISSING = 0
    """Nothing, not even room on the sheet."""

    DRAFT = 1
    """A coarse drawing, over which the sprite is to be drawn."""

    READY = 2
    """The sprite."""


class SpriteTable:
    """The positions of the sprites of an atlas: arrays with a row for each piece, by its number."""

    def __init__(self) -> None:
        self.states = np.zeros(0, np.uint8)
        """The ``SpriteState`` of each piece, shape (n,)."""
        self.fragments = np.zeros((0, FIELDS))
        """What is drawn of the sheet, shape (n, FIELDS), as in ``fragments``.

        x and y are the middle of a sprite whose left top corner lies at (0, 0).
        """
        self.corners = np.zeros((0, 2))
        """Where the left top corner of each sprite lies, shape (n, 2).

        Device pixels from the centre of the cell, and half a pixel further on: the ``floor`` of
        centre + corner is the whole pixel that is nearest to it.
        """

    def grow(self, count: int) -> None:
        """Make room for ``count`` pieces, and for some more, whose sprites are missing."""
        if count <= len(self.states):
            return
        size = 2 * count + 16
        self.states = _lengthened(self.states, size)
        self.fragments = _lengthened(self.fragments, size)
        self.corners = _lengthened(self.corners, size)

    def source_corner(self, number: int) -> QPoint:
        """Return the left top corner of a sprite on the sheet, in pixels."""
        return QPoint(*self.fragments[number, SOURCE_CORNER].astype(int).tolist())


def _lengthened(array: NDArray[_Scalar], length: int) -> NDArray[_Scalar]:
    """Return an array with more rows, all 0."""
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


class SpritePlace(NamedTuple):
    """One row of a ``SpriteTable``: where a sprite of a former atlas is."""

    fragment: NDArray[np.float64]
    """Shape (FIELDS,)."""

    corner: NDArray[np.float64]
    """Shape (2,)."""
