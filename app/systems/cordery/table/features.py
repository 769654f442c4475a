"""The hills, waters, towns and terrain features of a wargame table's plan, as pieces.

A *piece* is a picture that is drawn in all cells which look the same. What lies over several cells
(a hill, a lake) is an *area*, whose pieces fit together. The *look* of an area in a cell
(``AreaLook``) tells on which sides it goes on::

    . . . .
    . a a .        the left cell joins its right side, the right one its left side:
    . . . .        two looks, so two pieces

``TableFeatures.pieces`` yields all pieces of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import apothem, cell_box
from app.render.drawn_cells import DrawnCells, GroundFeatures
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.rounded_areas import (
    AreaPart,
    AreaShape,
    area_part,
    join_masks,
    joined_sides,
    variants,
)
from app.render.theme import Theme
from app.systems.cordery.table.hill_shapes import draw_hill_shadow, draw_hill_slope
from app.systems.cordery.table.inner_lines import InnerLines
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.terrain.terrain import TerrainSet


class AreaLook(NamedTuple):
    """The look of an area in a cell: cells with the same one share a piece."""

    join_mask: int
    """The sides and corners beyond which the area goes on (``rounded_areas.join_masks``)."""

    variant: int
    """The variant of the cell, 0 to 3, by which the outline is bent."""


LONE_CELL = AreaLook(join_mask=0, variant=0)
"""The look of an area of a single cell."""

_VARIANT_BITS = 2
"""The number of bits of a variant.

