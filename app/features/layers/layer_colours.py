"""The colours of the pixels of a layer's thumbnail: one cell for each pixel, a dot for each thing.

A thumbnail shows what one layer sets, without the layers below. Each ``_add_...`` method of
``LayerColours`` draws one kind of content over that of the methods before it. A ``Sampler`` tells
which cell of the map each pixel shows, as an array ``cells`` of the shape of the picture; -1 is off
the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from app.render.scene.things.looks import colour_of
from app.render.style import style_of
from app.render.theme import Theme
from app.render.thumbnails.sampler import Sampler
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Plane, PlaneSpec

UNSET = QColor(128, 128, 128, 50)
"""The colour of cells on which the layer sets nothing."""

HILL_ELEVATION = 2
"""The elevation whose colour all hills have in a thumbnail."""

LEVEL_GREY = 96
"""The grey of elevation 0, of 255, where the style has no colour of hills."""

GREY_PER_ELEVATION = 20
"""The grey of an elevation is lighter than that of the one below it by this, of 255."""

LOWEST_GREY_ELEVATION = -4
"""Lower elevations have the same grey as this one: 16, nearly black."""

HIGHEST_GREY_ELEVATION = 7
"""Higher elevations have the same grey as this one: 236, nearly white."""

DARKEST_CORNER_GREY = 70
"""The grey of a layer's lowest corners, of 255."""

CORNER_GREY_RANGE = 160
"""The grey of a layer's highest corners minus that of the lowest, of 255.

Since it is the same for flat and for steep land, the shape can be seen on either.
"""

NO_HEIGHT = np.int64(-1) << 62
"""Stands for the height of a corner that is not set: it is lower than any height."""


class _Dots(NamedTuple):
    """The pixels of the dots that stand for things."""

    left: NDArray[np.intp]
    """The column of the leftmost pixel of each dot (n,)."""

    top: NDArray[np.intp]
    """The row of its topmost pixel (n,)."""

    size: int
    """The width and height of every dot, in pixels."""

    is_inside: NDArray[np.bool_]
    """True for dots that begin on the picture (n,)."""


def layer_colours(
    battlemap: BattleMap, layer: Layer, sampler: Sampler, theme: Theme, ratio: float
) -> NDArray[np.uint32]:
    """Return the colour (ARGB) of each pixel of a layer's thumbnail, shape (height, width).

    ``sampler`` tells the cells of the pixels; ``ratio`` is the device pixel ratio of the screen.
    """
    return _LayerColours(battlemap, layer, sampler, theme, ratio).draw()


