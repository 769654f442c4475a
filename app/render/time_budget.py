"""The time for which one turn of the event loop may draw, so that the window goes on to answer.

budget = TimeBudget(8)
while missing and not budget.is_spent:
    draw(missing.pop())
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer


class TimeBudget:
    """Some milliseconds, which run from the moment when the budget is made."""

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds
        self._clock = QElapsedTimer()
        self._clock.start()

    @property
    def is_spent(self) -> bool:
        """True once the time has passed; from the beginning on with 0 milliseconds or less."""
        return self._clock.elapsed() >= self._milliseconds

    @property
    def ms_left(self) -> int:
        """How many milliseconds are left, 0 or more: for a function with a budget of its own."""
        return max(0, self._milliseconds - self._clock.elapsed())