In arrays a look is one number: 0b1001_10 is the join mask 0b1001 with the variant 2.
"""

_VARIANT_MASK = 0b11
"""The bits of the variant in such a number."""


class Area(NamedTuple):
    """An area over several cells: a contour of a hill, or a terrain."""

    shape: AreaShape
    colour: QColor


class Contour(NamedTuple):
    """A contour of hills."""

    shape: AreaShape

    colour: str
    """Its colour (``#rrggbb``) where the theme has none."""


HILLS = (
    Contour(AreaShape(0.86, 0.78, 0.07), "#e3cd9b"),
    Contour(AreaShape(0.56, 0.44, 0.09), "#cfaf74"),
)
"""The contours of hills, from the lowest."""

TERRAIN_AREA = AreaShape(0.84, 0.72, 0.09)
"""The shape of areas of terrains that join over cells (``Terrain.body``)."""

OUTLINE = 0.035
"""The width of outlines, as a share of the distance from a cell's centre to a side."""

HILL_OUTLINE_DARKNESS = 165
"""How dark the outline of a hill is: ``QColor.darker`` of its colour."""

TERRAIN_OUTLINE_DARKNESS = 155
"""How dark the outline of a terrain is, in the same way."""

LOWERED = 0.07
"""How far features stand below the middle of a cell, which leaves room for its name above.

As a share of the distance from a cell's centre to a side.
"""

MARGIN = 0.09
"""How far pieces may reach over a cell's box, in map units."""


def contour_colour(theme: Theme, level: int) -> QColor:
    """Return the colour of the ``level``-th contour of a hill, from 1 on."""
    level = min(level, len(HILLS))
    return theme.plain_colours.get(f"Contour {level}") or QColor(HILLS[level - 1].colour)


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
        # Hills, contour by contour.
        elevation = table.everywhere(table.system.elevation)
        for level in range(1, len(HILLS) + 1):
            hill = self._hill(level)
            yield from place_area(table, elevation >= level, partial(self._hill_shadow, hill))
            yield from place_area(table, elevation >= level, partial(self._hill_part, hill))
        yield from self._inner_lines.pieces(table, _inner_sides(table.grid, elevation >= 1))

        # Terrains that join over cells; then the pictures of all terrains, which stand on them.
        codes = places_by_value(table.here(table.system.terrain).astype(np.int64))
        for code, _ in codes:
            area = self._terrain_area(code)
            if area is not None:
                inside = table.everywhere(table.system.terrain) == code
                yield from place_area(table, inside, partial(self._terrain_part, area))
                yield from self._inner_lines.pieces(table, _inner_sides(table.grid, inside))
        for code, rows_of_code in codes:
            if code:  # code 0 is open ground, which has no picture
                yield self._feature(code), rows_of_code

    def on_one_cell(self, terrain: int, elevation: int) -> Iterator[Piece]:
        """Yield the pieces of a cell that has no neighbours, as in a sample, from the bottom up."""
        highest = min(elevation, len(HILLS))
        for level in range(1, highest + 1):
            yield self._hill_shadow(self._hill(level), LONE_CELL)
            yield self._hill_part(self._hill(level), LONE_CELL)
        area = self._terrain_area(terrain)
        if area is not None:
            yield self._terrain_part(area, LONE_CELL)
        if terrain:
            yield self._feature(terrain)

    def _hill(self, level: int) -> Area:
        """Return the area of the ``level``-th contour, from 1 on."""
        return Area(HILLS[level - 1].shape, contour_colour(self._theme, level))

    def _terrain_area(self, code: int) -> Area | None:
        """Return the area of a terrain that joins over cells, None for other terrains."""
        terrain = self._terrain_set.terrains[code]
        if terrain.body:
            return Area(TERRAIN_AREA, self._theme.terrain_colour(terrain))
        return None

    def _hill_shadow(self, area: Area, look: AreaLook) -> Piece:
        """Return the shadow of a part of a hill."""
        shape = area.shape

        def draw(painter: QPainter) -> None:
            part = self._area_part(shape, look)
            draw_hill_shadow(painter, part, self._unit)

        return Piece(("hill shadow", shape, look), self._box, draw)

    def _hill_part(self, area: Area, look: AreaLook) -> Piece:
        """Return a part of a hill, its slope in light and shade."""
        shape, colour = area

        def draw(painter: QPainter) -> None:
            part = self._area_part(shape, look)
            painter.fillPath(part.fill, colour)
            draw_hill_slope(painter, part, colour, shape.reach * self._unit)
            line = QPen(colour.darker(HILL_OUTLINE_DARKNESS), OUTLINE * self._unit)
            painter.strokePath(part.outline, line)

        return Piece(("hill", shape, look, colour.rgb()), self._box, draw)

    def _terrain_part(self, area: Area, look: AreaLook) -> Piece:
        """Return a part of an area of a terrain."""
        shape, colour = area

        def draw(painter: QPainter) -> None:
            part = self._area_part(shape, look)
            painter.fillPath(part.fill, colour)
            line = QPen(colour.darker(TERRAIN_OUTLINE_DARKNESS), OUTLINE * self._unit)
            painter.strokePath(part.outline, line)

        return Piece((shape, look, colour.rgb()), self._box, draw)

    def _area_part(self, shape: AreaShape, look: AreaLook) -> AreaPart:
        """Return the part of an area in a cell with this look."""
        return area_part(self._layout, shape, look.join_mask, look.variant)

    def _feature(self, code: int) -> Piece:
        """Return the picture of a terrain: a house, a tree ..."""

        def draw(painter: QPainter) -> None:
            painter.translate(0, LOWERED * self._unit)
            painter.scale(self._feature_size, self._feature_size)
            self._pictures.feature(painter, self._terrain_set.terrains[code])

        return Piece(("feature", code), self._box, draw)


def place_area(
    table: DrawnCells,
    inside: NDArray[np.bool_],
    piece_of: Callable[[AreaLook], Piece],
    *,
    among: NDArray[np.bool_] | None = None,
) -> Iterator[PiecePlaces]:
    """Yield the pieces of an area that covers the cells ``inside`` (size,).

    ``piece_of`` returns the piece of a look. ``among`` (size,) is True for the cells that may get
    their pieces; None: all may. Each piece comes with its places in ``table.cells``.
    """
    cells_with_pieces = inside
    if among is not None:
        cells_with_pieces = inside & among
    rows = np.flatnonzero(cells_with_pieces[table.cells])
    if not len(rows):
        return
    masks = join_masks(table.grid, joined_sides(table.grid, inside))
    looks = masks << _VARIANT_BITS | variants(table.grid)
    for number, positions in places_by_value(looks[table.cells[rows]]):
        look = AreaLook(join_mask=number >> _VARIANT_BITS, variant=number & _VARIANT_MASK)
        yield piece_of(look), rows[positions]


def _inner_sides(grid: Grid, inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the sides beyond which an area goes on, as bit masks (size,): bit i for side i."""
    joined = joined_sides(grid, inside)
    return np.asarray(joined @ (1 << np.arange(grid.degree)), np.int64)
