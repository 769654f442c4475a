"""A painter that leaves out the pieces of a map that are not seen in a few chosen cells.

A tracing draws a map again and again to compare some of its cells with a picture. In each cell it
looks at a few points (``appearance.points_of``). So a piece need not be drawn if the box in which
it is seen has none of these points::

    choose_cells    the map is divided into small squares; those with points are counted
    draw_batch      of the pieces of a batch those are drawn whose boxes have such squares,
                    as far as they lie in the boxes of chosen cells

The squares in a box are counted by a *summed area table* (Crow 1984), which has for each corner of
squares how many of those above and to the left of it have points::

    0--------+-------+      squares in the box = D - B - C + A
    |        A-------B
    |        |  box  |
    +--------C-------D
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QRegion, QTransform

from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_box
from app.render.pictures.ground_phase import MARGIN
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces
from app.render.vector.piece_painter import ImagePiecePainter
from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import points_of

SQUARES_PER_UNIT = 4
"""The number of squares along a map unit.

With more of them a few more pieces are left out, but they take longer to count.
"""

MAX_CLIPPED_SHARE = 1 / 20
"""If a larger share of the cells of a map is chosen, pieces are drawn in their whole boxes.

It takes longer to clip the pieces to many cells than to copy what is seen of them in no cell.
"""

SMOOTHING_REACH = 0.1
"""The distance of the farthest pixel that counts for a colour between pixels, in map units."""


@dataclass(frozen=True)
class _ChosenCells:
    """The cells of a map that are looked at, and the squares with points in them."""

    grid: Grid

    cells: NDArray[np.intp]
    """These cells, (n,)."""

    ground_box: QRectF
    """The box around the ground of a cell at (0, 0), in map units."""

    is_chosen: NDArray[np.bool_]
    """True for the cells that are looked at, (size,)."""

    left_top: NDArray[np.float64]
    """The point (x, y) where the first square begins, in map units."""

    sums: NDArray[np.intp]
    """The summed area table, (rows + 1, columns + 1) of squares."""

    @classmethod
    def of(cls, grid: Grid, cells: NDArray[np.intp]) -> _ChosenCells:
        """Return these cells (n,) of a grid as those that are looked at."""
        is_chosen = np.zeros(grid.size, np.bool_)
        is_chosen[cells] = True

        left, top, right, bottom = grid.bounds
        left_top = np.array((left, top))
        row_count = math.ceil((bottom - top) * SQUARES_PER_UNIT)
        column_count = math.ceil((right - left) * SQUARES_PER_UNIT)
        points_of_cell, _weights = points_of(grid.layout)
        points = grid.centres_of(cells)[:, None] + points_of_cell
        columns, rows = np.floor((points - left_top) * SQUARES_PER_UNIT).astype(np.intp).T
        has_points = np.zeros((row_count, column_count), np.intp)
        has_points[rows, columns] = 1
        # Above the first row and left of the first column there is nothing: zeros.
        sums = np.pad(has_points.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        return cls(grid, cells, cell_box(grid.layout, MARGIN), is_chosen, left_top, sums)

    def region(self, transform: QTransform) -> QRegion | None:
        """Return the pixels in the boxes of the cells; None if these are too many to be clipped to.

        ``transform`` leads from map units to pixels; it neither turns nor shears.
        """
        if len(self.cells) > MAX_CLIPPED_SHARE * self.grid.size:
            return None
        box = transform.mapRect(cell_box(self.grid.layout)).toAlignedRect()
        unit = (transform.m11(), transform.m22())
        region = QRegion()
        for x, y in np.floor(self.grid.centres_of(self.cells) * unit).astype(int).tolist():
            # One pixel more to the right and below, for what ``floor`` has cut off.
            region += QRect(box.left() + x, box.top() + y, box.width() + 1, box.height() + 1)
        return region

    def have_points_in(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return whether each of ``boxes`` (n, 4: left, top, right, bottom) may have points."""
        sums = self.sums
        last_row = sums.shape[0] - 1
        last_column = sums.shape[1] - 1
        # The squares that a box touches: from the one of its left top to the end of the last one.
        first_squares = np.floor((boxes[:, :2] - self.left_top) * SQUARES_PER_UNIT).astype(np.intp)
        end_squares = np.ceil((boxes[:, 2:] - self.left_top) * SQUARES_PER_UNIT).astype(np.intp)
        left = first_squares[:, 0].clip(0, last_column)
        top = first_squares[:, 1].clip(0, last_row)
        right = end_squares[:, 0].clip(0, last_column)
        bottom = end_squares[:, 1].clip(0, last_row)
        count = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return np.asarray(count > 0)


