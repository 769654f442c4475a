"""The relief of a world: altitude and moisture of its cells, and their percentiles.

Example::

    settings = WorldSettings(width=60, height=30, alt_roughness=80, wet_roughness=40)
    relief = relief_of(settings, DrawKey(seed=7, number=0))
    relief.altitude[4, 9]       # 9120: the height, 0 .. 16383, of column 9 in row 4 from the south
    relief.alt_percent[4, 9]    # 71: 71 % of the cells are at most that high

``relief_steps`` does the same with progress on the way. The latest reliefs are cached.

A relief has two *layers*, altitude and moisture. Both begin as bumps (``bumps``), which are
smoothed; the altitude gets ``mountain_chains``, too. A *percentile* tells how high or how wet a
cell is compared with all others: terrain types ask for ranges of percentiles, so that a world has
about the same share of each type whatever its heights.

For the seeds that the original program has (``random_numbers.draws_of``) a relief is the original's
bit for bit.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import register_bytes
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.world.bumps import TOP, Heights, bumped
from randomizer.systems.xconq.world.mountain_chains import add_mountain_chains
from randomizer.systems.xconq.world.random_numbers import Draws, draws_of
from randomizer.systems.xconq.world.relief_cache import ReliefCache

_Scalar = TypeVar("_Scalar", bound=np.generic)

MIN_SIDE = 9
"""The least width and height of a world."""

MAX_ROUGHNESS = 100
"""The greatest roughness of a layer; the least is 0."""

PERCENTS = 101
"""The number of percentiles: 0 to 100."""

CACHE_BYTES = 9 << 20
"""The most bytes of all reliefs in the cache together: one of a million cells fits.

With more of them more worlds that were shown before are there at once.
"""

register_bytes(f"{__name__}.CACHE_BYTES", CACHE_BYTES)

OBJECT_BYTES = 1500
"""The size in memory of a relief of no cells: its arrays' heads, its settings and its key."""

# The progress of making a relief, in percent. Nearly all of its time is taken by the bumps:
#
#     1 .. 49     the bumps of the altitude
#     50 .. 98    the bumps of the moisture
#     99          the percentiles

FIRST_PERCENT_OF_ALTITUDE = 1
"""The progress when the bumps of the altitude begin."""

FIRST_PERCENT_OF_MOISTURE = 50
"""The progress when the bumps of the moisture begin."""

PERCENT_OF_BUMPS = 48
"""The progress that the bumps of one layer make."""

