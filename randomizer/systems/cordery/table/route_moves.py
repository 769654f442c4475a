"""The moves that a new river, road or railway can make from area to area, and what they cost.

The search in ``parts/route_search.py`` begins at a position and asks for the moves from it, for
those from there, and so on::

    moves = RouteMoves(table, ROAD, leaving=(cell, side))
    for start in moves.enter_at(entry_cell, entry_side):
        for cost, position in moves.moves_from(start):
            ...

A *position* is more than an area. What a move costs depends on how the area was entered, too, since
bends, crossings and going along a river cost something; all of that is part of a ``Position``. What
an area costs is the subject of route_costs.py; where routes cross, of route_crossings.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
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
from randomizer.systems.cordery.table.route_crossings import RouteCrossings

OUTSIDE = -1
"""The cell of a position beyond the map edge."""


class Position(NamedTuple):
    """A state of a search: an area, and what of the way to it decides the costs of going on."""

    cell: int
    """The area; OUTSIDE beyond the map edge."""

    entry_side: int
    """The side of the area by which it was entered, -1 if the route begins there."""

    previous_entry: int = -1
    """On squares the side by which the previous area was entered: ``TURNING_BACK`` depends on it.

    -1 if the route came from no other area. On hexes it matters only whether it is -1: any other
    value is equal to ``entry_side``, so that fewer positions differ.
    """

    hands: int = 0
    """On which hand the other routes are that cross the side ``entry_side``, too.

    See route_crossings.py.
    """

    has_passed: bool = True
    """True if the route has passed one of the areas that it has to pass, or has to pass none."""

    wet_areas: int = 0
    """The number of areas of rivers in a row up to this one, counted to ``LONGEST_CROSSING``."""


class RouteMoves:
    """The moves that a new route of a kind can make on a table, with their costs."""

    def __init__(
        self,
        table: Table,
        kind: str,
        *,
        leaving: tuple[int, int] | None = None,
        areas_to_pass: Collection[int] = (),
        avoided: Collection[int] = (),
        houses: int = BUILT,
    ) -> None:
        """
        Args:
            table: The table as it is without the route.
            kind: RIVER, ROAD or RAIL.
            leaving: The area and the side by which it leaves the table, None if it ends on it.
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
            table, kind, self._crossings.kinds, self._broad_areas, avoided, houses
        )
        self._steps_to_end: dict[int, int] = {}
        """How many steps each area is from where the route leaves; empty until it is needed."""
        self._degree = self._grid.degree
        self._side_beyond = [self._grid.opposite(side) for side in range(self._degree)]
        """By side of an area its number as seen from the area beyond it."""
        self._neighbours: list[list[int]] = self._grid.neighbour_table.tolist()

    def begin_at(self, cell: int) -> list[Position]:
        """Return the position of a route that begins in an area, in a list: it is the only one."""
        has_passed = self._has_passed(cell)
        wet_areas = int(cell in self._river)
        return [Position(cell, -1, has_passed=has_passed, wet_areas=wet_areas)]

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

    def moves_from(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yield the costs of all moves from a position, each with the position to which it leads.

        A move goes to a neighbour, or leaves the table (OUTSIDE) by the side of ``leaving``.
        """
        cell = position.cell
        has_other_route = any(cell in arms for arms in self._crossings.arms)
        for side, neighbour in enumerate(self._neighbours[cell]):
            if side == position.entry_side:
                continue
            if (cell, side) == self._leaving and position.has_passed:
                # Leaving the table is free, but for the routes that are crossed on the way.
                outside = Position(OUTSIDE, self._side_beyond[side])
                yield from self._with_crossings(0, position, side, outside)
                continue
            if neighbour < 0:
                continue
            step = self._step_to(position, side, neighbour)
            if step is None:
                continue
            if has_other_route:
                cost, next_position = step
                yield from self._with_crossings(cost, position, side, next_position)
            else:  # the quick case: there is nothing to cross
                yield step

    def _step_to(
        self, position: Position, side: int, neighbour: int
    ) -> tuple[int, Position] | None:
        """Return the move across a side to a neighbour if it crosses nothing; None if it is barred.

        It is the cost and the next position, as in ``moves_from``.
        """
        cost = self._area_costs.entry_cost(position.cell, neighbour)
        if cost is None:
            return None
        if position.previous_entry >= 0 and self._turns_back(position, side):
            cost += TURNING_BACK
        wet_areas = 0
        if neighbour in self._river:
            if position.wet_areas == LONGEST_CROSSING:
                cost += ALONG_RIVER_COST
            wet_areas = min(position.wet_areas + 1, LONGEST_CROSSING)

        side_beyond = self._side_beyond[side]
        previous_entry = position.entry_side
        if self._degree == 6:
            previous_entry = side_beyond  # see ``Position.previous_entry``
        has_passed = position.has_passed or neighbour in self._areas_to_pass
        next_position = Position(
            neighbour,
            side_beyond,
            previous_entry=previous_entry,
            has_passed=has_passed,
            wet_areas=wet_areas,
        )
        return cost, next_position

    def _with_crossings(
        self, cost: int, position: Position, side: int, next_position: Position
    ) -> Iterator[tuple[int, Position]]:
        """Yield the moves across a side with all that they can cross on their way through the area.

        ``cost`` is that without crossings; ``next_position`` has no hands yet. Along a common
        stretch the other route may be on either hand: each choice is a move of its own, and the
        search takes those with the fewest crossings.
        """
        crossings = self._crossings
        cell = position.cell
        entry_side = position.entry_side
        routes_alongside = crossings.routes_alongside(cell, entry_side, side)
        for hands in crossings.possible_hands(cell, side):
            crossed = crossings.routes_crossed(cell, entry_side, position.hands, side, hands)
            if crossed & routes_alongside:
                continue  # routes cross at an end of what they have in common, not within
            next_hands = crossings.seen_from_beyond(cell, side, hands)
            yield cost + CROSSING * crossed.bit_count(), next_position._replace(hands=next_hands)

    def least_to_end(self, cell: int) -> int:
        """Return a bound of the cost from an area to the end: never more than it will be."""
        # The A* algorithm needs such a bound, and AREA for each step to the end would be one. With
        # a little less the cost so far plus the bound rises with every step, strictly. So the
        # search of ``parts/route_search`` finishes all positions from which one is reached at the
        # same cost before that one itself, and misses none of the cheapest ways.
        if cell == OUTSIDE or self._leaving is None:
            return 0
        if not self._steps_to_end:
            self._steps_to_end = self._count_steps_to(self._leaving[0])
        return (AREA - 1) * self._steps_to_end.get(cell, 0)

    def is_end(self, position: Position, goals: Collection[int]) -> bool:
        """Return whether a route ends at a position: in ``goals``, or where it leaves the table."""
        return position.cell in goals or (position.cell == OUTSIDE and self._leaving is not None)

    def crossed(self, position: Position, following: Position) -> tuple[str, ...]:
        """Return the kinds of routes that are crossed in an area, from a position to the next one.

        A river two areas wide is crossed in all its areas, but not by a route that runs along it or
        begins there.
        """
        cell = position.cell
        side = self._grid.opposite(following.entry_side)
        hands = self._crossings.seen_from_beyond(cell, side, following.hands)
        bits = self._crossings.routes_crossed(
            cell, position.entry_side, position.hands, side, hands
        )
        kinds = [kind for number, kind in enumerate(self._crossings.kinds) if bits >> number & 1]

        if RIVER in self._crossings.kinds and self._crosses_broad_river(position, side):
            kinds.insert(0, RIVER)
        return tuple(kinds)

    def _crosses_broad_river(self, position: Position, side: int) -> bool:
        """Return whether a route that leaves a position by ``side`` crosses a river two areas wide.

        Such a river has no line: it is crossed if its water goes on to both hands of the route. A
        route that begins in the area crosses nothing.
        """
        if position.cell not in self._broad_areas or position.entry_side < 0:
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

    def _turns_back(self, position: Position, side: int) -> bool:
        """Return whether a step across ``side`` turns back: see ``TURNING_BACK``.

        The route must have come from another area (``Position.previous_entry``).
        """
        if self._degree == 6:
            return (side - position.entry_side) % 6 in (1, 5)
        # Squares: the route entered the previous area by a side of this number, went across, and
        # would now leave by the same side: two bends to one hand.
        return side == position.previous_entry

    def _count_steps_to(self, end: int) -> dict[int, int]:
        """Return how many steps each area is from one, by a breadth-first search."""
        steps = {end: 0}
        queue = deque([end])
        while queue:
            cell = queue.popleft()
            for neighbour in self._neighbours[cell]:
                if neighbour >= 0 and neighbour not in steps:
                    steps[neighbour] = steps[cell] + 1
                    queue.append(neighbour)
        return steps
