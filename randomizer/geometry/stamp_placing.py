"""Places stamps on a map: ``place`` lays one down, ``carry_things`` moves the things of one.

A stamp fits any map with the same kind of cells, squares or the same hexes. Codes of its terrains,
hexsides, ways and regions are translated by their names to those of the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, cells_of_axial
from randomizer.geometry.stamp import FINE, WAY, Stamp, StampPlane, StampThing
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.layer_edits import cells_of
from randomizer.model.edits.thing_edits import add_things, change_things
from randomizer.model.edits.value_edits import compound
from randomizer.model.grid.box import Box
from randomizer.model.grid.layouts import Shear
from randomizer.model.hand.links import without_new_half_links
from randomizer.model.hand.targets import (
    LeftOut,
    left_out,
    may_leave_out,
    paint,
    topmost_part,
    why_not,
)
from randomizer.model.map.carriers import relinked, stands_with, with_link
from randomizer.model.map.regions import regions_of, translated
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Element, Plane, PlaneRole, PlaneSpec
from randomizer.model.problems import error
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.thing_rules import Settled, ThingRules
    from randomizer.model.things.thing_state import State

SAME_PLACE = 0.001
"""Two things are at the same place if their x and their y, in map units, differ by at most this."""

SAME_ANGLE = 0.001
"""Two things look into the same direction if their angles, in degrees, differ by at most this."""


def place(battlemap: BattleMap, stamp: Stamp, cell: int, layer_id: int) -> Edit | None:
    """Return the edit that places the stamp, its anchor on ``cell``.

    Values go where the user's paint would go with the layer ``layer_id`` active (hand/targets.py).
    Left out are what would be outside the map, regions whose names the map does not have, links of
    routes into cells beside the stamp that do not lead back, and things whose equals stand at their
    places already. None if nothing changes. Raises KeyError if there is no such layer, and
    ProblemError for a stamp of another kind of cells or with terrains, hexsides or values that this
    map cannot have.
    """
    for name, plane in stamp.planes.items():
        has_values = (plane.values != plane.unset).any()
        if has_values and _spec(battlemap, name, plane) is None:
            text = f"what was copied has values of “{name.removeprefix(WAY)}”, this map has none"
            raise error("stamp-plane", text)

    edits: list[Edit | None] = []
    for stamped in _stamped_values(battlemap, stamp, cell):
        spec = stamped.spec
        elements = stamped.elements
        if spec == battlemap.system.regions:
            codes = translated(stamped.values, stamp.regions, regions_of(battlemap.records))
            is_known = codes != spec.unset
            elements = elements[is_known]
            codes = codes[is_known]
        else:
            codes = _in_codes_of_map(stamped.values, stamped.role, stamp, battlemap.terrain_set)
        try:
            edits.append(paint(battlemap, layer_id, spec.name, elements, codes))
        except ValueError as problem:
            text = f"this map cannot hold what was copied: {problem}"
            raise error("stamp-values", text) from problem
    # Into a layer that cannot be changed ``paint`` paints nothing; for things it is asked here.
    if not why_not(battlemap, layer_id):
        things = stamp_things(battlemap, stamp, cell).things
        # Units that are pasted alone onto a cell of equal ones become a larger stack.
        is_stack = battlemap.system.thing_rules.in_cells and not stamp.planes
        if not is_stack:
            things = _things_to_add(battlemap, things)
        edits.append(add_things(battlemap, topmost_part(battlemap, layer_id).id, things))
    return without_new_half_links(battlemap, compound(edits))


def carry_things(
    battlemap: BattleMap, stamp: Stamp, cell: int, things: Sequence[Thing]
) -> Edit | None:
    """Return the edit that moves things to their places on a stamp with its anchor on ``cell``.

    The stamp was cut from them. They stay in their layers. What would be outside the map is
    removed; what would come to where no thing can stand stays. The stamp is not turned; its things
    are in the order of ``things``.
    """
    moved_things = []
    removed_ids = []
    grid = battlemap.grid
    rules = battlemap.system.thing_rules
    for thing, stamp_thing in zip(things, stamp.things, strict=True):
        target = _thing_at(grid, stamp_thing, cell)
        if target is None:
            removed_ids.append(thing.id)
        elif not rules.why_not(battlemap, grid.cell_at(target.x, target.y)):
            moved_things.append(replace(thing, x=target.x, y=target.y))
    return change_things(battlemap, moved_things, removed_ids)


def left_out_of_placing(battlemap: BattleMap, stamp: Stamp, cell: int, layer_id: int) -> LeftOut:
    """Return the cells of which ``place`` leaves something out.

    Raises ProblemError for a stamp of another kind of cells.
    """
    no_cells = np.empty(0, np.intp)
    if not may_leave_out(battlemap, layer_id):
        return LeftOut(no_cells)
    cells_left_out = [no_cells]
    layers = dict[str, None]()
    for stamped in _stamped_values(battlemap, stamp, cell):
        skipped = left_out(battlemap, layer_id, stamped.spec.name, stamped.elements)
        cells_left_out.append(cells_of(stamped.spec.element, battlemap.grid, skipped.elements))
        layers |= dict.fromkeys(skipped.layers)
    cells = np.unique(np.concatenate(cells_left_out))
    # A corner that is left out has cells beside the stamp.
    cells = cells[np.isin(cells, cells_at(battlemap.grid, stamp, cell))]
    return LeftOut(cells, tuple(layers))


def cells_at(grid: Grid, stamp: Stamp, cell: int) -> Cells:
    """Return the cells under a stamp with its anchor on ``cell``, (n,), -1 outside the map.

    They are in the order of ``Stamp.offsets``. Raises ProblemError for a grid of another kind of
    cells.
    """
    # Layouts with the same sides have the same kind of cells: pointy and oblique hexes differ only
    # in their file coordinates.
    if stamp.layout.side_names != grid.layout.side_names:
        raise error(
            "stamp-layout",
            f"what was copied lies on {_cells_in_words(stamp.layout)}, "
            f"this map has {_cells_in_words(grid.layout)}",
        )
    q, r = grid.axial(*grid.xy(cell))
    return cells_of_axial(grid, stamp.offsets[:, 0] + q, stamp.offsets[:, 1] + r)


def stamp_things(battlemap: BattleMap, stamp: Stamp, cell: int) -> Settled:
    """Return the things of a stamp that lies with its anchor on ``cell``, with negative ids.

    A thing that would be off the map, or where it cannot stand, is left out; the words of the
    result give the reason, of several things the last one.
    """
    rules = battlemap.system.thing_rules
    grid = battlemap.grid
    placed_things = []
    last_reason = ""
    for stamp_thing in stamp.things:
        thing = _thing_at(grid, stamp_thing, cell)
        if thing is None:
            continue
        reason = rules.why_not(battlemap, grid.cell_at(thing.x, thing.y))
        if reason:
            last_reason = reason
        else:
            placed_things.append(thing)
    ids = {thing.id: _placed_id(thing) for thing in stamp.things}
    settled = rules.settled(battlemap, relinked(placed_things, rules.carrier, ids))
    notes = [note for note in (last_reason, settled.words) if note]
    return settled._replace(words=" - ".join(notes))


class _StampedValues(NamedTuple):
    """The values that a stamp sets in one plane of a map."""

    spec: PlaneSpec
    """The plane of the map."""

    role: PlaneRole | None
    """Its role, None for none."""

    elements: NDArray[np.intp]
    """Flat indices into the plane, (n,)."""

    values: Plane
    """The values for them, (n,), in codes of the stamp."""


def _stamped_values(battlemap: BattleMap, stamp: Stamp, cell: int) -> Iterator[_StampedValues]:
    """Yield what a stamp with its anchor on ``cell`` sets, plane by plane."""
    grid = battlemap.grid
    cells = cells_at(grid, stamp, cell)
    # The rows of the stamp that are on the map.
    if grid.wrap:
        # A stamp wider than the map overlaps itself: the first value of a cell is kept.
        unique_cells, first_rows = np.unique(cells, return_index=True)
        rows = first_rows[unique_cells >= 0]
    else:
        rows = np.flatnonzero(cells >= 0)
    cells_on_map = cells[rows]
    for name, plane in stamp.planes.items():
        spec = _spec(battlemap, name, plane)
        if spec is None:
            continue
        values = plane.values[rows]
        is_set = values != plane.unset
        elements = cells_on_map
        if spec.element is Element.SIDE:
            elements = cells_on_map[:, None] * grid.degree + np.arange(grid.degree)
        elif spec.element is Element.CORNER:
            elements = corners_of(grid, cells_on_map)
        yield _StampedValues(spec, plane.role, elements[is_set], values[is_set])


def _spec(battlemap: BattleMap, name: str, plane: StampPlane) -> PlaneSpec | None:
    """Return the map's plane of the same way, role or name; None if it has none.

    Values of sides cannot go into a plane of cells, for example, even if it has the same role.
    """
    system = battlemap.system
    if name.startswith(WAY):
        for way, spec in zip(battlemap.terrain_set.ways, system.ways, strict=False):
            if way.name == name.removeprefix(WAY):
                return spec
        return None
    spec_of_role = None
    if plane.role is not None:
        spec_of_role = system.plane_with_role(plane.role)
    if spec_of_role is not None:
        if spec_of_role.element is not plane.element:
            return None
        return spec_of_role
    for spec in system.shown_planes:
        if spec.name == name and spec.element is plane.element:
            return spec
    return None


def _in_codes_of_map(
    values: Plane, role: PlaneRole | None, stamp: Stamp, terrain_set: TerrainSet
) -> Plane:
    """Return codes of terrains and hexsides in those of the map's set; other values unchanged.

    Raises ProblemError for one whose name the set lacks.
    """
    # The names of codes on the stamp and on the map; code 0 of hexsides is none.
    if role is PlaneRole.TERRAIN:
        stamp_names = list(stamp.terrains)
        map_names = [terrain.name for terrain in terrain_set.terrains]
    elif role is PlaneRole.HEXSIDE:
        stamp_names = ["", *stamp.hexsides]
        map_names = ["", *(hexside.name for hexside in terrain_set.hexsides)]
    else:
        return values
    if stamp_names == map_names:
        return values

    map_codes = {name: code for code, name in enumerate(map_names)}
    used_codes = np.unique(values).tolist()
    used_names = [stamp_names[code] for code in used_codes]
    missing = [name for name in used_names if name not in map_codes]
    if missing:
        raise error(
            f"stamp-{role}",
            f"this map has no {role} “{'”, “'.join(missing)}”, so it cannot take what was copied",
        )
    # A look-up array translates all values at once: its index is a code of the stamp.
    new_codes = np.zeros(max(used_codes, default=0) + 1, np.int64)
    new_codes[used_codes] = [map_codes[name] for name in used_names]
    translated_values: Plane = new_codes[values]
    return translated_values


def _things_to_add(battlemap: BattleMap, placed_things: Sequence[Thing]) -> list[Thing]:
    """Return the placed things whose equals do not stand at their places on the map already.

    Each visible thing of the map stands for one placed thing only. What is carried by a thing that
    is there already is linked to that one.
    """
    things_to_add = []
    # The ids by which others are linked to the placed things: their own, or those of their equals.
    ids = {}
    used_ids = set[int]()
    for placed_thing in placed_things:
        ids[placed_thing.id] = placed_thing.id
        for thing in _equals_on_map(battlemap, placed_thing):
            if thing.id not in used_ids:
                used_ids.add(thing.id)
                ids[placed_thing.id] = thing.id
                break
        else:
            things_to_add.append(placed_thing)
    carrier = battlemap.system.thing_rules.carrier
    return relinked(things_to_add, carrier, ids, partial(stands_with, battlemap))


def _equals_on_map(battlemap: BattleMap, placed_thing: Thing) -> Iterator[Thing]:
    """Yield the visible things of the map that are as a placed thing is, at its place.

    What carries them, and how a file had them, does not count.
    """
    rules = battlemap.system.thing_rules
    x = placed_thing.x
    y = placed_thing.y
    place_box = Box(x - SAME_PLACE, y - SAME_PLACE, x + SAME_PLACE, y + SAME_PLACE)
    for layer in battlemap.layers:
        if not layer.visible or placed_thing.kind not in layer.things.kinds:
            continue
        for thing_id in layer.things.within(place_box).ids.tolist():
            thing = layer.things[thing_id]
            turn = (thing.angle - placed_thing.angle + 180) % 360 - 180
            if (
                abs(turn) <= SAME_ANGLE
                and thing.kind == placed_thing.kind
                and thing.owner == placed_thing.owner
                and thing.label == placed_thing.label
                and _own_state(thing, rules) == _own_state(placed_thing, rules)
            ):
                yield thing


def _own_state(thing: Thing, rules: ThingRules) -> State:
    """Return the state of a thing without what carries it and how a file had it."""
    without_carrier = with_link(thing, rules.carrier, None)
    return with_link(without_carrier, rules.file_entry, None).state


def _placed_id(thing: StampThing) -> int:
    """Return the id of a thing that was placed but is not in the map yet: below 0."""
    return -1 - thing.id


def _thing_at(grid: Grid, thing: StampThing, cell: int) -> Thing | None:
    """Return a thing of a stamp with its anchor on ``cell``; None if it is off the map."""
    anchor_x, anchor_y = grid.centre(cell)
    dx, dy = grid.layout.point(thing.q / FINE, thing.r / FINE)
    x, y = grid.shown_point(anchor_x + dx, anchor_y + dy)
    if grid.cell_at(x, y) < 0:
        return None
    return Thing(
        id=_placed_id(thing),
        kind=thing.kind,
        x=x,
        y=y,
        angle=thing.angle / FINE,
        owner=thing.owner,
        label=thing.label,
        state=thing.state,
    )


def _cells_in_words(layout: Layout) -> str:
    """Return the word for the cells of a layout, for a message."""
    if layout.degree == 4:
        return "squares"
    if layout.shear is Shear.COLUMNS:
        return "flat-topped hexes"
    return "pointed hexes"
