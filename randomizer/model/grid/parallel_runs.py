"""The order of two routes along a run of sides that both of them cross.

They keep it along the whole run, so that they cross each other at one end of it at most.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid

Side = tuple[int, int]
"""A cell and one of its sides."""


def swapped_sides(
    grid: Grid, linked: Sequence[NDArray[np.bool_]], crossed: NDArray[np.bool_] | None = None
) -> dict[Side, bool]:
    """For every side that two routes cross whether the second lies before the first, clockwise.

    ``linked`` says of each of the two which sides of the cells it crosses, shape (size, degree).
    ``crossed`` says in which cells (size,) they are known to cross: if they can do so at one of
    the two ends of a run, it is that one.
    """
    neighbours = grid.neighbour_table
    shared = np.ones((grid.size, grid.degree), np.bool_)
    for side in range(grid.degree):
        for linked_sides in linked:
            answered = linked_sides[neighbours[:, side], grid.opposite(side)] & (
                neighbours[:, side] >= 0
            )
            shared[:, side] &= linked_sides[:, side] | answered
    result: dict[Side, bool] = {}
    for cell, side in np.argwhere(shared).tolist():
        if (cell, side) not in result:
            run = _run(grid, shared, (cell, side))
            swapped = {element: not reverse for element, reverse in run.items()}
            if _cost(grid, linked, swapped, crossed) < _cost(grid, linked, run, crossed):
                run = swapped
            result |= run
    return result


def crossing_cells(
    grid: Grid, linked: Sequence[NDArray[np.bool_]], cells: Sequence[int]
) -> list[int]:
    """In which of ``cells`` two routes cross; ``linked`` is as in ``swapped_sides``."""
    swapped = swapped_sides(grid, linked)
    return [cell for cell in cells if _cross_in(grid, linked, swapped, cell)]


def _cost(
    grid: Grid,
    linked: Sequence[NDArray[np.bool_]],
    swapped: dict[Side, bool],
    crossed: NDArray[np.bool_] | None,
) -> int:
    """Twice the number of crossings along a run; one that is known to be there counts once."""
    crossed_cells = [
        cell for cell in {cell for cell, _side in swapped} if _cross_in(grid, linked, swapped, cell)
    ]
    return sum(1 if crossed is not None and crossed[cell] else 2 for cell in crossed_cells)


def _cross_in(
    grid: Grid, linked: Sequence[NDArray[np.bool_]], swapped: dict[Side, bool], cell: int
) -> bool:
    """Return whether the sides of two routes lie around a cell in turn."""
    ends: list[int] = []
    for side in range(grid.degree):
        linked_here = [
            number for number, linked_sides in enumerate(linked) if linked_sides[cell, side]
        ]
        if len(linked_here) == 2 and (cell, side) in swapped:
            linked_here = [1, 0] if swapped[cell, side] else [0, 1]
        ends += linked_here
    return sum(one != other for one, other in zip(ends, ends[1:] + ends[:1], strict=True)) > 2


def _run(grid: Grid, shared: NDArray[np.bool_], start: Side) -> dict[Side, bool]:
    """Return all shared sides that are connected with ``start``, and whether each is reversed
    against it.

    The two sides at which parallel routes cross a cell are reversed against each other: the first
    of them clockwise on the way in is the last on the way out. So are the two cells' views of one
    side.
    """
    run = {start: False}
    queue = deque([start])
    while queue:
        cell, side = element = queue.popleft()
        nexts = [
            (cell, next_side)
            for next_side in range(grid.degree)
            if next_side != side and shared[cell, next_side]
        ]
        twin = grid.twin(cell, side)
        for following in (*nexts, *([] if twin is None else [(twin[0], twin[1])])):
            if following not in run:
                run[following] = not run[element]
                queue.append(following)
    return run
