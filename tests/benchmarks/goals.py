"""The goals of all benchmarks, and nowhere else: benchmark -> row -> goal.

A row without a goal is told for comparison only.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.benchmarks.benchmark import Row


class Goal(NamedTuple):
    """A bound of the figure or of the ratio of a row."""

    limit: float
    is_least: bool = False
    of_ratio: bool = False

    def is_met(self, row: Row) -> bool:
        """Return whether a row keeps the bound; a row without the ratio that it bounds does not."""
        value = row.ratio if self.of_ratio else row.figure
        if value is None:
            return False
        return value >= self.limit if self.is_least else value <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.is_least else "≤"
        times = "x" if self.of_ratio else ""
        return f"{sign} {self.limit:g}{times}"


def at_most(limit: float) -> Goal:
    return Goal(limit)


def at_least(limit: float) -> Goal:
    return Goal(limit, is_least=True)


def ratio_at_most(limit: float) -> Goal:
    return Goal(limit, of_ratio=True)


def ratio_at_least(limit: float) -> Goal:
    return Goal(limit, is_least=True, of_ratio=True)


PAUSE = at_most(50)
"""Milliseconds that an action may hold the window: longer is seen as a stutter."""

GOALS: dict[str, dict[str, Goal]] = {}

ELSEWHERE = (
    "the test run on two quiet cores: 8 minutes (15 CPU minutes); packaging/test.py tells it",
    "the bundle: 240 MB; packaging/bundle.py tells it",
)
"""Goals of what no benchmark measures."""
