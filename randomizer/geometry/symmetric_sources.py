"""Where each element of a map gets its value from when the map is made symmetric.

The elements that a symmetry maps onto each other are an *orbit*: a cell and its twins, or a side
and its twins. The one that lies farthest in a direction is the *source* of the orbit; the others
get its value, turned. Sides have orbits of their own, not those of their cells, so that both ends
of a link stay together across the borders of sectors. In a row of four cells that is mirrored, with
the left half copied (the direction is west)::

    cells     0 1 2 3          the orbits are {0, 3} and {1, 2}
    sources   0 1 1 0
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.planes.corners import corner_points
from randomizer.model.planes.planes import Element
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.grid.grid import Grid
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

_OFF_AXIS = 1e-3
"""The direction is turned by so much (radians), so that no two twins lie equally far in it."""


class SourceThings(NamedTuple):
    """The things of a layer that stay when it is made symmetric, and those that are added."""

    staying_ids: list[int]
    """The ids of the things that are sources, in their order; all others are removed."""

    twins: list[Thing]
    """The twins of the sources, still with the ids of these: they need ids of their own."""


class Sources:
    """The sources of one grid: from where each element gets its value when a sector is copied.

    The element of an orbit that lies farthest in the direction is the source of all. The tables of
    sides and corners are made when a plane first needs them.
    """

    def __init__(self, system: System, grid: Grid, symmetry: Symmetry, direction: float) -> None:
        self._system = system
        self._grid = grid
        self._symmetry = symmetry
        angle = math.radians(direction) + _OFF_AXIS
        self._heading = np.array((math.sin(angle), -math.cos(angle)))
        """The direction as a vector (x, y) of length 1; y counts down."""
        all_cells = np.arange(grid.size, dtype=np.intp)
        images = symmetry.images(grid, all_cells)
        ranks = _ranks(self._distances(grid.centres()), all_cells)
        self._source_of_cell = _choose_sources(images, ranks)
        """The source of each cell, shape (size,)."""

    def symmetric_planes(
        self, planes: Mapping[str, Plane], specs: Iterable[PlaneSpec]
    ) -> dict[str, Plane]:
        """Return those of ``planes`` that are in ``specs``, with the values of the sources.

        They are new arrays.
        """
        result = {}
        for spec in specs:
            if spec.name not in planes:
                continue
            plane = planes[spec.name]
            if spec.element is Element.SIDE:
                values = plane.reshape(-1)[self._source_of_side]
            elif spec.element is Element.CORNER:
                values = plane.reshape(-1)[self._source_of_corner]
            elif spec.links:
                values = self._way_values(plane.reshape(-1), spec)
            else:
                values = plane.reshape(-1)[self._source_of_cell]
            result[spec.name] = values.reshape(plane.shape)
        return result

    def split_things(self, things: Iterable[Thing]) -> SourceThings:
        """Return the things that are sources, and their twins.

        A thing is a source if none of its twins would lie farther in the direction.
        """
        staying_ids: list[int] = []
        twins: list[Thing] = []
        for thing in things:
            is_text = thing.kind in self._system.text_kinds
            images = self._symmetry.thing_images(self._grid, thing, is_text=is_text)
            distances = self._distances(np.array([(image.x, image.y) for image in images]))
            if distances[0] == distances.max():
                staying_ids.append(thing.id)
                twins += images[1:]
        return SourceThings(staying_ids, twins)

    def _distances(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far points (n, 2) lie in the direction, (n,), in map units.

        They are rounded, since the last digits differ between computers.
        """
        return np.asarray(np.round(points @ self._heading, 6))

    def _way_values(self, values: Plane, spec: PlaneSpec) -> Plane:
        """Return the values (size,) of a plane of ways: masks of sides and marks (``routes.py``).

        Each link comes from the source of its side, the mark of the way from that of the cell::

            the cell gets    its source has         the new value
            links            a way                  these links, the marks of the source
            links            no way, or is unset    these links, no mark but that of a way
            no link          a way                  0: there is no way
            no link          no way, or is unset    that of the source
        """
        # The masks as tables with a column for each side, (size, degree), and back: 0b0101 is
        # [1, 0, 1, 0, 0, 0].
        side_numbers = np.arange(self._grid.degree)
        masks = np.where(values != spec.unset, values & SIDES, 0)
        is_linked = masks[:, None] >> side_numbers & 1
        is_linked_now = is_linked.reshape(-1)[self._source_of_side].reshape(is_linked.shape)
        new_links = (is_linked_now << side_numbers).sum(axis=1)

        source_values = values[self._source_of_cell]
        source_has_way = (source_values != spec.unset) & (source_values & PRESENT > 0)
        # A link can end in a cell whose source has no way: both ends are to be there.
        marks = np.where(source_has_way, source_values & MARKS, PRESENT)
        values_without_links = np.where(source_has_way, 0, source_values)
        new_values = np.where(new_links > 0, marks | new_links, values_without_links)
        return new_values.astype(values.dtype)

    @cached_property
    def _source_of_side(self) -> NDArray[np.intp]:
        """The source of each side, flat, shape (size * degree,).

        An edge between two cells has two sides, one of each. Both have their sources on one edge,
        so that a link gets both of its ends from one link::

            cells            | 0 | 1 | 2 | 3 |        mirrored, the left half is copied
            edge             0 and 1        2 and 3
            its source       0 and 1        1 and 0
        """
        grid = self._grid
        degree = grid.degree
        sides = np.arange(grid.size * degree, dtype=np.intp)
        sides_across = self._sides_across(sides)
        at_rim = sides_across == sides
        edges = np.minimum(sides, sides_across)  # both sides of an edge have the same number
        # Sides at the rim are the last choice: from there a link would get only one of its ends.
        distances = np.where(at_rim, -np.inf, self._distances(self._middles_of_sides(edges)))
        images = self._symmetry.side_images(grid, sides // degree, sides % degree)
        # An image counts only if the other side of the edge has one, too.
        has_image_across = images[:, sides_across] >= 0
        images = np.where(has_image_across, images, -1)
        return _choose_sources(images, _ranks(distances, edges))

    def _sides_across(self, sides: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return for each side (n,) the other side of its edge, that of the neighbour.

        At the rim, where there is none, it is the side itself.
        """
        degree = self._grid.degree
        neighbours = self._grid.neighbour_table.reshape(-1).astype(np.intp)[sides]
        opposite_numbers = (sides % degree + degree // 2) % degree
        return np.where(neighbours < 0, sides, neighbours * degree + opposite_numbers)

    def _middles_of_sides(self, sides: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the middles of sides (n,): half way to the centre of the neighbour, (n, 2)."""
        grid = self._grid
        steps = np.array(grid.layout.steps) @ np.array(grid.layout.basis)
        cells, side_numbers = np.divmod(sides, grid.degree)
        return np.asarray(grid.centres()[cells] + steps[side_numbers] / 2)

    @cached_property
    def _source_of_corner(self) -> NDArray[np.intp]:
        """The source of each corner, flat, shape ((height + 1) * (width + 1),)."""
        grid = self._grid
        corners = np.arange((grid.width + 1) * (grid.height + 1), dtype=np.intp)
        images = self._symmetry.corner_images(grid, corners)
        distances = self._distances(corner_points(grid, corners))
        return _choose_sources(images, _ranks(distances, corners))


def _ranks(distances: NDArray[np.float64], keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the ranks of n elements by their distances in the direction, 0 for the farthest, (n,).

    Elements with the same number in ``keys`` (n,) share the rank of the element of that number: the
    two sides of an edge. Of others that lie equally far, that of the lower number comes first, so
    that a whole orbit has one source, from whichever of its elements one asks.
    """
    ranks = np.empty(len(distances), np.intp)
    ranks[np.lexsort((keys, -distances))] = np.arange(len(distances))
    return ranks[keys]


def _choose_sources(images: NDArray[np.intp], ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of n elements that of its ``images`` (order, n) with the least rank, (n,).

    -1 are images that do not exist; the first image of an element is itself.
    """
    last_rank = len(ranks)
    rank_of_images = np.where(images >= 0, ranks[images], last_rank)
    chosen_rows = rank_of_images.argmin(axis=0)
    sources: NDArray[np.intp] = images[chosen_rows, np.arange(len(ranks))]
    return sources
