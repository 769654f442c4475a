"""Planes: the arrays that layers consist of, and their specifications.

A *plane* is one array of a layer: a value for each cell (shape (h, w)), side (h, w, degree) or
corner (h + 1, w + 1). Every plane has a value that means *not set here*.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid

Plane = NDArray[Any]
"""An integer or bool array; dtype and shape as its ``PlaneSpec`` says."""

TOUCHED = "touched:"
"""Name prefix of the planes (uint8) that mark values changed by hand in a rolled layer."""


class Place(StrEnum):
    """The part of a grid that a value of a plane belongs to."""

    CELL = "cell"
    SIDE = "side"
    CORNER = "corner"


class PlaneRole(StrEnum):
    """A role by which generic code finds a plane; ``System`` says which plane has it, if any."""

    TERRAIN = "terrain"
    HEIGHT = "height"
    HEXSIDE = "hexside"


@dataclass(frozen=True, slots=True)
class PlaneSpec:
    """The specification of a plane: ``unset`` is the value of places that are not set.

    ``default`` is shown where no layer sets a value. Planes with ``shown`` make up the look of a
    map; the others record provenance. Planes with ``links`` hold bit masks of sides
    (``routes.RouteSpec``), which are permuted when a map is turned; those of a ``one_way`` plane
    lead out of a cell without counterpart in the cell beyond. Values other than ``unset``
    are ``least`` to ``most`` (None: what the dtype holds); those that are codes of the terrain
    set, of a route or a crossing are limited by it (``plane_values.values_of``).
    """

    name: str
    dtype: str
    place: Place
    unset: int
    default: int
    shown: bool = True
    links: bool = False
    one_way: bool = False
    least: int | None = None
    most: int | None = None

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most value that can be set; ``unset`` is not between them."""
        held = np.iinfo(self.dtype)
        first = int(held.min) + (self.unset == held.min)
        last = int(held.max) - (self.unset == held.max)
        if self.least is None:
            lowest = first
        else:
            lowest = max(first, self.least)
        return lowest, last if self.most is None else min(last, self.most)

    def shape(self, grid: Grid) -> tuple[int, ...]:
        """Return the shape of such a plane on ``grid``."""
        if self.place is Place.SIDE:
            return (grid.height, grid.width, grid.degree)
        if self.place is Place.CORNER:
            return (grid.height + 1, grid.width + 1)
        return (grid.height, grid.width)

    def allocate(self, grid: Grid) -> Plane:
        """Return a new plane on which nothing is set."""
        return np.full(self.shape(grid), self.unset, self.dtype)

    def blank(self, grid: Grid) -> Plane:
        """Return a read-only plane of the default value, which takes no memory."""
        return blank(self.shape(grid), self.default, self.dtype)


def blank(shape: tuple[int, ...], value: int, dtype: Any) -> Plane:
    """Return a read-only array of one value everywhere, which takes no memory."""
    return np.broadcast_to(np.array(value, dtype), shape)


def is_blank(plane: Plane) -> bool:
    """Return whether an array was made by ``blank``, so that all its values are equal."""
    return not plane.flags.writeable and not any(plane.strides)


def write(plane: Plane, index: NDArray[np.intp], values: Any) -> None:
    """Write ``values`` (one, or one for each place) at flat, ascending ``index`` of a plane.

    Raises IndexError, nothing written, for places that the plane has not.
    """
    if len(index) and not 0 <= index[0] <= index[-1] < plane.size:
        raise IndexError(f"no places {index[0]} to {index[-1]} in a plane of {plane.size}")
    if not plane.flags.c_contiguous:
        plane.flat[index] = values
    elif len(index) and index[-1] - index[0] == len(index) - 1:  # contiguous
        plane.reshape(-1)[index[0] : index[-1] + 1] = values
    else:
        plane.reshape(-1)[index] = values  # three times as fast as ``flat``
