"""Finds things that stand badly: outside of a round map, or on ground too steep for a building.

``check_sites`` yields the problems of a map, which ``map_check.check_map`` lists;
``with_site_warning`` warns of things that are about to be placed.

Heights are those of the corners of tiles. A tile has a *rise*: the difference between its lowest
and its highest corner. Those of the tile at the left are 10, 11, 12 and 15, and its rise is 5::

    10---11---11---11
     |    |    |    |
    12---15---15---15

A building stands badly if one of the nine tiles around its middle has too large a rise. The tile at
the right does not count for a building in the one at the left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.model.things.thing_rules import Settled
from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.free_ground import free_tiles, nearest_tile
from randomizer.systems.zeroad.map.map_edge import round_edge
from randomizer.systems.zeroad.map.passability import LAND, TILE_METRES
from randomizer.systems.zeroad.map.planes import HEIGHT
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

MAX_SITES = 10
"""The number of things that have a problem of their own; the others are counted."""

_WHERE_IT_STANDS = {
    OUTSIDE_CIRCLE: "outside of the round map, where nobody sees or reaches it",
    STEEP: "on a slope too steep to build on",
}
"""Where a thing stands, by the code of its problem. In messages these words follow its title."""

_STEEP_RISE = LAND.max_slope * TILE_METRES * UNITS_PER_METRE
"""The rise of a tile from which on it is too steep, in units of the plane of heights.

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

    is_free = free_tiles(battlemap, heights)
    is_level = is_free & _level_tiles(battlemap.grid, heights)
    for site in sites[:MAX_SITES]:
        is_target = is_level
        if site.code == OUTSIDE_CIRCLE and not is_level.any():
            # Any ground of the map is better than none. For a building on a slope it is not: on
            # another slope it would have the same problem again.
            is_target = is_free
        target = nearest_tile(battlemap.grid, is_target, site.tile)
        if target is not None:
            # The next thing gets a tile of its own.
            is_free[target] = False
            is_level[target] = False
        yield _problem_of_site(battlemap.grid, site, target)
    if len(sites) > MAX_SITES:
        yield _problem_of_further_sites(sites[MAX_SITES:])


def with_site_warning(battlemap: BattleMap, things: Sequence[Thing]) -> Settled:
    """Return the things, unchanged, with a warning of the first one that would stand badly.

    It is called while things are moved over the map: ``Settled.words`` are shown beside them.
    """
    for thing in things:
        code: str | None = None
        if _is_outside(battlemap, thing.kind, np.array([[thing.x, thing.y]]))[0]:
            code = OUTSIDE_CIRCLE
        elif group_of(thing.kind) == BUILDING and _is_on_slope(battlemap, thing):
            code = STEEP
        if code is not None:
            return Settled(things, f"{title_of(thing.kind)} {_WHERE_IT_STANDS[code]}")
    return Settled(things)


# --- which things stand badly -------------------------------------------------------------------


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
            is_of_template = arrays.kinds == number
            is_outside |= is_of_template & _is_outside(battlemap, template, arrays.points)
            if group_of(template) == BUILDING:
                is_building |= is_of_template

        # Rises are worked out for buildings only: mostly there are few of them.
        is_on_slope = np.zeros(len(tiles), np.bool_)
        buildings = np.flatnonzero(is_building & is_on_map)
        rows, columns = np.divmod(tiles[buildings], grid.width)
        is_on_slope[buildings] = _steepest_rises(heights, rows, columns) >= _STEEP_RISE

        for index in np.flatnonzero(is_on_map & (is_outside | is_on_slope)).tolist():
            code = STEEP
            if is_outside[index]:
                code = OUTSIDE_CIRCLE
            yield _BadSite(
                id=int(arrays.ids[index]),
                template=arrays.kind_names[arrays.kinds[index]],
                owner=int(arrays.owners[index]),
                tile=int(tiles[index]),
                code=code,
            )


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
    """Return whether the ground below a building would be too steep."""
    grid = battlemap.grid
    tile = grid.cell_at(thing.x, thing.y)
    if tile < 0:
        return False
    column, row = grid.xy(tile)

    # This is asked with each move of the mouse, so only the few heights around the building are
    # looked up. Three tiles in a row have four corners.
    first_row = max(row - _REACH, 0)
    last_row = min(row + _REACH, grid.height - 1)
    first_column = max(column - _REACH, 0)
    last_column = min(column + _REACH, grid.width - 1)
    heights = np.zeros((last_row - first_row + 2, last_column - first_column + 2), np.int64)
    for y, x in np.ndindex(heights.shape):
        heights[y, x] = _visible_height(battlemap, first_row + y, first_column + x)

    row_in_box = np.array([row - first_row])
    column_in_box = np.array([column - first_column])
    return bool(_steepest_rises(heights, row_in_box, column_in_box)[0] >= _STEEP_RISE)


