"""What a river, road or railway pays on its way, and where it crosses the routes that are there.

The costs are stated in docs/manual/wargame-tables.md. Where the new route and another one cross the
same side of an area they run side by side; the state of a search says on which hand the other one
is, so that each crossing is counted once, wherever on the common stretch it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.table.features import (
    HABITATION,
    LAKE,
    MARSH,
    MOUNTAIN,
    RAIL,
    RIVER,
    ROAD,
    TREES,
    WATERS,
    Table,
)

AREA = 4
"""Each area."""
SHARED = 1
"""An area with a route of another kind, for each kind."""
CROSSING = 4
"""Each crossing of a route of another kind."""
WET = 8
"""An area of a river, for roads and railways, in place of ``SHARED``."""
ALONG = 200
"""An area of a river entered from another one after ``MOST_WET`` in a row, for roads and railways:
more than any way round."""
MOST_WET = 2
"""So many areas of a river in a row it takes at most to cross one that is an area wide."""
BROAD = 6
"""An area of a river that is two areas wide, in place of ``WET`` and ``CROSSING``."""
MEETING = 2
"""An area with a route of the same kind, entered other than along that one."""
TURNING_BACK = 4
"""A sharp bend on hexes; on squares two bends to the same hand in two areas."""
BUILT = 8
"""Houses and fields."""
MARSHY = 100
"""A marsh, for roads and railways: more than what a dry way of the same length may meet."""
HILL = 100_000
"""A contour: more than any way without hills."""
BARRED = 10_000_000
"""A lake for roads and railways, what a hand has put there for rivers: more than any hills."""

OUTSIDE = -1
"""The cell of a position beyond the map edge."""


class Position(NamedTuple):
    """A position that a search has reached.

    ``came`` is the side of ``cell`` by which it was entered (-1: the route begins there), ``last``
    what ``TURNING_BACK`` needs to know of the steps before. Bit i of ``hands``: at that side the
    i-th of the other routes is clockwise of this one. ``passed``: it went where it has to.
    ``wet``: the areas of rivers in a row up to here, counted to ``MOST_WET``.
    """

    cell: int
    came: int
    last: int = -1
    hands: int = 0
    passed: bool = True
    wet: int = 0


class RouteCosts:
    """The steps that a new route of a kind can take on a table, with their costs.

    ``leaving`` is the area and the side by which it leaves the table, None if it ends on it.
    ``passing`` are areas one of which it has to pass, ``avoided`` those that it must not enter;
    ``houses`` is the cost of inhabited areas.
    """

    def __init__(
        self,
        table: Table,
        kind: str,
        *,
        leaving: tuple[int, int] | None = None,
        passing: Collection[int] = (),
        avoided: Collection[int] = (),
        houses: int = BUILT,
    ) -> None:
        self._table = table
        self._grid = table.grid
        self._kind = kind
        self._leaving = leaving
        self._passing = frozenset(passing)
        self._avoided = frozenset(avoided)
        self._houses = houses
        self._own = table.routes[kind]
        self._broad = broad_areas(self._grid, table.routes[RIVER].links)
        kinds = (RIVER, ROAD, RAIL) if kind != RIVER else ()
        self._river = table.routes[RIVER].links.keys() if kinds else frozenset[int]()
        self.others = tuple(links for links in kinds if links != kind and table.routes[links].links)
        self._stars = [all_links(self._grid, table.routes[links].links) for links in self.others]
        for links, star in zip(self.others, self._stars, strict=True):
            for cell in self._broad if links == RIVER else ():
                star[cell] = 0
        self._areas: dict[int, int | None] = {}
        self._steps: dict[int, int] = {}
        self._degree = self._grid.degree
        self._around: list[list[int]] = self._grid.neighbour_table.tolist()

    # --- positions --------------------------------------------------------------------------

    def begin_at(self, cell: int) -> list[Position]:
        """Return a route that begins in an area."""
        return [Position(cell, -1, passed=self._is_passed(cell), wet=int(cell in self._river))]

    def enter_at(self, cell: int, side: int) -> list[Position]:
        """Return a route that enters the table by a side of an area."""
        passed = self._is_passed(cell)
        wet = int(cell in self._river)
        hands = self._possible_hands(cell, side)
        return [Position(cell, side, hands=hand, passed=passed, wet=wet) for hand in hands]

    def moves(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yield the next positions, with the cost of each."""
        cell, came, last, hands, passed, wet = position
        degree = self._degree
        stars = any(cell in star for star in self._stars)
        for side, neighbour in enumerate(self._around[cell]):
            leaves = (cell, side) == self._leaving and passed
            if side == came or not (leaves or neighbour >= 0):
                continue
            cost = 0 if leaves else self._entering(cell, neighbour, side)
            if cost is None:
                continue
            if not leaves and self._turns_back(came, last, side):
                cost += TURNING_BACK
            next_wet = 0
            if neighbour in self._river:
                cost += ALONG * (wet == MOST_WET)
                next_wet = min(wet + 1, MOST_WET)
            back = (side + degree // 2) % degree
            next_passed = passed or neighbour in self._passing
            if not (stars or leaves):
                last_one = back if degree == 6 else came
                yield cost, Position(neighbour, back, last_one, 0, next_passed, next_wet)
                continue
            for possible_hand in self._possible_hands(cell, side):
                bits = self._crossed(cell, came, hands, side, possible_hand)
                if bits & self._along(cell, came, side):
                    continue  # the crossing is at an end of what they have in common
                crossed = bits.bit_count()
                seen = self._seen_from_there(cell, side, possible_hand)
                if leaves:
                    yield cost + CROSSING * crossed, Position(OUTSIDE, back, hands=seen)
                else:
                    last_one = back if degree == 6 else came
                    following = Position(neighbour, back, last_one, seen, next_passed, next_wet)
                    yield cost + CROSSING * crossed, following

    def least(self, cell: int) -> int:
        """At most what is left to pay from an area; it falls by less than ``AREA`` a step."""
        if cell == OUTSIDE or self._leaving is None:
            return 0
        if not self._steps:
            self._steps = dict.fromkeys(self._leaving[:1], 0)
            for here in (queue := list(self._steps)):
                near = [neighbour for neighbour in self._around[here] if neighbour >= 0]
                near = [neighbour for neighbour in near if neighbour not in self._steps]
                self._steps.update(dict.fromkeys(near, self._steps[here] + 1))
                queue += dict.fromkeys(near)
        return (AREA - 1) * self._steps.get(cell, 0)

    def ends(self, position: Position, goals: Collection[int]) -> bool:
        """Return whether a route ends at a position: in ``goals``, or where it leaves the table."""
        return position.cell in goals or (position.cell == OUTSIDE and self._leaving is not None)

    def crossed(self, position: Position, following: Position) -> tuple[str, ...]:
        """Return the kinds of routes that are crossed in the area of a position on the way to the
        next.

        A river two areas wide is crossed in all its areas, but not by a route that runs along it.
        """
        cell = position.cell
        side = self._grid.opposite(following.came)
        hands = self._seen_from_there(cell, side, following.hands)
        bits = self._crossed(cell, position.came, position.hands, side, hands)
        result = [kind for number, kind in enumerate(self.others) if bits >> number & 1]
        if cell in self._broad and RIVER in self.others:
            own_sides = 1 << max(position.came, 0) | 1 << side
            river = self._table.routes[RIVER].links[cell]
            if river & ~own_sides and (own_sides & ~river or river.bit_count() > 2):
                result.insert(0, RIVER)
        return tuple(result)

    # --- costs ------------------------------------------------------------------------------

    def _is_passed(self, cell: int) -> bool:
        return not self._passing or cell in self._passing

    def _turns_back(self, came: int, last: int, side: int) -> bool:
        if last < 0:
            return False
        if self._degree == 6:
            return (side - came) % 6 in (1, 5)
        return side == last

    def _entering(self, cell: int, neighbour: int, side: int) -> int | None:
        if neighbour not in self._areas:
            self._areas[neighbour] = self._area(neighbour)
        cost = self._areas[neighbour]
        if cost is None or neighbour not in self._own.links:
            return cost
        if self._own.runs_along(self._grid, cell, neighbour):
            return cost
        return cost + MEETING

    def _area(self, cell: int) -> int | None:
        """Return the cost of entering an area, None if a route cannot."""
        table = self._table
        own_links = self._own.links
        ground = table.ground.get(cell)
        if ground == MOUNTAIN or cell in self._avoided:
            return None
        if cell in table.locked and cell not in own_links:
            return None
        cost = AREA + HILL * table.contours.get(cell, 0)
        if self._kind == RIVER:
            return cost + (0 if ground is None or ground in WATERS else BARRED)
        if ground == LAKE:
            cost += BARRED
        elif ground == MARSH:
            cost += MARSHY
        elif ground in HABITATION:
            cost += self._houses
        elif ground is not None and ground not in TREES:
            cost += BUILT
        for kind in self.others:
            if cell in table.routes[kind].links:
                cost += SHARED if kind != RIVER else BROAD if cell in self._broad else WET
        return cost

    # --- the hands of other routes ----------------------------------------------------------

    def _shared(self, cell: int, side: int) -> int:
        """Return the other routes that cross a side of an area too, as bits."""
        neighbour = self._around[cell][side]
        result = 0
        for number, star in enumerate(self._stars):
            if star.get(cell, 0) >> side & 1 and (neighbour < 0 or star.get(neighbour, 0)):
                result |= 1 << number
        return result

    def _along(self, cell: int, came: int, side: int) -> int:
        """Return the other routes that enter and leave an area by the same two sides, as bits."""
        both = 1 << max(came, 0) | 1 << side
        return sum(
            1 << number
            for number in range(len(self._stars))
            if self._links(number, cell, came, side) == both
        )

    def _links(self, number: int, cell: int, came: int, side: int) -> int:
        """Return the sides by which another route leaves an area, as a way through two sides meets
        them.

        A river that widens beyond one of those has no hand there: it is the water that is crossed.
        """
        links: int = self._stars[number].get(cell, 0)
        for link in (came, side):
            if link >= 0 and links >> link & 1 and not self._shared(cell, link) >> number & 1:
                links &= ~(1 << link)
        return links

    def _possible_hands(self, cell: int, side: int) -> list[int]:
        """Return the hands on which the other routes that cross a side can be."""
        shared = self._shared(cell, side)
        if not shared:
            return [0]
        bits = [(0, 1 << number) if shared >> number & 1 else (0,) for number in range(2)]
        return [sum(bits_of_hand) for bits_of_hand in product(*bits)]

    def _seen_from_there(self, cell: int, side: int, hands: int) -> int:
        """Return the hands at a side as seen from the area beyond it."""
        return hands ^ self._shared(cell, side)

    def _crossed(self, cell: int, came: int, hands: int, side: int, out: int) -> int:
        """Return the other routes that are crossed in an area, as bits."""
        result = 0
        if came >= 0:
            for number in range(len(self._stars)):
                links = self._links(number, cell, came, side)
                if links and crosses(
                    *(self._degree, links, came, hands >> number & 1, side, out >> number & 1)
                ):
                    result |= 1 << number
        return result


@registered(bytes_each=190)
@lru_cache(1 << 12)
def crosses(degree: int, links: int, came: int, came_hand: int, out: int, out_hand: int) -> bool:
    """Return whether a route through an area, from side ``came`` to side ``out``, crosses another
    one.

    ``links`` are the sides of the other one. Where it has a side in common with the route, the
    hand is 1 if it is clockwise of the route there.
    """
    first = second = False
    for side in range(degree):
        if links >> side & 1:
            if side == came:
                within = came_hand == 1
            elif side == out:
                within = out_hand == 0
            else:
                within = (side - came) % degree < (out - came) % degree
            first = first or within
            second = second or not within
    return first and second


def all_links(grid: Grid, links: Mapping[int, int]) -> dict[int, int]:
    """Return the sides by which a route leaves each area, those that only the neighbour names
    included.
    """
    result = dict(links)
    for cell, sides in links.items():
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if sides >> side & 1 and neighbour in result:
                result[neighbour] |= 1 << grid.opposite(side)
    return result


def broad_areas(grid: Grid, links: Mapping[int, int]) -> frozenset[int]:
    """Return the areas of rivers two areas wide: all of them is water.

    ``links`` are the sides by which rivers leave areas. They are wide where areas touch that are
    not linked, or fill a corner of the grid.
    """
    arms = all_links(grid, links)
    result = set[int]()
    for cell, sides in arms.items():
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour in arms:
                corner = [cell, neighbour, grid.neighbour(cell, (side + 1) % grid.degree)]
                if grid.degree == 4 and corner[-1] >= 0:
                    corner.append(grid.neighbour(corner[-1], side))
                if all(cell_of_corner in arms for cell_of_corner in corner):
                    result.update(corner)
                elif not sides >> side & 1:
                    result.update((cell, neighbour))
    return frozenset(result)
