"""Batches: what a scene yields and painters draw. Each is many drawings of one kind, as arrays.

A ``Batch`` has *pieces*, small drawings that lie at cells; a ``SurfaceBatch`` is a picture that is
computed pixel by pixel; the others have texts, icons and covered ground at points of the map. So
that a drawing that stands at many points is there only once, arrays tell its index at each point::

    TextBatch(["Wood", "Hill"], points, ..., text_of=np.array([0, 1, 0]))   # Wood, Hill, Wood
"""

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
    """The opacity of all pieces: 0 for invisible to 1."""

    fine: bool = False
    """True if pieces have lines that go on in those of other cells: they are not moved to whole
    pixels, or steps would show in the lines."""


def joined(batches: Sequence[Batch]) -> Batch:
    """Return one batch with the pieces of several batches, of which there is at least one.

    Its ``opacity`` and ``fine`` are those of the first: the caller gives batches that agree.
    """
    if len(batches) == 1:
        return batches[0]
    piece_of = np.concatenate([batch.piece_of for batch in batches])
    rows = np.concatenate([batch.rows for batch in batches])
    return batches[0]._replace(piece_of=piece_of, rows=rows)


class PixelBox(NamedTuple):
    """A rectangle of pixels over a map, at some scale."""

    left: float
    """The left end of the first column, in map units."""

    top: float
    """The upper end of the first row, in map units."""

    unit: float
    """The number of pixels in a map unit."""

    width: int
    """The number of columns."""

    height: int
    """The number of rows."""

    @property
    def xs(self) -> NDArray[np.float64]:
        """The middles of the columns (width,), in map units."""
        return np.asarray(self.left + (np.arange(self.width) + 0.5) / self.unit, np.float64)

    @property
    def ys(self) -> NDArray[np.float64]:
        """The middles of the rows (height,), in map units."""
        return np.asarray(self.top + (np.arange(self.height) + 0.5) / self.unit, np.float64)

    def part(self, column: int, row: int, width: int, height: int) -> PixelBox:
        """Return the box of ``width`` x ``height`` of the pixels, from a column and a row on."""
        return PixelBox(
            left=self.left + column / self.unit,
            top=self.top + row / self.unit,
            unit=self.unit,
            width=width,
            height=height,
        )


class SurfaceBatch(NamedTuple):
    """A picture that is worked out pixel by pixel, at any scale."""

    pixels: Callable[[PixelBox], NDArray[np.uint32]]
    """Returns the pixels of a box: premultiplied colours (height, width), 0xAARRGGBB.

    The array is contiguous in memory.
    """

    box: QRectF
    """The part of the map that has any pixels, in map units."""

    opacity: float = 1.0
    """The opacity of the picture, by which that of its pixels is multiplied."""


class TextBatch(NamedTuple):
    """Texts that are centred on points."""

    texts: Sequence[str]
    """The texts; one can stand at several points (``text_of``)."""

    points: NDArray[np.float64]
    """Their middles, in map units, shape (n, 2)."""

    size: float
    """The type size, in map units."""

    ink: QColor
    """The colour of the letters."""

    halo: QColor | None = None
    """The colour of a rim around the letters, None for no rim."""

    text_of: NDArray[np.intp] | None = None
    """The index in ``texts`` of the text at each point, shape (n,).

    None if there are n texts, one for each point. Then painters draw them letter by letter, so that
    they need not store a picture of each; that suits upright letters only.
    """

    bold: bool = False
    """True for bold letters."""

    angles: NDArray[np.float64] | None = None
    """By how many degrees the texts are turned, clockwise, shape (n,); None for upright ones."""

    italic: bool = False
    """True for slanted letters."""


class IconBatch(NamedTuple):
    """Icons that are centred on points, in drawing order."""

    icons: Sequence[Icon]
    """The icons; one can stand at several points (``icon_of``)."""

    icon_of: NDArray[np.intp]
    """The index in ``icons`` of the icon at each point, shape (n,)."""

    points: NDArray[np.float64]
    """Their middles, in map units, shape (n, 2)."""

    size: float
    """How wide they are, in map units."""

    reach: float = 1.0
    """The drawing of an icon reaches so many times as far as ``size`` tells."""

    smallest_px: int = 0
    """The least width of icons on a screen, in logical pixels: then they are an even number of
    pixels wide. 0 for icons of any width."""

    opacity: float = 1.0
    """Their opacity, 0 for invisible to 1."""


class CoveredBatch(NamedTuple):
    """Ground that things cover, such as the floor of a house, at points and turned."""

    covered: Sequence[Covered]
    """The kinds of ground; one can lie at several points (``covered_of``)."""

    covered_of: NDArray[np.intp]
    """The index in ``covered`` of the ground at each point, shape (n,)."""

    points: NDArray[np.float64]
    """Their middles, in map units, shape (n, 2)."""

    angles: NDArray[np.float64]
    """By how many degrees they are turned, clockwise, shape (n,)."""

    opacity: float = 1.0
    """Their opacity, 0 for invisible to 1."""


LandBatch = Batch | SurfaceBatch
"""What lies on the ground, and the ground itself."""

OverlayBatch = TextBatch | IconBatch | CoveredBatch
"""What lies over the ground, at points of the map."""

AnyBatch = LandBatch | OverlayBatch
"""Whatever is drawn of a map."""
