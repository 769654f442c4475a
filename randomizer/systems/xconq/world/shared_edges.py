"""Edges of terrain types in altitude and moisture that are moved together.

On the chart of a period the boxes of the types lie side by side. When a user drags an edge, the
edges of the neighbours along the same line go with it, so that no gap opens::

    +-----+-----+        the edge between a and b is dragged to the right:
    |  a  |  b  |        a grows, b shrinks, and c and d with them,
    +-----+-----+        as their edges lie along the same line
    |  c  |  d  |
    +-----+-----+

``shared_edges`` returns the edges of the line, ``movable_range`` how far they can go, and
``move_edges`` moves them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from randomizer.systems.xconq.world.coverage import Box
from randomizer.systems.xconq.world.relief import PERCENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMITS = ("min-alt", "max-alt", "min-wet", "max-wet")
"""The words that set the limits of a terrain type, in the order of ``Box``."""


class Edge(NamedTuple):
    """One limit of a terrain type."""

    terrain: int
    """The number of the type in the order of definition."""

    limit: int
    """The index in ``LIMITS`` and in ``Box``: 0 min-alt, 1 max-alt, 2 min-wet, 3 max-wet."""

    @property
    def word(self) -> str:
        """The word that sets it."""
        return LIMITS[self.limit]

    @property
    def is_low(self) -> bool:
        """True if it is a minimum."""
        return self.limit % 2 == 0

    @property
    def is_of_altitude(self) -> bool:
        """True if it is a limit of the altitude, else of the moisture."""
        return self.limit < 2

    @property
    def opposite_limit(self) -> int:
        """The index of the maximum for a minimum of the same direction, and the reverse.

        It is the opposite side of the same box, and the side of a neighbour along the same line.
        """
        return self.limit ^ 1  # 0 and 1, or 2 and 3, are exchanged


def shared_edges(boxes: Sequence[Box], edge: Edge) -> tuple[Edge, ...]:
    """Return the edges of the unbroken line that ``edge`` is a part of, ``edge`` first.

    Two types share an edge if one ends at the percentage at which the other begins, or at the one
    before, and if their boxes lie side by side there.
    """
    line = [edge]
    queue = deque([edge])
    while queue:
        for neighbour in _neighbours(boxes, queue.popleft()):
            if neighbour not in line:
                line.append(neighbour)
                queue.append(neighbour)
    return tuple(line)


def _neighbours(boxes: Sequence[Box], edge: Edge) -> list[Edge]:
    """Return the edges of other types that lie directly along an edge."""
    box = boxes[edge.terrain]
    if box.is_empty:
        return []
    edges_at_same_percentage = []
    edges_at_next_percentage = []
    for terrain, other_box in enumerate(boxes):
        if terrain == edge.terrain or other_box.is_empty:
            continue
        if not _is_side_by_side(box, other_box, edge):
            continue
        neighbour = Edge(terrain, edge.opposite_limit)
        if edge.is_low:
            distance = box[edge.limit] - other_box[neighbour.limit]
        else:
            distance = other_box[neighbour.limit] - box[edge.limit]
        if distance == 0:
            edges_at_same_percentage.append(neighbour)
        elif distance == 1:
            edges_at_next_percentage.append(neighbour)
    # Only if no neighbour names the same percentage, those that name the next one lie on the line.
    return edges_at_same_percentage or edges_at_next_percentage


def _is_side_by_side(first: Box, second: Box, edge: Edge) -> bool:
    """Return whether two boxes have a percentage in common along the direction of an edge.

    The edges of altitudes run along moisture, and those of moistures along altitude.
    """
    if edge.is_of_altitude:
        return max(first.min_wet, second.min_wet) <= min(first.max_wet, second.max_wet)
    return max(first.min_alt, second.min_alt) <= min(first.max_alt, second.max_alt)


def movable_range(boxes: Sequence[Box], edges: Iterable[Edge]) -> tuple[int, int]:
    """Return the least (0 or below) and the greatest number of percent to move these edges by.

    Limits stay within 0 to 100, and no minimum comes above its maximum. (0, 0) if one of them is
    not so already.
    """
    down = -PERCENTS
    up = PERCENTS
    moved_edges = set(edges)
    for edge in moved_edges:
        box = boxes[edge.terrain]
        value = box[edge.limit]
        down = max(down, -value)
        up = min(up, PERCENTS - 1 - value)
        if Edge(edge.terrain, edge.opposite_limit) in moved_edges:
            continue  # the whole box is moved
        opposite_value = box[edge.opposite_limit]
        if edge.is_low:
            up = min(up, opposite_value - value)
        else:
            down = max(down, opposite_value - value)
    if down <= 0 <= up:
        return (down, up)
    return (0, 0)


def move_edges(boxes: Sequence[Box], edges: Iterable[Edge], by: int) -> tuple[Box, ...]:
    """Return the boxes with these edges moved by so many percent, or as far as they can be."""
    edges = tuple(edges)
    down, up = movable_range(boxes, edges)
    possible_way = min(max(by, down), up)
    limits = [list(box) for box in boxes]
    for edge in edges:
        limits[edge.terrain][edge.limit] += possible_way
    return tuple(Box(*limit) for limit in limits)
