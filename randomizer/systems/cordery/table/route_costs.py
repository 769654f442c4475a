"""What a river, road or railway pays on its way, and where it crosses the routes that are there.

The costs are stated in docs/manual/wargame-tables.md. The search of ``parts/route_search`` asks
``RouteCosts`` for the moves from a position.

Where the new route and another one cross the same side of an area they run side by side; the state
of a search says on which *hand* the other one is, clockwise of the new one (1) or not (0). Two
routes that run side by side cross if they come in on one hand and part on the other: so each
crossing is counted once, wherever on the common stretch it is. ``crosses`` has the rule; begin to
read there, then go on with ``RouteCosts.moves``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.table.counting_order import side_towards
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

# Costs, in quarters of an area. With a larger one a route makes a longer way round to avoid it.

AREA = 4
"""Each area."""

SHARED = 1
"""An area with a route of another kind, for each kind."""

CROSSING = 4
"""Each crossing of a route of another kind."""

WET = 8
"""An area of a river, for roads and railways, in place of ``SHARED``."""

ALONG = 200
"""An area of a river entered from another one after ``MOST_WET`` in a row, for roads and railways.

It is more than any way round, so that they do not run along rivers.
"""

MOST_WET = 2
"""So many areas of a river in a row it takes at most to cross one that is an area wide.

With fewer some crossings would count as running along a river; with more a route could do so for a
while.
"""

BROAD = 6
"""An area of a river that is two areas wide, in place of ``WET`` and ``CROSSING``."""

MEETING = 2
"""An area with a route of the same kind, entered other than along that one."""

BESIDE = 4
"""For rivers, an area beside a river that does not run through it.

