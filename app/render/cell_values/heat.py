"""Heat maps: values of cells and sides that are shown as colours over a map.

For instance the odds of each cell to become a forest. A value is shown by one of the 256 colours of
a *ramp*, from dark blue (the lowest value) to yellow (the highest)::

    heat = Heat(odds, ends=(0.0, 1.0), texts={17: "83 %"})
    colours = heat_colours()[heat.ramp_indices(heat.cells)]

Panels make a ``Heat`` and give it to the canvas. The overview, in which cells have one colour each,
mixes these colours into its own; ``heat_painter`` draws them over cells that are pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from randomizer.model.basics.caches import KB, registered

RAMP_COLOURS = 256
"""The number of colours of a ramp."""

STOPS = ("#00204d", "#31446b", "#666970", "#958f78", "#cbba69", "#ffea46")
"""The ramp of heat maps, by some of its colours at equal distances.

It gets lighter from end to end, so that every kind of colour vision tells its colours apart.
"""

HEIGHT_STOPS = ("#2c6b3f", "#6d9a4c", "#bdb768", "#dcc590", "#eee3cf", "#ffffff")
"""The ramp of heights, from low land to high land."""

DEPTH_STOPS = ("#c9f0f2", "#7cc4dc", "#3d86bd", "#1c4b8c", "#0a1f4d")
"""The ramp of depths, from shallow water to deep water."""

HEAT_OPACITY = 0.85
"""The opacity of the heat over the map, unless it is shown alone."""

FADED = 0.55
"""How much of a faded heat map is background, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Heat:
    """The values of a heat map, and how they are shown."""

    cells: NDArray[np.float64]
    """The values of cells, (h, w) or (size,); nan shows nothing."""

    ends: tuple[float, float] | None = None
    """The values that have the first and the last colour of the ramp.

    None for the lowest and the highest of the values that ``ramp_indices`` is called for: those of
    cells, or those of sides.
    """

    sides: NDArray[np.float64] | None = None
    """The values of sides, (size, degree); nan shows nothing. None for cells only."""

    texts: Mapping[int, str] = field(default_factory=dict)
    """The texts on cells, with a line break between lines."""

    side_texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """The texts on sides, by cell and side."""

    alone: bool = False
    """True if the heat map hides the map: hexsides, names and elevations are not drawn.

    Values that are counted over many maps belong to none of them.
    """

    faded: bool = False
    """True if the values are out of date: they are drawn paler."""

    hatched: NDArray[np.bool_] | None = None
    """True for cells that are hatched, (size,): the map itself has none of what is counted there.

    None for no such cells.
    """

    @property
    def opacity(self) -> float:
        """The opacity of the heat over a cell's colour, 0 to 1."""
        opacity = HEAT_OPACITY
        if self.alone:
            opacity = 1.0
        if self.faded:
            opacity *= 1 - FADED
        return opacity

    def ramp_indices(self, values: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the index in ``heat_colours`` of the colour of each value, -1 for nan.

        ``values`` are those of ``cells`` or ``sides``; the result has the same shape. Values beyond
        ``ends`` have the first or the last colour.
        """
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
        return np.where(is_finite, shares * (RAMP_COLOURS - 1), -1).astype(np.intp)


@registered(count=1, bytes_each=2 * KB)
@cache
def heat_colours(ramp: tuple[str, ...] = STOPS) -> NDArray[np.uint32]:
    """Return the colours of a ramp, given by colours at equal distances: 0xffRRGGBB, shape (256,).

    Between two of these the colours are mixed evenly, channel by channel.
    """
    positions = np.linspace(0, RAMP_COLOURS - 1, len(ramp))
    stops = [QColor(stop) for stop in ramp]
    channels = []
    for values_at_stops in (
        [stop.red() for stop in stops],
        [stop.green() for stop in stops],
        [stop.blue() for stop in stops],
    ):
        channel = np.interp(np.arange(RAMP_COLOURS), positions, values_at_stops)
        channels.append(channel.round().astype(np.uint32))
    red, green, blue = channels
    opaque = 0xFF000000
    return np.asarray(opaque | (red << 16) | (green << 8) | blue, np.uint32)
