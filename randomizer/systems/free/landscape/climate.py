"""Computes the climate of a landscape: the warmth and the moisture of each cell.

    warmth = warmth_of(grid, choices, noise, relief, spacing)         # 0 to 100 a cell
    moisture = moisture_of(grid, choices, noise, relief, spacing)     # from 0 on, in no unit

Warmth falls from the warm latitudes to the cold ones, and with height. Moisture comes by the wind:
air that blows over the map takes up water over the sea and sheds it over land, most of it where the
ground rises, so that the lee of a range is dry. Noise moves both a little.

``terrain`` calls both functions and looks the results up in its chart. ``spacing`` is the number of
cells from one land to the next (``relief.spacing_of``), by which all distances of the climate grow
with the map. The tuned numbers have no other source than how the maps look.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief
from randomizer.systems.free.landscape.settings import EVEN, NORTH, Choices

WARM_NOISE = 9 << 8
"""The site of the noise of warmth, which keeps its dice apart from those of other noise."""

WET_NOISE = 10 << 8
"""The site of the noise of moisture."""

_MIDDLE = 50
"""The middle of the scale of warmth, and of the setting that moves it."""

_WARMTH_LOST_PER_HEIGHT = 38.0
"""The warmth that is lost for each unit of height: about the highest land has the height 1."""

_LOWEST_COLD_HEIGHT = 0.15
"""The height up to which no warmth is lost."""

_LATITUDE_WARMTH_RANGE = 84
"""The warmth of the warmest latitude less that of the coldest one; 0 in an even climate."""

_WARMTH_OF_SETTING = 0.9
"""The warmth of a step of the setting: less than 1, so that its ends leave some differences."""

_NOISE_OF_WARMTH = 9
"""The warmth that noise adds or takes away at most."""

_FIRST_MOISTURE = 0.6
"""The water in the air where the wind comes onto the map, as a share of what the air can hold."""

_EXCHANGES_PER_LAND_DISTANCE = 2.2
"""How often the air exchanges its water with the ground on the way from one land to the next.

More than once: so nearly all of it is exchanged there.
"""

_MAX_EXCHANGE = 0.4
"""The largest share of water that air exchanges with one cell, on small maps."""

_UPTAKE_OVER_WATER = 1.6
"""The share of the exchange by which dry air takes up water over the sea."""

_UPTAKE_OVER_LAND = 0.08
"""The share of the exchange by which dry air takes up water over land."""

_SHED_ON_PLAINS = 0.45
"""The share of the exchange by which wet air sheds water over level land."""

_SHED_BY_RISE = 0.8
"""The share of its water that air sheds for each unit of height that the ground rises."""

_MAX_SHED = 0.6
"""The largest share of its water that air sheds over one cell."""

_MOISTURE_OF_AIR = 0.7
"""The moisture of a cell for the water in the air above it."""

_MOISTURE_OF_RAIN = 3
"""The moisture of a cell for the water that the air sheds there."""

_NEIGHBOURS_SHARE = 0.15
"""The share of its air that a line gets from each of the two lines beside it."""

_OWN_SHARE = 1 - 2 * _NEIGHBOURS_SHARE
"""The share of its air that stays in a line."""

_BLURS_PER_LAND_DISTANCE = 16
"""The distance of lands divided by the radius of the blur that hides the lines of the wind.

