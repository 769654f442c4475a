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

The search looks at each area many times, so that sets are whole numbers here. Bit i stands for

* the side i of an area, in *arms*: the sides by which a route leaves the area;
* the route ``kinds[i]``, in sets of other routes;
* the hand of the route ``kinds[i]``, in *hands*.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from randomizer.model.basics.caches import registered
from randomizer.systems.cordery.table.broad_rivers import all_links
from randomizer.systems.cordery.table.features import RAIL, RIVER, ROAD, Table


class RouteCrossings:
    """The other routes on a table that a new route of a kind can cross."""

    def __init__(self, table: Table, kind: str, broad_areas: Collection[int]) -> None:
        grid = table.grid
        self.kinds: tuple[str, ...] = ()
        """The kinds of routes on the table that the new one can cross.

        A river comes first on the page and crosses nothing.
        """
        if kind != RIVER:
            self.kinds = tuple(
                other_kind
                for other_kind in (RIVER, ROAD, RAIL)
                if other_kind != kind and table.routes[other_kind].links
            )
        self.arms: list[dict[int, int]] = []
        """The arms of each of ``kinds``, by area; an area of a broad river has none: 0."""
        for other_kind in self.kinds:
            arms = all_links(grid, table.routes[other_kind].links)
            if other_kind == RIVER:
                # A river two areas wide has no line that could be crossed: its areas cost
                # BROAD_RIVER_COST.
                arms.update(dict.fromkeys(broad_areas, 0))
            self.arms.append(arms)
        self._degree = grid.degree
        self._neighbours: list[list[int]] = grid.neighbour_table.tolist()

    def routes_across(self, cell: int, side: int) -> int:
        """Return the other routes that cross a side of an area."""
        neighbour = self._neighbours[cell][side]
        bits = 0
        for number, arms in enumerate(self.arms):
            has_arm = _has_bit(arms.get(cell, 0), side)
            # Beyond the side a broad river has no arms: it has no line to run beside.
            if has_arm and (neighbour < 0 or arms.get(neighbour, 0)):
                bits |= 1 << number
        return bits

    def possible_hands(self, cell: int, side: int) -> list[int]:
        """Return the hands on which the other routes that cross a side can be.

        There is one choice for a side that nothing else crosses, twice as many for each route that
        does: a search tries all, and takes those with the fewest crossings.
        """
        routes_across = self.routes_across(cell, side)
        hands = [0]
        for number in range(len(self.arms)):
            if _has_bit(routes_across, number):
                # Each choice so far with the hand 0 of this route, and with the hand 1.
                hands_with_one = [hand | 1 << number for hand in hands]
                hands = hands + hands_with_one
        return hands

    def seen_from_beyond(self, cell: int, side: int, hands: int) -> int:
        """Return the hands at a side as seen from the area beyond it.

        Seen from there clockwise is the other way round: 0 becomes 1 and 1 becomes 0, for each
        route that crosses the side.
        """
        return hands ^ self.routes_across(cell, side)

    def routes_crossed(
        self, cell: int, entry_side: int, hands: int, side: int, exit_hands: int
    ) -> int:
        """Return the other routes that a way through an area crosses.

        The way enters by ``entry_side`` (-1: it begins in the area) and leaves by ``side``.
        ``hands`` are those at ``entry_side``, ``exit_hands`` those at ``side``, both as seen from
        within the area.
        """
        bits = 0
        if entry_side < 0:
            return bits  # a route that begins in an area crosses nothing there
        for number in range(len(self.arms)):
            arms = self._arms_in_area(number, cell, entry_side, side)
            entry_hand = hands >> number & 1
            exit_hand = exit_hands >> number & 1
            if arms and crosses(self._degree, arms, entry_side, entry_hand, side, exit_hand):
                bits |= 1 << number
        return bits

    def routes_alongside(self, cell: int, entry_side: int, side: int) -> int:
        """Return the other routes that enter and leave an area by the same two sides.

        0 for a new route that begins in the area (``entry_side`` is -1).
        """
        if entry_side < 0:
            return 0
        both_sides = 1 << entry_side | 1 << side
        bits = 0
        for number in range(len(self.arms)):
            if self._arms_in_area(number, cell, entry_side, side) == both_sides:
                bits |= 1 << number
        return bits

    def _arms_in_area(self, number: int, cell: int, entry_side: int, side: int) -> int:
        """Return the arms of the other route ``kinds[number]`` that a way through an area meets.

        The way leads from ``entry_side``, -1 if it begins in the area, to ``side``. An arm that
        leads by one of these sides into a broad river is left out: the river has no hand there,
        since what is crossed is the water as a whole.
        """
        arms: int = self.arms[number].get(cell, 0)
        for side_of_way in (entry_side, side):
            if side_of_way < 0 or not _has_bit(arms, side_of_way):
                continue
            leads_into_broad_river = not _has_bit(self.routes_across(cell, side_of_way), number)
            if leads_into_broad_river:
                arms &= ~(1 << side_of_way)
        return arms


def _has_bit(bits: int, index: int) -> bool:
    """Return whether a set of sides, routes or hands has the one of an index."""
    return bits >> index & 1 == 1


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
        if not _has_bit(arms, side):
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
