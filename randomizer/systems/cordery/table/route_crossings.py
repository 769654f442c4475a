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
the common stretch, and must be counted once. So at each side that both cross a search notes the
*hand* on which the other route is, as seen from within the area::

      . n o .          . o n .
       \   /            \   /         both cross the upper side of this area;
        |_|              |_|           the sides are gone round clockwise
       hand 1           hand 0
    o comes after n   o comes before n

A search does not know the hand beforehand: it tries both, each as a *passage* of its own, and takes
those with the fewest crossings::

    crossings = RouteCrossings(table, ROAD, broad_areas)
    for hands in crossings.possible_hands(cell, entry_side):          # when the route enters
        for passage in crossings.passages(cell, entry_side, hands, exit_side):
            passage.crossing_count                                    # 1
            passage.next_hands                                        # those in the next area

The search looks at each area many times. So three kinds of sets are whole numbers here, whose bits
are their members:

* *arms*, the sides by which a route leaves an area: 0b1010 are the sides 1 and 3;
* *sets of routes*, of the ``OtherRoute.bit`` of each;
* *hands*: the routes on whose hand 1 the new route has them; those on hand 0 are not in the set.
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


@dataclass(frozen=True, slots=True)
class OtherRoute:
    """The routes of another kind than the new one that are on the table: all its roads, say."""

    kind: str
    """RIVER, ROAD or RAIL."""

    bit: int
    """Its bit in sets of routes and in hands: 1, 2 or 4."""

    arms: dict[int, int]
    """Its arms by area; 0 for an area of a river two areas wide, which has no line to cross."""


class Passage(NamedTuple):
    """A way of the new route through an area and out of it, as to the other routes there."""

    crossing_count: int
    """The number of other routes that it crosses in the area."""

    next_hands: int
    """The hands of the other routes at the side by which it leaves, seen from the area beyond."""


