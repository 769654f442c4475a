"""What the random numbers of a script decide, in thousands of maps at once.

A map draws a *word* of 64 random bits (randomizer/model/basics/dice.py), whose parts of 16 bits are
*lanes*. Each hazard of an AREA has a word of its own in each map (``HazardDraws``):

    bits 63 .......... 32   31 ....... 16   15 ........ 0
         does it come?      on which hex?   how high?

A SOMEOF draws one lane for each of its hexes (``lane_of_words``), so that a word serves four.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.rolling.byte_masks import Row, as_bytes, byte_mask
from randomizer.systems.colossus.rolling.program import ELEVATIONS, Placing

ALWAYS_PLACED = 1 << 32
"""The ``Placing.chance`` of a hazard that is certain: above every number of 32 bits."""

LANE_BITS = 16
"""The bits of a lane."""

LANES_OF_WORD = 4
"""A word of 64 bits has four lanes."""

_HALF_BITS = 32
"""The bits of half a word."""

# Casts and shifts are faster here than views with strides.


class HazardDraws:
    """The draws for one hazard in n maps."""

    def __init__(self, words: NDArray[np.uint64]) -> None:
        """Begin with the random word of each map, (n,)."""
        self._words = words
        self._low_half = words.astype(np.uint32)  # the cast drops the high half

    def positions(self, placing: Placing, sizes: Row) -> Row:
        """Return the position of the hex that gets the hazard, in lists of these ``sizes`` (n,).

        It is NO_POSITION, 255, where the hazard does not come.
        """
        positions = positions_by_lanes(self._low_half >> np.uint32(LANE_BITS), sizes)
        if placing.chance < ALWAYS_PLACED:
            # The high halves are compared with the chance. The low ones need not be cut off: the
            # chance gets 32 bits of 0 in their place, which no low half is below.
            is_left_out = self._words >= np.uint64(placing.chance << _HALF_BITS)
            positions |= byte_mask(is_left_out)
        return positions

    def states(self, placing: Placing) -> Row | int:
        """Return the state (``state_of``) that a hazard gives its hex.

        It is an int if it is the same in all maps.
        """
        return placing.terrain * ELEVATIONS + self._elevations(placing)

    def _elevations(self, placing: Placing) -> Row | int:
        """Return the elevation that a hazard gets, (n,); an int if it can get one only.

        The elevation is the number of thresholds, one for 1 and one for 2, that the lowest lane
        reaches.
        """
        elevations = placing.elevations
        if len(elevations) == 1:
            return elevations[0]
        lanes = self._low_half.astype(np.uint16)
        # A lane that is high enough for 2 is high enough for 1, even if that threshold is higher.
        threshold_of_1 = min(placing.level_1_from, placing.level_2_from)
        reaches_1 = as_bytes(lanes >= threshold_of_1)
        if elevations == (0, 1):
            return reaches_1
        return reaches_1 + as_bytes(lanes >= placing.level_2_from)


def lane_of_words(words: NDArray[np.uint64], lane: int) -> NDArray[np.uint32]:
    """Return one lane, 0 (the lowest) to 3, of each word (n,)."""
    shifted_words = words >> np.uint64(LANE_BITS * lane)
    return shifted_words.astype(np.uint16).astype(np.uint32)  # the first cast drops higher lanes


def positions_by_lanes(lanes: NDArray[np.uint32], sizes: Row) -> Row:
    """Return positions below ``sizes`` (n,), 0 where that is 0, by lanes (n,).

    A position is the lane as a fraction of 1, times the size, rounded down.
    """
    positions = lanes * sizes
    positions >>= np.uint32(LANE_BITS)
    return positions.astype(np.uint8)
