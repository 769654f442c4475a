"""Advice about units that carry others: lost carriers, loads that are too large, crowded hexes.

On a hex there can be one unit that is not carried; the others on it must be in its hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from randomizer.model.map.carriers import link_of
from randomizer.model.problems import Fix, Severity, ThingChange
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.unit_fault import Fixes, UnitFault
from randomizer.systems.xconq.advice.unit_moves import count_kinds, relocation_fixes
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.advice.units_on_map import OFF_MAP, UnitsOnMap
from randomizer.systems.xconq.period.value_problems import list_names
from randomizer.systems.xconq.units.capacity import Capacity
from randomizer.systems.xconq.units.unit_state import TRANSPORT


def check_crowded_hexes(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield a fault for each hex with units of which none carries the others."""
    uncarried: dict[int, list[Thing]] = defaultdict(list)
    for unit in units.units:
        cell = units.cells[unit.id]
        if unit.id not in units.carriers and cell != OFF_MAP:
            uncarried[cell].append(unit)
    for units_on_hex in uncarried.values():
        if len(units_on_hex) > 1:
            first_unit = units_on_hex[0]
            names = list_names([unit.kind for unit in units_on_hex])
            x, y = units.grid.xy(units.cells[first_unit.id])
            message = f"{names} on one hex, {x},{y}: one must carry the others"
            part = partial(_part_crowd, units, units_on_hex)
            yield UnitFault(first_unit, "advice-stack", message, make_fixes=part)


def _part_crowd(units: UnitsOnMap, crowd: Sequence[Thing]) -> Fixes:
    """Return the fixes for units on one hex: one takes the others in, or these leave the hex.

    The unit that stays is rather one that was placed by hand than a rolled one; of several it is
    one that cannot move, a city for example, else the first one.
    """
    can_move = movers(units.period)

    def reasons_to_go(unit: Thing) -> tuple[bool, bool]:
        unit_type = units.types.get(unit.kind)
        is_mover = unit_type is None or bool(can_move[unit_type])
        return unit.key != "", is_mover

    # ``min`` takes the first of several with the fewest reasons.
    staying_unit = min(crowd, key=reasons_to_go)
    surplus = [unit for unit in crowd if unit is not staying_unit]
    fixes = relocation_fixes(units, surplus)
    # Loading changes less than sending away, so it is offered first where it can be done.
    for carrier in crowd:
        others = [unit for unit in crowd if unit is not carrier]
        if _has_room_for(units, carrier, others):
            names = count_kinds(others)
            changes = tuple(ThingChange(unit.id, carrier=carrier.id) for unit in others)
            load = Fix(f"put {names} into {carrier.kind}", things=changes)
            return Fixes(load, fixes.all)  # the fixes that make them leave are offered second
    return fixes


def _has_room_for(units: UnitsOnMap, carrier: Thing, passengers: Sequence[Thing]) -> bool:
    """Return whether a unit can take in all of some units of its own side, with what it carries."""
    capacity = Capacity(units.period)
    carrier_type = units.types.get(carrier.kind)
    if carrier_type is None:
        return False
    # Load the passengers one after the other, with what is aboard already.
    aboard: list[int] = []
    for unit in units.loads.get(carrier.id, ()):
        aboard_type = units.types.get(unit.kind)
        if aboard_type is not None:
            aboard.append(aboard_type)
    for unit in passengers:
        unit_type = units.types.get(unit.kind)
        if unit_type is None or unit.owner != carrier.owner:
            return False
        if capacity.why_full(carrier_type, aboard, unit_type) is not None:
            return False
        aboard.append(unit_type)
    return True


def check_lost_carriers(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units whose carrier is gone or on another hex."""
    for unit in units.units:
        link = link_of(unit, TRANSPORT)
        if link is not None and unit.id not in units.carriers:
            whereabouts = "is gone"
            if link in units.by_id:
                whereabouts = "is on another hex"
            message = f"{units.name(unit)} is carried by a unit that {whereabouts}"
            yield UnitFault(unit, "advice-transport", message, Severity.HINT)


def check_loads(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Yield the units that carry too many of one type, or too much volume."""
    capacity = Capacity(units.period)
    for carrier_id, carried_units in units.loads.items():
        carrier = units.by_id[carrier_id]
        carrier_type = units.types.get(carrier.kind)
        if carrier_type is None:
            continue
        # A unit of a type that the period lacks has no capacity and no volume.
        units_by_type: dict[int, list[Thing]] = defaultdict(list)
        for carried_unit in carried_units:
            carried_type = units.types.get(carried_unit.kind)
            if carried_type is not None:
                units_by_type[carried_type].append(carried_unit)
        yield from _check_numbers(units, capacity, carrier, units_by_type)
        yield from _check_volume(units, capacity, carrier, units_by_type)


def _check_numbers(
    units: UnitsOnMap,
    capacity: Capacity,
    carrier: Thing,
    units_by_type: Mapping[int, Sequence[Thing]],
) -> Iterator[UnitFault]:
    """Yield a fault for each type of which a unit carries too many."""
    carrier_type = units.types[carrier.kind]
    for carried_type, units_of_type in units_by_type.items():
        most = int(capacity.most_of_type[carrier_type, carried_type])
        count = len(units_of_type)
        if count > most:
            message = (
                f"{units.name(carrier)} carries {count} {units.type_name(carried_type)}, but can "
                f"carry {most} (capacity)"
            )
            unload = partial(relocation_fixes, units, units_of_type[most:])
            yield UnitFault(carrier, "advice-capacity", message, make_fixes=unload)


def _check_volume(
    units: UnitsOnMap,
    capacity: Capacity,
    carrier: Thing,
    units_by_type: Mapping[int, Sequence[Thing]],
) -> Iterator[UnitFault]:
    """Yield a fault if the load of a unit has more volume than its hold."""
    hold = int(capacity.hold[units.types[carrier.kind]])
    if hold == 0:  # no limit
        return
    volumes: list[tuple[Thing, int]] = []
    for carried_type, units_of_type in units_by_type.items():
        volume = int(capacity.volume[carried_type])
        volumes += ((unit, volume) for unit in units_of_type)
    total_volume = sum(volume for _unit, volume in volumes)
    if total_volume > hold:
        message = (
            f"{units.name(carrier)} carries a volume of {total_volume}, but has room for {hold} "
            "(hold-volume)"
        )
        surplus = _surplus_of_volume(volumes, total_volume - hold)
        unload = partial(relocation_fixes, units, surplus)
        yield UnitFault(carrier, "advice-capacity", message, make_fixes=unload)


def _surplus_of_volume(volumes: Sequence[tuple[Thing, int]], excess: int) -> list[Thing]:
    """Return the units to unload, the last ones first, until the volume ``excess`` is gone.

    ``volumes`` are the units with their volumes. Those without a volume stay.
    """
    surplus: list[Thing] = []
    for unit, volume in reversed(volumes):
        if excess <= 0:
            break
        if volume > 0:
            surplus.append(unit)
            excess -= volume
    return surplus
