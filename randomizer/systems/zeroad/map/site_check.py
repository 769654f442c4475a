"""Finds things that stand badly: outside of a round map, or on ground too steep for a building.

``check_sites`` yields the problems of a map, which ``map_check.check_map`` lists; ``remark_on``
warns of things that are about to be placed.

Heights are those of the corners of tiles. A tile with the corners 10, 12, 11 and 15 has a *rise* of
5, from its lowest to its highest corner; a building stands badly if the rise of a tile around its
middle is too large.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.model.things.thing_rules import Settled
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.free_ground import free_tiles, nearest_tile
from randomizer.systems.zeroad.map.passability import LAND, TILE_METRES
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import round_edge
from randomizer.systems.zeroad.map.template_groups import BUILDING, DECORATION, group_of, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.composite import Composite
    from randomizer.model.things.things import Thing

OUTSIDE_CIRCLE = "entity-outside-circle"
"""The code of problems of things outside of a round map."""

STEEP = "entity-steep"
"""The code of problems of buildings on steep ground."""

MOST_SITES = 10
"""The number of things that have a problem of their own; the others are counted."""

_REASONS = {
    OUTSIDE_CIRCLE: "outside of the round map, where nobody sees or reaches it",
    STEEP: "on a slope too steep to build on",
}
"""How a thing stands, by the code of its problem."""

_MOST_RISE = LAND.most_slope * TILE_METRES * UNITS_PER_METRE
"""The rise within a tile from which on it is too steep, in units of the plane of heights.

``pathfinder.xml`` of the release 0.26 has the same slope for "building-land" as for units.
"""

_REACH = 1
"""The tiles to each side of the middle of a building whose rise counts.

They are as wide as the smallest towers. A larger building may stand on ground that is steep only
below its rim: that is hardly seen.
"""


class _BadSite(NamedTuple):
    """A thing that stands badly."""

    id: int
    """The id of the thing."""

    template: str
    """Its kind."""

    owner: int
    """The number of its player, 0 for Gaia."""

    tile: int
    """The tile that it stands on."""

    code: str
    """Why it stands badly: the code of its problem."""


def check_sites(battlemap: BattleMap, composite: Composite) -> Iterator[Problem]:
    """Yield a problem for each thing that stands badly: the first ones alone, the others counted.

    Things of players come first. Their fix puts them on free, level ground.
    """
    heights = composite.planes[HEIGHT.name]
    sites = list(_bad_sites(battlemap, heights))
    if not sites:
        return
    # Things of players first, Gaia's behind them.
    sites.sort(key=lambda site: site.owner == 0)

    # Fixes put things on free, level tiles; where no free tile is level, on any free one.
    is_free = free_tiles(battlemap, heights)
    is_level = is_free & _level_tiles(battlemap.grid, heights)
    if is_level.any():
        is_free = is_level
    for site in islice(sites, MOST_SITES):
        tile = nearest_tile(battlemap.grid, is_free, site.tile)
        if tile is not None:
            is_free[tile] = False  # the next thing gets a tile of its own
        yield _problem_of_site(battlemap.grid, site, tile)
    if len(sites) > MOST_SITES:
        yield _problem_of_further_sites(sites[MOST_SITES:])


def _problem_of_further_sites(sites: Sequence[_BadSite]) -> Problem:
    """Return the problem that counts things which have none of their own."""
    count = counted(len(sites), "more thing stands", "more things stand")
    removals = tuple(ThingChange(site.id, is_removed=True) for site in sites)
    return Problem(
        Severity.WARNING,
        sites[0].code,
        f"{count} outside of the round map or on ground too steep to build on",
        cell=sites[0].tile,
        other_fixes=(Fix("remove them", things=removals),),
    )


def remark_on(battlemap: BattleMap, things: Sequence[Thing]) -> Settled:
    """Return the things as they are, with a remark on the first one that would stand badly."""
    for thing in things:
        code: str | None = None
        if _is_outside(battlemap, thing.kind, np.array([[thing.x, thing.y]]))[0]:
            code = OUTSIDE_CIRCLE
        elif group_of(thing.kind) == BUILDING and _is_on_slope(battlemap, thing):
            code = STEEP
        if code is not None:
            return Settled(things, f"{title_of(thing.kind)} {_REASONS[code]}")
    return Settled(things)


def _bad_sites(battlemap: BattleMap, heights: NDArray[np.generic]) -> Iterator[_BadSite]:
    """Yield the things of visible layers that stand badly, layer by layer.

    ``heights`` are those of the corners, (rows + 1, columns + 1).
    """
    grid = battlemap.grid
    for layer in battlemap.layers:
        if not layer.visible or not layer.things:
            continue
        arrays = layer.things.arrays()
        tiles = grid.cells_at(arrays.points)
        is_on_map = tiles >= 0

        # What a thing may do depends on its template, so templates are looked at one by one.
        is_outside = np.zeros(len(tiles), np.bool_)
        is_building = np.zeros(len(tiles), np.bool_)
        for number, template in enumerate(arrays.kind_names):
            is_of_kind = arrays.kinds == number
            is_outside |= is_of_kind & _is_outside(battlemap, template, arrays.points)
            if group_of(template) == BUILDING:
                is_building |= is_of_kind
        is_steep = np.zeros(len(tiles), np.bool_)
        buildings = np.flatnonzero(is_building & is_on_map)
        is_steep[buildings] = _steepest_rises(grid, heights, tiles[buildings]) >= _MOST_RISE

        for index in np.flatnonzero(is_on_map & (is_outside | is_steep)).tolist():
            code = STEEP
            if is_outside[index]:
                code = OUTSIDE_CIRCLE
            template = arrays.kind_names[arrays.kinds[index]]
            owner = int(arrays.owners[index])
            yield _BadSite(int(arrays.ids[index]), template, owner, int(tiles[index]), code)


def _is_outside(
    battlemap: BattleMap, template: str, points: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which points (n, 2), in map units, lie outside of a round map, as a mask (n,).

    Decorations may lie there: scripts and Atlas put some behind the edge.
    """
    edge = round_edge(battlemap)
    if edge is None or group_of(template) == DECORATION:
        return np.zeros(len(points), np.bool_)
    outline_radius, _walkable_radius = edge
    # Map units count from the centre of the first tile, half a tile from its corner.
    xs = points[:, 0] + 0.5 - battlemap.grid.width / 2
    ys = points[:, 1] + 0.5 - battlemap.grid.height / 2
    return np.asarray(np.hypot(xs, ys) > outline_radius)


