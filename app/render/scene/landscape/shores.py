"""The shore of land in a cell of water: shallow water, sand, and foam on the waves.

From the water to the land, whose ground is drawn over the sand::

    water  |  shallows   foam   shallows   foam   sand  |  land

``transitions`` finds the cells with a shore, and has ``shore_piece`` make a piece for each mask and
shape that occurs.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.render.cell_geometry import cell_outline
from app.render.piece import Piece
from app.render.scene.landscape.edge_masks import EdgeMask, lines, region
from app.render.scene.landscape.edge_shapes import SHAPES, number_of_shape
from app.render.scene.landscape.mask_rims import (
    Rim,
    RimLevel,
    box_around,
    fill_rim,
    reach_over_sides,
)
from app.render.scene.pieces import Pieces

SHALLOWS: Rim = (RimLevel(0, 0.12), RimLevel(1, 0.15), RimLevel(3, 0.22))
"""The shallow water of a shore."""

SHALLOW = QColor("#a8dcdc")
"""The colour of the shallow water of a shore. A lighter one would be a white glow along coasts."""

BEACH: Rim = (RimLevel(4, 0.5), RimLevel(5, 0.7))
"""The sand of a shore."""

SAND = QColor("#dcc68c")
"""The colour of the sand of a shore."""

FOAM_LEVELS = (3, 2)
"""The levels of a mask along which the foam of a shore lies, outside of the sand: the first is that
of the waves that break, the others those of the next ones, which are weaker."""

FOAM_TENTHS = range(3, 6)
"""The lengths that a piece of foam can have, in tenths of its line."""

FOAM_STARTS = 5
"""A piece of foam begins at one of so many first tenths of its line: so the longest one fits."""

FOAM_WIDTH = 0.026
"""The width of the first line of foam, in map units."""

FOAM_OPACITY = 0.36
"""The opacity of the first line of foam; the next one has half of it."""

LINES_PER_FOAM = 4
"""One of so many lines of a mask has foam: with 1 all coasts would have."""

PLACE_SALT = 31
"""The salt of ``number_of_shape`` for the choice of lines with foam; the lines count from it."""

START_SALT = 41
"""The salt for the tenth at which foam begins; the levels of foam count from it."""

LENGTH_SALT = 51
"""The salt for the length of foam; the levels of foam count from it."""


def shore_piece(pieces: Pieces, code: int) -> Piece:
    """Return the shallow water, sand and foam along a mask; ``code`` is of mask and shape."""
    mask, shape = divmod(code, SHAPES)
    edge = EdgeMask(pieces.layout, mask, shape, reach_over_sides(pieces))

    def draw(painter: QPainter) -> None:
        fill_rim(painter, edge, SHALLOW, SHALLOWS)
        fill_rim(painter, edge, SAND, BEACH)
        _draw_foam(painter, edge)

    box = box_around(region(edge, level=0))
    # Within the cell: beyond its edge no ground of a transition would cover the sand. Shores are
    # translucent, and would show a line where those of two cells lay over each other.
    return Piece(("shore", mask, shape), box, draw, clip=cell_outline(pieces.layout, 1.0))


def _draw_foam(painter: QPainter, edge: EdgeMask) -> None:
    """Draw foam along a part of a few lines of a mask.

    Which lines and which part seem to be random and follow from the shape, so that a piece looks
    the same each time.
    """
    shape = edge.shape
    for foam_index, level in enumerate(FOAM_LEVELS):
        opacity = FOAM_OPACITY / (1 + foam_index)
        pen = QPen(QColor.fromRgbF(1, 1, 1, opacity), FOAM_WIDTH)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)

        start_tenth = number_of_shape(shape, FOAM_STARTS, salt=START_SALT + foam_index)
        length_index = number_of_shape(shape, len(FOAM_TENTHS), salt=LENGTH_SALT + foam_index)
        length_tenths = FOAM_TENTHS[length_index]
        for line_index, line in enumerate(lines(edge, level)):
            has_foam = number_of_shape(shape, LINES_PER_FOAM, salt=PLACE_SALT + line_index) == 0
            if not has_foam:
                continue
            points = line.toList()
            start = start_tenth * len(points) // 10
            length = length_tenths * len(points) // 10
            painter.drawPolyline(QPolygonF(points[start : start + length]))
