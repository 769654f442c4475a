"""The course of a river through one cell: where it enters and leaves, its lines, and its widths.

A ``River`` says which sides of the cell the water crosses. ``reaches`` makes lines of that: a
*reach* is a stretch of the river from one side to another, or from within the cell to a side. What
flows in by two sides and out by a third has two reaches::

         in        in
          \\        /
           `-.  .-'
              ||              rivers.py lays water and banks along these lines
              ||
              out

Lengths
    Coordinates are map units around the cell's centre, x to the right and y down. Constants that
    are lengths are shares of the distance from the centre to the middle of a side, so that rivers
    look alike on all grids. ``side_middle`` is the vector to the middle of a side: a share of it is
    a length towards that side, and a share of ``_clockwise`` of it a length along that side.
Shifts
    A river seldom crosses a side in its middle, so that it winds. The *shift* of a side tells where
    it does: 1 for clockwise of the middle, -1 for anticlockwise, 0 for the middle itself. What is
    clockwise for a cell is anticlockwise for its neighbour beyond the side.
Quarters
    Widths are counted in quarters of the width that the river's ``Way`` has, so that small whole
    numbers tell how a river grows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from app.render.cell_geometry import side_middle
from app.render.scene.routes.rounded_areas import OVERLAP
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import sides_of

QUARTERS = 4
"""The quarters of a river that is as wide as its ``Way`` says."""

ESTUARY = 1.6
"""How much wider a river is at the shore than where it comes from."""

OPENING = 2.0
"""How much wider a river is where it is no longer seen in a cell of water than at the shore."""

LENGTH_IN_WATER = 0.8
"""How far a river is seen in a cell of water, as a share of the way from the shore to the centre.
"""

CROSSING = 0.2
"""How far from the middle of a side a river with a shift crosses it.

If it is larger, rivers meander more, and wide ones run over the corners of their cells.
"""

WIDEST_AT_CROSSING = 5
"""A river of more quarters crosses nearer to the middle, to keep away from the corners."""

SWING = 0.34
"""How far a river between opposite sides that it crosses near one bank swings to the other bank."""

SWING_HANDLE = 0.45
"""The length of the handles of curves where a river swings, as a share of half its length.

