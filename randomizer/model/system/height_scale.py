"""The scale in which people see and type heights, which planes hold as whole numbers.

Maps of 0 A.D. hold 92 steps a metre, and people count their heights from the sea, which is at
20 metres::

    scale = HeightScale(units=92.0, zero=20.0)
    scale.words(2300)        # "5": metres above the water
    scale.stored(5.0)        # 2300
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeightScale:
    """A height that a plane holds as ``value`` is displayed as ``value / units - zero``."""

    units: float = 1.0
    """The steps of the plane in one unit of the displayed height."""

    zero: float = 0.0
    """The height, in such units, that is displayed as 0: people count from there."""

    def shown(self, value: float) -> float:
        """Return the height that is displayed for a value of the plane, or a mean of values."""
        return value / self.units - self.zero

    def stored(self, height: float) -> int:
        """Return the value of the plane that is nearest to a displayed height."""
        return round((height + self.zero) * self.units)

    def words(self, value: float) -> str:
        """Return a value as text: a whole number, or one with at most two decimals."""
        return self._number(self.shown(value))

    def difference(self, values: float) -> str:
        """Return a difference of two values of the plane as text."""
        return self._number(values / self.units)

    def _number(self, height: float) -> str:
        """Return a displayed height, or a difference of two, as text.

        Steps of the plane that are whole units are written as they are, without rounding.
        """
        if self.units == 1:
            return f"{height:.10g}"
        return f"{round(height, 2) + 0.0:.10g}"  # + 0.0 makes 0 of -0
