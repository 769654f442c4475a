"""Draws maps to be compared with a picture that is traced, by the program's own pictures.

``drawn_kinds_of`` a map are samples of its terrains; ``drawing_to_compare`` draws guesses. Both
draw with a ``MapRenderer``, which is quick for many maps of which only few cells are looked at: it
keeps what can serve the next map (``_CachedScale``), and leaves out what is not seen in those cells
(partial_painter.py). ``app.paper.tracing`` decides what to draw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.paper.bitmaps import image_size, paint_strip
from app.paper.map_drawing import Detail, text_scale, vector_map
from app.paper.partial_painter import PartialPainter
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.render.cell_values.cell_colours import HIGHEST
from app.render.vector.vector_map import VectorMap
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.records.assets import MOST_SIDE
from randomizer.tracing.alignment import own_placement
from randomizer.tracing.appearance import CELL_PIXELS, View
from randomizer.tracing.drawing_comparison import Drawing
from randomizer.tracing.kinds import Kinds, drawn_kinds
from randomizer.tracing.placement import Placement

DRAWN_PIXELS = 56.0
"""Maps are drawn with at most so many pixels across a cell, to be compared with a picture."""

BARE = replace(ON_PAPER, labels=False, thing_names=False)
"""The overlays of drawings that are compared with a picture: none of their texts."""

SAME_PIXELS = 0.01
"""Placements that differ so little, in pixels, are the same."""

LOWEST_TRACED = -2
"""Terrains are not looked for at lower elevations; nor above ``HIGHEST``, which all look alike."""


def drawn_kinds_of(battlemap: BattleMap) -> Kinds:
    """Return drawn samples of all terrains of a map, at its usual elevations."""
    elevations = [0]
    if battlemap.system.height is not None:
        elevations = [
            elevation
            for elevation in battlemap.terrain_set.elevations
            if LOWEST_TRACED <= elevation <= HIGHEST
        ]
    terrains = []
    for code, terrain in enumerate(battlemap.terrain_set.terrains):
        if not terrain.missing:
            terrains.append(code)
    if not elevations:  # all of them are too low or too high
        elevations = [0]
    renderer = MapRenderer(battlemap, CELL_PIXELS)
    return drawn_kinds(battlemap.grid.layout, terrains, elevations, renderer.draw)


def drawing_to_compare(
    battlemap: BattleMap, picture: NDArray[np.uint8], placement: Placement, view: View
) -> Drawing:
    """Return how to draw guesses like a picture that may be one of ours.

    If the grid lies in the picture just as in one of this size that we export, it is one of ours:
    then guesses are drawn at the resolution of the picture, which is compared unscaled. Otherwise
    guesses are drawn at about the size of the picture, and compared with ``view``, the picture made
    small.
    """
    grid = battlemap.grid
    pixels_across = placement.pixels_across(grid.layout)
    height, width, _channels = picture.shape
    exported = own_placement(width, height, grid)
    if exported is not None and np.allclose(exported.values, placement.values, atol=SAME_PIXELS):
        exact_renderer = MapRenderer(battlemap, pixels_across, is_exact=True)
        return Drawing(exact_renderer.draw, View(grid, exported, picture))
    renderer = MapRenderer(battlemap, min(DRAWN_PIXELS, pixels_across))
    return Drawing(renderer.draw, view)


@dataclass
class _CachedScale:
    """What serves all drawings at one scale, in pixels a map unit."""

    painter: PartialPainter
    """It keeps the images of pieces that it has painted."""

    vector_map: VectorMap
    """The map that was drawn last, which has the pieces."""


class MapRenderer:
    """Draws maps of the system and terrain set of a map.

    Its method ``draw`` is a ``Draw`` of ``randomizer.tracing``.

    ``pixels`` is how many lie across a cell. ``is_exact``: views have the pixels of our picture of
    this size; otherwise pictures are made smaller where that is enough to recognise terrains
    (``View.of``).
    """

    def __init__(self, battlemap: BattleMap, pixels: float, *, is_exact: bool = False) -> None:
        self._battlemap = battlemap
        self._request = PictureRequest(pixels=pixels, overlays=BARE)
        self._is_exact = is_exact
        self._cached_scales: dict[float, _CachedScale] = {}
        """What was drawn last, by its scale in pixels a map unit."""
        self._pixels = np.zeros((0, 0, 4), np.uint8)
        """The pixels that were drawn last, (height, width, 4); the last view may share them."""

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
        unit = min(requested_unit, MOST_SIDE / max(box.width, box.height))
        cached_scale = self._cached_scale(drawn_map, composite, unit)
        cached_scale.painter.choose_cells(grid, cells)
        width, height = image_size(box, unit)
        placement = own_placement(width, height, grid)
        assert placement is not None, "the picture is ours"

        pixels = self._pixels_of_size(width, height)
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        detail = Detail(text_scale(box, unit), cells=unit)
        for _ in paint_strip(image, cached_scale.vector_map, box, unit, 0, detail=detail):
            pass  # a drawing is one step of a tracing
        times = max(1, math.floor(placement.pixels_across(grid.layout) / CELL_PIXELS))
        if self._is_exact or times == 1:
            return View(grid, placement, _rgb(pixels))
        return View(grid, placement.shrunken(times), _shrunken(pixels, times))

    def _pixels_of_size(self, width: int, height: int) -> NDArray[np.uint8]:
        """Return the array to draw in, (height, width, 4), with what was drawn in it before.

        It need not be cleared, which would take longer than to draw a few cells: the ground of a
        cell covers all that was there.
        """
        if self._pixels.shape[:2] != (height, width):
            self._pixels = np.zeros((height, width, 4), np.uint8)
        return self._pixels

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

    def _cached_scale(
        self, drawn_map: BattleMap, composite: Composite, unit: float
    ) -> _CachedScale:
        """Return what draws a map at a scale; its pieces are worked out and painted once.

        It is remembered for the next map.
        """
        drawing = self._cached_scales.get(unit)
        if drawing is None:
            painter = PartialPainter(unit)
            new_vector_map = vector_map(self._request, drawn_map, composite, painter)
            drawing = _CachedScale(painter, new_vector_map)
            self._cached_scales[unit] = drawing
        else:
            drawing.vector_map = drawing.vector_map.of_map(drawn_map, composite)
        return drawing


def _rgb(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return red, green and blue of ``pixels`` (height, width, 4), which share their memory."""
    return pixels[:, :, 2::-1]  # Qt's order in memory is blue, green, red


def _shrunken(pixels: NDArray[np.uint8], times: int) -> NDArray[np.float32]:
    """Return ``pixels`` (height, width, 4) made smaller: red, green and blue, (..., 3).

    Each pixel is about the mean of ``times`` x ``times``. Qt takes a tenth of the time that
    ``placement.shrunken`` takes, but rounds means down.
    """
    height, width = (side // times for side in pixels.shape[:2])
    # Without the last rows and columns that make no whole pixel.
    bytes_of_row = pixels.strides[0]
    image = QImage(
        pixels.data, width * times, height * times, bytes_of_row, QImage.Format.Format_RGB32
    )
    small_image = image.scaled(
        width,
        height,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    small_pixels = np.frombuffer(small_image.constBits(), np.uint8).reshape(height, width, 4)
    # The mean of n = times² values is cut by 0 to (n - 1) / n, which is (1 - 1/n) / 2 on average.
    lost_by_rounding = (1 - 1 / times**2) / 2
    return np.asarray(_rgb(small_pixels) + np.float32(lost_by_rounding), np.float32)
