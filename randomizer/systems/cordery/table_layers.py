"""Between a map's layers and the table that is laid: what lies there, and what a part adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from randomizer.generator import Base
from randomizer.model.battlemap import Layer, Plane, Roll
from randomizer.systems.cordery.areas import CROSSINGS, ORIGIN, PRESENT, STOOD, TRACK
from randomizer.systems.cordery.choices import KINDS, TITLES
from randomizer.systems.cordery.features import (
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
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table_builder import Laying
from randomizer.systems.cordery.table_words import Planes

LAYER_NAMES = TITLES | {"roads": "Roads"}
"""What the layer of each part of the page is called."""


def table_of(base: Base) -> Table:
    """What lies below, and what the locked areas show."""
    grid = base.grid
    table = Table(grid, locked=frozenset(np.flatnonzero(base.locked_cells).tolist()))
    planes = {spec.name: _at_first(base, spec.name) for spec in SYSTEM.shown_planes}
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


def _at_first(base: Base, plane: str) -> Plane:
    """The values of a plane before the first die, flat."""
    shown, below = base.shown.planes[plane], base.composite.planes[plane]
    return np.where(base.locked_cells, shown, below).ravel()


def _places(table: Table) -> list[list[int]]:
    """The inhabited places that are on the table: areas of one kind that touch.

    Those that the dice laid as two places stay two where they touch; what a hand put beside one
    belongs to it.
    """
    numbers = table.place_numbers
    inhabited = [cell for cell, what in table.ground.items() if what in HABITATION]
    inhabited.sort(key=lambda cell: (numbers.get(cell, 0) == 0, cell))
    left = {cell: table.ground[cell] for cell in inhabited}
    places = []
    while left:
        cell, what = next(iter(left.items()))
        place, edge = [], [cell]
        belonging = (0, numbers.get(cell, 0))
        while edge:
            here = edge.pop()
            if left.get(here) == what and numbers.get(here, 0) in belonging:
                del left[here]
                place.append(here)
                edge += [] if what == SETTLEMENT else table.grid.neighbours(here)
        places.append(sorted(place))
    return places


_ROUTES = (RIVER, ROAD, RAIL)


def planes_now(laying: Laying, base: Base) -> Planes:
    """The table as it stands now, as the planes of a map."""
    table, grid = laying.table, laying.table.grid
    planes: dict[str, Plane] = {
        spec.name: np.zeros(spec.shape(grid), spec.dtype) for spec in SYSTEM.shown_planes
    }
    code = SYSTEM.terrain_set.terrain_code
    for cell, what in table.ground.items():
        planes["terrain"].flat[cell] = code(what)
    for cell, contours in table.contours.items():
        planes["elevation"].flat[cell] = contours
    for cell, what in table.crossings.items():
        planes["crossing"].flat[cell] = CROSSINGS.index(what)
    for cell, number in table.place_numbers.items():
        planes["place"].flat[cell] = number
    for kind in _ROUTES:
        below = _at_first(base, kind)
        new = TRACK if kind == ROAD and laying.choices.road == "track" else 0
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


def parts_of_locked(base: Base, kinds: Sequence[str]) -> Mapping[str, Planes]:
    """What the locked areas hold beyond what lies below, by the part (of ``kinds``) it belongs to.

    Planes hold their unset value elsewhere. What belongs to no part that is laid goes to the first.
    """
    terrain = base.shown.planes["terrain"]
    code = SYSTEM.terrain_set.terrain_code
    held: dict[str, dict[str, Plane]] = {kind: {} for kind in kinds}
    for spec in SYSTEM.shown_planes:
        shown = base.shown.planes[spec.name]
        there = base.locked_cells & (shown != base.composite.planes[spec.name])
        for kind in KINDS:
            if spec.name == "terrain":
                of_kind = np.isin(terrain, [code(each) for each in _PARTS_OF_GROUND.get(kind, ())])
            else:
                of_kind = np.full(there.shape, _PART_OF_PLANE[spec.name] == kind)
            if (there & of_kind).any():
                planes = held.get(kind, held[kinds[0]])
                plane = planes.setdefault(spec.name, spec.allocate(base.grid))
                plane[there & of_kind] = shown[there & of_kind]
    return held


def layer_of_part(
    table: Table, kind: str, before: Planes, after: Planes, held: Planes, roll: Roll
) -> Layer:
    """What one part of the page changed on the table, and what was locked of it (``held``)."""
    layer = Layer(0, LAYER_NAMES[kind], planes=dict(held), roll=roll)
    free = np.ones(before["terrain"].shape, np.bool_)
    free.flat[list(table.locked)] = False
    for spec in SYSTEM.shown_planes:
        changed = free & (before[spec.name] != after[spec.name])
        if changed.any():
            plane = layer.planes.setdefault(spec.name, spec.allocate(table.grid))
            plane[changed] = after[spec.name][changed]
    lines = table.placed.get(kind, {})
    if lines:
        origin = layer.planes["origin"] = ORIGIN.allocate(table.grid)
        origin.flat[list(lines)] = list(lines.values())
    return layer


def planes_stood(base: Base) -> Planes:
    """What the locked areas hold, to be remembered by a roll's layers; none where nothing is."""
    planes: dict[str, Plane] = {}
    for name, spec in STOOD.items():
        if base.locked_cells.any():
            planes[spec.name] = spec.allocate(base.grid)
            planes[spec.name][base.locked_cells] = base.shown.planes[name][base.locked_cells]
    return planes


def with_what_stood(base: Base, layer: Layer) -> Base:
    """The same with those areas locked, as they were, that were locked when a layer was rolled."""
    shown, locked = dict(base.composite.planes), np.zeros_like(base.locked_cells)
    for name, spec in STOOD.items():
        stood = layer.planes.get(spec.name)
        if stood is not None:
            there = stood != spec.unset
            shown[name] = np.where(there, stood, shown[name])
            locked |= there
    return replace(base, shown=replace(base.composite, planes=shown), locked_cells=locked)
