"""Advice about units whose type the period does not have, most often since the type was renamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Fix, ThingChange
from randomizer.systems.xconq.advice.unit_fault import Fixes, UnitFault
from randomizer.systems.xconq.advice.units_on_map import UnitsOnMap
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.reading import read_period

_MAX_NAMES = 4
"""The most further names that are offered: a longer menu is not read."""


def check_types(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield a fault for each kind of units that is no type of the period."""
    types = units.types
    unknown_kinds = Counter(unit.kind for unit in units.units if unit.kind not in types)
    for kind, count in unknown_kinds.items():
        first_unit = next(unit for unit in units.units if unit.kind == kind)
        message = (
            f"The period has no unit type {kind}, but the map has {counted(count, 'such unit')}"
        )
        rename = partial(_rename_unknown_units, units, kind)
        yield UnitFault(first_unit, "advice-unknown-unit", message, make_fixes=rename)


def _rename_unknown_units(units: UnitsOnMap, kind: str) -> Fixes:
    """Return the fixes that give all units of a kind the name that their type may have now."""
    likely_name = _name_in_same_place(units, kind)
    if likely_name is not None:
        rename = _rename(units, kind, likely_name)
        return Fixes(rename, cause=units.find_definition(likely_name))

    # Offer the names of types that no unit has. Rolled units do not count: a roll has given them
    # the new name already.
    kinds_by_hand = {unit.kind for unit in units.units if not unit.key}
    names = [unit_type.name for unit_type in units.period.units]
    unused_names = [name for name in names if name not in kinds_by_hand]
    if len(unused_names) == 1:
        likely_names = unused_names
    else:
        likely_names = get_close_matches(kind, unused_names, n=1)
    other_names = [name for name in unused_names if name not in likely_names]
    further = tuple(_rename(units, kind, name) for name in other_names[:_MAX_NAMES])
    if not likely_names:
        return Fixes(None, further)
    likely_name = likely_names[0]
    return Fixes(
        _rename(units, kind, likely_name), further, cause=units.find_definition(likely_name)
    )


def _name_in_same_place(units: UnitsOnMap, former_name: str) -> str | None:
    """Return the name of the unit type that stands where one of the former name stood.

    Of infantry, tank and city, of which the tank is now called armour, that is the armour.

    A renamed type keeps its place in the list of types. The former list is that of the period with
    which the map was rolled or, since the map may have been rolled again with the new name, of a
    packaged one, from which most periods begin. None if no such list has the former name, or the
    types are others.
    """
    names = [unit_type.name for unit_type in units.period.units]
    former_periods = [units.read_rolled_period()]
    for metadata in packaged_metadata():
        former_periods.append(read_period(packaged_text(metadata.script)).period)
    for period in former_periods:
        if period is None or len(period.units) != len(names):
            continue
        former_names = [unit_type.name for unit_type in period.units]
        if former_name not in former_names:
            continue
        name = names[former_names.index(former_name)]
        if name not in former_names:
            return name
    return None


def _rename(units: UnitsOnMap, kind: str, name: str) -> Fix:
    """Return the fix that gives all units of a kind another name."""
    changes = [ThingChange(unit.id, kind=name) for unit in units.units if unit.kind == kind]
    return Fix(f"rename the units on the map to {name}, too", things=tuple(changes))
