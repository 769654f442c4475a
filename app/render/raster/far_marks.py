"""Draws what would be lost in the tiles of a map seen from afar, which are made smaller.

Ways are thin, and marks of locks, of the cell list and of regions have icons, texts and lines near
by: here they are plain lines and coloured cells. The renderer draws them over what it has drawn of
a tile (``far_tiles``), before that is made smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import saved_state
from app.render.cell_geometry import side_middle
from app.render.cell_values.cell_colours import MARKED, listed_cells
from app.render.overlay_options import Overlays
from app.render.raster.frame import Frame
from app.render.scene.regions import has_regions
from randomizer.model.map.regions import at_borders, codes_of, regions_of
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES

WAYS_AT_LEAST = 4
"""In tiles of so many pixels a map unit and fewer, ways are drawn at least a pixel wide."""

BORDERS_AT_LEAST = 2
"""In tiles of so many pixels a map unit and fewer, borders of regions are as wide as cells."""

WAY_PIXELS = 1.4
"""The width of ways in pixels of a tile: more than one, as tiles are shown somewhat smaller."""


def paint_ways(frame: Frame, pixels: float) -> None:
    """Draw the ways of the cells of a frame as plain lines, from cell to cell.

    The frame's picture is larger than the tile: a pixel of the tile has ``pixels`` of it.
    """
    battlemap = frame.battlemap
    layout = frame.battlemap.grid.layout
    painter = frame.painter
    theme = frame.sprites.theme
    half_width = WAY_PIXELS * pixels / 2
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        plane = frame.composite.planes[route.plane]
        if is_blank(plane):
            continue
        values = plane.reshape(-1)[frame.cells]
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for side in range(layout.degree):
            # From the centre of the cell a little over the side, so that lines overlap there.
            to_side = side_middle(layout, side) * frame.unit
            share = half_width / hypot(to_side.x(), to_side.y())
            across = QPointF(-to_side.y(), to_side.x()) * share
            to_end = to_side * (1 + share / 2)
            leaves_by_side = route.runs(values) & ((values & SIDES) >> side & 1 > 0)
            for x, y in frame.at[leaves_by_side].tolist():
                start = QPointF(x, y)
                end = start + to_end
                corners = (start + across, end + across, end - across, start - across)
                path.addPolygon(QPolygonF(corners))
        with saved_state(painter):
            # A polygon without soft edges, as a slanting line with a pen depends on the painter's
            # clip: tiles that were drawn in blocks would not fit together.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.fillPath(path, theme.route_cell_colour(route))


def paint_marks(frame: Frame, overlays: Overlays, unit: int) -> None:
    """Draw the colours of locks and of the cell list, which near by have icons and texts.

    ``unit`` is the number of pixels of the tile in a map unit. Where it is small the cells at
    borders of regions have the colours of these.
    """
    for rows, colour in _marks(frame, overlays, unit):
        if len(rows):
            sprite = frame.sprites.tile(colour)
            opacity = np.full(len(rows), MARKED)
            frame.some(rows).draw_in_box(sprite, frame.sprites.cell_box, opacity)


def _marks(
    frame: Frame, overlays: Overlays, unit: int
) -> Iterator[tuple[NDArray[np.intp], QColor]]:
    """Yield the marks: the rows of their cells in ``Frame.cells``, (n,), and their colour."""
    battlemap = frame.battlemap
    theme = frame.sprites.theme
    if overlays.cell_list:
        cell_list = listed_cells(battlemap, frame.composite)
        yield np.flatnonzero(np.isin(frame.cells, cell_list)), theme.cell_list
    if overlays.locks and not is_blank(battlemap.locked_cells):
        is_locked = battlemap.locked_cells.reshape(-1)[frame.cells]
        yield np.flatnonzero(is_locked), theme.lock
    if overlays.regions and unit <= BORDERS_AT_LEAST and has_regions(battlemap, frame.composite):
        codes = codes_of(battlemap, frame.composite)
        is_at_border = at_borders(battlemap.grid, codes, frame.cells)
        for code, region in enumerate(regions_of(battlemap.records)):
            if region is not None:
                rows = np.flatnonzero(is_at_border & (codes[frame.cells] == code))
                yield rows, QColor(region.colour)
