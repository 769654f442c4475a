"""Edges of terrain types in altitude and moisture that are moved together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from randomizer.systems.xconq.world.coverage import Box
from randomizer.systems.xconq.world.relief import PERCENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LIMITS = ("min-alt", "max-alt", "min-wet", "max-wet")
"""The words that set the limits of a terrain type, in the order of ``Box``."""


class Edge(NamedTuple):
    """One limit of a terrain type: ``limit`` is an index of ``LIMITS`` and of ``Box``."""

    terrain: int
    limit: int

    @property
    def word(self) -> str:
        """The word that sets it."""
        return LIMITS[self.limit]

    @property
    def is_low(self) -> bool:
        """True if it is a minimum."""
        return self.limit % 2 == 0

    @property
    def opposite(self) -> Edge:
        """The other end of the same type: its maximum for a minimum."""
        return Edge(self.terrain, self.limit ^ 1)

    @property
    def turned(self) -> int:
        """The limit that a neighbour has along the same line: a minimum for a maximum."""
        return self.limit ^ 1


def shared_edges(boxes: Sequence[Box], edge: Edge) -> tuple[Edge, ...]:
    """Return the edges of a line without a break that ``edge`` is a part of, ``edge`` first.

    Two types share an edge where one ends at the percentage at which the other begins, or at the
    one before, and both stretch over some percentage of the other direction. Where a type ends,
    neighbours that name the same percentage count before those that name the next one.
    """
    result = [edge]
    for each in result:  # it grows
        result += [neighbour for neighbour in _neighbours(boxes, each) if neighbour not in result]
    return tuple(result)


def _neighbours(boxes: Sequence[Box], edge: Edge) -> list[Edge]:
    """Return the edges of other types that lie directly along an edge."""
    own_box = boxes[edge.terrain]
    if own_box.empty:
        return []
    apart: dict[int, list[Edge]] = {0: [], 1: []}
    for terrain, box in enumerate(boxes):
        if terrain == edge.terrain or box.empty or not _side_by_side(own_box, box, edge.limit):
            continue
        low = box[edge.turned]
        high = own_box[edge.limit]
        if edge.is_low:
            low, high = high, low
        if low - high in apart and box.min_alt <= box.max_alt:
            apart[low - high].append(Edge(terrain, edge.turned))
    return apart[0] or apart[1]


def _side_by_side(first: Box, second: Box, limit: int) -> bool:
    """Return whether two boxes have a percentage in common along the direction of an edge."""
    low = 2 if limit < 2 else 0
    return max(first[low], second[low]) <= min(first[low + 1], second[low + 1])


def room(boxes: Sequence[Box], edges: Iterable[Edge]) -> tuple[int, int]:
    """Return how far these edges can be moved down (0 or less) and up together.

    Limits stay within 0 to 100, and no minimum comes above its maximum. (0, 0) for edges of a
    type that is the other way round now.
    """
    down = -PERCENTS
    up = PERCENTS
    chosen = set(edges)
    for edge in chosen:
        value = boxes[edge.terrain][edge.limit]
        opposite_limit = boxes[edge.terrain][edge.limit ^ 1]
        down = max(down, -value)
        up = min(up, PERCENTS - 1 - value)
        if edge.opposite in chosen:
            continue
        if edge.is_low:
            up = min(up, opposite_limit - value)
        else:
            down = max(down, opposite_limit - value)
    if down <= 0 <= up:
        return (down, up)
    return (0, 0)


def move_edges(boxes: Sequence[Box], edges: Iterable[Edge], by: int) -> tuple[Box, ...]:
    """Return the boxes with these edges moved, as far as they can be."""
    edges = tuple(edges)
    down, up = room(boxes, edges)
    by = min(max(by, down), up)
    limits = [list(box) for box in boxes]
    for edge in edges:
        limits[edge.terrain][edge.limit] += by
    return tuple(Box(*limit) for limit in limits)