def _visible_height(battlemap: BattleMap, row: int, column: int) -> int:
    """Return the height of a corner as it is seen."""
    corner = row * (battlemap.grid.width + 1) + column
    layer = battlemap.owner(HEIGHT.name, corner)
    if layer is None:
        return int(HEIGHT.default)
    return int(layer.planes[HEIGHT.name].flat[corner])


def _level_tiles(grid: Grid, heights: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return a mask (tiles,) of the tiles with no steep tile around them."""
    rows, columns = np.divmod(np.arange(grid.size, dtype=np.intp), grid.width)
    return _steepest_rises(heights, rows, columns) < _STEEP_RISE


def _steepest_rises(
    heights: NDArray[np.generic], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the largest rise among the tiles up to ``_REACH`` around each of some tiles, (n,).

    ``heights`` are those of the corners of a map, or of a box of it; ``rows`` and ``columns``, (n,)
    each, are those of the tiles in it.
    """
    last_row = heights.shape[0] - 2
    last_column = heights.shape[1] - 2
    steepest = np.zeros(len(rows), np.int64)
    for down in range(-_REACH, _REACH + 1):
        for right in range(-_REACH, _REACH + 1):
            # At the edge of the map a tile stands for the missing ones beyond it.
            ys = np.clip(rows + down, 0, last_row)
            xs = np.clip(columns + right, 0, last_column)
            corners = np.stack(
                [heights[ys, xs], heights[ys, xs + 1], heights[ys + 1, xs], heights[ys + 1, xs + 1]]
            ).astype(np.int64)
            steepest = np.maximum(steepest, corners.max(axis=0) - corners.min(axis=0))
    return steepest


# --- their problems -----------------------------------------------------------------------------


def _problem_of_site(grid: Grid, site: _BadSite, target: int | None) -> Problem:
    """Return the problem of a thing; ``target`` is the tile where its fix puts it.

    Without a target the thing can only be removed.
    """
    remove = Fix("remove it", things=(ThingChange(site.id, is_removed=True),))
    first_fix: Fix | None = None
    if target is not None:
        title = "put it on the nearest level ground"
        if site.code == OUTSIDE_CIRCLE:
            title = "put it inside the map"
        change = ThingChange(site.id, position=grid.centre(target))
        first_fix = Fix(title, things=(change,))
    return Problem(
        Severity.WARNING,
        site.code,
        f"{title_of(site.template)}: it stands {_WHERE_IT_STANDS[site.code]}",
        cell=site.tile,
        fix=first_fix,
        other_fixes=(remove,),
    )


def _problem_of_further_sites(sites: Sequence[_BadSite]) -> Problem:
    """Return the problem that counts things which have none of their own.

    It has the code and the tile of the first of them, so that the map shows where that is.
    """
    count = counted(len(sites), "more thing stands", "more things stand")
    removals = tuple(ThingChange(site.id, is_removed=True) for site in sites)
    return Problem(
        Severity.WARNING,
        sites[0].code,
        f"{count} outside of the round map or on ground too steep to build on",
        cell=sites[0].tile,
        other_fixes=(Fix("remove them", things=removals),),
    )
