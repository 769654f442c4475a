"""Draws maps to be compared with a picture that is traced, by the program's own pictures.

``drawn_kinds_of`` a map are samples of its terrains; ``drawing_to_compare`` draws guesses. Both
draw with a ``MapDrawing``, which is quick for many drawings of which only few cells are looked at.
``app.paper.tracing`` decides what to draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.paper.bitmaps import image_size, paint_strip
from app.paper.map_drawing import Detail, text_scale, vector_map
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.render.cell_geometry import cell_box
from app.render.cell_values.cell_colours import HIGHEST
from app.render.pictures.ground_phase import MARGIN
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces
from app.render.vector.piece_painter import PiecePainter
from app.render.vector.vector_map import VectorMap
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.records.assets import MOST_SIDE
from randomizer.tracing.alignment import own_placement
from randomizer.tracing.appearance import CELL_PIXELS, View, points_of
from randomizer.tracing.drawing_comparison import Drawing
from randomizer.tracing.kinds import Kinds, drawn_kinds
from randomizer.tracing.placement import Placement

DRAWN_PIXELS = 56.0
"""Maps are drawn with at most so many pixels across a cell, to be compared with a picture."""

BARE = replace(ON_PAPER, labels=False, thing_names=False)
"""The overlays of drawings that are compared with a picture: none of their texts."""

SQUARES = 4
"""The number of squares a map unit that tell where a map is looked at.

