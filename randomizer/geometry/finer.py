"""A map on two to four times as many columns and rows: each cell is cut into smaller ones.

The dialog that resizes a map calls ``finer_map``. Which new cell belongs to which old one is said
by ``FinerGrid`` (finer_grid.py); the values of planes follow from that (finer_planes.py,
finer_ways.py). Here layers, things and locks are put together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.cell_moves import Transformed, without_roll
from randomizer.geometry.finer_grid import FinerGrid
from randomizer.geometry.finer_planes import finer_plane
from randomizer.geometry.transform import check_size, check_system
from randomizer.model.edits.reshape import Shape
from randomizer.model.planes.planes import Element, Plane, PlaneSpec
from randomizer.model.problems import error
from randomizer.model.system.cell_width import SCALE, read_cell_width
from randomizer.model.system.property import PropertyKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

FACTORS = (2, 3, 4)
"""The factors that the user can choose."""


def finer_map(battlemap: BattleMap, factor: int) -> Transformed:
    """Return the map with each cell cut into smaller ones, ``factor`` times as many either way.

    New cells have the values of the old cell in which their centres lie, new sides those of the old
    ones between the same cells; ways run along the lines between the old centres, heights of
    corners rise evenly. Rolls become ordinary layers, as in ``transform``. Raises ProblemError for
    a size that the map cannot have, and for a game with one board.
    """
    system = battlemap.system
    old_grid = battlemap.grid
    if system.fixed_grid:
        raise error("resize-board", f"the board of a {system.title} has one size")
    check_size(old_grid.width * factor, old_grid.height * factor)
    finer = FinerGrid(old_grid, factor)
    check_system(system, finer.new)
    layers = tuple(_finer_layer(system, layer, finer) for layer in battlemap.layers)
    locked_cells, locked_sides = _finer_locks(battlemap, finer)
    shape = Shape(finer.new, layers, locked_cells, locked_sides)
    centres = old_grid.centres()
    return Transformed.of(battlemap, shape, centres, finer.to_new(centres), 0)


def _finer_layer(system: System, layer: Layer, finer: FinerGrid) -> Layer:
    """Return a layer on the finer grid, with its planes, properties and things."""
    planes = {}
    for name, plane in layer.planes.items():
        spec = system.plane(name)
        if spec.shown:
            planes[name] = finer_plane(finer, plane, spec)
    properties = dict(layer.properties)
    for prop in system.properties:
        if prop.kind is PropertyKind.NAMES and prop.name in properties:
            properties[prop.name] = _renamed_cells(system, properties[prop.name], finer)
    cell_width = read_cell_width(str(properties.get(SCALE, "")))
    if cell_width is not None:
        properties[SCALE] = cell_width.in_parts(finer.factor).text()
    things = [_finer_thing(thing, finer) for thing in layer.things.values()]
    return without_roll(layer, planes, properties, things)


def _finer_thing(thing: Thing, finer: FinerGrid) -> Thing:
    """Return a thing at the point of the new map that lies on its own."""
    x, y = finer.to_new(np.array([[thing.x, thing.y]]))[0].tolist()
    old_cell = finer.old.cell_at(thing.x, thing.y)
    if old_cell >= 0 and finer.new.cell_at(x, y) < 0:
        # The rim of hexes is jagged, so a point near it can be on an old cell and on no new one.
        x, y = finer.new.centre(int(finer.middles[old_cell]))
    return replace(thing, x=x, y=y, key="", touched=False)


def _renamed_cells(system: System, names: Iterable[str], finer: FinerGrid) -> tuple[str, ...]:
    """Return the names of the new cells in the middle of old ones that are named.

    A name that is none of a cell stays (a file can hold any word in a start list).
    """
    new_names = []
    for name in names:
        cell = system.cell_of_name(finer.old, name)
        if cell is None:
            new_names.append(name)
        else:
            new_names.append(system.cell_name(finer.new, int(finer.middles[cell])))
    return tuple(new_names)


def _finer_locks(battlemap: BattleMap, finer: FinerGrid) -> tuple[Plane, Plane]:
    """Return the locks of the new cells and of their sides."""
    # Locks are no plane of a system, but are cut as if they were one of booleans.
    cell_locks = PlaneSpec("locked_cells", "?", Element.CELL, unset=0, default=0)
    side_locks = PlaneSpec("locked_sides", "?", Element.SIDE, unset=0, default=0)
    locked_cells = finer_plane(finer, battlemap.locked_cells, cell_locks)
    return locked_cells, finer_plane(finer, battlemap.locked_sides, side_locks)
