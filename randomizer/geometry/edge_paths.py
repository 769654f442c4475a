"""The edges that a drag means: a chain of edges from corner to corner, along the dragged path.

The tool of hexsides calls ``along_path`` with the points of the pointer. The chain goes through the
corner that is nearest to each point; between two of these corners it takes a shortest path.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.grid.grid import Grid

Edge = tuple[int, int]
"""A cell and the number of one of its sides."""

Corner = tuple[int, int]
"""A cell and the number of one of its corners: the one where the side of that number begins."""

_SAME_POINT = 0.01
"""Corners nearer to each other, in map units, are one.

Larger than 1, the side of a cell, it would end each path at its start.
"""

_DIGITS = 9
"""The decimal places of distances in map units: differences behind them come from rounding."""


def along_path(grid: Grid, points: Sequence[tuple[float, float]]) -> list[Edge]:
    """Return the edges along a dragged path (map units), a chain from corner to corner.

    Every edge occurs once, as (cell, side) of one of its two cells, in the order of the path; edges
    of the map edge are passed but left out. A new chain starts where the path re-enters the map,
    and where a hole of the map leaves no way nearer to the next point.
    """
    edges: dict[Edge, None] = {}
    chain_end: Corner | None = None
    for x, y in points:
        corner = _nearest_corner(grid, x, y)
        if corner is None:
            chain_end = None
            continue
        if chain_end is not None:
            for edge in _shortest_edges(grid, chain_end, corner):
                twin = grid.twin(*edge)
                if twin is not None:
                    edges.setdefault(min(edge, twin))
        chain_end = corner
    return list(edges)


def _nearest_corner(grid: Grid, x: float, y: float) -> Corner | None:
    """Return the corner nearest to a point, None outside the map."""
    cell = grid.cell_at(x, y)
    if cell < 0:
        return None
    centre_x, centre_y = grid.centre(cell)
    if grid.wrap:
        centre_x += round((x - centre_x) / grid.period) * grid.period
    distances = [math.hypot(centre_x + dx - x, centre_y + dy - y) for dx, dy in grid.layout.corners]
    return cell, distances.index(min(distances))


def _shortest_edges(grid: Grid, start: Corner, goal: Corner) -> list[Edge]:
    """Return the edges of a shortest path from corner to corner.

    Where the mask leaves no way nearer to the goal, the path ends.
    """
    # Greedy: of the two to four edges at a corner the one that ends nearest to the goal is taken.
    # On a lattice without holes that one is always on a shortest path.
    path: list[Edge] = []
    offsets = grid.layout.corners
    x, y = grid.corner(*start)
    goal_x, goal_y = grid.corner(*goal)
    if grid.wrap:
        goal_x -= round((goal_x - x) / grid.period) * grid.period
    corner = start
    distance = math.hypot(goal_x - x, goal_y - y)
    while distance > _SAME_POINT:
        steps = []
        for edge, near_number, far_number in _edges_from(grid, corner):
            # Both corners are of one cell, so the positions of both are seen from its centre.
            near_x, near_y = offsets[near_number]
            far_x, far_y = offsets[far_number]
            next_x = x + far_x - near_x
            next_y = y + far_y - near_y
            # Rounded, so that steps that lead equally near have the same distance.
            distance_left = round(math.hypot(goal_x - next_x, goal_y - next_y), _DIGITS)
            steps.append(_Step(distance_left, edge, far_number, next_x, next_y))
        best_step = min(steps)  # by distance, then by edge
        if best_step.distance_left > distance - _SAME_POINT:
            break
        path.append(best_step.edge)
        distance = best_step.distance_left
        cell, _side = best_step.edge
        corner = (cell, best_step.end)
        x = best_step.x
        y = best_step.y
    return path


class _Step(NamedTuple):
    """A step along an edge to its other end. The least of several leads nearest to the goal."""

    distance_left: float
    """The distance from the end of the step to the goal, in map units."""

    edge: Edge
    """The edge; of steps that lead equally near the one of the lower cell is taken."""

    end: int
    """The corner at which the step ends, as the edge's cell numbers it."""

    x: float
    """The position of that corner, in map units."""

    y: float


class _EdgeFrom(NamedTuple):
    """An edge at a corner, with its two ends as the edge's cell numbers its corners."""

    edge: Edge
    """The edge."""

    near_number: int
    """The end at the corner from which one asks."""

    far_number: int
    """The other end."""


def _edges_from(grid: Grid, corner: Corner) -> list[_EdgeFrom]:
    """Return every edge at a corner; where hexes meet one can be there twice."""
    cell, number = corner
    degree = grid.degree
    # Corner 1 of a square, and what meets there:
    #
    #                 |
    #      neighbour across side 0
    #                 |                   sides are numbered clockwise from the top,
    #     0 --side 0-- 1 ------           corner 0 is at the upper left
    #     |           |   neighbour
    #     |   cell  side 1  across
    #     |           |   side 1
    #     3 --------- 2 ------
    #
    # Side i of a cell goes from its corner i to its corner i + 1, so two of its sides meet here.
    next_number = (number + 1) % degree
    previous_number = (number - 1) % degree
    edges = [
        _EdgeFrom((cell, number), number, next_number),
        _EdgeFrom((cell, previous_number), number, previous_number),
    ]
    # A third edge leads away between two neighbours: it is a side of the neighbour across side
    # ``number``. Seen from there the shared side runs the other way, and ends in this corner.
    twin = grid.twin(cell, number)
    if twin is not None:
        neighbour, shared_side = twin
        near = (shared_side + 1) % degree
        far = (near + 1) % degree
        edges.append(_EdgeFrom((neighbour, near), near, far))
    # The same from the other neighbour: the fourth edge where squares meet, the third one again
    # where hexes do (the path needs it at the map edge, where one of the neighbours is missing).
    twin = grid.twin(cell, previous_number)
    if twin is not None:
        neighbour, shared_side = twin
        far = (shared_side - 1) % degree
        edges.append(_EdgeFrom((neighbour, far), shared_side, far))
    return edges
