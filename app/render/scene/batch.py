"""Batches: many pieces that lie at cells, and texts and icons that lie at points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from app.render.scene.icons import Covered, Icon


class Batch(NamedTuple):
    """Pieces that lie at the centres of cells, in drawing order.

    ``Batch(np.array([4, 4]), np.array([0, 7]))`` draws the piece number 4 at the first and at the
    eighth cell of a part.
    """

    piece_of: NDArray[np.intp]
    """The numbers of the pieces (``Pieces.numbers``), shape (n,)."""

    rows: NDArray[np.intp]
    """The cells where they lie, shape (n,): indices into the ``cells`` of the ``ScenePart`` that
    the batch was made of."""

    opacity: float = 1.0

    fine: bool = False
    """True if pieces have lines that go on in those of other cells: they are not moved to whole
    pixels, or steps would show in the lines."""


class PixelBox(NamedTuple):
    """``width`` x ``height`` pixels, ``unit`` of them a map unit.

    ``left`` and ``top`` are where the first one begins, in map units.
    """

    left: float
    top: float
    unit: float
    width: int
    height: int

    @property
    def xs(self) -> NDArray[np.float64]:
        """The middles of the columns (width,), in map units."""
        return np.asarray(self.left + (np.arange(self.width) + 0.5) / self.unit, np.float64)

    @property
    def ys(self) -> NDArray[np.float64]:
        """The middles of the rows (height,), in map units."""
        return np.asarray(self.top + (np.arange(self.height) + 0.5) / self.unit, np.float64)

    def part(self, column: int, row: int, width: int, height: int) -> PixelBox:
        """Return the box of some of the pixels, from a column and a row on."""
        left = self.left + column / self.unit
        return PixelBox(left, self.top + row / self.unit, self.unit, width, height)


class SurfaceBatch(NamedTuple):
    """A picture that is worked out pixel by pixel, at any scale: ``pixels`` of a box.

    These are premultiplied colours (height, width), uint32, 0xAARRGGBB. ``box`` is the part of the
    map that has any, in map units. All pixels are drawn with ``opacity``.
    """

    pixels: Callable[[PixelBox], NDArray[np.uint32]]
    box: QRectF
    opacity: float = 1.0


class TextBatch(NamedTuple):
    """Text ``texts[text_of[i]]`` is centred on ``points[i]`` (n, 2), in map units.

    ``text_of`` (n,), intp, is None where each point has a text of its own: ``texts`` has n then.
    ``size`` is the type size in map units. ``angles`` (n,) turn the texts, in degrees, clockwise.
    """

    texts: Sequence[str]
    points: NDArray[np.float64]
    size: float
    ink: QColor
    halo: QColor | None = None
    text_of: NDArray[np.intp] | None = None
    bold: bool = False
    angles: NDArray[np.float64] | None = None
    italic: bool = False


class IconBatch(NamedTuple):
    """Icon ``icons[icon_of[i]]`` is centred on ``points[i]`` (n, 2), in map units.

    Icons are drawn in this order, all of them with ``opacity``, in ``size`` map units; they extend
    ``reach`` times as far. With a ``least`` size they have on a screen an even number of logical
    pixels, at least this.
    """

    icons: Sequence[Icon]
    icon_of: NDArray[np.intp]
    points: NDArray[np.float64]
    size: float
    reach: float = 1.0
    least: int = 0
    opacity: float = 1.0


class CoveredBatch(NamedTuple):
    """Ground ``covered[covered_of[i]]`` lies at ``points[i]`` (n, 2), in map units.

    ``angles`` (n,) turn it, in degrees, clockwise. All have ``opacity``.
    """

    covered: Sequence[Covered]
    covered_of: NDArray[np.intp]
    points: NDArray[np.float64]
    angles: NDArray[np.float64]
    opacity: float = 1.0


LandBatch = Batch | SurfaceBatch
"""What lies on the ground, and the ground itself."""

AnyBatch = LandBatch | TextBatch | IconBatch | CoveredBatch
"""Whatever is drawn of a map."""
OverlayBatch = TextBatch | IconBatch | CoveredBatch
