"""The bits of route keys: one small number for each side of a cell, side by side in an integer.

A ``SideBits`` says where in a key the numbers of the sides lie. With 4 bits a side from bit 6 on, a
key has this layout (bit 0 is on the right)::

    ... 3333 2222 1111 0000 ------

    OFFSETS = SideBits(first=6, bits_a_side=4, is_signed=True)
    key = OFFSETS.packed(-2, side=1)    # 0b1110_0000_000000
    OFFSETS.number(key, side=1)         # -2
    OFFSETS.number(key, side=0)         # 0, as nothing was packed there

Keys of several kinds of numbers are joined by ``|``. ``packed`` also takes and returns arrays, for
the keys of many cells.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.model.planes.routes import SIDES

Bits = TypeVar("Bits", int, NDArray[np.int64])
"""One integer, or those of many cells in an array (n,)."""


class SideBits(NamedTuple):
    """The bits of a key that hold a number for each side."""

    first: int
    """The number of the lowest bit, which belongs to side 0."""

    bits_a_side: int = 1
    """How many bits each side has. With 1 they are a bit mask of sides: bit i is side i."""

    is_signed: bool = False
    """True if the numbers can be negative: they are then stored as two's complement."""

    @property
    def largest(self) -> int:
        """The largest number that a side can have: 7 with 4 bits and a sign, 15 without."""
        if self.is_signed:
            return (1 << (self.bits_a_side - 1)) - 1
        return (1 << self.bits_a_side) - 1

    def packed(self, numbers: Bits, side: int) -> Bits:
        """Return keys that hold these numbers for a side, and 0 for everything else.

        They are the numbers of one side, not masks of sides (``packed_mask``). Numbers that do not
        fit (with 4 bits and a sign those outside of -8 to 7) are not checked, and come back as
        others.
        """
        # The lowest bits of a negative integer are those of its two's complement.
        lowest_bits = numbers & ((1 << self.bits_a_side) - 1)
        return lowest_bits << (self.first + side * self.bits_a_side)

    def packed_mask(self, sides: int) -> int:
        """Return a key that holds a bit mask of sides, of ``SideBits`` with 1 bit a side."""
        assert self.bits_a_side == 1
        return sides << self.first

    def mask(self, key: int) -> int:
        """Return the bit mask of sides that a key holds, of ``SideBits`` with 1 bit a side."""
        assert self.bits_a_side == 1
        return (key >> self.first) & SIDES

    def number(self, key: int, side: int) -> int:
        """Return the number that a key holds for a side."""
        modulus = 1 << self.bits_a_side
        number = (key >> (self.first + side * self.bits_a_side)) & (modulus - 1)
        if self.is_signed and number >= modulus // 2:
            return number - modulus
        return number

    def numbers(self, key: int, degree: int) -> tuple[int, ...]:
        """Return the numbers of all sides of a cell with ``degree`` sides."""
        return tuple(self.number(key, side) for side in range(degree))


CROSSED = SideBits(first=0)
"""The sides that a route crosses, in the keys of all routes."""
