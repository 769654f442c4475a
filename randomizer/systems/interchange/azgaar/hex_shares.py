"""Tells what a hex of the map gets of the cells of an export that it covers.

    samples = sample_points(world)
    majority(world, samples.hexes, world.biomes[samples.cells])    # the biome of each hex

A hex covers parts of several cells of the generator, which have other shapes. The exact shares of
its area are not needed. So a raster of points is laid over the map, about ``SAMPLES_OF_HEX`` in
each hex; for every point the hex and the cell in which it lies are worked out, and a hex gets the
value that most of its points have.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.layouts import ROOT3
from randomizer.systems.interchange.azgaar.world import World
from randomizer.systems.interchange.nearest_points import Indices, nearest_points

SAMPLES_OF_HEX = 20
"""The number of sample points in each hex; the generator's cell of each of them is looked up.

More points make the shares of the hex's area more exact, and reading slower.
"""


class Samples(NamedTuple):
    """Points all over the map, by the hex and the cell in which each of them lies."""

    hexes: Indices
    """The hexes of the points, (points,)."""
    cells: Indices
    """The generator's cells of the points, (points,)."""

    def where(self, is_chosen: NDArray[np.bool_]) -> Samples:
        """Return the points for which a mask (points,) is True; they are fewer."""
        return Samples(self.hexes[is_chosen], self.cells[is_chosen])


def sample_points(world: World) -> Samples:
    """Return the points of a raster over the map that lie in a hex.

    The generator's cells are Voronoi cells: a point lies in the cell whose own point is nearest.
    """
    left, top, right, bottom = world.grid.bounds
    area_of_hex = 1.5 * ROOT3  # in map units: its sides have the length 1
    step = math.sqrt(area_of_hex / SAMPLES_OF_HEX)
    xs = np.arange(left + step / 2, right, step)
    ys = np.arange(top + step / 2, bottom, step)
    points = np.stack(np.meshgrid(xs, ys), axis=-1)
    # The points of the cells in columns and rows of the raster, as ``nearest_points`` wants them.
    cell_points = (world.to_map_units(world.points) - (xs[0], ys[0])) / step
    cells = nearest_points(cell_points, rows=len(ys), columns=len(xs))
    hexes = world.grid.cells_at(points.reshape(-1, 2))
    is_in_range = hexes >= 0
    return Samples(hexes, cells.reshape(-1)).where(is_in_range)


def majority(world: World, hexes: Indices, values: NDArray[Any]) -> Indices:
    """Return for each hex of the map the value that most of its points have, (hexes,).

    ``hexes`` and ``values`` are those of points, (points,); values are whole numbers from 0 on, or
    truth values. Of values with equally many points the smaller one counts; a hex without points
    gets 0.
    """
    numbers = values.astype(np.intp)
    span = int(numbers.max()) + 1
    # A hex and a value as one number, so that np.unique counts how often each pair occurs.
    pairs, counts = np.unique(hexes * span + numbers, return_counts=True)
    value_of_hex = np.zeros(world.grid.size, np.intp)
    # From the pairs with the fewest points to those with the most, of equal ones from the largest
    # value to the smallest: of several assignments to a hex the last one stays.
    order = np.lexsort((-pairs, counts))
    value_of_hex[pairs[order] // span] = pairs[order] % span
    return value_of_hex
