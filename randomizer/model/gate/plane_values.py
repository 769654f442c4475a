"""The values that a plane can hold, by its specification, the grid and the terrain set.

The gate (gate.py) checks planes by them: ``values_of(...).first_fault(plane)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import registered
from randomizer.model.planes.planes import TOUCHED, Plane, is_blank
from randomizer.model.planes.routes import PRESENT

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.system.system import System
    from randomizer.model.terrain.terrain import TerrainSet

_BLOCK = 2**16
"""How many values are checked at once: temporary arrays stay in the processor's cache."""


@dataclass(frozen=True)
class PlaneValues:
    """The values that a plane can hold."""

    unset: int
    """The value of what is not set, which is always possible."""

    lowest: int
    """The lowest of all other values."""

    highest: int
    """The highest of all other values."""

    expected: str
    """The values in words, for messages."""

    allowed: NDArray[np.bool_] | None = None
    """True for each byte that is possible, shape (256,), for a plane of uint8.

    None: all values from ``lowest`` to ``highest``; otherwise these two do not count.
    """

    def first_fault(self, plane: Plane) -> int | None:
        """Return the flat index of the first value that is not allowed; None if all are."""
        if is_blank(plane):
            plane = plane.reshape(-1)[:1]  # all values are the same
        if self.allowed is None and self._allows_all_of(plane.dtype):
            return None
        flat = plane.reshape(-1)
        for start in range(0, flat.size, _BLOCK):
            is_faulty = self._faults(flat[start : start + _BLOCK])
            if is_faulty is not None and is_faulty.any():
                return start + int(is_faulty.argmax())
        return None

    def _allows_all_of(self, dtype: np.dtype[Any]) -> bool:
        """Return whether every value of an integer type is possible."""
        first = np.iinfo(dtype).min
        last = np.iinfo(dtype).max
        # The unset value is possible anyway, and most planes have one at an end of their type.
        if self.unset == first:
            first += 1
        if self.unset == last:
            last -= 1
        return self.lowest <= first and last <= self.highest

    def _faults(self, values: NDArray[Any]) -> NDArray[np.bool_] | None:
        """Return True for each value that is not possible, (n,); None if all are possible."""
        if self.allowed is not None:
            is_refused: NDArray[np.bool_] = ~self.allowed[values]
            return is_refused
        # Two passes over the values instead of four: most planes have no fault.
        if self.lowest <= values.min() and values.max() <= self.highest:
            return None
        is_outside = (values < self.lowest) | (values > self.highest)
        is_faulty: NDArray[np.bool_] = is_outside & (values != self.unset)
        return is_faulty


def values_of(system: System, terrain_set: TerrainSet, grid: Grid, spec: PlaneSpec) -> PlaneValues:
    """Return the values of a plane of a map with this system, terrain set and grid."""
    if spec.name.startswith(TOUCHED):
        return PlaneValues(0, 0, 1, "0 or 1")
    name = spec.name.rpartition(":")[2]  # "locked:terrain" holds terrains
    if spec.links:
        marks = tuple(route.mark for route in system.routes_of(terrain_set) if route.plane == name)
        if system.flow is not None and system.flow.name == name:
            marks = (PRESENT,)
        allowed = _route_values(spec.unset, marks, grid.degree)
        return PlaneValues(spec.unset, 0, 255, "the mark of a route and sides of a cell", allowed)

    # Codes of a crossing, a terrain or a hexside are limited by what there is of these.
    lowest, highest = spec.limits
    for crossing in system.crossings:
        if crossing.plane == name:
            lowest = 0
            highest = len(crossing.kinds)
    if system.terrain is not None and system.terrain.name == name:
        lowest = 0
        highest = len(terrain_set.terrains) - 1
    elif system.hexside is not None and system.hexside.name == name:
        lowest = 0
        highest = len(terrain_set.hexsides)
    return PlaneValues(spec.unset, lowest, highest, f"{lowest} to {highest}")


@registered(bytes_each=500)
@lru_cache
def _route_values(unset: int, marks: tuple[int, ...], degree: int) -> NDArray[np.bool_]:
    """Return ``PlaneValues.allowed`` of routes: 0, ``unset``, or a mark with any of the sides."""
    allowed = np.zeros(256, np.bool_)
    allowed[[0, unset]] = True
    for mark in marks:
        allowed[mark : mark + (1 << degree)] = True
    allowed.flags.writeable = False
    return allowed
