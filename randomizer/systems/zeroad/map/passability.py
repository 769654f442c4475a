"""Where units and ships can go by the ground alone, by the game's passability classes.

As the game does it: the ground is looked at in ``FINE`` x ``FINE`` parts a tile. A class may not
enter what is too steep, too deep or too shallow for it, nor the rim of the map, nor what is nearer
to such a part than its clearance. Source: ``simulation/data/pathfinder.xml`` of the release 0.26
(its ``default``, ``large`` and ``ship`` are ``LAND``, ``LARGE`` and ``SHIP``); the slope of a tile
is the difference between its highest and its lowest corner, as in the game. What stands on the
map is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.zeroad.map.coordinates import UNITS_PER_METRE
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import MAP_BORDER, round_edge, water_level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.planes.planes import Plane

FINE = 4
"""A tile has so many parts in a row: each is a metre wide."""

METRES = 4.0
"""The width of a tile."""


class PassClass(NamedTuple):
    """A class of units: depths of water (metres), slopes (rise by run), clearance (parts)."""

    least_depth: float
    most_depth: float
    most_slope: float
    clearance: int


LAND = PassClass(-np.inf, 2.0, 1.0, 1)
LARGE = LAND._replace(clearance=3)
SHIP = PassClass(1.0, np.inf, np.inf, 10)

REACH = -(-SHIP.clearance // FINE)
"""What a tile is depends on tiles at most so many steps away."""

FREE, NARROW, STEEP, SHIPS, DEEP, RIM = range(6)

KINDS = (
    ("", ""),
    ("too narrow for large units", "slows"),
    ("too steep", "ground"),
    ("for ships", "ships"),
    ("too deep for units, no room for ships", "all"),
    ("", "all"),
)
"""As in ``System.passability``; of the rim the map shows that it is one."""


def passability(
    battlemap: BattleMap, planes: Mapping[str, Plane], cells: slice | NDArray[np.intp]
) -> tuple[tuple[tuple[str, str], ...], NDArray[np.intp]]:
    """Return ``KINDS``, and which of them some tiles are, as ``System.passability``."""
    width = battlemap.grid.width
    height = battlemap.grid.height
    if isinstance(cells, slice):
        cells = np.arange(cells.start, cells.stop, dtype=np.intp)
    if not len(cells):
        return KINDS, np.zeros(0, np.intp)
    ys, xs = np.divmod(cells, width)
    left = max(int(xs.min()) - REACH, 0)
    top = max(int(ys.min()) - REACH, 0)
    right = min(int(xs.max()) + REACH, width - 1)
    bottom = min(int(ys.max()) + REACH, height - 1)
    metres = planes[HEIGHT.name][top : bottom + 2, left : right + 2].astype(np.float32)
    metres /= np.float32(UNITS_PER_METRE)
    depth = np.float32(water_level(battlemap) / UNITS_PER_METRE) - _in_parts(_in_parts(metres).T).T
    corners = np.stack([metres[:-1, :-1], metres[:-1, 1:], metres[1:, :-1], metres[1:, 1:]])
    slope = _repeated((corners.max(axis=0) - corners.min(axis=0)) / np.float32(METRES))
    out = _rim(battlemap, left, top, depth.shape)
    land, large, ship = (_free(each, depth, slope, out) for each in (LAND, LARGE, SHIP))
    deep = _by_tile(depth > LAND.most_depth)
    result = np.select(
        [_by_tile(out), land & large, land, ship, deep], [RIM, FREE, NARROW, SHIPS, DEEP], STEEP
    )
    return KINDS, np.asarray(result[ys - top, xs - left], np.intp)


def _in_parts(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the heights in the middle of each part along the first axis: (n + 1, m) to (n * FINE,
    m).
    """
    shares = ((np.arange(FINE, dtype=np.float32) + 0.5) / FINE)[:, None]
    parts = corners[:-1, None] * (1 - shares) + corners[1:, None] * shares
    return np.asarray(parts.reshape(-1, corners.shape[1]))


def _repeated(tiles: NDArray[np.float32]) -> NDArray[np.float32]:
    return tiles.repeat(FINE, axis=0).repeat(FINE, axis=1)


def _by_tile(parts: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether at least half of the parts of each tile are marked."""
    rows, columns = parts.shape
    tiles = parts.reshape(rows // FINE, FINE, columns // FINE, FINE)
    return np.asarray(tiles.sum(axis=(1, 3)) * 2 >= FINE * FINE)


def _rim(battlemap: BattleMap, left: int, top: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which parts, of this shape from tile (left, top) on, lie where no unit can get."""
    grid = battlemap.grid
    edge = round_edge(battlemap)
    ys = top + (np.arange(shape[0])[:, None] + 0.5) / FINE - grid.height / 2
    xs = left + (np.arange(shape[1]) + 0.5) / FINE - grid.width / 2
    if edge is not None:
        return np.asarray(np.hypot(xs, ys) > edge[1])
    return np.asarray(
        (np.abs(xs) > grid.width / 2 - MAP_BORDER) | (np.abs(ys) > grid.height / 2 - MAP_BORDER)
    )


def _free(
    kind: PassClass, depth: NDArray[np.float32], slope: NDArray[np.float32], out: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which tiles a class can enter."""
    free = (depth >= kind.least_depth) & (depth <= kind.most_depth) & (slope < kind.most_slope)
    blocked = ~free | out
    for _ in range(2):
        blocked = _grown(blocked, kind.clearance).T
    return _by_tile(~blocked)


def _grown(parts: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """Return the marked parts and those at most ``by`` rows from one."""
    count = np.cumsum(np.pad(parts, ((by + 1, by), (0, 0))), axis=0, dtype=np.int32)
    return np.asarray(count[2 * by + 1 :] > count[: -2 * by - 1])