With a larger one the lines along which the wind blows are seen.
"""

_NOISE_OF_MOISTURE = 0.3
"""The moisture that noise adds or takes away at most."""

_WARMTH_NOISE_SPACING = 0.7
"""The distance of the nodes of the noise of warmth, as a share of the distance of lands."""

_MOISTURE_NOISE_SPACING = 0.6
"""The distance of the nodes of the noise of moisture, as a share of the distance of lands."""


def warmth_of(grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float) -> Field:
    """Return the warmth of each cell, 0 to 100, (cells,)."""
    # By latitude: ``southing`` is 0 in the north of the map and 1 in the south.
    y = grid.centres()[:, 1]
    southing = (y - y.min()) / max(float(y.max() - y.min()), 1e-9)
    if choices.climate == EVEN:
        latitude_warmth = np.zeros(grid.size)
    elif choices.climate == NORTH:
        latitude_warmth = (southing - 0.5) * _LATITUDE_WARMTH_RANGE
    else:
        nearness_to_equator = 1 - np.abs(2 * southing - 1)
        latitude_warmth = (nearness_to_equator - 0.5) * _LATITUDE_WARMTH_RANGE

    by_setting = (choices.warmth - _MIDDLE) * _WARMTH_OF_SETTING
    by_noise = _NOISE_OF_WARMTH * noise.fractal(WARM_NOISE, spacing * _WARMTH_NOISE_SPACING)
    by_height = _WARMTH_LOST_PER_HEIGHT * np.maximum(relief.heights - _LOWEST_COLD_HEIGHT, 0)
    warmth = _MIDDLE + latitude_warmth + by_setting + by_noise - by_height
    return np.clip(warmth, 0, 100)


def moisture_of(
    grid: Grid, choices: Choices, noise: Noise, relief: Relief, spacing: float
) -> Field:
    """Return the moisture of each cell, from 0 on, (cells,).

    The values have no unit: ``terrain`` uses only their order.
    """
    turn = _turn_of_wind(grid, choices.wind)
    shape = (grid.height, grid.width)
    ground = turn.turned(relief.heights.reshape(shape))
    water = turn.turned(relief.water.astype(np.float64).reshape(shape))

    # On a map that goes round, west and east are beside each other: either the wind goes round, or
    # the first and the last of its lines are neighbours.
    turned_moisture = _blown_moisture(
        ground,
        water,
        spacing,
        wind_goes_round=grid.wrap and not turn.swaps_axes,
        lines_go_round=grid.wrap and turn.swaps_axes,
    )

    # The lines along the wind are blurred, so that they cannot be seen.
    moisture = turn.turned_back(turned_moisture)
    radius = round(spacing / _BLURS_PER_LAND_DISTANCE)
    moisture = _blurred(moisture, axis=0, radius=radius, goes_round=False)
    moisture = _blurred(moisture, axis=1, radius=radius, goes_round=grid.wrap)
    wet_noise = noise.fractal(WET_NOISE, spacing * _MOISTURE_NOISE_SPACING)
    by_noise = _NOISE_OF_MOISTURE * wet_noise
    return np.maximum(moisture.reshape(-1) + by_noise, 0)


class _Turn(NamedTuple):
    """The turn of a map by which the wind blows along the rows of arrays, from the left.

    For a wind from the east the columns are reversed; for one from the first row on, rows and
    columns change places; for one from the last row on, both.
    """

    swaps_axes: bool
    """True if rows and columns change places."""

    reverses: bool
    """True if the columns are reversed then."""

    def turned(self, values: Field) -> Field:
        """Return values (height, width) as (lines, columns): the wind blows from column 0."""
        if self.swaps_axes:
            values = values.T
        if self.reverses:
            values = values[:, ::-1]
        return values

    def turned_back(self, values: Field) -> Field:
        """Return values (lines, columns) as those of cells (height, width)."""
        if self.reverses:
            values = values[:, ::-1]
        if self.swaps_axes:
            values = values.T
        return values


def _turn_of_wind(grid: Grid, wind: str) -> _Turn:
    """Return how a map is turned for the wind from "west", "east", "north" or "south"."""
    wind_from_last_row = "south"
    if _counts_rows_upwards(grid):
        wind_from_last_row = "north"
    return _Turn(
        swaps_axes=wind in ("north", "south"),
        reverses=wind in ("east", wind_from_last_row),
    )


def _counts_rows_upwards(grid: Grid) -> bool:
    """Return whether rows count from south to north, as those of oblique grids do."""
    return grid.layout.shear is Shear.OBLIQUE


def _blown_moisture(
    ground: Field,
    water: Field,
    spacing: float,
    *,
    wind_goes_round: bool,
    lines_go_round: bool,
) -> Field:
    """Return the moisture (lines, columns) that a wind brings which blows from column 0 on.

    ``ground`` (lines, columns) are heights, ``water`` is 1 where water lies, else 0. If
    ``wind_goes_round`` the last column is beside the first one, and if ``lines_go_round`` the last
    line is beside the first one.
    """
    # The wind is followed column by column: ``air`` (lines,) is the water in the air of each line.
    line_count, column_count = ground.shape
    moisture = np.empty(ground.shape)
    air = np.full(line_count, _FIRST_MOISTURE)
    # The share of water that is exchanged with one cell: with a larger spacing it is smaller.
    exchange = min(_EXCHANGES_PER_LAND_DISTANCE / spacing, _MAX_EXCHANGE)
    previous_ground = ground[:, 0]
    columns = list(range(column_count))
    if wind_goes_round:
        # The first time round gives the air its moisture; the second one overwrites the results.
        previous_ground = ground[:, -1]
        columns = [*columns, *columns]
    for column in columns:
        # Over land the air sheds water, most of it where the ground rises.
        water_here = water[:, column]
        rise = np.maximum(ground[:, column] - np.maximum(previous_ground, 0), 0)
        shed_share = np.minimum(exchange * _SHED_ON_PLAINS + _SHED_BY_RISE * rise, _MAX_SHED)
        shed = air * shed_share * (1 - water_here)

        # It takes up water as well, the more the drier it is.
        taken_share = np.where(
            water_here > 0, exchange * _UPTAKE_OVER_WATER, exchange * _UPTAKE_OVER_LAND
        )
        taken = (1 - air) * taken_share
        air = _mixed(air - shed + taken, goes_round=lines_go_round)
        moisture[:, column] = air * _MOISTURE_OF_AIR + shed * _MOISTURE_OF_RAIN
        previous_ground = ground[:, column]
    return moisture


def _mixed(air: Field, *, goes_round: bool) -> Field:
    """Return the air of each line (lines,) mixed a little with that of the lines beside it.

    Without this neighbouring lines would differ like stripes.
    """
    if goes_round:
        padded = np.concatenate((air[-1:], air, air[:1]))
    else:
        padded = np.pad(air, 1, "edge")
    mixed: Field = _OWN_SHARE * air + _NEIGHBOURS_SHARE * (padded[:-2] + padded[2:])
    return mixed


def _blurred(values: Field, *, axis: int, radius: int, goes_round: bool) -> Field:
    """Return the mean of each value and of ``radius`` values on either side along an axis.

    ``values`` have two axes. Beyond an end the axis goes on at the other end (``goes_round``), or
    with its last value.
    """
    if not radius:
        return values
    pad_mode: Literal["wrap", "edge"] = "edge"
    if goes_round:
        pad_mode = "wrap"
    rows = np.swapaxes(values, 0, axis)  # so that the axis is the first one
    padded = np.pad(rows, [(radius + 1, radius), (0, 0)], pad_mode)

    # The sum of a window is a difference of two running sums: so its cost does not grow with the
    # radius. Window i ends ``window`` rows after the running sum that is taken off.
    sums = padded.cumsum(axis=0)
    window = 2 * radius + 1
    means = (sums[window:] - sums[: len(rows)]) / window
    blurred: Field = np.swapaxes(means, 0, axis)
    return blurred
