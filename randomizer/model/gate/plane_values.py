"""Which values a plane can hold, by its specification, the grid and the terrain set."""

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
"""Values that are checked at once: temporary arrays stay in the processor's cache."""


@dataclass(frozen=True)
class PlaneValues:
    """The values of a plane: ``least`` to ``most``, or those of ``allowed``; and ``unset``.

    ``allowed`` (bool, shape (256,)) is for planes of uint8. ``expected`` names them in words.
    """

    unset: int
    least: int
    most: int
    expected: str
    allowed: NDArray[np.bool_] | None = None

    def first_fault(self, plane: Plane) -> int | None:
        """Return the flat index of the first value that is not allowed; None if all are."""
        if is_blank(plane):
            plane = plane.reshape(-1)[:1]
        if self.allowed is None:
            held = np.iinfo(plane.dtype)
            first = held.min + (self.unset == held.min)
            last = held.max - (self.unset == held.max)
            if self.least <= first and last <= self.most:
                return None
        flat = plane.reshape(-1)
        for start in range(0, flat.size, _BLOCK):
            bad = self._faults(flat[start : start + _BLOCK])
            if bad is not None and bad.any():
                return start + int(bad.argmax())
        return None

    def _faults(self, values: NDArray[Any]) -> NDArray[np.bool_] | None:
        if self.allowed is not None:
            refused: NDArray[np.bool_] = ~self.allowed[values]
            return refused
        if self.least <= values.min() and values.max() <= self.most:
            return None
        outside = (values < self.least) | (values > self.most)
        faulty: NDArray[np.bool_] = outside & (values != self.unset)
        return faulty


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
    """Return the values of a plane of routes: nothing, or a mark with any of the sides."""
    allowed = np.zeros(256, np.bool_)
    allowed[[0, unset]] = True
    for mark in marks:
        allowed[mark : mark + (1 << degree)] = True
    allowed.flags.writeable = False
    return allowed
