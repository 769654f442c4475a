"""The course of a route through one cell: which sides it crosses, and the lines between them.

``lines`` makes curves of a ``Course``, which ``route_lines`` and ``worn_roads`` draw. What leaves a
cell by opposite sides is one line; at a junction the other sides are joined to a *hub*::

                |                    lines(layout, Course(sides=0b0111)) of a square has two lines:
                |                    from the upper side to the lower one,
                o-------             and from the right side to the hub "o"
                |
                |

Coordinates are map units around the cell's centre, y runs down, sides are numbered clockwise.
Constants that are lengths are shares of the distance from the centre to a side. Rivers that wind
from cell to cell have courses of their own (``river_courses``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from app.render.cell_geometry import side_middle
from app.render.scene.routes.rounded_areas import OVERLAP
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import sides_of

BEND = 0.16
"""How far a straight river bends to one side within a cell."""

HUB_SIDE_HANDLE = 0.4
"""The length of the handles, at the sides, of a curve that runs by the hub."""

POINT_HANDLE = 0.4
"""The length of the handles, at a point within the cell, of a curve that runs by it.

It is a share of half the distance between both ends. Longer handles make the curve flatter there.
"""

OFFSET_HANDLE = 0.58
"""The length of the handles, at the sides, of a curve between sides with offsets."""

TURN_HANDLE = 0.58
"""The same of a curve between two sides that are not opposite."""

CENTRE_HANDLE = 0.45
"""The same of a curve that runs through the centre of the cell."""


class Course(NamedTuple):
    """The course of a route in a cell: which sides it crosses, where, and how it runs between.

    By default a route crosses sides in their middle and takes the shortest smooth line. The fields
    below ``sides`` make exceptions. Of a route with two sides only one counts: ``offsets`` before
    ``middle`` before ``bend``.
    """

    sides: int
    """A bit mask of the sides that it crosses; 0 for a route that ends within the cell."""

    middle: bool = False
    """True if it goes through the cell's centre, as where routes cross."""

    bend: int = 0
    """How a route between opposite sides bends: 1 to the right of the way from the lower side to
    the higher one, -1 to the left, 0 not at all. Routes with ``middle`` or ``offsets`` do not bend.
    """

    offsets: tuple[float, ...] = ()
    """How far from the middle of each side it crosses it, clockwise, as a share of the distance
    from the centre to a side; () if always in the middle."""

    meeting: tuple[float, float] | None = None
    """Where the lines of three sides or more meet, around the cell's centre.

    None: at the centre, moved by the mean of the offsets (``hub``).
    """

    def crossing(self, layout: Layout, side: int) -> QPointF:
        """Return where the route crosses a side."""
        middle = side_middle(layout, side)
        if not self.offsets:
            return middle
        clockwise = QPointF(-middle.y(), middle.x())
        return middle + clockwise * self.offsets[side]

    def hub(self, layout: Layout) -> QPointF:
        """Return where the lines of the route meet.

        That is ``meeting``, else the cell's centre, moved by the mean offset. Only sides with an
        offset count for the mean.
        """
        if self.meeting is not None:
            return QPointF(*self.meeting)
        total = QPointF()
        moved_sides = 0
        for side in sides_of(self.sides, layout.degree):
            if self.offsets and self.offsets[side]:
                total += self.crossing(layout, side) - side_middle(layout, side)
                moved_sides += 1
        return total / max(1, moved_sides)


@registered(bytes_each=3 * KB)
@lru_cache(300)
def lines(layout: Layout, course: Course, overlap: float = OVERLAP) -> tuple[QPainterPath, ...]:
    """Return the lines of a route: from side to opposite side, or from a side to the hub.

    A route with two sides is one line. They reach over the sides by ``overlap``, a share of the
    distance from the centre to the middle of the side.
    """
    sides = sides_of(course.sides, layout.degree)
    is_junction = len(sides) > 2
    result = []
    sides_to_hub = list(sides)
    for first_side, last_side in _joined_sides(layout, sides):
        ends = _LineEnds(layout, course, (first_side, last_side), overlap)
        if is_junction:
            result.append(_line_of_junction(ends))
        else:
            result.append(_line_of_two_sides(ends))
        sides_to_hub.remove(first_side)
        sides_to_hub.remove(last_side)
    for side in sides_to_hub:
        path = QPainterPath(course.crossing(layout, side) + side_middle(layout, side) * overlap)
        path.lineTo(course.hub(layout))
        result.append(path)
    return tuple(result)


