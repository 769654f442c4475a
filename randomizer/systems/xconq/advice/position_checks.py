"""Advice about units on hexes where they cannot be: at the poles, or on the wrong terrain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.unit_fault import UnitFault
from randomizer.systems.xconq.advice.unit_moves import move_to_nearest_hex
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.advice.units_on_map import OFF_MAP, UnitsOnMap


def check_edge_rows(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units in the first and the last row, and those off the map."""
    for unit in units.units:
        cell = units.cells[unit.id]
        if cell == OFF_MAP or _is_at_pole(units, cell):
            message = (
                f"{units.name(unit)}: units on the rows at the poles are lost when the map is "
                "loaded"
            )
            move = partial(move_to_nearest_hex, units, unit)
            yield UnitFault(unit, "advice-edge-unit", message, make_fixes=move)


def check_stranded_units(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the uncarried units on terrain where their type cannot stand, see ``can_stand``.

    Units at the poles and several on one hex have problems of their own.
    """
    # Without a map in the file its terrain is invented, so it is no mistake of the author.
    if not units.is_terrain_chosen:
        return
    can_move = movers(units.period)
    uncarried_units = [unit for unit in units.units if unit.id not in units.carriers]
    uncarried_on_cell = Counter(units.cells[unit.id] for unit in uncarried_units)
    for unit in uncarried_units:
        unit_type = units.types.get(unit.kind)
        terrain = units.terrain_under(unit)
        if unit_type is None or terrain is None or units.can_stand[unit_type, terrain]:
            continue
        cell = units.cells[unit.id]
        if _is_at_pole(units, cell) or uncarried_on_cell[cell] > 1:
            continue
        name = f"{units.name(unit)} stands on {units.period.terrains[terrain].name}"
        if can_move[unit_type]:
            message = f"{name}, where it cannot move"
        elif _is_beside_its_terrain(units, unit):
            # The game lets units that cannot move be anywhere. Maps of its library have ports on
            # water beside land, which are no mistake.
            continue
        else:
            message = f"{name}: new worlds have none there, nor on a hex beside it"
        move = partial(move_to_nearest_hex, units, unit)
        yield UnitFault(unit, "advice-stranded", message, make_fixes=move)


def _is_beside_its_terrain(units: UnitsOnMap, unit: Thing) -> bool:
    """Return whether a unit of a known type can stand on one of the hexes around it."""
    assert units.terrain is not None, "the unit stands on terrain"
    can_stand = units.can_stand[units.types[unit.kind]]
    for cell in units.grid.neighbours(units.cells[unit.id]):
        terrain = int(units.terrain.flat[cell])
        if terrain < len(can_stand) and can_stand[terrain]:
            return True
    return False


def _is_at_pole(units: UnitsOnMap, cell: int) -> bool:
    """Return whether a cell is in the first or the last row."""
    _x, y = units.grid.xy(cell)
    return y in (0, units.grid.height - 1)
