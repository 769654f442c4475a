"""Which visible things lie where: under a point, in a box, on a cell.

Things of a wrapped map lie at any periodic copy of their places; points and boxes mean the copies
that are shown, which change when the map leans.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.things.thing_kind import Footprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.thing_index import ThingArrays
    from randomizer.model.things.thing_kind import ThingKind
    from randomizer.model.things.things import Thing, Things


NO_FOOTPRINT = Footprint(1e-9, 1e-9)
"""Of a thing that covers nothing."""


def shown_within(
    grid: Grid, things: Things, left: float, top: float, right: float, bottom: float
) -> ThingArrays:
    """Return the things that are shown in a box (map units), and where: ``Things.within`` for any
    grid.
    """
    if not grid.wrap:
        return things.within(left, top, right, bottom)
    arrays = things.within(-np.inf, top, np.inf, bottom)
    arrays = arrays._replace(points=grid.shown_points(arrays.points))
    x = arrays.points[:, 0]
    return arrays.some((x >= left) & (x <= right))


def topmost(battlemap: BattleMap, x: float, y: float, reach: float) -> Thing | None:
    """Return the visible thing that is drawn last of those at most ``reach`` (map units) from a
    point.

    Where there is none in a layer, the last of those that cover the point (``footprint``).
    """
    kinds = battlemap.system.thing_kinds(battlemap)
    footprints = {kind.name: kind.footprint for kind in kinds if kind.footprint is not None}
    far = max([reach, *(math.hypot(*footprint[:2]) / 2 for footprint in footprints.values())])
    for layer in reversed(_with_things(battlemap)):
        arrays = shown_within(battlemap.grid, layer.things, x - far, y - far, x + far, y + far)
        hits = ((arrays.points - (x, y)) ** 2).sum(axis=1) <= reach * reach
        if not hits.any() and footprints:
            hits = _covers(arrays, footprints, x, y)
        if hits.any():
            return layer.things[int(arrays.ids[hits][-1])]
    return None


def _covers(
    things: ThingArrays, footprints: Mapping[str, Footprint], x: float, y: float
) -> NDArray[np.bool_]:
    """Return whether each of some things (n,) covers a point, by the footprints of their kinds."""
    sizes = np.array([footprints.get(name, NO_FOOTPRINT) for name in things.kind_names])
    width, depth, is_round = sizes.reshape(-1, 3)[things.kinds].T
    turn = np.radians(things.angles)
    dx = x - things.points[:, 0]
    dy = y - things.points[:, 1]
    along = (dx * np.cos(turn) + dy * np.sin(turn)) / (width / 2)
    across = (dy * np.cos(turn) - dx * np.sin(turn)) / (depth / 2)
    in_box = np.maximum(np.abs(along), np.abs(across)) <= 1
    return np.asarray(np.where(is_round, along**2 + across**2 <= 1, in_box))


def in_box(
    battlemap: BattleMap, left: float, top: float, right: float, bottom: float
) -> list[Thing]:
    """Return the visible things in a box (map units), in the order in which they are drawn."""
    return [
        layer.things[thing_id]
        for layer in _with_things(battlemap)
        for thing_id in shown_within(
            battlemap.grid, layer.things, left, top, right, bottom
        ).ids.tolist()
    ]


def on_cell(battlemap: BattleMap, cell: int) -> list[Thing]:
    """Return the visible things on a cell, in the order in which they are drawn."""
    layers = _with_things(battlemap)
    if not layers:
        return []
    grid = battlemap.grid
    corners = np.array(grid.outline(cell))
    if grid.wrap:  # things may lie at any periodic copy of the cell
        corners = corners[:, 1:]
        box = (-np.inf, float(corners.min()), np.inf, float(corners.max()))
    else:
        box = (*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())
    near = in_box(battlemap, *box)
    return [thing for thing in near if grid.cell_at(thing.x, thing.y) == cell]


def of_kinds(battlemap: BattleMap, kinds: Iterable[str]) -> list[Thing]:
    """Return the visible things of these kinds, in the order in which they are drawn."""
    names = frozenset(kinds)
    return [
        thing
        for layer in _with_things(battlemap)
        if not names.isdisjoint(layer.things.kinds)
        for thing in layer.things.values()
        if thing.kind in names
    ]


def _with_things(battlemap: BattleMap) -> list[Layer]:
    return [layer for layer in battlemap.layers if layer.visible and layer.things]


def thing_text(thing: Thing, kinds: Mapping[str, ThingKind]) -> str:
    """``Archer “Robin” (Red)``: kind, label and owner of a thing."""
    kind = kinds.get(thing.kind)
    words = thing.kind if kind is None else kind.title
    if thing.label:
        words += f" “{thing.label}”"
    if thing.owner:
        owners = {} if kind is None else dict(kind.owners)
        words += f" ({owners.get(thing.owner, f'owner {thing.owner}')})"
    return words
