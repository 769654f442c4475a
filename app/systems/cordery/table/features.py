"""What lies on a wargame table, as pieces: hills, waters, towns, terrain features.

Pieces of neighbouring cells fit together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import apothem, cell_box
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.rounded_areas import (
    AreaShape,
    area_part,
    join_masks,
    joined_sides,
    variants,
)
from app.render.style import DrawnCells, GroundFeatures
from app.render.theme import Theme
from app.systems.cordery.table.hill_shapes import draw_hill_shadow, draw_hill_slope
from app.systems.cordery.table.inner_lines import InnerLines
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet

Area = tuple[AreaShape, QColor]


HILLS = ((AreaShape(0.86, 0.78, 0.07), "#e3cd9b"), (AreaShape(0.56, 0.44, 0.09), "#cfaf74"))
"""The contours of hills, from the lowest: their shapes and colours."""

TERRAIN_AREA = AreaShape(0.84, 0.72, 0.09)
"""Terrains that join over cells (``Terrain.body``)."""

OUTLINE = 0.035
"""The width of outlines, as a share of the distance from a cell's centre to a side."""

LOWERED = 0.07
"""How far features stand below the middle of a cell, in the same unit: its name is above."""

MARGIN = 0.09
"""How far pieces may reach over a cell's box, in map units."""


def contour_colour(theme: Theme, level: int) -> QColor:
    """Return the colour of the ``level``-th contour of a hill, from 1 on."""
    level = min(level, len(HILLS))
    return theme.terrains.get(f"Contour {level}") or QColor(HILLS[level - 1][1])


class TableFeatures(GroundFeatures):
    """The pieces of tables of one layout, terrain set and theme."""

    def __init__(
        self,
        layout: Layout,
        terrain_set: TerrainSet,
        pictures: Pictures,
        theme: Theme,
        feature_size: float,
    ) -> None:
        self._layout = layout
        self._terrain_set = terrain_set
        self._pictures = pictures
        self._theme = theme
        self._feature_size = feature_size
        self._unit = apothem(layout)
        self._box = cell_box(layout, MARGIN)
        self._inner_lines = InnerLines(layout, theme, self._box)

    def pieces(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces of a table, from the bottom up, with their places in ``table.cells``."""
        elevation = table.everywhere(table.system.elevation)
        for level in range(1, len(HILLS) + 1):
            hill = self._hill(level)
            yield from place_area(table, elevation >= level, partial(self._hill_shadow, hill))
            yield from place_area(table, elevation >= level, partial(self._hill_part, hill))
        yield from self._inner_lines.pieces(table, _inner_sides(table.grid, elevation >= 1))
        codes = places_by_value(table.here(table.system.terrain).astype(np.int64))
        for code, _ in codes:
            area = self._terrain_area(code)
            if area is not None:
                inside = table.everywhere(table.system.terrain) == code
                yield from place_area(table, inside, partial(self._part, area))
                yield from self._inner_lines.pieces(table, _inner_sides(table.grid, inside))
        for code, rows_of_code in codes:
            if code:
                yield self._feature(code), rows_of_code

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Piece]:
        """Return the pieces of a cell that has no neighbours."""
        highest = min(elevation, len(HILLS))
        for level in range(1, highest + 1):
            yield self._hill_shadow(self._hill(level), 0)
            yield self._hill_part(self._hill(level), 0)
        area = self._terrain_area(terrain)
        if area is not None:
            yield self._part(area, 0)
        if terrain:
            yield self._feature(terrain)

    def _hill(self, level: int) -> Area:
        return HILLS[level - 1][0], contour_colour(self._theme, level)

    def _terrain_area(self, code: int) -> Area | None:
        terrain = self._terrain_set.terrains[code]
        if terrain.body:
            return (TERRAIN_AREA, self._theme.terrain_colour(terrain))
        return None

    def _hill_shadow(self, area: Area, key: int) -> Piece:
        """Return the shadow of a part of a hill."""
        shape, _ = area

        def draw(painter: QPainter) -> None:
            draw_hill_shadow(painter, area_part(self._layout, shape, key >> 2, key & 3), self._unit)

        return Piece(("hill shadow", shape, key), self._box, draw)

    def _hill_part(self, area: Area, key: int) -> Piece:
        """Return a part of a hill, its slope in light and shade."""
        shape, colour = area

        def draw(painter: QPainter) -> None:
            drawn = area_part(self._layout, shape, key >> 2, key & 3)
            painter.fillPath(drawn.fill, colour)
            draw_hill_slope(painter, drawn, colour, shape.reach * self._unit)
            painter.strokePath(drawn.outline, QPen(colour.darker(165), OUTLINE * self._unit))

        return Piece(("hill", shape, key, colour.rgb()), self._box, draw)

    def _part(self, area: Area, key: int) -> Piece:
        """Return a part of an area of a terrain."""
        shape, colour = area

        def draw(painter: QPainter) -> None:
            drawn = area_part(self._layout, shape, key >> 2, key & 3)
            painter.fillPath(drawn.fill, colour)
            painter.strokePath(drawn.outline, QPen(colour.darker(155), OUTLINE * self._unit))

        return Piece((shape, key, colour.rgb()), self._box, draw)

    def _feature(self, code: int) -> Piece:
        def draw(painter: QPainter) -> None:
            painter.translate(0, LOWERED * self._unit)
            painter.scale(self._feature_size, self._feature_size)
            self._pictures.feature(painter, self._terrain_set.terrains[code])

        return Piece(("feature", code), self._box, draw)


def place_area(
    table: DrawnCells, inside: NDArray[np.bool_], piece_of: Callable[[int], Piece]
) -> Iterator[PiecePlaces]:
    """Yield the pieces of an area that covers the cells ``inside`` (size,).

    ``piece_of`` gives that of a key: its join mask << 2 | its variant.
    """
    rows = np.flatnonzero(inside[table.cells])
    if len(rows):
        masks = join_masks(table.grid, joined_sides(table.grid, inside))
        keys = masks << 2 | variants(table.grid)
        for key, positions in places_by_value(keys[table.cells[rows]]):
            yield piece_of(key), rows[positions]


def _inner_sides(grid: Grid, inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the sides beyond which an area goes on, as bit masks of shape (size,)."""
    joined = joined_sides(grid, inside)
    return np.asarray(joined @ (1 << np.arange(grid.degree)), np.int64)
