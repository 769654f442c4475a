r"""The contour lines of the heights, cell by cell.

Only squares have heights at their corners, and so contour lines. Within a cell a line runs straight
from one side to another: where it passes a side follows from the heights of the two corners, so the
lines of neighbouring cells meet (this is known as *marching squares*). A cell with the heights 2
and 6 at its upper corners and 2 at both lower ones has this line of the level 3::

     2 --+------- 6
     |    \       |
     |      \     |     it passes the upper side after a quarter of it,
     |        \   |     and the right side a quarter before its lower end
     |          \ +
     2 ---------- 2

At a *saddle* two opposite corners are higher than the level and two are lower: two lines pass
there. ``Scene.shades`` draws the lines with ``contour_batches``, where reading begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import cell_box
from app.render.cell_values.cell_colours import CONTOUR
from app.render.cell_values.contours import MAIN_LINE_INTERVAL, corner_levels
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

SIDES = 4
"""The sides of a cell: only squares have heights at their corners."""

MAX_LINES = 4
"""At most so many lines are drawn in a cell. Where more pass through it, only every
``MAIN_LINE_INTERVAL``-th is drawn, and so many of these."""

STEPS_OF_SIDE = 8
"""Lines begin and end at the ends of so many steps of a side. With more of them lines are less
rough, and there are more pieces."""

POINTS_OF_SIDE = STEPS_OF_SIDE + 1
"""The number of points of a side at which a line can begin or end: both ends count."""

POINTS = SIDES * POINTS_OF_SIDE
"""The number of points at which a line can begin or end; see ``_point``."""

COARSE_MIN_FACTOR = 2.5
"""The factor of the least widths in pictures that are shown smaller (``Pieces.coarse``).

Else lines would be lost there.
"""

WIDTH = 0.035
"""The width of usual lines in map units, if that is a pixel or more."""

MIN_PIXELS = 1.0
"""The least width of usual lines, in pixels."""

MAIN_WIDTH = 0.08
"""The width of each ``MAIN_LINE_INTERVAL``-th line in map units, if that is
``MIN_MAIN_PIXELS`` or more."""

MIN_MAIN_PIXELS = 1.5
"""The least width of each ``MAIN_LINE_INTERVAL``-th line, in pixels."""

OPACITY = 0.6
"""The opacity of the lines: the ground can be seen through them."""


class _Ends(NamedTuple):
    """The sides on which lines of n cells begin and end: 0 top, 1 right, 2 bottom, 3 left."""

    first_sides: NDArray[np.intp]
    """The side of each cell on which its line begins, 0 to 3: shape (n,)."""
    last_sides: NDArray[np.intp]
    """The side on which it ends, (n,)."""


def contour_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the lines of each level that passes through a cell.

    A level is a whole number of contour steps; corners whose height is the level lie above its
    line. The first batch has the lowest line of each cell, the second the next one, and so on.
    """
    step = part.overlays.contour_step
    levels = corner_levels(part.battlemap, part.composite, step, part.cells)
    if levels is None:
        return
    lowest = levels.min(axis=0)
    highest = levels.max(axis=0)
    spacing = np.where(highest - lowest > MAX_LINES, MAIN_LINE_INTERVAL, 1)
    # With this spacing at most so many levels lie between the lowest and the highest corner.
    for number in range(1, MAX_LINES + 1):
        # The ``number``-th level above the lowest corner of each cell.
        level = (np.floor(lowest / spacing) + number) * spacing
        rows = np.flatnonzero(level <= highest)
        if len(rows):
            yield from _lines_of_level(pieces, rows, levels[:, rows], level[rows])


def _lines_of_level(
    pieces: Pieces,
    rows: NDArray[np.intp],
    corners: NDArray[np.float32],
    level: NDArray[np.float32],
) -> Iterator[Batch]:
    """Yield the lines of one level in each of n cells, two in the cells of saddles.

    ``rows`` (n,) are the cells' indices in the part, ``corners`` (4, n) the levels of their corners
    clockwise from the top left, ``level`` (n,) that of the line. It passes through every one of
    these cells.
    """
    is_above = corners >= level
    is_side_passed = is_above != np.roll(is_above, -1, axis=0)
    is_saddle = is_side_passed.all(axis=0)
    points = _points_on_sides(corners, level)
    is_main = level % MAIN_LINE_INTERVAL == 0

    # A line that does not cross a saddle passes two sides: the first and the last that are True.
    # ``argmax`` finds the first True, in the reversed array the last one.
    first_passed = is_side_passed.argmax(axis=0)
    last_passed = SIDES - 1 - is_side_passed[::-1].argmax(axis=0)
    saddle = _ends_in_saddle(corners, level)
    ends = _Ends(
        np.where(is_saddle, saddle.first_sides, first_passed),
        np.where(is_saddle, saddle.last_sides, last_passed),
    )
    yield _batch(pieces, rows, _codes(ends, points, is_main))

    # The second line of a saddle passes the opposite sides.
    half_turn = SIDES // 2
    opposite = _Ends((ends.first_sides + half_turn) % SIDES, (ends.last_sides + half_turn) % SIDES)
    codes = _codes(opposite, points, is_main)
    yield _batch(pieces, rows[is_saddle], codes[is_saddle])


