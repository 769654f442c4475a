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

    Pieces with the same ``key`` look the same. ``box`` encloses what ``draw`` draws; of that only
    what lies within the polygon ``clip`` is shown (None: all). ``under`` draws what lies below, not
    clipped; ``over`` what lies above, within ``clip``. Until there is time to draw it, a frame may
    show ``clip`` in the colour ``draft`` (None: nothing). A piece with a ``draft`` and without
    ``clip`` is a simple shape that is always drawn at once. ``part_of`` is a piece that draws the
    same (without ``over``) within a larger clip: files refer to it. ``terrain``: the only one of
    the terrain set (its code) on which the drawing depends. ``mask``: small sprites show what
    ``draw`` draws as far as this is opaque, in place of ``clip`` and ``under``: that is much
    quicker.
    """

    key: object
    box: QRectF
    draw: Callable[[QPainter], None]
    clip: QPolygonF | None = None
    draft: QColor | None = None
    under: Callable[[QPainter], None] | None = None
    part_of: Piece | None = None
    terrain: int | None = None
    mask: Mask | None = None
    over: Callable[[QPainter], None] | None = None

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
