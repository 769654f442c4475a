"""Makes a landscape: relief, climate, terrain, rivers, towns, roads and names in one layer.

``landscape`` is what the generator runs. Each stage looks at what those before it have made, and
has a module of its own; read the modules in this order::

    relief.py       the heights, the sea and the lakes           _Ground
    terrain.py      the terrain of each cell, from the climate
    rivers.py       rivers, down the relief                      _Rivers
    towns.py        towns, where rivers and terrain are good
    roads.py        roads from town to town                      _Ways
    names.py        names of all of these

Where cells are locked, the stages build around them (locked_ground.py, joined_rivers.py,
locked_ways.py), and at the end the locked values are put back (locked_values.py).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Generating
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Plane
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.joined_rivers import joined_rivers
from randomizer.systems.free.landscape.links import Links
from randomizer.systems.free.landscape.locked_ground import LockedGround, locked_ground
from randomizer.systems.free.landscape.locked_values import locked_cells_notes, with_locked_values
from randomizer.systems.free.landscape.locked_ways import LockedWays, join_roads, locked_ways
from randomizer.systems.free.landscape.names import NamedLand, named_things
from randomizer.systems.free.landscape.noise import Field, Noise
from randomizer.systems.free.landscape.relief import Relief, relief_steps
from randomizer.systems.free.landscape.rivers import Rivers, rivers_of
from randomizer.systems.free.landscape.roads import road_costs, road_steps
from randomizer.systems.free.landscape.settings import Choices
from randomizer.systems.free.landscape.terrain import elevation_of, set_for, terrain_of
from randomizer.systems.free.landscape.terrain_names import ICE, RIVER, ROAD, TRACK
from randomizer.systems.free.landscape.towns import (
    LockedLand,
    Town,
    TownLand,
    add_towns,
    towns_of,
)
from randomizer.systems.free.landscape.tributaries import Sources
from randomizer.systems.free.system import SYSTEM, WAYS

_HIGH_TERRAINS = ("Mountains", "High mountains", "Volcano")
"""The terrains of which areas get names of mountains; a terrain set can lack some of them."""

_HILLY_TERRAINS = ("Hills", *_HIGH_TERRAINS)
"""The terrains in which rivers rise if these are near."""

_DRY_TERRAINS = ("Desert", "Badlands")
"""The terrains in which no river rises; a terrain set can lack some of them."""

_Result = TypeVar("_Result")

Marks = NDArray[np.bool_]
"""A truth value for each cell, (cells,)."""


@dataclass(frozen=True, eq=False)
class _Task:
    """The input of all stages of a landscape."""

    key: DrawKey
    choices: Choices
    base: Base
    """The map below the roll."""

    grid: Grid
    """The grid of the landscape, which may be another one than that of the base."""

    noise: Noise
    terrain_set: TerrainSet

    locked_ground: LockedGround | None
    """The ground of locked cells, None if none is locked."""

    locked_ways: LockedWays | None
    """The rivers and roads of locked cells, None if none is locked."""

    @property
    def exists(self) -> Marks:
        """The cells that are on the map: a grid can hide some."""
        exists = np.zeros(self.grid.size, np.bool_)
        exists[self.grid.cells] = True
        return exists

    def is_one_of(self, names: Iterable[str], codes: NDArray[np.int64]) -> Marks:
        """Return which cells are of a terrain with one of the names."""
        codes_of_names = []
        for name in names:
            if self.terrain_set.has_terrain(name):
                codes_of_names.append(self.terrain_set.terrain_code(name))
        return np.isin(codes, codes_of_names)


def landscape(choices: Choices, key: DrawKey, base: Base, grid: Grid, shift: int = 0) -> Generating:
    """Yield the landscape of a key on a grid; ``shift`` as in ``Noise``.

    Raises ProblemError for a chart with unknown terrains.
    """
    task = _Task(
        key=key,
        choices=choices,
        base=base,
        grid=grid,
        noise=Noise(grid, key, shift),
        terrain_set=set_for(choices, base.terrain_set, SYSTEM.terrain_set),
        locked_ground=locked_ground(base, grid),
        locked_ways=locked_ways(base, grid),
    )
    ground = yield from _ground_steps(task)
    yield 60
    rivers = _make_rivers(task, ground)
    yield 70
    towns = _make_towns(task, ground, rivers)
    codes = ground.codes.copy()
    add_towns(codes, grid, towns, task.noise, task.terrain_set)
    yield 75
    ways = yield from _way_steps(task, codes, ground, rivers, towns)
    yield 90
    values = {
        SYSTEM.terrain.name: codes,
        SYSTEM.height.name: elevation_of(ground.relief, choices, task.terrain_set),
        **_way_planes(ways.links, task.terrain_set),
        **_flow_planes(rivers),
    }
    things = _make_names(task, codes, ground, rivers, towns)
    layer = Layer(0, "", planes=_make_planes(task, values), things=Things(things))
    yield 95

    terrain_set = task.terrain_set
    notes: list[Problem] = []
    has_same_grid = grid.same_as(base.grid)
    if has_same_grid and base.locked:
        layer, terrain_set = with_locked_values(layer, terrain_set, base)
        notes = locked_cells_notes(base, ways.road_ends)
    yield 100
    generated = Generated((layer,), key.number, notes=tuple(notes))
    # What the map has already is left at None.
    if terrain_set != base.terrain_set:
        generated = replace(generated, terrain_set=terrain_set)
    if not has_same_grid:
        generated = replace(generated, grid=grid)
    return generated


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


# --- the stages ----------------------------------------------------------------------------------


class _Ground(NamedTuple):
    """The land and its terrain."""

    relief: Relief

    codes: NDArray[np.int64]
    """The terrain of each cell, without towns, (cells,)."""

    moisture: Field
    """(cells,)"""


def _ground_steps(task: _Task) -> Generator[int, None, _Ground]:
    """Return the ground; yields progress up to 50."""
    relief_work = relief_steps(task.grid, task.choices, task.noise, task.locked_ground)
    relief = yield from _scaled_progress(relief_work, first=1, last=50)
    codes, moisture = terrain_of(
        task.grid, task.choices, task.noise, relief, task.terrain_set, task.locked_ground
    )
    return _Ground(relief, codes, moisture)


def _make_rivers(task: _Task, ground: _Ground) -> Rivers:
    """Return the rivers, led on from the border of locked cells."""
    land = np.flatnonzero(~ground.relief.water & task.exists).astype(np.int32)
    sources = Sources(
        is_hilly=task.is_one_of(_HILLY_TERRAINS, ground.codes),
        is_dry=task.is_one_of(_DRY_TERRAINS, ground.codes),
    )
    rivers = rivers_of(task.grid, task.choices, ground.relief, ground.moisture, land, sources)
    if task.locked_ways is None:
        return rivers
    return joined_rivers(rivers, ground.relief, task.locked_ways)


def _make_towns(task: _Task, ground: _Ground, rivers: Rivers) -> list[Town]:
    """Return the towns, none of them on locked cells or near a locked town."""
    locked = LockedLand(
        is_locked=None if task.locked_ways is None else task.locked_ways.is_locked,
        towns=[] if task.locked_ground is None else task.locked_ground.towns,
    )
    land = TownLand(ground.relief, rivers, ground.codes, task.terrain_set)
    return towns_of(task.grid, task.choices, task.noise, land, locked)


class _Ways(NamedTuple):
    """Rivers, roads and tracks."""

    links: dict[str, Links]
    """The link planes by the names of the ways."""

    road_ends: int
    """The number of roads that end at the border of locked cells."""


def _way_steps(
    task: _Task, codes: NDArray[np.int64], ground: _Ground, rivers: Rivers, towns: list[Town]
) -> Generator[int, None, _Ways]:
    """Return the ways; yields progress from 75 to 90. ``codes`` are the terrains with towns."""
    # Roads and tracks that the terrain set has are set even if there are none, so that no road of
    # the map below runs through the landscape.
    way_names = {way.name for way in task.terrain_set.ways}
    links = {}
    for name in (ROAD, TRACK):
        if name in way_names:
            links[name] = np.zeros(task.grid.size, np.uint8)
    links[RIVER] = rivers.links

    costs = road_costs(codes, rivers, task.terrain_set, ground.relief.heights)
    if task.locked_ways is not None:
        costs[task.locked_ways.is_locked] = np.inf
    if task.choices.roads and len(towns) > 1:
        road_work = road_steps(task.grid, towns, costs)
        links[ROAD], links[TRACK] = yield from _scaled_progress(road_work, first=75, last=90)
    road_ends = 0
    if task.locked_ways is not None:
        roads = {name: links[name] for name in (ROAD, TRACK) if name in links}
        road_ends = join_roads(roads, towns, costs, task.locked_ways)
    return _Ways(links, road_ends)


def _make_names(
    task: _Task, codes: NDArray[np.int64], ground: _Ground, rivers: Rivers, towns: list[Town]
) -> list[Thing]:
    """Return the names of the landscape as things; ``codes`` are the terrains with towns."""
    if not task.choices.names:
        return []
    land = NamedLand(
        towns,
        rivers,
        ground.relief,
        # A town takes the place of the terrain, so the high cells are those without towns.
        is_high=task.is_one_of(_HIGH_TERRAINS, ground.codes) & task.exists,
        is_frozen=task.is_one_of((ICE,), codes),
    )
    return named_things(task.grid, task.key, land, task.locked_ground, task.base.kept_names)


# --- planes --------------------------------------------------------------------------------------


def _make_planes(task: _Task, values: Mapping[str, NDArray[Any]]) -> dict[str, Plane]:
    """Return the planes of a layer from values of cells, (cells,) each, by name of plane."""
    exists = task.exists
    planes = {}
    for spec in SYSTEM.planes:
        if spec.name in values:
            plane = np.where(exists, values[spec.name], spec.unset)
            planes[spec.name] = plane.reshape(spec.shape(task.grid)).astype(spec.dtype)
    return planes


def _way_planes(links_of_ways: Mapping[str, Links], terrain_set: TerrainSet) -> dict[str, Plane]:
    """Return the planes of ways by name of plane, from their links by name of way.

    Where a way does not run, the plane says that there is none, whatever lies below.
    """
    planes = {}
    for index, way in enumerate(terrain_set.ways):
        if way.name in links_of_ways:
            links = links_of_ways[way.name]
            planes[WAYS[index].name] = np.where(links > 0, links, WAYS[0].default)
    return planes


def _flow_planes(rivers: Rivers) -> dict[str, Plane]:
    """Return the planes of the side by which water leaves each cell, and of its width there.

    The width is in quarters of a usual river.
    """
    flows = rivers.flow > 0
    return {
        SYSTEM.flow.name: np.where(flows, rivers.flow | PRESENT, SYSTEM.flow.default),
        SYSTEM.flow_width.name: np.where(flows, rivers.width, 0),
    }
