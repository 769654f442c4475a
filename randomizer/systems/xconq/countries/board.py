"""The world while units are placed on it: which hexes are empty, and which units stand there.

A hex is in one of three states:

- *empty*: nothing is on it;
- *reserved*: it is kept for a unit that comes later, so no other unit is placed there;
- *occupied*: a unit stands on it. Further units on that hex are *carried* by this one.

``settlement`` asks a ``Board`` where a unit could be, and places it::

    if board.is_empty(x, y) or board.free_carrier_at(x, y, unit_type, owner) is not None:
        board.place(unit_type, x, y, owner, key)

The board refers to a unit by its *index* in ``Board.units``, and to a hex by its *cell number*,
y * width + x. On a board with 4 columns::

    8  9 10 11     row 2
    4  5  6  7     row 1: hex (2, 1) has the cell number 6
    0  1  2  3     row 0, the south
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.world.hexes import STEPS


@dataclass
class PlacedUnit:
    """A unit of a new world. ``Board.place`` makes it, and only the board moves it."""

    unit_type: int
    """The number of its type."""

    x: int
    """The column of its hex."""

    y: int
    """The row of its hex."""

    owner: int
    """0 for a neutral unit, else the number of its side plus 1."""

    key: str
    """A name that no other unit of the world has; a re-roll knows the unit again by it."""

    carrier: int | None
    """The index of the unit that carries it, None if it stands on the hex itself."""

    product: int | None
    """The unit type that it builds when the game begins, None for none."""

    name: str = ""
    """Its name, "" for none. Names are given when all units are placed."""


class Board:
    """A world and the units on it. The first and the last row take no units.

    The board is asked thousands of times for each new world. So it has the states of its hexes in
    bytes and dictionaries by cell number, whose single values are read faster than those of arrays.
    """

    def __init__(self, codes: NDArray[np.uint8], rules: CountryRules) -> None:
        self.codes = codes
        """The terrain types, (h, w)."""
        self.rules = rules
        self.height: int = codes.shape[0]
        self.width: int = codes.shape[1]
        self.units: list[PlacedUnit] = []
        """The units in the order in which they were placed."""
        self._terrain = codes.tobytes()
        """The terrain type of each hex: ``codes`` by cell number."""
        self._is_taken = bytearray(codes.size)
        """For each hex 0 if it is empty, 1 if it is reserved or occupied."""
        self._standing_units: dict[int, int] = {}
        """The index of the unit that stands on a hex, by cell number, for the occupied hexes."""
        self._cargo: dict[int, list[int]] = {}
        """The indices of the units that a unit carries, by its own index, if it carries any."""

    # Placing units.

    def reserve(self, x: int, y: int) -> None:
        """Keep a hex for a unit that is placed there later: it no longer counts as empty."""
        self._is_taken[self._cell(x, y)] = 1

    def place(
        self, unit_type: int, x: int, y: int, owner: int, key: str, product: int | None = None
    ) -> None:
        """Put a unit on its hex, or into the unit that stands there.

        Whether it may be there is not checked: the caller has asked before.
        """
        cell = self._cell(x, y)
        carrier = self._standing_units.get(cell)
        index = len(self.units)
        self.units.append(PlacedUnit(unit_type, x, y, owner, key, carrier, product))
        if carrier is None:
            self._is_taken[cell] = 1
            self._standing_units[cell] = index
        else:
            self._cargo.setdefault(carrier, []).append(index)

    def move(self, index: int, x: int, y: int) -> None:
        """Move a unit that stands on a hex, with those that it carries, to an empty hex.

        The hex that it leaves stays reserved.
        """
        standing_unit = self.units[index]
        del self._standing_units[self._cell(standing_unit.x, standing_unit.y)]
        new_cell = self._cell(x, y)
        self._is_taken[new_cell] = 1
        self._standing_units[new_cell] = index
        # Carried units carry none themselves, so these are all.
        for moved_index in (index, *self._cargo.get(index, ())):
            self.units[moved_index].x = x
            self.units[moved_index].y = y

    # Questions about one hex.

    def terrain(self, x: int, y: int) -> int:
        """Return the terrain type of a hex."""
        return self._terrain[self._cell(x, y)]

    def is_inner_row(self, y: int) -> bool:
        """Return whether units can stand in a row: in all but the first and the last one."""
        return 0 < y < self.height - 1

    def is_empty(self, x: int, y: int) -> bool:
        """Return whether a hex is neither reserved nor occupied."""
        return not self._is_taken[self._cell(x, y)]

    def has_taken_neighbour(self, x: int, y: int) -> bool:
        """Return whether a neighbouring hex is reserved or occupied."""
        for u, v in STEPS:
            neighbour_y = y + v
            if not 0 <= neighbour_y < self.height:
                continue
            neighbour_x = (x + u) % self.width  # the world goes round from east to west
            if self._is_taken[neighbour_y * self.width + neighbour_x]:
                return True
        return False

    def standing_unit_at(self, x: int, y: int) -> int | None:
        """Return the index of the unit that stands on a hex, None if there is none."""
        return self._standing_units.get(self._cell(x, y))

    def free_carrier_at(self, x: int, y: int, unit_type: int, owner: int) -> int | None:
        """Return the index of the unit on a hex that can take in one of this type and owner.

        None if no unit stands there, or if it cannot.
        """
        index = self.standing_unit_at(x, y)
        if index is None or not self._can_take_in(index, unit_type, owner):
            return None
        return index

    # All hexes that suit a unit.

    def empty_hexes(self, unit_type: int) -> NDArray[np.int64]:
        """Return the empty hexes of favored terrain for a type: cell numbers, ascending."""
        return np.flatnonzero(self._is_empty_and_favored(unit_type))

    def possible_hexes(self, unit_type: int, owner: int) -> NDArray[np.int64]:
        """Return the hexes where a unit of this type and owner can be: cell numbers, ascending.

        They are empty and of favored terrain, or have a unit that can take it in.
        """
        is_possible = self._is_empty_and_favored(unit_type)
        for cell, index in self._standing_units.items():
            if self._can_take_in(index, unit_type, owner):
                is_possible.flat[cell] = True
        return np.flatnonzero(is_possible)

    def _is_empty_and_favored(self, unit_type: int) -> NDArray[np.bool_]:
        """Return a mask (h, w) of the hexes where a unit of this type can stand by itself."""
        is_taken = np.frombuffer(self._is_taken, np.uint8).reshape(self.codes.shape)
        is_favored_terrain = self.rules.favored[unit_type] > 0
        is_suitable = is_favored_terrain[self.codes] & (is_taken == 0)
        is_suitable[0] = False
        is_suitable[-1] = False
        return np.asarray(is_suitable, np.bool_)

    def _can_take_in(self, index: int, unit_type: int, owner: int) -> bool:
        """Return whether a unit is neutral or of this owner, and has space for this type."""
        carrier = self.units[index]
        if carrier.owner not in (0, owner):
            return False
        cargo_types = [self.units[carried].unit_type for carried in self._cargo.get(index, ())]
        reason = self.rules.capacity.why_full(carrier.unit_type, cargo_types, unit_type)
        return reason is None

    def _cell(self, x: int, y: int) -> int:
        """Return the cell number of a hex."""
        return y * self.width + x