PERCENT_OF_LAYERS = 99
"""The progress when both layers are made, but not their percentiles."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """All that a relief depends on, beside its draws.

    Raises ValueError for a world smaller than MIN_SIDE, and for a roughness beyond its range.
    """

    width: int
    """Columns, at least MIN_SIDE."""

    height: int
    """Rows, at least MIN_SIDE."""

    alt_roughness: int
    """The roughness of the altitude, 0 .. MAX_ROUGHNESS."""

    wet_roughness: int
    """The roughness of the moisture, 0 .. MAX_ROUGHNESS."""

    def __post_init__(self) -> None:
        if min(self.width, self.height) < MIN_SIDE:
            raise ValueError(f"a world has at least {MIN_SIDE} x {MIN_SIDE} hexes")
        if not all(
            0 <= roughness <= MAX_ROUGHNESS
            for roughness in (self.alt_roughness, self.wet_roughness)
        ):
            raise ValueError(f"roughness is 0 to {MAX_ROUGHNESS}")


@dataclass(frozen=True, eq=False)
class Relief:
    """Altitude and moisture of each cell, and their percentiles; row 0 is the south.

    The percentile of a value is the percentage, cut to a whole number, of the cells that have at
    most this value; the first and the last row do not count. All four arrays are read-only.
    """

    altitude: NDArray[np.int16]
    """The heights of the cells, 0 .. 16383: (h, w)."""

    moisture: NDArray[np.int16]
    """The moistures of the cells, 0 .. 16383: (h, w)."""

    alt_percent: NDArray[np.uint8]
    """The percentiles of the altitudes, 0 .. 100, (h, w)."""

    wet_percent: NDArray[np.uint8]
    """The percentiles of the moistures, 0 .. 100, (h, w)."""

    @property
    def bytes(self) -> int:
        """The size in memory, with ``pairs``."""
        bytes_per_cell = 2 + 2 + 1 + 1 + 2  # of the four arrays, and of the pairs
        return OBJECT_BYTES + bytes_per_cell * self.altitude.size

    @cached_property
    def pairs(self) -> NDArray[np.uint16]:
        """Both percentiles of each cell as one number: altitude * PERCENTS + moisture, (h, w).

        It is an index into a flattened table by altitude and moisture.
        """
        return _make_read_only(self.alt_percent * np.uint16(PERCENTS) + self.wet_percent)

    @property
    def density(self) -> NDArray[np.int64]:
        """The number of cells by percentiles of altitude and moisture: (PERCENTS, PERCENTS).

        The first and the last row count, too. The array is made anew each time: in the cache it
        would take more memory than all else of a small world.
        """
        counts = np.bincount(self.pairs.ravel(), minlength=PERCENTS**2)
        return _make_read_only(counts.reshape(PERCENTS, PERCENTS))


_CACHE = ReliefCache[Relief](CACHE_BYTES)
"""The latest reliefs."""


def relief_steps(settings: WorldSettings, key: DrawKey) -> Generator[int, None, Relief]:
    """Return a relief, from the cache if it is there; yields the progress (1 .. 100) on the way.

    A world is the same for the same settings and key for ever. Closing the generator cancels; then
    nothing comes into the cache.
    """
    relief = _CACHE.get(settings, key)
    if relief is None:
        relief = yield from _make_relief(settings, draws_of(key))
        _CACHE.put(settings, key, relief)
    yield 100
    return relief


def cached_relief(settings: WorldSettings, key: DrawKey) -> Relief | None:
    """Return the relief of a world if it is in the cache."""
    return _CACHE.get(settings, key)


def relief_of(settings: WorldSettings, key: DrawKey) -> Relief:
    """Return the relief of a world at once. It can be called from any thread."""
    steps = relief_steps(settings, key)
    while True:
        try:
            next(steps)
        except StopIteration as end:  # the result of a generator comes with its end
            relief: Relief = end.value
            return relief


def _make_relief(settings: WorldSettings, draws: Draws) -> Generator[int, None, Relief]:
    """Make a relief from one sequence of draws; yields the percentage done, 1 .. 99."""
    # The original draws the altitude first. It smooths each layer twice, but raises the mountains
    # in between, so that their slopes are as steep as one smoothing leaves them.
    altitude = yield from _bumps_with_percent(
        settings, settings.alt_roughness, draws, FIRST_PERCENT_OF_ALTITUDE
    )
    _smooth(altitude)
    add_mountain_chains(altitude, settings.alt_roughness, draws)
    _smooth(altitude)

    moisture = yield from _bumps_with_percent(
        settings, settings.wet_roughness, draws, FIRST_PERCENT_OF_MOISTURE
    )
    _smooth(moisture)
    _smooth(moisture)

    yield PERCENT_OF_LAYERS
    final_altitude = _make_read_only(altitude.astype(np.int16))
    final_moisture = _make_read_only(moisture.astype(np.int16))
    return Relief(
        final_altitude,
        final_moisture,
        alt_percent=_percentiles(final_altitude),
        wet_percent=_percentiles(final_moisture),
    )


def _bumps_with_percent(
    settings: WorldSettings, roughness: int, draws: Draws, first_percent: int
) -> Generator[int, None, Heights]:
    """Make the bumps of a layer; yields the progress of the relief, each percentage once.

    ``first_percent`` is the progress when they begin.
    """
    steps = bumped(settings.width, settings.height, roughness, draws)
    last_percent = first_percent - 1
    while True:
        try:
            share = next(steps)
        except StopIteration as end:
            heights: Heights = end.value
            return heights
        percent = first_percent + int(PERCENT_OF_BUMPS * share)
        if percent > last_percent:
            last_percent = percent
            yield percent


def _smooth(heights: Heights) -> None:
    """Replace the cells of the inner rows by the mean of themselves and their six neighbours.

    The first and the last row have no neighbours on one side; they stay as they are.
    """
    # With the last column before the first and the first behind the last, the neighbours of all
    # cells are slices, also across the seam of the world.
    wrapped = np.concatenate([heights[:, -1:], heights, heights[:, :1]], axis=1)
    below = wrapped[:-2]
    inner = wrapped[1:-1]
    above = wrapped[2:]
    total = inner[:, 1:-1] + above[:, 1:-1]  # the cell itself, and its north-eastern neighbour
    total += inner[:, 2:]  # east
    total += below[:, 2:]  # south-east
    total += below[:, 1:-1]  # south-west
    total += inner[:, :-2]  # west
    total += above[:, :-2]  # north-west
    np.floor_divide(total, 7, out=heights[1:-1])


def _percentiles(values: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Return the percentile (0 .. 100) of each value among those of the inner rows."""
    inner = values[1:-1].ravel()
    # For each possible value the number of cells that have at most this value.
    counts = np.bincount(inner, minlength=TOP).cumsum()
    percentile_of_value = (100 * counts // inner.size).astype(np.uint8)
    return _make_read_only(percentile_of_value[values])


def _make_read_only(values: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Make an array read-only, and return it."""
    values.flags.writeable = False
    return values
