"""A plain roller of worlds: one cell after the other, as ../shared/facts/xconq.md 5b lists it.

It is the readable reference for the vectorised one in randomizer/systems/xconq/world.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from randomizer.systems.xconq.world.relief import WorldSettings

Rnd = Callable[[int], int]
Layer = list[list[int]]
"""Rows from the south, of columns."""


def original_rnd(seed: int) -> Rnd:
    """The original program's random numbers."""
    state = seed

    def rnd(limit: int) -> int:
        nonlocal state
        state = (8121 * state + 28411) % 134456
        return limit * state // 134456

    return rnd


def quotient(number: int, divisor: int) -> int:
    """Cut toward zero; ``divisor`` is above 0."""
    return number // divisor if number >= 0 else -(-number // divisor)


def hex_length(u: int, v: int) -> int:
    if (u >= 0 and v >= 0) or (u <= 0 and v <= 0):
        return abs(u) + abs(v)
    return max(abs(u), abs(v))


def plain_world(settings: WorldSettings, rnd: Rnd) -> tuple[Layer, Layer, Layer, Layer]:
    """Altitude, moisture, and the percentiles of both."""
    width = settings.width
    height = settings.height
    altitude = bumps(width, height, settings.alt_roughness, rnd)
    altitude = smoothed(altitude)
    mountain_chains(altitude, settings.alt_roughness, rnd)
    altitude = smoothed(altitude)
    moisture = smoothed(smoothed(bumps(width, height, settings.wet_roughness, rnd)))
    return altitude, moisture, percentiles(altitude), percentiles(moisture)


def bumps(width: int, height: int, roughness: int, rnd: Rnd) -> Layer:
    scale = max(1, (100 - roughness) * min(width, height) // 100)
    amplitude = 2048 + 2048 * roughness // 100
    layer = [[8192] * width for _row in range(height)]
    remembered: list[tuple[int, int, int, int, int]] = []
    for number in range(2 * (width * height // scale**2)):
        sign = 1 if number == 0 or rnd(257) % 2 else -1
        if scale == 1:
            a = rnd(width)
            b = rnd(height)
            layer[b][a] += sign * (amplitude + rnd(amplitude // 2))
        else:
            a, b = hexagon(layer, scale, amplitude, sign, rnd)
        if number < 10:
            far = ((a + width // 2) % width, rnd(height))
            remembered.append((sign, a % width, b, *far))
    for x in range(width):
        for y in range(height):
            if layer[y][x] == 8192:
                total = 0
                for sign, a, b, far_x, far_y in remembered:
                    reach = world_distance(a, b, far_x, far_y, width) + 1
                    away = amplitude * world_distance(x, y, far_x, far_y, width) // reach
                    total += sign * (away - amplitude * scale // width)
                layer[y][x] = 8192 + quotient(total, len(remembered)) + rnd(amplitude // 4)
    return [[min(max(value, 0), 16383) for value in row] for row in layer]


def world_distance(x: int, y: int, other_x: int, other_y: int, width: int) -> int:
    u = x - other_x
    v = y - other_y
    if 2 * abs(u) < width:
        return hex_length(u, v)
    return min(hex_length(u, v), hex_length(u - width if u > 0 else u + width, v))


def hexagon(layer: Layer, scale: int, amplitude: int, sign: int, rnd: Rnd) -> tuple[int, int]:
    """Add one bump; its peak."""
    width = len(layer[0])
    height = len(layer)

    def distance(x: int, y: int, other_x: int, other_y: int) -> int:
        u = x - other_x
        if u > width // 2:
            u -= width
        elif u < -(width // 2):
            u += width
        return hex_length(u, y - other_y)

    wide = scale // 2 + rnd(scale // 2) + 1
    high = scale // 2 + rnd(scale // 2) + 1
    left = rnd(width)
    bottom = rnd(height - high)
    right = left + wide
    top = bottom + high
    quarter = min(wide, high) // 4
    south_west = quarter + rnd(3 * quarter)
    north_east = quarter + rnd(3 * quarter)
    for _try in range(10):
        a = left + (rnd(wide) + rnd(wide)) // 2
        b = bottom + (rnd(high) + rnd(high)) // 2
        if (a - left) + (b - bottom) >= south_west and (right - a) + (top - b) >= north_east:
            break
    corners = (
        (right - north_east, top),
        (right, top - north_east),
        (right, bottom),
        (left + south_west, bottom),
        (left, bottom + south_west),
        (left, top),
    )
    reach = [distance(a, b, *corner) or 1 for corner in corners]
    for y in range(bottom, top + 1):
        for x in range(left, right + 1):
            if (x - left) + (y - bottom) <= south_west or (right - x) + (top - y) <= north_east:
                continue
            first = sector(x - a, y - b)
            z = sign * sum(
                amplitude * distance(x, y, *corners[each]) // reach[each]
                for each in (first, (first + 1) % 6)
            )
            if y >= height:  # the row past the map: drawn for and dropped
                rnd(amplitude // 2)
                continue
            before = layer[y][x % width]
            if not 0 <= before + z <= 16384:
                z = quotient(z, 2)
            layer[y][x % width] = before + z + rnd(amplitude // 2)
    return a, b


def sector(u: int, v: int) -> int:
    if u > 0:
        return 0 if v > 0 else 1 if v > -u else 2
    return 3 if v < 0 else 4 if v < -u else 5


def smoothed(layer: Layer) -> Layer:
    width = len(layer[0])
    height = len(layer)
    around = ((0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    return [
        [
            sum(layer[y + dy][(x + dx) % width] for dx, dy in around) // 7
            if 0 < y < height - 1
            else layer[y][x]
            for x in range(width)
        ]
        for y in range(height)
    ]


def mountain_chains(layer: Layer, roughness: int, rnd: Rnd) -> None:
    width = len(layer[0])
    height = len(layer)
    most = min(500, width, height)
    chains: dict[tuple[int, int], int] = {}
    for _chain in range(width * height * roughness // 50_000):
        points = [(1 + rnd(width - 2), 1 + rnd(height - 2))]
        for _point in range(3):
            x = points[0][0] + rnd(most) - most // 2
            y = points[0][1] + rnd(most) - most // 2
            points.append((min(max(x, 0), width - 1), min(max(y, 0), height - 1)))
        sign = 1 if rnd(3) else -1
        for i in range(most):
            x, y = (curve([point[axis] for point in points], i, most) for axis in (0, 1))
            chains[x, y] = sign * (2048 + 2048 * roughness // 100)
    for (x, y), added in chains.items():
        layer[y][x] = min(max(layer[y][x] + added, 0), 16383)


def curve(points: list[int], i: int, samples: int) -> int:
    one = np.float32(1)
    t = np.float32(i) / np.float32(samples)
    s = one - t
    total = np.float32(0)
    for exponent, (point, choose) in enumerate(zip(points, (1, 3, 3, 1), strict=True)):
        factor = (np.float32(choose) * power(t, exponent)) * power(s, 3 - exponent)
        total = total + np.float32(point) * factor
    return int(total)


def power(base: np.float32, exponent: int) -> np.float32:
    result = np.float32(1)
    for _time in range(exponent):
        result = result * base
    return result


def percentiles(layer: Layer) -> Layer:
    inner = sorted(value for row in layer[1:-1] for value in row)
    at_most = np.searchsorted(inner, np.array(layer), side="right")
    percents: Layer = (100 * at_most // len(inner)).tolist()
    return percents
