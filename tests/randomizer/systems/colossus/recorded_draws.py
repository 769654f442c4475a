"""Draws recorded from the game's own program: a roll that takes them is the game's own."""

from __future__ import annotations

from collections.abc import Sequence

from randomizer.systems.colossus.rolling.program import Choices, Pick, Placing


class TraceError(Exception):
    """A recorded trace does not fit the script: another kind of draw, or none, is due."""


class RecordedDraws:
    """Replays the draws of the game's own program, in its order, and checks that they fit.

    A number is a draw from [0, 1); ``[n, i]`` is the draw i from 0 .. n-1. ``used`` counts the
    draws taken. Raises TraceError where the trace does not fit.
    """

    def __init__(self, draws: Sequence[float | Sequence[int]]) -> None:
        self._draws = draws
        self.used = 0

    def finish(self) -> None:
        """Raises TraceError if draws are left over."""
        if self.used != len(self._draws):
            raise TraceError(f"{len(self._draws) - self.used} draws were left over")

    def _next(self) -> float | Sequence[int]:
        if self.used == len(self._draws):
            raise TraceError(f"the trace ends after {self.used} draws")
        self.used += 1
        return self._draws[self.used - 1]

    def _percent(self) -> float:
        draw = self._next()
        if not isinstance(draw, float | int):
            raise TraceError(f"draw {self.used} is {draw}; a fraction is due")
        return draw * 100

    def _index(self, total: int) -> int:
        draw = self._next()
        if isinstance(draw, float | int) or draw[0] != total:
            raise TraceError(f"draw {self.used} is {draw}; one of {total} is due")
        return draw[1]

    def place(self, placing: Placing, total: int) -> tuple[int, int] | None:
        """Chance, position, elevation; the last is drawn even where it cannot matter."""
        if self._percent() >= placing.percent:
            return None
        position = self._index(total)
        drawn = self._percent()
        first, second = placing.bounds
        return position, 2 if drawn > second else 1 if drawn > first else 0

    def some_of(self, pick: Pick, hexes: Sequence[int]) -> list[int]:
        """Positions count in the list as the game holds it."""
        pool = list(hexes)
        return [pool.pop(self._index(len(pool))) for _ in range(min(pick.count, len(pool)))]

    def hexside(self, edge: int, choices: Choices) -> int:
        """One draw for every entry until one hits."""
        for percent, code in zip(choices.percents, choices.codes, strict=True):
            if self._percent() < percent:
                return code
        return 0
