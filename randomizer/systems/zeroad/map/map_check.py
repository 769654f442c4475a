"""The faults that the game or its players would find on a map.

``check_map`` is quick enough for each change of a map; ``check_names`` and ``check_entities`` are
asked before a map is written or played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Fix, Problem, Severity, ThingChange, ValueChange
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.free_ground import free_tiles, nearest_tile
from randomizer.systems.zeroad.map.map_data import FIRST_ID
from randomizer.systems.zeroad.map.owners import owners_of
from randomizer.systems.zeroad.map.passability import LAND
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, TEXTURE
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    record_data,
    settings_of_map,
    water_level,
)
from randomizer.systems.zeroad.map.shared_spots import check_shared_spots
from randomizer.systems.zeroad.map.site_check import check_sites
from randomizer.systems.zeroad.map.template_groups import (
    BUILDING,
    group_of,
    stands_on_land,
    title_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.thing_index import ThingArrays

MOST_ENTITIES = MOST - FIRST_ID + 1
"""The most entities of a map: so many ids are free."""

OUTSIDE = "entity-outside"
"""The code of the problem of entities outside the map."""

STRANGER = "entity-player"
"""The code of the problem of entities whose owner is no player of the map."""

IN_WATER = "entity-in-water"
"""The code of problems of things of the land that stand in deep water."""

MOST_IN_WATER = 10
"""The number of things in deep water that have a problem of their own; the others are counted.

With more the list of problems shows little else on a map whose water was raised.
"""


MOST_DEPTH_OF_BUILDINGS = 0.5
"""How deep in water the middle of a building may stand, in metres.

The game lets nobody build in water at all; so much the ground at a shore may dip below a building.
"""


_ISLAND_RADIUS = 7
"""The radius of the level ground that is raised below a building, in tiles: half the diagonal of a
civil centre. With less a corner of it stands in water."""

_ISLAND_HEIGHT = 1.0
"""The height of that ground above the water, in metres."""

_ISLAND_SLOPE = 2.0
"""The fall of its shores, in metres a tile: units walk on shores half as steep as the limit."""


def check_map(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return the warnings of the game for a map, those that are found at once: ``System.check``."""
    return (
        *_quick_problems(battlemap),
        *_problems_of_strangers(battlemap),
        *_problems_in_water(battlemap, composite),
        *check_sites(battlemap, composite),
        *check_shared_spots(battlemap),
    )


