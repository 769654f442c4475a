"""Makes a landscape: relief, climate, terrain, rivers, towns, roads and names in one layer.

``landscape`` is what the generator runs: read it first, then the module of each stage in its order.
*Kept ground* is that of locked cells (kept_ground.py).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey, Generating
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Problem, Severity
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.kept_ground import kept_ground
from randomizer.systems.free.landscape.locked_ways import joined_rivers, joined_roads, locked_ways
from randomizer.systems.free.landscape.names import named_things
from randomizer.systems.free.landscape.noise import Noise
from randomizer.systems.free.landscape.relief import relief_steps
from randomizer.systems.free.landscape.rivers import Rivers, rivers_of
from randomizer.systems.free.landscape.roads import road_costs, road_steps
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.terrain import elevation_of, set_for, terrain_of
from randomizer.systems.free.landscape.terrain_names import ICE, RIVER, ROAD, TRACK
from randomizer.systems.free.landscape.towns import add_towns, towns_of
from randomizer.systems.free.landscape.tributaries import Sources
from randomizer.systems.free.system import SYSTEM, WAYS

FLOW = "flow"
"""The plane of the side by which water leaves each cell."""

FLOW_WIDTH = "flow_width"
"""The plane of the width of water, in quarters of a usual river."""

_HIGH_TERRAINS = ("Mountains", "High mountains", "Volcano")
"""The terrains of which areas get names of mountains; a terrain set can lack some of them."""

_HILLY_TERRAINS = ("Hills", *_HIGH_TERRAINS)
"""The terrains in which rivers rise if these are near."""

_DRY_TERRAINS = ("Desert", "Badlands")
"""The terrains in which no river rises; a terrain set can lack some of them."""

_Result = TypeVar("_Result")


def landscape(choices: Choices, key: DrawKey, base: Base, grid: Grid, shift: int = 0) -> Generating:
    """Yield the landscape of a key on a grid; ``shift`` as in ``Noise``.

    Raises ProblemError for a chart with unknown terrains.
    """
    terrain_set = set_for(choices, base.terrain_set, SYSTEM.terrain_set)
    noise = Noise(grid, key, shift)
    exists = np.zeros(grid.size, np.bool_)
    exists[grid.cells] = True

    # The ground: heights, climate and terrain.
    locked_ground = kept_ground(base, grid)
    relief_work = relief_steps(grid, choices, noise, locked_ground)
    relief = yield from _scaled_progress(relief_work, first=1, last=50)
    codes, moisture = terrain_of(grid, choices, noise, relief, terrain_set, locked_ground)
    yield 60

    # What runs and stands on it: each of these looks at those before it.
    land = np.flatnonzero(~relief.water & exists).astype(np.int32)
    sources = Sources(
        is_hilly=_is_one_of(_HILLY_TERRAINS, codes, terrain_set),
        is_dry=_is_one_of(_DRY_TERRAINS, codes, terrain_set),
    )
    rivers = rivers_of(grid, choices, relief, moisture, land, sources)
    locked = locked_ways(base, grid)
    is_locked = None
    if locked is not None:
        is_locked = locked.is_locked
        rivers = joined_rivers(rivers, relief, locked)
    yield 70
    kept_towns: list[int] = []
    if locked_ground is not None:
        kept_towns = locked_ground.towns
    towns = towns_of(
        grid, choices, noise, relief, rivers, codes, terrain_set, is_locked, kept_towns
    )
    # A town takes the place of the terrain, so the high cells are looked up before.
    is_high = _is_one_of(_HIGH_TERRAINS, codes, terrain_set)
    add_towns(codes, grid, towns, noise, terrain_set)
    yield 75
    ways = _ways_without_links(grid, terrain_set)
    ways[RIVER] = rivers.links
    costs = road_costs(codes, rivers, terrain_set, relief.heights)
    if is_locked is not None:
        costs[is_locked] = np.inf
    if choices.roads and len(towns) > 1:
        road_work = road_steps(grid, towns, costs)
        ways[ROAD], ways[TRACK] = yield from _scaled_progress(road_work, first=75, last=90)
    road_ends = 0
    if locked is not None:
        roads = {name: ways[name].copy() for name in (ROAD, TRACK) if name in ways}
        road_ends = joined_roads(roads, towns, costs, locked)
        ways.update(roads)
    yield 90

    # The layer, with what is locked as it was.
    values = {
        SYSTEM.terrain.name: codes,
        SYSTEM.height.name: elevation_of(relief, choices, terrain_set),
        **_way_planes(ways, terrain_set),
        **_flow_planes(rivers),
    }
    things: list[Thing] = []
    if choices.names:
        is_high &= exists
        is_frozen = _is_one_of((ICE,), codes, terrain_set)
        things = named_things(
            grid, key, towns, rivers, relief, is_high, is_frozen, locked_ground, base.kept_names
        )
    layer = Layer(0, "", planes=_planes(values, grid, exists), things=Things(things))
    yield 95
    has_same_grid = grid.same_as(base.grid)
    notes: list[Problem] = []
    if has_same_grid and base.locked:
        layer, terrain_set = _with_kept(layer, terrain_set, base)
        notes = _notes_on_locked_cells(base, road_ends)
    yield 100
    generated = Generated((layer,), key.number, notes=tuple(notes))
    # What the map has already is left at None.
    if terrain_set != base.terrain_set:
        generated = replace(generated, terrain_set=terrain_set)
    if not has_same_grid:
        generated = replace(generated, grid=grid)
    return generated


def _notes_on_locked_cells(base: Base, road_ends: int) -> list[Problem]:
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


def _scaled_progress(
    steps: Generator[int, None, _Result], first: int, last: int
) -> Generator[int, None, _Result]:
    """Return the result of some steps; yield their progress, 0 to 100, as ``first`` to ``last``."""
    while True:
        try:
            percent = next(steps)
        except StopIteration as end:
            result: _Result = end.value
            return result
        yield first + (last - first) * percent // 100


def _is_one_of(
    names: Iterable[str], codes: NDArray[np.int64], terrain_set: TerrainSet
) -> NDArray[np.bool_]:
    """Return whether each cell is of a terrain with one of the names, (cells,)."""
    codes_of_names = []
    for name in names:
        if terrain_set.has_terrain(name):
            codes_of_names.append(terrain_set.terrain_code(name))
    return np.isin(codes, codes_of_names)


def _ways_without_links(grid: Grid, terrain_set: TerrainSet) -> dict[str, NDArray[np.uint8]]:
    """Return empty link planes by name, of roads and tracks that the terrain set has.

    They are set in the layer, so that no road of the map below runs through the landscape.
    """
    way_names = {way.name for way in terrain_set.ways}
    no_links = np.zeros(grid.size, np.uint8)
    return {name: no_links for name in (ROAD, TRACK) if name in way_names}


def _planes(
    values: Mapping[str, NDArray[Any]], grid: Grid, exists: NDArray[np.bool_]
) -> dict[str, Plane]:
    """Return the planes of a layer from values of cells, (cells,) each, by name of plane."""
    planes = {}
    for spec in SYSTEM.planes:
        if spec.name in values:
            plane = np.where(exists, values[spec.name], spec.unset)
            planes[spec.name] = plane.reshape(spec.shape(grid)).astype(spec.dtype)
    return planes


def _way_planes(ways: Mapping[str, NDArray[np.uint8]], terrain_set: TerrainSet) -> dict[str, Plane]:
    """Return the planes of ways by name of plane, from their links by name of way.

    Where a way does not run, the plane says that there is none, whatever lies below.
    """
    planes = {}
    for number, way in enumerate(terrain_set.ways):
        if way.name in ways:
            links = ways[way.name]
            planes[WAYS[number].name] = np.where(links > 0, links, WAYS[0].default)
    return planes


def _flow_planes(rivers: Rivers) -> dict[str, Plane]:
    """Return the side by which water leaves each cell, and how wide it is there."""
    flows = rivers.flow > 0
    return {
        FLOW: np.where(flows, rivers.flow | PRESENT, SYSTEM.flow.default),
        FLOW_WIDTH: np.where(flows, rivers.width, 0),
    }


def _with_kept(layer: Layer, terrain_set: TerrainSet, base: Base) -> tuple[Layer, TerrainSet]:
    """Return the layer with the locked values put back, and a terrain set with their terrains.

    Ways of cells beside locked ones lead into these exactly where they lead out.
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
            links = _mended(plane.reshape(-1), is_locked.reshape(-1), base.grid)
            plane = links.reshape(plane.shape)
        layer.planes[name] = plane
    _end_flows(layer, terrain_set, base)
    return layer, terrain_set


