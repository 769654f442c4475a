r"""Where a new route crosses the other routes on a table.

In one area that is simple: a route divides the area into two, and crosses another route that has
sides in both (``crosses``). It is harder where two routes run side by side for a while::

    n   o           n   o
     \ /             \ /
      |               |          n is the new route, o another one; between the
      |               |          areas of the common stretch both cross the same sides
     / \             / \
    o   n           n   o
    they cross      they do not

They cross if they come together on one hand and part on the other. The crossing is at one end of
the common stretch, and must be counted once. So at each side of an area that both cross a search
notes whether the other route is *clockwise* of the new one, as seen from within that area::

      . n o .              . o n .
       \   /                \   /         both cross the upper side of this area;
        |_|                  |_|           the sides are gone round clockwise
    o is clockwise of n    o is not

A search does not know that beforehand: it tries both, each as a *passage* of its own, and takes
those with the fewest crossings::

    crossings = RouteCrossings(table, ROAD, broad_areas)
    for clockwise in crossings.clockwise_choices(cell, side):      # when the route enters the table
        for passage in crossings.passages(cell, WayEnd(side, clockwise), exit_side):
            passage.crossing_count          # 1
            passage.clockwise_beyond        # for the next area

The search looks at each area many times. So small sets are whole numbers here, whose bits are their
members: ``SideSet`` and ``RouteSet``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.systems.cordery.table.broad_rivers import all_links
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD, Table

BEGINS_HERE = -1
"""In place of the side by which a route enters an area: it begins in the area."""

SideSet = int
"""A set of sides of an area: 0b1010 are the sides 1 and 3 (see ``has_side`` and ``two_sides``)."""

RouteSet = int
"""A set of other routes: the sum of their ``OtherRoutes.bit``."""

NO_ROUTES: RouteSet = 0

MAX_ANSWERS = 1 << 12
"""The number of answers of ``crosses`` that are kept; with fewer more are worked out again.

The routes of a large table ask some hundred different questions.
"""


# --- in one area --------------------------------------------------------------------------------


def has_side(sides: SideSet, side: int) -> bool:
    """Return whether a set has a side: ``has_side(0b1010, 3)`` is True."""
    return sides >> side & 1 == 1


def two_sides(first: int, second: int) -> SideSet:
    """Return the set of two sides: ``two_sides(1, 3)`` is 0b1010."""
    return 1 << first | 1 << second


class Way(NamedTuple):
    """The way of the new route through an area, and where one other route is at its ends."""

    entry_side: int
    exit_side: int

    is_clockwise_at_entry: bool = False
    """True if the other route crosses the side, too, and is clockwise of the new one there."""

    is_clockwise_at_exit: bool = False
    """The same at the side by which the new route leaves."""


@registered(bytes_each=190)
@lru_cache(MAX_ANSWERS)
def crosses(degree: int, way: Way, other_sides: SideSet) -> bool:
    """Return whether a way through an area of ``degree`` sides crosses another route there.

    ``other_sides`` are those of the other route. On squares, whose sides 0 to 3 are north, east,
    south and west::

        north_to_south = Way(0, 2)
        crosses(4, north_to_south, 0b1010)      # True: the other route runs from east to west

        # The other route comes from the north, too, and turns off to the east.
        crosses(4, Way(0, 2, is_clockwise_at_entry=True), 0b0011)       # False: it was on the east
        crosses(4, Way(0, 2, is_clockwise_at_entry=False), 0b0011)      # True: it was on the west
    """
    # The way divides the area into two: clockwise from its entry to its exit, and the rest. The
    # other route is crossed if it has sides in both.
    has_side_in_first = False
    has_side_in_second = False
    steps_to_exit = (way.exit_side - way.entry_side) % degree
    for side in range(degree):
        if not has_side(other_sides, side):
            continue
        if side == way.entry_side:
            is_in_first = way.is_clockwise_at_entry
        elif side == way.exit_side:
            is_in_first = not way.is_clockwise_at_exit
        else:
            is_in_first = (side - way.entry_side) % degree < steps_to_exit
        if is_in_first:
            has_side_in_first = True
        else:
            has_side_in_second = True
    return has_side_in_first and has_side_in_second


# --- on the table -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OtherRoutes:
    """All routes of one other kind that are on the table: its roads, say."""

    kind: str
    """RIVER, ROAD or RAIL."""

    bit: RouteSet
    """The set with these routes alone: 1, 2 or 4."""

    sides_by_area: dict[int, SideSet]
    """The sides that they cross, by area.

    Of a river two areas wide it is the empty set, 0: there is no line to cross.
    """


class Line(NamedTuple):
    """What a way of the new route through an area meets there of the routes of one other kind."""

    routes: OtherRoutes

    sides: SideSet
    """The sides of the area that they cross as a line; not the empty set."""


class WayEnd(NamedTuple):
    """An end of the new route's way through an area."""

    side: int
    """The side by which it enters or leaves; BEGINS_HERE for a route that begins in the area."""

    clockwise: RouteSet
    """The other routes that cross the side, too, and are clockwise of the new one there.

    That is as seen from within the area.
    """


class Passage(NamedTuple):
    """A way of the new route through an area and out of it, as to the other routes there."""

    crossing_count: int
    """The number of other routes that it crosses in the area."""

    clockwise_beyond: RouteSet
    """``WayEnd.clockwise`` at the side by which it leaves, seen from the area beyond."""


