"""Stamps: pieces of a map that can be placed anywhere, turned and flipped.

The clipboard and the stamp tool hold them. ``cut`` makes a stamp of an area of a map; ``place``
returns the edit that lays it down, on any map of the same kind of cells: codes are translated by
the names of terrains, hexsides, ways and regions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells, axial_of, cells_of_axial
from randomizer.geometry.turn import Turn
from randomizer.model.edits.edit import Edit
from randomizer.model.edits.layer_edits import cells_of
from randomizer.model.edits.thing_edits import add_things, change_things, things_on
from randomizer.model.edits.value_edits import compound
from randomizer.model.hand.links import with_links_mended
from randomizer.model.hand.targets import (
    LeftOut,
    left_out,
    may_leave_out,
    paint,
    topmost_part,
    why_not,
)
from randomizer.model.map.carriers import relinked
from randomizer.model.map.regions import names_of, regions_of, translated
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Element, Plane, PlaneRole, PlaneSpec, is_blank
from randomizer.model.problems import error
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.terrain.terrain import TerrainSet
    from randomizer.model.things.thing_rules import Settled

WAY = "way:"
"""Prefix of the names of planes on a stamp that hold a way of the terrain set, before its name."""

FINE = 2**20
"""Positions and angles of things on a stamp are whole numbers: multiples of 1 / FINE.

So a stamp that was turned all round is the same again, without rounding errors.
"""


class StampThing(NamedTuple):
    """A thing on a stamp."""

    kind: str

    q: int
    """The axial q of its position from the centre of the anchor, times FINE."""

    r: int
    """The axial r, likewise."""

    angle: int
    """Its angle in degrees, times FINE."""

    owner: int

    label: str

    state: State = NO_STATE

    id: int = 0
    """Its number on the stamp, from 1; in states it names the carrier of another thing."""


class StampPlane(NamedTuple):
    """The part of a plane on a stamp: the values of its cells, or of their sides or corners."""

    unset: int
    """The value of what is not set: it changes nothing where the stamp is placed."""

    values: Plane
    """The values of the cells, (n,), or of their sides or corners, (n, degree).

    A corner that several cells share has the same value in all of them.
    """

    links: bool = False
    """True if the values of cells are bit masks of sides: ways."""

    role: PlaneRole | None = None
    """The role of the plane in its system, by which the map finds its own; None for none."""

    element: Element = Element.CELL
    """What the values are of: cells, sides or corners."""

    def same_as(self, plane: StampPlane) -> bool:
        """Return whether both are equal, value for value."""
        if not np.array_equal(self.values, plane.values):
            return False
        # Arrays cannot be compared by ``==`` with the rest: both get the same one.
        return self._replace(values=plane.values) == plane

    def turned(self, turn: Turn) -> StampPlane:
        """Return the values after the cells have been turned."""
        values = self.values
        if self.links:
            values = turn.turn_links(values, self.unset)
        elif self.element is Element.SIDE:
            values = turn.turn_sides(values)
        elif self.element is Element.CORNER:
            values = turn.turn_corners(values)
        return self._replace(values=values)


@dataclass(frozen=True, eq=False)
class Stamp:
    """A piece of a map: n cells around an anchor, which is the axial origin. It does not change.

    Example::

        stamp = cut(battlemap, cells, battlemap.composite().planes)
        edit = place(battlemap, stamp.turned(rotation(layout, 1)), cell, layer_id)
    """

    layout: Layout

    offsets: NDArray[np.int64]
    """The axial steps (q, r) from the anchor to each cell, (n, 2)."""

    planes: Mapping[str, StampPlane]
    """The planes by name; those of ways of the terrain set by the way's, with ``WAY`` in front."""

    terrains: tuple[str, ...]
    """The names of the codes in the plane of terrains, from code 0 on."""

    hexsides: tuple[str, ...]
    """The names of the codes in the plane of hexsides, from code 1 on."""

    things: tuple[StampThing, ...] = ()

    regions: tuple[str, ...] = ()
    """The names of the codes in the plane of regions, "" for one that was taken away."""

    text_kinds: frozenset[str] = frozenset()
    """The names of the kinds whose things are texts, which are turned so that they can be read."""

    def plane(self, role: PlaneRole) -> StampPlane | None:
        """Return the plane with a role, None if the stamp has none."""
        return next((plane for plane in self.planes.values() if plane.role is role), None)

    def turned(self, turn: Turn) -> Stamp:
        """Return the stamp turned or mirrored about its anchor, with hexsides and routes."""
        q, r = turn.apply(self.offsets[:, 0], self.offsets[:, 1])
        planes = {name: plane.turned(turn) for name, plane in self.planes.items()}
        things = []
        for thing in self.things:
            thing_q, thing_r = turn.apply(thing.q, thing.r)
            angle = thing.angle / FINE
            if thing.kind in self.text_kinds:
                angle = turn.text_angle(angle)
            else:
                angle = turn.angle(angle)
            fine_angle = _fine_angle(angle)
            things.append(thing._replace(q=thing_q, r=thing_r, angle=fine_angle))
        offsets = np.stack([q, r], axis=1)
        return replace(self, offsets=offsets, planes=planes, things=tuple(things))

    def same_as(self, stamp: Stamp) -> bool:
        """Return whether both are equal, cell for cell in the same order."""
        for name in ("layout", "terrains", "hexsides", "things", "regions"):
            if getattr(self, name) != getattr(stamp, name):
                return False
        if not np.array_equal(self.offsets, stamp.offsets):
            return False
        if self.planes.keys() != stamp.planes.keys():
            return False
        return all(plane.same_as(stamp.planes[name]) for name, plane in self.planes.items())


