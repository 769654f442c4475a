"""Routes through the cells of a map, such as rivers, roads and railways, and their crossings."""

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

PRESENT = 0x40
"""The usual mark of a route that is present."""


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """One kind of route.

    The values of its ``plane`` (uint8, per cell) are bit masks of the sides by which it leaves a
    cell, plus ``mark`` (of ``MARKS``): kinds can share a plane, but not a cell. ``style`` is how it
    is drawn: ``water``, ``road``, ``track`` or ``rail``; ``width`` 1.0 is the usual one of that.
    ``missing``: it is no longer in the terrain set, but painted.
    """

    name: str
    plane: str
    mark: int
    style: str
    colour: str
    width: float = 1.0
    description: str = ""
    missing: bool = False

    def runs(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Return where values of its plane contain this route."""
        return np.asarray((values & MARKS) == self.mark)


@dataclass(frozen=True, slots=True)
class CrossingSpec:
    """The crossing of the route of plane ``over`` with that of plane ``under`` in a cell.

    ``kinds`` are names; the value of ``plane`` chooses one, 0 none. Without a plane it is always
    the first.
    """

    over: str
    under: str
    kinds: tuple[str, ...]
    plane: str = ""

    def at(self, planes: Any, cells: Any) -> NDArray[np.int64]:
        """Return the number of the kind (from 1) in each of ``cells``, 0 where there is no
        crossing.

        Routes that run or end side by side do not cross.
        """
        over, under = (planes[plane].reshape(-1)[cells] for plane in (self.over, self.under))
        both = (over & MARKS > 0) & (under & MARKS > 0)
        if self.plane:
            kind = planes[self.plane].reshape(-1)[cells]
        else:
            kind = 1
        return np.where(both & ~run_along(over, under), kind, 0).astype(np.int64)


def run_along(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether one of two routes leaves a cell only by sides of the other.

    Both are values of their planes.
    """
    result = np.zeros(np.shape(one), np.bool_)
    for through, beside in ((one, other), (other, one)):
        through = through & SIDES
        beside = beside & SIDES
        more = through & (through - (through > 0))  # clears the lowest set bit
        of_two = more & (more - (more > 0)) == 0
        result |= (beside > 0) & (beside & ~through == 0) & of_two
    return result


# --- the ways of a terrain set ------------------------------------------------------------------

_OVER_WATER = {"track": "ford", "road": "bridge", "rail": "railway bridge"}
"""How a way of each style crosses water."""


@registered(bytes_each=3 * KB)
@lru_cache(16)
def routes_of_ways(ways: tuple[Way, ...], planes: tuple[PlaneSpec, ...]) -> tuple[RouteSpec, ...]:
    """Return the routes of the ways of a terrain set, each in its plane."""
    return tuple(
        RouteSpec(
            way.name,
            spec.name,
            PRESENT,
            *(way.style, way.colour, way.width, way.description, way.missing),
        )
        for way, spec in zip(ways, planes, strict=False)
    )


@registered(bytes_each=6 * KB)
@lru_cache(16)
def crossings_of_ways(routes: tuple[RouteSpec, ...]) -> tuple[CrossingSpec, ...]:
    """Return how these routes cross: everything over water, and railways over roads and tracks."""
    return tuple(
        CrossingSpec(over.plane, under.plane, (kind,))
        for under in routes
        for over in routes
        if (kind := _crossing_kind(over.style, under.style))
    )


def _crossing_kind(over: str, under: str) -> str:
    if under == "water":
        return _OVER_WATER.get(over, "")
    return "level crossing" if over == "rail" and under != "rail" else ""
