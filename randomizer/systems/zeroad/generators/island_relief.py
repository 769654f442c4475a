"""The relief of a map of islands: irregular coasts, straits, hills, and the sea around.

    relief = island_relief(draws, size, [Island(40, 40, radius=15, player=1), Island(90, 60, 9)])
    relief.heights                  # of the corners, in metres above the water
    relief.island_numbers == 1      # the tiles of the second island

All heights follow from one number for each corner, *inland*: how many tiles it is inland of the
nearest coast, below 0 in the sea. A cut through an island where nobody starts::

    metres
      9            .--.                  the hill in its middle
      3        .-''    ''-.              the land, which rises to 3 m behind the coast
      0  ----.'            '.-------     the water
    -12  ..''                ''..___     the sea, which sinks to its depth ever more slowly
            ^ inland is 0

Lengths are in tiles, heights in metres above the water. The tuned numbers have no other source than
how the maps look and play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.generators.draws import Draws, Field, noise, smooth

# The coast of an island: a circle of its radius, moved in and out by noise (``_coasts``), by up to
# COAST_SWING * radius - STEADY_COAST tiles, but not by more than MAX_SWING.

_RAGGED_WIDTH = 16
"""The width of the bulges and bays of a coast, roughly."""

_RAGGED_OCTAVES = 4
"""The octaves of that noise; with more, coasts have smaller bays within the large ones."""

_COAST_SWING = 0.42
"""How far a coast runs in and out, as a share of the island's radius."""

_STEADY_COAST = 1.2
"""The tiles that are taken off, so that a small island is not torn apart."""

_MAX_SWING = 10.0
"""The most tiles that a coast runs in and out; with more, large islands get long arms."""

_STEADY_MIDDLE = 0.25
"""The share of its radius, from the middle, at which an island begins to be irregular."""

STRAIT = 4.5
"""Where two islands meet the water is as deep as so many tiles off a coast: too deep to walk."""

_DEEP_SEA_DISTANCE = 36.0
"""The tiles off a coast from which on the sea is equally deep."""

_COAST_REACH = 1.4
"""How far an island reaches with its irregular coast, as a multiple of its radius, at most."""

# Land and sea: from the coast the land rises to LAND_HEIGHT and the sea sinks to SHELF, ever more
# slowly. After a slope's tiles 63 % of the way are done.

LAND_HEIGHT = 3.0
"""The height that the land rises to behind the coast."""

_LAND_SLOPE = 2.4
"""The tiles over which most of that rise happens; with more, beaches are wider."""

SHELF = 12.0
"""The depth of the sea far from the coast."""

_SEA_SLOPE = 9.0
"""The tiles over which most of that depth is reached; with more, there is more shallow water."""

# Rises and hollows: noise of about -1 to 1, to which ROLLING_RAISE is added, times ROLLING_HEIGHT.

_ROLLING_WIDTH = 11
"""The width of rises and hollows, roughly."""

_ROLLING_RAISE = 0.6
"""What is added to the noise, so that there are more rises than hollows."""

_ROLLING_HEIGHT = 1.4
"""The height in metres where noise and addition are 1 together."""

_ROLLING_FROM = 4
"""The tiles inland at which rises and hollows begin; nearer to the coast the land is even."""

_ROLLING_SLOPE = 6
"""The tiles from there over which they reach their height."""

_DEEPEST_HOLLOW = 1.2
"""The most metres of a hollow: with more, water would stand in some."""

_DEEPEST_FROM = 4
"""The tiles inland from which on hollows are as deep; nearer to the coast they are less deep."""

# A town: the ground is even up to LEVEL_TOWN * TOWN_SLOPE = 8.4 tiles from the civil centre, and
# goes over into the land around it in the next TOWN_SLOPE tiles.

_TOWN_SLOPE = 7
"""The tiles over which the even ground of a town goes over into the land around it."""

_LEVEL_TOWN = 1.2
"""The radius of the even ground of a town, in units of ``_TOWN_SLOPE``."""

# A hill: its top is drawn between LOWEST_HILL and HIGHEST_HILL + HILL_STEEPNESS * radius metres. At
# a distance d, as a share of the island's radius, it has the share HILL_TOP - HILL_FALL * d of it,
# from 0 to 1: so it is level up to d = 0.12, and ends at d = 0.6.

_LOWEST_HILL = 4
"""The least height of a hill, in metres above the land around it."""

_HIGHEST_HILL = 6
"""The greatest height of a hill on an island without any radius, in metres."""

_HILL_STEEPNESS = 0.9
"""The metres by which that grows for each tile of the radius."""

_HILL_TOP = 1.25
"""If it is larger, more of the middle of a hill is level."""

_HILL_FALL = 2.1
"""If it is larger, a hill falls more quickly and takes less of its island."""

_HILL_EVENNESS = 0.8
"""The share of its height that a hill has where the noise of the coasts is 0."""

_HILL_RAGGEDNESS = 0.35
"""The share of its height by which that noise raises or lowers it."""


@dataclass(frozen=True)
class Island:
    """An island before its coast gets irregular: a circle."""

    x: float
    """The column of its middle, in tiles."""

    z: float
    """The row of its middle, in tiles."""

    radius: float
    """In tiles, at least 3: of a smaller island ``_STEADY_COAST`` would leave no coast to swing."""

    player: int | None = None
    """The player (from 1) who starts there, None for nobody."""