class RouteCrossings:
    """The other routes on a table that a new route of a kind can cross."""

    def __init__(self, table: Table, kind: str, broad_areas: Collection[int]) -> None:
        """``broad_areas`` are the areas of rivers that are two areas wide."""
        self._degree = table.grid.degree
        self._neighbours: list[list[int]] = table.grid.neighbour_table.tolist()

        self._others: list[OtherRoutes] = []
        """The other routes, none for a river: it comes first on the page and crosses nothing."""
        self.areas = set[int]()
        """The areas with other routes, those of broad rivers included."""
        if kind == RIVER:
            return
        for other_kind in (RIVER, ROAD, RAIL):
            links = table.routes[other_kind].links
            if other_kind == kind or not links:
                continue
            sides_by_area = all_links(table.grid, links)
            if other_kind == RIVER:
                # What is crossed there is the water as a whole, not a line.
                sides_by_area.update(dict.fromkeys(broad_areas, 0))
            bit = 1 << len(self._others)
            self._others.append(OtherRoutes(other_kind, bit, sides_by_area))
            self.areas |= sides_by_area.keys()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the other routes."""
        return tuple(other.kind for other in self._others)

    # --- ways through an area ---------------------------------------------------------------

    def passages(self, cell: int, entry: WayEnd, exit_side: int) -> Iterator[Passage]:
        """Yield the passages through an area to a side.

        There is one for each choice which other routes are clockwise of the new one at that side.
        """
        lines = self._lines_met(cell, entry.side, exit_side)
        routes_alongside = _routes_alongside(lines, entry.side, exit_side)
        for clockwise in self.clockwise_choices(cell, exit_side):
            crossed = self._routes_crossed(lines, entry, WayEnd(exit_side, clockwise))
            # Routes cross at an end of what they have in common, not within: a change of hands in
            # the middle of it would be the same crossing once more.
            if not crossed & routes_alongside:
                clockwise_beyond = self._seen_from_beyond(cell, exit_side, clockwise)
                yield Passage(crossed.bit_count(), clockwise_beyond)

    def clockwise_choices(self, cell: int, side: int) -> list[RouteSet]:
        """Return the sets of routes that can be clockwise of the new one at a side.

        That is one, NO_ROUTES, for a side that nothing else crosses, and twice as many for each
        route that does: [0b00, 0b01, 0b10, 0b11] for a river and a road.
        """
        routes_across = self._routes_across(cell, side)
        choices = [NO_ROUTES]
        for other in self._others:
            if routes_across & other.bit:
                # Each choice so far without this route, and with it.
                choices += [choice | other.bit for choice in choices]
        return choices

    def kinds_crossed(
        self, cell: int, entry: WayEnd, exit_side: int, clockwise_beyond: RouteSet
    ) -> list[str]:
        """Return the kinds of other routes that a passage crosses in an area."""
        lines = self._lines_met(cell, entry.side, exit_side)
        clockwise = self._seen_from_beyond(cell, exit_side, clockwise_beyond)
        crossed = self._routes_crossed(lines, entry, WayEnd(exit_side, clockwise))
        return [other.kind for other in self._others if crossed & other.bit]

    def _lines_met(self, cell: int, entry_side: int, exit_side: int) -> list[Line]:
        """Return the lines of other routes that a way from side to side through an area meets.

        At the two sides of the way itself another route counts only where it crosses them as a
        line.
        """
        if entry_side == BEGINS_HERE:
            return []  # it does not divide the area, and crosses nothing
        lines = []
        for other in self._others:
            sides = other.sides_by_area.get(cell, 0)
            for side_of_way in (entry_side, exit_side):
                is_crossed = has_side(sides, side_of_way)
                if is_crossed and not self._crosses_side(other, cell, side_of_way):
                    sides &= ~(1 << side_of_way)
            if sides:
                lines.append(Line(other, sides))
        return lines

    def _routes_crossed(self, lines: list[Line], entry: WayEnd, exit_end: WayEnd) -> RouteSet:
        """Return the routes of lines in an area that a way through it crosses."""
        routes = NO_ROUTES
        for other, sides in lines:
            way = Way(
                entry.side,
                exit_end.side,
                entry.clockwise & other.bit != 0,
                exit_end.clockwise & other.bit != 0,
            )
            if crosses(self._degree, way, sides):
                routes |= other.bit
        return routes

    # --- at a side --------------------------------------------------------------------------

    def _seen_from_beyond(self, cell: int, side: int, clockwise: RouteSet) -> RouteSet:
        """Return which routes are clockwise at a side as seen from the area beyond, or back again.

        Seen from there clockwise is the other way round. So of the routes that cross the side those
        are clockwise there which are not clockwise here.
        """
        return clockwise ^ self._routes_across(cell, side)

    def _routes_across(self, cell: int, side: int) -> RouteSet:
        """Return the other routes that cross a side of an area."""
        routes = NO_ROUTES
        for other in self._others:
            if self._crosses_side(other, cell, side):
                routes |= other.bit
        return routes

    def _crosses_side(self, other: OtherRoutes, cell: int, side: int) -> bool:
        """Return whether another route crosses a side of an area as a line.

        It does not where it leads into a river two areas wide: there is no line beyond the side
        that the new route could run beside.
        """
        if not has_side(other.sides_by_area.get(cell, 0), side):
            return False
        neighbour = self._neighbours[cell][side]
        is_map_edge = neighbour < 0
        return is_map_edge or other.sides_by_area.get(neighbour, 0) != 0


def _routes_alongside(lines: list[Line], entry_side: int, exit_side: int) -> RouteSet:
    """Return the routes of lines in an area that enter and leave it by the two sides of a way."""
    routes = NO_ROUTES
    for other, sides in lines:
        if sides == two_sides(entry_side, exit_side):
            routes |= other.bit
    return routes
