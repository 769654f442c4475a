"""The moves that a new river, road or railway can make from area to area, and what they cost.

The search in ``parts/route_search.py`` begins at a position and asks for the moves from it, for
those from there, and so on::

    moves = RouteMoves(table, ROAD, leaving=Exit(cell, side))
    for start in moves.enter_at(entry_cell, entry_side):
        for cost, position in moves.moves_from(start):
            ...                              # 4, Position(cell=12, entry_side=3, ...)

A *position* is more than an area. What a move costs depends on how the area was entered, too, since
bends, crossings and going along a river cost something; all of that is part of a ``Position``. What
an area costs is the subject of route_costs.py; where routes cross, of route_crossings.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from randomizer.systems.cordery.table.broad_rivers import broad_areas
from randomizer.systems.cordery.table.features import RIVER, Table
from randomizer.systems.cordery.table.route_costs import (
    ALONG_RIVER_COST,
    AREA,
    BUILT,
    CROSSING,
    LONGEST_CROSSING,
    TURNING_BACK,
    AreaCosts,
)
from randomizer.systems.cordery.table.route_crossings import BEGINS_HERE, RouteCrossings

OUTSIDE = -1
"""The cell of a position beyond the map edge."""


class Position(NamedTuple):
    """A state of a search: an area, and what of the way to it decides the costs of going on."""

    cell: int
    """The area; OUTSIDE beyond the map edge."""

    entry_side: int
    """The side of the area by which it was entered, BEGINS_HERE if the route begins there."""

    sharp_exits: tuple[int, ...] = ()
    """The sides of the area by which going on costs ``TURNING_BACK``.

    On hexes those beside ``entry_side``: a sharp bend. On squares the side of the same number as
    that by which the previous area was entered: two bends to one hand. None in the first area.
    """

    hands: int = 0
    """On which hand the other routes are that cross the side ``entry_side``, too.

    See route_crossings.py.
    """

    has_passed: bool = True
    """True if the route has passed one of the areas that it has to pass, or has to pass none."""

    wet_areas: int = 0
    """The number of areas of rivers in a row up to this one, counted to ``LONGEST_CROSSING``."""


Move = tuple[int, Position]
"""What a move costs, and the position to which it leads.