def _end_flows(layer: Layer, terrain_set: TerrainSet, base: Base) -> None:
    """Let no water flow by a side without a river, except where the flow is locked.

    The river of a rolled cell can end beside locked cells, which have none: see ``_mended``.
    """
    (river,) = _way_planes({RIVER: np.zeros(1, np.uint8)}, terrain_set)
    links = layer.planes[river]
    for spec in (SYSTEM.flow, SYSTEM.flow_width):
        if spec.name in layer.planes:
            ends = (layer.planes[FLOW] & links & SIDES == 0) & ~base.locked_mask(spec)
            layer.planes[spec.name] = np.where(ends, spec.default, layer.planes[spec.name])


def _mended(links: Plane, locked: NDArray[np.bool_], grid: Grid) -> Plane:
    """Return links of which those beside locked cells lead into these exactly where they lead out.

    ``links`` and ``locked`` have shape (cells,).
    """
    mended = links.copy()
    for side in range(grid.degree):
        neighbours = grid.neighbour_table[:, side]
        # The cells with a locked neighbour on this side, and whether a way leads from it to them.
        cells = np.flatnonzero(~locked & (neighbours >= 0) & locked[neighbours])
        leads_here = (links[neighbours[cells]] >> grid.opposite(side) & 1).astype(np.bool_)
        sides = mended[cells] & SIDES
        sides = np.where(leads_here, sides | 1 << side, sides & (SIDES - (1 << side)))
        mended[cells] = np.where(sides > 0, sides | PRESENT, WAYS[0].default)
    return mended
