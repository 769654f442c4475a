"""Makes a landscape: relief, climate, terrain, rivers, towns, roads and names in one layer."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base, DrawKey, Generating
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Things
from randomizer.systems.free.landscape.kept_ground import kept_ground
from randomizer.systems.free.landscape.names import named_things
from randomizer.systems.free.landscape.noise import Noise
from randomizer.systems.free.landscape.relief import relief_steps
from randomizer.systems.free.landscape.rivers import Rivers, rivers_of
from randomizer.systems.free.landscape.roads import road_costs, road_steps
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.terrain import elevation_of, set_for, terrain_of
from randomizer.systems.free.landscape.terrain_names import RIVER, ROAD, TRACK
from randomizer.systems.free.landscape.towns import add_towns, towns_of
from randomizer.systems.free.system import SYSTEM, WAYS


def landscape(choices: Choices, key: DrawKey, base: Base, grid: Grid, shift: int = 0) -> Generating:
    """Yield the landscape of a key on a grid; ``shift`` as in ``Noise``.

    Raises ProblemError for a chart with unknown terrains.
    """
    terrain_set = set_for(choices, base.terrain_set, SYSTEM.terrain_set)
    noise = Noise(grid, key, shift)
    kept = kept_ground(base, grid)
    relief = yield from _part(relief_steps(grid, choices, noise, kept), 1, 50)
    codes, wet = terrain_of(grid, choices, noise, relief, terrain_set, kept)
    yield 60
    exists = np.zeros(grid.size, np.bool_)
    exists[grid.cells] = True
    land = np.flatnonzero(~relief.water & exists).astype(np.int32)
    rivers = rivers_of(grid, choices, relief, wet, land)
    yield 70
    towns = towns_of(grid, choices, noise, relief, rivers, codes, terrain_set)
    high = np.isin(
        codes, [terrain_set.terrain_code(name) for name in _HIGH if terrain_set.has_terrain(name)]
    )
    add_towns(codes, grid, towns, noise, terrain_set)
    yield 75
    no_links = np.zeros_like(rivers.links)
    way_names = {way.name for way in terrain_set.ways}
    ways = {name: no_links for name in (ROAD, TRACK) if name in way_names}
    ways[RIVER] = rivers.links
    if choices.roads and len(towns) > 1:
        costs = road_costs(codes, rivers, terrain_set, relief.heights)
        ways[ROAD], ways[TRACK] = yield from _part(road_steps(grid, towns, costs), 75, 90)
    yield 90
    values = {
        SYSTEM.terrain.name: codes,
        SYSTEM.height.name: elevation_of(relief, choices, terrain_set),
        **_way_planes(ways, terrain_set),
        **_flow_planes(rivers),
    }
    planes = {}
    for spec in SYSTEM.planes:
        if spec.name in values:
            plane = np.where(exists, values[spec.name], spec.unset)
            planes[spec.name] = plane.reshape(spec.shape(grid)).astype(spec.dtype)
    if choices.names:
        things = named_things(grid, key, towns, rivers, relief, high & exists)
    else:
        things = []
    layer = Layer(0, "", planes=planes, things=Things(things))
    yield 95
    same_grid = grid.same_as(base.grid)
    notes: list[Problem] = []
    if same_grid and base.locked:
        layer, terrain_set = _with_kept(layer, terrain_set, base)
        count = int(base.locked_mask(SYSTEM.terrain).sum())
        message = f"{counted(count, 'locked cell')} kept as they were"
        notes.append(Problem(Severity.HINT, "locked-kept", message))
    yield 100
    return Generated(
        (layer,),
        key.number,
        notes=tuple(notes),
        terrain_set=None if terrain_set == base.terrain_set else terrain_set,
        grid=None if same_grid else grid,
    )


_Result = TypeVar("_Result")


def _part(
    steps: Generator[int, None, _Result], first: int, last: int
) -> Generator[int, None, _Result]:
    """The result of a part of the work, with its progress from ``first`` to ``last`` percent."""
    while True:
        try:
            percent = next(steps)
        except StopIteration as end:
            result: _Result = end.value
            return result
        yield first + (last - first) * percent // 100


FLOW = "flow"
FLOW_WIDTH = "flow_width"
"""The planes of the direction and the width of water."""

_HIGH = ("Mountains", "High mountains", "Volcano")


def _way_planes(ways: Mapping[str, NDArray[np.uint8]], terrain_set: TerrainSet) -> dict[str, Plane]:
    """Return the planes of ways by name; where a way does not run there is none, whatever lies
    below.
    """
    numbers = {way.name: number for number, way in enumerate(terrain_set.ways)}
    return {
        WAYS[numbers[name]].name: np.where(links > 0, links, WAYS[0].default)
        for name, links in ways.items()
    }


def _flow_planes(rivers: Rivers) -> dict[str, Plane]:
    """Return the side by which water leaves each cell, and how wide it is there."""
    flows = rivers.flow > 0
    return {
        FLOW: np.where(flows, rivers.flow | PRESENT, SYSTEM.flow.default),
        FLOW_WIDTH: np.where(flows, rivers.width, 0),
    }


def _with_kept(layer: Layer, terrain_set: TerrainSet, base: Base) -> tuple[Layer, TerrainSet]:
    """Return the layer with what is locked as it was, and the terrain set with the terrains of
    that.

    Ways of the neighbours lead where the locked cells lead.
    """
    locked_planes = {}
    for spec in SYSTEM.shown_planes:
        where = base.locked_mask(spec)
        visible_values = base.shown.planes[spec.name]
        if where.any() and (
            spec.name in layer.planes or (visible_values[where] != spec.default).any()
        ):
            locked_planes[spec.name] = np.where(where, visible_values, spec.unset).astype(
                spec.dtype
            )
    only = Layer(0, "", planes=locked_planes)
    renamed_set = called_as_in(base.terrain_set, terrain_set)
    terrain_set = with_missing(SYSTEM, [only], renamed_set, terrain_set)
    for name, values in translated_layer(SYSTEM, only, renamed_set, terrain_set).planes.items():
        spec = SYSTEM.plane(name)
        where = base.locked_mask(spec)
        plane = layer.planes.get(name, spec.allocate(base.grid))
        plane = np.where(where, values, plane).astype(spec.dtype)
        if spec in WAYS:
            plane = _mended(plane.reshape(-1), where.reshape(-1), base.grid).reshape(plane.shape)
        layer.planes[name] = plane
    _end_flows(layer, terrain_set, base)
    return layer, terrain_set


def _end_flows(layer: Layer, terrain_set: TerrainSet, base: Base) -> None:
    """Let no water flow, but where it is kept, by a side without a river."""
    (river,) = _way_planes({RIVER: np.zeros(1, np.uint8)}, terrain_set)
    links = layer.planes[river]
    for spec in (SYSTEM.flow, SYSTEM.flow_width):
        if spec.name in layer.planes:
            ends = (layer.planes[FLOW] & links & SIDES == 0) & ~base.locked_mask(spec)
            layer.planes[spec.name] = np.where(ends, spec.default, layer.planes[spec.name])


def _mended(links: Plane, locked: NDArray[np.bool_], grid: Grid) -> Plane:
    """Links of which those beside kept cells lead into these exactly where they lead out."""
    mended = links.copy()
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[:, side]
        beside = np.flatnonzero(~locked & (neighbours >= 0) & locked[neighbours])
        leads = (links[neighbours[beside]] >> grid.opposite(side) & 1).astype(np.bool_)
        bits = mended[beside] & SIDES
        bits = np.where(leads, bits | 1 << side, bits & (SIDES - (1 << side)))
        mended[beside] = np.where(bits > 0, bits | PRESENT, WAYS[0].default)
    return mended
