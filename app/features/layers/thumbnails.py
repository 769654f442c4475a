"""A thumbnail of each layer alone: one sampled cell for each pixel, and a dot for each thing."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QColor, QImage, QPixmap

from app.qt_guard import connect
from app.render.scene.things.things import colour_of
from app.render.style import style_of
from app.render.theme import Theme
from app.render.thumbnails.sampler import Sampler
from app.render.thumbnails.thumbnail_queue import ThumbnailQueue
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Grid
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Place, Plane, PlaneSpec

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

        That of the layer's route or terrain; else of its hexsides; else of its heights.
        """
        cells = sampler.cells
        system = self._document.battlemap.system
        theme = self._current_theme()
        colours = np.full(cells.shape, UNSET.rgba(), np.uint32)
        terrain_set = self._document.battlemap.terrain_set
        terrains = terrain_set.terrains
        hexsides = terrain_set.hexsides
        tables = {
            system.terrain: [theme.terrain_colour(terrain).rgba() for terrain in terrains],
            system.hexside: [0, *(QColor(hexside.colour).rgba() for hexside in hexsides)],
        }
        if system.corner_heights:
            heights = layer.planes.get(system.corner_heights.name)
        else:
            heights = None
        if system.corner_heights is not None and heights is not None:
            greys = _greys(self._document.battlemap.grid, heights, system.corner_heights, cells)
            colours = np.where(greys, greys, colours)
        hill = style_of(system).hill_colour(theme, 2)
        for spec in (system.elevation, system.hexside, system.terrain):
            if spec is None:
                values = None
            else:
                values = layer.planes.get(spec.name)
            if spec is None or values is None:
                continue
            is_elevation = spec is system.elevation
            values_there = values.reshape(len(values) * len(values[0]), -1)[cells]
            is_set = values_there != spec.unset
            if not is_elevation:
                values_there = np.where(is_set, values_there, 0).max(axis=2)
            else:
                values_there = values_there[..., 0]
            is_set = is_set.any(axis=2) & ((values_there > 0) | (spec.place is not Place.SIDE))
            if is_elevation and hill is not None:
                shades = np.where(values_there > 0, hill.rgba(), UNSET.rgba()).astype(np.uint32)
            elif not is_elevation:
                table = np.array(tables[spec], np.uint32)
                shades = table[np.minimum(values_there, len(table) - 1)]
            else:
                grey = (96 + 20 * np.clip(values_there, -4, 7)).astype(np.uint32)
                shades = grey * np.uint32(0x010101) | np.uint32(0xFF000000)
            colours = np.where(is_set, shades, colours)
        for route in system.routes_of(terrain_set):
            values = layer.planes.get(route.plane)
            if values is not None:
                values_there = values.ravel()[cells]
                runs = route.runs(values_there) & (values_there != system.plane(route.plane).unset)
                colours[runs] = theme.route_cell_colour(route).rgba()
        colours[cells < 0] = 0
        self._add_things(colours, layer, sampler)
        return colours

    def _add_things(self, colours: NDArray[np.uint32], layer: Layer, sampler: Sampler) -> None:
        """Add a dot of a logical pixel for each thing of the layer."""
        battlemap = self._document.battlemap
        arrays = layer.things.arrays()
        side = max(1, round(self.ratio))
        kinds = kinds_by_name(battlemap) if layer.things else {}
        at = sampler.pixels_at(battlemap.grid.shown_points(arrays.points))
        x, y = np.floor(at - side / 2 + 0.5).astype(np.intp).T
        inside = (x >= 0) & (y >= 0) & (x < colours.shape[1]) & (y < colours.shape[0])
        pairs = set(zip(arrays.kinds.tolist(), arrays.owners.tolist(), strict=True))
        for code, owner in sorted(pairs):
            colour = QColor(colour_of(kinds.get(arrays.kind_names[code]), owner)).rgba()
            these = np.flatnonzero(inside & (arrays.kinds == code) & (arrays.owners == owner))
            for right, down in np.ndindex(side, side):
                columns = np.minimum(x[these] + right, colours.shape[1] - 1)
                colours[np.minimum(y[these] + down, colours.shape[0] - 1), columns] = colour


def _greys(
    grid: Grid, heights: Plane, spec: PlaneSpec, cells: NDArray[np.intp]
) -> NDArray[np.uint32]:
    """Return a grey (ARGB) for each of ``cells``, light where the layer's heights are great.

    0 where no corner of the cell is set.
    """
    corner_heights = heights.reshape(-1)[corners_of(grid, cells.ravel())].reshape(*cells.shape, 4)
    highest = np.where(
        corner_heights == spec.unset, np.int64(-1) << 62, corner_heights.astype(np.int64)
    ).max(axis=2)
    is_set = highest > np.int64(-1) << 62
    if not is_set.any():
        return np.zeros(cells.shape, np.uint32)
    least = int(highest[is_set].min())
    most = int(highest[is_set].max())
    grey = 70 + np.where(is_set, highest - least, 0) * 160 // max(1, most - least)
    return np.where(is_set, grey * 0x010101 + 0xFF000000, 0).astype(np.uint32)
