"""Ways over the flat picture of a map: lines from side to side, whatever size a cell has."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.appearance.painting import painting
from app.render.cell_geometry import cell_box, side_middle
from app.render.raster.fragments import draw_fragments
from app.render.raster.overview_raster import DeviceBox
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES

LEAST_WIDTH = 1.4
"""The least width of a line, in pixels."""

WIDTH = 0.22
"""The width of a line, in map units."""


def line_width(pixel: float = 1.0) -> float:
    """Return the width of a way in map units, of which a pixel has ``pixel``."""
    return max(LEAST_WIDTH * pixel, WIDTH)


def paint_flat_ways(
    painter: QPainter,
    battlemap: BattleMap,
    composite: Composite,
    theme: Theme,
    unit: float,
    origin: tuple[float, float],
    box: DeviceBox,
) -> None:
    """Draw the ways of a map that lie in ``box``.

    The painter's unit is a pixel, of which a map unit has ``unit``; ``origin`` is where the map's
    origin lies. The time that this takes grows with the ways, not with the map: there is a sprite
    for each set of sides by which a way leaves a cell.
    """
    layout = battlemap.grid.layout
    cell = cell_box(layout, 0.0)
    offset = np.array((cell.left(), cell.top())) * unit - 1
    first = np.array((box.left, box.top)) - 2 * unit
    last = np.array((box.left + box.width, box.top + box.height)) + 2 * unit
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        plane = composite.planes[route.plane]
        if is_blank(plane):
            continue
        values = plane.reshape(-1)
        cells = np.flatnonzero(route.runs(values))
        at = battlemap.grid.centres_of(cells) * unit + origin
        is_seen = ((at > first) & (at < last)).all(axis=1)
        corners = np.floor(at[is_seen] + offset + 0.5)
        sides = values[cells[is_seen]] & SIDES
        for code in np.flatnonzero(np.bincount(sides)).tolist():
            sprite = _sprite(layout, theme.route_cell_colour(route), code, unit)
            draw_fragments(painter, sprite, corners[sides == code])


def _sprite(layout: Layout, colour: QColor, sides: int, unit: float) -> QPixmap:
    """Return a way that leaves a cell by these sides, with a pixel around the cell."""
    cell = cell_box(layout, 0.0)
    pixmap = QPixmap(math.ceil(cell.width() * unit) + 2, math.ceil(cell.height() * unit) + 2)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(1 - cell.left() * unit, 1 - cell.top() * unit)
        painter.scale(unit, unit)
        draw_way(painter, layout, sides, line_width(1 / unit), colour)
    return pixmap


def draw_way(painter: QPainter, layout: Layout, sides: int, width: float, colour: QColor) -> None:
    """Draw a way that leaves a cell around (0, 0) by these sides, in map units; a dot for none."""
    painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    if not sides:
        painter.drawPoint(QPointF(0, 0))
    for side in range(layout.degree):
        if sides >> side & 1:
            painter.drawLine(QPointF(0, 0), side_middle(layout, side))