With a larger one a river makes a longer way round to keep an area of land between it and another.
"""

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
    """A state of a search: an area, and what of the way to it decides the costs of going on."""

    cell: int
    """The area; OUTSIDE beyond the map edge."""

    entry_side: int
    """The side of the area by which it was entered, -1 if the route begins there."""

    previous_entry: int = -1
    """On squares the side by which the previous area was entered: ``TURNING_BACK`` depends on it.

    -1 if the route came from no other area. On hexes only that matters, so that all other values
    are equal to ``entry_side``: then fewer positions differ.
    """

    hands: int = 0
    """Bit i: at the side ``entry_side`` the i-th of the other routes is clockwise of this one."""

    has_passed: bool = True
    """True if the route has passed one of the areas that it has to pass, or has to pass none."""

    wet_areas: int = 0
    """The number of areas of rivers in a row up to this one, counted to ``MOST_WET``."""


class RouteCosts:
    """The steps that a new route of a kind can take on a table, with their costs.

    ``leaving`` is the area and the side by which it leaves the table, None if it ends on it.
    ``areas_to_pass`` are areas one of which it has to pass, ``avoided`` those that it must not
    enter; ``houses`` is the cost of inhabited areas.
    """

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
        self._table = table
        self._grid = table.grid
        self._kind = kind
        self._leaving = leaving
        self._areas_to_pass = frozenset(areas_to_pass)
        self._avoided = frozenset(avoided)
        self._houses = houses
        self._same_kind = table.routes[kind]
        """The routes of this kind that are on the table."""
        self._broad = broad_areas(self._grid, table.routes[RIVER].links)
        self._river: Collection[int] = frozenset[int]()
        """The areas of rivers; none for a river, which pays nothing for another one."""
        self.crossable: tuple[str, ...] = ()
        """The kinds of routes on the table that this one can cross, in the order of their bits.

        A river comes first on the page and crosses nothing.
        """
        if kind != RIVER:
            self._river = table.routes[RIVER].links.keys()
            self.crossable = tuple(
                other_kind
                for other_kind in (RIVER, ROAD, RAIL)
                if other_kind != kind and table.routes[other_kind].links
            )
        self._arms: list[dict[int, int]] = []
        """For each of ``crossable`` the sides by which it leaves each of its areas, as bits."""
        for other_kind in self.crossable:
            arms = all_links(self._grid, table.routes[other_kind].links)
            if other_kind == RIVER:
                # A river two areas wide has no line that could be crossed: its areas cost BROAD.
                arms.update(dict.fromkeys(self._broad, 0))
            self._arms.append(arms)
        self._banks = frozenset[int]()
        """The areas beside rivers, which have none; only for a river."""
        if kind == RIVER:
            self._banks = _banks(self._grid, self._same_kind.links)
        self._area_costs: dict[int, int | None] = {}
        """The costs of areas that were asked for (``_area_cost``)."""
        self._steps_to_end: dict[int, int] = {}
        """How many steps each area is from where the route leaves; empty until it is needed."""
        self._degree = self._grid.degree
        self._neighbours: list[list[int]] = self._grid.neighbour_table.tolist()

    # --- positions --------------------------------------------------------------------------

    def begin_at(self, cell: int) -> list[Position]:
        """Return the position of a route that begins in an area, in a list: it is the only one."""
        has_passed = self._has_passed(cell)
        wet_areas = int(cell in self._river)
        return [Position(cell, -1, has_passed=has_passed, wet_areas=wet_areas)]

    def enter_at(self, cell: int, side: int) -> list[Position]:
        """Return the positions of a route that enters the table by a side of an area.

        There is one for each choice of hands (``_possible_hands``).
        """
        has_passed = self._has_passed(cell)
        wet_areas = int(cell in self._river)
        hands = self._possible_hands(cell, side)
        return [
            Position(cell, side, hands=hand, has_passed=has_passed, wet_areas=wet_areas)
            for hand in hands
        ]

    def moves(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yield the costs of all moves from a position, each with the position to which it leads.

        A move goes to a neighbour, or leaves the table (OUTSIDE) by the side of ``leaving``.
        """
        cell, entry_side, previous_entry, hands, has_passed, wet_areas = position
        degree = self._degree
        has_other_route = any(cell in arms for arms in self._arms)
        for side, neighbour in enumerate(self._neighbours[cell]):
            leaves = (cell, side) == self._leaving and has_passed
            if side == entry_side or not (leaves or neighbour >= 0):
                continue

            # What the move costs, without crossings; leaving the table is free.
            cost: int | None = 0
            if not leaves:
                cost = self._entry_cost(cell, neighbour)
            if cost is None:
                continue
            if not leaves and self._turns_back(entry_side, previous_entry, side):
                cost += TURNING_BACK
            wet_next = 0
            if neighbour in self._river:
                if wet_areas == MOST_WET:
                    cost += ALONG
                wet_next = min(wet_areas + 1, MOST_WET)

            # The position beyond the side.
            side_beyond = (side + degree // 2) % degree
            entry_before = entry_side
            if degree == 6:
                entry_before = side_beyond
            passed_next = has_passed or neighbour in self._areas_to_pass
            if not has_other_route and not leaves:
                # The quick case: nothing to cross, so that there are no hands.
                yield cost, Position(neighbour, side_beyond, entry_before, 0, passed_next, wet_next)
                continue

            # Along a common stretch the other route may be on either hand: each choice is a
            # position of its own, and the search takes those with the fewest crossings.
            for possible_hand in self._possible_hands(cell, side):
                crossed = self._routes_crossed(cell, entry_side, hands, side, possible_hand)
                if crossed & self._routes_alongside(cell, entry_side, side):
                    continue  # routes cross at an end of what they have in common, not within
                cost_with_crossings = cost + CROSSING * crossed.bit_count()
                next_hands = self._seen_from_beyond(cell, side, possible_hand)
                if leaves:
                    next_position = Position(OUTSIDE, side_beyond, hands=next_hands)
                else:
                    next_position = Position(
                        neighbour,
                        side_beyond,
                        entry_before,
                        next_hands,
                        passed_next,
                        wet_next,
                    )
                yield cost_with_crossings, next_position

    def least_to_end(self, cell: int) -> int:
        """Return a bound of the cost from an area to the end: never more than it will be."""
        # It falls by less than AREA, the least cost of a step. So the sum of both rises with every
        # step, and the search finishes all positions from which one is reached at the same cost
        # before that one itself: none of the cheapest ways is missed.
        if cell == OUTSIDE or self._leaving is None:
            return 0
        if not self._steps_to_end:
            self._steps_to_end = self._count_steps_to(self._leaving[0])
        return (AREA - 1) * self._steps_to_end.get(cell, 0)

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

    def is_end(self, position: Position, goals: Collection[int]) -> bool:
        """Return whether a route ends at a position: in ``goals``, or where it leaves the table."""
        return position.cell in goals or (position.cell == OUTSIDE and self._leaving is not None)

    def crossed(self, position: Position, following: Position) -> tuple[str, ...]:
        """Return the kinds of routes that are crossed in the area of a position on the way to the
        next.

        A river two areas wide is crossed in all its areas, but not by a route that runs along it or
        begins there.
        """
        cell = position.cell
        side = self._grid.opposite(following.entry_side)
        hands = self._seen_from_beyond(cell, side, following.hands)
        bits = self._routes_crossed(cell, position.entry_side, position.hands, side, hands)
        kinds = [kind for number, kind in enumerate(self.crossable) if bits >> number & 1]
        begins_here = position.entry_side < 0
        if cell in self._broad and RIVER in self.crossable and not begins_here:
            sides_of_route = 1 << position.entry_side | 1 << side
            sides_of_river = self._table.routes[RIVER].links[cell]
            river_goes_elsewhere = bool(sides_of_river & ~sides_of_route)
            route_goes_elsewhere = bool(sides_of_route & ~sides_of_river)
            river_forks = sides_of_river.bit_count() > 2
            # If all sides of the one are sides of the other, the route only runs along the river.
            if river_goes_elsewhere and (route_goes_elsewhere or river_forks):
                kinds.insert(0, RIVER)
        return tuple(kinds)

    # --- costs ------------------------------------------------------------------------------

    def _has_passed(self, cell: int) -> bool:
        """Return whether an area is one that a route has to pass, or it has to pass none."""
        return not self._areas_to_pass or cell in self._areas_to_pass

    def _turns_back(self, entry_side: int, previous_entry: int, side: int) -> bool:
        """Return whether a step across ``side`` turns back: see ``TURNING_BACK``."""
        if previous_entry < 0:
            return False
        if self._degree == 6:
            return (side - entry_side) % 6 in (1, 5)
        # Squares: the route entered the previous area by a side of this number, went across, and
        # would now leave by the same side: two bends to one hand.
        return side == previous_entry

    def _entry_cost(self, cell: int, neighbour: int) -> int | None:
        """Return the cost of entering an area from a neighbour, None if a route cannot."""
        if neighbour not in self._area_costs:
            self._area_costs[neighbour] = self._area_cost(neighbour)
        cost = self._area_costs[neighbour]
        if cost is None or neighbour not in self._same_kind.links:
            return cost
        if self._same_kind.runs_along(self._grid, cell, neighbour):
            return cost
        return cost + MEETING

    def _area_cost(self, cell: int) -> int | None:
        """Return the cost of an area from wherever it is entered, None if a route cannot."""
        table = self._table
        ground = table.ground.get(cell)
        if ground == MOUNTAIN or cell in self._avoided:
            return None
        if cell in table.locked and cell not in self._same_kind.links:
            return None
        cost = AREA + HILL * table.contours.get(cell, 0)
        if self._kind == RIVER:
            if ground is not None and ground not in WATERS:
                cost += BARRED
            if cell in self._banks:
                cost += BESIDE
            return cost
        if ground == LAKE:
            cost += BARRED
        elif ground == MARSH:
            cost += MARSHY
        elif ground in HABITATION:
            cost += self._houses
        elif ground is not None and ground not in TREES:
            cost += BUILT
        for kind in self.crossable:
            if cell not in table.routes[kind].links:
                continue
            if kind != RIVER:
                cost += SHARED
            elif cell in self._broad:
                cost += BROAD
            else:
                cost += WET
        return cost

    # --- the hands of other routes ----------------------------------------------------------

    def _routes_across(self, cell: int, side: int) -> int:
        """Return the other routes that cross a side of an area, bit i for ``crossable[i]``."""
        neighbour = self._neighbours[cell][side]
        bits = 0
        for number, arms in enumerate(self._arms):
            has_arm = arms.get(cell, 0) >> side & 1
            # Beyond the side a broad river has no arms: it has no line to run beside.
            if has_arm and (neighbour < 0 or arms.get(neighbour, 0)):
                bits |= 1 << number
        return bits

    def _routes_alongside(self, cell: int, entry_side: int, side: int) -> int:
        """Return the other routes that enter and leave an area by the same two sides, as bits."""
        # A route that begins here has no side of entry: the bit 0 does no harm, as it crosses none.
        both_sides = 1 << max(entry_side, 0) | 1 << side
        bits = 0
        for number in range(len(self._arms)):
            if self._arms_in_area(number, cell, entry_side, side) == both_sides:
                bits |= 1 << number
        return bits

    def _arms_in_area(self, number: int, cell: int, entry_side: int, side: int) -> int:
        """Return the sides by which another route leaves an area, as bits, for a way through two.

        ``number`` is its index in ``crossable``. A side of the way beyond which a river is broad is
        left out: the river has no hand there, since what is crossed is the water as a whole.
        """
        links: int = self._arms[number].get(cell, 0)
        for link in (entry_side, side):
            if (
                link >= 0
                and links >> link & 1
                and not self._routes_across(cell, link) >> number & 1
            ):
                links &= ~(1 << link)
        return links

    def _possible_hands(self, cell: int, side: int) -> list[int]:
        """Return the hands on which the other routes that cross a side can be, as bits.

        There is one choice for a side that nothing else crosses, two for each route that does.
        """
        routes_across = self._routes_across(cell, side)
        hands = [0]
        for number in range(len(self._arms)):
            if routes_across >> number & 1:
                hands += [hand | 1 << number for hand in hands]
        return hands

    def _seen_from_beyond(self, cell: int, side: int, hands: int) -> int:
        """Return the hands at a side as seen from the area beyond it.

        Seen from there clockwise is the other way round.
        """
        return hands ^ self._routes_across(cell, side)

    def _routes_crossed(
        self, cell: int, entry_side: int, hands: int, side: int, exit_hands: int
    ) -> int:
        """Return the other routes that a way through an area crosses, bit i for ``crossable[i]``.

        ``hands`` are those at ``entry_side``, ``exit_hands`` those at ``side``, both as seen from
        within the area.
        """
        bits = 0
        if entry_side < 0:
            return bits  # a route that begins in an area crosses nothing there
        for number in range(len(self._arms)):
            links = self._arms_in_area(number, cell, entry_side, side)
            entry_hand = hands >> number & 1
            exit_hand = exit_hands >> number & 1
            if links and crosses(self._degree, links, entry_side, entry_hand, side, exit_hand):
                bits |= 1 << number
        return bits


@registered(bytes_each=190)
@lru_cache(1 << 12)
def crosses(
    degree: int, links: int, entry_side: int, entry_hand: int, exit_side: int, exit_hand: int
) -> bool:
    """Return whether a route through an area of ``degree`` sides crosses another one there.

    The route enters by ``entry_side`` and leaves by ``exit_side``. ``links`` are the sides of the
    other one, as bits. The hands count only for a side that both have: 1 if the other one is
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
        if not links >> side & 1:
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


def all_links(grid: Grid, links: Mapping[int, int]) -> dict[int, int]:
    """Return the sides by which a route leaves each area, as bits.

    Those that only the neighbour names are included: a hand may have drawn half a link.
    """
    result = dict(links)
    for cell, sides in links.items():
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if sides >> side & 1 and neighbour in result:
                result[neighbour] |= 1 << grid.opposite(side)
    return result


def _banks(grid: Grid, links: Mapping[int, int]) -> frozenset[int]:
    """Return the areas without a river that are beside those in ``links``."""
    banks = set[int]()
    for cell in links:
        banks.update(grid.neighbours(cell))
    return frozenset(banks.difference(links))


def _contacts(grid: Grid, arms: Mapping[int, int]) -> dict[int, set[int]]:
    """Return for each area of a river the neighbouring ones to which it is not linked.

    ``arms`` are those of ``all_links``. A contact that is alone is left out: there two rivers meet,
    or pass each other at one point, each of them one area wide.
    """
    contacts: dict[int, set[int]] = {}
    linked: dict[int, set[int]] = {}
    for cell, sides in arms.items():
        contacts[cell] = set()
        linked[cell] = set()
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour not in arms:
                continue
            if sides >> side & 1:
                linked[cell].add(neighbour)
            else:
                contacts[cell].add(neighbour)

    def is_alone(cell: int) -> bool:
        return len(contacts[cell]) == 1 and not any(contacts[other] for other in linked[cell])

    result = {}
    for cell, neighbours in contacts.items():
        result[cell] = {
            neighbour for neighbour in neighbours if not (is_alone(cell) and is_alone(neighbour))
        }
    return result


def broad_areas(grid: Grid, links: Mapping[int, int]) -> frozenset[int]:
    """Return the areas of rivers two areas wide: all of them is water.

    ``links`` are the sides by which rivers leave areas. They are wide where areas touch that are
    not linked, or fill a corner of the grid. Where a river only joins another one, or they touch at
    one point, they stay narrow.
    """
    arms = all_links(grid, links)
    contacts = _contacts(grid, arms)
    result = set[int]()
    for cell in arms:
        for side in range(grid.degree):
            neighbour = grid.neighbour(cell, side)
            if neighbour not in arms:
                continue
            # The areas that meet in the corner at the clockwise end of the side: three hexes or
            # four squares.
            corner = [cell, neighbour, grid.neighbour(cell, (side + 1) % grid.degree)]
            if grid.degree == 4 and corner[-1] >= 0:
                corner.append(grid.neighbour(corner[-1], side))
            if neighbour in contacts[cell]:
                result.update((cell, neighbour))
            if not all(cell_of_corner in arms for cell_of_corner in corner):
                continue
            if grid.degree == 4 or _is_filled(grid, arms, contacts, corner):
                result.update(corner)
    return frozenset(result)


def _is_filled(
    grid: Grid,
    arms: Mapping[int, int],
    contacts: Mapping[int, Collection[int]],
    corner: Sequence[int],
) -> bool:
    """Return whether a river fills the corner of three hexes that are all areas of it.

    It does not where two of them touch by a contact that is alone (``_contacts``).
    """
    for cell, neighbour in pairwise((*corner, corner[0])):
        side = side_towards(grid, cell, neighbour)
        is_linked = bool(arms[cell] >> side & 1)
        if not is_linked and neighbour not in contacts[cell]:
            return False
    return True
