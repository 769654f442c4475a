"""The edges of the boxes in the percentile chart: which the mouse takes hold of, and their drags.

Positions are in percentages, altitude to the right and moisture upwards. An *edge* is one limit of
a terrain type, and two edges of a type make a corner:

    moisture
      ^    3 (highest moisture)
      |   +----------+
      |  0|  plains  |1     0, 1: lowest and highest altitude
      |   +----------+
      |        2
      +----------------> altitude
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt

from app.systems.xconq.period.chart_picture import rect_of_box
from randomizer.systems.xconq.world.coverage import Box
from randomizer.systems.xconq.world.shared_edges import Edge, move_edges

REACH = 6
"""How near an edge, in logical pixels, the mouse takes hold of it.

If it is larger, less of a narrow box is left to be clicked.
"""


@dataclass(frozen=True)
class EdgeDrag:
    """A drag of an edge, or of two that make a corner."""

    start: QPointF
    """Where it began, in percentages."""

    edges: tuple[Edge, ...]
    """The edge, or the two edges, under the mouse."""

    shared: tuple[tuple[Edge, ...], ...]
    """For each of them the edges that move along, itself included."""

    boxes: tuple[Box, ...]
    """The limits of all types when it began."""

    def moved_to(
        self, position: QPointF, *, alone: bool
    ) -> tuple[tuple[Edge, ...], tuple[Box, ...]]:
        """Return the edges that a drag to a position moves, and the limits that it gives.

        ``alone``: edges move without those of neighbours.
        """
        boxes = self.boxes
        edges: tuple[Edge, ...] = ()
        difference = position - self.start
        for edge, shared in zip(self.edges, self.shared, strict=True):
            moved_edges = shared
            if alone:
                moved_edges = (edge,)
            percents = difference.y()
            if edge.is_of_altitude:
                percents = difference.x()
            boxes = move_edges(boxes, moved_edges, round(percents))
            edges = (*edges, *moved_edges)
        return edges, boxes


class _EdgesNearby(NamedTuple):
    """The edges of a type that the mouse can take hold of."""

    terrain: int
    """The number of the type."""

    edges: tuple[Edge, ...]
    """One edge, or the two of a corner."""

    distance: float
    """The distance of the nearest one, in logical pixels."""


def edges_at(
    position: QPointF,
    boxes: Sequence[Box],
    chosen: int | None,
    pixel_size: tuple[float, float],
) -> tuple[Edge, ...]:
    """Return the edge at a position, or the two of a corner; () for none.

    ``chosen`` is the number of the chosen type, ``pixel_size`` the width and height of a logical
    pixel in percentages. Of several edges the one of the chosen type counts, then a corner, then
    the nearest, then that of the type defined first.
    """
    candidates = []
    for terrain, box in enumerate(boxes):
        edges_nearby = _edges_of_box_at(position, terrain, box, pixel_size)
        if edges_nearby is not None:
            candidates.append(edges_nearby)
    if not candidates:
        return ()

    def rank(nearby: _EdgesNearby) -> tuple[bool, bool, float, int]:
        """Return what is compared one after the other; the least counts, and False is less."""
        is_other_type = nearby.terrain != chosen
        is_single_edge = len(nearby.edges) == 1
        return (is_other_type, is_single_edge, nearby.distance, nearby.terrain)

    return min(candidates, key=rank).edges


def _edges_of_box_at(
    position: QPointF, terrain: int, box: Box, pixel_size: tuple[float, float]
) -> _EdgesNearby | None:
    """Return the edges of a type within reach of a position; None if none is.

    At most one of altitude and one of moisture: of a narrow box the nearer ones.
    """
    pixel_width, pixel_height = pixel_size
    rect = rect_of_box(box)
    reach_x = REACH * pixel_width
    reach_y = REACH * pixel_height
    rect_within_reach = rect.adjusted(-reach_x, -reach_y, reach_x, reach_y)
    if rect.isEmpty() or not _contains(rect_within_reach, position):
        return None
    # By the numbers of limits (``Edge.limit``), in logical pixels. The moisture grows downwards in
    # the rectangle, so that its top is the least.
    distances = (
        abs(position.x() - rect.left()) / pixel_width,
        abs(position.x() - rect.right()) / pixel_width,
        abs(position.y() - rect.top()) / pixel_height,
        abs(position.y() - rect.bottom()) / pixel_height,
    )
    limits = []
    for low, high in ((0, 1), (2, 3)):  # the limits of altitude, and those of moisture
        nearest = low
        if distances[high] < distances[low]:
            nearest = high
        if distances[nearest] <= REACH:
            limits.append(nearest)
    if not limits:
        return None
    edges = tuple(Edge(terrain, limit) for limit in limits)
    return _EdgesNearby(terrain, edges, min(distances[limit] for limit in limits))


def _contains(rect: QRectF, point: QPointF) -> bool:
    """Return whether a point is in a rectangle, edges included.

    ``QRectF.contains`` leaves some edges out.
    """
    return rect.left() <= point.x() <= rect.right() and rect.top() <= point.y() <= rect.bottom()


def cursor_for(edges: Sequence[Edge]) -> Qt.CursorShape:
    """Return the shape of the mouse that tells how the edges under it can be moved."""
    if not edges:
        return Qt.CursorShape.CrossCursor
    if len(edges) == 2:
        # More is to the right and up: a corner of a minimum and a maximum is at the upper left or
        # the lower right.
        if edges[0].is_low != edges[1].is_low:
            return Qt.CursorShape.SizeFDiagCursor
        return Qt.CursorShape.SizeBDiagCursor
    if edges[0].is_of_altitude:
        return Qt.CursorShape.SizeHorCursor
    return Qt.CursorShape.SizeVerCursor
