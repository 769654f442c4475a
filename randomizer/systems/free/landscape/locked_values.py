"""Puts the locked values of a map into the layer of a rolled landscape.

The stages of a landscape have built around the locked cells as well as they could; here these
cells get their own values again, and what lies beside them is made to fit: a road of the roll that
leads into a locked cell without a road ends before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, Severity
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.terrain_names import RIVER
from randomizer.systems.free.system import SYSTEM, WAYS


class LockedLandscape(NamedTuple):
    """A rolled layer that has the locked values of a map."""

    layer: Layer

    terrain_set: TerrainSet
    """The set of the roll, and the locked terrains that it lacked."""


def with_locked_values(layer: Layer, terrain_set: TerrainSet, base: Base) -> LockedLandscape:
    """Return the layer of a roll with the locked values of the map below it.

    The layer itself is changed. ``terrain_set`` is that of its codes.
    """
    # What is locked, as a layer: only planes that the roll sets, or that are not as on a new map.
    locked_planes = {}
    for spec in SYSTEM.shown_planes:
        is_locked = base.locked_mask(spec)
        visible_values = base.shown.planes[spec.name]
        is_rolled = spec.name in layer.planes
        if is_locked.any() and (is_rolled or (visible_values[is_locked] != spec.default).any()):
            values = np.where(is_locked, visible_values, spec.unset)
            locked_planes[spec.name] = values.astype(spec.dtype)
    locked_layer = Layer(0, "", planes=locked_planes)

    # The codes of its terrains are those of the map's set: they become those of the rolled set.
    renamed_set = called_as_in(base.terrain_set, terrain_set)
    terrain_set = with_missing(SYSTEM, [locked_layer], renamed_set, terrain_set)
    translated = translated_layer(SYSTEM, locked_layer, renamed_set, terrain_set)

    for name, values in translated.planes.items():
        spec = SYSTEM.plane(name)
        is_locked = base.locked_mask(spec)
        plane = layer.planes.get(name, spec.allocate(base.grid))
        plane = np.where(is_locked, values, plane).astype(spec.dtype)
        if spec in WAYS:
            links = _with_joined_borders(plane.reshape(-1), is_locked.reshape(-1), base.grid)
            plane = links.reshape(plane.shape)
        layer.planes[name] = plane
    _end_flows(layer, terrain_set, base)
    return LockedLandscape(layer, terrain_set)


def _with_joined_borders(links: Plane, is_locked: NDArray[np.bool_], grid: Grid) -> Plane:
    """Return links that lead into locked cells exactly where a way leads out of these.

    ``links`` and ``is_locked`` have shape (cells,). The links of locked cells are not changed.
    """
    joined = links.copy()
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[:, side]
        # The cells with a locked neighbour on this side, and whether a way leads from it to them.
        cells = np.flatnonzero(~is_locked & (neighbours >= 0) & is_locked[neighbours])
        leads_here = (links[neighbours[cells]] >> grid.opposite(side) & 1).astype(np.bool_)
        sides = joined[cells] & SIDES
        sides = np.where(leads_here, sides | 1 << side, sides & (SIDES - (1 << side)))
        joined[cells] = np.where(sides > 0, sides | PRESENT, WAYS[0].default)
    return joined


def _end_flows(layer: Layer, terrain_set: TerrainSet, base: Base) -> None:
    """Let no water flow by a side without a river, except where the flow is locked.

    It is called after the ways are joined at the border of the locked cells. The terrain set and
    the layer have rivers, as all landscapes do.

    The river of a rolled cell can end beside locked cells, if these have none.
    """
    names_of_ways = [way.name for way in terrain_set.ways]
    links = layer.planes[WAYS[names_of_ways.index(RIVER)].name]
    flow = layer.planes[SYSTEM.flow.name]
    has_river_at_flow = flow & links & SIDES > 0
    for spec in (SYSTEM.flow, SYSTEM.flow_width):
        if spec.name in layer.planes:
            ends = ~has_river_at_flow & ~base.locked_mask(spec)
            layer.planes[spec.name] = np.where(ends, spec.default, layer.planes[spec.name])


def locked_cells_notes(base: Base, road_ends: int) -> list[Problem]:
    """Return the hints about the locked cells of a roll, at which ``road_ends`` roads end."""
    notes: list[Problem] = []
    if road_ends:
        message = many(
            road_ends,
            "1 road ends at the border of the locked cells: no town is in reach",
            f"{road_ends:,} roads end at the border of the locked cells: no town is in reach",
        )
        notes.append(Problem(Severity.HINT, "roads-end", message))
    count = int(base.locked_mask(SYSTEM.terrain).sum())
    message = f"{counted(count, 'locked cell')} {many(count, 'was', 'were')} kept"
    notes.append(Problem(Severity.HINT, "locked-kept", message))
    return notes
