"""Heat maps: values of cells and sides that are shown as colours over a map.

    heat = Heat(odds, ends=(0.0, 1.0), texts={17: "83 %"})
    colours = heat_colours()[heat.ramp_indices(heat.cells)]

Panels make a ``Heat`` and give it to the canvas; the overview takes its colours from here, and
``heat_painter`` draws it where cells are pictures.
"""

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
"""The ramp from low land to high."""

DEPTH_STOPS = ("#c9f0f2", "#7cc4dc", "#3d86bd", "#1c4b8c", "#0a1f4d")
"""The ramp from shallow water to deep."""

SHARE = 0.85
"""The opacity of the heat over the map, unless it is shown alone."""

FADED = 0.55
"""How much of a faded heat map is background, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Heat:
    """The values of a heat map, and how they are shown."""

    cells: NDArray[np.float64]
    """The values of cells, (h, w) or (size,); nan shows nothing."""

    ends: tuple[float, float] | None = None
    """The values with the ramp's first and last colour; None: the lowest and highest of cells."""

    sides: NDArray[np.float64] | None = None
    """The values of sides, (size, degree); nan shows nothing. None for cells only."""

    texts: Mapping[int, str] = field(default_factory=dict)
    """The texts on cells, with a line break between lines."""

    side_texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The texts on sides, by cell and side."""

    alone: bool = False
    """True if the map's hexsides, names and elevations are left out, since they are of one map and
    the values of many."""

    faded: bool = False
    """True if the values are out of date."""

    hatched: NDArray[np.bool_] | None = None
    """True for cells of whose values the map shows nothing, (size,); None for no such cells."""

    @property
    def share(self) -> float:
        """The opacity of the heat over a cell's colour, 0 to 1."""
        share = SHARE
        if self.alone:
            share = 1.0
        if self.faded:
            share *= 1 - FADED
        return share

    def ramp_indices(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the index of each value in ``heat_colours``, 0 to 255; -1 for nan. Any shape."""
        is_finite = np.isfinite(values)
        ends = self.ends
        if ends is None:
            ends = (0.0, 1.0)
            if is_finite.any():
                ends = (values[is_finite].min(), values[is_finite].max())
        low, high = ends
        span = high - low
        if span == 0:  # all values are equal, and have the first colour
            span = 1.0
        shares = np.clip((np.where(is_finite, values, low) - low) / span, 0.0, 1.0)
        return np.where(is_finite, shares * 255, -1).astype(np.intp)


@registered(count=1, bytes_each=2 * KB)
@cache
def heat_colours(ramp: tuple[str, ...] = STOPS) -> NDArray[np.uint32]:
    """Return a ramp, that of heat maps unless other stops are given: shape (256,), 0xffRRGGBB."""
    positions = np.linspace(0, 255, len(ramp))
    colours = [QColor(stop) for stop in ramp]
    stops = np.array([(c.red(), c.green(), c.blue()) for c in colours], np.float64)
    channels = []
    for values in stops.T:  # of red, green and blue
        channel = np.interp(np.arange(256), positions, values)
        channels.append(channel.round().astype(np.uint32))
    red, green, blue = channels
    return np.asarray(red << 16 | green << 8 | blue | 0xFF000000, np.uint32)
