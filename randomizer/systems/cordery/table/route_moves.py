"""The moves that a new river, road or railway can make from area to area, and what they cost.

The search in ``parts/route_search.py`` begins at a position and asks for the moves from it, for
those from there, and so on::

    moves = RouteMoves(table, ROAD, leaving=Exit(cell, side))
    for start in moves.enter_at(entry_cell, entry_side):
        for cost, position in moves.moves_from(start):
            ...                              # 4, Position(cell=12, entry_side=3, ...)

A *position* is more than an area. What a move costs depends on how the area was entered, too, since
bends, crossings and going along a river cost something; all of that is part of a ``Position``. A
move from one to the next costs the sum of

- what its area costs (route_costs.py);
- ``TURNING_BACK`` for a sharp bend (``Position.sharp_exits``);
- ``ALONG_RIVER_COST`` for running along a river (``Position.wet_areas``);
- ``CROSSING`` for each other route that it crosses on the way out of its area
  (route_crossings.py).

The sides of an area are numbered clockwise from 0.
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
from randomizer.systems.cordery.table.route_crossings import (
    BEGINS_HERE,
    NO_ROUTES,
    RouteCrossings,
    RouteSet,
    WayEnd,
    two_sides,
)

OUTSIDE = -1
"""The cell of a position beyond the map edge."""


class Position(NamedTuple):
    """A state of a search: an area, and what of the way to it decides the costs of going on."""

    cell: int
    """The area; OUTSIDE beyond the map edge."""

    entry_side: int
    """The side of the area by which it was entered, BEGINS_HERE if the route begins there."""

    sharp_exits: tuple[int, ...] = ()
    """The sides of the area by which going on is a sharp bend (``sharp_exits``)."""

    clockwise: RouteSet = NO_ROUTES
    """The other routes that cross ``entry_side``, too, and are clockwise of this one there."""

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


def sharp_exits(degree: int, previous_entry_side: int, entry_side: int) -> tuple[int, ...]:
    """Return the sides of an area by which going on is a sharp bend.

    The area was entered by ``entry_side``, the one before it by ``previous_entry_side``.
    """
    if degree == 6:
        # On hexes by the two sides beside that of the entry: the way turns back by 120 degrees.
        return ((entry_side + 1) % 6, (entry_side - 1) % 6)
    # On squares one bend is never sharp, but two in a row to the same hand are: into an area by its
    # north, across its east into the next one, and out of that by its north.
    if previous_entry_side == BEGINS_HERE:
        return ()
    return (previous_entry_side,)


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
        self._river_areas: Collection[int] = frozenset[int]()
        """The areas of rivers; none for a river, which pays nothing for another one."""
        if kind != RIVER:
            self._river_areas = table.routes[RIVER].links.keys()
        self._broad_areas = broad_areas(self._grid, table.routes[RIVER].links)
        self._crossings = RouteCrossings(table, kind, self._broad_areas)
        self._area_costs = AreaCosts(
            table, kind, self._crossings.kinds, self._broad_areas, avoided, houses
        )
        degree = self._grid.degree
        self._side_beyond = [self._grid.opposite(side) for side in range(degree)]
        """By side of an area its number as seen from the area beyond it."""
        self._neighbours: list[list[int]] = self._grid.neighbour_table.tolist()
        self._sharp_exits: dict[int, list[tuple[int, ...]]] = {}
        """``sharp_exits`` by the previous entry side and the entry side: a search asks often."""
        for previous_side in (BEGINS_HERE, *range(degree)):
            self._sharp_exits[previous_side] = [
                sharp_exits(degree, previous_side, side) for side in range(degree)
            ]

    # --- where a route begins ---------------------------------------------------------------

    def begin_at(self, cell: int) -> Position:
        """Return the position of a route that begins in an area."""
        return self._first_position(cell, BEGINS_HERE)

    def enter_at(self, cell: int, side: int) -> list[Position]:
        """Return the positions of a route that enters the table by a side of an area.

        There is one for each choice which other routes are clockwise of it there.
        """
        position = self._first_position(cell, side)
        choices = self._crossings.clockwise_choices(cell, side)
        return [position._replace(clockwise=clockwise) for clockwise in choices]

    def _first_position(self, cell: int, entry_side: int) -> Position:
        """Return the position of a route in its first area."""
        return Position(
            cell,
            entry_side,
            has_passed=not self._areas_to_pass or cell in self._areas_to_pass,
            wet_areas=int(cell in self._river_areas),
        )

    # --- the moves of a search --------------------------------------------------------------

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
            move = self._move_to(position, side, neighbour)
            if move is None:
                continue
            if has_other_route:
                yield from self._with_crossings(move, position, side)
            else:  # the quick case: there is nothing to cross
                yield move

    def _move_to(self, position: Position, side: int, neighbour: int) -> Move | None:
        """Return the move across a side to a neighbour if it crosses nothing; None if barred."""
        cost = self._area_costs.entry_cost(position.cell, neighbour)
        if cost is None:
            return None
        if side in position.sharp_exits:
            cost += TURNING_BACK
        # A river is crossed within LONGEST_CROSSING areas; whoever needs more runs along it.
        wet_areas = 0
        if neighbour in self._river_areas:
            if position.wet_areas == LONGEST_CROSSING:
                cost += ALONG_RIVER_COST
            wet_areas = min(position.wet_areas + 1, LONGEST_CROSSING)
        entry_side = self._side_beyond[side]
        next_position = Position(
            neighbour,
            entry_side,
            sharp_exits=self._sharp_exits[position.entry_side][entry_side],
            has_passed=position.has_passed or neighbour in self._areas_to_pass,
            wet_areas=wet_areas,
        )
        return cost, next_position

    def _with_crossings(self, move: Move, position: Position, side: int) -> Iterator[Move]:
        """Yield a move across a side with all that it can cross on its way through the area.

        ``move`` has no cost of crossings yet. Along a common stretch the other route may be on
        either hand: each choice is a move of its own, and the search takes those with the fewest
        crossings.
        """
        cost, next_position = move
        entry = WayEnd(position.entry_side, position.clockwise)
        for passage in self._crossings.passages(position.cell, entry, side):
            cost_with_crossings = cost + CROSSING * passage.crossing_count
            yield cost_with_crossings, next_position._replace(clockwise=passage.clockwise_beyond)

    def least_to_end(self, cell: int) -> int:
        """Return a bound of the cost from an area to the exit: never more than it will be."""
        if cell == OUTSIDE or self._leaving is None:
            return 0
        # The A* algorithm needs such a bound, and AREA for each step to the exit would be one. With
        # 1 less, cost so far + bound is at least 1 higher after each step, never equal. So all
        # positions from which one can be reached at the same cost come before it in the search of
        # ``parts/route_search``, which finds every cheapest way, not only one.
        steps = self._steps_to_exit.get(cell, 0)  # 0: no way leads from there to the exit
        return (AREA - 1) * steps

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

    # --- a way that was found ---------------------------------------------------------------

    def is_end(self, position: Position, goals: Collection[int]) -> bool:
        """Return whether a route ends at a position: in ``goals``, or where it leaves the table."""
        return position.cell in goals or (position.cell == OUTSIDE and self._leaving is not None)

    def crossed(self, position: Position, following: Position) -> tuple[str, ...]:
        """Return the kinds of routes that are crossed in an area, from a position to the next one.

        A river two areas wide is crossed in all its areas, but not by a route that runs along it or
        begins there.
        """
        side = self._grid.opposite(following.entry_side)
        entry = WayEnd(position.entry_side, position.clockwise)
        kinds = self._crossings.kinds_crossed(position.cell, entry, side, following.clockwise)
        if RIVER in self._crossings.kinds and self._crosses_broad_river(position, side):
            kinds.insert(0, RIVER)
        return tuple(kinds)

    def _crosses_broad_river(self, position: Position, side: int) -> bool:
        """Return whether a route that leaves a position by ``side`` crosses a river two areas wide.

        Such a river has no line: it is crossed if its water goes on to both hands of the route. A
        route that begins in the area crosses nothing.
        """
        if position.cell not in self._broad_areas or position.entry_side == BEGINS_HERE:
            return False
        sides_of_route = two_sides(position.entry_side, side)
        sides_of_river = self._table.routes[RIVER].links[position.cell]
        river_goes_elsewhere = bool(sides_of_river & ~sides_of_route)
        route_goes_elsewhere = bool(sides_of_route & ~sides_of_river)
        river_forks = sides_of_river.bit_count() > 2
        # If all sides of the one are sides of the other, the route only runs along the river.
        return river_goes_elsewhere and (route_goes_elsewhere or river_forks)
