"""Distances between cells: the fewest steps, and straight lines.

The measuring tool shows ``distance``; searches of paths count with ``steps_to``. On squares, from
cell (0, 0) to cell (3, 4)::

    distance(grid, start, end)      # Distance(steps=7, moves=4, straight=5.0)
    steps_to(grid, end)(start)      # 7
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from randomizer.model.grid.grid import Grid

Point = tuple[float, float]
"""A point of the map, in map units."""


class Distance(NamedTuple):
    """The distance between two cells, or the sum of those of several legs."""

    steps: int
    """The fewest steps from cell to cell across sides."""

    moves: int
    """The fewest steps across sides and corners; on hexes the same."""

    straight: float
    """The length of the line from centre to centre, in widths of a cell."""

    def plus(self, leg: Distance) -> Distance:
        """Return the sum of this distance and that of one more leg."""
        return Distance(
            steps=self.steps + leg.steps,
            moves=self.moves + leg.moves,
            straight=self.straight + leg.straight,
        )


NO_DISTANCE = Distance(0, 0, 0.0)
"""The distance before the first leg."""


def distance(grid: Grid, start: int, end: int) -> Distance:
    """Return the distance between two cells, on a wrapped grid the shorter way round."""
    (ax, ay), (bx, by) = straight_lines(grid, start, end)[0]
    straight = math.hypot(bx - ax, by - ay) / grid.layout.neighbour_distance
    steps = steps_to(grid, end)(start)
    moves = steps
    if grid.degree == 4:  # moved diagonally, the longer of both axes counts; squares have side 1
        moves = round(max(abs(bx - ax), abs(by - ay)))
    return Distance(steps, moves, straight)


def straight_lines(grid: Grid, start: int, end: int) -> list[tuple[Point, Point]]:
    """Return the straight line between the centres of two cells.

    Where the shorter way crosses the seam of a wrapped grid, there are two lines: both leave the
    map, one from each cell.
    """
    start_point = grid.centre(start)
    end_point = grid.centre(end)
    laps = 0  # -1 or 1 if the shorter way crosses the seam
    if grid.wrap:
        laps = round((end_point[0] - start_point[0]) / grid.period)
    if not laps:
        return [(start_point, end_point)]
    across = laps * grid.period
    return [
        (start_point, (end_point[0] - across, end_point[1])),
        ((start_point[0] + across, start_point[1]), end_point),
    ]


def steps_to(grid: Grid, goal: int) -> Callable[[int], int]:
    """Return the function that counts the fewest steps across sides from a cell to ``goal``.

    Cells that do not exist are passed like others.
    """
    # Bound once, since searches call ``steps`` for each cell that they reach.
    width = grid.width
    axial = grid.axial
    is_square = grid.degree == 4

    # On a wrapped map the goal is seen once round the map to the left and to the right, too.
    laps: tuple[int, ...] = (0,)
    if grid.wrap:
        laps = (-1, 0, 1)
    goal_x, goal_y = grid.xy(goal)
    goals = [axial(goal_x + lap * width, goal_y) for lap in laps]

    def steps(cell: int) -> int:
        """Return the fewest steps to any of ``goals``, which are one cell on a wrapped map."""
        y, x = divmod(cell, width)
        q, r = axial(x, y)
        fewest = width * grid.height  # more than any count
        for goal_q, goal_r in goals:
            to_q = goal_q - q
            to_r = goal_r - r
            count = abs(to_q) + abs(to_r)
            if not is_square:
                # Hexes have a third axis, along which q and r change against each other.
                count = (count + abs(to_q + to_r)) // 2
            fewest = min(fewest, count)
        return fewest

    return steps
