"""The climate: warmth by latitude and height, moisture by the wind from the sea.

``terrain`` calls ``warmth_of`` and ``moisture_of``, and takes both into the chart of terrains.
"""

from __future__ import annotations

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import EVEN, NORTH, Choices

WARM_NOISE = 9 << 8
"""The site of the noise of warmth."""

WET_NOISE = 10 << 8
"""The site of the noise of moisture."""

_LAPSE = 38.0
"""How much colder the highest land is than the sea."""

_BELT_RANGE = 84
"""How much warmer the warmest latitude is than the coldest one; none in an even climate."""

_SNOW_FREE = 0.15
"""Up to this height, in those of the highest land, it does not get colder."""

_FIRST_MOISTURE = 0.6
"""How much water the air holds, of what it can, where the wind comes onto the map."""

_MOST_SHED = 0.6
"""How much of its water the air loses in one cell at most."""


def warmth_of(grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float) -> Field:
    """Return the warmth of each cell, 0 to 100, (cells,)."""
    y = grid.centres()[:, 1]
    southing = (y - y.min()) / max(float(y.max() - y.min()), 1e-9)
    if choices.climate == EVEN:
        latitude_warmth = np.zeros(grid.size)
    elif choices.climate == NORTH:
        latitude_warmth = (southing - 0.5) * _BELT_RANGE
    else:
        nearness_to_equator = 1 - np.abs(2 * southing - 1)
        latitude_warmth = (nearness_to_equator - 0.5) * _BELT_RANGE
    # The setting of warmth, whose middle is 50, and noise move the climate of the latitude.
    warmth = 50 + latitude_warmth
    warmth = warmth + (choices.warmth - 50) * 0.9 + 9 * noise.fractal(WARM_NOISE, spacing * 0.7)
    warmth = warmth - _LAPSE * np.maximum(relief.heights - _SNOW_FREE, 0)
    return np.clip(warmth, 0, 100)


def moisture_of(
    grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float
) -> Field:
    """Return the moisture of each cell, from 0 on, (cells,).

    Air from the windward side takes up water over the sea and loses it over land, most where the
    ground rises. On a grid that wraps it goes round once before it counts.
    """
    # The map is turned so that the wind blows along the rows of these arrays, from the left.
    is_along_rows = choices.wind in ("west", "east")
    last_rows_first = "north" if _upwards(grid) else "south"
    is_backwards = choices.wind in ("east", last_rows_first)
    shape = (grid.height, grid.width)
    ground = relief.heights.reshape(shape)
    water = relief.water.astype(np.float64).reshape(shape)
    if not is_along_rows:
        ground = ground.T
        water = water.T
    if is_backwards:
        ground = ground[:, ::-1]
        water = water[:, ::-1]

    turns = 1
    if is_along_rows and grid.wrap:
        turns = 2
    rain = _rain(ground, water, spacing, turns, goes_round=grid.wrap and not is_along_rows)

    if is_backwards:
        rain = rain[:, ::-1]
    if not is_along_rows:
        rain = rain.T
    for axis in (0, 1):
        rain = _blurred(rain, axis, round(spacing / 16), axis == 1 and grid.wrap)
    return np.maximum(rain.reshape(-1) + 0.3 * noise.fractal(WET_NOISE, spacing * 0.6), 0)


def _rain(ground: Field, water: Field, spacing: float, turns: int, *, goes_round: bool) -> Field:
    """Return the moisture (lines, columns) that the wind brings, which blows from column 0 on.

    ``water`` is 1 where water lies, else 0; ``spacing`` is how many cells lie from land to land.
    With two ``turns`` the wind has gone round the world once before it counts. ``goes_round``: the
    first line is beside the last one.
    """
    columns = ground.shape[1]
    moisture = np.empty(ground.shape)
    air = np.full(len(ground), _FIRST_MOISTURE)
    exchange = min(2.2 / spacing, 0.4)  # of one cell: on a larger map it takes more of them
    previous_ground = ground[:, 0]
    if turns == 2:
        previous_ground = ground[:, -1]
    for step in range(columns * turns):
        column = step % columns
        is_water = water[:, column]
        rise = np.maximum(ground[:, column] - np.maximum(previous_ground, 0), 0)
        shed = air * np.minimum(exchange * 0.45 + 0.8 * rise, _MOST_SHED) * (1 - is_water)
        taken_up = (1 - air) * np.where(is_water > 0, exchange * 1.6, exchange * 0.08)
        air = _mixed(air - shed + taken_up, goes_round)
        moisture[:, column] = air * 0.7 + shed * 3
        previous_ground = ground[:, column]
    return moisture


def _mixed(air: Field, round_trip: bool) -> Field:
    """Return the air of each line mixed a little with that of the lines beside it."""
    if round_trip:
        beside = np.concatenate((air[-1:], air, air[:1]))
    else:
        beside = np.pad(air, 1, "edge")
    mixed: Field = 0.7 * air + 0.15 * (beside[:-2] + beside[2:])
    return mixed


def _blurred(values: Field, axis: int, radius: int, round_trip: bool) -> Field:
    """Return the mean of each value and of ``radius`` values on either side along an axis.

    Beyond an end the axis goes on at the other end (``round_trip``), or with its last value.
    """
    if not radius:
        return values
    widths = [(0, 0), (0, 0)]
    widths[axis] = (radius + 1, radius)
    # A mean is a difference of running sums, so that its cost does not grow with the radius.
    if round_trip:
        sums = np.pad(values, widths, "wrap").cumsum(axis)
    else:
        sums = np.pad(values, widths, "edge").cumsum(axis)
    first = [slice(None)] * 2
    last = [slice(None)] * 2
    first[axis] = slice(0, values.shape[axis])
    last[axis] = slice(2 * radius + 1, None)
    blurred: Field = (sums[tuple(last)] - sums[tuple(first)]) / (2 * radius + 1)
    return blurred


def _upwards(grid: Grid) -> bool:
    """Return whether rows count from south to north."""
    return grid.layout.shear == "oblique"
