"""Roads, rivers and borders between the planes of a map and the lines of other programs.

Our map holds a way as bits a cell: the sides by which it leaves the cell. Most programs hold lines
through points instead. ``chains`` makes lines of a way that is written; ``points_on_line`` and
``link_cells`` make a way of lines that are read; ``way_planes`` holds one whose sides a file has.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.terrain.terrain import Way
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.faults import fault

Node = tuple[int, int]
"""A point through which lines are drawn, as whole numbers (x, y)."""


LINE_STEP = 1 / 6
"""The distance, in sides of a cell, of the points by which lines are followed.

A line may miss a cell in which it is shorter than that. A smaller step takes more time.
"""


def visible_ways(battlemap: BattleMap, composite: Composite) -> Iterator[tuple[Way, NDArray[Any]]]:
    """Yield each way that is visible on a map, and its plane of ``composite``, flat.

    A flat plane has one value a cell, row by row: ``PRESENT`` and the bits of the sides.
    """
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        plane = composite.planes[spec.name].reshape(-1)
        if plane.any():
            yield way, plane


def chains(edges: Iterable[tuple[Node, Node]]) -> Iterator[list[Node]]:
    """Yield lines through all edges, each edge once, as long as they can be without forks.

    A node with two edges continues a line; one with a single edge is an end, one with three or more
    a fork. First the lines that begin at an end or fork are followed to the next one. The edges
    that are left over then are rings, each of which begins and ends at its first node. Of several
    nodes the uppermost is taken first, of these the leftmost, so that the same edges always give
    the same lines.
    """
    unused: dict[Node, set[Node]] = defaultdict(set)  # node to node, by edges that are in no line
    for start, end in edges:
        unused[start].add(end)
        unused[end].add(start)

    nodes = sorted(unused, key=_by_row)
    ends_and_forks = [node for node in nodes if len(unused[node]) != 2]
    stops = frozenset(ends_and_forks)
    for start in (*ends_and_forks, *nodes):
        while unused[start]:
            yield _follow_line(start, unused, stops)


_by_row = itemgetter(1, 0)
"""Sorts nodes by row, then by column."""


def _follow_line(start: Node, unused: dict[Node, set[Node]], stops: Collection[Node]) -> list[Node]:
    """Return the nodes of one line from ``start`` to one of ``stops``, or to where no edge is left.

    Its edges are removed from ``unused``, which must have one at ``start``.
    """
    line = [start]
    node = start
    while unused[node]:
        next_node = min(unused[node], key=_by_row)
        unused[node].discard(next_node)
        unused[next_node].discard(node)
        line.append(next_node)
        node = next_node
        if node in stops:
            break
    return line


def way_planes(grid: Grid, links: Mapping[int, Mapping[int, int]]) -> Planes:
    """Return the planes of all ways that a file names with the sides by which they leave cells.

    ``links`` is {number of the way: {cell: sides}}, where bit n of ``sides`` is side n of the cell.
    """
    planes: Planes = {}
    for number, sides_of_cell in links.items():
        spec = SYSTEM.ways[number]
        plane = spec.allocate(grid)
        planes[spec.name] = plane
        for cell, sides in sides_of_cell.items():
            plane.flat[cell] = PRESENT | sides
    return planes


def points_on_line(
    start: NDArray[np.float64], end: NDArray[np.float64], most_points: int
) -> NDArray[np.float64]:
    """Return points along a straight line, in map units, with the shape (n, 2), n at least 1.

    They lie in the middle of n equal parts of the line, each ``LINE_STEP`` long or shorter. Raises
    ProblemError for more than ``most_points``.
    """
    count = max(1, math.ceil(math.dist(start, end) / LINE_STEP))
    if count > most_points:
        raise fault("the lines of this map are too long", 1)
    shares = (np.arange(count)[:, None] + 0.5) / count
    points: NDArray[np.float64] = start + shares * (end - start)
    return points


def link_cells(grid: Grid, plane: Plane, cells: Iterable[int], previous: int = -1) -> int:
    """Draw a way through cells in their order, and return the last one.

    ``plane``, that of the way, flat, is changed. A cell of -1 is off the map; ``previous`` is the
    cell from which the way comes, so that a caller can draw a line piece by piece. A cell may be
    named several times in a row. Cells that are no neighbours get the way without a link.
    """
    for cell in cells:
        if cell not in (-1, previous):
            plane[cell] = PRESENT | plane[cell] & SIDES
            neighbours = grid.neighbour_table[cell].tolist()
            if previous >= 0 and previous in neighbours:
                side = neighbours.index(previous)
                plane[cell] |= 1 << side
                plane[previous] |= 1 << grid.opposite(side)
        previous = cell
    return previous
