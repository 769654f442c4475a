"""Visible things by their position: at a point, in a box, on a cell.

Tools pick things with these functions, the hover text and menus name them. A wrapped map repeats
itself, so each thing has copies, a period apart. Points and boxes mean those copies that the canvas
draws: of a map that leans (``Grid.lean``) they lie elsewhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.grid.box import Box
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


SHARE_TO_CORNER = 0.65
"""The distance of an icon beside the centre of a cell, as a share of the way to a corner."""

_NO_FOOTPRINT = Footprint(1e-9, 1e-9)
"""Stands for the footprint of things without one: not 0, as positions are divided by it."""


def drawn_in_box(grid: Grid, things: Things, box: Box) -> ThingArrays:
    """Return the things whose drawn copies are in a box, at the points of the copies.

    ``things`` are all things of a layer.
    """
    if not grid.wrap:
        return things.within(box)
    # A copy of any thing at the right height can be in the box.
    arrays = things.within(box._replace(left=-math.inf, right=math.inf))
    arrays = arrays._replace(points=grid.shown_points(arrays.points))
    x = arrays.points[:, 0]
    return arrays.some((x >= box.left) & (x <= box.right))


def topmost_thing_at(
    battlemap: BattleMap, x: float, y: float, reach: float, min_reach: float = 0.0
) -> Thing | None:
    """Return the visible thing that is drawn last of those at a point; None if there is none.

    Layer by layer from the top, it is the last of the things whose icon reaches to the point, and
    if there is none, the last of those whose footprint covers it. Icons of the usual size
    (``ThingKind.size``) reach as far as ``reach``, smaller ones less far, but as far as
    ``min_reach``; both are in map units.
    """
    kinds = battlemap.system.thing_kinds(battlemap)
    footprints = {kind.name: kind.footprint for kind in kinds if kind.footprint is not None}
    # Larger icons reach no farther than usual ones: else they would hide small ones beside them.
    sizes = {kind.name: min(kind.size, 1.0) for kind in kinds}

    # Candidates are the things in a box around the point: those whose icon or footprint can be at
    # it.
    distance = max(reach, min_reach, *map(_half_diagonal, footprints.values()))
    box = Box(x - distance, y - distance, x + distance, y + distance)

    for layer in reversed(_visible_layers_with_things(battlemap)):
        arrays = drawn_in_box(battlemap.grid, layer.things, box)
        icon_reaches = [reach * sizes.get(name, 1.0) for name in arrays.kind_names]
        reach_of_kind = np.maximum(icon_reaches, min_reach)
        squared_distances = ((arrays.points - (x, y)) ** 2).sum(axis=1)
        is_hit = squared_distances <= reach_of_kind[arrays.kinds] ** 2
        if not is_hit.any() and footprints:
            is_hit = _are_covering(arrays, footprints, x, y)
        if is_hit.any():
            return layer.things[int(arrays.ids[is_hit][-1])]
    return None


def _half_diagonal(footprint: Footprint) -> float:
    """Return how far a footprint, however it is turned, reaches from its middle."""
    return math.hypot(footprint.width, footprint.depth) / 2


def _are_covering(
    things: ThingArrays, footprints: Mapping[str, Footprint], x: float, y: float
) -> NDArray[np.bool_]:
    """Return which things (n,) cover a point, by the footprints of their kinds: booleans (n,)."""
    footprint_of_kind = [footprints.get(name, _NO_FOOTPRINT) for name in things.kind_names]
    width = np.array([footprint.width for footprint in footprint_of_kind])[things.kinds]
    depth = np.array([footprint.depth for footprint in footprint_of_kind])[things.kinds]
    is_round = np.array([footprint.round for footprint in footprint_of_kind])[things.kinds]
    has_footprint = np.array([name in footprints for name in things.kind_names])[things.kinds]

    # Turn the point back by the angle of each thing, and measure in halves of its footprint: then
    # a rectangle is the square from -1 to 1, and an ellipse the circle of radius 1.
    angles = np.radians(things.angles)
    dx = x - things.points[:, 0]
    dy = y - things.points[:, 1]
    along = (dx * np.cos(angles) + dy * np.sin(angles)) / (width / 2)
    across = (dy * np.cos(angles) - dx * np.sin(angles)) / (depth / 2)
    is_in_rectangle = np.maximum(np.abs(along), np.abs(across)) <= 1
    is_in_ellipse = along**2 + across**2 <= 1
    return np.asarray(np.where(is_round, is_in_ellipse, is_in_rectangle) & has_footprint)


def things_in_box(battlemap: BattleMap, box: Box) -> list[Thing]:
    """Return the visible things in a box, in the order in which they are drawn."""
    things: list[Thing] = []
    for layer in _visible_layers_with_things(battlemap):
        arrays = drawn_in_box(battlemap.grid, layer.things, box)
        things += (layer.things[thing_id] for thing_id in arrays.ids.tolist())
    return things


def things_on_cell(battlemap: BattleMap, cell: int) -> list[Thing]:
    """Return the visible things on a cell, in the order in which they are drawn."""
    layers = _visible_layers_with_things(battlemap)
    if not layers:
        return []
    grid = battlemap.grid
    corners = np.array(grid.outline(cell))
    box = Box(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())
    if grid.wrap:  # the drawn copy of a thing may be at another copy of the cell
        box = box._replace(left=-math.inf, right=math.inf)
    candidates = things_in_box(battlemap, box)
    return [thing for thing in candidates if grid.cell_at(thing.x, thing.y) == cell]


def free_point(
    battlemap: BattleMap, cell: int, moved_ids: Collection[int] = ()
) -> tuple[float, float]:
    """Return the point, in map units, at which a new icon on a cell hides no other icon.

    That is the centre, or a point beside it if an icon is there; again the centre if icons are at
    all of these points. Things that are being moved (``moved_ids``) do not count.
    """
    grid = battlemap.grid
    centre = np.array(grid.centre(cell))
    corners = np.array(grid.outline(cell))
    points_beside = centre + SHARE_TO_CORNER * (corners - centre)
    # The one farthest to the upper right comes first.
    order = np.argsort(points_beside[:, 1] - points_beside[:, 0], kind="stable")
    candidates = [centre, *points_beside[order]]

    # A point is free if no icon is within half the distance of the points from the centre.
    min_distance = SHARE_TO_CORNER * np.hypot(*(corners[0] - centre)) / 2
    icon_points = _icon_points(battlemap, cell, moved_ids)
    for point in candidates:
        distances = [np.hypot(*(point - icon_point)) for icon_point in icon_points]
        if all(distance > min_distance for distance in distances):
            return float(point[0]), float(point[1])
    return float(centre[0]), float(centre[1])


def _icon_points(
    battlemap: BattleMap, cell: int, moved_ids: Collection[int]
) -> list[tuple[float, float]]:
    """Return the points of the icons on a cell, but for those of the things with ``moved_ids``.

    Inscriptions, and things that are drawn by their footprint, have no icon.
    """
    grid = battlemap.grid
    centre_x, _centre_y = grid.centre(cell)
    kinds = {kind.name: kind for kind in battlemap.system.thing_kinds(battlemap)}
    points = []
    for thing in things_on_cell(battlemap, cell):
        kind = kinds.get(thing.kind)
        has_icon = kind is None or (not kind.inscription and kind.footprint is None)
        if has_icon and thing.id not in moved_ids:
            x = thing.x
            if grid.wrap:  # it may be at another copy of the cell
                x -= round((x - centre_x) / grid.period) * grid.period
            points.append((x, thing.y))
    return points


def things_of_kinds(battlemap: BattleMap, kinds: Iterable[str]) -> list[Thing]:
    """Return the visible things of these kinds, in the order in which they are drawn."""
    names = frozenset(kinds)
    things: list[Thing] = []
    for layer in _visible_layers_with_things(battlemap):
        if not names.isdisjoint(layer.things.kinds):
            things += (thing for thing in layer.things.values() if thing.kind in names)
    return things


def _visible_layers_with_things(battlemap: BattleMap) -> list[Layer]:
    """Return the visible layers that hold things, from below."""
    return [layer for layer in battlemap.layers if layer.visible and layer.things]


def thing_text(thing: Thing, kinds: Mapping[str, ThingKind]) -> str:
    """Return kind, label and owner of a thing: ``Archer “Robin” (Red)``.

    ``kinds`` are those of the map by name; a thing may be of none of them. A kind without names of
    owners uses those of the other kinds, if these all agree.
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
