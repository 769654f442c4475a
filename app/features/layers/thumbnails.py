"""A thumbnail of each layer alone: one sampled cell for each pixel, and a dot for each thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPixmap

from app.qt_guard import connect
from app.render.overlays.thing_overlay import colour_of
from app.render.viewport import fitting
from randomizer.model.corners import corners_of
from randomizer.model.kinds_on_map import known_kinds
from randomizer.model.planes import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from app.document.document import MapDocument
    from app.render.theme import Theme
    from app.render.viewport import Viewport
    from randomizer.model.edit import Region
    from randomizer.model.grid import Grid
    from randomizer.model.layer import Layer
    from randomizer.model.planes import Plane, PlaneSpec

SIZE = QSize(36, 28)
"""Logical pixels."""

FINER = 64
"""The grid is fitted at a size larger by this, since a view has a least scale."""

WAIT_MS = 80
"""How long after an edit the thumbnails are drawn."""

TURN_MS = 2
"""How long they are drawn in one turn of the event loop."""

UNSET = QColor(128, 128, 128, 50)
"""The colour of cells on which the layer sets nothing."""


class LayerThumbnails(QObject):
    """Draws the layers of the map in front whenever they change, a few in each turn.

    ``drawn(int, QPixmap)``: the id of a layer and its thumbnail.
    """

    drawn = Signal(int, QPixmap)

    def __init__(
        self, document: MapDocument, current_theme: Callable[[], Theme], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._current_theme = current_theme
        self._ratio = 1.0
        self._places: tuple[Grid, float, NDArray[np.intp]] | None = None
        self._waiting: list[int] = []
        self._timer = QTimer(self, singleShot=True)
        connect(self._timer.timeout, self._draw_some)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.draw_all)

    def draw_all(self, ratio: float | None = None) -> None:
        """Draw every layer again soon, for this device pixel ratio (None: the one before)."""
        self._ratio = ratio or self._ratio
        self._waiting = [layer.id for layer in reversed(self._document.battlemap.layers)]
        if not self._timer.isActive():
            self._timer.start(WAIT_MS)

    def _on_changed(self, region: Region) -> None:
        changed = region.everything or region.things or region.terrain_set
        if changed or len(region.cells):
            self.draw_all()

    def _draw_some(self) -> None:
        if self._document.in_stroke:  # nothing else takes time during a stroke
            self._timer.start(WAIT_MS)
            return
        clock = QElapsedTimer()
        clock.start()
        layers = {layer.id: layer for layer in self._document.battlemap.layers}
        while self._waiting and clock.elapsed() < TURN_MS:
            layer = layers.get(self._waiting.pop(0))
            if layer is not None:
                self.drawn.emit(layer.id, self._draw(layer))
        if self._waiting:
            self._timer.start(0)

    def _draw(self, layer: Layer) -> QPixmap:
        grid = self._document.battlemap.grid
        if self._places is None or self._places[:2] != (grid, self._ratio):
            self._places = (grid, self._ratio, sampled(grid, SIZE * self._ratio))
        places = self._places[2]
        pixels = self._colours(layer, places)
        height, width = places.shape
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32)
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(self._ratio)
        return pixmap

    def _colours(self, layer: Layer, places: NDArray[np.intp]) -> NDArray[np.uint32]:
        """The colour (ARGB) of each pixel whose cell is in ``places``, shape (height, width).

        That of the layer's route or terrain; else of its hexsides; else of its heights.
        """
        system, theme = self._document.battlemap.system, self._current_theme()
        colours = np.full(places.shape, UNSET.rgba(), np.uint32)
        terrain_set = self._document.battlemap.terrain_set
        terrains, hexsides = terrain_set.terrains, terrain_set.hexsides
        tables = {
            system.terrain: [theme.terrain_colour(terrain).rgba() for terrain in terrains],
            system.hexside: [0, *(QColor(hexside.colour).rgba() for hexside in hexsides)],
        }
        heights = layer.planes.get(system.corner_heights.name) if system.corner_heights else None
        if system.corner_heights is not None and heights is not None:
            greys = _greys(self._document.battlemap.grid, heights, system.corner_heights, places)
            colours = np.where(greys, greys, colours)
        for spec in (system.elevation, system.hexside, system.terrain):
            values = None if spec is None else layer.planes.get(spec.name)
            if spec is None or values is None:
                continue
            is_elevation = spec is system.elevation
            here = values.reshape(len(values) * len(values[0]), -1)[places]
            is_set = here != spec.unset
            here = np.where(is_set, here, 0).max(axis=2) if not is_elevation else here[..., 0]
            is_set = is_set.any(axis=2) & ((here > 0) | (spec.place is not Place.SIDE))
            if is_elevation and terrain_set.contours:
                hill = theme.contour_colour(terrain_set, 2).rgba()
                found = np.where(here > 0, hill, UNSET.rgba()).astype(np.uint32)
            elif not is_elevation:
                table = np.array(tables[spec], np.uint32)
                found = table[np.minimum(here, len(table) - 1)]
            else:
                grey = (96 + 20 * np.clip(here, -4, 7)).astype(np.uint32)
                found = grey * np.uint32(0x010101) | np.uint32(0xFF000000)
            colours = np.where(is_set, found, colours)
        for route in system.routes:
            values = layer.planes.get(route.plane)
            if values is not None:
                here = values.ravel()[places]
                runs = route.runs(here) & (here != system.plane(route.plane).unset)
                colours[runs] = theme.route_cell_colour(route).rgba()
        colours[places < 0] = 0
        self._add_things(colours, layer)
        return colours

    def _add_things(self, colours: NDArray[np.uint32], layer: Layer) -> None:
        """Add a dot of a logical pixel for each thing of the layer."""
        battlemap = self._document.battlemap
        arrays, side = layer.things.arrays(), max(1, round(self._ratio))
        view = _view(battlemap.grid, SIZE * self._ratio)
        kinds = {kind.name: kind for kind in known_kinds(battlemap)} if layer.things else {}
        points = battlemap.grid.shown_points(arrays.points)
        at = (points * view.scale + (view.dx, view.dy)) / FINER
        x, y = np.floor(at - side / 2 + 0.5).astype(np.intp).T
        inside = (x >= 0) & (y >= 0) & (x < colours.shape[1]) & (y < colours.shape[0])
        pairs = set(zip(arrays.kinds.tolist(), arrays.owners.tolist(), strict=True))
        for code, owner in sorted(pairs):
            colour = QColor(colour_of(kinds.get(arrays.kind_names[code]), owner)).rgba()
            these = np.flatnonzero(inside & (arrays.kinds == code) & (arrays.owners == owner))
            for right, down in np.ndindex(side, side):
                columns = np.minimum(x[these] + right, colours.shape[1] - 1)
                colours[np.minimum(y[these] + down, colours.shape[0] - 1), columns] = colour


def _view(grid: Grid, size: QSize) -> Viewport:
    """The whole grid fitted into ``size``, ``FINER`` times larger."""
    return fitting(grid, (size * FINER).toSizeF())


def _greys(
    grid: Grid, heights: Plane, spec: PlaneSpec, places: NDArray[np.intp]
) -> NDArray[np.uint32]:
    """A grey (ARGB) for each cell of ``places``, light where the layer's heights are great.

    0 where no corner of the cell is set.
    """
    around = heights.reshape(-1)[corners_of(grid, places.ravel())].reshape(*places.shape, 4)
    highest = np.where(around == spec.unset, np.int64(-1) << 62, around.astype(np.int64)).max(
        axis=2
    )
    is_set = highest > np.int64(-1) << 62
    if not is_set.any():
        return np.zeros(places.shape, np.uint32)
    least, most = int(highest[is_set].min()), int(highest[is_set].max())
    grey = 70 + np.where(is_set, highest - least, 0) * 160 // max(1, most - least)
    return np.where(is_set, grey * 0x010101 + 0xFF000000, 0).astype(np.uint32)


def sampled(grid: Grid, size: QSize) -> NDArray[np.intp]:
    """The cell under each pixel of a picture of the whole grid, -1 off the map.

    Shape (height, width) of ``size``.
    """
    view = _view(grid, size)
    xs = ((np.arange(size.width()) + 0.5) * FINER - view.dx) / view.scale
    ys = ((np.arange(size.height()) + 0.5) * FINER - view.dy) / view.scale
    x, y = np.meshgrid(xs, ys)
    return grid.shown_cells_at(np.column_stack([x.ravel(), y.ravel()])).reshape(y.shape)
