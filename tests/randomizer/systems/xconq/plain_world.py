"""A plain roller of worlds: one cell after the other, as section 5b of the project's facts has it.

    altitude, moisture, *percents = plain_world(settings, original_rnd(seed))

It is the readable reference for the vectorised one in randomizer/systems/xconq/world: tests compare
both. Every random number is drawn in the order of the original program, so that no call of ``rnd``
may move. Begin with ``plain_world``.

Cells are (x, y), y counting from the south; a map is round in x. A step from cell to cell is (u, v)
in axial coordinates, with the six neighbours (0, 1), (1, 0), (1, -1) and their opposites.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

import numpy as np

from randomizer.systems.xconq.world.relief import WorldSettings

Rnd = Callable[[int], int]
"""Returns a random whole number from 0 to below its argument."""

Layer = list[list[int]]
"""Rows from the south, of columns."""

UNTOUCHED = 8192
"""The height of a cell before anything is added to it; halfway between lowest and highest."""

HIGHEST = 16383
"""The greatest height of a cell; the lowest is 0."""

MAX_REMEMBERED = 10
"""The number of bumps, the first ones, from which cells without a bump get their heights."""

AROUND = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The steps to a cell itself and to its six neighbours."""


def original_rnd(seed: int) -> Rnd:
    """Return the random numbers of the original program: a linear congruential generator."""
    state = seed

    def rnd(limit: int) -> int:
        nonlocal state
        state = (8121 * state + 28411) % 134456
        return limit * state // 134456

    return rnd


