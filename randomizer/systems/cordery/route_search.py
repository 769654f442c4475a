"""Steps 2.1, 3.1 and 6.1: where a route enters and leaves, and the most direct path between."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from randomizer.model.grid import Grid
from randomizer.model.problems import error
from randomizer.systems.cordery.feature_places import decided_area
from randomizer.systems.cordery.table_edges import (
    QUARTERS,
    edge_of_quarter,
    quarter_cells,
    quarter_words,
)
from randomizer.systems.cordery.throws import Decision, Throws

StepCost = Callable[[int, int], int | None]
"""The cost of the step from one area into its neighbour; None if it is not allowed."""


class RimPoint(NamedTuple):
    """Where a route meets the map edge: the area, and the edge (index in ``table_edges.EDGES``)."""

    cell: int
    edge: int


def rim_point(
    grid: Grid,
    throws: Throws,
    name: str,
    clockwise_from: int,
    free: Callable[[int], bool],
    name_of: Callable[[int], str],
) -> tuple[RimPoint, int] | None:
    """The point ``name`` ("river 1 entry") and its quarter, D6 quarters after ``clockwise_from``.

    ``clockwise_from`` is 0 for an entry, which is counted from the top left corner. None if no area
    of the whole map edge is free. Logs the dice.
    """
    quarter = throws.decided_number(f"{name} quarter", 1, QUARTERS)
    how = "as decided"
    if quarter is None:
        score = throws.d6(name)
        quarter, how = (clockwise_from + score - 1) % QUARTERS + 1, f"D6 = {score}"
    wanted = decided_area(grid, throws, Decision(f"{name} at", rim=True), name_of)
    if wanted is not None:
        for turn in range(QUARTERS):  # a corner area belongs to two quarters
            number = (quarter - 1 + turn) % QUARTERS + 1
            if free(wanted) and wanted in quarter_cells(grid, number):
                throws.say(f"{name.capitalize()}: {name_of(wanted)}, as decided", wanted)
                return RimPoint(wanted, edge_of_quarter(number)), number
        words = f"{name} at {name_of(wanted)}: that is no free area on the rim"
        raise error("decision", words)
    for turn in range(QUARTERS):
        number = (quarter - 1 + turn) % QUARTERS + 1
        cells = [cell for cell in quarter_cells(grid, number) if free(cell)]
        if cells:
            cell = throws.highest_first(f"{name} area", cells, name_of)[0]
            where = quarter_words(quarter)
            if turn:
                where += f"; {quarter_words(number)} is the next with a free area"
            if len(cells) > 1:
                where += f", {_area_dice(throws, name, [name_of(each) for each in cells])}"
            throws.say(f"{name.capitalize()}: {how}, {where}: {name_of(cell)}", cell)
            return RimPoint(cell, edge_of_quarter(number)), quarter
    return None


def _area_dice(throws: Throws, name: str, areas: Sequence[str]) -> str:
    """The dice of a quarter's areas in words."""
    dice = (f"{area} {throws.dice_in_words(f'{name} area', area)}" for area in areas)
    return f"the highest of {', '.join(dice)}"


class Step(NamedTuple):
    """An area of a path. ``words``: the die that chose it, if there was a fork before it."""

    cell: int
    words: str = ""


def most_direct(
    grid: Grid,
    throws: Throws,
    name: str,
    start: int,
    goals: Collection[int],
    cost: StepCost,
    name_of: Callable[[int], str],
) -> list[Step] | None:
    """The cheapest path from ``start`` to one of ``goals``, both included; None if there is none.

    Where several are equally cheap a die chooses at each fork. Costs are at least 1.
    """
    left = costs_to(grid, goals, cost)
    if start not in left:
        return None
    way = [Step(start)]
    while left[way[-1].cell]:
        here = way[-1].cell
        forks = _forks(grid, here, left, cost)
        there, thrown = throws.one_of(f"{name} fork at {name_of(here)}", forks)
        others = " or ".join(name_of(other) for other in forks if other != there)
        way.append(Step(there, f"{thrown}, not {others}" if thrown.score else ""))
    return way


def costs_to(grid: Grid, goals: Collection[int], cost: StepCost) -> dict[int, int]:
    """The cost of the cheapest path to ``goals`` from every area that has one."""
    left: dict[int, int] = {}
    queue = [(0, goal) for goal in sorted(goals)]
    while queue:
        so_far, cell = heapq.heappop(queue)
        if cell in left:
            continue
        left[cell] = so_far
        for other in grid.neighbours(cell):
            step = None if other in left else cost(other, cell)
            if step is not None:
                heapq.heappush(queue, (so_far + step, other))
    return left


def side_towards(grid: Grid, cell: int, other: int) -> int:
    """The side of ``cell`` beyond which its neighbour ``other`` is."""
    return next(side for side in range(grid.degree) if grid.neighbour(cell, side) == other)


def _forks(grid: Grid, here: int, left: dict[int, int], cost: StepCost) -> Sequence[int]:
    """The neighbours through which the rest of the path is cheapest, clockwise."""
    forks = []
    for other in grid.neighbours(here):
        step = cost(here, other) if other in left else None
        if step is not None and step + left[other] == left[here]:
            forks.append(other)
    return forks
