"""The values that a plane can hold, by its specification, the grid and the terrain set.

The gate (gate.py) checks planes by them::

    allowed = values_of(MapFrame.of(battlemap), spec)       # the terrains 0 to 8 of a set of nine
    allowed.first_fault(np.array([3, 8, 9], "u1"))          # 2: there is no terrain 9
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import registered
from randomizer.model.planes.planes import TOUCHED, Plane, is_blank
from randomizer.model.planes.routes import PRESENT

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet

_BLOCK = 2**16
"""The number of values checked at once: arrays of more would leave the processor's cache."""


class PlaneValues:
    """The values that a plane can hold; a subclass says which."""

    @property
    def expected(self) -> str:
        """The values in words, for messages."""
        raise NotImplementedError

    def first_fault(self, plane: Plane) -> int | None:
        """Return the flat index of the first value that is not allowed; None if all are."""
        if is_blank(plane):
            plane = plane.reshape(-1)[:1]  # all values are the same
        if self._allows_all_of(plane.dtype):
            return None
        flat = plane.reshape(-1)
        for start in range(0, flat.size, _BLOCK):
            is_faulty = self._faults(flat[start : start + _BLOCK])
            if is_faulty is not None and is_faulty.any():
                return start + int(is_faulty.argmax())
        return None

    def _allows_all_of(self, _dtype: np.dtype[Any]) -> bool:
        """Return whether every value of an integer type is allowed: then none is looked at."""
        return False

    def _faults(self, values: NDArray[Any]) -> NDArray[np.bool_] | None:
        """Return which of the values (n,) are not allowed; None if all are, which is quicker."""
        raise NotImplementedError


@dataclass(frozen=True)
class ValueRange(PlaneValues):
    """All numbers from ``lowest`` to ``highest``, and the one that stands for "not set"."""

    unset: int
    """The value of what is not set; it can be outside of the range."""

    lowest: int

    highest: int

    @property
    def expected(self) -> str:
        """The range in words; that "not set" is allowed, too, is of no use in a message."""
        if self.highest == self.lowest + 1:
            return f"{self.lowest} or {self.highest}"
        return f"{self.lowest} to {self.highest}"

    def _allows_all_of(self, dtype: np.dtype[Any]) -> bool:
        first = np.iinfo(dtype).min
        last = np.iinfo(dtype).max
        # The unset value is allowed anyway, and most planes have one at an end of their type.
        if self.unset == first:
            first += 1
        if self.unset == last:
            last -= 1
        return self.lowest <= first and last <= self.highest

    def _faults(self, values: NDArray[Any]) -> NDArray[np.bool_] | None:
        # Two passes over the values instead of four: most planes have no fault.
        if self.lowest <= values.min() and values.max() <= self.highest:
            return None
        is_outside = (values < self.lowest) | (values > self.highest)
        is_faulty: NDArray[np.bool_] = is_outside & (values != self.unset)
        return is_faulty


@dataclass(frozen=True, eq=False)
class RouteValues(PlaneValues):
    """The bytes of a plane of routes (``planes/routes.py``): not every mark is that of a route."""

    is_allowed: NDArray[np.bool_]
    """True for each byte that is allowed, shape (256,)."""

    @property
    def expected(self) -> str:
        """The bytes in words."""
        return "the mark of a route and sides of a cell"

    def _faults(self, values: NDArray[Any]) -> NDArray[np.bool_] | None:
        is_faulty: NDArray[np.bool_] = ~self.is_allowed[values]
        return is_faulty


class MapFrame(NamedTuple):
    """What the values of a map's planes depend on."""

    system: System

    terrain_set: TerrainSet
    """The set of which planes hold codes."""

    grid: Grid

    @classmethod
    def of(cls, battlemap: BattleMap) -> MapFrame:
        """Return the frame that a map has now; edits can change its terrain set and its grid."""
        return cls(battlemap.system, battlemap.terrain_set, battlemap.grid)


def values_of(frame: MapFrame, spec: PlaneSpec) -> PlaneValues:
    """Return the values of a plane of a map with this system, terrain set and grid."""
    system = frame.system
    if spec.name.startswith(TOUCHED):
        return ValueRange(unset=0, lowest=0, highest=1)
    name = spec.name.rpartition(":")[2]  # "rolled:terrain" holds terrains, too
    if spec.links:
        # A value is the mark of a kind of route, and the sides by which it leaves the cell. The
        # flow of water has no kinds, so it has the mark of any.
        if system.flow is not None and system.flow.name == name:
            marks: tuple[int, ...] = (PRESENT,)
        else:
            routes = system.routes_of(frame.terrain_set)
            marks = tuple(route.mark for route in routes if route.plane == name)
        return RouteValues(_allowed_routes(spec.unset, marks, frame.grid.degree))

    # Codes of a crossing, a terrain or a hexside are limited by what there is of these.
    lowest, highest = spec.limits
    for crossing in system.crossings:
        if crossing.plane == name:
            lowest = 0
            highest = len(crossing.kinds)
    if system.terrain is not None and system.terrain.name == name:
        lowest = 0
        highest = len(frame.terrain_set.terrains) - 1
    elif system.hexside is not None and system.hexside.name == name:
        lowest = 0
        highest = len(frame.terrain_set.hexsides)
    return ValueRange(spec.unset, lowest, highest)


@registered(bytes_each=500)
@lru_cache
def _allowed_routes(unset: int, marks: tuple[int, ...], degree: int) -> NDArray[np.bool_]:
    """Return ``RouteValues.is_allowed``: 0, ``unset``, or one of the marks with any of the sides.

    It is kept, as each edit of a route needs it again, and read-only.
    """
    allowed = np.zeros(256, np.bool_)
    allowed[[0, unset]] = True
    for mark in marks:  # from the mark alone to the mark with all sides
        allowed[mark : mark + (1 << degree)] = True
    allowed.flags.writeable = False
    return allowed