class _Reach(NamedTuple):
    """The extent of a piece whose position is (0, 0)."""

    box_ends: tuple[float, float, float, float]
    """Its left, upper, right and lower end, in map units."""

    stays_in_cell: bool
    """True if it is seen in no other cell than its own."""


class _Clip(NamedTuple):
    """The part of an image that shows the chosen cells."""

    transform: QTransform
    """How the painter of the image leads from map units to pixels."""

    region: QRegion | None
    """The pixels; None for the whole image."""


class PartialPainter(ImagePiecePainter):
    """A painter of pieces that leaves out those that are not seen in any chosen cell.

    ``choose_cells`` is called before a map is drawn. All maps of one painter have one layout, since
    it remembers where pieces are seen.
    """

    def __init__(self, unit: float) -> None:
        super().__init__(unit)
        self._chosen_cells: _ChosenCells | None = None
        """The cells of the map that is drawn; None until ``choose_cells`` is called."""
        self._clip: _Clip | None = None
        """What the chosen cells were clipped to last; None if no map was drawn with them yet."""
        self._reaches: dict[object, _Reach] = {}
        """Where pieces are seen, by their keys; they serve all maps of the layout."""

    def choose_cells(self, grid: Grid, cells: NDArray[np.intp]) -> None:
        """Draw from now on a map with this grid, and of it what is seen in ``cells`` (n,)."""
        self._chosen_cells = _ChosenCells.of(grid, cells)
        self._clip = None

    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw the pieces of a batch that are seen in a chosen cell.

        ``points`` (n, 2) are their positions, in map units.
        """
        chosen_cells = self._chosen_cells
        assert chosen_cells is not None, "cells have been chosen"
        if not len(points):
            return
        # Each piece once, and for each row of the batch which of them it has.
        numbers, index_of_row = np.unique(batch.piece_of, return_inverse=True)
        reaches = [self._reach_of(pieces[number], chosen_cells) for number in numbers.tolist()]
        box_ends = np.array([reach.box_ends for reach in reaches])[index_of_row]
        stays_in_cell = np.array([reach.stays_in_cell for reach in reaches])[index_of_row]

        # (x, y, x, y) + (left, upper, right, lower end)
        is_seen = chosen_cells.have_points_in(np.tile(points, 2) + box_ends)
        is_in_chosen_cell = chosen_cells.is_chosen[chosen_cells.grid.cells_at(points)]
        is_seen &= ~stays_in_cell | is_in_chosen_cell
        if is_seen.any():
            seen_batch = batch._replace(piece_of=batch.piece_of[is_seen], rows=batch.rows[is_seen])
            with saved_state(painter):
                self._clip_to_cells(painter, chosen_cells)
                yield from super().draw_batch(painter, pieces, seen_batch, points[is_seen])

    def _clip_to_cells(self, painter: QPainter, chosen_cells: _ChosenCells) -> None:
        """Clip to the chosen cells, unless they are many: most pieces reach into others, too."""
        transform = painter.transform()
        if self._clip is None or self._clip.transform != transform:
            self._clip = _Clip(transform, chosen_cells.region(transform))
        if self._clip.region is not None:
            painter.resetTransform()
            painter.setClipRegion(self._clip.region)
            painter.setTransform(transform)

    def _reach_of(self, piece: Piece, chosen_cells: _ChosenCells) -> _Reach:
        """Return where a piece is seen."""
        reach = self._reaches.get(piece.key)
        if reach is None:
            box = piece.box.adjusted(
                -SMOOTHING_REACH, -SMOOTHING_REACH, SMOOTHING_REACH, SMOOTHING_REACH
            )
            # Grounds, and what else is clipped by a part of its own cell. Their soft edges spill
            # over, but touch less than 5 % of the points of a neighbour, so that this is ignored.
            stays_in_cell = piece.clip is not None and chosen_cells.ground_box.contains(piece.box)
            box_ends = (box.left(), box.top(), box.right(), box.bottom())
            reach = _Reach(box_ends, stays_in_cell)
            self._reaches[piece.key] = reach
        return reach
