"""The units that a unit can carry: how many of each type, and of what volume in all."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from randomizer.systems.xconq.period.period import Period


class Full(Enum):
    """The reason that a unit cannot take another one in."""

    TYPE = "it carries none of that type"
    NUMBER = "it carries as many of that type as it can"
    VOLUME = "no volume of its hold is left"


class Capacity:
    """The cargo that units can carry by the words of a period. Numbers below 0 count as 0."""

    def __init__(self, period: Period) -> None:
        self.most_of_type = np.maximum(period.table("capacity"), 0)
        """The most units of a type that a type carries: [carrier, carried]."""
        self.hold = np.maximum(period.row("hold-volume"), 0)
        """The volume that each type carries in all, 0 for no limit."""
        self.volume = np.maximum(period.row("volume"), 0)
        """The volume that each type takes in a hold."""

    def why_full(self, carrier: int, aboard: Sequence[int], unit: int) -> Full | None:
        """Return why a unit that carries units of the types ``aboard`` cannot take in one more.

        ``carrier`` and ``unit`` are unit types, too. None if it can.
        """
        max_units = int(self.most_of_type[carrier, unit])
        if max_units == 0:
            return Full.TYPE
        if aboard.count(unit) >= max_units:
            return Full.NUMBER
        hold = int(self.hold[carrier])
        if hold > 0:
            volume = sum(int(self.volume[unit_type]) for unit_type in (*aboard, unit))
            if volume > hold:
                return Full.VOLUME
        return None