def _quick_problems(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem of too many entities, and one for each record that is damaged."""
    count = sum(len(layer.things) for layer in battlemap.layers if layer.visible)
    if count > MOST_ENTITIES:
        message = f"The map has {count:,} entities, {MOST_ENTITIES:,} are the most"
        yield Problem(Severity.ERROR, "entities-many", message)
    for name in (CAMERA, ENVIRONMENT):
        if name in battlemap.records and record_data(battlemap.records, name) is None:
            message = f"The {name} is no JSON: it is left out of files"
            yield Problem(Severity.WARNING, "record-json", message)


def check_names(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return warnings of names that the first installed game lacks; none without a game."""
    games = find()
    if not games:
        return ()
    templates = set[str]()
    for layer in battlemap.layers:
        if layer.visible:
            templates.update(layer.things.kinds)
    codes_in_use = np.unique(battlemap.composite().planes[TEXTURE.name]).tolist()
    terrains = battlemap.terrain_set.terrains
    textures = [terrains[code].name for code in codes_in_use if code < len(terrains)]
    names = names_of(templates, textures, settings_of_map(battlemap))
    return unknown_names(names, games[0].mods)


def check_entities(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the warning of the game for entities outside a map."""
    outside = 0
    for layer in battlemap.layers:
        if layer.visible:
            points = layer.things.arrays().points
            outside += int((battlemap.grid.cells_at(points) < 0).sum())
    if not outside:
        return ()
    message = f"{counted(outside, 'entity', 'entities')} outside the map"
    return (Problem(Severity.WARNING, OUTSIDE, message),)


def _problems_of_strangers(battlemap: BattleMap) -> Iterator[Problem]:
    """Yield a problem if there are entities whose owner is no player of the map."""
    owner_count = len(owners_of(settings_of_map(battlemap)))
    count = 0
    first_tile = None
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        arrays = layer.things.arrays()
        strangers = arrays.some((arrays.owners < 0) | (arrays.owners >= owner_count))
        count += len(strangers.owners)
        tiles = battlemap.grid.cells_at(strangers.points)
        if first_tile is None:
            first_tile = next((tile for tile in tiles.tolist() if tile >= 0), None)
    if count:
        words = counted(count, "thing belongs", "things belong")
        message = f"{words} to players that this map does not have"
        yield Problem(Severity.WARNING, STRANGER, message, cell=first_tile)


# --- deep water ---------------------------------------------------------------------------------


def _problems_in_water(battlemap: BattleMap, composite: Composite) -> Iterator[Problem]:
    """Yield a problem for each thing of the land that stands where no unit can wade to.

    A player never reaches such a mine or tree. The first ones have problems of their own, which
    offer to put them on land; the others are one problem together.
    """
    heights = composite.planes[HEIGHT.name]
    things = _things_in_water(battlemap, heights)
    if not things:
        return
    is_free = free_tiles(battlemap, heights)
    raised_heights = heights.copy()
    for thing in things[:MOST_IN_WATER]:
        shore = nearest_tile(battlemap.grid, is_free, thing.tile)
        if shore is not None:
            is_free[shore] = False  # the next thing gets a tile of its own
        island = None
        if group_of(thing.template) == BUILDING:
            level = water_level(battlemap) + _ISLAND_HEIGHT * UNITS_PER_METRE
            island = _raise_ground(heights, raised_heights, thing.point, level)
        yield _problem_in_water(battlemap.grid, thing, shore, island)
    further_things = things[MOST_IN_WATER:]
    if further_things:
        words = counted(len(further_things), "more thing stands", "more things stand")
        removals = tuple(ThingChange(thing.id, is_removed=True) for thing in further_things)
        yield Problem(
            Severity.WARNING,
            IN_WATER,
            f"{words} in deep water",
            cell=further_things[0].tile,
            other_fixes=(Fix("remove them", things=removals),),
        )


class _ThingInWater(NamedTuple):
    """A thing of the land in deep water."""

    id: int
    template: str
    owner: int
    """The number of its player, 0 for Gaia."""
    point: tuple[float, float]
    """Where it stands, in map units."""
    tile: int
    depth: float
    """In metres."""


def _things_in_water(battlemap: BattleMap, heights: NDArray[np.generic]) -> list[_ThingInWater]:
    """Return the things of the land on visible layers that stand deeper than a unit can wade, and
    the buildings that stand in water.
    """
    things = list[_ThingInWater]()
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        arrays = _land_things(layer.things.arrays())
        tiles = battlemap.grid.cells_at(arrays.points)
        depths = water_level(battlemap) - _heights_at(heights, arrays.points)
        depths /= UNITS_PER_METRE
        are_buildings = [group_of(template) == BUILDING for template in arrays.kind_names]
        is_building = np.array(are_buildings, np.bool_)[arrays.kinds]
        most_depths = np.where(is_building, MOST_DEPTH_OF_BUILDINGS, LAND.most_depth)
        for row in np.flatnonzero((tiles >= 0) & (depths > most_depths)).tolist():
            thing = _ThingInWater(
                id=int(arrays.ids[row]),
                template=arrays.kind_names[arrays.kinds[row]],
                owner=int(arrays.owners[row]),
                point=(float(arrays.points[row, 0]), float(arrays.points[row, 1])),
                tile=int(tiles[row]),
                depth=depths[row],
            )
            things.append(thing)
    return things


def _raise_ground(
    heights: NDArray[np.generic],
    raised_heights: NDArray[np.generic],
    point: tuple[float, float],
    level: float,
) -> Fix:
    """Return the fix that raises an island around a point, up to ``level``.

    ``heights`` are those of the corners. ``raised_heights`` have the islands of earlier fixes; this
    one is added to them. Where islands meet each fix has the higher ground, since of fixes that are
    applied together the last one counts.
    """
    slope = _ISLAND_SLOPE * UNITS_PER_METRE
    reach = _ISLAND_RADIUS + level / slope
    corner_x = point[0] + 0.5
    corner_y = point[1] + 0.5
    first_x = max(0, int(corner_x - reach))
    first_y = max(0, int(corner_y - reach))
    box = np.s_[first_y : int(corner_y + reach) + 1, first_x : int(corner_x + reach) + 1]

    ys, xs = np.indices(heights[box].shape)
    distances = np.hypot(xs + first_x - corner_x, ys + first_y - corner_y)
    island = level - np.maximum(distances - _ISLAND_RADIUS, 0) * slope
    is_raised = island > heights[box]
    np.maximum(
        raised_heights[box],
        np.round(island),
        out=raised_heights[box],
        where=is_raised,
        casting="unsafe",
    )
    changes = []
    for y, x in np.argwhere(is_raised).tolist():
        row = y + first_y
        column = x + first_x
        corner = row * heights.shape[1] + column
        changes.append(ValueChange(HEIGHT.name, corner, int(raised_heights[row, column])))
    return Fix("raise the ground under it", values=tuple(changes))


def _problem_in_water(
    grid: Grid, thing: _ThingInWater, shore: int | None, island: Fix | None
) -> Problem:
    """Return the problem of a thing in deep water.

    ``shore`` is the tile to put it on, ``island`` the fix that raises the ground; None for none.
    """
    title = title_of(thing.template)
    reason = "where no unit goes"
    if thing.depth <= LAND.most_depth:
        reason = "where nobody can build"
    message = f"{title}: it stands {thing.depth:.1f} m deep in water, {reason}"
    fixes = []
    if shore is not None:
        change = ThingChange(thing.id, place=grid.centre(shore))
        fixes.append(Fix("put it on the nearest land", things=(change,)))
    if island is not None:
        fixes.append(island)
    remove = Fix("remove it", things=(ThingChange(thing.id, is_removed=True),))
    fixes.append(remove)

    # Fix all takes nothing away from a player.
    first_fix: Fix | None = fixes[0]
    if first_fix is remove and thing.owner > 0:
        first_fix = None
    other_fixes = tuple(fix for fix in fixes if fix is not first_fix)
    return Problem(
        Severity.WARNING,
        IN_WATER,
        message,
        cell=thing.tile,
        fix=first_fix,
        other_fixes=other_fixes,
    )


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
