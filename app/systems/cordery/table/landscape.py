"""Wargame tables as landscapes: grass, woods, fields, towns and water, and hills with slopes.

``style.TableLandscape`` names these classes. The pictures of terrains are those of all landscapes
(``pictured``); here are the hills (``LandscapeHills``) and the routes (``LandscapeRoutes``), as
*pieces*. A piece is a picture that all cells which look the same share. The look of a hill in a
cell is an ``AreaLook`` (features.py). The pieces of a hill, from the bottom up::

    shadow      on the land beside the hill
    part        its translucent colour, with a slope in light and shade
    edge        its contour once more, over the trees or houses that hide the slope
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.appearance.painting import faint, saved_state
from app.render.cell_geometry import apothem, cell_box, cell_outline
from app.render.drawn_cells import DrawnCells, GroundFeatures
from app.render.pictures.ground_phase import phases
from app.render.pictures.mean_colours import colour_of_picture
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.courses import Course, lines
from app.render.scene.routes.river_courses import BANK_OVERLAP, QUARTERS, Reach
from app.render.scene.routes.river_looks import river_scale, shallow_water
from app.render.scene.routes.rivers import draw_banks, draw_reaches
from app.render.scene.routes.rounded_areas import AreaShape, area_part
from app.render.scene.routes.route_lines import BROAD, draw_route
from app.render.scene.routes.worn_roads import draw_worn_road, is_worn
from app.render.theme import Theme
from app.systems.cordery.table.features import LONE_CELL, AreaLook, pieces_of_area
from app.systems.cordery.table.hill_shapes import (
    draw_hill_edge,
    draw_hill_shadow,
    draw_hill_slope,
)
from app.systems.cordery.table.routes import TableRoutes
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import Terrain, TerrainSet

PICTURES = {
    "Open": "Grassland",
    "Mountain": "Mountains",
    "Lake": "Lake",
    "Marsh": "Swamp",
    "Deciduous trees": "Woods",
    "Coniferous trees": "Conifers",
    "Palm trees": "Jungle",
    "Settlement": "Houses",
    "Village": "Houses",
    "Town": "Country town",
    "City": "Streets",
    "Field": "Farmland",
    "Orchard": "Fruit trees",
    "Olive grove": "Fruit trees",
    "Vineyard": "Crops",
}
"""The names of the landscape pictures for the terrains of a table."""

COLOURS = {"Olive grove": "#a3ad7d", "Vineyard": "#a8a45c"}
"""The colours of terrains whose colour is not that of their picture."""


class _Contour(NamedTuple):
    """A contour of hills."""

    shape: AreaShape

    colour: str
    """As ``#rrggbb``."""

    opacity: float
    """How much of the ground the colour hides, from 0 to 1."""


HILLS = (
    _Contour(AreaShape(0.9, 0.82, 0.06), "#b4b564", opacity=0.62),
    _Contour(AreaShape(0.6, 0.48, 0.08), "#b89f5e", opacity=0.8),
)
"""The contours of hills, from the lowest; level 1 is the first."""

SLOPE = 0.5
"""The width of the slopes of hills, as ``hill_shapes.SLOPE``."""

SLOPE_STEPS = 7
"""The number of translucent shapes of a slope: it is wide, so that few would show as steps."""

FOOT_LINE = 0.02
"""The width of the faint line at the foot of a hill, as a share of the distance to a side."""

FOOT_DARKNESS = 190
"""How dark this line is: ``QColor.darker`` of the colour of the hill."""

FOOT_OPACITY = 0.4
"""The opacity of this line."""

WATER = "#64a8c8"
"""The colour of rivers, near that of lakes."""

DEEP = AreaShape(BROAD.reach * 0.74, BROAD.neck * 0.8)
"""The deeper water in the middle of a broad river."""

# The waves on a broad river. Lengths are shares of the distance from a cell's centre to a side.
WAVE_ROWS = (-0.42, -0.1, 0.2, 0.46)
"""The rows of waves, one wave in each, downwards from the centre."""

WAVE_SHIFT = 0.08
"""The most by which chance moves a wave from its row."""

WAVE_STARTS = (-0.45, 0.25)
"""The range of the beginnings of waves, to the right of the centre."""

