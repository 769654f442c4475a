"""Fixes that move units to the nearest hexes for them, or remove them.

A unit moves with all that it carries. It goes to a hex without another unit, on terrain where its
type can stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from randomizer.model.problems import Fix, ThingChange
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.unit_fault import Fixes
from randomizer.systems.xconq.advice.units_on_map import OFF_MAP, UnitsOnMap
from randomizer.systems.xconq.period.value_problems import list_names

_TERRAIN_CODES = 256
"""The number of codes that a cell of the terrain plane (uint8) can have."""


def move_to_land(units: UnitsOnMap, unit: Thing) -> Fixes:
    """Return the fix that moves a unit, and what it carries, to the nearest hex it can be on.

    No fix if there is no such hex.
    """
    cell = _nearest_free_cell(units, unit)
    if cell is None:
        return Fixes()
    x, y = units.grid.xy(cell)
    note = _note_on_rolls(units.load_of(unit))
    return Fixes(Fix(f"move it to {x},{y}{note}", things=_moves_to(units, unit, cell)))


def send_away(units: UnitsOnMap, surplus: Sequence[Thing]) -> Fixes:
    """Return the fixes that move surplus units to the nearest hexes for them, or remove them.

    What they carry goes with them, each unit to a hex of its own.
    """
    moves: list[ThingChange] = []
    removals: list[ThingChange] = []
    moved_units: list[Thing] = []
    taken_cells: set[int] = set()
    for unit in surplus:
        for removed_unit in units.load_of(unit):
            removals.append(ThingChange(removed_unit.id, is_removed=True))
        cell = _nearest_free_cell(units, unit, taken_cells)
        if cell is not None:
            taken_cells.add(cell)
            moved_units += units.load_of(unit)
            moves += _moves_to(units, unit, cell)
    names = count_kinds(surplus)
    remove = Fix(f"remove {names}", things=tuple(removals))
    if len(taken_cells) < len(surplus):
        return Fixes(None, (remove,))  # there is no hex for some of them

    where = "the nearest free hexes"
    if len(surplus) == 1:
        x, y = units.grid.xy(next(iter(taken_cells)))
        where = f"{x},{y}"
    note = _note_on_rolls(moved_units)
    move = Fix(f"move {names} to {where}{note}", things=tuple(moves))
    return Fixes(move, (remove,))


def _nearest_free_cell(
    units: UnitsOnMap, unit: Thing, taken_cells: Collection[int] = ()
) -> int | None:
    """Return the nearest hex that a unit can be on, without another unit; None if there is none.

    No unit can be at the poles, the first and the last row. A unit whose type the period lacks can
    be on any other hex. ``taken_cells`` are not free either.
    """
    unit_type = units.types.get(unit.kind)
    height = units.grid.height
    width = units.grid.width
    is_possible = np.ones((height, width), np.bool_)
    is_possible[[0, -1]] = False
    if unit_type is not None and units.terrain is not None:
        # A map can have codes of terrain that the period lacks; no unit can be on that.
        can_stand_on_code = np.zeros(_TERRAIN_CODES, np.bool_)
        can_stand_on_code[: len(units.period.terrains)] = units.can_stand[unit_type]
        is_possible &= can_stand_on_code[units.terrain]
    occupied_cells = [cell for cell in units.cells.values() if cell != OFF_MAP]
    is_possible.flat[[*occupied_cells, *taken_cells]] = False
    cells = np.flatnonzero(is_possible)
    if not cells.size:
        return None
    return int(cells[units.distances_from(unit, cells).argmin()])


def _moves_to(units: UnitsOnMap, unit: Thing, cell: int) -> tuple[ThingChange, ...]:
    """Return the changes that move a unit to a cell, with all that it carries."""
    centre = units.grid.centre(cell)
    return tuple(ThingChange(moved.id, position=centre) for moved in units.load_of(unit))


def _note_on_rolls(moved_units: Sequence[Thing]) -> str:
    """Return what to add to the title of a fix that moves units, "" if no rolled ones are moved.

    A rolled unit that was moved once stays there, whatever new rolls say: worth telling before.
    """
    rolled_units = [unit for unit in moved_units if unit.key and not unit.touched]
    if not rolled_units:
        return ""
    if len(moved_units) == 1:
        return "; new rolls will keep it there"
    return "; new rolls will keep them there"


def count_kinds(units: Sequence[Thing]) -> str:
    """Return the kinds of units for a sentence, such as "2 infantry and boat"."""
    names = []
    for kind, count in Counter(unit.kind for unit in units).items():
        if count == 1:
            names.append(kind)
        else:
            names.append(f"{count} {kind}")
    return list_names(names)