def _fine_angle(degrees: float) -> int:
    """Return an angle as ``StampThing.angle``, 0 to below 360 degrees."""
    return round(degrees * FINE) % (360 * FINE)


# --- cutting --------------------------------------------------------------------------------------


def anchor_of(grid: Grid, cells: Cells) -> int:
    """Return the anchor of an area: the cell nearest to its middle."""
    return int(cells[_nearest_the_middle(*_unwrapped_axial(grid, cells))])


def cut(
    battlemap: BattleMap,
    cells: Cells,
    planes: Mapping[str, Plane],
    things: Iterable[Thing] | None = None,
) -> Stamp:
    """Return the stamp of an area: values of ``planes`` (of a layer or a composite), and things.

    All corners of its cells belong to an area. One across the seam of a wrapped grid stays in one
    piece. The things are those of ``things`` (None: all visible ones) that are on its cells. Raises
    ValueError for an area without cells.
    """
    if not len(cells):
        raise ValueError("a stamp needs at least one cell")
    grid = battlemap.grid
    system = battlemap.system

    # Cells, and their values.
    q, r = _unwrapped_axial(grid, cells)
    anchor = _nearest_the_middle(q, r)
    offset_q = q - q[anchor]
    offset_r = r - r[anchor]
    offsets = np.stack([offset_q, offset_r], axis=1)
    stamp_planes = _stamp_planes(battlemap, cells, planes)

    # Things, and the names of regions if any cell has one.
    if things is None:
        things = []
        for layer in battlemap.layers:
            if layer.visible:
                things += things_on(grid, layer.things, cells)
    stamp_things = _cut_things(battlemap, things, cells, offsets)
    regions: tuple[str, ...] = ()
    if system.regions and system.regions.name in stamp_planes:
        regions = _region_names(battlemap)
    return Stamp(
        layout=grid.layout,
        offsets=offsets,
        planes=stamp_planes,
        terrains=tuple(terrain.name for terrain in battlemap.terrain_set.terrains),
        hexsides=tuple(hexside.name for hexside in battlemap.terrain_set.hexsides),
        things=stamp_things,
        regions=regions,
        text_kinds=system.text_kinds,
    )


def _stamp_planes(
    battlemap: BattleMap, cells: Cells, planes: Mapping[str, Plane]
) -> dict[str, StampPlane]:
    """Return the values of cells in ``planes``, by the names that they have on a stamp.

    Blank planes of what not every map has (ways, their flow, regions) are left out, so that the
    stamp fits a map without them.
    """
    grid = battlemap.grid
    system = battlemap.system
    roles = {system.with_role(role): role for role in PlaneRole}
    way_names = {}
    for way, spec in zip(battlemap.terrain_set.ways, system.ways, strict=False):
        way_names[spec] = WAY + way.name
    optional_planes = (*system.ways, system.flow, system.flow_width, system.regions)
    stamp_planes = {}
    for spec in system.shown_planes:
        plane = planes.get(spec.name)
        if plane is None or (spec in optional_planes and is_blank(plane)):
            continue
        if spec.element is Element.CORNER:
            values = plane.reshape(-1)[corners_of(grid, cells)]
        else:
            ys, xs = np.divmod(cells, grid.width)
            values = plane[ys, xs]
        name = way_names.get(spec, spec.name)
        stamp_planes[name] = StampPlane(
            unset=spec.unset,
            values=values,
            links=spec.links,
            role=roles.get(spec),
            element=spec.element,
        )
    return stamp_planes


