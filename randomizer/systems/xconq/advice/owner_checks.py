"""Advice about the sides of units: sides that do not exist, or cannot act, and odd owners.

The owner of a unit is 0 if it is neutral, else the number of its side counted from 1. Files and
messages count sides from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from randomizer.model.basics.plurals import there_are
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.unit_fault import Fixes, UnitFault
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.advice.units_on_map import OFF_MAP, UnitsOnMap


def check_owners(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units of sides that do not exist. Messages number sides as files do, from 0."""
    side_count = len(units.sides.sides)
    for unit in units.units:
        if 0 <= unit.owner <= side_count:
            continue
        number = unit.owner - 1
        if side_count:
            message = (
                f"{units.name(unit)} belongs to side {number}, but "
                f"{there_are(side_count, 'side')}, counted from 0: it will be neutral"
            )
        else:
            message = (
                f"{units.name(unit)} belongs to side {number}, but the map has no sides: Xconq "
                "makes them up, and without a side of that number it will be neutral"
            )
        make_neutral = partial(_give, unit, 0, "make it neutral")
        yield UnitFault(unit, "advice-owner", message, make_fixes=make_neutral)


def check_neutral_units(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the neutral units whose type cannot be neutral, by the period's word “neutral”."""
    can_be_neutral = units.period.row("neutral")
    for unit in units.units:
        unit_type = units.types.get(unit.kind)
        if unit.owner == 0 and unit_type is not None and not can_be_neutral[unit_type]:
            message = f"{units.name(unit)} is neutral, which its type cannot be (neutral)"
            give = partial(_give_to_nearest, units, unit)
            yield UnitFault(unit, "advice-neutral", message, make_fixes=give)


def _give_to_nearest(units: UnitsOnMap, unit: Thing) -> Fixes:
    """Return the fix that gives a unit to the side of the nearest unit that has one.

    If its carrier has a side, that is the carrier's: its distance is 0. No fix if no unit has one.
    """
    side_count = len(units.sides.sides)
    units_of_sides = [
        other
        for other in units.units
        if 0 < other.owner <= side_count and units.cells[other.id] != OFF_MAP
    ]
    if not units_of_sides:
        return Fixes()
    # The first of several that are as near: ``argmin`` returns that.
    cells = np.array([units.cells[other.id] for other in units_of_sides], np.intp)
    nearest_unit = units_of_sides[int(units.distances_from(unit, cells).argmin())]
    owner = nearest_unit.owner
    return _give(unit, owner, f"give it to {units.name_side(owner)}")


def check_sides_of_carriers(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units that are carried by a unit of another side."""
    for carried_id, carrier_id in units.carriers.items():
        unit = units.by_id[carried_id]
        carrier = units.by_id[carrier_id]
        if unit.owner != carrier.owner:
            side = units.name_side(carrier.owner)
            message = (
                f"{units.name(unit)} belongs to {units.name_side(unit.owner)}, but {carrier.kind}, "
                f"which carries it, to {side}"
            )
            give = partial(_give, unit, carrier.owner, f"give it to {side}")
            yield UnitFault(unit, "advice-strangers", message, make_fixes=give)


def _give(unit: Thing, owner: int, title: str) -> Fixes:
    """Return the fix that gives a unit to an owner."""
    return Fixes(Fix(title, things=(ThingChange(unit.id, owner=owner),)))


def check_idle_sides(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the sides that have units, but none that can move or make anything."""
    period = units.period
    can_make = (period.table("make") > 0).any(axis=1)
    can_act = movers(period) | can_make
    # A unit of a type that the period lacks may or may not act: it does not make a side active.
    owners: set[int] = set()
    active_owners: set[int] = set()
    for unit in units.units:
        owners.add(unit.owner)
        unit_type = units.types.get(unit.kind)
        if unit_type is not None and can_act[unit_type]:
            active_owners.add(unit.owner)
    for owner in sorted(owners - active_owners):
        if 0 < owner <= len(units.sides.sides):
            name = units.name_side(owner)
            name = f"{name[:1].upper()}{name[1:]}"
            message = f"{name} has no unit that can move or make others (speed, moves, make)"
            yield Problem(Severity.WARNING, "advice-no-movers", message)
