"""Conversion between a map's layers and the table that is built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from randomizer.generator import Base
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.choices import PARTS, TITLES
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import CROSSINGS, LOCKED_VALUES, ORIGIN, TRACK
from randomizer.systems.cordery.table.features import (
    FIELD,
    HABITATION,
    MOUNTAIN,
    PLANTED,
    RAIL,
    RIVER,
    ROAD,
    SETTLEMENT,
    TREES,
    WATERS,
    Table,
)
from randomizer.systems.cordery.table.table_builder import TableBuilder
from randomizer.systems.cordery.table.table_words import Planes

LAYER_NAMES = TITLES | {"roads": "Roads"}
"""The name of each part's layer."""


def table_of(base: Base) -> Table:
    """Return the table before the first die: the map below and the locked areas."""
    grid = base.grid
    locked = np.logical_or.reduce([base.locked_mask(spec) for spec in SYSTEM.shown_planes])
    table = Table(grid, locked=frozenset(np.flatnonzero(locked).tolist()))
    planes = {spec.name: _initial_values(base, spec.name) for spec in SYSTEM.shown_planes}
    terrains = SYSTEM.terrain_set.terrains
    for cell in np.flatnonzero(planes["terrain"]).tolist():
        table.ground[cell] = terrains[planes["terrain"][cell]].name
    for cell in np.flatnonzero(planes["elevation"] > 0).tolist():
        table.contours[cell] = int(planes["elevation"][cell])
    for kind, route in table.routes.items():
        for cell in np.flatnonzero(planes[kind] & PRESENT).tolist():
            route.links[cell] = int(planes[kind][cell]) & ((1 << grid.degree) - 1)
    for cell in np.flatnonzero(planes["crossing"]).tolist():
        table.crossings[cell] = CROSSINGS[planes["crossing"][cell]]
    for cell in np.flatnonzero(planes["place"]).tolist():
        table.place_numbers[cell] = int(planes["place"][cell])
    table.places = _places(table)
    return table


def _initial_values(base: Base, plane: str) -> Plane:
    """Return a plane before the first die, flat: locked values where locked, else the map below."""
    visible_values = base.shown.planes[plane]
    below = base.composite.planes[plane]
    return np.where(base.locked_mask(SYSTEM.plane(plane)), visible_values, below).ravel()


def _places(table: Table) -> list[list[int]]:
    """Return the inhabited places on the table: neighbouring areas of one kind.

    Places with different numbers stay separate where they touch; areas without a number join the
    place they touch.
    """
    numbers = table.place_numbers
    inhabited = [cell for cell, feature in table.ground.items() if feature in HABITATION]
    inhabited.sort(key=lambda cell: (numbers.get(cell, 0) == 0, cell))
    left = {cell: table.ground[cell] for cell in inhabited}
    places = []
    while left:
        cell, feature = next(iter(left.items()))
        place = []
        edge = [cell]
        belonging = (0, numbers.get(cell, 0))
        while edge:
            cell_at_edge = edge.pop()
            if left.get(cell_at_edge) == feature and numbers.get(cell_at_edge, 0) in belonging:
                del left[cell_at_edge]
                place.append(cell_at_edge)
                edge += [] if feature == SETTLEMENT else table.grid.neighbours(cell_at_edge)
        places.append(sorted(place))
    return places


_ROUTES = (RIVER, ROAD, RAIL)


def planes_of_table(builder: TableBuilder, base: Base) -> Planes:
    """Return the table as the planes of a map."""
    table = builder.table
    grid = builder.table.grid
    planes: dict[str, Plane] = {
        spec.name: np.zeros(spec.shape(grid), spec.dtype) for spec in SYSTEM.shown_planes
    }
    code = SYSTEM.terrain_set.terrain_code
    for cell, ground in table.ground.items():
        planes["terrain"].flat[cell] = code(ground)
    for cell, contours in table.contours.items():
        planes["elevation"].flat[cell] = contours
    for cell, ground in table.crossings.items():
        planes["crossing"].flat[cell] = CROSSINGS.index(ground)
    for cell, number in table.place_numbers.items():
        planes["place"].flat[cell] = number
    for kind in _ROUTES:
        below = _initial_values(base, kind)
        new = TRACK if kind == ROAD and builder.choices.road == "track" else 0
        for cell, sides in table.routes[kind].links.items():
            track = int(below[cell]) & TRACK if below[cell] else new
            planes[kind].flat[cell] = sides | PRESENT | track
    return planes


