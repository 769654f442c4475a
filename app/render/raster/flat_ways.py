"""Draws ways (roads, rivers) over the flat picture of a map, in which cells have one colour each.

In such a picture a way is a line from side to side of its cells, at least ``MIN_WIDTH_PX`` pixels
wide, whatever size a cell has. What a way crosses in a cell is a *bit mask* of sides: 0b001010 for
sides 1 and 3 (``routes.SIDES`` has the bits of all sides).

The renderer calls ``paint_flat_ways`` for the screen; ``VectorMap`` draws the ways of pictures on
paper one by one with ``draw_way``.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPixmapCache

from app.appearance.painting import painting
from app.render.cell_geometry import cell_box, side_middle
from app.render.map_view import MapView
from app.render.raster.fragments import draw_fragments
from app.render.raster.overview_raster import DeviceBox
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES

MIN_WIDTH_PX = 1.4
"""The least width of a line, in pixels."""

WIDTH = 0.22
"""The width of a line, in map units, if that is more than ``MIN_WIDTH_PX``."""

SPRITE_MARGIN = 1
"""A sprite of a way reaches so many pixels beyond the box of the cell: lines have soft edges."""

CELL_REACH = 2.0
"""More than a cell reaches from its centre, in map units: cells so near to the box may be seen."""


def line_width(map_units_per_pixel: float) -> float:
    """Return the width of a way, in map units."""
    return max(MIN_WIDTH_PX * map_units_per_pixel, WIDTH)


def paint_flat_ways(painter: QPainter, view: MapView, theme: Theme, box: DeviceBox) -> None:
    """Draw the ways of a map that lie in ``box``, with a painter whose unit is the device pixel.

    All cells in which a way crosses the same sides show the same sprite. So there are at most 64
    sprites a way, and the time that this takes grows with the length of the ways, not with the size
    of the map.
    """
    battlemap = view.battlemap
    layout = battlemap.grid.layout
    # Cells whose centres lie between these two corners may be seen in the box.
    reach = CELL_REACH * view.unit
    left_top_limit = np.array((box.left, box.top)) - reach
    right_bottom_limit = np.array((box.left + box.width, box.top + box.height)) + reach
    cell = cell_box(layout)
    to_corner = np.array((cell.left(), cell.top())) * view.unit - SPRITE_MARGIN
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        plane = view.composite.planes[route.plane]
        if is_blank(plane):
            continue

        # The left top corners (n, 2) of the sprites of the n cells in view, and their sides (n,).
        values = plane.reshape(-1)
        cells = np.flatnonzero(route.runs(values))
        centres = battlemap.grid.centres_of(cells) * view.unit + view.origin.toTuple()
        is_in_view = ((centres > left_top_limit) & (centres < right_bottom_limit)).all(axis=1)
        corners = np.floor(centres[is_in_view] + to_corner + 0.5)
        sides = values[cells[is_in_view]] & SIDES

        # One call for each set of sides that occurs; bincount finds these without sorting.
        for side_mask in np.flatnonzero(np.bincount(sides)).tolist():
            sprite = _sprite(layout, theme.route_cell_colour(route), side_mask, view.unit)
            draw_fragments(painter, sprite, corners[sides == side_mask])


def _sprite(layout: Layout, colour: QColor, sides: int, unit: float) -> QPixmap:
    """Return the pixmap of a way in one cell: the cell's box and ``SPRITE_MARGIN`` around it.

    ``sides`` is the bit mask of the sides that the way crosses, ``unit`` the pixels in a map unit.
    """
    # While a map gets sharp its flat picture is painted again and again.
    key = f"flat way {layout.name} {colour.rgba()} {sides} {unit}"
    stored = QPixmap()
    if QPixmapCache.find(key, stored):
        return stored

    cell = cell_box(layout)
    width = math.ceil(cell.width() * unit) + 2 * SPRITE_MARGIN
    height = math.ceil(cell.height() * unit) + 2 * SPRITE_MARGIN
    pixmap = QPixmap(width, height)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(SPRITE_MARGIN - cell.left() * unit, SPRITE_MARGIN - cell.top() * unit)
        painter.scale(unit, unit)
        draw_way(painter, layout, sides, line_width(1 / unit), colour)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def draw_way(painter: QPainter, layout: Layout, sides: int, width: float, colour: QColor) -> None:
    """Draw a way in the cell around (0, 0): a line from its centre to each side that it crosses.

    ``sides`` is the bit mask of these; a way without sides is a dot. All is in map units.
    """
    painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    if not sides:
        painter.drawPoint(QPointF(0, 0))
        return
    for side in range(layout.degree):
        is_crossed = (sides >> side) & 1
        if is_crossed:
            painter.drawLine(QPointF(0, 0), side_middle(layout, side))