class IslandRelief(NamedTuple):
    """The relief of a map of n x n tiles."""

    heights: Field
    """(n + 1, n + 1): the heights of the corners, in metres above the water."""

    inland: Field
    """(n, n): how many tiles inland each tile is; below 0 how far off the coast."""

    island_numbers: NDArray[np.intp]
    """(n, n): the index of the island to which each tile belongs, land or sea."""


def island_relief(draws: Draws, size: int, islands: Sequence[Island]) -> IslandRelief:
    """Return the relief of a map of ``size`` x ``size`` tiles with these islands."""
    ragged = noise(draws, size + 1, _RAGGED_WIDTH, _RAGGED_OCTAVES)
    rolling = (noise(draws, size + 1, _ROLLING_WIDTH) + _ROLLING_RAISE) * _ROLLING_HEIGHT
    coasts = _coasts(size, islands, ragged)
    inland = coasts.inland

    # Bumps, above and below the land, are rises, hollows and hills. They begin some tiles inland. A
    # town is even; each other island has a hill in its middle.
    bumps = rolling * smooth((inland - _ROLLING_FROM) / _ROLLING_SLOPE)
    for island in islands:
        box = _surroundings(island, size)
        if island.player is None:
            bumps[box.corners] += _hill(draws, island, box.distances, ragged[box.corners])
        else:
            bumps[box.corners] *= smooth(box.distances / _TOWN_SLOPE - _LEVEL_TOWN)
    deepest = -_DEEPEST_HOLLOW * smooth(inland / _DEEPEST_FROM)

    heights = _land_and_sea(inland) + np.maximum(bumps, deepest)

    # A tile has the values of its first corner.
    return IslandRelief(heights, inland[:-1, :-1], coasts.island_numbers[:-1, :-1])


def _land_and_sea(inland: Field) -> Field:
    """Return the heights of corners by how far inland they are, without bumps."""
    land = LAND_HEIGHT * (1 - np.exp(-np.maximum(inland, 0) / _LAND_SLOPE))
    sea = -SHELF * (1 - np.exp(np.minimum(inland, 0) / _SEA_SLOPE))
    heights: Field = land + sea  # one of the two is 0
    return heights


def _hill(draws: Draws, island: Island, distances: Field, ragged: Field) -> Field:
    """Return what the hill of an island raises corners by, at distances from its middle."""
    top = draws.number(_LOWEST_HILL, _HIGHEST_HILL + island.radius * _HILL_STEEPNESS)
    rise = smooth(_HILL_TOP - distances / island.radius * _HILL_FALL)
    irregular_rise: Field = top * rise * (ragged * _HILL_RAGGEDNESS + _HILL_EVENNESS)
    return irregular_rise


class _Coasts(NamedTuple):
    """Where the coasts of all islands run."""

    inland: Field
    """(n + 1, n + 1): how many tiles inland each corner is, below 0 in the sea."""

    island_numbers: NDArray[np.intp]
    """(n + 1, n + 1): the index of the island to which each corner belongs."""


def _coasts(size: int, islands: Sequence[Island], ragged: Field) -> _Coasts:
    """Return the coasts of islands. ``ragged`` is noise that makes them irregular.

    Each corner belongs to the island that it is farthest inland of; beyond all it is deep sea.
    Between two islands that overlap runs a strait: its middle line is where a corner is equally far
    inland of both. So for each corner the second island is noted as well.
    """
    shape = (size + 1, size + 1)
    inland = np.full(shape, -_DEEP_SEA_DISTANCE)
    second_inland = inland.copy()  # how far inland of the second island
    island_numbers = np.zeros(shape, np.intp)
    for index, island in enumerate(islands):
        box = _surroundings(island, size)
        first = inland[box.corners]
        second = second_inland[box.corners]
        swing = min(_MAX_SWING, island.radius * _COAST_SWING - _STEADY_COAST)
        irregularity = smooth(box.distances / island.radius - _STEADY_MIDDLE)
        wave = ragged[box.corners] * swing * irregularity
        inland_of_island = island.radius - box.distances + wave
        island_numbers[box.corners][inland_of_island > first] = index
        second_inland[box.corners] = np.maximum(second, np.minimum(first, inland_of_island))
        inland[box.corners] = np.maximum(first, inland_of_island)

    # On the middle line of a strait the difference is 0.
    to_strait = inland - second_inland - STRAIT
    return _Coasts(np.minimum(inland, to_strait), island_numbers)


class _Box(NamedTuple):
    """The corners around an island and in the sea near it."""

    corners: tuple[slice, slice]
    """Their rows and columns."""

    distances: Field
    """The distance of each corner from the middle of the island."""


def _surroundings(island: Island, size: int) -> _Box:
    """Return the corners that an island can change."""
    reach = island.radius * _COAST_REACH + _DEEP_SEA_DISTANCE
    rows = slice(max(0, int(island.z - reach)), int(island.z + reach) + 1)
    columns = slice(max(0, int(island.x - reach)), int(island.x + reach) + 1)
    positions = np.arange(size + 1.0)
    distances = np.hypot(positions[rows][:, None] - island.z, positions[columns] - island.x)
    return _Box((rows, columns), distances)
