"""Where each element of a map gets its value from when the map is made symmetric.

The elements that a symmetry maps onto each other are an *orbit*: a cell and its twins, or a side
and its twins. The one that lies farthest in a direction is the *source* of the orbit; the others
get its value, turned. In a row of four cells that is mirrored, with the left half copied (the
direction is west)::

    cells     0 1 2 3          the orbits are {0, 3} and {1, 2}
    sources   0 1 1 0

How far an element lies in the direction is its *advance*: in this row those of the cells are 1.5,
0.5, -0.5 and -1.5, counted from the middle.

Sides have orbits of their own, not those of their cells. An *edge* lies between two cells, and has
two sides, one of each; a road across it is a link with an end in both. So the sources of sides are
chosen by edge (``_source_of_side``): otherwise one end of a road could be copied without the other
where two sectors meet.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

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
"""The direction is turned by so much (radians), so that no two twins lie equally far in it.

If it were much larger, it would lead to another sector on maps with many of them.
"""

_ADVANCE_DECIMALS = 6
"""Advances are rounded to so many decimals: further digits differ between computers."""


class SourceThings(NamedTuple):
    """The things of a layer that stay when it is made symmetric, and those that are added."""

    staying_ids: list[int]
    """The ids of the things that are sources, in their order; all others are removed."""

    twins: list[Thing]
    """The twins of the sources, still with the ids of these: they need ids of their own."""


class Sources:
    """The sources of one grid: from where each element gets its value when a sector is copied.

    ``direction`` leads from the middle to the sector that is copied, in degrees clockwise from
    north. The tables of sides and corners are made when a plane first needs them.
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
        ranks = _ranks(self._advances(grid.centres()))
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

        A thing is a source if none of its twins would lie farther in the direction. So one that
        lies on the axis, in the same position as its twin, stays.
        """
        staying_ids: list[int] = []
        twins: list[Thing] = []
        for thing in things:
            is_text = thing.kind in self._system.text_kinds
            images = self._symmetry.thing_images(self._grid, thing, is_text=is_text)
            advances = self._advances(np.array([(image.x, image.y) for image in images]))
            advance_of_thing = advances[0]  # the first image is the thing itself
            if advance_of_thing == advances.max():
                staying_ids.append(thing.id)
                twins += images[1:]
        return SourceThings(staying_ids, twins)

    def _advances(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far points (n, 2) lie in the direction, (n,), in map units."""
        return np.asarray(np.round(points @ self._heading, _ADVANCE_DECIMALS))

    def _way_values(self, values: Plane, spec: PlaneSpec) -> Plane:
        """Return the values (size,) of a plane of ways: masks of sides and marks (``routes.py``).

        Each link comes from the source of its side, the mark of the way from that of the cell::

            the cell gets    its source has         the new value
            links            a way                  these links, the marks of the source
            links            no way, or is unset    these links, no mark but that of a way
            no link          a way                  0: there is no way
            no link          no way, or is unset    that of the source
        """
        masks = np.where(values != spec.unset, values & SIDES, 0)
        is_linked = _side_table(masks, self._grid.degree)
        is_linked_now = is_linked.reshape(-1)[self._source_of_side].reshape(is_linked.shape)
        new_links = _masks_of(is_linked_now)

        source_values = values[self._source_of_cell]
        source_has_way = (source_values != spec.unset) & (source_values & PRESENT > 0)
        # A link can lead into a cell whose source has no way: its sides come from other cells than
        # its mark. Without an end there the road would break off, so the cell gets a bare way.
        marks = np.where(source_has_way, source_values & MARKS, PRESENT)
        values_without_links = np.where(source_has_way, 0, source_values)
        new_values = np.where(new_links > 0, marks | new_links, values_without_links)
        return new_values.astype(values.dtype)

    @cached_property
    def _source_of_side(self) -> NDArray[np.intp]:
        """The source of each side, flat, shape (size * degree,).

        Both sides of an edge have their sources on one edge, so that a link gets both of its ends
        from one link::

            cells            | 0 | 1 | 2 | 3 |        mirrored, the left half is copied
            edge             0 and 1        2 and 3
            its source       0 and 1        1 and 0
        """
        grid = self._grid
        degree = grid.degree
        sides = np.arange(grid.size * degree, dtype=np.intp)
        sides_across = self._sides_across(sides)

        # 1. Edges have ranks by their advance, and both sides of an edge have its rank. An edge is
        #    told by the lower number of its two sides.
        edges = np.minimum(sides, sides_across)
        advances = self._advances(self._middles_of_sides(edges))
        # A side at the rim has nothing across: as a source of links inside the map it would give
        # only one of the two ends. So all of them come last.
        is_at_rim = sides_across == sides
        advances[is_at_rim] = -np.inf
        ranks = _ranks(advances)[edges]

        # 2. An image counts only if the side across has an image of its own there, too: else the
        #    two sides of an edge could have their sources on different edges. At the rim of a map
        #    without full symmetry, for example, the image of one side can be off the map.
        images = self._symmetry.side_images(grid, sides // degree, sides % degree)
        has_image_across = images[:, sides_across] >= 0
        images = np.where(has_image_across, images, -1)

        # 3. Of the images that are left, each side gets the one with the least rank.
        return _choose_sources(images, ranks)

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
        advances = self._advances(corner_points(grid, corners))
        return _choose_sources(images, _ranks(advances))


def _side_table(masks: NDArray[Any], degree: int) -> NDArray[Any]:
    """Return masks of sides (n,) as a table (n, degree): 0b0101 is [1, 0, 1, 0, 0, 0]."""
    side_numbers = np.arange(degree)
    return (masks[:, np.newaxis] >> side_numbers) & 1


def _masks_of(side_table: NDArray[Any]) -> NDArray[Any]:
    """Return the masks (n,) of a table of sides (n, degree): [1, 0, 1, 0, 0, 0] is 0b0101."""
    side_numbers = np.arange(side_table.shape[1])
    return np.asarray((side_table << side_numbers).sum(axis=1))


def _ranks(advances: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the ranks of n elements by their advances, 0 for the farthest, (n,).

    Of elements that lie equally far, that of the lower number comes first. So a whole orbit has one
    source, from whichever of its elements one asks.
    """
    farthest_first = np.argsort(-advances, kind="stable")  # equal ones keep their order
    ranks = np.empty(len(advances), np.intp)
    ranks[farthest_first] = np.arange(len(advances))
    return ranks


def _choose_sources(images: NDArray[np.intp], ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of n elements that of its ``images`` (order, n) with the least rank, (n,).

    An image -1 does not exist. The first image of an element is itself, so that each has one.
    """
    last_rank = len(ranks)  # behind those of all images that exist
    rank_of_images = np.where(images >= 0, ranks[images], last_rank)
    chosen_rows = rank_of_images.argmin(axis=0)
    sources: NDArray[np.intp] = images[chosen_rows, np.arange(len(ranks))]
    return sources
