"""Draws ways and marks on a map that is seen from afar, where they would be too small.

A map seen from afar consists of *tiles* (``far_tiles``): pieces of its picture, drawn larger and
then made smaller. Thin lines and small icons are lost by that. So before a tile is made smaller the
renderer draws the ways (roads, rivers) over it once more as plain lines of a pixel or more
(``paint_ways``), and colours the cells that have a mark (``paint_marks``): those that are locked,
those on the cell list of the system, and those at borders of regions.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

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
from randomizer.model.planes.routes import SIDES, RouteSpec

WAYS_UP_TO = 4
"""In tiles of so many pixels a map unit and fewer, the renderer calls ``paint_ways``."""

BORDERS_UP_TO = 2
"""In tiles of so many pixels a map unit and fewer, borders of regions are as wide as cells."""

WAY_PIXELS = 1.4
"""The width of ways in pixels of a tile: more than one, as tiles are shown somewhat smaller."""


def paint_ways(frame: Frame, pixels_per_tile_pixel: float) -> None:
    """Draw the ways in the cells of a frame as plain lines, from cell to cell.

    The frame is drawn larger than the tile will be: ``pixels_per_tile_pixel`` is the number of its
    pixels, in each direction, of which one pixel of the tile is made.
    """
    battlemap = frame.view.battlemap
    painter = frame.painter
    line_width = WAY_PIXELS * pixels_per_tile_pixel
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        if is_blank(frame.view.composite.planes[route.plane]):
            continue
        path = _path_of_route(frame, route, line_width)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.fillPath(path, frame.sprites.theme.route_cell_colour(route))


def _path_of_route(frame: Frame, route: RouteSpec, line_width: float) -> QPainterPath:
    """Return the lines of a route in the cells of a frame as polygons, all in device pixels.

    They are not lines to be drawn with a pen: how Qt draws a slanting line depends on the painter's
    clip, so that tiles that were drawn in blocks would not fit together.
    """
    layout = frame.view.battlemap.grid.layout
    values = frame.view.composite.planes[route.plane].reshape(-1)[frame.cells]
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)  # overlapping polygons are filled
    for side in range(layout.degree):
        # Each line is a rectangle from the centre of the cell a little over the side, so that the
        # lines of both cells overlap there. Its corners lie half a width to either side of these:
        to_side = side_middle(layout, side) * frame.unit
        half_width_share = line_width / 2 / hypot(to_side.x(), to_side.y())  # of the way to it
        across = QPointF(-to_side.y(), to_side.x()) * half_width_share
        to_end = to_side * (1 + half_width_share / 2)
        has_side = (values & SIDES) >> side & 1 == 1
        crosses_side = route.runs(values) & has_side
        for x, y in frame.device_centres[crosses_side].tolist():
            start = QPointF(x, y)
            end = start + to_end
            corners = (start + across, end + across, end - across, start - across)
            path.addPolygon(QPolygonF(corners))
    return path


def paint_marks(frame: Frame, overlays: Overlays, tile_unit: int) -> None:
    """Draw translucent colours over the cells of a frame that have a mark.

    ``tile_unit`` is the number of pixels of the tile in a map unit.
    """
    for mark in _marks(frame, overlays, tile_unit):
        if len(mark.rows):
            sprite = frame.sprites.coloured_cell(mark.colour)
            frame.with_cells(mark.rows).draw_in_box(sprite, frame.sprites.cell_box, MARKED)


class _Mark(NamedTuple):
    """Cells of a frame that are marked in one colour."""

    rows: NDArray[np.intp]
    """The indices of the cells in ``Frame.cells``, shape (n,)."""

    colour: QColor
    """The colour of the mark, before it is made translucent."""


def _marks(frame: Frame, overlays: Overlays, tile_unit: int) -> Iterator[_Mark]:
    """Yield the marks of those overlays that are drawn, from the bottom up."""
    battlemap = frame.view.battlemap
    theme = frame.sprites.theme
    if overlays.cell_list:
        cell_list = listed_cells(battlemap, frame.view.composite)
        yield _Mark(np.flatnonzero(np.isin(frame.cells, cell_list)), theme.cell_list)
    if overlays.locks and not is_blank(battlemap.locked_cells):
        is_locked = battlemap.locked_cells.reshape(-1)[frame.cells]
        yield _Mark(np.flatnonzero(is_locked), theme.lock)
    has_wide_borders = overlays.regions and tile_unit <= BORDERS_UP_TO
    if has_wide_borders and has_regions(battlemap, frame.view.composite):
        # The code of a region is its index in the table, which has None for deleted regions.
        codes = codes_of(battlemap, frame.view.composite)
        is_at_border = at_borders(battlemap.grid, codes, frame.cells)
        for code, region in enumerate(regions_of(battlemap.records)):
            if region is not None:
                rows = np.flatnonzero(is_at_border & (codes[frame.cells] == code))
                yield _Mark(rows, QColor(region.colour))
