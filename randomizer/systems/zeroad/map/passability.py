"""Works out where units and ships can go, by the shape of the ground alone.

    kinds, codes = passability(battlemap, planes, np.array([cell]))
    kinds[codes[0]].word           # such as "too steep", "" where units can go

The desk colours the map by the result, and ``tiles`` describes a tile by it. What stands on the map
is ignored.

The game moves units of three *passability classes*: ``LAND`` for most units, ``LARGE`` for large
ones, ``SHIP`` for ships. It divides each tile into ``PARTS_PER_TILE`` * ``PARTS_PER_TILE`` parts,
and so does this module. A part is *blocked* for a class if it is too steep, too deep or too shallow
for it, or lies at the rim of the map. A unit has a width, too, so a class cannot enter the parts
that are nearer to a blocked one than its *clearance*::

    . . . + + +       X  blocked for a class with the clearance 1
    . . . + X +       +  too near to it
    . . . + + +       .  can be entered

A tile can be entered if at least half of its parts can.

Source: ``simulation/data/pathfinder.xml`` of the release 0.26 (its classes "default", "large" and
"ship" are ``LAND``, ``LARGE`` and ``SHIP``). The slope of a tile is the difference between its
highest and its lowest corner, as in the game.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.map_edge import MAP_BORDER, round_edge
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.water_height import water_plane_height

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.planes import Plane

PARTS_PER_TILE = 4
"""The parts of the ground along a side of a tile, each a metre wide."""

TILE_METRES = 4.0
"""The width of a tile in metres."""


class PassClass(NamedTuple):
    """A passability class: units that can enter the same ground."""

    min_depth: float
    """The least depth of water, in metres; a depth below 0 is that of land above the water."""

    max_depth: float
    """The greatest depth of water, in metres."""

    max_slope: float
    """The slope, rise by run, from which on the ground is too steep."""

    clearance: int
    """The distance that it keeps from blocked ground, in parts of a tile."""


LAND = PassClass(min_depth=-np.inf, max_depth=2.0, max_slope=1.0, clearance=1)
"""The class of most units."""

LARGE = LAND._replace(clearance=3)
"""The class of large units."""

SHIP = PassClass(min_depth=1.0, max_depth=np.inf, max_slope=np.inf, clearance=10)
"""The class of ships."""

REACH = math.ceil(SHIP.clearance / PARTS_PER_TILE)
"""The distance in tiles within which the ground matters for a tile: the largest clearance."""


class TileKind(NamedTuple):
    """A kind of tiles, by who can go there; ``System.passability`` returns all of them."""

    word: str
    """Its description, for a person; "" for none."""

    effect: str
    """What it does to units: one of ``terrain_check.HINDERS``, or "ships" where only these pass."""


FREE = TileKind("", "")
"""The tiles to which all units can go, large ones too."""

NARROW = TileKind("too narrow for large units", "slows")
"""The tiles to which most units can go, but not large ones."""

STEEP = TileKind("too steep", "ground")
"""The tiles to which neither units nor ships can go, because of their slope."""

HEMMED_IN = TileKind("too narrow for units", "ground")
"""The tiles to which neither units nor ships can go, because of the ground around them.

An example is a single shallow tile in deep water.
"""

SHIPS = TileKind("for ships", "ships")
"""The tiles to which ships alone can go."""

DEEP = TileKind("too deep for units, no room for ships", "all")
"""The tiles under water to which nobody can go."""

RIM = TileKind("", "all")
"""The tiles at the edge of the map. They have no word, since the map shows the edge."""

KINDS = (FREE, NARROW, STEEP, HEMMED_IN, SHIPS, DEEP, RIM)
"""All kinds of tiles. The *code* of a kind is its index here."""


def passability(
    battlemap: BattleMap, planes: Mapping[str, Plane], cells: slice | NDArray[np.intp]
) -> tuple[tuple[TileKind, ...], NDArray[np.intp]]:
    """Return ``KINDS``, and the code of the kind of each of ``cells``, (n,).

    It is the method ``System.passability``; ``planes`` are what the map shows. Only the ground in
    the box around the cells, and up to ``REACH`` tiles beyond it, is looked at.
    """
    width = battlemap.grid.width
    height = battlemap.grid.height
    if isinstance(cells, slice):
        cells = np.arange(cells.start, cells.stop, dtype=np.intp)
    if not len(cells):
        return KINDS, np.zeros(0, np.intp)

    # The box, with the ground around it that matters.
    ys, xs = np.divmod(cells, width)
    left = max(int(xs.min()) - REACH, 0)
    top = max(int(ys.min()) - REACH, 0)
    right = min(int(xs.max()) + REACH, width - 1)
    bottom = min(int(ys.max()) + REACH, height - 1)
    # Of n tiles in a row there are n + 1 corners.
    heights = planes[HEIGHT.name][top : bottom + 2, left : right + 2].astype(np.float32)
    heights /= np.float32(UNITS_PER_METRE)
    ground = _ground_of_box(battlemap, left, top, heights)

    codes = _codes_of_tiles(ground)
    return KINDS, np.asarray(codes[ys - top, xs - left], np.intp)


def _codes_of_tiles(ground: _Ground) -> NDArray[np.intp]:
    """Return the codes of the kinds of all tiles of some ground, (rows, columns).

    Of several kinds that fit a tile the first one counts. One that fits none is level enough, but
    blocked ground is too near: ``HEMMED_IN``.
    """
    is_for_land = _enterable_tiles(LAND, ground)
    is_for_large = _enterable_tiles(LARGE, ground)
    is_for_ships = _enterable_tiles(SHIP, ground)
    masks_by_kind = {
        RIM: _by_tile(ground.is_rim),
        FREE: is_for_land & is_for_large,
        NARROW: is_for_land,
        SHIPS: is_for_ships,
        DEEP: _by_tile(ground.depth > LAND.max_depth),
        STEEP: _by_tile(ground.slope >= LAND.max_slope),
    }
    codes = [KINDS.index(kind) for kind in masks_by_kind]
    return np.select(list(masks_by_kind.values()), codes, KINDS.index(HEMMED_IN))


class _Ground(NamedTuple):
    """The ground of a box of tiles, part by part: arrays of (parts down, parts across)."""

    depth: NDArray[np.float32]
    """The depth of water in the middle of each part, in metres; below 0 on land."""

    slope: NDArray[np.float32]
    """The slope of each part, rise by run: that of its tile."""

    is_rim: NDArray[np.bool_]
    """True for the parts at the edge of the map, which no unit can enter."""


def _ground_of_box(
    battlemap: BattleMap, left: int, top: int, heights: NDArray[np.float32]
) -> _Ground:
    """Return the ground of the box of tiles whose first one is (``left``, ``top``).

    ``heights`` are those of the corners of its tiles in metres, (rows + 1, columns + 1).
    """
    water_height = water_plane_height(battlemap) / UNITS_PER_METRE
    heights_of_parts = _heights_of_parts(heights)
    slopes_of_tiles = _slopes_of_tiles(heights)
    slopes_down = slopes_of_tiles.repeat(PARTS_PER_TILE, axis=0)
    return _Ground(
        depth=np.float32(water_height) - heights_of_parts,
        slope=slopes_down.repeat(PARTS_PER_TILE, axis=1),
        is_rim=_rim(battlemap, left, top, heights_of_parts.shape),
    )


def _slopes_of_tiles(heights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the slopes of tiles, rise by run, from the heights of their corners in metres."""
    corners = np.stack([heights[:-1, :-1], heights[:-1, 1:], heights[1:, :-1], heights[1:, 1:]])
    rises = corners.max(axis=0) - corners.min(axis=0)
    return np.asarray(rises / np.float32(TILE_METRES))


