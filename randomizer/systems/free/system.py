"""Free maps as a ``System``: maps of landscapes in any layout and size, with any terrain set.

    battlemap = free_map(SQUARE, 40, 30)       # an empty map of one layer

``SYSTEM`` describes to the rest of the program what a free map can have: its planes (terrain,
elevation, hexsides, ways, flowing water, regions), properties and kinds of things. Modules that are
needed only after the main window is painted first are imported inside the methods. Methods without
a docstring have it in ``System``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import NO_REGION
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.model.system.abilities import Ability
from randomizer.model.system.property import scale_property, text_property
from randomizer.model.system.system import LANDSCAPE, System
from randomizer.model.terrain.terrain import MAX_WAYS, TerrainSet
from randomizer.systems.colossus.system import EDGE_FILLS, ELEVATION, HEXSIDE, TERRAIN
from randomizer.systems.free.packaged_sets import LANDSCAPE as LANDSCAPE_SET
from randomizer.systems.free.packaged_sets import PACKAGED_SETS, packaged_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from randomizer.model.planes.composite import Composite
    from randomizer.model.planes.planes import Plane
    from randomizer.model.problems import Problem
    from randomizer.model.things.thing_kind import ThingKind

GROUND = "Ground"
"""The name of a new map's first layer."""

MAX_CELLS = 1_000_000
"""The largest number of cells of a free map."""

_NEW_MAP_COLUMNS = 24
"""The columns of a new map."""

_NEW_MAP_ROWS = 18
"""The rows of a new map."""

UNSET_WAY = 0x80
"""The value of a way by which a layer leaves a cell to the layers below: no route has this bit.

The 0xFF of other planes would be a route that leaves a hex by all sides.
"""

WAYS = tuple(
    PlaneSpec(f"way{number}", "u1", Element.CELL, unset=UNSET_WAY, default=0, links=True)
    for number in range(1, MAX_WAYS + 1)
)
"""A plane for each of the ways of a terrain set, such as rivers and roads, in the order of the set.

A value is a mask of the sides by which the way leaves the cell (``routes``).
"""

FLOW = PlaneSpec("flow", "u1", Element.CELL, unset=UNSET_WAY, default=0, links=True, one_way=True)
"""The side by which water leaves a cell: a mask as in ``WAYS``, with the bit of one side."""

FLOW_WIDTH = PlaneSpec("flow_width", "u1", Element.CELL, unset=0, default=0, minimum=1, maximum=16)
"""The width of the water that leaves a cell, in quarters of its way's width."""

REGION = PlaneSpec("region", "u2", Element.CELL, unset=NO_REGION, default=NO_REGION)
"""The code of the region that a cell is in (model/map/regions.py)."""


class FreeSystem(System):
    """Free maps; their cells are named by column and row, as the map says."""

    name = "free"
    title = "Free map"
    title_in_lists = "Landscape or free map"
    begins_rolled = True
    planes = (TERRAIN, ELEVATION, HEXSIDE, *WAYS, FLOW, FLOW_WIDTH, REGION)
    ways = WAYS
    flow = FLOW
    flow_width = FLOW_WIDTH
    regions = REGION
    terrain = TERRAIN
    height = ELEVATION
    hexside = HEXSIDE
    style = LANDSCAPE
    properties = (
        text_property("title", "Title", "The name of the map"),
        text_property("subtitle", "Subtitle", "The line below the title; may be empty"),
        scale_property(),
    )
    title_property = "title"
    edge_fills = EDGE_FILLS
    terrain_noun = "terrain"
    abilities = frozenset({Ability.ROLLS, Ability.SETTINGS})
    users_edit_terrain_sets = True
    own_cell_names = True
    packaged_terrains = PACKAGED_SETS

    @cached_property
    def terrain_set(self) -> TerrainSet:  # type: ignore[override]
        """The packaged set that new maps begin with; it is read when it is first needed."""
        return packaged_set(LANDSCAPE_SET)

    def packaged_terrain_set(self, name: str) -> TerrainSet:
        return packaged_set(name)

    def new_grid(self) -> Grid:
        return Grid(FLAT, _NEW_MAP_COLUMNS, _NEW_MAP_ROWS)

    def thing_kinds(self, _battlemap: Any) -> tuple[ThingKind, ...]:
        from randomizer.systems.free.things import KINDS  # not needed before the first paint

        return KINDS

    def check(self, battlemap: Any, composite: Composite) -> tuple[Problem, ...]:
        """Return the warnings about a map: routes, rivers and towns out of place."""
        from randomizer.systems.free.misplaced import rivers_without_mouth, settlements_at_sea

        return (
            *super().check(battlemap, composite),
            *rivers_without_mouth(battlemap, composite),
            *settlements_at_sea(battlemap, composite),
        )

    def accompanying_changes(
        self,
        grid: Grid,
        composite: Composite,
        plane: str,
        elements: NDArray[np.intp],
        values: Plane,
    ) -> Mapping[str, Plane]:
        """Return the elevations of water that is painted (``level_water``); else nothing."""
        from randomizer.systems.free.level_water import elevations_of_water

        if plane != TERRAIN.name:
            return {}
        terrain = composite.planes[TERRAIN.name].reshape(-1)
        elevation = composite.planes[ELEVATION.name].reshape(-1)
        levels = elevations_of_water(
            grid, composite.terrain_set, terrain, elevation, cells=elements, painted=values
        )
        if levels is None:
            return {}
        return {ELEVATION.name: levels}

    @property
    def quick_kinds(self) -> tuple[str, ...]:
        from randomizer.systems.free.things import CITY, LABEL, NOTE, TOWN

        return LABEL, TOWN, CITY, NOTE

    @cached_property
    def text_kinds(self) -> frozenset[str]:
        return frozenset(kind.name for kind in self.thing_kinds(None) if kind.inscription)


SYSTEM = FreeSystem()


def free_map(
    layout: Layout,
    width: int,
    height: int,
    *,
    wrap: bool = False,
    terrain_set: TerrainSet | None = None,
    assets: Assets = NO_ASSETS,
) -> BattleMap:
    """Return an empty map of ``width`` x ``height`` cells with one layer.

    ``terrain_set`` is None for the usual one; ``assets`` are the pictures that it names. Raises
    ValueError for more than ``MAX_CELLS`` cells, and for a size that ``Grid`` does not accept.
    """
    if width * height > MAX_CELLS:
        raise ValueError(f"a map has at most {MAX_CELLS:,} cells, not {width} x {height}")
    grid = Grid(layout, width, height, wrap=wrap)
    return BattleMap.new(SYSTEM, grid, [Layer(1, GROUND)], terrain_set, assets)
