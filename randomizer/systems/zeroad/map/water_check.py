"""Finds things that stand in water too deep for them, and offers ways out of it.

``check_water`` yields the problems of a map, which ``map_check.check_map`` lists. A mine or a tree
in deep water is of no use, since no unit can wade there; a building could not be built. The fixes
of a problem, where they are possible, are these: the thing is put on the nearest land, an island
is raised below a building, the thing is removed.

Heights are those of the corners of tiles: arrays (rows + 1, columns + 1) in units of the height
plane (``UNITS_PER_METRE``). Depths are in metres where
their names say so (``depth_m``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, ThingChange, ValueChange
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.free_ground import free_tiles, nearest_tile
from randomizer.systems.zeroad.map.passability import LAND
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.template_groups import (
    BUILDING,
    group_of,
    stands_on_land,
    title_of,
)
from randomizer.systems.zeroad.map.water_height import water_plane_height

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.thing_index import ThingArrays

IN_WATER = "entity-in-water"
"""The code of problems of things of the land that stand in deep water."""

MAX_IN_WATER = 10
"""The number of things in deep water that have a problem of their own; the others are counted.

With more the list of problems shows little else on a map whose water was raised.
"""

MAX_DEPTH_OF_BUILDINGS = 0.5
"""How deep in water the middle of a building may stand, in metres.

The game lets nobody build in water at all; so much the ground at a shore may dip below a building.
"""

_ISLAND_RADIUS = 7
"""The radius of the level ground that is raised below a building, in tiles.

It is half the diagonal of a civil centre: with less a corner of it stands in water.
"""

_ISLAND_HEIGHT = 1.0
"""The height of that ground above the water, in metres."""

_ISLAND_SLOPE = 2.0
"""The fall of its shores, in metres a tile: units walk on shores half as steep as the limit."""


def check_water(battlemap: BattleMap, composite: Composite) -> Iterator[Problem]:
    """Yield a problem for each of the first things that stand too deep in water, then one more.

    The last one is that of all further things together.
    """
    heights = composite.planes[HEIGHT.name]
    things = _things_in_water(battlemap, heights)
    if not things:
        return

    is_free = free_tiles(battlemap, heights)
    # The ground with all islands so far. Where islands meet, a fix has the higher ground of them:
    # of fixes that are applied together, the last one counts.
    raised_heights = heights.copy()
    island_level = water_plane_height(battlemap) + _ISLAND_HEIGHT * UNITS_PER_METRE
    for thing in things[:MAX_IN_WATER]:
        fixes = []
        shore = nearest_tile(battlemap.grid, is_free, thing.tile)
        if shore is not None:
            is_free[shore] = False  # the next thing gets a tile of its own
            change = ThingChange(thing.id, position=battlemap.grid.centre(shore))
            fixes.append(Fix("put it on the nearest land", things=(change,)))
        if thing.is_building:
            island = _island_around(thing.point, island_level, heights)
            island.add_to(raised_heights)
            changes = island.changes_to(raised_heights)
            fixes.append(Fix("raise the ground under it", values=changes))
        yield _problem_of_thing(thing, fixes)

    further_things = things[MAX_IN_WATER:]
    if further_things:
        yield _problem_of_further_things(further_things)


# --- things ---------------------------------------------------------------------------------------


class _ThingInWater(NamedTuple):
    """A thing of the land in deep water."""

    id: int

    template: str

    owner: int
    """The number of its player, 0 for Gaia."""

    point: tuple[float, float]
    """Where it stands, in map units."""

    tile: int

    depth_m: float
    """The depth of the water there, in metres."""

    @property
    def is_building(self) -> bool:
        """True for a building of a player or of Gaia."""
        return group_of(self.template) == BUILDING


def _things_in_water(battlemap: BattleMap, heights: NDArray[np.generic]) -> list[_ThingInWater]:
    """Return the things on visible layers that stand too deep in water.

    They are buildings where nobody can build, and other things of the land where no unit can wade.
    """
    things = list[_ThingInWater]()
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        arrays = _land_things(layer.things.arrays())
        tiles = battlemap.grid.cells_at(arrays.points)
        depths = water_plane_height(battlemap) - _heights_at(heights, arrays.points)
        depths_m = depths / UNITS_PER_METRE
        are_buildings = [group_of(template) == BUILDING for template in arrays.kind_names]
        is_building = np.array(are_buildings, np.bool_)[arrays.kinds]
        most_depths_m = np.where(is_building, MAX_DEPTH_OF_BUILDINGS, LAND.max_depth)
        is_on_map = tiles >= 0
        for row in np.flatnonzero(is_on_map & (depths_m > most_depths_m)).tolist():
            thing = _ThingInWater(
                id=int(arrays.ids[row]),
                template=arrays.kind_names[arrays.kinds[row]],
                owner=int(arrays.owners[row]),
                point=(float(arrays.points[row, 0]), float(arrays.points[row, 1])),
                tile=int(tiles[row]),
                depth_m=float(depths_m[row]),
            )
            things.append(thing)
    return things


def _land_things(arrays: ThingArrays) -> ThingArrays:
    """Return those of the things that have to stand on land."""
    are_of_land = [stands_on_land(template) for template in arrays.kind_names]
    return arrays.some(np.array(are_of_land, np.bool_)[arrays.kinds])


def _heights_at(heights: NDArray[np.generic], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of the ground (n,) at points (n, 2) in map units, as the game has it.

    ``heights`` are those of the corners of tiles, (rows + 1, columns + 1). In between the height is
    interpolated in both directions. Points outside the map have the height of its rim.
    """
    rows = heights.shape[0] - 1
    columns = heights.shape[1] - 1
    # Map units count from the centre of the first tile, half a tile from its corner.
    xs = np.clip(points[:, 0] + 0.5, 0, columns)
    ys = np.clip(points[:, 1] + 0.5, 0, rows)
    left = np.minimum(xs.astype(np.intp), columns - 1)
    top = np.minimum(ys.astype(np.intp), rows - 1)
    share_x = xs - left
    share_y = ys - top
    upper = heights[top, left] * (1 - share_x) + heights[top, left + 1] * share_x
    lower = heights[top + 1, left] * (1 - share_x) + heights[top + 1, left + 1] * share_x
    return np.asarray(upper * (1 - share_y) + lower * share_y, np.float64)


