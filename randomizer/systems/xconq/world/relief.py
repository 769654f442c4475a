"""The relief of a world: altitude and moisture of its cells, and their percentiles.

Bit for bit the original program's for its seeds (``random_numbers.draws_of``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.model.basics.caches import register_bytes
from randomizer.systems.xconq.world.bumps import TOP, Heights, bumped
from randomizer.systems.xconq.world.random_numbers import Draws, draws_of

Scalar = TypeVar("Scalar", bound=np.generic)

LEAST_SIDE = 9
"""The least width and height of a world."""
MOST_ROUGHNESS = 100
PERCENTS = 101
CACHE_BYTES = 9 << 20
"""Reliefs up to this size together are kept, the latest used longest: one of a million cells."""
register_bytes(f"{__name__}.CACHE_BYTES", CACHE_BYTES)

OBJECT_BYTES = 1500
"""What a relief of no cells takes: its arrays' heads, its settings and its key."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """The size of a world in cells, and the roughness (0 .. 100) of altitude and moisture.

    Raises ValueError for a world smaller than LEAST_SIDE, and for another roughness.
    """

    width: int
    height: int
    alt_roughness: int
    wet_roughness: int

    def __post_init__(self) -> None:
        if min(self.width, self.height) < LEAST_SIDE:
            raise ValueError(f"a world has at least {LEAST_SIDE} x {LEAST_SIDE} hexes")
        if not all(
            0 <= roughness <= MOST_ROUGHNESS
            for roughness in (self.alt_roughness, self.wet_roughness)
        ):
            raise ValueError(f"roughness is 0 to {MOST_ROUGHNESS}")


@dataclass(frozen=True, eq=False)
class Relief:
    """Altitude and moisture of each cell, and their percentiles; row 0 is the south.

    ``altitude`` and ``moisture`` are 0 .. 16383, (h, w) int16. The percentile of a value is the
    percentage, cut to a whole number, of the cells of the inner rows that have at most this value:
    (h, w) uint8. All four are read-only.
    """

    altitude: NDArray[np.int16]
    moisture: NDArray[np.int16]
    alt_percent: NDArray[np.uint8]
    wet_percent: NDArray[np.uint8]

    @property
    def bytes(self) -> int:
        """The size in memory, with ``pairs``."""
        return OBJECT_BYTES + 8 * self.altitude.size

    @cached_property
    def pairs(self) -> NDArray[np.uint16]:
        """Both percentiles of each cell as one index: altitude * PERCENTS + moisture, (h, w)."""
        return _read_only(self.alt_percent * np.uint16(PERCENTS) + self.wet_percent)

    @property
    def density(self) -> NDArray[np.int64]:
        """The number of cells by percentiles of altitude and moisture: (PERCENTS, PERCENTS).

        The edge rows count. It is not kept: 80 kB beside 5 kB of a small world.
        """
        counts = np.bincount(self.pairs.ravel(), minlength=PERCENTS**2)
        return _read_only(counts.reshape(PERCENTS, PERCENTS))


def relief_steps(settings: WorldSettings, key: DrawKey) -> Generator[int, None, Relief]:
    """Make a relief, or take it from those kept; yields its progress (1 .. 100) on the way.

    A world is the same for the same settings and key for ever. Closing the generator cancels.
    """
    cached = _KEPT.get(settings, key)
    if cached is None:
        cached = yield from _made(settings, draws_of(key))
        _KEPT.put(settings, key, cached)
    yield 100
    return cached


def kept_relief(settings: WorldSettings, key: DrawKey) -> Relief | None:
    """Return the relief of a world if it is among those kept."""
    return _KEPT.get(settings, key)


def relief_of(settings: WorldSettings, key: DrawKey) -> Relief:
    """Return the relief of a world at once. It can be called from any thread."""
    steps = relief_steps(settings, key)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            relief: Relief = end.value
            return relief


def _made(settings: WorldSettings, draws: Draws) -> Generator[int, None, Relief]:
    """Altitude first, then moisture, of one sequence of draws."""
    width = settings.width
    height = settings.height
    percent = 0
    layers: list[Heights] = []
    for roughness in (settings.alt_roughness, settings.wet_roughness):
        first = 49 * len(layers)
        steps = bumped(width, height, roughness, draws)
        while True:
            try:
                now = first + 1 + int(48 * next(steps))
            except StopIteration as end:
                heights: Heights = end.value
                break
            if now > percent:
                percent = now
                yield percent
        _smooth(heights)
        if not layers:
            _add_mountain_chains(heights, roughness, draws)
        _smooth(heights)
        layers.append(heights)
    yield 99
    altitude, moisture = (_read_only(layer.astype(np.int16)) for layer in layers)
    return Relief(altitude, moisture, _percentiles(altitude), _percentiles(moisture))


def _smooth(heights: Heights) -> None:
    """Replace the cells of the inner rows by the mean of themselves and their six neighbours."""
    wrapped = np.concatenate([heights[:, -1:], heights, heights[:, :1]], axis=1)
    below = wrapped[:-2]
    inner = wrapped[1:-1]
    above = wrapped[2:]
    total = inner[:, 1:-1] + above[:, 1:-1]
    total += inner[:, 2:]
    total += below[:, 2:]
    total += below[:, 1:-1]
    total += inner[:, :-2]
    total += above[:, :-2]
    np.floor_divide(total, 7, out=heights[1:-1])


def _add_mountain_chains(heights: Heights, roughness: int, draws: Draws) -> None:
    """Raise or lower the cells along Bézier curves; where they cross, the last one counts.

    The curves are worked out in single precision, each operation rounded by itself.
    """
    height, width = heights.shape
    count = width * height * roughness // 50_000
    if not count:
        return
    most = min(500, width, height)
    limits = (width - 2, height - 2, *(most,) * 6, 3)
    drawn = draws.rows_below(limits, count)
    first_x = 1 + drawn[:, :1]
    first_y = 1 + drawn[:, 1:2]
    other_x = (first_x + drawn[:, 2:8:2] - most // 2).clip(0, width - 1)
    other_y = (first_y + drawn[:, 3:8:2] - most // 2).clip(0, height - 1)
    x = _curves(np.concatenate([first_x, other_x], axis=1), most)
    y = _curves(np.concatenate([first_y, other_y], axis=1), most)
    added = 2048 + 2048 * roughness // 100
    signed = np.where(drawn[:, 8:] == 0, -added, added).astype(np.int32)
    chains = np.zeros_like(heights)
    chains.reshape(-1)[y * width + x] = np.broadcast_to(signed, x.shape)
    heights += chains
    heights.clip(0, TOP - 1, out=heights)


def _curves(points: NDArray[np.int64], samples: int) -> NDArray[np.int64]:
    """Return one coordinate of cubic Bézier curves: (N, 4) points in, (N, samples) cells out."""
    one = np.float32(1)
    t = np.arange(samples, dtype=np.float32) / np.float32(samples)
    s = one - t
    factors = (
        s * s * s,
        np.float32(3) * t * (s * s),
        np.float32(3) * (t * t) * s,
        t * t * t,
    )
    total = np.zeros((len(points), samples), np.float32)
    for point, factor in zip(points.T.astype(np.float32), factors, strict=True):
        total += point[:, None] * factor
    return total.astype(np.int64)


def _percentiles(values: NDArray[np.int16]) -> NDArray[np.uint8]:
    """Return the percentile (0 .. 100) of each value among those of the inner rows."""
    inner = values[1:-1].ravel()
    at_most = np.bincount(inner, minlength=TOP).cumsum()
    return _read_only((100 * at_most // inner.size).astype(np.uint8)[values])


class KeptReliefs:
    """Reliefs by settings and key, the latest used last; safe from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._lock = Lock()
        self._reliefs: OrderedDict[tuple[WorldSettings, DrawKey], Relief] = OrderedDict()

    def get(self, settings: WorldSettings, key: DrawKey) -> Relief | None:
        """Return the relief, if it is kept."""
        with self._lock:
            relief = self._reliefs.get((settings, key))
            if relief is not None:
                self._reliefs.move_to_end((settings, key))
            return relief

    def put(self, settings: WorldSettings, key: DrawKey, relief: Relief) -> None:
        """Keep a relief, and drop the longest unused until all fit; one too large is not kept."""
        with self._lock:
            before = self._reliefs.pop((settings, key), None)  # two threads made it
            self._reliefs[settings, key] = relief
            self._bytes += relief.bytes - (0 if before is None else before.bytes)
            while self._bytes > self._most:
                self._bytes -= self._reliefs.popitem(last=False)[1].bytes


_KEPT = KeptReliefs(CACHE_BYTES)


def _read_only(values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the array itself."""
    values.flags.writeable = False
    return values
