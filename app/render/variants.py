"""Numbers that follow from a cell alone: which variant of a picture it shows.

They have no visible pattern, and an edit elsewhere does not change them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def hashed(cells: NDArray[np.intp], bits: int, salt: int = 0) -> NDArray[np.intp]:
    """A number of so many bits for each of ``cells`` (n,); another ``salt`` gives others."""
    mixed = (cells.astype(np.uint64) ^ np.uint64(salt << 40)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(64 - bits)).astype(np.intp)
