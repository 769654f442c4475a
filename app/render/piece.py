"""Pieces: drawings that are repeated at many places of a map, such as a cell or a bend of road.

They are described here once and drawn by all painters: as sprites (``app.render.raster``), or as
shapes and images (``app.render.vector``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import painting, saved_state


class Mask(NamedTuple):
    """Opaque and translucent parts; masks with the same ``key`` are alike and have the same box."""

    key: object
    draw: Callable[[QPainter], None]


class Piece(NamedTuple):
    """A drawing around (0, 0), in map units (y runs down).

    A painter draws ``under``, then ``draw`` and ``over``, these two within ``clip``.
    """

    key: object
    """Pieces with the same key look the same; painters store what they have drawn by it."""

    box: QRectF
    """The box that encloses what ``draw`` draws."""

    draw: Callable[[QPainter], None]

    clip: QPolygonF | None = None
    """The polygon within which ``draw`` and ``over`` are shown; None for all of them."""

    draft: QColor | None = None
    """The colour in which a frame may show ``clip`` until there is time to draw the piece; None for
    nothing. A piece with a draft and without ``clip`` is a simple shape that is drawn at once."""

    under: Callable[[QPainter], None] | None = None
    """Draws what lies below, and is not clipped."""

    part_of: Piece | None = None
    """A piece that draws the same, without ``over``, within a larger clip: files refer to it, so
    that they have the shapes once."""

    terrain: int | None = None
    """The code of the only terrain of the set on which the drawing depends; None if there are
    several or none. Sprites of terrains that stay as they are outlive a change of the set."""

    mask: Mask | None = None
    """Small sprites show what ``draw`` draws as far as this is opaque, in place of ``clip`` and
    ``under``: that is much quicker."""

    over: Callable[[QPainter], None] | None = None
    """Draws what lies above, within ``clip``."""

    def draw_clipped(self, painter: QPainter) -> None:
        """Draw ``under``, and what lies within ``clip``; the painter stays clipped."""
        if self.under is not None:
            with saved_state(painter):
                self.under(painter)
        if self.clip is not None:
            painter.setClipPath(closed_path(self.clip), Qt.ClipOperation.IntersectClip)
        self.draw(painter)
        if self.over is not None:
            self.over(painter)

    def draw_draft(self, painter: QPainter) -> None:
        """Draw ``clip`` in the colour ``draft``, or all of a simple shape."""
        if self.draft is None:
            return
        if self.clip is None:
            self.draw(painter)
        else:
            painter.fillPath(closed_path(self.clip), self.draft)


PiecePlaces = tuple[Piece, NDArray[np.intp]]
"""A piece and the places (n,), in an array of cells, where it is drawn."""


def closed_path(polygon: QPolygonF) -> QPainterPath:
    """Return a polygon as a path."""
    path = QPainterPath()
    path.addPolygon(polygon)
    path.closeSubpath()
    return path


@contextmanager
def image_of(box: QRectF, unit: float) -> Iterator[tuple[QImage, QPainter]]:
    """Yield a clear image of a box in map units, of ``unit`` pixels each, and a painter on it.

    The painter's unit is the map unit.
    """
    width, height = (max(1, math.ceil(side * unit)) for side in (box.width(), box.height()))
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(unit, unit)
        painter.translate(-box.topLeft())
        yield image, painter
