"""How many units of which types a unit can carry, by the words of a period."""

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
    """The cargo that units can carry; U is the number of unit types. Numbers below 0 count as 0.

    ``most`` (U, U): of each type, by the type of the carrier. ``hold`` (U,): the volume of the
    carrier, 0 for no limit. ``volume`` (U,): that of the carried.
    """

    def __init__(self, period: Period) -> None:
        self.most = np.maximum(period.table("capacity"), 0)
        self.hold = np.maximum(period.row("hold-volume"), 0)
        self.volume = np.maximum(period.row("volume"), 0)

    def full(self, carrier: int, aboard: Sequence[int], unit: int) -> Full | None:
        """Return why a unit that carries units of the types ``aboard`` cannot take in one more.

        All are unit types. None: it can.
        """
        most = int(self.most[carrier, unit])
        if most == 0:
            return Full.TYPE
        if aboard.count(unit) >= most:
            return Full.NUMBER
        hold = int(self.hold[carrier])
        if hold and sum(int(self.volume[unit_type]) for unit_type in (*aboard, unit)) > hold:
            return Full.VOLUME
        return None
