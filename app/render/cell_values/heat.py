"""Heat maps: values of cells and sides that are shown as colours over a map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from randomizer.model.basics.caches import KB, registered

STOPS = ("#00204d", "#31446b", "#666970", "#958f78", "#cbba69", "#ffea46")
"""The ramp from low to high: dark blue to yellow, told apart by every kind of colour vision."""

HEIGHT_STOPS = ("#2c6b3f", "#6d9a4c", "#bdb768", "#dcc590", "#eee3cf", "#ffffff")
DEPTH_STOPS = ("#c9f0f2", "#7cc4dc", "#3d86bd", "#1c4b8c", "#0a1f4d")
"""The ramps from low land to high, and from shallow water to deep."""

SHARE = 0.85
"""The opacity of the heat over the map, unless it is shown alone."""

FADED = 0.55
"""How much of a faded heat map is background, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Heat:
    """Values of ``cells`` (h, w) or (size,) and of ``sides`` (size, degree); nan shows nothing.

    ``ends`` are the values with the ramp's first and last colour (None: the lowest and the highest
    of the cells). ``texts`` are written on cells, line by line, ``side_texts`` on (cell, side).
    ``alone``: the map's hexsides, names and elevations are left out, since they are of one map and
    the values of many. ``faded``: the values are out of date. ``hatched`` (size,) marks cells of
    whose values the map shows nothing.
    """

    cells: NDArray[np.float64]
    ends: tuple[float, float] | None = None
    sides: NDArray[np.float64] | None = None
    texts: Mapping[int, str] = field(default_factory=dict)
    side_texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    alone: bool = False
    faded: bool = False
    hatched: NDArray[np.bool_] | None = None

    @property
    def share(self) -> float:
        """The opacity of the heat over a cell's colour."""
        return (1.0 if self.alone else SHARE) * (1 - FADED if self.faded else 1)

    def ramp_indices(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the index of each value in ``heat_colours``, 0 to 255; -1 for nan. Any shape."""
        finite = np.isfinite(values)
        ends = self.ends
        if ends is None:
            if finite.any():
                ends = (values[finite].min(), values[finite].max())
            else:
                ends = (0.0, 1.0)
        low, high = ends
        span = high - low or 1.0
        positions = np.clip((np.where(finite, values, low) - low) / span, 0.0, 1.0) * 255
        return np.where(finite, positions, -1).astype(np.intp)


@registered(count=1, bytes_each=2 * KB)
@cache
def heat_colours(ramp: tuple[str, ...] = STOPS) -> NDArray[np.uint32]:
    """Return a ramp, that of heat maps unless other stops are given: shape (256,), 0xffRRGGBB."""
    colours = [QColor(stop) for stop in ramp]
    stops = np.array([(c.red(), c.green(), c.blue()) for c in colours], np.float64)
    positions = np.linspace(0, 255, len(stops))
    red, green, blue = (
        np.interp(np.arange(256), positions, stops[:, i]).round().astype(np.uint32)
        for i in range(3)
    )
    return np.asarray(red << 16 | green << 8 | blue | 0xFF000000, np.uint32)
