"""Visible things by their position: under a point, in a box, on a cell.

A wrapped map repeats itself, so each thing has copies, a period apart. Points and boxes mean the
copies that are shown, which are others when the map leans (``Grid.lean``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.things.thing_kind import Footprint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.thing_index import ThingArrays
    from randomizer.model.things.thing_kind import ThingKind
    from randomizer.model.things.things import Thing, Things


BESIDE = 0.65
"""How far beside the centre of a cell an icon stands: as a share of the way to a corner."""

NO_FOOTPRINT = Footprint(1e-9, 1e-9)
"""The footprint of a thing that covers nothing: so small that no point is on it."""


def shown_within(
    grid: Grid, things: Things, left: float, top: float, right: float, bottom: float
) -> ThingArrays:
    """Return the things that are shown in a box (map units), at the points where they are shown."""
    if not grid.wrap:
        return things.within(left, top, right, bottom)
    # A copy of any thing at the right height can be in the box.
    arrays = things.within(-np.inf, top, np.inf, bottom)
    arrays = arrays._replace(points=grid.shown_points(arrays.points))
    x = arrays.points[:, 0]
    return arrays.some((x >= left) & (x <= right))


def topmost(
    battlemap: BattleMap, x: float, y: float, reach: float, least_reach: float = 0.0
) -> Thing | None:
    """Return the visible thing that is drawn last of those at a point; None if there is none.

    Layer by layer from the top, it is the last of the things whose icon reaches to the point, and
    if there is none, the last of those whose footprint covers it. Icons of the usual size
    (``ThingKind.size``) reach as far as ``reach``, smaller ones less far, but as far as
    ``least_reach``; both are in map units.
    """
    kinds = battlemap.system.thing_kinds(battlemap)
    footprints = {kind.name: kind.footprint for kind in kinds if kind.footprint is not None}
    sizes = {kind.name: min(kind.size, 1.0) for kind in kinds}
    far = max(
        [reach, least_reach, *(math.hypot(*footprint[:2]) / 2 for footprint in footprints.values())]
    )
    for layer in reversed(_with_things(battlemap)):
        arrays = shown_within(battlemap.grid, layer.things, x - far, y - far, x + far, y + far)
        icon_reaches = [reach * sizes.get(name, 1.0) for name in arrays.kind_names]
        reach_of_kind = np.maximum(icon_reaches, least_reach)
        squared_distances = ((arrays.points - (x, y)) ** 2).sum(axis=1)
        hits = squared_distances <= reach_of_kind[arrays.kinds] ** 2
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
    # Turn the point back by the angle of each thing, and measure in halves of its footprint: then
    # a rectangle is the square from -1 to 1, and an ellipse the circle of radius 1.
    angles = np.radians(things.angles)
    dx = x - things.points[:, 0]
    dy = y - things.points[:, 1]
    along = (dx * np.cos(angles) + dy * np.sin(angles)) / (width / 2)
    across = (dy * np.cos(angles) - dx * np.sin(angles)) / (depth / 2)
    is_in_rectangle = np.maximum(np.abs(along), np.abs(across)) <= 1
    is_in_ellipse = along**2 + across**2 <= 1
    return np.asarray(np.where(is_round, is_in_ellipse, is_in_rectangle))


def in_box(
    battlemap: BattleMap, left: float, top: float, right: float, bottom: float
) -> list[Thing]:
    """Return the visible things in a box (map units), in the order in which they are drawn."""
    things: list[Thing] = []
    for layer in _with_things(battlemap):
        arrays = shown_within(battlemap.grid, layer.things, left, top, right, bottom)
        things += (layer.things[thing_id] for thing_id in arrays.ids.tolist())
    return things


def on_cell(battlemap: BattleMap, cell: int) -> list[Thing]:
    """Return the visible things on a cell, in the order in which they are drawn."""
    layers = _with_things(battlemap)
    if not layers:
        return []
    grid = battlemap.grid
    corners = np.array(grid.outline(cell))
    left, top = corners.min(axis=0).tolist()
    right, bottom = corners.max(axis=0).tolist()
    if grid.wrap:  # a thing may be shown at another copy of the cell
        left = -math.inf
        right = math.inf
    candidates = in_box(battlemap, left, top, right, bottom)
    return [thing for thing in candidates if grid.cell_at(thing.x, thing.y) == cell]


def free_point(
    battlemap: BattleMap, cell: int, moved_ids: Collection[int] = ()
) -> tuple[float, float]:
    """Return where an icon on a cell lies on no other, in map units.

    That is the centre, or a point beside it if something stands there; again the centre if all of
    these points are taken. Things that are being moved (``moved_ids``) take none.
    """
    grid = battlemap.grid
    centre = np.array(grid.centre(cell))
    kinds = {kind.name: kind for kind in battlemap.system.thing_kinds(battlemap)}
    icon_points = []
    for thing in on_cell(battlemap, cell):
        kind = kinds.get(thing.kind)
        is_drawn_otherwise = kind is not None and (kind.inscription or kind.footprint is not None)
        if not is_drawn_otherwise and thing.id not in moved_ids:
            icon_points.append((thing.x, thing.y))
    points_beside = centre + BESIDE * (np.array(grid.outline(cell)) - centre)
    from_upper_right = np.argsort(points_beside[:, 1] - points_beside[:, 0], kind="stable")
    least_distance = BESIDE * np.hypot(*(np.array(grid.outline(cell))[0] - centre)) / 2
    for point in (centre, *points_beside[from_upper_right]):
        distances = [np.hypot(*(point - icon_point)) for icon_point in icon_points]
        if all(distance > least_distance for distance in distances):
            return float(point[0]), float(point[1])
    return float(centre[0]), float(centre[1])


def of_kinds(battlemap: BattleMap, kinds: Iterable[str]) -> list[Thing]:
    """Return the visible things of these kinds, in the order in which they are drawn."""
    names = frozenset(kinds)
    things: list[Thing] = []
    for layer in _with_things(battlemap):
        if not names.isdisjoint(layer.things.kinds):
            things += (thing for thing in layer.things.values() if thing.kind in names)
    return things


def _with_things(battlemap: BattleMap) -> list[Layer]:
    """Return the visible layers that hold things, from below."""
    return [layer for layer in battlemap.layers if layer.visible and layer.things]


def thing_text(thing: Thing, kinds: Mapping[str, ThingKind]) -> str:
    """Return kind, label and owner of a thing: ``Archer “Robin” (Red)``.

    ``kinds`` are those of the map by name; a thing may be of none of them. Where its kind names no
    owners, its owner is called as by all others, if they have one list.
    """
    title = thing.kind
    owner_names: Mapping[int, str] = {}
    kind = kinds.get(thing.kind)
    if kind is not None:
        title = kind.title
        owner_names = dict(kind.owners)
    if not owner_names and thing.owner:
        owner_lists = {other_kind.owners for other_kind in kinds.values() if other_kind.owners}
        if len(owner_lists) == 1:
            owner_names = dict(owner_lists.pop())
    text = title
    if thing.label:
        text += f" “{thing.label}”"
    if thing.owner:
        text += f" ({owner_names.get(thing.owner, f'owner {thing.owner}')})"
    return text
