"""Steps 2.1, 3.1 and 6.1: the cheapest ways of a route, and the one that it takes.

The page says "the most direct way around hills and mountains". Often several ways are as cheap, as
from ``s`` to ``e`` around a hill::

    . b c .
    s # # e        at ``s`` the ways fork: a die chooses b or f
    . f g .

``cheapest_ways`` finds all of them, and a ``Walk`` follows one. The module ``routes`` uses both,
with the moves of ``table/route_moves``::

    ways = cheapest_ways(moves, moves.enter_at(cell, side))
    if ways is not None:
        walk = Walk(grid, throws, "road 1", name_of)
        walk.go(ways)
        steps = walk.steps()

A *position* is an area together with all that the costs of going on depend on, such as the side by
which the area was entered (``Position``). So a way is a sequence of positions, and several
positions can lie in one area.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice.throws import Throws
from randomizer.systems.cordery.table.route_moves import OUTSIDE, Position, RouteMoves

_Predecessors = dict[Position, list[Position]]
"""For each position that was reached, those from which it is reached at the lowest cost.

The starts have none.
"""


@dataclass(frozen=True, eq=False)
class Ways:
    """All cheapest ways from some positions to the goals."""

    moves: RouteMoves
    """The moves that they are made of."""

    cost: int
    """The cost of each of them."""

    starts: set[Position]
    """The positions in which they begin."""

    next_positions: Mapping[Position, set[Position]]
    """The positions that follow on each position of the ways; their ends are missing."""

    def following(self, position: Position) -> set[Position]:
        """Return the positions that follow on one, on any of the ways; none at their end."""
        return self.next_positions.get(position, set())


def cheapest_ways(
    moves: RouteMoves, starts: Collection[Position], goals: Collection[int] = ()
) -> Ways | None:
    """Return all cheapest ways from any of ``starts`` to an end; None if there is no way.

    An end is one of the areas ``goals``, or where ``moves`` leave the table.
    """
    search = _search(moves, starts, goals)
    if search is None:
        return None

    # From the ends of the ways back to their starts.
    used_starts = set[Position]()
    next_positions: dict[Position, set[Position]] = {}
    unvisited = list(search.ends)
    while unvisited:
        position = unvisited.pop()
        if not search.predecessors[position]:
            used_starts.add(position)
        for previous in search.predecessors[position]:
            if previous not in next_positions:
                next_positions[previous] = set()
                unvisited.append(previous)
            next_positions[previous].add(position)
    return Ways(moves, search.cost, used_starts, next_positions)


class _Search(NamedTuple):
    """The result of a search that has found a way."""

    cost: int
    """The lowest cost."""

    ends: list[Position]
    """The positions in which ways of this cost end."""

    predecessors: _Predecessors


def _search(
    moves: RouteMoves, starts: Collection[Position], goals: Collection[int]
) -> _Search | None:
    """Search the cheapest ways by the A* algorithm; None if there is no way."""
    # A* as in geometry/cheapest_path, but all ways of the lowest cost are found, not one: the
    # search goes on until what is left must cost more, and a position has several predecessors.
    totals = dict.fromkeys(starts, 0)
    predecessors: _Predecessors = {start: [] for start in starts}
    queue = [(moves.least_to_end(start.cell), start) for start in starts]
    heapq.heapify(queue)
    cost: int | None = None
    ends: list[Position] = []
    finished: set[Position] = set()
    while queue:
        bound, position = heapq.heappop(queue)
        if cost is not None and bound > cost:
            break
        if position in finished:
            continue
        finished.add(position)
        if moves.is_end(position, goals) and position.has_passed:
            cost = totals[position]
            ends.append(position)
            continue
        for step_cost, next_position in moves.moves_from(position):
            total = totals[position] + step_cost
            lowest_total = totals.get(next_position)
            if lowest_total is None or total < lowest_total:
                totals[next_position] = total
                predecessors[next_position] = [position]
                bound = total + moves.least_to_end(next_position.cell)
                heapq.heappush(queue, (bound, next_position))
            # A position is finished only after all from which it is reached at the same cost, since
            # the bound rises with every step (``RouteMoves.least_to_end``).
            elif total == lowest_total and next_position not in finished:
                predecessors[next_position].append(position)
    if cost is None:
        return None
    return _Search(cost, ends, predecessors)


class Step(NamedTuple):
    """An area of a way."""

    cell: int

    words: str = ""
    """The die that chose the area, if the way forked before it."""

    crossed: tuple[str, ...] = ()
    """The kinds of routes that are crossed in the area."""


@dataclass
class _WalkedArea:
    """An area of a walk."""

    positions: set[Position]
    """The positions in which the walk may be there, all of the same cell; never empty."""

    words: str
    """The explanation of the die that chose the area, "" without a die."""

    ways_on: Ways | None = None
    """The ways by which the walk goes on to the next area; None for the last one."""

    @property
    def cell(self) -> int:
        """Its cell."""
        return next(iter(self.positions)).cell


class Walk:
    """One of the cheapest ways: a die chooses wherever it forks.

    A walk of several stages calls ``go`` for each of them (see ``routes._walk_through``). The dice
    choose areas only; which position it was in each of them is decided at the end, by ``steps``.
    """

    def __init__(self, grid: Grid, throws: Throws, name: str, name_of: Callable[[int], str]):
        self._grid = grid
        self._throws = throws
        self._name = name
        self._name_of = name_of
        self._areas: list[_WalkedArea] = []
        """The areas so far, in their order."""

    @property
    def last(self) -> set[Position]:
        """The positions in which the walk may be in its last area so far."""
        return self._areas[-1].positions

    @property
    def cells(self) -> list[int]:
        """The areas of the walk so far."""
        return [area.cell for area in self._areas]

    def go(self, ways: Ways) -> None:
        """Walk one of ``ways``: those from anywhere, or from ``last`` on for a further stage."""
        if self._areas:
            assert ways.starts <= self.last, "a further stage begins where the walk has ended"
            self._areas[-1].positions = ways.starts
        else:
            self._areas.append(self._choose(ways.starts, f"{self._name} from", None))
        while True:
            area = self._areas[-1]
            next_positions = set[Position]()
            for position in area.positions:
                next_positions |= ways.following(position)
            if not next_positions:
                return
            die_name = f"{self._name} fork at {self._name_of(area.cell)}"
            area.ways_on = ways
            self._areas.append(self._choose(next_positions, die_name, area.cell))

    def _choose(
        self, positions: set[Position], die_name: str, previous_cell: int | None
    ) -> _WalkedArea:
        """Choose one of the areas of some positions by a die.

        ``previous_cell`` is the area before, None for the first one: of more than six first areas
        the first six can be chosen, since one die tells no more apart. If all positions are in one
        area no die is thrown.
        """
        cells_of_positions = {position.cell for position in positions}
        # The scores of the die count the areas clockwise around the one before, or in their order.
        if previous_cell is None:
            cells = sorted(cells_of_positions)[:SIDES]
        elif cells_of_positions == {OUTSIDE}:
            cells = [OUTSIDE]  # no neighbour: the way leaves the table
        else:
            neighbours = self._grid.neighbours(previous_cell)
            cells = [cell for cell in neighbours if cell in cells_of_positions]
        cell, thrown = self._throws.one_of(die_name, cells, self._name_of)
        words = ""
        if thrown.score:
            names_not_chosen = [self._name_of(area) for area in cells if area != cell]
            words = f"{thrown}, not {' or '.join(names_not_chosen)}"
        return _WalkedArea({position for position in positions if position.cell == cell}, words)

    def steps(self) -> list[Step]:
        """Return the areas of the way, with the routes that are crossed in each."""
        positions = self._positions_of_areas()
        steps = []
        for index, area in enumerate(self._areas):
            position = positions[index]
            crossed: tuple[str, ...] = ()
            if area.ways_on is not None:  # what is crossed depends on where the route goes next
                crossed = area.ways_on.moves.crossed(position, positions[index + 1])
            if position.cell != OUTSIDE:
                steps.append(Step(position.cell, area.words, crossed))
        return steps

    def _positions_of_areas(self) -> list[Position]:
        """Return one position in each area of the walk, each of them leading on to the next one.

        Of several that do it is the least one, so that a seed always gives the same.
        """
        # From the end back to the start, since not all positions in an area lead to the end.
        next_position = min(self._areas[-1].positions)
        positions = [next_position]
        for area in reversed(self._areas[:-1]):
            assert area.ways_on is not None, "only the last area has none"
            predecessors = [
                position
                for position in area.positions
                if next_position in area.ways_on.following(position)
            ]
            next_position = min(predecessors)
            positions.append(next_position)
        return positions[::-1]