def _heights_of_parts(heights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the heights in the middles of parts, from those of the corners of tiles."""
    heights_down_columns = _interpolated(heights)
    return _interpolated(heights_down_columns.T).T


def _interpolated(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return heights interpolated along the first axis, from corners to the middles of parts.

    The heights of corners, (n + 1, m), become (n * PARTS_PER_TILE, m).
    """
    # The middles of the 4 parts of a tile lie at 1/8, 3/8, 5/8 and 7/8 of the way to its next
    # corner.
    shares = ((np.arange(PARTS_PER_TILE, dtype=np.float32) + 0.5) / PARTS_PER_TILE)[:, None]
    parts = corners[:-1, None] * (1 - shares) + corners[1:, None] * shares
    return np.asarray(parts.reshape(-1, corners.shape[1]))


def _by_tile(parts: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the tiles of which at least half of the parts are marked."""
    rows, columns = parts.shape
    # The four axes: tile row, row in the tile, tile column, column in the tile.
    parts_of_tiles = parts.reshape(
        rows // PARTS_PER_TILE, PARTS_PER_TILE, columns // PARTS_PER_TILE, PARTS_PER_TILE
    )
    marked_count = parts_of_tiles.sum(axis=(1, 3))
    return np.asarray(marked_count * 2 >= PARTS_PER_TILE * PARTS_PER_TILE)


def _rim(battlemap: BattleMap, left: int, top: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return a mask of the parts that lie at the edge of the map, which no unit can enter.

    ``shape`` is that of the parts of a box whose first tile is (``left``, ``top``).
    """
    grid = battlemap.grid
    edge = round_edge(battlemap)
    # The middles of the parts, in tiles from the centre of the map.
    ys = top + (np.arange(shape[0])[:, None] + 0.5) / PARTS_PER_TILE - grid.height / 2
    xs = left + (np.arange(shape[1]) + 0.5) / PARTS_PER_TILE - grid.width / 2
    if edge is not None:
        _outline_radius, walkable_radius = edge
        return np.asarray(np.hypot(xs, ys) > walkable_radius)
    is_beside = np.abs(xs) > grid.width / 2 - MAP_BORDER
    is_above_or_below = np.abs(ys) > grid.height / 2 - MAP_BORDER
    return np.asarray(is_beside | is_above_or_below)


def _enterable_tiles(pass_class: PassClass, ground: _Ground) -> NDArray[np.bool_]:
    """Return which tiles of the ground a class can enter."""
    is_deep_enough = ground.depth >= pass_class.min_depth
    is_shallow_enough = ground.depth <= pass_class.max_depth
    is_too_steep = ground.slope >= pass_class.max_slope
    is_blocked = ~(is_deep_enough & is_shallow_enough) | is_too_steep | ground.is_rim
    # The clearance is kept in a square: first down the columns, then along the rows.
    is_blocked = _grown(is_blocked, pass_class.clearance)
    is_blocked = _grown(is_blocked.T, pass_class.clearance).T
    return _by_tile(~is_blocked)


def _grown(parts: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
    """Return a mask of the marked parts and of those at most ``rows`` rows above or below one."""
    # A part is near a marked one if the window of 2 * rows + 1 rows around it has one. That is so
    # if the running count of marked parts grows within the window: two numbers are compared,
    # however large the window is.
    window = 2 * rows + 1
    counts = np.cumsum(np.pad(parts, ((rows + 1, rows), (0, 0))), axis=0, dtype=np.int32)
    return np.asarray(counts[window:] > counts[:-window])
