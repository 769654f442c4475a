"""Sets of hexes as bit masks: bit i of a number is set if the hex with the id i is a member.

    mask_of([0, 2])                              # 0b101
    hexes_of(0b101)                              # (0, 2)

One set is an int, the sets of n maps are an array (n,):

    lakes = masks_where(terrain == LAKE)         # (n, 27) in, (n,) out: the lakes of each map
    shores = neighbours(lakes) & ~lakes          # | unites sets, & intersects them
    size(shores).mean()                          # hexes beside lakes, on average of the maps

A complement (``~lakes``) sets the bits above the 27 hexes too, so it is only used together with
``&`` and a set. ``size`` and ``neighbours`` of a complement would be wrong, without an error.

Learning compares sets of hexes on all maps millions of times. ``size`` and ``neighbours`` are
therefore sums of table look-ups. A table of all 2**27 sets would be too large, so the bits of a
mask are cut into three *thirds*, each of which has a table of 2**9 entries:

    bit   26 ............ 18   17 ............ 9   8 ............. 0
          upper third          middle third        lower third
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

Masks = NDArray[np.int32]
"""Sets of hexes, usually one a map: (n,)."""

ALL = (1 << HEX_COUNT) - 1
"""The set of all hexes of the board."""


# --- one set ----------------------------------------------------------------------------------


def mask_of(hexes: Iterable[int]) -> int:
    """Return the set of these hex ids, which may be repeated."""
    mask = 0
    for hex_id in hexes:
        mask |= 1 << hex_id
    return mask


def hexes_of(mask: int) -> tuple[int, ...]:
    """Return the hex ids of a set, ascending."""
    return tuple(hex_id for hex_id in range(HEX_COUNT) if mask >> hex_id & 1)


def _neighbours_of_hex(hex_id: int) -> int:
    """Return the set of the hexes around one hex."""
    return mask_of(neighbour for neighbour in NEIGHBOURS[hex_id] if neighbour >= 0)


AROUND = tuple(_neighbours_of_hex(hex_id) for hex_id in range(HEX_COUNT))
"""By hex id: the set of the hexes around it."""


# --- the sets of many maps --------------------------------------------------------------------


_HEX_BITS = np.int32(1) << np.arange(HEX_COUNT, dtype=np.int32)
"""(27,): the bit of each hex, which is the set of this hex alone."""


def masks_where(flags: NDArray[np.bool_]) -> Masks:
    """Return the set of the hexes of each row that are True: (n, 27) in, (n,) out."""
    masks: Masks = (flags * _HEX_BITS).sum(-1, dtype=np.int32)
    return masks


def flags_of(masks: Masks) -> NDArray[np.bool_]:
    """Return which hexes each set has: (n,) in, (n, 27) out. It undoes ``masks_where``."""
    flags: NDArray[np.bool_] = (masks[:, None] & _HEX_BITS) != 0
    return flags


def single_hexes(hexes: NDArray[np.intp]) -> Masks:
    """Return the set of one hex for each hex id, in the shape of ``hexes``."""
    masks: Masks = _HEX_BITS[hexes]
    return masks


_THIRD_BITS = 9
"""The bits of a third: three of them are the 27 hexes."""

_THIRD_VALUES = 1 << _THIRD_BITS
"""The number of values of a third, 512: the length of each table."""


def _lower_third(masks: Masks) -> Masks:
    """Return the bits of the hexes 0 to 8 of each set, as a number below 512."""
    return masks & (_THIRD_VALUES - 1)


def _middle_third(masks: Masks) -> Masks:
    """Return the bits of the hexes 9 to 17 of each set, as a number below 512."""
    return masks >> _THIRD_BITS & (_THIRD_VALUES - 1)


def _upper_third(masks: Masks) -> Masks:
    """Return the bits of the hexes 18 to 26 of each set, as a number below 512."""
    return masks >> 2 * _THIRD_BITS


_SIZES = np.array([third.bit_count() for third in range(_THIRD_VALUES)], np.int8)
"""By the value of a third: how many hexes it has."""


def size(masks: Masks) -> NDArray[np.int8]:
    """Return how many hexes each set has, in the shape of ``masks``."""
    sizes: NDArray[np.int8] = _SIZES[_lower_third(masks)] + _SIZES[_middle_third(masks)]
    sizes += _SIZES[_upper_third(masks)]
    return sizes


def _neighbours_of_third(first_hex: int) -> Masks:
    """Return (512,): by the value of a third, the hexes around the hexes of that third.

    ``first_hex`` is the hex of the lowest bit of the third: 0, 9 or 18.
    """
    table = np.zeros(_THIRD_VALUES, np.int32)
    thirds = np.arange(_THIRD_VALUES)
    for bit in range(_THIRD_BITS):
        has_hex = (thirds >> bit & 1).astype(np.bool_)
        table[has_hex] |= AROUND[first_hex + bit]
    return table


_NEIGHBOURS_OF_LOWER = _neighbours_of_third(0)
_NEIGHBOURS_OF_MIDDLE = _neighbours_of_third(_THIRD_BITS)
_NEIGHBOURS_OF_UPPER = _neighbours_of_third(2 * _THIRD_BITS)


def neighbours(masks: Masks) -> Masks:
    """Return the hexes around the hexes of each set, in the shape of ``masks``.

    Members of a set that are beside each other are among its neighbours.
    """
    neighbour_masks: Masks = _NEIGHBOURS_OF_LOWER[_lower_third(masks)]  # a copy, changed below
    neighbour_masks |= _NEIGHBOURS_OF_MIDDLE[_middle_third(masks)]
    neighbour_masks |= _NEIGHBOURS_OF_UPPER[_upper_third(masks)]
    return neighbour_masks