WAVE_STEP = 0.09
"""The length of half a wave."""

WAVE_WIDTH = 0.022
"""The width of the line."""

WAVE_COLOUR = (255, 255, 255, 120)
"""Red, green, blue and opacity, up to 255."""

MARGIN = 0.12
"""How far pieces may reach over a cell's box, in map units."""


@registered(bytes_each=8 * KB)
@lru_cache(4)
def pictured(terrain_set: TerrainSet) -> TerrainSet:
    """Return the terrain set of tables with the pictures of landscapes."""
    terrains = tuple(_pictured_terrain(terrain) for terrain in terrain_set.terrains)
    return replace(terrain_set, terrains=terrains)


def _pictured_terrain(terrain: Terrain) -> Terrain:
    """Return a terrain with its picture and the colour of that; unchanged if it has no picture."""
    picture = PICTURES.get(terrain.name)
    if picture is None:
        return terrain
    if terrain.name in COLOURS:
        colour = COLOURS[terrain.name]
    else:
        colour = colour_of_picture(picture)
    return replace(terrain, picture=picture, colour=colour)


class LandscapeHills(GroundFeatures):
    """The hills of tables: they are drawn over the ground and below the features on it."""

    def __init__(
        self,
        layout: Layout,
        terrain_set: TerrainSet,
        pictures: Pictures,
        _theme: Theme,
        feature_size: float,
    ) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._pictures = pictures
        self._feature_size = feature_size
        self._unit = apothem(layout)
        self._box = cell_box(layout, MARGIN)

    def pieces(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield the shadows and parts of hills, contour by contour from the bottom up."""
        elevation = table.everywhere(table.system.elevation)
        for level in range(1, len(HILLS) + 1):
            inside = elevation >= level
            yield from pieces_of_area(table, inside, partial(self._shadow, level))
            yield from pieces_of_area(table, inside, partial(self._part, level))

    def edges(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield the contours of hills in cells of which trees or houses hide the slopes."""
        elevation = table.everywhere(table.system.elevation)
        is_covered = table.everywhere(table.system.terrain) > 0  # 0: open ground
        for level in range(1, len(HILLS) + 1):
            edge_of_level = partial(self._edge, level)
            yield from pieces_of_area(table, elevation >= level, edge_of_level, among=is_covered)

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Piece]:
        """Yield the pieces of a cell without neighbours, as in a sample: with its ground, too."""
        yield self._terrain(terrain)
        for level in range(1, min(elevation, len(HILLS)) + 1):
            yield self._shadow(level, LONE_CELL)
            yield self._part(level, LONE_CELL)

    def _shadow(self, level: int, look: AreaLook) -> Piece:
        """Return the shadow of a part of a hill."""
        shape = HILLS[level - 1].shape

        def draw(painter: QPainter) -> None:
            part = area_part(self._layout, shape, look.join_mask, look.variant)
            draw_hill_shadow(painter, part, self._unit)

        return Piece(("landscape hill shadow", level, look), self._box, draw)

    def _part(self, level: int, look: AreaLook) -> Piece:
        """Return a part of a hill with its slope in light and shade; the ground shows through."""
        contour = HILLS[level - 1]
        shape = contour.shape
        colour = QColor(contour.colour)

        def draw(painter: QPainter) -> None:
            # 0.0: no overlap with the parts in neighbouring cells, where two translucent colours
            # would be one twice as dense.
            fill = area_part(self._layout, shape, look.join_mask, look.variant, 0.0).fill
            painter.fillPath(fill, faint(colour, contour.opacity))
            part = area_part(self._layout, shape, look.join_mask, look.variant)
            reach = shape.reach * self._unit
            draw_hill_slope(painter, part, colour, reach, width=SLOPE, steps=SLOPE_STEPS)
            line_colour = faint(colour.darker(FOOT_DARKNESS), FOOT_OPACITY)
            painter.strokePath(part.outline, QPen(line_colour, FOOT_LINE * self._unit))

        return Piece(("landscape hill", level, look), self._box, draw)

    def _edge(self, level: int, look: AreaLook) -> Piece:
        """Return the contour of a part of a hill."""
        shape = HILLS[level - 1].shape

        def draw(painter: QPainter) -> None:
            part = area_part(self._layout, shape, look.join_mask, look.variant)
            draw_hill_edge(painter, part, self._unit)

        return Piece(("landscape hill edge", level, look), self._box, draw)

    def _terrain(self, code: int) -> Piece:
        """Return a single cell of a terrain: its ground, and the feature on it."""
        terrain = self._terrain_set.terrains[code]

        def draw(painter: QPainter) -> None:
            with saved_state(painter):
                self._pictures.ground(painter, terrain, phases(self._layout)[0])
            with saved_state(painter):
                painter.scale(self._feature_size, self._feature_size)
                self._pictures.feature(painter, terrain)

        outline = cell_outline(self._layout)
        return Piece(("terrain on one cell", code), outline.boundingRect(), draw, outline)


