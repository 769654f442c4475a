"""Converts ways of a map, such as roads, rivers and borders, to lines of other programs, and back.

A way is a plane here: in each cell that it runs through it has the bit ``PRESENT`` and a bit for
each side by which it leaves the cell, its *links*. On hexes, whose sides are numbered from 0 to 5
(``randomizer/model/planes/routes.py``)::

    PRESENT | 0b001001      a way through a cell, from side 0 to side 3
    PRESENT                 a way that leaves the cell nowhere

Most programs hold lines through points instead.

- Writing: ``visible_ways`` yields the planes; ``chains`` joins their edges to long lines:
  ``list(chains([((0, 0), (1, 0)), ((1, 0), (2, 0))]))`` is ``[[(0, 0), (1, 0), (2, 0)]]``.
- Reading lines: ``points_on_line`` returns points so close together that no cell under the line is
  missed; ``link_cells`` draws a way through the cells at these points.
- Reading sides: ``way_planes`` makes planes for a file that has the sides of each cell.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
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
"""The distance, in map units, of the points by which lines are followed; a side is about 1.

A line may miss a cell in which less than that of it lies. A smaller step takes more time.
"""


def visible_ways(battlemap: BattleMap, composite: Composite) -> Iterator[tuple[Way, NDArray[Any]]]:
    """Yield each way that is visible on a map, with its plane as an array (cells,).

    ``composite`` is what the map shows. The values are 0 where the way is not, else ``PRESENT`` and
    the bits of the sides.
    """
    # A system can have planes for more ways than the terrain set has.
    for way, spec in zip(battlemap.terrain_set.ways, battlemap.system.ways, strict=False):
        plane = composite.planes[spec.name].reshape(-1)
        if plane.any():
            yield way, plane


def chains(edges: Iterable[tuple[Node, Node]]) -> Iterator[list[Node]]:
    """Yield lines through all edges, each edge once, as long as lines can be without forks.

    A node with one edge is an end of a line, and a node with three or more is a fork; a node with
    two edges is in the middle of a line. First each line from an end or fork is followed to the
    next end or fork. The edges that are left after that are rings, each of which begins and ends at
    the same node. The uppermost node always comes first, of several the leftmost, so that the same
    edges always give the same lines.
    """
    # The neighbours of each node by edges that are in no line yet. ``_follow_line`` removes edges.
    unused: dict[Node, set[Node]] = defaultdict(set)
    for start, end in edges:
        unused[start].add(end)
        unused[end].add(start)

    nodes = sorted(unused, key=_by_row)
    ends_and_forks = [node for node in nodes if len(unused[node]) != 2]
    stops = frozenset(ends_and_forks)
    # First all lines with ends; what is left then are rings, which begin at any of their nodes.
    for start in (*ends_and_forks, *nodes):
        while unused[start]:
            yield _follow_line(start, unused, stops)


def _follow_line(start: Node, unused: dict[Node, set[Node]], stops: Collection[Node]) -> list[Node]:
    """Return the nodes of a line that begins at ``start``, and remove its edges from ``unused``.

    The line ends at the first node of ``stops``, or where there is no further edge. ``unused`` has
    an edge at ``start``.
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


def _by_row(node: Node) -> tuple[int, int]:
    """Return the key that sorts nodes by row, then by column."""
    column, row = node
    return row, column


def way_planes(grid: Grid, links: Mapping[int, Mapping[int, int]]) -> Planes:
    """Return the planes of ways, by their names, for a file that has the sides of each cell.

    ``links`` is {number of the way: {cell: sides}}: the number is an index of ``SYSTEM.ways``, and
    bit n of ``sides`` is side n of the cell.
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
    start: NDArray[np.float64], end: NDArray[np.float64], max_points: int
) -> NDArray[np.float64]:
    """Return points along a straight line, (n, 2), in map units; n is at least 1.

    ``start`` and ``end`` are points, (2,). The line is divided into n equal parts, each at most
    ``LINE_STEP`` long, and the points are their middles. Raises ProblemError for more points than
    ``max_points``.
    """
    count = max(1, math.ceil(math.dist(start, end) / LINE_STEP))
    if count > max_points:
        raise fault("the lines of this map are too long", 1)
    shares = (np.arange(count)[:, None] + 0.5) / count
    points: NDArray[np.float64] = start + shares * (end - start)
    return points


def link_cells(grid: Grid, plane: Plane, cells: Iterable[int]) -> None:
    """Draw a way through cells in their order. ``plane`` (cells,), the way's, is changed in place.

    Two cells that follow each other get a link from one to the other if they are neighbours, else
    only the way itself. A cell of -1 is off the map: the way is interrupted there. The same cell
    may come several times in a row.
    """
    previous_cell = -1
    for cell in cells:
        is_entered = cell >= 0 and cell != previous_cell
        if is_entered:
            _add_way(plane, cell)
            neighbours = grid.neighbour_table[cell].tolist()
            if previous_cell >= 0 and previous_cell in neighbours:
                side = neighbours.index(previous_cell)
                plane[cell] |= 1 << side
                plane[previous_cell] |= 1 << grid.opposite(side)
        previous_cell = cell


def _add_way(plane: Plane, cell: int) -> None:
    """Mark a cell as one that has the way, and keep the links that it has there.

    The bit that says "not set here", if the cell has it, is removed.
    """
    links = plane[cell] & SIDES
    plane[cell] = PRESENT | links