def _points_on_sides(corners: NDArray[np.float32], level: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return where lines pass the sides of n cells, in steps from the side's left or upper end.

    The result has shape (4, n) and values from 0 to ``STEPS_OF_SIDE``. It is of no use for sides
    that no line passes.
    """
    # From the left or from the top, not clockwise: the same in both cells beside a side.
    start_levels = corners[[0, 1, 3, 0]]
    end_levels = corners[[1, 2, 2, 3]]
    # Sides without slope are not passed: any number but 0.
    rise = np.where(start_levels == end_levels, 1, end_levels - start_levels)
    share = np.clip((level - start_levels) / rise, 0, 1)
    return np.rint(share * STEPS_OF_SIDE).astype(np.intp)


def _ends_in_saddle(corners: NDArray[np.float32], level: NDArray[np.float32]) -> _Ends:
    """Return the ends of the first of two lines in cells where a line passes all four sides.

    Two opposite corners lie above the level there, two below. The middle of the cell decides which
    of them are connected: if it lies as the top left corner does, lines go around the top right
    corner (by the sides 0 and 1) and the bottom left one, else around the top left (3 and 0).
    """
    is_middle_above = corners.mean(axis=0) >= level
    is_top_left_above = corners[0] >= level
    is_top_left_connected = is_middle_above == is_top_left_above
    return _Ends(np.where(is_top_left_connected, 0, 3), np.where(is_top_left_connected, 1, 0))


def _codes(ends: _Ends, points: NDArray[np.intp], is_main: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the codes (n,) of lines: numbers made of the two points and ``is_main``."""
    every_cell = np.arange(len(is_main))
    first_points = ends.first_sides * POINTS_OF_SIDE + points[ends.first_sides, every_cell]
    last_points = ends.last_sides * POINTS_OF_SIDE + points[ends.last_sides, every_cell]
    return np.asarray((first_points * POINTS + last_points) * 2 + is_main)


class _LineCode(NamedTuple):
    """A line, as ``_codes`` has packed it."""

    first_point: int
    """The number of the point (``_point``) at which it begins."""

    last_point: int
    """The number of the point at which it ends."""

    is_main: bool
    """True for each ``MAIN_LINE_INTERVAL``-th line."""

    @classmethod
    def split(cls, code: int) -> _LineCode:
        """Return the line of a code of ``_codes``."""
        points, is_main = divmod(code, 2)
        first_point, last_point = divmod(points, POINTS)
        return cls(first_point, last_point, is_main=bool(is_main))


def _batch(pieces: Pieces, rows: NDArray[np.intp], codes: NDArray[np.intp]) -> Batch:
    """Return the batch of the lines with ``codes`` (n,) in the cells with indices ``rows`` (n,)."""
    return Batch(pieces.numbers("contour line", codes, partial(_line, pieces)), rows)


def _line(pieces: Pieces, code: int) -> Piece:
    """Return the piece of a code (``_codes``): a line between two points on sides of a square."""
    line = _LineCode.split(code)
    begin = _point(line.first_point)
    end = _point(line.last_point)

    width = WIDTH
    min_pixels = MIN_PIXELS
    if line.is_main:
        width = MAIN_WIDTH
        min_pixels = MIN_MAIN_PIXELS
    if pieces.coarse:
        min_pixels *= COARSE_MIN_FACTOR
    colour = QColor.fromRgb(CONTOUR)
    colour.setAlphaF(OPACITY)
    pen = QPen(colour, max(width, min_pixels * pieces.pixel))
    # Other ends reach over the side: translucent lines of two cells would overlap there.
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)

    def draw(painter: QPainter) -> None:
        painter.setPen(pen)
        painter.drawLine(begin, end)

    return Piece(("contour line", code), cell_box(pieces.layout), draw)


def _point(number: int) -> QPointF:
    """Return a point on a side of a square around (0, 0), in map units.

    ``number`` is that of the side, times ``POINTS_OF_SIDE``, and that of the point from the side's
    left or upper end.
    """
    side, step = divmod(number, POINTS_OF_SIDE)
    along = step / STEPS_OF_SIDE - 0.5
    points_by_side = (
        QPointF(along, -0.5),
        QPointF(0.5, along),
        QPointF(along, 0.5),
        QPointF(-0.5, along),
    )
    return points_by_side[side]