Longer ones make the bend flatter.
"""

STRAIGHT_HANDLE = 0.4
"""The length of the handles of curves at the sides of a river that swings."""

BEND_HANDLE = 0.62
"""The length of the handles of curves at the sides of any other river; with more, a river that
turns by 60 degrees nearly reaches the centre before it turns."""

SOURCE_BEYOND = 0.2
"""How far beyond the centre a river begins, seen from the side by which it leaves. The farther, the
longer is its first reach."""

SOURCE_BEND = 0.14
"""How far a river swings aside where it begins. With more it begins in a hook."""

SOURCE_HANDLE = 0.2
"""The length, towards the side, of the handle of the curve where a river begins."""

SOURCE_SIDE_HANDLE = 0.5
"""The length of the handle of that curve at the side."""

SOURCE_AT_FOOT = 0.3
"""How far from the centre, towards the side, a river begins at the foot of a mountain. With less it
begins on the mountain."""

SPRING_WIDTH = 0.5
"""The width of a river where it leaves its spring, as a share of that at the side of its first
cell. With more it does not seem to grow."""

BANK_OVERLAP = OVERLAP / 8
"""How far the lines of banks reach over a side: hardly at all, since they are translucent, and
would show twice there."""


class River(NamedTuple):
    """The course of a river in a cell. Tuples have one value for each side."""

    sides: int
    """A bit mask of the sides that it crosses: 0b001010 for the sides 1 and 3."""

    out: int
    """A bit mask of the sides by which water flows out of the cell, which are some of ``sides``."""

    widths: tuple[int, ...]
    """The width at each side, in quarters; 0 at sides that the river does not cross."""

    shifts: tuple[int, ...]
    """Where it crosses each side: 1 clockwise of the middle, -1 anticlockwise, 0 in the middle."""

    in_water: bool = False
    """True if the cell is one of water, in which only the mouth of the river is seen."""

    on_height: bool = False
    """True if the cell is one of hills or mountains, at whose foot a river begins."""

    def crossing(self, layout: Layout, side: int) -> QPointF:
        """Return where the river crosses a side."""
        middle = side_middle(layout, side)
        narrowing = min(1.0, WIDEST_AT_CROSSING / max(1, self.widths[side]))
        return middle + _clockwise(middle) * (self.shifts[side] * CROSSING * narrowing)


class Reach(NamedTuple):
    """A stretch of a river."""

    line: QPainterPath
    """The middle of the water; it reaches over the sides by ``OVERLAP``, so that no gap shows."""

    bank_line: QPainterPath
    """The same line for banks, which reaches over the sides by ``BANK_OVERLAP``."""

    first_width: float
    """The width at the start of the line, in quarters; 0 where the river begins as a point."""

    last_width: float
    """The width at the end of the line, in quarters."""

    begins: bool = False
    """True if it begins within the cell, with a round end."""


@registered(bytes_each=6 * KB)
@lru_cache(100)
def reaches(layout: Layout, river: River) -> tuple[Reach, ...]:
    """Return the stretches of a river: what flows in goes on to where it flows out.

    Where no direction is known they lead from the centre of the cell to its sides, or from one side
    to the other.
    """
    sides_out = sides_of(river.out, layout.degree)
    sides_in = sides_of(river.sides & ~river.out, layout.degree)
    if river.in_water:
        return tuple(_reach_into_water(layout, river, side) for side in sides_out + sides_in)
    pairs = _joined_sides(sides_in, sides_out)
    if pairs:
        return tuple(_reach_between_sides(layout, river, *pair) for pair in pairs)
    if len(sides_out) + len(sides_in) == 1:
        (side,) = sides_out + sides_in
        return (_reach_of_source(layout, river, side),)
    # Waters meet of which no direction is known, or which all flow out.
    return tuple(_reach_from_centre(layout, river, side) for side in sides_out + sides_in)


def _joined_sides(sides_in: list[int], sides_out: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of sides, the lower one first, that are joined by a reach of their own."""
    pairs = []
    if sides_in and sides_out:
        # All that flows in goes on to the first side by which water flows out. Where it flows out
        # by several, the others begin where the first water comes in.
        pairs = [(side, sides_out[0]) for side in sides_in]
        pairs += [(sides_in[0], side) for side in sides_out[1:]]
    elif len(sides_in) == 2:
        pairs = [(sides_in[0], sides_in[1])]  # it flows through, in a direction that is not known
    # Lines lead from the lower side: which way the water flows is not seen of a reach.
    return [(min(pair), max(pair)) for pair in pairs]


# --- the kinds of reaches -----------------------------------------------------------------------


def _reach_into_water(layout: Layout, river: River, side: int) -> Reach:
    """Return the reach from a side into a cell of water, where the river is lost in it."""
    width = river.widths[side]
    return Reach(
        line=_line_into_water(layout, river, side, OVERLAP),
        bank_line=_line_into_water(layout, river, side, BANK_OVERLAP),
        first_width=width,
        last_width=width * OPENING,
    )


def _line_into_water(layout: Layout, river: River, side: int, overlap: float) -> QPainterPath:
    """Return the line of a reach into water; it reaches over the side by ``overlap``."""
    crossing = river.crossing(layout, side)
    line = QPainterPath(crossing + side_middle(layout, side) * overlap)
    line.lineTo(crossing * (1 - LENGTH_IN_WATER))
    return line


def _reach_between_sides(layout: Layout, river: River, first_side: int, last_side: int) -> Reach:
    """Return the reach from one side to another."""
    return Reach(
        line=_line_between_sides(layout, river, first_side, last_side, OVERLAP),
        bank_line=_line_between_sides(layout, river, first_side, last_side, BANK_OVERLAP),
        first_width=river.widths[first_side],
        last_width=river.widths[last_side],
    )


