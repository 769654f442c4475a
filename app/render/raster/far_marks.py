"""What would be lost in pictures made smaller: ways of less than a pixel, and marks of cells."""

from __future__ import annotations

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
from randomizer.model.planes import is_blank
from randomizer.model.regions import at_borders, codes_of, regions_of
from randomizer.model.routes import SIDES

WAYS_AT_LEAST = 4
"""In tiles of so many pixels a map unit and fewer, ways are drawn at least a pixel wide."""

BORDERS_AT_LEAST = 2
"""In tiles of so many pixels a map unit and fewer, borders of regions are as wide as cells."""

WIDE = 1.4
"""So many pixels of a tile: it is shown somewhat smaller."""


def paint_ways(frame: Frame, pixels: float) -> None:
    """Draw the ways of the cells of a frame as plain lines; a pixel of the tile has ``pixels``."""
    battlemap, layout = frame.battlemap, frame.battlemap.grid.layout
    painter, theme, half = frame.painter, frame.sprites.theme, WIDE * pixels / 2
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        plane = frame.composite.planes[route.plane]
        if is_blank(plane):
            continue
        values = plane.reshape(-1)[frame.cells]
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for side in range(layout.degree):
            middle = side_middle(layout, side) * frame.unit
            share = half / hypot(middle.x(), middle.y())
            across, beyond = QPointF(-middle.y(), middle.x()) * share, middle * (1 + share / 2)
            for x, y in frame.at[route.runs(values) & ((values & SIDES) >> side & 1 > 0)].tolist():
                at = QPointF(x, y)
                ends = (at + across, at + beyond + across, at + beyond - across, at - across)
                path.addPolygon(QPolygonF(ends))
        with saved_state(painter):
            # A slanting line with a pen depends on the painter's clip.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.fillPath(path, theme.route_cell_colour(route))


def paint_marks(frame: Frame, overlays: Overlays, unit: int) -> None:
    """Draw the colours of locks and of the cell list, which near by have icons and texts.

    In tiles of few pixels a map unit (``unit``) cells at borders of regions have these colours.
    """
    battlemap, theme = frame.battlemap, frame.sprites.theme
    marks: list[tuple[NDArray[np.intp], QColor]] = []
    if overlays.cell_list:
        starts = listed_cells(battlemap, frame.composite)
        marks.append((np.flatnonzero(np.isin(frame.cells, starts)), theme.cell_list))
    if overlays.locks and not is_blank(battlemap.locked_cells):
        locked = battlemap.locked_cells.reshape(-1)[frame.cells]
        marks.append((np.flatnonzero(locked), theme.lock))
    if overlays.regions and unit <= BORDERS_AT_LEAST and has_regions(battlemap, frame.composite):
        codes = codes_of(battlemap, frame.composite)
        ends = at_borders(battlemap.grid, codes, frame.cells)
        for code, region in enumerate(regions_of(battlemap.records)):
            if region is not None:
                here = np.flatnonzero(ends & (codes[frame.cells] == code))
                marks.append((here, QColor(region.colour)))
    for places, colour in marks:
        if len(places):
            tile, opacity = frame.sprites.tile(colour), np.full(len(places), MARKED)
            frame.some(places).draw_in_box(tile, frame.sprites.cell_box, opacity)
