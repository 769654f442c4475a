"""Planes: the arrays that layers consist of, and their specifications.

A *plane* is one array of a layer: a value for each cell (shape (h, w)), side (h, w, degree) or
corner (h + 1, w + 1). Every plane has a value that means *not set here*. A layer that sets terrain
1 in one cell of a grid of 3 x 2::

    spec = PlaneSpec("terrain", "u1", Element.CELL, unset=255, default=0)
    plane = spec.allocate(grid)         # [[255, 255, 255], [255, 255, 255]]
    write(plane, np.array([4]), 1)      # [[255, 255, 255], [255,   1, 255]]
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

ROLLED = "rolled:"
"""Name prefix of the planes that hold what a roll made where a hand has changed its layer.

They have the dtype of the changed plane, and are unset where it is not changed, or the roll set
nothing. Only systems that say so have them (``System.stores_rolled_values``).
"""


class Element(StrEnum):
    """The element of a grid that a value of a plane belongs to."""

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
    """The specification of a plane, which each layer of a map can have once."""

    name: str

    dtype: str
    """The numpy type of its values, such as "u1" or "i2"."""

    element: Element
    """The plane has one value for every cell, every side or every corner of the grid."""

    unset: int
    """The value that means *not set here*: layers below show through."""

    default: int
    """The value that is shown where no layer sets one."""

    shown: bool = True
    """True if the plane is part of the look of a map; others record where values come from."""

    links: bool = False
    """True if its values are bit masks of sides (``routes.RouteSpec``).

    When a map is turned, these bits are permuted.
    """

    one_way: bool = False
    """True for a plane with ``links`` that lead out of a cell, not into it.

    The cell beyond such a side has no counterpart.
    """

    minimum: int | None = None
    """The lowest value but ``unset``; None: the lowest of ``dtype``."""

    maximum: int | None = None
    """The highest value but ``unset``; None: the highest of ``dtype``.

    Codes of a terrain set, a route or a crossing are limited by these (``plane_values.values_of``).
    """

    @property
    def limits(self) -> tuple[int, int]:
        """The lowest and the highest value that can be set."""
        lowest = int(np.iinfo(self.dtype).min)
        highest = int(np.iinfo(self.dtype).max)
        # ``unset`` is one of the two in most planes, and cannot be set.
        if self.unset == lowest:
            lowest += 1
        if self.unset == highest:
            highest -= 1
        if self.minimum is not None:
            lowest = max(lowest, self.minimum)
        if self.maximum is not None:
            highest = min(highest, self.maximum)
        return lowest, highest

    def shape(self, grid: Grid) -> tuple[int, ...]:
        """Return the shape of such a plane on ``grid``."""
        if self.element is Element.SIDE:
            return (grid.height, grid.width, grid.degree)
        if self.element is Element.CORNER:
            return (grid.height + 1, grid.width + 1)
        return (grid.height, grid.width)

    def allocate(self, grid: Grid) -> Plane:
        """Return a new plane on which nothing is set."""
        return np.full(self.shape(grid), self.unset, self.dtype)

    def blank(self, grid: Grid) -> Plane:
        """Return a read-only plane of the default value, which takes no memory."""
        return blank(self.shape(grid), self.default, self.dtype)


def blank(shape: tuple[int, ...], value: int, dtype: Any) -> Plane:
    """Return a read-only array of one value everywhere, which takes no memory.

    All its elements are one in memory. Whoever wants to change a few of them copies it first.
    """
    return np.broadcast_to(np.array(value, dtype), shape)


def is_blank(plane: Plane) -> bool:
    """Return whether an array was made by ``blank``, so that all its values are equal."""
    has_one_element_in_memory = not any(plane.strides)
    return has_one_element_in_memory and not plane.flags.writeable


def write(plane: Plane, index: NDArray[np.intp], values: Any) -> None:
    """Write values at flat indices of a plane: one for all, or one for each index.

    The indices ascend, and none comes twice. Raises IndexError, with nothing written, for an index
    outside the plane.
    """
    if len(index) and not 0 <= index[0] <= index[-1] < plane.size:
        raise IndexError(f"no places {index[0]} to {index[-1]} in a plane of {plane.size}")
    is_one_range = len(index) > 0 and index[-1] - index[0] == len(index) - 1
    if not plane.flags.c_contiguous:
        plane.flat[index] = values  # ``reshape`` would write into a copy
    elif is_one_range:
        plane.reshape(-1)[index[0] : index[-1] + 1] = values
    else:
        plane.reshape(-1)[index] = values  # three times as fast as ``flat``