# --- islands --------------------------------------------------------------------------------------


class _Island(NamedTuple):
    r"""The ground that is raised below a building: level in the middle, with shores around::

                 _________        the level
                /         \
        _______/           \___   the ground as it is
    """

    rows: slice

    columns: slice
    """With ``rows`` the box of corners in which the island lies."""

    heights: NDArray[np.float64]
    """The height of the island at each corner of the box."""

    is_raised: NDArray[np.bool_]
    """True for each corner of the box where the island is above the ground."""

    def add_to(self, heights: NDArray[np.generic]) -> None:
        """Raise the ground of the map to the island, in place, where it is lower."""
        box_heights = heights[self.rows, self.columns]
        np.maximum(
            box_heights,
            np.round(self.heights),
            out=box_heights,
            where=self.is_raised,
            casting="unsafe",  # from float64 to the integers of the plane
        )

    def changes_to(self, heights: NDArray[np.generic]) -> tuple[ValueChange, ...]:
        """Return the changes that give the corners of the island these heights of the map."""
        changes = []
        for row_in_box, column_in_box in np.argwhere(self.is_raised).tolist():
            row = self.rows.start + row_in_box
            column = self.columns.start + column_in_box
            corner = row * heights.shape[1] + column
            changes.append(ValueChange(HEIGHT.name, corner, int(heights[row, column])))
        return tuple(changes)


def _island_around(
    point: tuple[float, float], level: float, heights: NDArray[np.generic]
) -> _Island:
    """Return the island up to ``level`` around a point in map units; ``heights`` is the ground."""
    # Its shores fall from the level down to the height 0, the lowest that there is.
    slope = _ISLAND_SLOPE * UNITS_PER_METRE
    reach = _ISLAND_RADIUS + level / slope

    # Map units count from the centre of the first tile, half a tile from the first corner.
    middle_column = point[0] + 0.5
    middle_row = point[1] + 0.5
    rows = slice(max(0, int(middle_row - reach)), int(middle_row + reach) + 1)
    columns = slice(max(0, int(middle_column - reach)), int(middle_column + reach) + 1)
    ground = heights[rows, columns]

    rows_in_box, columns_in_box = np.indices(ground.shape)
    distances = np.hypot(
        columns_in_box + columns.start - middle_column, rows_in_box + rows.start - middle_row
    )
    island_heights = level - np.maximum(distances - _ISLAND_RADIUS, 0) * slope
    return _Island(rows, columns, island_heights, island_heights > ground)


# --- problems -------------------------------------------------------------------------------------


def _problem_of_thing(thing: _ThingInWater, fixes: Sequence[Fix]) -> Problem:
    """Return the problem of a thing; ``fixes`` are those that keep it, the best one first."""
    if thing.depth_m > LAND.max_depth:
        reason = "where no unit goes"
    else:
        reason = "where nobody can build"
    title = title_of(thing.template)
    remove = Fix("remove it", things=(ThingChange(thing.id, is_removed=True),))
    # The first fix is that of “Fix all”, which must not take anything away from a player.
    first_fix = None
    if fixes:
        first_fix = fixes[0]
    elif thing.owner <= 0:
        first_fix = remove
    other_fixes = tuple(fix for fix in (*fixes, remove) if fix is not first_fix)
    return Problem(
        Severity.WARNING,
        IN_WATER,
        f"{title}: it stands {thing.depth_m:.1f} m deep in water, {reason}",
        cell=thing.tile,
        fix=first_fix,
        other_fixes=other_fixes,
    )


def _problem_of_further_things(things: Sequence[_ThingInWater]) -> Problem:
    """Return the one problem of several things, which offers to remove all of them."""
    words = counted(len(things), "more thing stands", "more things stand")
    removals = tuple(ThingChange(thing.id, is_removed=True) for thing in things)
    return Problem(
        Severity.WARNING,
        IN_WATER,
        f"{words} in deep water",
        cell=things[0].tile,
        other_fixes=(Fix("remove them", things=removals),),
    )