def _draw_waves(painter: QPainter, unit: float, broad: int) -> None:
    """Draw short light waves on a broad river, near the middle of its cell.

    ``broad`` are the sides and corners that the river fills (``rounded_areas.join_masks``). They
    are the seed of the waves, as cells with the same ones share one picture.
    """
    rng = random.Random(broad)
    step = WAVE_STEP * unit
    waves = QPainterPath()
    for row in WAVE_ROWS:
        x = rng.uniform(*WAVE_STARTS) * unit
        y = (row + rng.uniform(-WAVE_SHIFT, WAVE_SHIFT)) * unit
        # A crest, and a trough that is a little flatter.
        waves.moveTo(x, y)
        waves.quadTo(x + step / 2, y - step * 0.6, x + step, y)
        waves.quadTo(x + step * 1.5, y + step * 0.5, x + 2 * step, y)
    painter.strokePath(waves, QPen(QColor(*WAVE_COLOUR), WAVE_WIDTH * unit))


class LandscapeRoutes(TableRoutes):
    """Routes in a landscape: rivers with banks, roads of worn ground."""

    shows_inner_lines = False  # landscapes have grid lines on all cells
    bridge = "plank bridge"

    def draw_route(
        self, painter: QPainter, route: RouteSpec, course: Course, broad: int = 0
    ) -> None:
        """Draw a route through a cell; ``broad`` as in ``route_lines.draw_route``."""
        layout = self._layout
        colour = self._theme.route_colour(route)
        if route.is_river:
            self._draw_river(painter, QColor(WATER), course, broad)
        elif is_worn(route.style):
            draw_worn_road(painter, layout, route.style, colour, course, min_width=self._least)
        else:
            draw_route(painter, layout, route.style, colour, course, min_width=self._least)

    def _draw_river(self, painter: QPainter, colour: QColor, course: Course, broad: int) -> None:
        """Draw a river through a cell; ``broad`` as in ``route_lines.draw_route``.

        From the bottom up: the banks of its broad part, its narrow arms, the broad part with deeper
        water and waves, and the water where several arms meet.
        """
        layout = self._layout
        narrow = course._replace(sides=course.sides & ~broad)
        scale = river_scale(layout, 1.0, self._least)
        broad_part = area_part(layout, BROAD, broad)
        if broad:
            draw_banks(painter, layout, broad_part)
        draw_reaches(painter, colour, _arms(layout, narrow), scale)
        if broad:
            painter.fillPath(broad_part.fill, shallow_water(colour))
            painter.fillPath(area_part(layout, DEEP, broad).fill, colour)
            _draw_waves(painter, scale.unit, broad)
        if narrow.sides.bit_count() > 2:
            hub = QPainterPath()
            radius = QUARTERS * scale.quarter / 2
            hub.addEllipse(narrow.hub(layout), radius, radius)
            painter.fillPath(hub, colour)


def _arms(layout: Layout, course: Course) -> list[Reach]:
    """Return the narrow arms of a river of a table, which all have the full width."""
    is_end = course.sides.bit_count() == 1
    arms = []
    for line, bank_line in zip(
        lines(layout, course), lines(layout, course, BANK_OVERLAP), strict=True
    ):
        if is_end:
            # The line of an end leads to the middle; the reach begins there.
            arms.append(
                Reach(line.toReversed(), bank_line.toReversed(), QUARTERS, QUARTERS, begins=True)
            )
        else:
            arms.append(Reach(line, bank_line, QUARTERS, QUARTERS))
    return arms
