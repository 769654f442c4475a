"""Cuts stamps out of a map: ``cut`` an area, ``cut_things`` some things.

The hard part is a wrapped grid, where the right edge of the map joins the left one. An area across
that seam has cells at both ends of the map, and must be put together before it is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells, axial_of
from randomizer.geometry.stamp import FINE, WAY, Stamp, StampPlane, StampThing, fine_angle
from randomizer.model.edits.thing_edits import things_on
from randomizer.model.grid.layouts import Shear
from randomizer.model.map.carriers import relinked
from randomizer.model.map.regions import names_of, regions_of
from randomizer.model.planes.corners import corners_of
from randomizer.model.planes.planes import Element, Plane, PlaneRole, is_blank
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.grid.layouts import Layout
    from randomizer.model.map.battlemap import BattleMap


def anchor_of(grid: Grid, cells: Cells) -> int:
    """Return the anchor of an area: the cell nearest to its middle."""
    q, r = _unwrapped_axial(grid, cells)
    return int(cells[_nearest_the_middle(grid.layout, q, r)])


def cut(
    battlemap: BattleMap,
    cells: Cells,
    planes: Mapping[str, Plane],
    things: Iterable[Thing] | None = None,
) -> Stamp:
    """Return the stamp of an area: its values in ``planes``, and the things on it.

    ``cells`` are ascending (``areas.py``). ``planes`` are those of a layer or of a composite.
    ``things`` are those that may be cut, None for all visible ones. All corners of its cells belong
    to the area. An area across the seam of a wrapped grid stays in one piece. Raises ValueError for
    an area without cells.
    """
    if not len(cells):
        raise ValueError("a stamp needs at least one cell")
    grid = battlemap.grid
    system = battlemap.system

    # Cells, and their values.
    q, r = _unwrapped_axial(grid, cells)
    anchor_row = _nearest_the_middle(grid.layout, q, r)
    offset_q = q - q[anchor_row]
    offset_r = r - r[anchor_row]
    offsets = np.stack([offset_q, offset_r], axis=1)
    stamp_planes = _stamp_planes(battlemap, cells, planes)

    # Things, and the names of regions if any cell has one.
    things_to_cut: list[Thing] = []
    if things is not None:
        things_to_cut += things
    else:
        for layer in battlemap.layers:
            if layer.visible:
                things_to_cut += things_on(grid, layer.things, cells)
    stamp_things = _cut_things(battlemap, things_to_cut, cells, offsets)
    regions: tuple[str, ...] = ()
    if system.regions and system.regions.name in stamp_planes:
        regions = tuple(names_of(regions_of(battlemap.records)))
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
    if grid.layout.shear in (Shear.ROWS, Shear.OBLIQUE):
        columns = q + (r >> 1)  # on the screen each step along r is half a column, too
    used_columns = np.unique(columns % grid.width)
    gaps = np.diff(used_columns, append=used_columns[0] + grid.width)
    leftmost_column = used_columns[(int(gaps.argmax()) + 1) % len(used_columns)]
    turns = (columns - leftmost_column) // grid.width
    turn_q, turn_r = grid.step_around
    return q - turns * turn_q, r - turns * turn_r


def _nearest_the_middle(layout: Layout, q: NDArray[np.int64], r: NDArray[np.int64]) -> int:
    """Return the index of the cell, of those at (q, r), that is nearest to the mean of all."""
    return int(layout.squared_distance(q - q.mean(), r - r.mean()).argmin())


def _stamp_planes(
    battlemap: BattleMap, cells: Cells, planes: Mapping[str, Plane]
) -> dict[str, StampPlane]:
    """Return the values of cells in ``planes``, by the names that they have on a stamp.

    Blank planes of what not every map has (ways, their flow, regions) are left out, so that the
    stamp fits a map without them.
    """
    grid = battlemap.grid
    system = battlemap.system
    roles = {system.plane_with_role(role): role for role in PlaneRole}
    way_names = {}
    # Systems have planes for more ways than most sets have.
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


def _cut_things(
    battlemap: BattleMap,
    things: Iterable[Thing],
    cells: Cells,
    offsets: NDArray[np.int64],
) -> tuple[StampThing, ...]:
    """Return those of ``things`` that are on ``cells`` (n,), ascending, as things on a stamp.

    ``offsets`` (n, 2) are those of the cells from the anchor.
    """
    grid = battlemap.grid
    # Find the row in ``cells`` of each thing that is on one of them.
    things_to_cut = []
    rows = {}
    for thing in things:
        cell = grid.cell_at(thing.x, thing.y)
        row = int(np.searchsorted(cells, cell))
        if row < len(cells) and cells[row] == cell:
            things_to_cut.append(thing)
            rows[thing.id] = row

    # Number the things of the stamp, and link them by these numbers to what carries them. A link
    # to a carrier that is not cut is removed.
    ids = {thing.id: number for number, thing in enumerate(things_to_cut, 1)}
    linked_things = relinked(things_to_cut, battlemap.system.thing_rules.carrier, ids)

    # Convert the position of each thing within its cell to axial coordinates.
    inverse_basis = np.linalg.inv(np.array(grid.layout.basis))
    stamp_things = []
    for thing in linked_things:
        row = rows[thing.id]
        x, y = grid.shown_point(thing.x, thing.y)
        centre_x, centre_y = grid.centre(int(cells[row]))
        q_in_cell, r_in_cell = np.array((x - centre_x, y - centre_y)) @ inverse_basis
        offset_q, offset_r = offsets[row]
        stamp_thing = StampThing(
            kind=thing.kind,
            q=round((offset_q + q_in_cell) * FINE),
            r=round((offset_r + r_in_cell) * FINE),
            angle=fine_angle(thing.angle),
            owner=thing.owner,
            label=thing.label,
            state=thing.state,
            id=ids[thing.id],
        )
        stamp_things.append(stamp_thing)
    return tuple(stamp_things)
