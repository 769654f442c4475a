"""All maps that a setup makes on a base: ``RolledMaps``, which panels compare.

Odds, counts, fairness and the gallery are worked out of many maps. Each keeps the ``RolledMaps`` of
its results, and works them out anew when those of the desk are not equal to them any more::

    maps = RolledMaps(rolling.setup(), rolling.next_base())
    if maps != self._maps_of_result: ...
"""

from __future__ import annotations

from dataclasses import dataclass

from app.rolling.roll_setup import RollSetup
from randomizer.roll_base import Base


@dataclass(frozen=True, eq=False)
class RolledMaps:
    """All maps that a setup makes on a base; two are equal if their maps look the same."""

    setup: RollSetup
    base: Base

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RolledMaps):
            return NotImplemented
        return self.has_rolls_of(other) and self.base.has_same_layers_above(other.base)

    def has_rolls_of(self, other: RolledMaps) -> bool:
        """Return whether both have the same rolls, whatever layers are above them."""
        return self.setup.makes_same_maps_as(other.setup) and self.base.has_same_rolls(other.base)

    __hash__ = None  # type: ignore[assignment] # bases are compared by their arrays
