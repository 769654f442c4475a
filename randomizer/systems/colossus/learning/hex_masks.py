"""Sets of hexes as bits of 32-bit numbers, bit i for the hex with the id i.

    lakes = masks_where(terrain == LAKE)         # (n,): the hexes with a lake, one set a map
    shores = neighbours(lakes) & ~lakes
    size(shores).mean()                          # hexes beside lakes, on average of the maps

Learning compares sets of hexes on all maps millions of times. Therefore ``size`` and ``neighbours``
look nine hexes up at once in tables.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

Masks = NDArray[np.int32]
"""Sets of hexes, one a map; the shape is the caller's."""

ALL = (1 << HEX_COUNT) - 1
"""The set of all hexes of the board."""

_LANE = 9
"""The bits looked up at once: three lanes of nine bits are the 27 hexes."""


def mask_of(hexes: Iterable[int]) -> int:
    """Return the set of these hex ids."""
    return sum({1 << number for number in hexes})


def hexes_of(mask: int) -> tuple[int, ...]:
    """Return the hex ids of a set, ascending."""
    return tuple(number for number in range(HEX_COUNT) if mask >> number & 1)


AROUND = tuple(mask_of(number for number in row if number >= 0) for row in NEIGHBOURS)
"""By hex id: the hexes around it."""

_LOW = (1 << _LANE) - 1
"""The lowest nine bits."""

_SIZES = np.array([value.bit_count() for value in range(1 << _LANE)], np.int8)
"""By the value of nine bits: how many of them are set."""


def _neighbour_tables() -> Masks:
    """Return (3, 512): by lane and the value of its nine bits, the neighbours of these hexes."""
    tables = np.zeros((3, 1 << _LANE), np.int32)
    for lane in range(3):
        for value in range(1 << _LANE):
            for bit in range(_LANE):
                if value >> bit & 1:
                    tables[lane, value] |= AROUND[lane * _LANE + bit]
    return tables


_NEIGHBOURS = _neighbour_tables()


def size(masks: Masks) -> NDArray[np.int8]:
    """Return how many hexes each set has."""
    sizes: NDArray[np.int8] = _SIZES[masks & _LOW] + _SIZES[masks >> _LANE & _LOW]
    sizes += _SIZES[masks >> 2 * _LANE]
    return sizes


def neighbours(masks: Masks) -> Masks:
    """Return the neighbours of the hexes of each set, which may be members too."""
    neighbour_masks: Masks = _NEIGHBOURS[0][masks & _LOW] | _NEIGHBOURS[1][masks >> _LANE & _LOW]
    neighbour_masks |= _NEIGHBOURS[2][masks >> 2 * _LANE]
    return neighbour_masks


def masks_where(cells: NDArray[np.bool_]) -> Masks:
    """Return the set of the hexes of each row that are True: (n, 27) in, (n,) out."""
    bits = cells.astype(np.int32) << np.arange(HEX_COUNT, dtype=np.int32)
    masks: Masks = bits.sum(-1, dtype=np.int32)
    return masks
