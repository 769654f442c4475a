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

SHALLOWS_RIM: Rim = (
    RimLevel(level=0, opacity=0.12),
    RimLevel(level=1, opacity=0.15),
    RimLevel(level=3, opacity=0.22),
)
"""The shallow water of a shore."""

SHALLOWS_COLOUR = QColor("#a8dcdc")
"""The colour of the shallow water of a shore. A lighter one would be a white glow along coasts."""

SAND_RIM: Rim = (RimLevel(level=4, opacity=0.5), RimLevel(level=5, opacity=0.7))
"""The sand of a shore."""

SAND_COLOUR = QColor("#dcc68c")
"""The colour of the sand of a shore."""

FOAM_LEVELS = (3, 2)
"""The levels of a mask along which the foam of a shore lies, outside of the sand: the first is that
of the waves that break, the others those of the next ones, which are weaker."""

FOAM_LENGTHS_IN_TENTHS = range(3, 6)
"""The lengths that a piece of foam can have, in tenths of its line."""

FOAM_STARTS = 5
"""A piece of foam begins at one of the first so many tenths of its line: there the longest fits."""

FOAM_WIDTH = 0.026
"""The width of the first line of foam, in map units."""

FOAM_OPACITY = 0.36
"""The opacity of the first line of foam; the next one has half of it."""

FOAM_ON_ONE_LINE_IN = 4
"""Foam is on one of so many lines: with 1 all coasts would have it."""

PLACE_SALT = 31
"""The salt of ``number_of_shape`` for the choice of lines with foam. Line i has the salt
``PLACE_SALT`` + i."""

START_SALT = 41
"""The salt for the tenth at which foam begins; that of level i is ``START_SALT`` + i."""

LENGTH_SALT = 51
"""The salt for the length of foam; that of level i is ``LENGTH_SALT`` + i."""


def shore_piece(pieces: Pieces, code: int) -> Piece:
    """Return the shallow water, sand and foam along a mask; ``code`` is of mask and shape."""
    mask, shape = divmod(code, SHAPES)
    edge = EdgeMask(pieces.layout, mask, shape, reach_over_sides(pieces))

    def draw(painter: QPainter) -> None:
        fill_rim(painter, edge, SHALLOWS_COLOUR, SHALLOWS_RIM)
        fill_rim(painter, edge, SAND_COLOUR, SAND_RIM)
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
        length_index = number_of_shape(
            shape, len(FOAM_LENGTHS_IN_TENTHS), salt=LENGTH_SALT + foam_index
        )
        length_tenths = FOAM_LENGTHS_IN_TENTHS[length_index]
        for line_index, line in enumerate(lines(edge, level)):
            line_number = number_of_shape(shape, FOAM_ON_ONE_LINE_IN, salt=PLACE_SALT + line_index)
            if line_number != 0:
                continue
            points = line.toList()
            start = start_tenth * len(points) // 10
            length = length_tenths * len(points) // 10
            painter.drawPolyline(QPolygonF(points[start : start + length]))