def _line_between_sides(
    layout: Layout, river: River, first_side: int, last_side: int, overlap: float
) -> QPainterPath:
    """Return the line between two sides: a bend, or between opposite ones a swing to a bank."""
    start = river.crossing(layout, first_side)
    end = river.crossing(layout, last_side)
    to_first_side = side_middle(layout, first_side)
    to_last_side = side_middle(layout, last_side)
    line = QPainterPath(start + to_first_side * overlap)
    line.lineTo(start)
    lean = _lean_to_bank(river, first_side, last_side)
    is_straight = last_side - first_side == layout.degree // 2
    if is_straight and lean:
        # Without the swing it would be a canal.
        middle = _clockwise(to_first_side) * (-SWING * lean)
        half_way = (end - start) / 2
        line.cubicTo(
            start - to_first_side * STRAIGHT_HANDLE, middle - half_way * SWING_HANDLE, middle
        )
        line.cubicTo(middle + half_way * SWING_HANDLE, end - to_last_side * STRAIGHT_HANDLE, end)
    else:
        line.cubicTo(start - to_first_side * BEND_HANDLE, end - to_last_side * BEND_HANDLE, end)
    line.lineTo(end + to_last_side * overlap)
    return line


def _lean_to_bank(river: River, first_side: int, last_side: int) -> float:
    """Return how much a river between opposite sides keeps to one bank, from -1 to 1.

    1 or -1 if it crosses both sides near the same bank, a half if it crosses one of them in the
    middle, and 0 if it goes from bank to bank anyway.
    """
    # Clockwise at one side is anticlockwise at the opposite one: shifts of different signs lie on
    # the same bank.
    return (river.shifts[first_side] - river.shifts[last_side]) / 2


def _reach_of_source(layout: Layout, river: River, side: int) -> Reach:
    """Return the reach from where a river wells up to the only side that it crosses.

    A river that ends in the cell looks the same. In a cell of mountains it begins as a point at
    their foot, elsewhere as a spring beyond the centre.
    """
    to_side = side_middle(layout, side)
    direction = river.shifts[side]
    if direction == 0:
        direction = 1  # a river in the middle of its side bends, too
    along_side = _clockwise(to_side) * direction
    if river.on_height:
        start = to_side * SOURCE_AT_FOOT
        first_width = 0.0
    else:
        start = to_side * -SOURCE_BEYOND - along_side * SOURCE_BEND
        first_width = SPRING_WIDTH * river.widths[side]
    # The curve leads from the start half way to the centre, swings aside, and on towards the side.
    handle = start * 0.5 + along_side * SOURCE_BEND + to_side * SOURCE_HANDLE
    return Reach(
        line=_line_from_within(layout, river, side, start, handle, OVERLAP),
        bank_line=_line_from_within(layout, river, side, start, handle, BANK_OVERLAP),
        first_width=first_width,
        last_width=river.widths[side],
        begins=first_width > 0,
    )


def _reach_from_centre(layout: Layout, river: River, side: int) -> Reach:
    """Return the reach from the centre, where it meets others of the same width, to a side."""
    centre = QPointF()
    width = river.widths[side]
    return Reach(
        line=_line_from_within(layout, river, side, centre, centre, OVERLAP),
        bank_line=_line_from_within(layout, river, side, centre, centre, BANK_OVERLAP),
        first_width=width,
        last_width=width,
        begins=width > 0,
    )


def _line_from_within(
    layout: Layout, river: River, side: int, start: QPointF, handle: QPointF, overlap: float
) -> QPainterPath:
    """Return the line from a point of the cell to a side.

    ``handle`` is the control point of the curve at ``start``.
    """
    end = river.crossing(layout, side)
    to_side = side_middle(layout, side)
    line = QPainterPath(start)
    line.cubicTo(handle, end - to_side * SOURCE_SIDE_HANDLE, end)
    line.lineTo(end + to_side * overlap)
    return line


def _clockwise(to_side: QPointF) -> QPointF:
    """Return the vector along a side, clockwise, that is as long as that ``to_side``."""
    return QPointF(-to_side.y(), to_side.x())
