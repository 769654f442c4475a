"""The soft rims of masks: areas that are filled more and more opaquely from the outside in.

A mask (``edge_masks``) has several *levels*, areas that lie within each other; level 0 covers the
most. A *rim* fills some of them, each translucent and over those before it::

    RimLevel(0, 0.13)      ...................      a little of the colour
    RimLevel(2, 0.28)         .:::::::::::::.       more of it
    RimLevel(4, 0.5)             .:#########.       most of it

``transitions`` and ``shores`` draw rims.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import faint
from app.render.scene.landscape.edge_masks import OVERLAP_SHARE, EdgeMask, region
from app.render.scene.pieces import Pieces


class RimLevel(NamedTuple):
    """One step of a soft rim: the area of a mask at a level, filled with an opacity."""

    level: int
    """The level of ``edge_masks``; 0 covers the most."""

    opacity: float
    """The opacity of the area, 0 to 1."""


Rim = tuple[RimLevel, ...]
"""The steps of a rim from the outside in, each drawn over those before it."""

BEYOND_OVERLAP = 1.6
"""How far masks reach over the sides of cells, as a multiple of how much larger cells are drawn:
for the soft edge of both. With more, the tips of masks would show in a third cell."""

BOX_MARGIN = 0.02
"""The room around a mask in the box of its piece, in map units, for the soft edges of pixels."""


def fill_rim(painter: QPainter, edge: EdgeMask, colour: QColor, rim: Rim) -> None:
    """Fill the levels of a mask, with their opacities, in a colour."""
    for level, opacity in rim:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)  # the parts of a mask may overlap
        path.addPolygon(region(edge, level))
        painter.fillPath(path, faint(colour, opacity))


def reach_over_sides(pieces: Pieces) -> float:
    """Return by which share masks reach over the sides of cells, as ``OVERLAP_SHARE``.

    Cells are drawn larger by ``Pieces.overlap``. If a mask reached less far, a line of the lower
    ground would show along the side, over the cell of the higher one.
    """
    return max(OVERLAP_SHARE, BEYOND_OVERLAP * pieces.overlap)


def box_around(covered: QPolygonF) -> QRectF:
    """Return the box of a piece that covers a polygon."""
    return covered.boundingRect().adjusted(-BOX_MARGIN, -BOX_MARGIN, BOX_MARGIN, BOX_MARGIN)
