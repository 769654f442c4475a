"""Pieces: drawings that are repeated at many positions of a map, such as a bend of road.

A piece describes a drawing; it draws nothing until a painter asks it to. So one description serves
the screen, where each piece becomes a sprite (``app.render.raster``), and paper, where it becomes
shapes or an image (``app.render.vector``)::

    def draw(painter):
        painter.fillRect(box, red)

    piece = Piece(key=("square", "red"), box=box, draw=draw)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import painting, saved_state


class Mask(NamedTuple):
    """A drawing whose opacity at each point is that of a piece there."""

    key: object
    """Masks with the same key are alike, and their pieces have the same box."""

    draw: Callable[[QPainter], None]
    """Draws the mask in any colour: only its opacity counts."""


class Piece(NamedTuple):
    """A drawing around (0, 0), in map units (y runs down).

    A painter draws ``under``, then ``draw`` and ``over``, these two within ``clip``. Most pieces
    have but a key, a box, ``draw`` and a clip.
    """

    # --- what is drawn ----------------------------------------------------------------------

    key: object
    """Pieces with the same key look the same; painters store what they have drawn by it."""

    box: QRectF
    """The box that encloses what ``draw`` draws."""

    draw: Callable[[QPainter], None]
    """Draws the piece, apart from ``under`` and ``over``."""

    clip: QPolygonF | None = None
    """The polygon within which ``draw`` and ``over`` are seen; None if all of them is seen."""

    under: Callable[[QPainter], None] | None = None
    """Draws what lies below ``draw``, and is not clipped."""

    over: Callable[[QPainter], None] | None = None
    """Draws what lies above, within ``clip``."""

    # --- how it may be drawn quicker, or take less room -------------------------------------

    draft: QColor | None = None
    """Says what a frame that has no time for the piece draws until there is time.

    None: nothing. A colour, and there is a ``clip``: the clip filled with it. A colour, and there
    is no ``clip``: the piece itself, a simple shape that is drawn as quickly as any draft.
    """

    part_of: Piece | None = None
    """A piece that draws the same, without ``over``, within a larger clip.

    Files that consist of shapes (SVG) have the shapes of that piece once, and refer to them.
    """

    terrain: int | None = None
    """The code of the terrain on which the drawing depends, None if it depends on several or none.

    After a change of the terrain set the sprites of unchanged terrains are used on.
    """

    mask: Mask | None = None
    """Small sprites are cut out by this mask in place of ``clip`` and ``under``: much quicker."""

    keeps_exact_corner: bool = False
    """True if its sprite has to begin exactly at the corner of ``box``, even between two pixels.

    Other sprites begin at the next whole pixel, counted from the centre of the cell
    (``atlas.pixel_box``).
    """

    def draw_clipped(self, painter: QPainter) -> None:
        """Draw the piece around the painter's origin, in map units.

        The painter stays clipped to ``clip``, and has the pen and brush that were used last.
        """
        if self.under is not None:
            with saved_state(painter):
                self.under(painter)
        if self.clip is not None:
            painter.setClipPath(closed_path(self.clip), Qt.ClipOperation.IntersectClip)
        self.draw(painter)
        if self.over is not None:
            self.over(painter)

    def draw_draft(self, painter: QPainter) -> None:
        """Draw what ``draft`` says instead of the piece."""
        if self.draft is None:
            return
        if self.clip is None:  # a simple shape
            self.draw(painter)
        else:
            painter.fillPath(closed_path(self.clip), self.draft)


PiecePlaces = tuple[Piece, NDArray[np.intp]]
"""A piece and the n cells in which it is drawn: their indices (n,) in an array of cells."""


def closed_path(polygon: QPolygonF) -> QPainterPath:
    """Return a path along a polygon, closed from its last corner to the first."""
    path = QPainterPath()
    path.addPolygon(polygon)
    path.closeSubpath()
    return path


CLEAR = 0
"""A transparent pixel. Qt takes a number quicker than the name of a colour."""

ROUNDING_TOLERANCE = 1e-6
"""A box that reaches less than this into a pixel does not need it: so large are rounding errors."""


def pixel_size(box: QRectF, unit: float) -> tuple[int, int]:
    """Return the width and height in pixels of the image of a box, at least 1.

    ``box`` is in map units, each of which has ``unit`` pixels.
    """
    width = max(1, math.ceil(box.width() * unit - ROUNDING_TOLERANCE))
    height = max(1, math.ceil(box.height() * unit - ROUNDING_TOLERANCE))
    return width, height


class image_of:  # noqa: N801 - it reads as a verb, as ``painting``
    """A context with a clear image of a box, and a painter with which it is drawn.

    It is a class, since a ``contextmanager`` takes longer to enter, and each sprite enters one.

    ``box`` is in map units, each of which has ``unit`` pixels. The painter's unit is the map unit,
    and its origin that of the box's coordinates. The image is complete when the context is left::

        with image_of(piece.box, unit) as (image, painter):
            piece.draw_clipped(painter)
    """

    def __init__(self, box: QRectF, unit: float) -> None:
        width, height = pixel_size(box, unit)
        self._image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        self._image.fill(CLEAR)
        self._painting = painting(self._image)
        self._box = box
        self._unit = unit

    def __enter__(self) -> tuple[QImage, QPainter]:
        painter = self._painting.__enter__()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self._unit, self._unit)
        painter.translate(-self._box.topLeft())
        return self._image, painter

    def __exit__(self, *_fault: object) -> None:
        self._painting.__exit__()