_PART_OF_PLANE = {
    "elevation": "hills",
    "place": "habitation",
    RIVER: "water",
    ROAD: "roads",
    "crossing": "roads",
    RAIL: "railways",
}
_PARTS_OF_GROUND = {
    "hills": (MOUNTAIN,),
    "water": WATERS,
    "trees": TREES,
    "habitation": HABITATION,
    "fields": (FIELD, *PLANTED),
}


def locked_values_by_part(base: Base, kinds: Sequence[str]) -> Mapping[str, Planes]:
    """Return the locked values that differ from the map below, by the part (of ``parts``) they
    belong to.

    Planes hold their unset value elsewhere. Values of parts that are not thrown go to the first.
    """
    terrain = base.shown.planes["terrain"]
    code = SYSTEM.terrain_set.terrain_code
    held: dict[str, dict[str, Plane]] = {kind: {} for kind in kinds}
    for spec in SYSTEM.shown_planes:
        visible_values = base.shown.planes[spec.name]
        visible = base.locked_mask(spec) & (visible_values != base.composite.planes[spec.name])
        for kind in PARTS:
            if spec.name == "terrain":
                of_kind = np.isin(terrain, [code(name) for name in _PARTS_OF_GROUND.get(kind, ())])
            else:
                of_kind = np.full(visible.shape, _PART_OF_PLANE[spec.name] == kind)
            if (visible & of_kind).any():
                planes = held.get(kind, held[kinds[0]])
                plane = planes.setdefault(spec.name, spec.allocate(base.grid))
                plane[visible & of_kind] = visible_values[visible & of_kind]
    return held


def layer_of_part(
    table: Table, kind: str, old_planes: Planes, new_planes: Planes, held: Planes, roll: Roll
) -> Layer:
    """Return the layer of what one part changed on the table, with the locked values of that
    part.
    """
    layer = Layer(0, LAYER_NAMES[kind], planes=dict(held), roll=roll)
    free = np.ones(old_planes["terrain"].shape, np.bool_)
    free.flat[list(table.locked)] = False
    for spec in SYSTEM.shown_planes:
        changed = free & (old_planes[spec.name] != new_planes[spec.name])
        if changed.any():
            plane = layer.planes.setdefault(spec.name, spec.allocate(table.grid))
            plane[changed] = new_planes[spec.name][changed]
    lines = table.origins.get(kind, {})
    if lines:
        origin = layer.planes["origin"] = ORIGIN.allocate(table.grid)
        origin.flat[list(lines)] = list(lines.values())
    return layer


def recorded_locks(base: Base) -> Planes:
    """Planes that record the locked values for a roll's layers; empty if nothing is locked."""
    planes: dict[str, Plane] = {}
    for name, spec in LOCKED_VALUES.items():
        locked = base.locked_mask(SYSTEM.plane(name))
        if locked.any():
            planes[spec.name] = spec.allocate(base.grid)
            planes[spec.name][locked] = base.shown.planes[name][locked]
    return planes


def with_recorded_locks(base: Base, layer: Layer) -> Base:
    """``base`` with the locked areas, and their values, of the time ``layer`` was rolled."""
    planes = dict(base.composite.planes)
    locked = np.zeros_like(base.locked_cells)
    for name, spec in LOCKED_VALUES.items():
        stood = layer.planes.get(spec.name)
        if stood is not None:
            locked_values = stood != spec.unset
            planes[name] = np.where(locked_values, stood, planes[name])
            locked |= locked_values
    shown_then = replace(base.composite, planes=planes)
    return replace(base, shown=shown_then, locked_cells=locked, covered={})