def quotient(number: int, divisor: int) -> int:
    """Return a quotient cut towards zero, as in C; ``divisor`` is above 0."""
    if number >= 0:
        return number // divisor
    return -(-number // divisor)


def amplitude_of(roughness: int) -> int:
    """Return the height of bumps and chains of a roughness in percent."""
    return 2048 + 2048 * roughness // 100


def plain_world(settings: WorldSettings, rnd: Rnd) -> tuple[Layer, Layer, Layer, Layer]:
    """Return altitude, moisture, and the percentiles of both."""
    width = settings.width
    height = settings.height
    altitude = bumps(width, height, settings.alt_roughness, rnd)
    altitude = smoothed(altitude)
    mountain_chains(altitude, settings.alt_roughness, rnd)
    altitude = smoothed(altitude)
    moisture = smoothed(smoothed(bumps(width, height, settings.wet_roughness, rnd)))
    return altitude, moisture, percentiles(altitude), percentiles(moisture)


# --- distances -----------------------------------------------------------------------------------


def hex_length(u: int, v: int) -> int:
    """Return the steps from cell to cell that an axial step (u, v) takes."""
    has_one_direction = (u >= 0 and v >= 0) or (u <= 0 and v <= 0)
    if has_one_direction:
        return abs(u) + abs(v)
    return max(abs(u), abs(v))


def world_distance(x: int, y: int, far_x: int, far_y: int, width: int) -> int:
    """Return the steps between two cells of a round world, the shorter way round."""
    u = x - far_x
    v = y - far_y
    if 2 * abs(u) < width:
        return hex_length(u, v)
    if u > 0:
        other_way_round = u - width
    else:
        other_way_round = u + width
    return min(hex_length(u, v), hex_length(other_way_round, v))


def bump_distance(x: int, y: int, far_x: int, far_y: int, width: int) -> int:
    """Return the steps between two cells as the original has it within a bump.

    Unlike ``world_distance`` it takes the way with fewer columns, which need not be the shorter.
    """
    u = x - far_x
    if u > width // 2:
        u -= width
    elif u < -(width // 2):
        u += width
    return hex_length(u, y - far_y)


# --- bumps ---------------------------------------------------------------------------------------


class Remembered(NamedTuple):
    """One of the first bumps, and a random point on the other side of the world."""

    sign: int
    """1 for a hill, -1 for a hollow."""
    peak_x: int
    peak_y: int
    far_x: int
    far_y: int


def bumps(width: int, height: int, roughness: int, rnd: Rnd) -> Layer:
    """Return a layer of random hills and hollows.

    The rougher it is, the smaller, higher and more numerous they are.
    """
    scale = max(1, (100 - roughness) * min(width, height) // 100)
    amplitude = amplitude_of(roughness)
    layer = [[UNTOUCHED] * width for _row in range(height)]

    remembered: list[Remembered] = []
    for number in range(2 * (width * height // scale**2)):
        # The first one is a hill: a draw is made for the others only.
        sign = -1
        if number == 0 or rnd(257) % 2:
            sign = 1
        if scale == 1:
            peak_x = rnd(width)
            peak_y = rnd(height)
            layer[peak_y][peak_x] += sign * (amplitude + rnd(amplitude // 2))
        else:
            peak_x, peak_y = add_hexagon(layer, scale, amplitude, sign, rnd)
        if number < MAX_REMEMBERED:
            far_x = (peak_x + width // 2) % width
            remembered.append(Remembered(sign, peak_x % width, peak_y, far_x, rnd(height)))

    for x in range(width):
        for y in range(height):
            if layer[y][x] == UNTOUCHED:
                background = height_without_bump(x, y, remembered, amplitude, scale, width)
                layer[y][x] = background + rnd(amplitude // 4)
    return [[min(max(value, 0), HIGHEST) for value in row] for row in layer]


def height_without_bump(
    x: int, y: int, remembered: list[Remembered], amplitude: int, scale: int, width: int
) -> int:
    """Return the height of a cell on which no bump is: it sinks evenly away from the first ones."""
    total = 0
    for sign, peak_x, peak_y, far_x, far_y in remembered:
        reach = world_distance(peak_x, peak_y, far_x, far_y, width) + 1
        share = amplitude * world_distance(x, y, far_x, far_y, width) // reach
        total += sign * (share - amplitude * scale // width)
    return UNTOUCHED + quotient(total, len(remembered))


class Hexagon(NamedTuple):
    """A hexagon: a box whose south-west and north-east corners are cut off."""

    left: int
    bottom: int
    right: int
    top: int
    south_west: int
    """The steps along either side that are cut off there."""
    north_east: int

    def from_south_west(self, x: int, y: int) -> int:
        """Return how far a cell is from the south-west corner of the box."""
        return (x - self.left) + (y - self.bottom)

    def from_north_east(self, x: int, y: int) -> int:
        """Return how far a cell is from the north-east corner of the box."""
        return (self.right - x) + (self.top - y)

    def points(self) -> tuple[tuple[int, int], ...]:
        """Return the six corners, clockwise from the north."""
        return (
            (self.right - self.north_east, self.top),
            (self.right, self.top - self.north_east),
            (self.right, self.bottom),
            (self.left + self.south_west, self.bottom),
            (self.left, self.bottom + self.south_west),
            (self.left, self.top),
        )


def add_hexagon(layer: Layer, scale: int, amplitude: int, sign: int, rnd: Rnd) -> tuple[int, int]:
    """Add one bump to a layer, a pyramid over a random hexagon, and return its peak."""
    width = len(layer[0])
    height = len(layer)
    hexagon = random_hexagon(width, height, scale, rnd)
    peak = random_peak(hexagon, rnd)

    corners = hexagon.points()
    reaches = [bump_distance(*peak, *corner, width) or 1 for corner in corners]
    for y in range(hexagon.bottom, hexagon.top + 1):
        for x in range(hexagon.left, hexagon.right + 1):
            is_cut_off = hexagon.from_south_west(x, y) <= hexagon.south_west
            is_cut_off = is_cut_off or hexagon.from_north_east(x, y) <= hexagon.north_east
            if is_cut_off:
                continue
            # A cell is in the sector between two corners, and the nearer to the peak the higher.
            first_corner = sector(x - peak[0], y - peak[1])
            rise = 0
            for corner in (first_corner, (first_corner + 1) % 6):
                distance = bump_distance(x, y, *corners[corner], width)
                rise += amplitude * distance // reaches[corner]
            rise *= sign
            if y >= height:  # the row past the map: drawn for and dropped
                rnd(amplitude // 2)
                continue
            old_height = layer[y][x % width]
            if not 0 <= old_height + rise <= HIGHEST + 1:
                rise = quotient(rise, 2)
            layer[y][x % width] = old_height + rise + rnd(amplitude // 2)
    return peak


def random_hexagon(width: int, height: int, scale: int, rnd: Rnd) -> Hexagon:
    """Return a random hexagon, whose columns can be beyond the seam of the world."""
    columns = scale // 2 + rnd(scale // 2) + 1
    rows = scale // 2 + rnd(scale // 2) + 1
    left = rnd(width)
    bottom = rnd(height - rows)
    quarter = min(columns, rows) // 4
    south_west = quarter + rnd(3 * quarter)
    north_east = quarter + rnd(3 * quarter)
    return Hexagon(
        left=left,
        bottom=bottom,
        right=left + columns,
        top=bottom + rows,
        south_west=south_west,
        north_east=north_east,
    )


def random_peak(hexagon: Hexagon, rnd: Rnd) -> tuple[int, int]:
    """Return a random cell in a hexagon, or the last of ten tries in its box."""
    columns = hexagon.right - hexagon.left
    rows = hexagon.top - hexagon.bottom
    for _try in range(10):
        # The mean of two draws is likelier near the middle.
        x = hexagon.left + (rnd(columns) + rnd(columns)) // 2
        y = hexagon.bottom + (rnd(rows) + rnd(rows)) // 2
        is_inside = hexagon.from_south_west(x, y) >= hexagon.south_west
        if is_inside and hexagon.from_north_east(x, y) >= hexagon.north_east:
            break
    return x, y


def sector(u: int, v: int) -> int:
    """Return the number of the corner before a step (u, v) from the peak, clockwise."""
    if u > 0:
        if v > 0:
            return 0
        if v > -u:
            return 1
        return 2
    if v < 0:
        return 3
    if v < -u:
        return 4
    return 5


# --- smoothing, chains, percentiles --------------------------------------------------------------


def smoothed(layer: Layer) -> Layer:
    """Return a layer whose cells have the mean of themselves and their neighbours.

    The first and the last row stay as they are.
    """
    width = len(layer[0])
    height = len(layer)
    result = [list(row) for row in layer]
    for y in range(1, height - 1):
        for x in range(width):
            total = sum(layer[y + dy][(x + dx) % width] for dx, dy in AROUND)
            result[y][x] = total // len(AROUND)
    return result


def mountain_chains(layer: Layer, roughness: int, rnd: Rnd) -> None:
    """Add mountain chains and valleys to a layer, in place: each along a random Bezier curve."""
    width = len(layer[0])
    height = len(layer)
    longest = min(500, width, height)
    rises: dict[tuple[int, int], int] = {}  # a cell on several chains has that of the last one
    for _chain in range(width * height * roughness // 50_000):
        points = [(1 + rnd(width - 2), 1 + rnd(height - 2))]
        for _point in range(3):
            x = points[0][0] + rnd(longest) - longest // 2
            y = points[0][1] + rnd(longest) - longest // 2
            points.append((min(max(x, 0), width - 1), min(max(y, 0), height - 1)))
        sign = -1
        if rnd(3):
            sign = 1
        xs = [x for x, _y in points]
        ys = [y for _x, y in points]
        for sample in range(longest):
            cell = (curve(xs, sample, longest), curve(ys, sample, longest))
            rises[cell] = sign * amplitude_of(roughness)
    for (x, y), rise in rises.items():
        layer[y][x] = min(max(layer[y][x] + rise, 0), HIGHEST)


def curve(points: list[int], sample: int, samples: int) -> int:
    """Return one coordinate of a cubic Bezier curve by its four control points.

    The original computes with numbers of 32 bits, whose rounding decides between two cells.
    """
    t = np.float32(sample) / np.float32(samples)
    s = np.float32(1) - t
    total = np.float32(0)
    for exponent, (point, binomial) in enumerate(zip(points, (1, 3, 3, 1), strict=True)):
        factor = (np.float32(binomial) * power(t, exponent)) * power(s, 3 - exponent)
        total = total + np.float32(point) * factor
    return int(total)


def power(base: np.float32, exponent: int) -> np.float32:
    """Return a power by repeated multiplication, which is how the original rounds it."""
    result = np.float32(1)
    for _time in range(exponent):
        result = result * base
    return result


def percentiles(layer: Layer) -> Layer:
    """Return for each cell how many percent of the cells are no higher.

    The first and the last row do not count, but get percentiles, too.
    """
    inner = sorted(chain.from_iterable(layer[1:-1]))
    at_most = np.searchsorted(inner, np.array(layer), side="right")
    percents: Layer = (100 * at_most // len(inner)).tolist()
    return percents