A plain tuple: a search makes so many that one with names would take a tenth of its time.
"""


class Exit(NamedTuple):
    """Where a route leaves the table."""

    cell: int
    """An area at the map edge."""

    side: int
    """The side of it beyond which the table ends."""


class RouteMoves:
    """The moves that a new route of a kind can make on a table, with their costs."""

    def __init__(
        self,
        table: Table,
        kind: str,
        *,
        leaving: Exit | None = None,
        areas_to_pass: Collection[int] = (),
        avoided: Collection[int] = (),
        houses: int = BUILT,
    ) -> None:
        """
        Args:
            table: The table as it is without the route.
            kind: RIVER, ROAD or RAIL.
            leaving: Where it leaves the table, None if it ends on it.
            areas_to_pass: Areas one of which it has to pass.
            avoided: Areas that it must not enter.
            houses: The cost of houses in an area.
        """
        self._table = table
        self._grid = table.grid
        self._leaving = leaving
        self._areas_to_pass = frozenset(areas_to_pass)
        self._river: Collection[int] = frozenset[int]()
        """The areas of rivers; none for a river, which pays nothing for another one."""
        if kind != RIVER:
            self._river = table.routes[RIVER].links.keys()
        self._broad_areas = broad_areas(self._grid, table.routes[RIVER].links)
        self._crossings = RouteCrossings(table, kind, self._broad_areas)
        self._area_costs = AreaCosts(
            table, kind, self._kinds_of_others(), self._broad_areas, avoided, houses
        )
        self._degree = self._grid.degree
        self._side_beyond = [self._grid.opposite(side) for side in range(self._degree)]
        """By side of an area its number as seen from the area beyond it."""
        self._neighbours: list[list[int]] = self._grid.neighbour_table.tolist()
        self._sharp_exits = _sharp_exits_by_side(self._degree)

    def _kinds_of_others(self) -> tuple[str, ...]:
        """Return the kinds of routes that the new one can cross."""
        return tuple(other.kind for other in self._crossings.others)

    def begin_at(self, cell: int) -> list[Position]:
        """Return the position of a route that begins in an area, in a list: it is the only one."""
        has_passed = self._has_passed(cell)
        wet_areas = int(cell in self._river)
        return [Position(cell, BEGINS_HERE, has_passed=has_passed, wet_areas=wet_areas)]

    def enter_at(self, cell: int, side: int) -> list[Position]:
        """Return the positions of a route that enters the table by a side of an area.

        There is one for each choice of hands (``RouteCrossings.possible_hands``).
        """
        has_passed = self._has_passed(cell)
        wet_areas = int(cell in self._river)
        hands = self._crossings.possible_hands(cell, side)
        return [
            Position(cell, side, hands=possible_hands, has_passed=has_passed, wet_areas=wet_areas)
            for possible_hands in hands
        ]

    def moves_from(self, position: Position) -> Iterator[Move]:
        """Yield all moves from a position.

        A move goes to a neighbour, or leaves the table (OUTSIDE) at the exit.
        """
        cell = position.cell
        has_other_route = cell in self._crossings.areas
        for side, neighbour in enumerate(self._neighbours[cell]):
            if side == position.entry_side:
                continue
            if (cell, side) == self._leaving and position.has_passed:
                # Leaving the table is free, but for the routes that are crossed on the way.
                outside = Position(OUTSIDE, self._side_beyond[side])
                yield from self._with_crossings((0, outside), position, side)
                continue
            if neighbour < 0:
                continue
            step = self._step_to(position, side, neighbour)
            if step is None:
                continue
            if has_other_route:
                yield from self._with_crossings(step, position, side)
            else:  # the quick case: there is nothing to cross
                yield step

    def _step_to(self, position: Position, side: int, neighbour: int) -> Move | None:
        """Return the move across a side to a neighbour if it crosses nothing; None if barred."""
        cost = self._area_costs.entry_cost(position.cell, neighbour)
        if cost is None:
            return None
        if side in position.sharp_exits:
            cost += TURNING_BACK
        wet_areas = 0
        if neighbour in self._river:
            if position.wet_areas == LONGEST_CROSSING:
                cost += ALONG_RIVER_COST
            wet_areas = min(position.wet_areas + 1, LONGEST_CROSSING)

        entry_side = self._side_beyond[side]
        if self._degree == 6:
            sharp_exits = self._sharp_exits[entry_side]
        else:
            sharp_exits = self._sharp_exits[position.entry_side]
        next_position = Position(
            neighbour,
            entry_side,
            sharp_exits=sharp_exits,
            has_passed=position.has_passed or neighbour in self._areas_to_pass,
            wet_areas=wet_areas,
        )
        return cost, next_position

    def _with_crossings(self, step: Move, position: Position, side: int) -> Iterator[Move]:
        """Yield a step across a side with all that it can cross on its way through the area.

        ``step`` has neither the cost of crossings nor hands yet. Along a common stretch the other
        route may be on either hand: each choice is a move of its own, and the search takes those
        with the fewest crossings.
        """
        step_cost, next_position = step
        passages = self._crossings.passages(
            position.cell, position.entry_side, position.hands, side
        )
        for passage in passages:
            cost = step_cost + CROSSING * passage.crossing_count
            yield cost, next_position._replace(hands=passage.next_hands)

    def least_to_end(self, cell: int) -> int:
        """Return a bound of the cost from an area to the exit: never more than it will be."""
        if cell == OUTSIDE or self._leaving is None:
            return 0
        # The A* algorithm needs such a bound, and AREA for each step to the exit would be one. With
        # 1 less, cost so far + bound is at least 1 higher after each step, never equal. So all
        # positions from which one can be reached at the same cost come before it in the search of
        # ``parts/route_search``, which finds every cheapest way, not only one.
        return (AREA - 1) * self._steps_to_exit.get(cell, 0)

    @cached_property
    def _steps_to_exit(self) -> dict[int, int]:
        """How many steps each area is from the exit, by a breadth-first search."""
        assert self._leaving is not None, "asked only for a route that leaves the table"
        exit_cell = self._leaving.cell
        steps = {exit_cell: 0}
        queue = deque([exit_cell])
        while queue:
            cell = queue.popleft()
            for neighbour in self._neighbours[cell]:
                if neighbour >= 0 and neighbour not in steps:
                    steps[neighbour] = steps[cell] + 1
                    queue.append(neighbour)
        return steps

    def is_end(self, position: Position, goals: Collection[int]) -> bool:
        """Return whether a route ends at a position: in ``goals``, or where it leaves the table."""
        return position.cell in goals or (position.cell == OUTSIDE and self._leaving is not None)

    def crossed(self, position: Position, following: Position) -> tuple[str, ...]:
        """Return the kinds of routes that are crossed in an area, from a position to the next one.

        A river two areas wide is crossed in all its areas, but not by a route that runs along it or
        begins there.
        """
        side = self._grid.opposite(following.entry_side)
        kinds = self._crossings.kinds_crossed(
            position.cell, position.entry_side, position.hands, side, following.hands
        )
        if RIVER in self._kinds_of_others() and self._crosses_broad_river(position, side):
            kinds.insert(0, RIVER)
        return tuple(kinds)

    def _crosses_broad_river(self, position: Position, side: int) -> bool:
        """Return whether a route that leaves a position by ``side`` crosses a river two areas wide.

        Such a river has no line: it is crossed if its water goes on to both hands of the route. A
        route that begins in the area crosses nothing.
        """
        if position.cell not in self._broad_areas or position.entry_side == BEGINS_HERE:
            return False
        sides_of_route = 1 << position.entry_side | 1 << side
        sides_of_river = self._table.routes[RIVER].links[position.cell]
        river_goes_elsewhere = bool(sides_of_river & ~sides_of_route)
        route_goes_elsewhere = bool(sides_of_route & ~sides_of_river)
        river_forks = sides_of_river.bit_count() > 2
        # If all sides of the one are sides of the other, the route only runs along the river.
        return river_goes_elsewhere and (route_goes_elsewhere or river_forks)

    def _has_passed(self, cell: int) -> bool:
        """Return whether an area is one that a route has to pass, or it has to pass none."""
        return not self._areas_to_pass or cell in self._areas_to_pass


def _sharp_exits_by_side(degree: int) -> dict[int, tuple[int, ...]]:
    """Return ``Position.sharp_exits`` by the side that decides it.

    On hexes that is the side by which the area is entered, on squares that by which the area before
    it was entered; BEGINS_HERE for none.
    """
    sharp_exits: dict[int, tuple[int, ...]] = {BEGINS_HERE: ()}
    for side in range(degree):
        if degree == 6:
            sharp_exits[side] = ((side + 1) % 6, (side - 1) % 6)
        else:
            # Into an area by its north, across to the east, out of the next area by its north.
            sharp_exits[side] = (side,)
    return sharp_exits
