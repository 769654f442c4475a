"""Routes through the cells of a map, such as rivers, roads and railways, and their crossings.

The value of a route in a cell is a byte: a *mask* of the sides by which it leaves the cell, and two
bits that *mark* its kind. A value 0 is no route. That of a road (mark 0x40) which leaves by the
sides 0 and 3 is 0x49::

    bit    7 6   5 4 3 2 1 0
           0 1   0 0 1 0 0 1
           mark  sides
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.basics.caches import KB, registered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.terrain.terrain import Way

MARKS = 0xC0
"""The bits of a link plane that are not sides: that a route is present, and of which kind."""

SIDES = 0xFF & ~MARKS
"""The bits of a link plane that are sides: bit ``i`` is side ``i``."""

PRESENT = 0x40
"""The usual mark of a route that is present."""


def sides_of(value: int, degree: int) -> list[int]:
    """Return the sides in a mask, of cells with ``degree`` sides; those of 0b0110 are 1 and 2."""
    return [side for side in range(degree) if value >> side & 1]


def has_side(values: NDArray[Any], side: int) -> NDArray[np.bool_]:
    """Return which of the masks, of any shape, have a side; 0b0110 has the sides 1 and 2."""
    return np.asarray(values >> side & 1 > 0)


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """One kind of route."""

    name: str
    """The name that the user sees, such as "Road"; other kinds of the map have other ones."""

    plane: str
    """The name of the plane (uint8, a value for each cell) that holds it.

    Kinds can share a plane, but not a cell.
    """

    mark: int
    """Its bits of ``MARKS``, by which it is told from other kinds in its plane."""

    style: str
    """The style in which it is drawn: "water", "road", "track" or "rail"."""

    colour: str
    """Its colour, as "#rrggbb"."""

    width: float = 1.0
    """Its width as a multiple of the usual one of its style."""

    description: str = ""
    """A text for the user on what it means; "" for none."""

    missing: bool = False
    """True if the terrain set no longer has it, but the map still shows it."""

    @property
    def is_river(self) -> bool:
        """True if it is water that flows, False for roads, tracks and railways."""
        return self.style == "water"

    def runs(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return where values of its plane contain this route."""
        return np.asarray((values & MARKS) == self.mark)


@dataclass(frozen=True, slots=True)
class CrossingSpec:
    """The crossing of two routes in a cell: which of them is above, and of which kinds it is."""

    over: str
    """The plane of the route that passes over the other."""

    under: str
    """The plane of the route below."""

    kinds: tuple[str, ...]
    """The names of the kinds of this crossing, such as bridge and ford."""

    plane: str = ""
    """The plane whose value is the number of the kind, from 1; 0 is no crossing.

    Without a plane it is always the first kind.
    """

    def at(
        self, planes: Mapping[str, NDArray[Any]], cells: slice | list[int] | NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Return the number of the kind in each of ``cells``, from 1; 0 where there is no crossing.

        Routes that run or end side by side do not cross. ``planes`` are those of a composite by
        name; ``cells`` are indices (n,) or a slice of them.
        """
        upper_values = planes[self.over].reshape(-1)[cells]
        lower_values = planes[self.under].reshape(-1)[cells]
        has_both = (upper_values & MARKS > 0) & (lower_values & MARKS > 0)
        is_crossing = has_both & ~run_along(upper_values, lower_values)
        if not self.plane:
            return is_crossing.astype(np.int64)  # always the first kind, number 1
        kinds = planes[self.plane].reshape(-1)[cells]
        return np.where(is_crossing, kinds, 0).astype(np.int64)


def run_along(values: NDArray[Any], other_values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return in which cells one of two routes runs beside the other, and does not cross it.

    The arguments are values of the planes of both routes, of one shape. A route runs beside
    another if it leaves the cell only by sides by which that one leaves it as well, and that one
    has two sides at most::

        a road        a river
        0b0101        0b0101        runs along: both leave by the sides 0 and 2
        0b0001        0b0101        runs along: it ends at the bank
        0b1010        0b0101        crosses
        0b0101        0b0111        crosses one of the three arms
    """
    sides = values & SIDES
    other_sides = other_values & SIDES
    return _runs_beside(sides, other_sides) | _runs_beside(other_sides, sides)


def _runs_beside(sides: NDArray[Any], sides_of_main: NDArray[Any]) -> NDArray[np.bool_]:
    """Return in which cells a route runs beside the main one; both are bits of sides."""
    has_only_shared_sides = (sides > 0) & (sides & ~sides_of_main == 0)
    main_has_two_sides_at_most = without_lowest_bit(without_lowest_bit(sides_of_main)) == 0
    return np.asarray(has_only_shared_sides & main_has_two_sides_at_most)


def without_bare_mark(value: int) -> int:
    """Return a value of a plane with links; 0 if it has marks only, but no side."""
    if value & SIDES:
        return value
    return 0


def without_lowest_bit(bits: NDArray[Any]) -> NDArray[Any]:
    """Return integers with their lowest set bit cleared; 0 stays 0."""
    # n & (n - 1) clears it. From 0 nothing is subtracted, as unsigned integers have no -1.
    return np.asarray(bits & (bits - (bits > 0)))


# --- the ways of a terrain set ------------------------------------------------------------------

_OVER_WATER = {"track": "ford", "road": "bridge", "rail": "railway bridge"}
"""The crossing of a way of each style with water."""


@registered(bytes_each=3 * KB)
@lru_cache(16)
def routes_of_ways(ways: tuple[Way, ...], planes: tuple[PlaneSpec, ...]) -> tuple[RouteSpec, ...]:
    """Return the routes of the ways of a terrain set, the first in the first plane, and so on."""
    routes = []
    # A system has planes for more ways than most sets have; ways of more than planes are left out.
    for way, spec in zip(ways, planes, strict=False):
        route = RouteSpec(
            name=way.name,
            plane=spec.name,
            mark=PRESENT,
            style=way.style,
            colour=way.colour,
            width=way.width,
            description=way.description,
            missing=way.missing,
        )
        routes.append(route)
    return tuple(routes)


@registered(bytes_each=6 * KB)
@lru_cache(16)
def crossings_of_ways(routes: tuple[RouteSpec, ...]) -> tuple[CrossingSpec, ...]:
    """Return how these routes cross: everything over water, and railways over roads and tracks."""
    crossings = []
    for lower_route in routes:
        for upper_route in routes:
            kind = _crossing_kind(upper_route.style, lower_route.style)
            if kind:
                crossings.append(CrossingSpec(upper_route.plane, lower_route.plane, (kind,)))
    return tuple(crossings)


def _crossing_kind(upper_style: str, lower_style: str) -> str:
    """Return the name of the crossing of a route over another one; "" if they have none."""
    if lower_style == "water":
        return _OVER_WATER.get(upper_style, "")
    if upper_style == "rail" and lower_style != "rail":
        return "level crossing"
    return ""
