"""Draws cells of one colour each, for pictures in which they are too small for anything else.

In a file of shapes each cell is a polygon (``draw_tiles``). In other pictures all cells together
are a raster image, the same as on the screen (``draw_pixels_on_image``, ``draw_pixels_on_paper``).
Over both come the routes, as lines (``draw_routes``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.appearance.painting import saved_state
from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.overlay_options import Overlays
from app.render.raster.flat_ways import draw_way, line_width
from app.render.raster.overview_raster import DeviceBox, OverviewRaster
from app.render.scene.shades import tile
from app.render.theme import Theme
from app.render.vector.piece_painter import PiecePainter
from app.render.viewport import Viewport
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES

ROUTES_AT_ONCE = 500
"""This many cells with a route are drawn in one step."""

STRIP_PIXELS = 200_000
"""This many pixels of the raster are drawn in one step; the colours of all cells are one more."""

TILE_OVERLAP = 0.02
"""Polygons of cells are larger by this, in map units, so that no gap shows between them."""

PAPER_PIXELS = 3.0
"""Pixels of the raster on paper, for one on a screen: about 300 an inch."""


class FlatCells:
    """The cells of one map in one theme; ``ground`` is the colour around the map."""

    def __init__(
        self,
        battlemap: BattleMap,
        composite: Composite,
        theme: Theme,
        overlays: Overlays,
        ground: QColor,
    ) -> None:
        self._battlemap = battlemap
        self._composite = composite
        self._theme = theme
        self._overlays = overlays
        self._ground = ground
        self._listed_cells = listed_cells(battlemap, composite)
        """The cells that the system lists, such as where a defender begins: they are tinted."""

    def draw_tiles(
        self,
        painter: QPainter,
        piece_painter: PiecePainter,
        cells: NDArray[np.intp],
        centres: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw cells (n,) as polygons, one colour after the other.

        ``centres`` (n, 2) are theirs, in map units, as is the painter's unit.
        """
        colours = self._colours.of(self._composite, cells, self._listed_cells).astype(np.int64)
        for colour, rows in places_by_value(colours):
            piece = tile(self._battlemap.grid.layout, QColor(colour), TILE_OVERLAP)
            yield from piece_painter.draw_piece(painter, piece, centres[rows])

    def draw_routes(
        self, painter: QPainter, cells: NDArray[np.intp], scale: float
    ) -> Iterator[None]:
        """Draw the routes in cells (n,) as lines, ``ROUTES_AT_ONCE`` of them at each step."""
        battlemap = self._battlemap
        width = line_width(1 / scale)
        for route in battlemap.system.routes_of(battlemap.terrain_set):
            plane = self._composite.planes[route.plane]
            if is_blank(plane):
                continue
            values = plane.reshape(-1)[cells]
            rows = np.flatnonzero(route.runs(values))
            sides = (values[rows] & SIDES).tolist()
            centres = battlemap.grid.centres_of(cells[rows]).tolist()
            colour = self._theme.route_cell_colour(route)
            for index, (x, y) in enumerate(centres):
                with saved_state(painter):
                    painter.translate(x, y)
                    draw_way(painter, battlemap.grid.layout, sides[index], width, colour)
                if index % ROUTES_AT_ONCE == 0:
                    yield

    def draw_pixels_on_image(self, painter: QPainter, area: QRectF, unit: float) -> Iterator[None]:
        """Draw what lies in an area of the map on an image, pixel by pixel.

        The image has ``unit`` pixels a map unit; the painter says where on it the map begins.
        """
        transform = painter.transform()
        viewport = Viewport(unit, transform.dx(), transform.dy())
        for strip in _strips(area, viewport):
            with saved_state(painter):
                painter.resetTransform()
                self._raster.paint(painter, viewport, 1.0, strip)
            yield

    def draw_pixels_on_paper(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """Draw what lies in an area of the map as images, in the map units of the painter.

        They have ``PAPER_PIXELS`` times the pixels of a screen of this scale. The first one begins
        at the top left corner of the area.
        """
        unit = scale * PAPER_PIXELS
        viewport = Viewport(unit, -area.left() * unit, -area.top() * unit)
        for strip in _strips(area, viewport):
            with saved_state(painter):
                painter.translate(area.topLeft())
                painter.scale(1 / unit, 1 / unit)
                self._raster.paint(painter, viewport, 1.0, strip)
            yield

    @cached_property
    def _colours(self) -> CellColours:
        """The colours of cells; pictures of larger cells never ask for them."""
        return CellColours(
            self._battlemap, SINGLE_PASS, self._theme, self._overlays, None, draws_ways=False
        )

    @cached_property
    def _raster(self) -> OverviewRaster:
        """The colours of all cells as an image."""
        raster = OverviewRaster(self._battlemap.grid, self._ground.rgb())
        raster.fill(lambda run: self._colours.of(self._composite, run, self._listed_cells))
        return raster


def _strips(area: QRectF, viewport: Viewport) -> Iterator[DeviceBox]:
    """Yield boxes of ``STRIP_PIXELS`` at most that together hold an area of map units."""
    unit = viewport.scale
    left = math.floor(area.left() * unit + viewport.dx)
    top = math.floor(area.top() * unit + viewport.dy)
    # One more: the area may begin and end within a pixel.
    width = math.ceil(area.width() * unit) + 1
    height = math.ceil(area.height() * unit) + 1
    strip_height = max(1, STRIP_PIXELS // width)
    for row in range(0, height, strip_height):
        yield DeviceBox(left, top + row, width, min(strip_height, height - row))
