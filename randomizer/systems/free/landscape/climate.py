"""The climate: warmth by latitude and height, moisture by the wind from the sea."""

from __future__ import annotations

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import EVEN, NORTH, Choices

WARM_NOISE = 9 << 8
WET_NOISE = 10 << 8

_LAPSE = 38.0
"""How much colder the highest land is than the sea."""


def warmth_of(grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float) -> Field:
    """Return the warmth of each cell, 0 to 100, (cells,)."""
    down = grid.centres()[:, 1]
    down = (down - down.min()) / max(float(down.max() - down.min()), 1e-9)
    if choices.climate == EVEN:
        belt = np.full(grid.size, 0.5)
    elif choices.climate == NORTH:
        belt = down
    else:
        belt = 1 - np.abs(2 * down - 1)
    warm = 50 + (belt - 0.5) * (0 if choices.climate == EVEN else 84)
    warm = warm + (choices.warmth - 50) * 0.9 + 9 * noise.fractal(WARM_NOISE, spacing * 0.7)
    warm = warm - _LAPSE * np.maximum(relief.heights - 0.15, 0)
    return np.clip(warm, 0, 100)


def moisture_of(
    grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float
) -> Field:
    """Return the moisture of each cell, from 0 on, (cells,).

    Air from the windward side takes up water over the sea and loses it over land, most where the
    ground rises. On a grid that wraps it goes round once before it counts.
    """
    shape = (grid.height, grid.width)
    along = choices.wind in ("west", "east")
    back = choices.wind == "east" or choices.wind == ("north" if _upwards(grid) else "south")
    lines = [field.reshape(shape) for field in (relief.heights, relief.water.astype(np.float64))]
    ground, water = (line if along else line.T for line in lines)
    if back:
        ground = ground[:, ::-1]
        water = water[:, ::-1]
    count = ground.shape[1]
    turns = 2 if along and grid.wrap else 1
    air = np.full(len(ground), 0.6)
    first_column = ground[:, -1 if turns == 2 else 0]
    falls = np.empty(ground.shape)
    loss = min(2.2 / spacing, 0.4)
    for step in range(count * turns):
        column = step % count
        rise = np.maximum(ground[:, column] - np.maximum(first_column, 0), 0)
        shed = air * np.minimum(loss * 0.45 + 0.8 * rise, 0.6) * (1 - water[:, column])
        air = air - shed + (1 - air) * np.where(water[:, column] > 0, loss * 1.6, loss * 0.08)
        air = _mixed(air, grid.wrap and not along)
        falls[:, column] = air * 0.7 + shed * 3
        first_column = ground[:, column]
    if back:
        falls = falls[:, ::-1]
    falls = falls if along else falls.T
    for axis in (0, 1):
        falls = _blurred(falls, axis, round(spacing / 16), axis == 1 and grid.wrap)
    return np.maximum(falls.reshape(-1) + 0.3 * noise.fractal(WET_NOISE, spacing * 0.6), 0)


def _mixed(air: Field, round_trip: bool) -> Field:
    """Air beside air mixes a little."""
    if round_trip:
        beside = np.concatenate((air[-1:], air, air[:1]))
    else:
        beside = np.pad(air, 1, "edge")
    mixed: Field = 0.7 * air + 0.15 * (beside[:-2] + beside[2:])
    return mixed


def _blurred(values: Field, axis: int, radius: int, round_trip: bool) -> Field:
    """Return the mean of each value and ``radius`` on either side."""
    if not radius:
        return values
    widths = [(0, 0), (0, 0)]
    widths[axis] = (radius + 1, radius)
    sums = np.pad(values, widths, "wrap" if round_trip else "edge").cumsum(axis)
    first = [slice(None)] * 2
    last = [slice(None)] * 2
    first[axis] = slice(0, values.shape[axis])
    last[axis] = slice(2 * radius + 1, None)
    blurred: Field = (sums[tuple(last)] - sums[tuple(first)]) / (2 * radius + 1)
    return blurred


def _upwards(grid: Grid) -> bool:
    """Return whether rows count from south to north."""
    return grid.layout.shear == "oblique"
