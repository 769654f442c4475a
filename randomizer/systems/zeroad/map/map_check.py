"""What the game would mind of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.corners import heights_around
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.systems.zeroad.installation.game_names import names_of, unknown_names
from randomizer.systems.zeroad.installation.installations import find
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.entity_kinds import owners_of, stands_on_land, title_of
from randomizer.systems.zeroad.map.map_data import FIRST_ID
from randomizer.systems.zeroad.map.passability import LAND
from randomizer.systems.zeroad.map.planes import HEIGHT, MOST, TEXTURE
from randomizer.systems.zeroad.map.records import (
    CAMERA,
    ENVIRONMENT,
    MAP_BORDER,
    record_data,
    round_edge,
    settings_of_map,
    water_level,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.thing_index import ThingArrays

MOST_ENTITIES = MOST - FIRST_ID + 1

OUTSIDE = "entity-outside"
STRANGER = "entity-player"
"""Codes of problems of entities outside the map, and of players that are not there."""

IN_WATER = "entity-in-water"
"""The code of problems of things of the land that stand in deep water."""

MOST_IN_WATER = 10
"""So many things in deep water have a problem of their own, the others are counted."""


def check_map(battlemap: BattleMap, composite: Composite) -> tuple[Problem, ...]:
    """Return the warnings of the game for a map, those that are found at once: ``System.check``."""
    return (*_quick_problems(battlemap), *_problems_in_water(battlemap, composite))


def _quick_problems(battlemap: BattleMap) -> Iterator[Problem]:
    count = sum(len(layer.things) for layer in battlemap.layers if layer.visible)
    if count > MOST_ENTITIES:
        message = f"The map has {count:,} entities, {MOST_ENTITIES:,} are the most"
        yield Problem(Severity.ERROR, "entities-many", message)
    for name in (CAMERA, ENVIRONMENT):
        if name in battlemap.records and record_data(battlemap.records, name) is None:
            message = f"The {name} is no JSON: it is left out of files"
            yield Problem(Severity.WARNING, "record-json", message)


def check_names(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Warnings of names on a map that the first installed game lacks; none without a game."""
    game = next(iter(find()), None)
    if game is None:
        return ()
    kinds = {kind for layer in battlemap.layers if layer.visible for kind in layer.things.kinds}
    used = np.unique(battlemap.composite().planes[TEXTURE.name]).tolist()
    textures = [
        terrain.name for code, terrain in enumerate(battlemap.terrain_set.terrains) if code in used
    ]
    return unknown_names(names_of(kinds, textures, settings_of_map(battlemap)), game.mods)


