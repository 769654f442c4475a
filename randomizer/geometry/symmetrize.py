"""Making a map symmetric: the values and things of one sector are copied to all the others.

The elements that a symmetry maps onto each other are an *orbit*: a cell and its twins, or a side
and its twins. The one that lies farthest in a direction is the *source* of the orbit; the others
get its value, turned. Sides have orbits of their own, not those of their cells, so that both ends
of a link stay together across the borders of sectors.

The command calls ``make_symmetric`` for a map, generators call ``symmetric_layers`` for a roll.
Begin at ``Sources``, which works out where each element gets its value from. In a row of four cells
that is mirrored, with the left half copied (the direction is west)::

    cells     0 1 2 3          the orbits are {0, 3} and {1, 2}
    sources   0 1 1 0
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_edits import change_things, copies
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.planes.corners import corner_points
from randomizer.model.planes.planes import TOUCHED, Element
from randomizer.model.planes.routes import MARKS, PRESENT, SIDES
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Plane, PlaneSpec
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

_OFF_AXIS = 1e-3
"""The direction is turned by so much (radians), so that no two twins lie equally far in it."""


class SymmetricMap(NamedTuple):
    """The result of ``make_symmetric``."""

    edit: Edit | None
    """The edit that makes the map symmetric; None if it is already."""

    locked: tuple[str, ...]
    """The names of visible layers that are locked and stay as they are."""


def make_symmetric(battlemap: BattleMap, symmetry: Symmetry, direction: float) -> SymmetricMap:
    """Return the edit that makes all visible layers symmetric that are not locked.

    ``direction`` leads from the middle to the sector that is copied, in degrees clockwise from
    north. Values of rolled layers become touched. The map itself is not changed.
    """
    edits: list[Edit | None] = []
    locked = []
    twins_by_layer: dict[int, list[Thing]] = {}
    sources = Sources(battlemap.system, battlemap.grid, symmetry, direction)
    for layer in battlemap.layers:
        if not layer.visible:
            continue
        if layer.locked:
            locked.append(layer.name)
            continue
        shown_specs = battlemap.system.shown_planes
        for name, plane in sources.planes(layer.planes, shown_specs).items():
            old_values = layer.planes[name].reshape(-1)
            elements = np.flatnonzero(plane.reshape(-1) != old_values)
            values = plane.reshape(-1)[elements]
            edits.append(set_values(battlemap, layer.id, name, elements, values))
        sources_and_twins = sources.things(layer.things.values())
        staying_ids = sources_and_twins.staying_ids
        removed_ids = [thing_id for thing_id in layer.things if thing_id not in staying_ids]
        edits.append(change_things(battlemap, (), removed_ids))
        twins_by_layer[layer.id] = sources_and_twins.twins
    # Twins of all layers are copied in one call, because ``copies`` gives the next free ids of the
    # map: a second call would give the same ones again.
    all_twins = list(chain.from_iterable(twins_by_layer.values()))
    new_things = iter(copies(battlemap, all_twins))
    for layer_id, twins in twins_by_layer.items():
        if not twins:
            continue
        touched = battlemap.layer(layer_id).roll is not None
        added_things = tuple(replace(next(new_things), touched=touched) for _twin in twins)
        edits.append(ThingsEdit(layer_id, (), added_things))
    return SymmetricMap(compound(edits), tuple(locked))


def symmetric_layers(
    system: System, grid: Grid, layers: Iterable[Layer], symmetry: Symmetry
) -> tuple[Layer, ...]:
    """Return copies of the layers of a roll, made symmetric, the north copied; nothing is touched.

    The twins of a thing with a key have keys of their own, the same ones in every roll.
    """
    sources = Sources(system, grid, symmetry, 0.0)
    all_layers = tuple(layers)
    greatest_id = 0
    for layer in all_layers:
        greatest_id = max(greatest_id, max(layer.things, default=0))
    new_ids = count(greatest_id + 1)
    result = []
    for layer in all_layers:
        specs = [system.plane(name) for name in layer.planes if not name.startswith(TOUCHED)]
        planes = sources.planes(layer.planes, specs)
        sources_and_twins = sources.things(layer.things.values())
        things = [layer.things[thing_id] for thing_id in sources_and_twins.staying_ids]
        twins_so_far = Counter[int]()  # by the id of the thing of which they are twins
        for twin in sources_and_twins.twins:
            twins_so_far[twin.id] += 1
            # A thing without a key has none that a re-roll could know it by, and its twins neither.
            key = ""
            if twin.key:
                key = twin.key + "'" * twins_so_far[twin.id]
            things.append(replace(twin, id=next(new_ids), key=key))
        planes = layer.planes | planes
        result.append(replace(layer, planes=planes, things=Things(things)))
    return tuple(result)


class SourceThings(NamedTuple):
    """The things of a layer that stay when it is made symmetric, and those that are added."""

    staying_ids: set[int]
    """The ids of the things that are sources; all others are removed."""

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
        self._source_of_cell = _farthest(images, self._distances(grid.centres()))
        """The source of each cell, shape (size,)."""

    def planes(self, planes: Mapping[str, Plane], specs: Iterable[PlaneSpec]) -> dict[str, Plane]:
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

    def things(self, things: Iterable[Thing]) -> SourceThings:
        """Return the things that are sources, and their twins.

        A thing is a source if none of its twins would lie farther in the direction.
        """
        staying_ids: set[int] = set()
        twins: list[Thing] = []
        for thing in things:
            is_text = thing.kind in self._system.text_kinds
            images = self._symmetry.thing_images(self._grid, thing, is_text=is_text)
            distances = self._distances(np.array([(image.x, image.y) for image in images]))
            if distances[0] == distances.max():
                staying_ids.add(thing.id)
                twins += images[1:]
        return SourceThings(staying_ids, twins)

    def _distances(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far points (n, 2) lie in the direction, (n,), in map units.

        They are rounded, since the last digits differ between computers.
        """
        return np.asarray(np.round(points @ self._heading, 6))

    def _way_values(self, values: Plane, spec: PlaneSpec) -> Plane:
        """Return the values (size,) of a plane of ways: masks of sides and marks (``routes.py``).

        Each bit comes from the source of its side, the mark of the way from that of the cell. A
        cell that gets no link is as its source is if that has no way: set to none, or not set.
        """
        # The masks as tables with a column for each side, (size, degree), and back: 0b0101 is
        # [1, 0, 1, 0, 0, 0].
        side_numbers = np.arange(self._grid.degree)
        is_set = values != spec.unset
        masks = np.where(is_set, values & SIDES, 0)
        is_linked = masks[:, None] >> side_numbers & 1
        is_linked_now = is_linked.reshape(-1)[self._source_of_side].reshape(is_linked.shape)
        new_links = (is_linked_now << side_numbers).sum(axis=1)

        source_values = values[self._source_of_cell]
        has_way = source_values & PRESENT
        # A link can end in a cell whose source has no way: it gets one without further marks.
        marks = np.where(has_way, source_values & MARKS, PRESENT)
        values_without_way = np.where(has_way, 0, source_values)
        new_values = np.where(new_links > 0, marks | new_links, values_without_way)
        return new_values.astype(values.dtype)

    @cached_property
    def _source_of_side(self) -> NDArray[np.intp]:
        """The source of each side, flat, shape (size * degree,).

        The two sides of an edge between two cells have their sources on one edge.
        """
        grid = self._grid
        degree = self._grid.degree
        sides = np.arange(grid.size * degree, dtype=np.intp)
        neighbours = grid.neighbour_table.reshape(-1).astype(np.intp)
        at_rim = neighbours < 0
        # The same edge as seen from the neighbour; at the rim there is none, so the side itself.
        opposite_numbers = (sides % degree + degree // 2) % degree
        sides_across = np.where(at_rim, sides, neighbours * degree + opposite_numbers)
        edges = np.minimum(sides, sides_across)  # both sides of an edge have the same number

        # The middle of a side is half way to the centre of the neighbour.
        steps = np.array(grid.layout.steps) @ np.array(grid.layout.basis)
        middles = grid.centres()[edges // degree] + steps[edges % degree] / 2
        # Sides at the rim are the last choice: from there a link would get only one of its ends.
        distances = np.where(at_rim, -np.inf, self._distances(middles))
        images = self._symmetry.side_images(grid, sides // degree, sides % degree)
        # An image counts only if the other side of the edge has one, too.
        is_whole = images[:, sides_across] >= 0
        return _farthest(np.where(is_whole, images, -1), distances, edges)

    @cached_property
    def _source_of_corner(self) -> NDArray[np.intp]:
        """The source of each corner, flat, shape ((height + 1) * (width + 1),)."""
        grid = self._grid
        corners = np.arange((grid.width + 1) * (grid.height + 1), dtype=np.intp)
        images = self._symmetry.corner_images(grid, corners)
        return _farthest(images, self._distances(corner_points(grid, corners)))


def _farthest(
    images: NDArray[np.intp],
    distances: NDArray[np.float64],
    ranked_as: NDArray[np.intp] | None = None,
) -> NDArray[np.intp]:
    """Return for each of n elements that of its ``images`` (order, n) which lies farthest, (n,).

    -1 are images that do not exist. ``distances`` (n,) are those of the elements in the direction.
    An element has the rank of the element ``ranked_as`` (n,), so that both sides of an edge can
    have one; None: each has its own.
    """
    elements = np.arange(len(distances), dtype=np.intp)
    if ranked_as is None:
        ranked_as = elements
    # Ranks, 0 for the farthest, instead of distances: of two elements that lie equally far the one
    # of the lower number is taken, from whichever of the images one asks. So a whole orbit has one
    # source.
    ranks = np.empty(len(distances), np.intp)
    ranks[np.lexsort((ranked_as, -distances))] = elements
    ranks = ranks[ranked_as]
    last_rank = len(distances)
    rank_of_images = np.where(images >= 0, ranks[images], last_rank)
    farthest: NDArray[np.intp] = images[rank_of_images.argmin(axis=0), elements]
    return farthest