With more of them a few more pieces are left out, but they take longer to count.
"""

BLUR = 0.1
"""The distance of the farthest pixel that counts for a colour between pixels, in map units."""

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
    draw = MapDrawing(battlemap, CELL_PIXELS)
    return drawn_kinds(battlemap.grid.layout, terrains, elevations or [0], draw)


def drawing_to_compare(
    battlemap: BattleMap, picture: NDArray[np.uint8], placement: Placement, view: View
) -> Drawing:
    """Return how to draw guesses like a picture that may be one of ours.

    If the grid lies in the picture just as in one of this size that we export, it is one of ours:
    then guesses are drawn with its very pixels, and it is compared as it is. Otherwise they are
    drawn at about its size, and compared with ``view``, the picture made small.
    """
    grid = battlemap.grid
    pixels_across = placement.pixels_across(grid.layout)
    height, width, _channels = picture.shape
    exported = own_placement(width, height, grid)
    if exported is not None and np.allclose(exported.values, placement.values, atol=SAME_PIXELS):
        draw = MapDrawing(battlemap, pixels_across, is_exact=True)
        return Drawing(draw, View(grid, exported, picture))
    return Drawing(MapDrawing(battlemap, min(DRAWN_PIXELS, pixels_across)), view)


class MapDrawing:
    """Draws maps of the system and terrain set of a map; a ``Draw`` of ``randomizer.tracing``.

    ``pixels`` is how many lie across a cell. ``is_exact``: views have the pixels of our picture of
    this size; otherwise pictures are made smaller where that is enough to recognise terrains
    (``View.of``).
    """

    def __init__(self, battlemap: BattleMap, pixels: float, *, is_exact: bool = False) -> None:
        self._battlemap = battlemap
        self._request = PictureRequest(pixels=pixels, overlays=BARE)
        self._is_exact = is_exact
        self._painters: dict[float, _PainterOfSomeCells] = {}
        """The painters by their scale (pixels a map unit), which keep the images of pieces."""
        self._vector_maps: dict[float, VectorMap] = {}
        """The maps that were drawn last, by their scale: they have the pieces."""
        self._pixels = np.zeros((0, 0, 4), np.uint8)
        """The pixels that were drawn last, (height, width, 4); views can share them."""

    def __call__(
        self,
        grid: Grid,
        terrains: NDArray[np.intp],
        elevations: NDArray[np.intp],
        cells: NDArray[np.intp],
    ) -> View:
        """Return the view of a map of these terrains (size,) and elevations (size,).

        Only ``cells`` (n,) have to be drawn.
        """
        drawn_map = self._map_of(grid, terrains, elevations)
        composite = drawn_map.composite()
        box = self._request.box(drawn_map, composite)
        requested_unit = self._request.pixels_per_unit(self._battlemap.grid.layout)
        unit = min(requested_unit, MOST_SIDE / max(box.width, box.height))
        vector_map_of_scale = self._vector_map(drawn_map, composite, unit)
        self._painters[unit].choose_cells(grid, cells)
        width, height = image_size(box, unit)
        placement = own_placement(width, height, grid)
        assert placement is not None, "the picture is ours"

        pixels = self._pixels_of_size(width, height)
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        detail = Detail(text_scale(box, unit), cells=unit)
        for _ in paint_strip(image, vector_map_of_scale, box, unit, 0, detail=detail):
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

    def _vector_map(self, drawn_map: BattleMap, composite: Composite, unit: float) -> VectorMap:
        """Return a map to be drawn; pieces are worked out and painted once for all of a scale."""
        if unit not in self._painters:
            painter = _PainterOfSomeCells(unit)
            self._painters[unit] = painter
            self._vector_maps[unit] = vector_map(self._request, drawn_map, composite, painter)
        self._vector_maps[unit] = self._vector_maps[unit].of_map(drawn_map, composite)
        return self._vector_maps[unit]


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
    # What rounding down takes away in the mean: of quarters 0, 1/4, 1/2 and 3/4.
    lost_by_rounding = (1 - 1 / times**2) / 2
    return np.asarray(_rgb(small_pixels) + np.float32(lost_by_rounding), np.float32)


class _PainterOfSomeCells(PiecePainter):
    """A painter of pieces that leaves out those that are not seen in any chosen cell.

    A cell is looked at in points (``appearance.points_of``). The map is divided into small squares,
    and a *summed area table* says how many squares with such points lie in any box of them, by the
    numbers at its four corners: so it is quickly told of many pieces whether their boxes have any.
    """

    def __init__(self, unit: float) -> None:
        super().__init__(unit)
        self._grid: Grid | None = None
        """The grid of the map that is drawn; None until cells are chosen."""
        self._cell_box = QRectF()
        """The box around the ground of a cell at (0, 0), in map units."""
        self._is_chosen = np.zeros(0, np.bool_)
        """Which cells are chosen, (size,)."""
        self._left_top = np.zeros(2)
        """The corner of the first square, in map units."""
        self._sums = np.zeros((1, 1), np.intp)
        """How many squares with points lie above and to the left of each corner of squares."""
        self._reaches: dict[object, _Reach] = {}
        """Where pieces are seen, by their keys."""

    def choose_cells(self, grid: Grid, cells: NDArray[np.intp]) -> None:
        """Draw from now on a map with this grid, and of it what is seen in ``cells`` (n,)."""
        self._grid = grid
        self._cell_box = cell_box(grid.layout, MARGIN)
        self._is_chosen = np.zeros(grid.size, np.bool_)
        self._is_chosen[cells] = True

        left, top, right, bottom = grid.bounds
        self._left_top = np.array((left, top))
        shape = math.ceil((bottom - top) * SQUARES), math.ceil((right - left) * SQUARES)
        points_of_cell, _weights = points_of(grid.layout)
        points = grid.centres_of(cells)[:, None] + points_of_cell
        columns, rows = np.floor((points - self._left_top) * SQUARES).astype(np.intp).T
        has_points = np.zeros(shape, np.intp)
        has_points[rows, columns] = 1
        self._sums = np.pad(has_points.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))

    def lay(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw the pieces of a batch that are seen in a chosen cell.

        ``at`` (n, 2) are their places, in map units.
        """
        assert self._grid is not None, "cells have been chosen"
        numbers, index_of_row = np.unique(batch.piece_of, return_inverse=True)
        reaches = [self._reach_of(pieces[number]) for number in numbers.tolist()]
        box_ends = np.array([reach.box_ends for reach in reaches])[index_of_row]
        stays_in_cell = np.array([reach.stays_in_cell for reach in reaches])[index_of_row]
        is_seen = self._has_points(np.tile(at, 2) + box_ends)
        is_seen &= ~stays_in_cell | self._is_chosen[self._grid.cells_at(at)]
        if is_seen.any():
            seen_batch = batch._replace(piece_of=batch.piece_of[is_seen], rows=batch.rows[is_seen])
            yield from super().lay(painter, pieces, seen_batch, at[is_seen])

    def _has_points(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether each of ``boxes`` (n, 4: left, top, right, bottom) may have points."""
        first_squares = np.floor((boxes[:, :2] - self._left_top) * SQUARES).astype(np.intp)
        end_squares = np.ceil((boxes[:, 2:] - self._left_top) * SQUARES).astype(np.intp)
        row_count, column_count = self._sums.shape
        left, top = first_squares.T.clip(0, [[column_count - 1], [row_count - 1]])
        right, bottom = end_squares.T.clip(0, [[column_count - 1], [row_count - 1]])
        sums = self._sums
        count = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return np.asarray(count > 0)

    def _reach_of(self, piece: Piece) -> _Reach:
        """Return where a piece is seen."""
        reach = self._reaches.get(piece.key)
        if reach is None:
            box = piece.box.adjusted(-BLUR, -BLUR, BLUR, BLUR)
            # Grounds, and what else is clipped by a part of its own cell. Their soft edges reach
            # a little farther, but into less than a twentieth of a neighbour's points.
            stays_in_cell = piece.clip is not None and self._cell_box.contains(piece.box)
            box_ends = (box.left(), box.top(), box.right(), box.bottom())
            reach = _Reach(box_ends, stays_in_cell)
            self._reaches[piece.key] = reach
        return reach


class _Reach(NamedTuple):
    """Where a piece is seen whose place is (0, 0)."""

    box_ends: tuple[float, float, float, float]
    """Its left, upper, right and lower end, in map units."""

    stays_in_cell: bool
    """True if it is seen in no other cell than its own."""