def check_entities(battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the warnings of the game for the entities of a map: those outside, those of no
    player.
    """
    grid = battlemap.grid
    players = len(owners_of(settings_of_map(battlemap)))
    outside = strangers = 0
    for layer in battlemap.layers:
        if layer.visible:
            arrays = layer.things.arrays()
            outside += int((grid.cells_at(arrays.points) < 0).sum())
            strangers += int(((arrays.owners < 0) | (arrays.owners >= players)).sum())
    problems = []
    if outside:
        message = f"{counted(outside, 'entity', 'entities')} outside the map"
        problems.append(Problem(Severity.WARNING, OUTSIDE, message))
    if strangers:
        message = f"{counted(strangers, 'entity', 'entities')} of players that are not there"
        problems.append(Problem(Severity.WARNING, STRANGER, message))
    return tuple(problems)


# --- deep water ---------------------------------------------------------------------------------


def _problems_in_water(battlemap: BattleMap, composite: Composite) -> Iterator[Problem]:
    """Yield the things of the land that stand where no unit can wade to, the first ones by name.

    What the scripts of the game and of other authors place so is never reached by a player.
    """
    heights = composite.planes[HEIGHT.name]
    in_water: list[tuple[int, str, int, float]] = []
    """Id, template, tile and depth in metres."""
    for layer in battlemap.layers:
        if layer.visible and layer.things:
            arrays = _land_things(layer.things.arrays())
            cells = battlemap.grid.cells_at(arrays.points)
            depths = water_level(battlemap) - _heights_at(heights, arrays.points)
            depths /= UNITS_PER_METRE
            for row in np.flatnonzero((cells >= 0) & (depths > LAND.most_depth)).tolist():
                template = arrays.kind_names[arrays.kinds[row]]
                in_water.append((int(arrays.ids[row]), template, int(cells[row]), depths[row]))
    if not in_water:
        return
    free = _dry_tiles(battlemap, heights)
    for thing_id, template, cell, depth in in_water[:MOST_IN_WATER]:
        message = f"{title_of(template)}: it stands {depth:.1f} m deep in water, where no unit goes"
        remove = Fix("remove it", things=(ThingChange(thing_id, is_removed=True),))
        shore = _nearest(battlemap.grid, free, cell)
        if shore is None:
            fixes = [remove]
        else:
            free[shore] = False  # the next one gets a tile of its own
            place = battlemap.grid.centre(shore)
            move = Fix("put it on the nearest land", things=(ThingChange(thing_id, place=place),))
            fixes = [move, remove]
        yield Problem(
            Severity.WARNING,
            IN_WATER,
            message,
            cell=cell,
            fix=fixes[0],
            other_fixes=tuple(fixes[1:]),
        )
    further = in_water[MOST_IN_WATER:]
    if further:
        words = counted(len(further), "more thing stands", "more things stand")
        removals = tuple(
            ThingChange(thing_id, is_removed=True) for thing_id, _name, _cell, _depth in further
        )
        yield Problem(
            Severity.WARNING,
            IN_WATER,
            f"{words} in deep water",
            cell=further[0][2],
            other_fixes=(Fix("remove them", things=removals),),
        )


def _land_things(arrays: ThingArrays) -> ThingArrays:
    """Return those of the things that have to stand on land."""
    of_land = [stands_on_land(template) for template in arrays.kind_names]
    return arrays.some(np.array(of_land, np.bool_)[arrays.kinds])


def _heights_at(heights: NDArray[np.generic], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the height of the ground (n,) at points (n, 2) in map units, as the game has it.

    Between the corners of a tile, ``heights`` (rows + 1, columns + 1), it is interpolated in both
    directions. Points outside the map have the height of its rim.
    """
    rows = heights.shape[0] - 1
    columns = heights.shape[1] - 1
    xs = np.clip(points[:, 0] + 0.5, 0, columns)
    ys = np.clip(points[:, 1] + 0.5, 0, rows)
    left = np.minimum(xs.astype(np.intp), columns - 1)
    top = np.minimum(ys.astype(np.intp), rows - 1)
    share_x = xs - left
    share_y = ys - top
    upper = heights[top, left] * (1 - share_x) + heights[top, left + 1] * share_x
    lower = heights[top + 1, left] * (1 - share_x) + heights[top + 1, left + 1] * share_x
    return np.asarray(upper * (1 - share_y) + lower * share_y, np.float64)


def _dry_tiles(battlemap: BattleMap, heights: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return which tiles (n,) lie above the water and have room: units reach them, none has a
    thing.
    """
    grid = battlemap.grid
    corners = heights_around(grid, heights, slice(0, grid.size))
    free = corners.mean(axis=0) >= water_level(battlemap)
    ys, xs = np.divmod(np.arange(grid.size, dtype=np.intp), grid.width)
    from_middle_x = np.abs(xs + 0.5 - grid.width / 2)
    from_middle_y = np.abs(ys + 0.5 - grid.height / 2)
    edge = round_edge(battlemap)
    if edge is None:
        free &= from_middle_x < grid.width / 2 - MAP_BORDER
        free &= from_middle_y < grid.height / 2 - MAP_BORDER
    else:
        free &= np.hypot(from_middle_x, from_middle_y) < edge[1]
    for layer in battlemap.layers:
        if layer.visible and layer.things:
            cells = grid.cells_at(layer.things.arrays().points)
            free[cells[cells >= 0]] = False
    return np.asarray(free)


def _nearest(grid: Grid, free: NDArray[np.bool_], tile: int) -> int | None:
    """Return the free tile nearest to another one, None where none is free."""
    tiles = np.flatnonzero(free)
    if not len(tiles):
        return None
    ys, xs = np.divmod(tiles, grid.width)
    x, y = grid.xy(tile)
    return int(tiles[np.argmin((xs - x) ** 2 + (ys - y) ** 2)])
