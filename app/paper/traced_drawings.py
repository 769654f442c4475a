"""Draws maps to be compared with a picture that is traced, by the program's own pictures.

A tracing (``app.paper.tracing``, which decides what is drawn) guesses the terrains of some cells,
draws a map with them, and looks whether those cells look like the picture, again and again::

    renderer = MapRenderer(battlemap, pixels=56.0)
    view = renderer.draw(grid, terrains, elevations, cells)
    view.colours(cells)              # what the guesses look like

Only few cells of each map are looked at. So a renderer is quick by what it leaves out: pieces that
are not seen in those cells (partial_painter.py), the rest of the picture, which is not even
cleared; and by what it keeps from map to map: images of pieces, and the memory of the picture.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.paper.bitmaps import image_size, paint_strip
from app.paper.detail import Detail
from app.paper.map_drawing import vector_map
from app.paper.page_plan import Box
from app.paper.partial_painter import PartialPainter
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.render.vector.vector_map import VectorMap
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.records.assets import MAX_SIDE
from randomizer.tracing.alignment import own_placement
from randomizer.tracing.appearance import CELL_PIXELS, View

BARE = replace(ON_PAPER, labels=False, thing_names=False)
"""The overlays of drawings that are compared with a picture: none of their texts."""


class MapRenderer:
    """Draws maps of the system and terrain set of a map.

    Its method ``draw`` is a ``Draw`` of ``randomizer.tracing``.

    ``pixels`` is how many lie across a cell. Drawings of more pixels than are needed to recognise
    terrains are made smaller, as the picture is that they are compared with (``View.of``), unless
    they ``keep_size``: then they are compared with a picture of our own, pixel by pixel.
    """

    def __init__(self, battlemap: BattleMap, pixels: float, *, keep_size: bool = False) -> None:
        self._battlemap = battlemap
        self._request = PictureRequest(pixels=pixels, overlays=BARE)
        self._keep_size = keep_size
        self._scales: dict[float, _ScaleCache] = {}
        """What is kept for maps of one scale, by the scale in pixels a map unit."""
        self._pixels = np.zeros((0, 0, 4), np.uint8)
        """The pixels that were drawn last, (height, width, 4); the last view may share them.

        A copy for each view would take longer than to draw a few cells. A ``Draw`` may do so: its
        views are valid until the next drawing.
        """

    def draw(
        self,
        grid: Grid,
        terrains: NDArray[np.intp],
        elevations: NDArray[np.intp],
        cells: NDArray[np.intp],
    ) -> View:
        """Return the view of a map of these terrains (size,) and elevations (size,).

        Only ``cells`` (n,) have to be drawn. The next call draws into the same pixels: a view must
        not be used after it.
        """
        drawn_map = self._map_of(grid, terrains, elevations)
        composite = drawn_map.composite()
        box = self._request.box(drawn_map, composite)
        requested_unit = self._request.pixels_per_unit(self._battlemap.grid.layout)
        unit = min(requested_unit, MAX_SIDE / max(box.width, box.height))
        if unit not in self._scales:
            self._scales[unit] = _ScaleCache(self._request, unit)
        prepared_map = self._scales[unit].vector_map(drawn_map, composite, cells)
        pixels = self._paint(prepared_map, box, unit)
        return self._view_of(grid, pixels)

    def _map_of(
        self, grid: Grid, terrains: NDArray[np.intp], elevations: NDArray[np.intp]
    ) -> BattleMap:
        """Return a map with these terrains and elevations."""
        system = self._battlemap.system
        layer = Layer(1, "")
        for spec, values in ((system.terrain, terrains), (system.height, elevations)):
            if spec is not None:
                layer.planes[spec.name] = values.astype(spec.dtype).reshape(spec.shape(grid))
        return BattleMap.new(
            system, grid, [layer], self._battlemap.terrain_set, self._battlemap.assets
        )

    def _paint(self, prepared_map: VectorMap, box: Box, unit: float) -> NDArray[np.uint8]:
        """Draw a map over the one before, and return its pixels, (height, width, 4).

        What was drawn before is not cleared, which would take longer than to draw a few cells: the
        ground of a cell covers all that was there.
        """
        width, height = image_size(box, unit)
        if self._pixels.shape[:2] != (height, width):
            self._pixels = np.zeros((height, width, 4), np.uint8)
        image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        detail = Detail.of_picture(box, unit)
        for _ in paint_strip(image, prepared_map, box, unit, 0, detail=detail):
            pass  # a drawing is one step of a tracing
        return self._pixels

    def _view_of(self, grid: Grid, pixels: NDArray[np.uint8]) -> View:
        """Return the view of the pixels (height, width, 4) of a map, made smaller if need be."""
        height, width, _channels = pixels.shape
        placement = own_placement(width, height, grid)
        assert placement is not None, "the picture is ours"
        factor = max(1, math.floor(placement.pixels_across(grid.layout) / CELL_PIXELS))
        if self._keep_size or factor == 1:
            return View(grid, placement, _rgb(pixels))
        return View(grid, placement.shrunken(factor), _shrunken(pixels, factor))


class _ScaleCache:
    """What is kept for all maps at one scale, in pixels a map unit."""

    def __init__(self, request: PictureRequest, unit: float) -> None:
        self._request = request
        self._painter = PartialPainter(unit)
        """It keeps the images of pieces that it has painted."""
        self._last_map: VectorMap | None = None
        """The map that was drawn last, which has the pieces; None before the first."""

    def vector_map(
        self, battlemap: BattleMap, composite: Composite, cells: NDArray[np.intp]
    ) -> VectorMap:
        """Return a map to be drawn now; of its pieces those are drawn that ``cells`` (n,) show.

        A later call changes the cells: a map is drawn before the next one is asked for.
        """
        if self._last_map is None:
            self._last_map = vector_map(self._request, battlemap, composite, self._painter)
        else:
            self._last_map = self._last_map.of_map(battlemap, composite)
        self._painter.choose_cells(battlemap.grid, cells)
        return self._last_map


def _rgb(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return red, green and blue of ``pixels`` (height, width, 4), which share their memory."""
    return pixels[:, :, 2::-1]  # Qt's order in memory is blue, green, red


def _shrunken(pixels: NDArray[np.uint8], factor: int) -> NDArray[np.float32]:
    """Return ``pixels`` (height, width, 4) made smaller: red, green and blue, (height, width, 3).

    Each pixel is about the mean of ``factor`` x ``factor``. Qt takes a tenth of the time that
    ``placement.shrunken`` takes, but rounds means down.
    """
    height, width = (side // factor for side in pixels.shape[:2])
    # Without the last rows and columns that make no whole pixel.
    bytes_of_row = pixels.strides[0]
    image = QImage(
        pixels.data, width * factor, height * factor, bytes_of_row, QImage.Format.Format_RGB32
    )
    small_image = image.scaled(
        width,
        height,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    small_pixels = np.frombuffer(small_image.constBits(), np.uint8).reshape(height, width, 4)
    # Qt cuts off the fraction of each mean. That of the mean of n values is one of 0, 1/n, 2/n, ...
    # (n - 1)/n, so that (n - 1)/n / 2 is lost on average: 3/8 of a level for a factor of 2.
    count = factor**2
    lost_by_rounding = (count - 1) / count / 2
    return np.asarray(_rgb(small_pixels) + np.float32(lost_by_rounding), np.float32)
