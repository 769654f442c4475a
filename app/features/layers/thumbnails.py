"""A thumbnail of each layer alone: one sampled cell for each pixel, and a dot for each thing."""

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
"""Logical pixels."""

KEPT_BYTES = 1_000_000
"""The largest size of the thumbnails that are kept: those of 200 layers."""

WAIT_MS = 80
"""How long after an edit the thumbnails are drawn."""

TURN_MS = 2
"""How long they are drawn in one turn of the event loop."""

UNSET = QColor(128, 128, 128, 50)
"""The colour of cells on which the layer sets nothing."""


class LayerThumbnails(ThumbnailQueue):
    """Draws the layers of the current map whenever they change; keys are the ids of layers."""

    def __init__(
        self, document: MapDocument, current_theme: Callable[[], Theme], parent: QObject
    ) -> None:
        super().__init__(SIZE, KEPT_BYTES, TURN_MS, parent)
        self._document = document
        self._current_theme = current_theme
        self._sampler: Sampler | None = None
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.draw_all)

    def draw_all(self, ratio: float | None = None) -> None:
        """Draw every layer again soon, for this device pixel ratio (None: the one before)."""
        if ratio and ratio != self.ratio:
            self.ratio = ratio
            self._sampler = None
        self.clear()
        self._waiting.clear()  # the timer goes on: a row of edits does not put the drawing off
        for layer in reversed(self._document.battlemap.layers):
            self.request(layer.id, layer.id, WAIT_MS)

    def _on_changed(self, region: Region) -> None:
        changed = region.everything or region.things or region.terrain_set
        if changed or len(region.cells):
            self.draw_all()

    def draw_some(self) -> None:
        """Draw for one turn of the event loop, but nothing during a stroke."""
        if self._document.in_stroke:
            self._timer.start(WAIT_MS)
        else:
            super().draw_some()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        key = next(iter(self._waiting))
        del self._waiting[key]
        battlemap = self._document.battlemap
        layer = next((layer for layer in battlemap.layers if layer.id == key), None)
        if layer is None:
            return ()
        return ((key, self._draw(layer)),)

    def _draw(self, layer: Layer) -> QPixmap:
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

        Each step draws over the ones before it, so that terrain is seen before heights.
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
        """Add greys for heights of corners, as maps of 0 A.D. have them."""
        battlemap = self._document.battlemap
        spec = battlemap.system.corner_heights
        heights = None if spec is None else layer.planes.get(spec.name)
        if spec is not None and heights is not None:
            greys = _greys(battlemap.grid, heights, spec, cells)
            colours[:] = np.where(greys, greys, colours)

    def _add_elevations(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add the colour of hills where the system has one, else greys by height."""
        system = self._document.battlemap.system
        values = _values_at(layer, system.elevation, cells)
        if values is None or system.elevation is None:
            return
        heights = values[..., 0]
        is_set = heights != system.elevation.unset
        hill = style_of(system).hill_colour(self._current_theme(), 2)
        if hill is not None:
            shades = np.where(heights > 0, hill.rgba(), UNSET.rgba()).astype(np.uint32)
        else:
            grey = (96 + 20 * np.clip(heights, -4, 7)).astype(np.uint32)
            shades = grey * np.uint32(0x010101) | np.uint32(0xFF000000)
        colours[is_set] = shades[is_set]

    def _add_hexsides(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add to each cell the colour of one of its hexsides; a side set to "none" has none."""
        system = self._document.battlemap.system
        values = _values_at(layer, system.hexside, cells)
        if values is None or system.hexside is None:
            return
        codes = np.where(values == system.hexside.unset, 0, values).max(axis=2)
        hexsides = self._document.battlemap.terrain_set.hexsides
        table = [0, *(QColor(hexside.colour).rgba() for hexside in hexsides)]
        has_hexside = codes > 0
        colours[has_hexside] = _looked_up(table, codes)[has_hexside]

    def _add_terrains(
        self, colours: NDArray[np.uint32], layer: Layer, cells: NDArray[np.intp]
    ) -> None:
        """Add the colours of the terrains."""
        battlemap = self._document.battlemap
        spec = battlemap.system.terrain
        values = _values_at(layer, spec, cells)
        if values is None or spec is None:
            return
        theme = self._current_theme()
        table = [theme.terrain_colour(terrain).rgba() for terrain in battlemap.terrain_set.terrains]
        codes = values[..., 0]
        is_set = codes != spec.unset
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
                runs = route.runs(codes) & (codes != spec.unset)
                colours[runs] = theme.route_cell_colour(route).rgba()

    def _add_things(self, colours: NDArray[np.uint32], layer: Layer, sampler: Sampler) -> None:
        """Add a dot of a logical pixel for each thing of the layer."""
        if not layer.things:
            return
        battlemap = self._document.battlemap
        arrays = layer.things.arrays()
        kinds = kinds_by_name(battlemap)
        height, width = colours.shape
        side = max(1, round(self.ratio))
        points = sampler.pixels_at(battlemap.grid.shown_points(arrays.points))
        x, y = np.floor(points - side / 2 + 0.5).astype(np.intp).T
        is_inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        # All things of one kind and owner have one colour: a loop over things would take too long.
        looks = set(zip(arrays.kinds.tolist(), arrays.owners.tolist(), strict=True))
        for code, owner in sorted(looks):
            colour = QColor(colour_of(kinds.get(arrays.kind_names[code]), owner)).rgba()
            has_look = is_inside & (arrays.kinds == code) & (arrays.owners == owner)
            for right, down in np.ndindex(side, side):
                columns = np.minimum(x[has_look] + right, width - 1)
                rows = np.minimum(y[has_look] + down, height - 1)
                colours[rows, columns] = colour


def _values_at(layer: Layer, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> Plane | None:
    """Return the values of a plane at cells (height, width), shape (height, width, values a cell).

    None if the system has no such plane, or the layer sets nothing in it.
    """
    plane = None if spec is None else layer.planes.get(spec.name)
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

    A cell is as high as its highest corner. 0 where no corner of the cell is set.
    """
    below_all = np.int64(-1) << 62
    corners = corners_of(grid, cells.ravel())
    corner_heights = heights.reshape(-1)[corners].reshape(*cells.shape, 4).astype(np.int64)
    highest = np.where(corner_heights == spec.unset, below_all, corner_heights).max(axis=2)
    is_set = highest > below_all
    if not is_set.any():
        return np.zeros(cells.shape, np.uint32)
    least = int(highest[is_set].min())
    most = int(highest[is_set].max())
    # From dark grey to nearly white, whatever the heights are: shapes are to be seen.
    grey = 70 + np.where(is_set, highest - least, 0) * 160 // max(1, most - least)
    return np.where(is_set, grey * 0x010101 + 0xFF000000, 0).astype(np.uint32)