class RouteCrossings:
    """The other routes on a table that a new route of a kind can cross."""

    def __init__(self, table: Table, kind: str, broad_areas: Collection[int]) -> None:
        """``broad_areas`` are the areas of rivers that are two areas wide."""
        self._degree = table.grid.degree
        self._neighbours: list[list[int]] = table.grid.neighbour_table.tolist()

        self.others: list[OtherRoute] = []
        """The other routes, none for a river: it comes first on the page and crosses nothing."""
        self.areas = set[int]()
        """The areas with other routes, those of broad rivers included."""
        if kind == RIVER:
            return
        for other_kind in (RIVER, ROAD, RAIL):
            links = table.routes[other_kind].links
            if other_kind == kind or not links:
                continue
            arms = all_links(table.grid, links)
            if other_kind == RIVER:
                # What is crossed there is the water as a whole, not a line.
                arms.update(dict.fromkeys(broad_areas, 0))
            self.others.append(OtherRoute(other_kind, 1 << len(self.others), arms))
            self.areas |= arms.keys()

    # --- the hands at a side ---

    def possible_hands(self, cell: int, side: int) -> list[int]:
        """Return the hands on which the other routes that cross a side can be.

        There is one choice, 0, for a side that nothing else crosses, twice as many for each route
        that does: [0b00, 0b01, 0b10, 0b11] for a river and a road.
        """
        routes_across = self._routes_across(cell, side)
        choices = [0]
        for other in self.others:
            if routes_across & other.bit:
                # Each choice so far with hand 0 of this route, and with hand 1.
                choices_with_hand_1 = [hands | other.bit for hands in choices]
                choices += choices_with_hand_1
        return choices

    def _routes_across(self, cell: int, side: int) -> int:
        """Return the set of other routes that cross a side of an area."""
        routes = 0
        for other in self.others:
            if self._crosses_side(other, cell, side):
                routes |= other.bit
        return routes

    def _crosses_side(self, other: OtherRoute, cell: int, side: int) -> bool:
        """Return whether another route crosses a side of an area as a line.

        It does not where it leads into a river two areas wide: there is no line beyond the side
        that the new route could run beside.
        """
        if not _has_side(other.arms.get(cell, 0), side):
            return False
        neighbour = self._neighbours[cell][side]
        is_map_edge = neighbour < 0
        return is_map_edge or other.arms.get(neighbour, 0) != 0

    def _seen_from_beyond(self, cell: int, side: int, hands: int) -> int:
        """Return the hands at a side as seen from the area beyond it, or back again.

        Seen from there clockwise is the other way round: hand 0 becomes 1 and 1 becomes 0, for each
        route that crosses the side.
        """
        return hands ^ self._routes_across(cell, side)

    # --- a way through an area ---

    def passages(self, cell: int, entry_side: int, hands: int, exit_side: int) -> Iterator[Passage]:
        """Yield the passages through an area from one side to another, a choice of hands each.

        ``hands`` are those at ``entry_side``, which is BEGINS_HERE for a route that begins in the
        area.
        """
        routes_alongside = self._routes_alongside(cell, entry_side, exit_side)
        for exit_hands in self.possible_hands(cell, exit_side):
            crossed = self._routes_crossed(cell, entry_side, hands, exit_side, exit_hands)
            # Routes cross at an end of what they have in common, not within: a change of hands in
            # the middle of it would be the same crossing once more.
            if not crossed & routes_alongside:
                next_hands = self._seen_from_beyond(cell, exit_side, exit_hands)
                yield Passage(crossed.bit_count(), next_hands)

    def kinds_crossed(
        self, cell: int, entry_side: int, hands: int, exit_side: int, next_hands: int
    ) -> list[str]:
        """Return the kinds of other routes that a passage crosses in an area.

        ``hands`` are those at ``entry_side``, ``next_hands`` those of the passage.
        """
        exit_hands = self._seen_from_beyond(cell, exit_side, next_hands)
        crossed = self._routes_crossed(cell, entry_side, hands, exit_side, exit_hands)
        return [other.kind for other in self.others if crossed & other.bit]

    def _routes_alongside(self, cell: int, entry_side: int, exit_side: int) -> int:
        """Return the set of other routes that enter and leave an area by the same two sides."""
        if entry_side == BEGINS_HERE:
            return 0
        both_sides = 1 << entry_side | 1 << exit_side
        routes = 0
        for other in self.others:
            if self._arms_in_area(other, cell, entry_side, exit_side) == both_sides:
                routes |= other.bit
        return routes

    def _routes_crossed(
        self, cell: int, entry_side: int, hands: int, exit_side: int, exit_hands: int
    ) -> int:
        """Return the set of other routes that a way through an area crosses.

        ``hands`` are those at ``entry_side``, ``exit_hands`` those at ``exit_side``, both as seen
        from within the area.
        """
        if entry_side == BEGINS_HERE:
            return 0  # it does not divide the area
        routes = 0
        for other in self.others:
            arms = self._arms_in_area(other, cell, entry_side, exit_side)
            entry_hand = int(hands & other.bit != 0)
            exit_hand = int(exit_hands & other.bit != 0)
            if arms and crosses(self._degree, arms, entry_side, entry_hand, exit_side, exit_hand):
                routes |= other.bit
        return routes

    def _arms_in_area(self, other: OtherRoute, cell: int, entry_side: int, exit_side: int) -> int:
        """Return the arms of another route that a way from side to side through an area meets.

        Its arms at the two sides of the way count only where it crosses these as a line.
        """
        arms = other.arms.get(cell, 0)
        for side_of_way in (entry_side, exit_side):
            if _has_side(arms, side_of_way) and not self._crosses_side(other, cell, side_of_way):
                arms &= ~(1 << side_of_way)
        return arms


def _has_side(arms: int, side: int) -> bool:
    """Return whether arms have a side: ``_has_side(0b1010, 3)`` is True."""
    return arms >> side & 1 == 1


@registered(bytes_each=190)
@lru_cache(1 << 12)
def crosses(
    degree: int, arms: int, entry_side: int, entry_hand: int, exit_side: int, exit_hand: int
) -> bool:
    """Return whether a route through an area of ``degree`` sides crosses another one there.

    The route enters by ``entry_side`` and leaves by ``exit_side``. ``arms`` are those of the other
    one. The hands count only for a side that both have: 1 if the other one is
    clockwise of the route there, else 0. On squares (sides 0 to 3: north, east, south, west)::

        crosses(4, 0b1010, 0, 0, 2, 0)      # True: from north to south over one from east to west
        crosses(4, 0b0011, 0, 1, 2, 0)      # False: beside it at the north, which turns off east
        crosses(4, 0b0011, 0, 0, 2, 0)      # True: it is on the west there, and turns off east
    """
    # The route divides the area into two: clockwise from its entry to its exit, and the rest. The
    # other route is crossed if it has sides in both.
    has_side_in_first = False
    has_side_in_second = False
    for side in range(degree):
        if not _has_side(arms, side):
            continue
        if side == entry_side:
            is_in_first = entry_hand == 1
        elif side == exit_side:
            is_in_first = exit_hand == 0
        else:
            is_in_first = (side - entry_side) % degree < (exit_side - entry_side) % degree
        if is_in_first:
            has_side_in_first = True
        else:
            has_side_in_second = True
    return has_side_in_first and has_side_in_second
