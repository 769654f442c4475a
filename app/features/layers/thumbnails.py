"""Draws the thumbnails of the layers panel: one cell for each pixel, and a dot for each thing.

A thumbnail shows what one layer sets, without the layers below. ``LayerThumbnails`` draws them in
turns of the event loop and emits ``drawn`` for each; the panel shows them. A ``Sampler`` tells
which cell of the map each pixel shows, as an array ``cells`` of the shape of the picture, and the
``_add_...`` methods give these pixels their colours, one over the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QColor, QImage, QPixmap

from app.qt_guard import connect
from app.render.scene.things.looks import colour_of
from app.render.style import style_of
from app.render.theme import Theme
from app.render.thumbnails.sampler import Sampler
from app.render.thumbnails.thumbnail_queue import ThumbnailQueue
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Grid
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Plane, PlaneSpec

if TYPE_CHECKING:
    from app.document.document import MapDocument

SIZE = QSize(36, 28)
"""The size of a thumbnail in logical pixels."""

KEPT_BYTES = 1_000_000
"""The most memory that thumbnails take together, in bytes: those of some 200 layers."""

WAIT_MS = 80
"""The milliseconds from an edit until the drawing of thumbnails begins."""

TURN_MS = 2
"""The milliseconds for which thumbnails are drawn in one turn of the event loop.

