"""Conversion between a map's layers and the table that is built.

A layer of a map is a set of *planes*: arrays with a value for each area, or an unset value where
the layer says nothing. While dice are thrown, the contents of areas are in dicts (``Table``)::

    planes["terrain"][3, 4] == terrain_code("Lake")     # the area 0504 of a map
    table.ground[cell] == "Lake"                        # the same of a table

A table is built in parts, such as hills and roads, and each part becomes a layer of its own: what
it has changed. So the generator takes the planes of the table before and after each part::

    table = initial_table(base)                         # from the layers below and locked areas
    old_planes = planes_of_table(builder, base)
    ...                                                 # throw the dice of the hills
    new_planes = planes_of_table(builder, base)
    layer_of_part(table, "hills", ...)                  # where the two differ

Locked values are on the table before the first die. Where they differ from the map below they go
into the layers too (``locked_values_by_part``), each into that of the part that it belongs to.
``recorded_locks`` and ``with_recorded_locks`` let ``dice_log`` build the same table again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import Plane, PlaneSpec
from randomizer.roll_base import Base
from randomizer.systems.cordery.page_parts import TITLES
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import CROSSINGS, LOCKED_VALUES, ORIGIN, RouteInArea
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

_ROUTES = (RIVER, ROAD, RAIL)
"""The kinds of routes, which are also the names of their planes."""

_PART_OF_PLANE = {
    "elevation": "hills",
    "place": "habitation",
    RIVER: "water",
    ROAD: "roads",
    "crossing": "roads",
    RAIL: "railways",
}
"""The part of the page that fills each plane; ``terrain`` is filled by several."""

_GROUND_OF_PART = {
    "hills": (MOUNTAIN,),
    "water": WATERS,
    "trees": TREES,
    "habitation": HABITATION,
    "fields": (FIELD, *PLANTED),
}
"""The terrains that each part of the page lays; parts that lay none are not in it."""


def initial_table(base: Base) -> Table:
    """Return the table before the first die: the map below and the locked areas."""
    grid = base.grid
    table = Table(grid, locked=_locked_areas(base))
    # A value 0 is nothing in all of these planes: open ground, no hill, no route. (The unset value
    # of a plane, by which a layer says nothing of an area, is another one; no value of a table is
    # that.)
    planes = {spec.name: _initial_values(base, spec.name) for spec in SYSTEM.shown_planes}

    terrains = SYSTEM.terrain_set.terrains
    for cell, code in _values_by_cell(planes["terrain"]).items():
        table.ground[cell] = terrains[code].name
    for cell, contours in _values_by_cell(planes["elevation"]).items():
        if contours > 0:
            table.contours[cell] = contours
    for cell, code in _values_by_cell(planes["crossing"]).items():
        table.crossings[cell] = CROSSINGS[code]
    table.place_numbers.update(_values_by_cell(planes["place"]))

    for kind, route in table.routes.items():
        for cell, value in _values_by_cell(planes[kind]).items():
            route_in_area = RouteInArea.of_value(value)
            if route_in_area is not None:
                route.links[cell] = route_in_area.sides

    table.places = _inhabited_places(table)
    return table


def _locked_areas(base: Base) -> frozenset[int]:
    """Return the areas in which anything is locked: they are locked as a whole."""
    masks = [base.locked_mask(spec) for spec in SYSTEM.shown_planes]
    is_locked = np.logical_or.reduce(masks)
    return frozenset(np.flatnonzero(is_locked).tolist())


def _values_by_cell(plane: Plane) -> dict[int, int]:
    """Return the values of a flat plane that are not 0, by the cells that have them."""
    cells = np.flatnonzero(plane)
    return dict(zip(cells.tolist(), plane[cells].tolist(), strict=True))


def _initial_values(base: Base, plane: str) -> Plane:
    """Return a plane before the first die, flat: locked values where locked, else the map below."""
    visible_values = base.shown.planes[plane]
    below = base.composite.planes[plane]
    return np.where(base.locked_mask(SYSTEM.plane(plane)), visible_values, below).ravel()


def _inhabited_places(table: Table) -> list[list[int]]:
    """Return the inhabited places on the table: neighbouring areas of one kind.

    A place is a list of areas, ascending. Places with different numbers stay separate where they
    touch; areas without a number join the place they touch.
    """
    numbers = table.place_numbers
    inhabited = [cell for cell, feature in table.ground.items() if feature in HABITATION]
    # Areas with a number come first, so that each flood below starts from one where there is one.
    inhabited.sort(key=lambda cell: (numbers.get(cell, 0) == 0, cell))
    unassigned = {cell: table.ground[cell] for cell in inhabited}
    places = []
    while unassigned:
        # A flood fill from the first area that belongs to no place yet.
        first_cell, feature = next(iter(unassigned.items()))
        allowed_numbers = (0, numbers.get(first_cell, 0))
        place = []
        cells_to_visit = [first_cell]
        while cells_to_visit:
            cell = cells_to_visit.pop()
            is_of_kind = unassigned.get(cell) == feature
            if not is_of_kind or numbers.get(cell, 0) not in allowed_numbers:
                continue
            del unassigned[cell]
            place.append(cell)
            if feature != SETTLEMENT:  # a settlement is one area
                cells_to_visit += table.grid.neighbours(cell)
        places.append(sorted(place))
    return places


def planes_of_table(builder: TableBuilder, base: Base) -> Planes:
    """Return the table as the planes of a map; the arrays are new."""
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
    for cell, crossing in table.crossings.items():
        planes["crossing"].flat[cell] = CROSSINGS.index(crossing)
    for cell, number in table.place_numbers.items():
        planes["place"].flat[cell] = number
    for kind in _ROUTES:
        new_roads_are_tracks = kind == ROAD and builder.choices.road == "track"  # or "road"
        initial_values = _initial_values(base, kind)
        for cell, sides in table.routes[kind].links.items():
            # A road or track that was there stays what it is where a new one meets it.
            is_track = new_roads_are_tracks
            initial_route = RouteInArea.of_value(int(initial_values[cell]))
            if initial_route is not None:
                is_track = initial_route.is_track
            planes[kind].flat[cell] = RouteInArea(sides, is_track).value
    return planes


def locked_values_by_part(base: Base, parts: Sequence[str]) -> Mapping[str, Planes]:
    """Return the locked values that differ from the map below, by the part they belong to.

    They go into the layers of the roll. ``parts`` are the parts of the page that are thrown, at
    least one; values of other parts, and terrains that no part lays such as none at all, go to the
    first of these. The planes hold the unset value where nothing is
    locked.
    """
    planes_by_part: dict[str, dict[str, Plane]] = {part: {} for part in parts}
    for spec in SYSTEM.shown_planes:
        visible_values = base.shown.planes[spec.name]
        differs = visible_values != base.composite.planes[spec.name]
        is_locked = base.locked_mask(spec) & differs
        is_of_thrown_part = np.zeros_like(is_locked)
        for part in parts:
            is_of_part = is_locked & _belongs_to_part(part, spec.name, visible_values)
            is_of_thrown_part |= is_of_part
            _set_values(planes_by_part[part], spec, base.grid, visible_values, is_of_part)
        is_of_no_part = is_locked & ~is_of_thrown_part
        _set_values(planes_by_part[parts[0]], spec, base.grid, visible_values, is_of_no_part)
    return planes_by_part


def _set_values(
    planes: dict[str, Plane], spec: PlaneSpec, grid: Grid, values: Plane, cells: NDArray[np.bool_]
) -> None:
    """Copy the values of some cells into the plane of ``spec``, which is added if there are any."""
    if cells.any():
        plane = planes.setdefault(spec.name, spec.allocate(grid))
        plane[cells] = values[cells]


def _belongs_to_part(part: str, plane: str, values: Plane) -> NDArray[np.bool_]:
    """Return which values of a plane are filled by a part of the page, in the shape of the plane.

    Terrains belong to the part that lays them, trees or fields for example; all other planes belong
    to one part as a whole.
    """
    if plane != "terrain":
        return np.full(values.shape, _PART_OF_PLANE[plane] == part)
    terrain_code = SYSTEM.terrain_set.terrain_code
    codes = [terrain_code(name) for name in _GROUND_OF_PART.get(part, ())]
    return np.isin(values, codes)


def layer_of_part(
    table: Table,
    part: str,
    *,
    old_planes: Planes,
    new_planes: Planes,
    locked_values: Planes,
    roll: Roll,
) -> Layer:
    """Return the layer of one part: what it changed on the table, and its locked values.

    ``old_planes`` and ``new_planes`` are the table before and after the part.
    """
    # The id is 0 until the layer is added to a map, which numbers it.
    layer = Layer(0, LAYER_NAMES[part], planes=dict(locked_values), roll=roll)

    # What the part has changed on areas that are not locked.
    is_free = np.ones(old_planes["terrain"].shape, np.bool_)
    is_free.flat[list(table.locked)] = False
    for spec in SYSTEM.shown_planes:
        is_changed = is_free & (old_planes[spec.name] != new_planes[spec.name])
        if is_changed.any():
            plane = layer.planes.setdefault(spec.name, spec.allocate(table.grid))
            plane[is_changed] = new_planes[spec.name][is_changed]

    # The line of the log from which each of its areas comes.
    line_of_cell = table.origins.get(part, {})
    if line_of_cell:
        origins = ORIGIN.allocate(table.grid)
        origins.flat[list(line_of_cell)] = list(line_of_cell.values())
        layer.planes["origin"] = origins
    return layer


def recorded_locks(base: Base) -> Planes:
    """Return planes that record the locked values for a roll's layers; {} if nothing is locked.

    The dice of a table can be explained only with the locks that it was rolled with.
    """
    planes: dict[str, Plane] = {}
    for name, spec in LOCKED_VALUES.items():
        is_locked = base.locked_mask(SYSTEM.plane(name))
        if is_locked.any():
            planes[spec.name] = spec.allocate(base.grid)
            planes[spec.name][is_locked] = base.shown.planes[name][is_locked]
    return planes


def with_recorded_locks(base: Base, layer: Layer) -> Base:
    """Return a base with the locks of the time when a layer was rolled, which it has recorded.

    The locks that the map has now are left out.
    """
    planes = dict(base.composite.planes)
    locked_cells = np.zeros_like(base.locked_cells)
    for name, spec in LOCKED_VALUES.items():
        recorded_values = layer.planes.get(spec.name)
        if recorded_values is not None:
            was_locked = recorded_values != spec.unset
            planes[name] = np.where(was_locked, recorded_values, planes[name])
            locked_cells |= was_locked
    shown = replace(base.composite, planes=planes)
    return replace(base, shown=shown, locked_cells=locked_cells, covered={})