def _is_on_slope(battlemap: BattleMap, thing: Thing) -> bool:
    """Return whether the ground below a building would be too steep.

    Only the corners around it are looked up: it is asked with each move of the mouse.
    """
    grid = battlemap.grid
    tile = grid.cell_at(thing.x, thing.y)
    if tile < 0:
        return False
    column, row = grid.xy(tile)
    rows = range(max(row - _REACH, 0), min(row + _REACH + 1, grid.height - 1) + 2)
    columns = range(max(column - _REACH, 0), min(column + _REACH + 1, grid.width - 1) + 2)
    heights = np.zeros((len(rows), len(columns)), np.int64)
    for y, corner_row in enumerate(rows):
        for x, corner_column in enumerate(columns):
            heights[y, x] = _visible_height(battlemap, corner_row, corner_column)
    return bool(_rises(heights).max() >= _MOST_RISE)


def _visible_height(battlemap: BattleMap, row: int, column: int) -> int:
    """Return the height of a corner as it is seen."""
    corner = row * (battlemap.grid.width + 1) + column
    layer = battlemap.owner(HEIGHT.name, corner)
    if layer is None:
        return int(HEIGHT.default)
    return int(layer.planes[HEIGHT.name].flat[corner])


def _steepest_rises(
    grid: Grid, heights: NDArray[np.generic], tiles: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the largest rise of a tile among those around each of ``tiles``, (n,)."""
    # Not ``_rises`` of the whole map: mostly there are few buildings on it.
    rows, columns = np.divmod(tiles, grid.width)
    steepest = np.zeros(len(tiles), np.int64)
    for down in range(-_REACH, _REACH + 1):
        for right in range(-_REACH, _REACH + 1):
            # At the edge of the map a tile stands for the missing ones beyond it.
            ys = np.clip(rows + down, 0, grid.height - 1)
            xs = np.clip(columns + right, 0, grid.width - 1)
            corners = np.stack(
                [heights[ys, xs], heights[ys, xs + 1], heights[ys + 1, xs], heights[ys + 1, xs + 1]]
            ).astype(np.int64)
            steepest = np.maximum(steepest, corners.max(axis=0) - corners.min(axis=0))
    return steepest


def _rises(heights: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return the rise of each tile, (rows, columns), from the heights of its corners."""
    signed = heights.astype(np.int64)
    corners = np.stack([signed[:-1, :-1], signed[:-1, 1:], signed[1:, :-1], signed[1:, 1:]])
    return np.asarray(corners.max(axis=0) - corners.min(axis=0))


def _level_tiles(grid: Grid, heights: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return a mask (tiles,) of the tiles with no steep tile around them."""
    all_tiles = np.arange(grid.size, dtype=np.intp)
    return _steepest_rises(grid, heights, all_tiles) < _MOST_RISE


def _problem_of_site(grid: Grid, site: _BadSite, tile: int | None) -> Problem:
    """Return the problem of a thing; ``tile`` is where its fix puts it, None for nowhere."""
    remove = Fix("remove it", things=(ThingChange(site.id, is_removed=True),))
    first_fix: Fix | None = None
    if tile is not None:
        title = "put it on the nearest level ground"
        if site.code == OUTSIDE_CIRCLE:
            title = "put it inside the map"
        change = ThingChange(site.id, position=grid.centre(tile))
        first_fix = Fix(title, things=(change,))
    return Problem(
        Severity.WARNING,
        site.code,
        f"{title_of(site.template)}: it stands {_REASONS[site.code]}",
        cell=site.tile,
        fix=first_fix,
        other_fixes=(remove,),
    )
