"""The world while units are placed on it: which hexes are taken, and by whom."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.world.hexes import STEPS


@dataclass
class PlacedUnit:
    """A unit of a new world: its type, its hex, its owner (0: neutral, else the side's number + 1).

    ``carrier`` is the index of the unit that it is in, None if it stands on its own. ``key`` is its
    name in every roll. ``product`` is the unit type that it begins to make, None for none.
    """

    unit: int
    x: int
    y: int
    owner: int
    key: str
    carrier: int | None = None
    name: str = ""
    product: int | None = None


@dataclass
class Board:
    """The terrain types (h, w) of a world, and the units on it. Edge rows take no units."""

    codes: NDArray[np.uint8]
    rules: CountryRules
    units: list[PlacedUnit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.height: int = self.codes.shape[0]
        self.width: int = self.codes.shape[1]
        self._terrain = self.codes.tobytes()
        self._taken = bytearray(self.codes.size)
        self._standing: dict[int, int] = {}
        self._inside: dict[int, list[int]] = {}

    def terrain(self, x: int, y: int) -> int:
        """Return the terrain type of a hex."""
        return self._terrain[y * self.width + x]

    def takes_units(self, y: int) -> bool:
        """Return whether units can be in a row: not in the first nor in the last."""
        return 0 < y < self.height - 1

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether no unit is on a hex."""
        return not self._taken[y * self.width + x]

    def has_neighbour(self, x: int, y: int) -> bool:
        """Return whether a unit is on a neighbouring hex."""
        width = self.width
        return any(
            0 <= y + v < self.height and self._taken[(y + v) * width + (x + u) % width]
            for u, v in STEPS
        )

    def reserve(self, x: int, y: int) -> None:
        """Keep a hex free for a unit that is placed there later: no other one is put there."""
        self._taken[y * self.width + x] = 1

    def carrier_at(self, x: int, y: int, unit: int, owner: int) -> int | None:
        """Return the unit on a hex that can take one of this type in; None if there is none.

        It is neutral or of this owner.
        """
        standing = self._standing.get(y * self.width + x)
        if standing is None or not self._takes_in(standing, unit, owner):
            return None
        return standing

    def _takes_in(self, carrier: int, unit: int, owner: int) -> bool:
        return self.units[carrier].owner in (0, owner) and self.has_space(carrier, unit)

    def has_space(self, carrier: int, unit: int) -> bool:
        """Return whether a unit can take another one of this type in."""
        inside = [self.units[unit_number].unit for unit_number in self._inside.get(carrier, ())]
        return self.rules.capacity.full(self.units[carrier].unit, inside, unit) is None

    def free_hexes(self, unit: int, owner: int) -> NDArray[np.int64]:
        """Return all hexes where a unit of this type can be: empty ones of favored terrain, and
        carriers.

        Carriers are neutral or of this owner. Flat indices, ascending.
        """
        is_taken = np.frombuffer(self._taken, np.uint8).reshape(self.codes.shape)
        free = (self.rules.favored[unit] > 0)[self.codes] & (is_taken == 0)
        free[0] = free[-1] = False
        cells = [cell for cell, at in self._standing.items() if self._takes_in(at, unit, owner)]
        free.ravel()[cells] = True
        return np.flatnonzero(free)

    def place(self, placed: PlacedUnit) -> None:
        """Put a unit on its hex, or into the unit that stands there."""
        cell = placed.y * self.width + placed.x
        placed.carrier = self._standing.get(cell)
        number = len(self.units)
        self.units.append(placed)
        if placed.carrier is None:
            self._taken[cell] = 1
            self._standing[cell] = number
        else:
            self._inside.setdefault(placed.carrier, []).append(number)
