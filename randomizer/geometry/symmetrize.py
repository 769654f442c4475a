"""Making a map symmetric: the values and things of one sector are copied to all the others.

Of all places that a symmetry maps onto each other (an *orbit*) the one that lies farthest in a
direction is the source; the others get its value, turned. Sides and links are places of their own,
so that both ends of a link stay together across the borders of sectors.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_edits import change_things, copies
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.planes.corners import corner_points
from randomizer.model.planes.planes import TOUCHED, Place
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
    """The ``edit`` that makes a map symmetric (None: it is), and the names of ``locked`` layers."""

    edit: Edit | None
    locked: tuple[str, ...]


def make_symmetric(battlemap: BattleMap, symmetry: Symmetry, direction: float) -> SymmetricMap:
    """Make all visible layers symmetric that are not locked.

    ``direction``: where the sector lies that is copied, in degrees clockwise from north. Values of
    rolled layers become touched. The map itself is not changed.
    """
    edits: list[Edit | None] = []
    locked = []
    twins_of: dict[int, list[Thing]] = {}
    sources = Sources(battlemap.system, battlemap.grid, symmetry, direction)
    for layer in battlemap.layers:
        if not layer.visible:
            continue
        if layer.locked:
            locked.append(layer.name)
            continue
        for name, plane in sources.planes(layer.planes).items():
            old_values = layer.planes[name].reshape(-1)
            elements = np.flatnonzero(plane.reshape(-1) != old_values)
            values = plane.reshape(-1)[elements]
            edits.append(set_values(battlemap, layer.id, name, elements, values))
        stay, twins = sources.things(layer.things.values())
        gone = [thing_id for thing_id in layer.things if thing_id not in stay]
        edits.append(change_things(battlemap, (), gone))
        twins_of[layer.id] = twins
    # Copies of all layers together: each gets an id of its own.
    new = iter(copies(battlemap, [twin for twins in twins_of.values() for twin in twins]))
    for layer_id, twins in twins_of.items():
        touched = battlemap.layer(layer_id).roll is not None
        added = tuple(replace(next(new), touched=touched) for _twin in twins)
        edits.append(ThingsEdit(layer_id, (), added) if added else None)
    return SymmetricMap(compound(edits), tuple(locked))


def symmetric_layers(
    system: System, grid: Grid, layers: Iterable[Layer], symmetry: Symmetry
) -> tuple[Layer, ...]:
    """Return copies of the layers of a roll, made symmetric, the north copied; nothing is touched.

    The twins of a thing with a key have keys of their own, the same ones in every roll.
    """
    sources = Sources(system, grid, symmetry, 0.0)
    all_layers = tuple(layers)
    new_ids = count(
        max((thing_id for layer in all_layers for thing_id in layer.things), default=0) + 1
    )
    result = []
    for layer in all_layers:
        names = (name for name in layer.planes if not name.startswith(TOUCHED))
        planes = sources.planes(layer.planes, map(system.plane, names))
        stay, twins = sources.things(layer.things.values())
        things = [layer.things[thing_id] for thing_id in stay]
        numbers = Counter[int]()  # of twins until now, by the id of their thing
        for twin in twins:
            numbers[twin.id] += 1
            key = twin.key and twin.key + "'" * numbers[twin.id]
            things.append(replace(twin, id=next(new_ids), key=key))
        planes = layer.planes | planes
        result.append(replace(layer, planes=planes, things=Things(things)))
    return tuple(result)


class Sources:
    """From where each place of a grid gets its value when a sector is copied."""

    def __init__(self, system: System, grid: Grid, symmetry: Symmetry, direction: float) -> None:
        self._system = system
        self._grid = grid
        self._symmetry = symmetry
        angle = math.radians(direction) + _OFF_AXIS
        self._heading = np.array((math.sin(angle), -math.cos(angle)))
        every = np.arange(grid.size, dtype=np.intp)
        self._cell_from = _farthest(symmetry.images(grid, every), self._far(grid.centres()))

    def planes(
        self, planes: Mapping[str, Plane], specs: Iterable[PlaneSpec] = ()
    ) -> dict[str, Plane]:
        """Return those of ``planes`` in ``specs`` (none: the shown ones) with the sources' values.

        They are new arrays.
        """
        result = {}
        for spec in specs or self._system.shown_planes:
            if spec.name not in planes:
                continue
            plane = planes[spec.name]
            if spec.place is Place.SIDE:
                values = plane.reshape(-1)[self._side_from]
            elif spec.place is Place.CORNER:
                values = plane.reshape(-1)[self._corner_from]
            elif spec.links:
                values = self._links(plane.reshape(-1), spec)
            else:
                values = plane.reshape(-1)[self._cell_from]
            result[spec.name] = values.reshape(plane.shape)
        return result

    def things(self, things: Iterable[Thing]) -> tuple[set[int], list[Thing]]:
        """Return the ids of the things that stay, and the twins that come beside them."""
        stay: set[int] = set()
        twins: list[Thing] = []
        for thing in things:
            is_text = thing.kind in self._system.text_kinds
            images = self._symmetry.thing_images(self._grid, thing, is_text=is_text)
            far = self._far(np.array([(image.x, image.y) for image in images]))
            if far[0] == far.max():
                stay.add(thing.id)
                twins += images[1:]
        return stay, twins

    def _far(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far points (n, 2) lie in the direction; rounded, as computers differ."""
        return np.asarray(np.round(points @ self._heading, 6))

    def _links(self, values: Plane, spec: PlaneSpec) -> Plane:
        """Return links: marks from the sources of cells, bits from those of sides."""
        degree = self._grid.degree
        is_set = values != spec.unset
        bits = np.where(is_set, values & SIDES, 0)[:, None] >> np.arange(degree) & 1
        new = bits.reshape(-1)[self._side_from].reshape(-1, degree) << np.arange(degree)
        links = new.sum(axis=1)
        links_there = values[self._cell_from]
        marks = np.where(links_there & PRESENT, links_there & MARKS, PRESENT)
        bare = np.where(links_there & PRESENT, 0, links_there)  # no route here, said or not set
        return np.where(links > 0, marks | links, bare).astype(values.dtype)

    @cached_property
    def _side_from(self) -> NDArray[np.intp]:
        """The source of each side (flat); both sides of an edge have theirs on one edge.

        Edges between two cells go before those of the rim: a link has two ends.
        """
        grid = self._grid
        degree = self._grid.degree
        sides = np.arange(grid.size * degree, dtype=np.intp)
        neighbours = grid.neighbour_table.reshape(-1).astype(np.intp)
        opposite = (sides % degree + degree // 2) % degree
        edges = np.where(neighbours < 0, sides, np.minimum(sides, neighbours * degree + opposite))
        steps = np.array(grid.layout.steps) @ np.array(grid.layout.basis)
        middles = grid.centres()[edges // degree] + steps[edges % degree] / 2
        far = np.where(neighbours < 0, -np.inf, self._far(middles))
        images = self._symmetry.side_images(grid, sides // degree, sides % degree)
        twins = images[:, np.where(neighbours < 0, sides, neighbours * degree + opposite)]
        return _farthest(np.where(twins < 0, -1, images), far, edges)

    @cached_property
    def _corner_from(self) -> NDArray[np.intp]:
        grid = self._grid
        corners = np.arange((grid.width + 1) * (grid.height + 1), dtype=np.intp)
        images = self._symmetry.corner_images(grid, corners)
        return _farthest(images, self._far(corner_points(grid, corners)))


def _farthest(
    images: NDArray[np.intp], far: NDArray[np.float64], names: NDArray[np.intp] | None = None
) -> NDArray[np.intp]:
    """Return of the ``images`` (order, n) of each of n places the one that lies farthest, (n,).

    -1 are images that do not exist. Places with one of ``names`` (n,) are equally far (None: each
    has its own), of others that are so the first one is taken.
    """
    if names is None:
        names = np.arange(len(far), dtype=np.intp)
    else:
        names = names
    ranks = np.empty(len(far), np.intp)
    ranks[np.lexsort((names, -far))] = np.arange(len(far))
    ranks = ranks[names]
    ranked = np.where(images >= 0, ranks[images], len(far))
    result: NDArray[np.intp] = images[ranked.argmin(axis=0), np.arange(len(far))]
    return result
