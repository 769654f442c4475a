"""The goals of all benchmarks, which stand nowhere else: ``GOALS[benchmark][title of a row]``.

Each is compared with the row that ``python -m tests.benchmarks`` measures. A row without a
goal is printed for comparison only. Units are those of the rows, as the benchmarks have them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.benchmarks.benchmark import Row


class Goal(NamedTuple):
    """A bound of the figure or of the ratio of a row."""

    limit: float
    is_least: bool = False
    """True if the limit is the least value that is allowed, else it is the greatest."""
    of_ratio: bool = False
    """True if the ratio is bounded, in which the figure is to another measured one."""

    def is_met(self, row: Row) -> bool:
        """Return whether a row keeps the bound; a row without the ratio that it bounds does not."""
        value: float | None = row.figure
        if self.of_ratio:
            value = row.ratio
        if value is None:
            return False
        if self.is_least:
            return value >= self.limit
        return value <= self.limit

    def __str__(self) -> str:
        """Return the goal as the table prints it: "≤ 50", "≥ 60x" for a ratio."""
        sign = "≤"
        if self.is_least:
            sign = "≥"
        unit = ""
        if self.of_ratio:
            unit = "x"
        return f"{sign} {self.limit:g}{unit}"


def at_most(limit: float) -> Goal:
    """Return the goal that a figure is no greater than a limit."""
    return Goal(limit)


def at_least(limit: float) -> Goal:
    """Return the goal that a figure is no less than a limit."""
    return Goal(limit, is_least=True)


def ratio_at_most(limit: float) -> Goal:
    """Return the goal that a ratio is no greater than a limit."""
    return Goal(limit, of_ratio=True)


def ratio_at_least(limit: float) -> Goal:
    """Return the goal that a ratio is no less than a limit."""
    return Goal(limit, is_least=True, of_ratio=True)


PAUSE = at_most(50)
"""Milliseconds that an action may hold the window: longer is seen as a stutter."""

FRAME_MS = 16.7
"""Milliseconds of one frame of a screen of 60 Hz."""

GOALS: dict[str, dict[str, Goal]] = {
    "balance": {"one board": at_most(20)},
    "balance-boards": {"share of boards that were tried": at_least(1)},
    "battles": {"battles a CPU second": at_least(300)},
    "canvas": {
        "frame, flat": at_most(6),
        "frame, square": at_most(6),
        "frame, pointy": at_most(6),
        "frame of a battleland": at_most(8),
        "longest pause while zooming in": PAUSE,
        "zoom step": at_most(12),
        "pan": at_most(4),
        "pan, a step of a drag": at_most(4),
        "the model, a cell": at_most(8),
        "frame, all in view (x graphics items)": ratio_at_least(200),
        "one-cell edit, all in view": at_most(0.6),
        "radius-3 brush, all in view": at_most(1),
        "one-cell edit at 50 % (x a small map)": ratio_at_most(2),
        "radius-3 brush at 50 %": at_most(1),
    },
    "command-line": {
        "show a .battlemap (x import numpy)": ratio_at_most(1.5),
        "show a battleland (x import numpy)": ratio_at_most(1.5),
        "roll Plains (x import numpy)": ratio_at_most(1.5),
        "roll Mountains (x import numpy)": ratio_at_most(1.5),
        "roll Tower (x import numpy)": ratio_at_most(1.5),
        "roll Mountains, many": at_least(50),
    },
    "entities": {
        "pan (x a small map)": at_most(6),
        "move one, not painted (x a small map)": at_most(1),
        "move one, painted (x a small map)": at_most(6),
        "height brush, radius 3 (x a small map)": at_most(6),
        "terrain brush, radius 3 (x a small map)": at_most(6),
    },
    "files": {"check by the gate": at_most(50)},
    "first-minute": {
        f"{action} {kind}{time}": at_most(1)
        for action, time in (("new", ", first"), ("new", ", next"), ("open", ""))
        for kind in ("battleland", "wargame table", "free map", "landscape", "Xconq", "0 A.D.")
    },
    "gallery": {"the first 48": at_most(150), "the next 48": at_most(150)},
    "heights": {
        "raise, radius 3 (x a small map)": at_most(FRAME_MS),
        "raise, radius 20 (x a small map)": at_most(FRAME_MS),
        "raise, radius 60 (x a small map)": at_most(FRAME_MS),
        "smooth, radius 3 (x a small map)": at_most(FRAME_MS),
        "smooth, radius 20 (x a small map)": at_most(FRAME_MS),
        "smooth, radius 60 (x a small map)": at_most(FRAME_MS),
    },
    "large-map": {"longest pause of all actions": PAUSE},
    "learning": {"from a folder": at_most(30), "from maps of a script": at_most(30)},
    "learning-scripts": {
        "share of scripts within bounds": at_least(1),
        "longest time of a script": at_most(30),
    },
    "learning-unseen": {"all folders (x independent odds)": ratio_at_most(1)},
    "locks": {"re-roll with three locks, median": at_most(50)},
    "map-script": {"from a key to the new world": at_most(100)},
    "memory": {"at the end": at_most(300)},
    "minimap": {
        "one cell, 240 x 160": at_most(1),
        "one cell, 1600 x 1000": at_most(1),
        "another map, 240 x 160": at_most(50),
        "another map, 1600 x 1000": at_most(50),
    },
    "odds": {"first table": at_most(10), "first table with hexsides": at_most(10)},
    "percentile-chart": {
        "a step on a small world": at_most(16),
        "a step on a large world": at_most(150),
    },
    "periods": {"read 1,000 characters": at_most(1.06)},  # 50 ms for the 47,000 of the longest
    "roll-many": {
        "maps a second, hexes only (x plain)": ratio_at_least(60),
        "maps a second, with hexsides (x plain)": ratio_at_least(80),
    },
    "script-host": {
        "start (x an idle host)": at_most(0.8),
        "an empty script in an idle host": at_most(0.1),
    },
    "start": {"first paint (x a bare window)": ratio_at_most(1.5)},
    "things": {
        "move one (x among few)": at_most(0.2),
        "move one of a roll (x among few)": at_most(0.2),
        "move fifty (x among few)": at_most(10),
        "place one (x among few)": at_most(0.2),
        "delete one (x among few)": at_most(0.2),
    },
    "tools": {"step, alone": at_most(1), "step, with five twins": at_most(1)},
    "tracing": {
        "a clean picture": at_most(10),
        "a distorted picture": at_most(10),
        "wrong cells of it": at_most(0),
        "wrong cells of that": at_most(5),
    },
    "tracing-proof": {
        "clean: wrong cells, worst": at_most(0),
        "distorted: wrong cells, worst": at_most(5),
    },
    "variations": {"of a landscape": at_most(5), "of a large landscape": at_most(40)},
    "window": {"tables: longest pause": PAUSE, "script: longest pause": PAUSE},
    "worlds": {
        "a small world (x the plain roller)": at_most(500),
        "a medium world, usual roughness": at_most(0.15),
        "a medium world, any roughness": at_most(10),
        "a large world, usual roughness": at_most(1.5),
        "a large world, any roughness": at_most(10),
    },
}

ELSEWHERE = (
    "the test run on two quiet cores: 8 minutes (15 CPU minutes); packaging/test.py tells it",
    "the bundle: 240 MB; packaging/bundle.py tells it",
)
"""Goals of what no benchmark measures."""