With more, painting would stutter on a map of many layers.
"""

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

CORNERS_OF_SQUARE = 4
"""Only maps of squares have heights of corners."""


class LayerThumbnails(ThumbnailQueue):
    """Draws the layers of the current map whenever they change.

    The keys of the queue, and of its signal ``drawn``, are the ids of layers.
    """

    def __init__(
        self, document: MapDocument, current_theme: Callable[[], Theme], parent: QObject
    ) -> None:
        super().__init__(SIZE, KEPT_BYTES, TURN_MS, parent)
        self._document = document
        self._current_theme = current_theme
        self._sampler: Sampler | None = None
        """Tells the cell of each pixel on the grid that was drawn last; None before the first."""
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.draw_all)

    def set_ratio(self, ratio: float) -> None:
        """Draw for a screen with this device pixel ratio from now on (``draw_all`` follows)."""
        if ratio != self.ratio:
            self.ratio = ratio
            self._sampler = None

    def draw_all(self) -> None:
        """Draw every layer again soon, from the topmost down, as the list shows them."""
        self.clear()
        # The timer is not started again: else many quick edits would put the drawing off for long.
        self._waiting.clear()
        for layer in reversed(self._document.battlemap.layers):
            self.request(layer.id, layer.id, WAIT_MS)

    def _on_changed(self, region: Region) -> None:
        """Draw all layers again if an edit changed what a thumbnail shows."""
        changes_picture = region.everything or region.things or region.terrain_set
        if changes_picture or len(region.cells):
            self.draw_all()

    def draw_some(self) -> None:
        """Draw for one turn of the event loop; during a stroke wait for its end."""
        if self._document.in_stroke:
            self._timer.start(WAIT_MS)
        else:
            super().draw_some()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Draw the next layer that waits; return its id and picture, nothing if it is gone."""
        layer_id = next(iter(self._waiting))
        del self._waiting[layer_id]
        for layer in self._document.battlemap.layers:
            if layer.id == layer_id:
                return ((layer_id, self._draw(layer)),)
        return ()

    def _draw(self, layer: Layer) -> QPixmap:
        """Return the thumbnail of a layer."""
        grid = self._document.battlemap.grid
        if self._sampler is None or self._sampler.grid is not grid:
            self._sampler = Sampler.centred(grid, SIZE * self.ratio)
        pixels = self._colours(layer, self._sampler)
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32)
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self.ratio)
        return pixmap

    def _colours(self, layer: Layer, sampler: Sampler) -> NDArray[np.uint32]:
        """Return the colour (ARGB) of each pixel, shape (height, width).

        Each step draws over the ones before it: where a cell has a terrain, that hides its height.
        """
        cells = sampler.cells
        colours = np.full(cells.shape, UNSET.rgba(), np.uint32)
        self._add_corner_heights(colours, layer, cells)
        self._add_elevations(colours, layer, cells)
        self._add_hexsides(colours, layer, cells)
        self._add_terrains(colours, layer, cells)
        self._add_routes(colours, layer, cells)
        colours[cells < 0] = 0  # outside the grid
        self._add_things(colours, layer, sampler)
        return colours

    def _add_corner_heights(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add greys for heights of corners, which maps of 0 A.D. have."""
        battlemap = self._document.battlemap
        spec = battlemap.system.corner_heights
        if spec is None:
            return
        heights = layer.planes.get(spec.name)
        if heights is not None:
            greys = _greys(battlemap.grid, heights, spec, cells)
            is_set = greys != 0
            colours[is_set] = greys[is_set]

    def _add_elevations(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add greys by elevation, or the colour of hills if the style of the map has one."""
        system = self._document.battlemap.system
        values = _values_at(layer, system.elevation, cells)
        if values is None or system.elevation is None:
            return
        heights = values[..., 0]
        is_set = heights != system.elevation.unset
        hill = style_of(system).hill_colour(self._current_theme(), HILL_ELEVATION)
        if hill is not None:
            shades = np.where(heights > 0, hill.rgba(), UNSET.rgba()).astype(np.uint32)
        else:
            steps = np.clip(heights, LOWEST_GREY_ELEVATION, HIGHEST_GREY_ELEVATION)
            shades = _grey_colours(LEVEL_GREY + GREY_PER_ELEVATION * steps)
        colours[is_set] = shades[is_set]

    def _add_hexsides(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add to each cell the colour of one of its hexsides: of the one with the highest code.

        A side can be set to code 0, "no hexside": it then hides a hexside of lower layers, and adds
        no colour.
        """
        system = self._document.battlemap.system
        values = _values_at(layer, system.hexside, cells)
        if values is None or system.hexside is None:
            return
        side_codes = np.where(values == system.hexside.unset, 0, values)
        codes = side_codes.max(axis=2)
        hexsides = self._document.battlemap.terrain_set.hexsides
        table = [0, *(QColor(hexside.colour).rgba() for hexside in hexsides)]
        has_hexside = codes > 0
        colours[has_hexside] = _looked_up(table, codes)[has_hexside]

    def _add_terrains(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add the colours of the terrains; what is drawn before shows where none is set."""
        battlemap = self._document.battlemap
        spec = battlemap.system.terrain
        values = _values_at(layer, spec, cells)
        if values is None or spec is None:
            return
        theme = self._current_theme()
        table = [theme.terrain_colour(terrain).rgba() for terrain in battlemap.terrain_set.terrains]
        codes = values[..., 0]
        is_set = codes != spec.unset
        # The value for "not set" is no code of a terrain, and may be negative: code 0 replaces it.
        colours[is_set] = _looked_up(table, np.where(is_set, codes, 0))[is_set]

    def _add_routes(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add the colours of cells through which a route runs."""
        battlemap = self._document.battlemap
        system = battlemap.system
        theme = self._current_theme()
        for route in system.routes_of(battlemap.terrain_set):
            spec = system.plane(route.plane)
            values = _values_at(layer, spec, cells)
            if values is not None:
                codes = values[..., 0]
                has_route = route.runs(codes) & (codes != spec.unset)
                colours[has_route] = theme.route_cell_colour(route).rgba()

    def _add_things(self, colours: NDArray[np.uint32], layer: Layer, sampler: Sampler) -> None:
        """Add a dot for each thing of the layer, of about one logical pixel."""
        if not layer.things:
            return
        battlemap = self._document.battlemap
        arrays = layer.things.arrays()
        kinds = kinds_by_name(battlemap)
        height, width = colours.shape

        # The upper left pixel of each dot, so that its thing lies in its middle.
        dot_size = max(1, round(self.ratio))
        points = sampler.pixels_at(battlemap.grid.shown_points(arrays.points))
        left, top = np.floor(points - dot_size / 2 + 0.5).astype(np.intp).T
        is_inside = (left >= 0) & (top >= 0) & (left < width) & (top < height)

        # All things of one kind and owner have one colour: a loop over things would take too long.
        kinds_and_owners = set(zip(arrays.kinds.tolist(), arrays.owners.tolist(), strict=True))
        for kind_code, owner in sorted(kinds_and_owners):
            kind = kinds.get(arrays.kind_names[kind_code])
            colour = QColor(colour_of(kind, owner)).rgba()
            has_colour = is_inside & (arrays.kinds == kind_code) & (arrays.owners == owner)
            for right, down in np.ndindex(dot_size, dot_size):
                # A dot at the right or the lower edge is cut there.
                columns = np.minimum(left[has_colour] + right, width - 1)
                rows = np.minimum(top[has_colour] + down, height - 1)
                colours[rows, columns] = colour


def _values_at(layer: Layer, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> Plane | None:
    """Return the values of a plane at cells (height, width), shape (height, width, values a cell).

    A plane of sides has as many values a cell as the cell has sides, a plane of cells has one. None
    if the system has no such plane, or the layer sets nothing in it.
    """
    if spec is None:
        return None
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


def _greys(
    grid: Grid, heights: Plane, spec: PlaneSpec, cells: NDArray[np.intp]
) -> NDArray[np.uint32]:
    """Return a grey (ARGB) for each of ``cells``, light where the layer's heights are great.

    A cell is as high as its highest corner. 0, no grey at all, where no corner of the cell is set.
    """
    below_all = np.int64(-1) << 62  # an unset corner is lower than any height
    corners = corners_of(grid, cells.ravel())
    corner_heights = (
        heights.reshape(-1)[corners].reshape(*cells.shape, CORNERS_OF_SQUARE).astype(np.int64)
    )
    highest = np.where(corner_heights == spec.unset, below_all, corner_heights).max(axis=2)
    is_set = highest > below_all
    if not is_set.any():
        return np.zeros(cells.shape, np.uint32)
    lowest_cell = int(highest[is_set].min())
    highest_cell = int(highest[is_set].max())
    height_range = max(1, highest_cell - lowest_cell)  # 1 for level land: any grey will do
    above_lowest = np.where(is_set, highest - lowest_cell, 0)
    greys = _grey_colours(DARKEST_CORNER_GREY + above_lowest * CORNER_GREY_RANGE // height_range)
    return np.where(is_set, greys, 0).astype(np.uint32)


def _grey_colours(greys: NDArray[np.integer]) -> NDArray[np.uint32]:
    """Return opaque colours (ARGB) for numbers from 0, black, to 255, white."""
    red_green_blue = greys.astype(np.uint32) * np.uint32(0x010101)  # the same in all three bytes
    return red_green_blue | np.uint32(0xFF000000)
