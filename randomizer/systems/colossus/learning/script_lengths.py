"""The length of a learned script in bits, which its lines must save in the description of the maps.

The learner follows the principle of *minimum description length*: of all scripts the best is the
one for which script and maps together take the fewest bits. Otherwise a script with a line for
every map would be the best, since it fits exactly. So each line has a length here, made of what a
person would have to say to write it: a statement, the list, its hazards, their chances.
"""

from __future__ import annotations

import numpy as np

from randomizer.systems.colossus.learning.pieces import AreaList
from randomizer.systems.colossus.learning.regions import region_of

# Where a number is larger, fewer lines with what it stands for are learned.

STATEMENT_BITS = 10.0
"""The length of an AREA, without its list and hazards."""

NEAR_BITS = 5.0
"""The length of naming what is near or apart, or what the list lies on."""

THIRDS_BITS = 5.0
"""The length of naming the first of three symmetric regions."""

FURTHER_BITS = 3.0
"""The length of each further one, which follows from the first."""

HAZARD_BITS = 1.5
"""The length of a hazard, without that of its chance."""

LOOSE_BITS = 0.5
"""What a hazard with a chance takes beside that chance, which counts once for all of them."""

CHANCE_BASE_BITS = 1.5
"""The length of a chance beside its digits, of which more are needed the more maps there are."""


class ScriptLengths:
    """The lengths of the parts of a script that is learned from a number of maps."""

    def __init__(self, map_count: float, caution: float) -> None:
        """Begin for ``map_count`` maps. ``caution`` is that of ``SearchOptions``."""
        self._caution = caution
        self._region_bits: dict[int, float] = {}
        """The length of naming each region so far."""
        # A parameter is worth half a logarithm of the number of maps it is fitted to, by the
        # principle of minimum description length.
        self.chance_bits = CHANCE_BASE_BITS + 0.5 * float(np.log2(max(map_count, 2)))
        """The length of a chance."""

    def area_bits(self, area_list: AreaList) -> float:
        """Return the length of an AREA with this list, without its hazards."""
        bits = STATEMENT_BITS
        if area_list.further:
            bits += THIRDS_BITS + FURTHER_BITS * len(area_list.further)
        else:
            bits += self._bits_of_region(area_list.region)
        references = len(area_list.near) + len(area_list.apart)
        if area_list.on:
            references += 1
        return bits + NEAR_BITS * references

    def _bits_of_region(self, region: int) -> float:
        """Return the length of naming a set of hexes."""
        bits = self._region_bits.get(region)
        if bits is None:
            # There are so many sets of hexes that one of them fits by chance, so that naming one
            # must not become cheaper with a low caution.
            bits = self.protected(region_of(region).bits)
            self._region_bits[region] = bits
        return bits

    def protected(self, bits: float) -> float:
        """Return a length that a ``caution`` below 1 does not lessen.

        All lengths of a script are multiplied by the caution in the end. A length that guards
        against chance findings must not become smaller by that, so it is divided by the caution
        here.
        """
        return bits / min(self._caution, 1.0)

    def hazard_bits(self, chances: tuple[float, ...]) -> float:
        """Return the length of the hazards of an AREA.

        All that are not certain have one chance here, as ``quick_chances`` finds it; when they are
        written out, each may get its own.
        """
        bits = HAZARD_BITS * len(chances)
        loose = len(chances) - chances.count(1.0)
        if loose:
            bits += self.chance_bits
        return bits + LOOSE_BITS * loose