def _region_names(battlemap: BattleMap) -> tuple[str, ...]:
    """Return the names of a map's regions by code, as ``Stamp.regions``."""
    return tuple(names_of(regions_of(battlemap.records)))


def cut_things(battlemap: BattleMap, things: Iterable[Thing]) -> Stamp:
    """Return the stamp of things alone, with the cells they are on; those on no cell are left out.

    Raises ValueError if all are on no cell.
    """
    things_to_cut = list(things)
    points = np.array([(thing.x, thing.y) for thing in things_to_cut], np.float64).reshape(-1, 2)
    cells = np.unique(battlemap.grid.cells_at(points))
    return cut(battlemap, cells[cells >= 0], {}, things_to_cut)


def _unwrapped_axial(grid: Grid, cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return axial coordinates of an area, chosen so that it is in one piece on a wrapped grid."""
    q, r = axial_of(grid, cells)
    if not grid.wrap:
        return q, r
    # The widest strip of columns (as shown on the screen) without cells separates the left end of
    # the area from its right end: cells left of it are moved once round the map. With cells in the
    # columns 0, 1 and 9 of a map of 10 columns, the area begins with 9, and has 9, 10 and 11.
    columns = q
    if grid.layout.shear in ("rows", "oblique"):
        columns = q + (r >> 1)
    used_columns = np.unique(columns % grid.width)
    gaps = np.diff(used_columns, append=used_columns[0] + grid.width)
    leftmost_column = used_columns[(int(gaps.argmax()) + 1) % len(used_columns)]
    turns = (columns - leftmost_column) // grid.width
    turn_q, turn_r = grid.axial(grid.width, 0)
    return q - turns * turn_q, r - turns * turn_r


def _nearest_the_middle(q: NDArray[np.int64], r: NDArray[np.int64]) -> int:
    """Return the index of the cell that is nearest to the mean of all."""
    offset_q = q - q.mean()
    offset_r = r - r.mean()
    # The squared distance in axial coordinates, whose axes are 60 degrees apart.
    squared_distances = offset_q * offset_q + offset_q * offset_r + offset_r * offset_r
    return int(squared_distances.argmin())


def _cut_things(
    battlemap: BattleMap,
    things: Iterable[Thing],
    cells: Cells,
    offsets: NDArray[np.int64],
) -> tuple[StampThing, ...]:
    """Return those of ``things`` that are on ``cells`` (n,), as things on a stamp.

    ``offsets`` (n, 2) are those of the cells from the anchor.
    """
    grid = battlemap.grid
    things_to_cut = []
    rows = {}  # of ``cells``, by the id of the thing
    for thing in things:
        cell = grid.cell_at(thing.x, thing.y)
        row = int(np.searchsorted(cells, cell))
        if row < len(cells) and cells[row] == cell:
            things_to_cut.append(thing)
            rows[thing.id] = row
    ids = {thing.id: number for number, thing in enumerate(things_to_cut, 1)}
    # Of a carrier that is not cut nothing is known on the stamp.
    linked_things = relinked(things_to_cut, battlemap.system.thing_rules.carrier, ids)

    inverse_basis = np.linalg.inv(np.array(grid.layout.basis))
    stamp_things = []
    for thing in linked_things:
        row = rows[thing.id]
        x, y = nearest_copy(grid, thing.x, thing.y)
        centre_x, centre_y = grid.centre(int(cells[row]))
        q_in_cell, r_in_cell = np.array((x - centre_x, y - centre_y)) @ inverse_basis
        offset_q, offset_r = offsets[row]
        stamp_thing = StampThing(
            kind=thing.kind,
            q=round((offset_q + q_in_cell) * FINE),
            r=round((offset_r + r_in_cell) * FINE),
            angle=_fine_angle(thing.angle),
            owner=thing.owner,
            label=thing.label,
            state=thing.state,
            id=ids[thing.id],
        )
        stamp_things.append(stamp_thing)
    return tuple(stamp_things)


def nearest_copy(grid: Grid, x: float, y: float) -> tuple[float, float]:
    """Return the copy of a point that a wrapped grid shows (``Grid.shown_points``)."""
    ((x, y),) = grid.shown_points(np.array([(x, y)], np.float64)).tolist()
    return x, y


# --- laying down ----------------------------------------------------------------------------------


def cells_at(grid: Grid, stamp: Stamp, cell: int) -> Cells:
    """Return the cells under a stamp with its anchor on ``cell``, (n,), -1 outside the map.

    They are in the order of ``Stamp.offsets``. Raises ProblemError for a grid of another kind of
    cells.
    """
    # Pointy and oblique hexes differ only in their file coordinates.
    if stamp.layout.side_names != grid.layout.side_names:
        raise error(
            "stamp-layout",
            f"what was copied lies on {_cells_in_words(stamp.layout)}, "
            f"this map has {_cells_in_words(grid.layout)}",
        )
    q, r = grid.axial(*grid.xy(cell))
    return cells_of_axial(grid, stamp.offsets[:, 0] + q, stamp.offsets[:, 1] + r)


def _cells_in_words(layout: Layout) -> str:
    """Return the word for the cells of a layout, for a message."""
    if layout.degree == 4:
        return "squares"
    if layout.shear == "columns":
        return "flat-topped hexes"
    return "pointed hexes"


def place(battlemap: BattleMap, stamp: Stamp, cell: int, layer_id: int) -> Edit | None:
    """Return the edit that places the stamp, its anchor on ``cell``, with a layer active.

    What would be outside the map is left out, and so are regions whose names the map has not, and
    links of routes that would lead into cells beside it without an answer. None if nothing changes.
    Raises KeyError if the layer is not there, ProblemError for a stamp of another kind of cells, or
    with terrains, hexsides or values unknown to this map.
    """
    for name, plane in stamp.planes.items():
        if _spec(battlemap, name, plane) is None and (plane.values != plane.unset).any():
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
            codes = _translated(stamped.values, stamped.role, stamp, battlemap.terrain_set)
        try:
            edits.append(paint(battlemap, layer_id, spec.name, elements, codes))
        except ValueError as problem:
            text = f"this map cannot hold what was copied: {problem}"
            raise error("stamp-values", text) from problem
    if not why_not(battlemap, layer_id):
        things = stamp_things(battlemap, stamp, cell).things
        edits.append(add_things(battlemap, topmost_part(battlemap, layer_id).id, things))
    return with_links_mended(battlemap, compound(edits))


def carry_things(
    battlemap: BattleMap, stamp: Stamp, cell: int, things: Sequence[Thing]
) -> Edit | None:
    """Return the edit that moves things to where the stamp, cut from them, has them on ``cell``.

    They stay in their layers. What would be outside the map is removed; what would come to where no
    thing can stand stays. The stamp is not turned; its things are in the order of ``things``.
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
        spec_of_role = system.with_role(plane.role)
    if spec_of_role is not None:
        if spec_of_role.element is not plane.element:
            return None
        return spec_of_role
    for spec in system.shown_planes:
        if spec.name == name and spec.element is plane.element:
            return spec
    return None


def _translated(
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
    table = np.zeros(max(used_codes, default=0) + 1, np.int64)
    table[used_codes] = [map_codes[name] for name in used_names]
    translated_values: Plane = table[values]
    return translated_values


def stamp_things(battlemap: BattleMap, stamp: Stamp, cell: int) -> Settled:
    """Return the things of a stamp that lies with its anchor on ``cell``, with negative ids.

    What lies off the map, or where none can stand, is left out; the words say why none can.
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
    return settled._replace(words=" - ".join(filter(None, (last_reason, settled.words))))


def _placed_id(thing: StampThing) -> int:
    """Return the id of a thing that was placed but is not in the map yet: below 0."""
    return -1 - thing.id


def _thing_at(grid: Grid, thing: StampThing, cell: int) -> Thing | None:
    """Return a thing of a stamp with its anchor on ``cell``; None if it is off the map."""
    (qx, qy), (rx, ry) = grid.layout.basis
    anchor_x, anchor_y = grid.centre(cell)
    q = thing.q / FINE
    r = thing.r / FINE
    x, y = nearest_copy(grid, anchor_x + q * qx + r * rx, anchor_y + q * qy + r * ry)
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
