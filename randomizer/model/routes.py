"""What runs through the areas of a map: rivers, roads, railways, and where they cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARKS = 0xC0
"""The bits of a link plane that are no sides: they say that a route is there, and which."""

SIDES = 0xFF & ~MARKS


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """One kind of route. The values of its ``plane`` (uint8, per cell) are bit masks of the sides
    by which it leaves a cell, with ``mark`` (of ``MARKS``): kinds may share a plane, not a cell.

    ``style`` says how it is drawn: as ``water``, ``road``, ``track`` or ``rail``.
    """

    name: str
    plane: str
    mark: int
    style: str
    colour: str

    def runs(self, values: NDArray[Any]) -> NDArray[np.bool_]:
        """Where values of its plane say that it runs."""
        return np.asarray((values & MARKS) == self.mark)


@dataclass(frozen=True, slots=True)
class CrossingSpec:
    """What there is where the route of plane ``over`` meets that of plane ``under`` in a cell.

    ``kinds`` are names; the value of ``plane`` chooses one, 0 none. Without a plane it is always
    the first.
    """

    over: str
    under: str
    kinds: tuple[str, ...]
    plane: str = ""

    def at(self, planes: Any, cells: Any) -> NDArray[np.int64]:
        """The number of the kind (from 1 on) in each of ``cells``, 0 where there is no crossing:
        nor is there where one runs, or ends, beside the other."""
        over, under = (planes[plane].reshape(-1)[cells] for plane in (self.over, self.under))
        both = (over & MARKS > 0) & (under & MARKS > 0)
        kind = planes[self.plane].reshape(-1)[cells] if self.plane else 1
        return np.where(both & ~run_along(over, under), kind, 0).astype(np.int64)


def run_along(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether one of two routes leaves a cell only by the two sides of the other, or one of them.

    Both are values of their planes.
    """
    found = np.zeros(np.shape(one), np.bool_)
    for through, beside in ((one, other), (other, one)):
        through, beside = through & SIDES, beside & SIDES
        more = through & (through - (through > 0))  # without its lowest side
        of_two = more & (more - (more > 0)) == 0
        found |= (beside > 0) & (beside & ~through == 0) & of_two
    return found
