"""Routes through the cells of a map, such as rivers, roads and railways, and their crossings.

The value of a route in a cell is a byte: the bits of the sides by which it leaves the cell, and two
bits that mark its kind. A road (mark 0x40) from side 0 to side 3 has the value 0x49. A value 0 is
no route.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.basics.caches import KB, registered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.terrain.terrain import Way

MARKS = 0xC0
"""The bits of a link plane that are not sides: that a route is present, and of which kind."""

SIDES = 0xFF & ~MARKS
"""The bits of a link plane that are sides: bit ``i`` is side ``i``."""

PRESENT = 0x40
"""The usual mark of a route that is present."""


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """One kind of route."""

    name: str

    plane: str
    """The name of the plane (uint8, a value for each cell) that holds it.

    Kinds can share a plane, but not a cell.
    """

    mark: int
    """Its bits of ``MARKS``, by which it is told from other kinds in its plane."""

    style: str
    """How it is drawn: "water", "road", "track" or "rail"."""

    colour: str

    width: float = 1.0
    """Its width as a multiple of the usual one of its style."""

    description: str = ""

    missing: bool = False
    """True if the terrain set no longer has it, but the map still shows it."""

    def runs(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return where values of its plane contain this route."""
        return np.asarray((values & MARKS) == self.mark)


@dataclass(frozen=True, slots=True)
class CrossingSpec:
    """How two routes cross in a cell."""

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

    def at(self, planes: Any, cells: Any) -> NDArray[np.int64]:
        """Return the number of the kind in each of ``cells``, from 1; 0 where there is no crossing.

        Routes that run or end side by side do not cross.
        """
        over = planes[self.over].reshape(-1)[cells]
        under = planes[self.under].reshape(-1)[cells]
        has_both = (over & MARKS > 0) & (under & MARKS > 0)
        kind = 1
        if self.plane:
            kind = planes[self.plane].reshape(-1)[cells]
        return np.where(has_both & ~run_along(over, under), kind, 0).astype(np.int64)


def run_along(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether one of two routes runs beside the other in each cell.

    It does if it leaves the cell by sides of the other alone, and the other has two sides at most.
    Both are values of their planes, of one shape.
    """
    result = np.zeros(np.shape(one), np.bool_)
    for through, beside in ((one, other), (other, one)):
        through = through & SIDES
        beside = beside & SIDES
        # n & (n - 1) clears the lowest set bit of n. Done twice, nothing is left of two bits.
        without_one_bit = through & (through - (through > 0))
        has_two_sides_at_most = without_one_bit & (without_one_bit - (without_one_bit > 0)) == 0
        has_only_shared_sides = (beside > 0) & (beside & ~through == 0)
        result |= has_only_shared_sides & has_two_sides_at_most
    return result


# --- the ways of a terrain set ------------------------------------------------------------------

_OVER_WATER = {"track": "ford", "road": "bridge", "rail": "railway bridge"}
"""How a way of each style crosses water."""


@registered(bytes_each=3 * KB)
@lru_cache(16)
def routes_of_ways(ways: tuple[Way, ...], planes: tuple[PlaneSpec, ...]) -> tuple[RouteSpec, ...]:
    """Return the routes of the ways of a terrain set, the first in the first plane, and so on."""
    return tuple(
        RouteSpec(
            name=way.name,
            plane=spec.name,
            mark=PRESENT,
            style=way.style,
            colour=way.colour,
            width=way.width,
            description=way.description,
            missing=way.missing,
        )
        for way, spec in zip(ways, planes, strict=False)
    )


@registered(bytes_each=6 * KB)
@lru_cache(16)
def crossings_of_ways(routes: tuple[RouteSpec, ...]) -> tuple[CrossingSpec, ...]:
    """Return how these routes cross: everything over water, and railways over roads and tracks."""
    crossings = []
    for under in routes:
        for over in routes:
            kind = _crossing_kind(over.style, under.style)
            if kind:
                crossings.append(CrossingSpec(over.plane, under.plane, (kind,)))
    return tuple(crossings)


def _crossing_kind(over: str, under: str) -> str:
    """Return the name of the crossing of two styles; "" if they have none."""
    if under == "water":
        return _OVER_WATER.get(over, "")
    if over == "rail" and under != "rail":
        return "level crossing"
    return ""