class _LayerColours:
    """Draws one thumbnail; used once."""

    def __init__(
        self, battlemap: BattleMap, layer: Layer, sampler: Sampler, theme: Theme, ratio: float
    ) -> None:
        self._battlemap = battlemap
        self._system = battlemap.system
        self._layer = layer
        self._sampler = sampler
        self._cells = sampler.cells
        self._theme = theme
        self._ratio = ratio
        self._colours: NDArray[np.uint32] = np.full(self._cells.shape, UNSET.rgba(), np.uint32)
        """The colours so far (ARGB), shape (height, width)."""

    def draw(self) -> NDArray[np.uint32]:
        """Return the colour of each pixel. Where a cell has a terrain, that hides its height."""
        self._add_corner_heights()
        self._add_elevations()
        self._add_hexsides()
        self._add_terrains()
        self._add_routes()
        self._colours[self._cells < 0] = 0  # outside the grid
        self._add_things()
        return self._colours

    def _add_corner_heights(self) -> None:
        """Add greys for heights of corners, which maps of 0 A.D. have."""
        spec = self._system.corner_heights
        if spec is None:
            return
        heights = self._layer.planes.get(spec.name)
        if heights is None:
            return
        highest = self._highest_corners(heights, spec)
        is_set = highest != NO_HEIGHT
        if is_set.any():
            self._colours[is_set] = _greys_of_heights(highest[is_set])

    def _highest_corners(self, heights: Plane, spec: PlaneSpec) -> NDArray[np.int64]:
        """Return the height of the highest corner of each pixel's cell, shape (height, width).

        ``NO_HEIGHT`` where the layer sets no corner of the cell.
        """
        corners = corners_of(self._battlemap.grid, self._cells.ravel())
        corner_heights = heights.reshape(-1)[corners].astype(np.int64)
        corner_heights = np.where(corner_heights == spec.unset, NO_HEIGHT, corner_heights)
        highest: NDArray[np.int64] = corner_heights.reshape(*self._cells.shape, -1).max(axis=2)
        return highest

    def _add_elevations(self) -> None:
        """Add greys by elevation, or the colour of hills if the style of the map has one."""
        spec = self._system.elevation
        if spec is None:
            return
        values = _values_at(self._layer, spec, self._cells)
        if values is None:
            return
        elevations = values[..., 0].astype(np.int64)  # the greys do not fit in a plane of 8 bits
        is_set = elevations != spec.unset
        hill_colour = style_of(self._system).hill_colour(self._theme, HILL_ELEVATION)
        if hill_colour is not None:
            shades = np.where(elevations > 0, hill_colour.rgba(), UNSET.rgba()).astype(np.uint32)
        else:
            shown_elevations = elevations.clip(LOWEST_GREY_ELEVATION, HIGHEST_GREY_ELEVATION)
            shades = _grey_colours(LEVEL_GREY + GREY_PER_ELEVATION * shown_elevations)
        self._colours[is_set] = shades[is_set]

    def _add_hexsides(self) -> None:
        """Add to each cell the colour of one of its hexsides: of the one with the highest code.

        A side can be set to code 0, "no hexside": it then hides a hexside of lower layers, and adds
        no colour.
        """
        spec = self._system.hexside
        if spec is None:
            return
        values = _values_at(self._layer, spec, self._cells)
        if values is None:
            return
        side_codes = np.where(values == spec.unset, 0, values)
        codes = side_codes.max(axis=2)
        hexsides = self._battlemap.terrain_set.hexsides
        table = [0, *(QColor(hexside.colour).rgba() for hexside in hexsides)]
        has_hexside = codes > 0
        self._colours[has_hexside] = _looked_up(table, codes)[has_hexside]

    def _add_terrains(self) -> None:
        """Add the colours of the terrains; what is drawn before shows where none is set."""
        spec = self._system.terrain
        if spec is None:
            return
        values = _values_at(self._layer, spec, self._cells)
        if values is None:
            return
        terrains = self._battlemap.terrain_set.terrains
        table = [self._theme.terrain_colour(terrain).rgba() for terrain in terrains]
        codes = values[..., 0]
        is_set = codes != spec.unset
        # The value for "not set" is no code of a terrain, and may be negative: code 0 replaces it.
        self._colours[is_set] = _looked_up(table, np.where(is_set, codes, 0))[is_set]

    def _add_routes(self) -> None:
        """Add the colours of cells through which a route runs."""
        for route in self._system.routes_of(self._battlemap.terrain_set):
            spec = self._system.plane(route.plane)
            values = _values_at(self._layer, spec, self._cells)
            if values is not None:
                codes = values[..., 0]
                has_route = route.runs(codes) & (codes != spec.unset)
                self._colours[has_route] = self._theme.route_cell_colour(route).rgba()

    def _add_things(self) -> None:
        """Add a dot for each thing of the layer, of about one logical pixel."""
        if not self._layer.things:
            return
        arrays = self._layer.things.arrays()
        kinds = kinds_by_name(self._battlemap)
        dots = self._dots_at(arrays.points)
        height, width = self._colours.shape

        # All things of one kind and owner have one colour: a loop over things would take too long.
        kinds_and_owners = set(zip(arrays.kinds.tolist(), arrays.owners.tolist(), strict=True))
        for kind_code, owner in sorted(kinds_and_owners):
            kind = kinds.get(arrays.kind_names[kind_code])
            colour = QColor(colour_of(kind, owner)).rgba()
            has_colour = (arrays.kinds == kind_code) & (arrays.owners == owner) & dots.is_inside
            for column, row in np.ndindex(dots.size, dots.size):  # a pixel of each dot
                # A dot at the right or the lower edge is cut there.
                columns = np.minimum(dots.left[has_colour] + column, width - 1)
                rows = np.minimum(dots.top[has_colour] + row, height - 1)
                self._colours[rows, columns] = colour

    def _dots_at(self, points: NDArray[np.float64]) -> _Dots:
        """Return the dots whose middles are at ``points`` (n, 2), in map units."""
        height, width = self._colours.shape
        size = max(1, round(self._ratio))
        shown_points = self._battlemap.grid.shown_points(points)
        corners = self._sampler.pixels_at(shown_points) - size / 2
        left, top = np.floor(corners + 0.5).astype(np.intp).T
        is_inside = (left >= 0) & (top >= 0) & (left < width) & (top < height)
        return _Dots(left, top, size, is_inside)


def _values_at(layer: Layer, spec: PlaneSpec, cells: NDArray[np.intp]) -> Plane | None:
    """Return the values of a plane at cells (height, width), shape (height, width, values a cell).

    A plane of sides has as many values a cell as the cell has sides, a plane of cells has one. None
    if the layer sets nothing in it.
    """
    plane = layer.planes.get(spec.name)
    if plane is None:
        return None
    rows, columns = plane.shape[:2]
    values: Plane = plane.reshape(rows * columns, -1)[cells]
    return values


def _looked_up(table: Sequence[int], codes: Plane) -> NDArray[np.uint32]:
    """Return the colour of each code; a code beyond the table gets the last colour."""
    colours = np.array(table, np.uint32)
    return colours[np.minimum(codes, len(colours) - 1)]


def _greys_of_heights(heights: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return a grey (ARGB) for each of at least one height (n,), the lighter the greater it is."""
    lowest = int(heights.min())
    height_range = max(1, int(heights.max()) - lowest)  # 1 for level land: any grey will do
    return _grey_colours(
        DARKEST_CORNER_GREY + (heights - lowest) * CORNER_GREY_RANGE // height_range
    )


def _grey_colours(greys: NDArray[np.integer]) -> NDArray[np.uint32]:
    """Return opaque colours (ARGB) for numbers from 0, black, to 255, white."""
    red_green_blue = greys.astype(np.uint32) * np.uint32(0x010101)  # the same in all three bytes
    return red_green_blue | np.uint32(0xFF000000)