def _joined_sides(layout: Layout, sides: Sequence[int]) -> list[tuple[int, int]]:
    """Return which of a route's sides (ascending) are joined by one line: two sides always are.

    Of more sides those are that lie opposite each other: main roads go straight on at a junction.
    """
    if len(sides) == 2:
        return [(sides[0], sides[1])]
    half = layout.degree // 2
    return [(side, side + half) for side in sides if side < half and side + half in sides]


class _LineEnds:
    """The two ends of a line between sides of a cell, and the kinds of lines that join them."""

    def __init__(
        self, layout: Layout, course: Course, sides: tuple[int, int], overlap: float
    ) -> None:
        """Find the ends of a line between two sides, over which it reaches as in ``lines``."""
        first_side, last_side = sides
        self.layout = layout
        self.course = course
        self.is_opposite = last_side - first_side == layout.degree // 2
        """True if the sides lie opposite each other."""
        self.start = course.crossing(layout, first_side)
        """Where the line crosses the first side."""
        self.end = course.crossing(layout, last_side)
        """Where it crosses the last side."""
        self._to_first_side = side_middle(layout, first_side)
        """The way from the centre of the cell to the middle of the first side."""
        self._to_last_side = side_middle(layout, last_side)
        """The same for the last side."""
        self._overlap = overlap

    def straight(self) -> QPainterPath:
        """Return the straight line between the ends."""
        path = self._path_to_start()
        path.lineTo(self.end)
        self._extend_over_last_side(path)
        return path

    def curve(self, handle: float) -> QPainterPath:
        """Return a curve that leaves both sides at right angles.

        ``handle`` is the length of its handles, in distances from the centre to a side. With longer
        ones it goes straight on for longer, and turns more tightly in its middle.
        """
        path = self._path_to_start()
        first_handle = self.start - self._to_first_side * handle
        last_handle = self.end - self._to_last_side * handle
        path.cubicTo(first_handle, last_handle, self.end)
        self._extend_over_last_side(path)
        return path

    def curve_by(self, point: QPointF, handle: float) -> QPainterPath:
        """Return a curve that runs by a point, where it is parallel to the line between the ends.

        ``handle`` is as in ``curve``.
        """
        path = self._path_to_start()
        along = (self.end - self.start) / 2
        first_handle = self.start - self._to_first_side * handle
        path.cubicTo(first_handle, point - along * POINT_HANDLE, point)
        last_handle = self.end - self._to_last_side * handle
        path.cubicTo(point + along * POINT_HANDLE, last_handle, self.end)
        self._extend_over_last_side(path)
        return path

    def _path_to_start(self) -> QPainterPath:
        """Return a path that begins beyond the first side and leads to the start."""
        path = QPainterPath(self.start + self._to_first_side * self._overlap)
        path.lineTo(self.start)
        return path

    def _extend_over_last_side(self, path: QPainterPath) -> None:
        """Lead a path on from the end over the last side."""
        path.lineTo(self.end + self._to_last_side * self._overlap)


def _line_of_junction(ends: _LineEnds) -> QPainterPath:
    """Return the line between opposite sides where others branch off: by the hub."""
    course = ends.course
    hub_is_moved = bool(course.offsets) or course.meeting is not None
    if hub_is_moved:
        return ends.curve_by(course.hub(ends.layout), HUB_SIDE_HANDLE)
    return ends.straight()


def _line_of_two_sides(ends: _LineEnds) -> QPainterPath:
    """Return the line of a route that crosses no more sides than these two."""
    course = ends.course
    if course.offsets:
        return ends.curve(OFFSET_HANDLE)
    if course.middle and not ends.is_opposite:
        return ends.curve_by(QPointF(), CENTRE_HANDLE)
    if not ends.is_opposite:
        return ends.curve(TURN_HANDLE)
    if course.bend and not course.middle:
        along = (ends.end - ends.start) / 2
        to_right = QPointF(-along.y(), along.x())
        return ends.curve_by(to_right * (BEND * course.bend), CENTRE_HANDLE)
    return ends.straight()
