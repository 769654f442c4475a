"""How the heights of a system's plane are written for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeightScale:
    """A height ``value`` of the plane is shown as ``value / units - zero``."""

    units: float = 1.0
    zero: float = 0.0

    def shown(self, value: float) -> float:
        """Return the number that people see for a value of the plane, or a mean of such values."""
        return value / self.units - self.zero

    def stored(self, shown: float) -> int:
        """Return the value of the plane that is nearest to a number that people see."""
        return round((shown + self.zero) * self.units)

    def words(self, value: float) -> str:
        """Return a value as it is written: a whole number, or one with at most two decimals."""
        return self._number(self.shown(value))

    def difference(self, values: float) -> str:
        """Return a difference of two values as it is written."""
        return self._number(values / self.units)

    def _number(self, shown: float) -> str:
        if self.units == 1:
            return f"{shown:.10g}"
        return f"{round(shown, 2) + 0.0:.10g}"  # no -0
