"""The world while units are placed on it: which hexes are taken, and which units stand there.

``settlement`` asks a ``Board`` where a unit could stand, and places it::

    if board.is_empty(x, y) or board.carrier_at(x, y, unit, owner) is not None:
        board.place(PlacedUnit(unit, x, y, owner, key))

That happens thousands of times for each new world. So the board has its state in bytes and
dictionaries by the flat index of a hex, y * width + x, which are faster to ask than arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.world.hexes import STEPS


@dataclass
class PlacedUnit:
    """A unit of a new world."""

    unit: int
    """The number of its type."""

    x: int
    y: int

    owner: int
    """0 for a neutral unit, else the number of its side plus 1."""

    key: str
    """A name that no other unit of the world has; a re-roll knows the unit again by it."""

    carrier: int | None = None
    """The index of the unit that carries it, None if none does; ``Board.place`` sets it."""

    name: str = ""
    """Its name, "" for none."""

    product: int | None = None
    """The unit type that it builds when the game begins, None for none."""


@dataclass
class Board:
    """A world and the units on it. Edge rows take no units."""

    codes: NDArray[np.uint8]
    """The terrain types, (h, w)."""

    rules: CountryRules

    units: list[PlacedUnit] = field(default_factory=list)
    """The units in the order in which they were placed."""

    def __post_init__(self) -> None:
        self.height: int = self.codes.shape[0]
        self.width: int = self.codes.shape[1]
        self._terrain = self.codes.tobytes()
        self._is_taken = bytearray(self.codes.size)
        """For each hex 1 if a unit is on it or the hex is reserved, else 0."""
        self._unit_on_hex: dict[int, int] = {}
        """The index of the unit that stands on a hex; units that it carries are not listed."""
        self._carried: dict[int, list[int]] = {}
        """The indices of the units that a unit carries, by its own index."""

    def terrain(self, x: int, y: int) -> int:
        """Return the terrain type of a hex."""
        return self._terrain[y * self.width + x]

    def takes_units(self, y: int) -> bool:
        """Return whether units can stand in a row: in all but the first and the last one."""
        return 0 < y < self.height - 1

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether no unit is on a hex, and it is not reserved."""
        return not self._is_taken[y * self.width + x]

    def has_neighbour(self, x: int, y: int) -> bool:
        """Return whether a neighbouring hex is taken or reserved."""
        width = self.width
        return any(
            0 <= y + v < self.height and self._is_taken[(y + v) * width + (x + u) % width]
            for u, v in STEPS
        )

    def reserve(self, x: int, y: int) -> None:
        """Keep a hex free for a unit that is placed there later: it does not count as empty."""
        self._is_taken[y * self.width + x] = 1

    def carrier_at(self, x: int, y: int, unit: int, owner: int) -> int | None:
        """Return the index of the unit on a hex that can take in one of this type and owner.

        None if there is no unit, or none that can.
        """
        standing = self._unit_on_hex.get(y * self.width + x)
        if standing is None or not self._can_take_in(standing, unit, owner):
            return None
        return standing

    def _can_take_in(self, carrier: int, unit: int, owner: int) -> bool:
        """Return whether a unit is neutral or of this owner, and has space for this type."""
        return self.units[carrier].owner in (0, owner) and self.has_space(carrier, unit)

    def has_space(self, carrier: int, unit: int) -> bool:
        """Return whether a unit has space for one more of this type."""
        carried_types = [self.units[index].unit for index in self._carried.get(carrier, ())]
        reason = self.rules.capacity.why_full(self.units[carrier].unit, carried_types, unit)
        return reason is None

    def free_hexes(self, unit: int, owner: int) -> NDArray[np.int64]:
        """Return the hexes where a unit of this type and owner can be: flat indices, ascending.

        They are empty and of favored terrain, or have a unit that can take it in.
        """
        is_free = self._is_empty_and_favored(unit)
        for cell, standing in self._unit_on_hex.items():
            if self._can_take_in(standing, unit, owner):
                is_free.flat[cell] = True
        return np.flatnonzero(is_free)

    def empty_hexes(self, unit: int) -> NDArray[np.int64]:
        """Return the empty hexes of favored terrain for a type: flat indices, ascending."""
        return np.flatnonzero(self._is_empty_and_favored(unit))

    def _is_empty_and_favored(self, unit: int) -> NDArray[np.bool_]:
        """Return a mask (h, w) of the hexes where a unit of this type can stand by itself."""
        is_taken = np.frombuffer(self._is_taken, np.uint8).reshape(self.codes.shape)
        is_free = (self.rules.favored[unit] > 0)[self.codes] & (is_taken == 0)
        is_free[0] = False
        is_free[-1] = False
        return np.asarray(is_free, np.bool_)

    def uncarried_unit_at(self, x: int, y: int) -> int | None:
        """Return the index of the unit that stands on a hex, None if there is none."""
        return self._unit_on_hex.get(y * self.width + x)

    def move(self, number: int, x: int, y: int) -> None:
        """Move an uncarried unit, with those that it carries, to an empty hex.

        The hex that it leaves stays reserved.
        """
        moved = self.units[number]
        del self._unit_on_hex[moved.y * self.width + moved.x]
        for index in (number, *self._carried.get(number, ())):
            self.units[index].x = x
            self.units[index].y = y
        cell = y * self.width + x
        self._is_taken[cell] = 1
        self._unit_on_hex[cell] = number

    def place(self, placed: PlacedUnit) -> None:
        """Put a unit on its hex, or into the unit that stands there."""
        cell = placed.y * self.width + placed.x
        placed.carrier = self._unit_on_hex.get(cell)
        number = len(self.units)
        self.units.append(placed)
        if placed.carrier is None:
            self._is_taken[cell] = 1
            self._unit_on_hex[cell] = number
        else:
            self._carried.setdefault(placed.carrier, []).append(number)
