"""Values of thousands of maps as bytes, with masks in place of branches.

numpy handles many bytes at a time, and a call costs as much as some thousand of them. So values of
maps are bytes here, and where something holds for some of the maps only there is a *byte mask*: 255
(all bits set) where it holds, else 0. Combined bit by bit with a mask, values stay or change::

    is_late = np.array([True, False])
    as_bytes(is_late)                          # [1, 0], to add and to multiply
    byte_mask(is_late)                         # [255, 0]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.uint8]
"""A byte for each of n maps, (n,)."""

Rows = NDArray[np.uint8]
"""A byte for each of some hexes in n maps: a row (n,) for each hex.

For the type checker it is the same as a ``Row``: arrays are checked by their numbers only.
"""


def as_bytes(condition: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return 1 where a condition is true, else 0: the same memory, read as bytes."""
    return condition.view(np.uint8)


def byte_mask(condition: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return 255 where a condition is true, else 0."""
    # As a byte -1 is 255.
    return np.negative(as_bytes(condition))


def write_where(masks: Rows, new_values: Row | int, values: Rows) -> None:
    """Write ``new_values`` into ``values`` (k, n) where ``masks`` (k, n) are 255.

    It is the same as ``values[masks == 255] = new_values``, many times as fast::

        value          0b0101       a bit is changed if it differs from that of the
        new value      0b0110       new value, and is set in the mask
        their ^        0b0011
        & mask 255     0b0011       the value becomes 0b0110
        & mask 0       0b0000       the value stays 0b0101
    """
    changed_bits = values ^ new_values
    changed_bits &= masks
    values ^= changed_bits
