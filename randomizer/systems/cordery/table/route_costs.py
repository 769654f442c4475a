"""What a river, road or railway pays for the areas through which it runs.

A new route takes the cheapest way across the table. What is cheap is stated here and in
docs/manual/wargame-tables.md: each area costs something, and more if there are hills, houses or
other routes. ``AreaCosts`` adds up what entering an area costs; what a step costs beyond that, such
as a crossing or a sharp bend, is added by ``RouteMoves`` (route_moves.py).
"""

from __future__ import annotations

from collections.abc import Collection

from randomizer.systems.cordery.table.broad_rivers import bank_areas
from randomizer.systems.cordery.table.features import (
    HABITATION,
    LAKE,
    MARSH,
    MOUNTAIN,
    RIVER,
    TREES,
    WATERS,
    Table,
)

# The costs of areas and steps. With a larger one a route makes a longer way round to avoid it.

AREA = 4
"""Each area.

All other costs are measured by it: the quarter of an area is 1.
"""

SHARED_COST = 1
"""An area with a route of another kind, for each kind."""

CROSSING = 4
"""Each crossing of a route of another kind."""

WET_COST = 8
"""An area of a river, for roads and railways, in place of ``SHARED_COST``."""

ALONG_RIVER_COST = 200
"""For roads and railways, an area of a river entered after ``LONGEST_CROSSING`` of them in a row.

It is more than any way round, so that they do not run along rivers.
"""

LONGEST_CROSSING = 2
"""The number of areas of a river in a row that crossing one an area wide takes at most.

With fewer some crossings would count as running along a river; with more a route could do so for a
while.
"""

BROAD_RIVER_COST = 6
"""An area of a river that is two areas wide, in place of ``WET_COST`` and ``CROSSING``."""

MEETING_COST = 2
"""An area with a route of the same kind, entered other than along that one."""

BESIDE_RIVER_COST = 4
"""For rivers, an area beside a river that does not run through it.

With a larger one a river makes a longer way round to keep an area of land between it and another.
"""

TURNING_BACK = 4
"""A sharp bend on hexes; on squares two bends to the same hand in two areas."""

BUILT = 8
"""An area with houses or fields, for roads and railways."""

MARSHY = 100
"""A marsh, for roads and railways: more than what a dry way of the same length may meet."""

HILL = 100_000
"""Each contour of an area: more than any way without hills."""

ALMOST_BARRED_COST = 10_000_000
"""A lake for roads and railways; for rivers, ground that a person has drawn.

It is more than any hills, but not quite barred: an area that cannot be entered has the cost None.
"""


class AreaCosts:
    """The costs of areas for a new route of one kind; each is worked out once."""

    def __init__(
        self,
        table: Table,
        kind: str,
        crossable_kinds: Collection[str],
        broad_areas: Collection[int],
        avoided_areas: Collection[int],
        house_cost: int,
    ) -> None:
        """
        Args:
            table: The table as it is without the route.
            kind: RIVER, ROAD or RAIL.
            crossable_kinds: The kinds of routes on the table that it can cross.
            broad_areas: The areas of rivers that are two areas wide.
            avoided_areas: The areas that it must not enter.
            house_cost: The cost of houses in an area, usually ``BUILT``.
        """
        self._table = table
        self._kind = kind
        self._crossable_kinds = crossable_kinds
        self._broad_areas = broad_areas
        self._avoided_areas = frozenset(avoided_areas)
        self._house_cost = house_cost
        self._same_kind = table.routes[kind]
        """The routes of this kind that are on the table."""
        self._banks = frozenset[int]()
        """The areas beside rivers, which have none; only for a river."""
        if kind == RIVER:
            self._banks = bank_areas(table.grid, self._same_kind.links)
        self._costs: dict[int, int | None] = {}
        """The results of ``_area_cost`` so far."""

    def entry_cost(self, from_cell: int, to_cell: int) -> int | None:
        """Return the cost of entering an area from its neighbour, None if the route cannot."""
        if to_cell not in self._costs:
            self._costs[to_cell] = self._area_cost(to_cell)
        cost = self._costs[to_cell]
        if cost is None or to_cell not in self._same_kind.links:
            return cost
        if self._same_kind.runs_along(self._table.grid, from_cell, to_cell):
            return cost
        return cost + MEETING_COST

    def _area_cost(self, cell: int) -> int | None:
        """Return the cost of an area from wherever it is entered, None if the route cannot."""
        table = self._table
        ground = table.ground.get(cell)
        if ground == MOUNTAIN or cell in self._avoided_areas:
            return None
        if cell in table.locked and cell not in self._same_kind.links:
            return None
        cost = AREA + HILL * table.contours.get(cell, 0)
        if self._kind == RIVER:
            # Rivers come first on the page. Other ground than water was put there by hand.
            if ground is not None and ground not in WATERS:
                cost += ALMOST_BARRED_COST
            if cell in self._banks:
                cost += BESIDE_RIVER_COST
            return cost
        return cost + self._ground_cost(ground) + self._cost_of_other_routes(cell)

    def _ground_cost(self, ground: str | None) -> int:
        """Return what a road or railway pays for the ground of an area; None is open ground."""
        if ground is None or ground in TREES:
            return 0
        if ground == LAKE:
            return ALMOST_BARRED_COST
        if ground == MARSH:
            return MARSHY
        if ground in HABITATION:
            return self._house_cost
        return BUILT

    def _cost_of_other_routes(self, cell: int) -> int:
        """Return what a road or railway pays for sharing an area with routes of other kinds."""
        cost = 0
        for kind in self._crossable_kinds:
            if cell not in self._table.routes[kind].links:
                continue
            if kind != RIVER:
                cost += SHARED_COST
            elif cell in self._broad_areas:
                cost += BROAD_RIVER_COST
            else:
                cost += WET_COST
        return cost
