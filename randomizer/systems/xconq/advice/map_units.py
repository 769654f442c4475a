"""Advice about the units of a map: where they stand, what carries them, and whether any can act."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted, there_are
from randomizer.model.grid.grid import Grid
from randomizer.model.map.carriers import carriers, link_of
from randomizer.model.problems import Fix, Problem, Severity, ThingChange
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import list_names
from randomizer.systems.xconq.records import Sides
from randomizer.systems.xconq.units.capacity import Capacity
from randomizer.systems.xconq.units.unit_kinds import kind_numbers
from randomizer.systems.xconq.units.unit_state import TRANSPORT
from randomizer.systems.xconq.world.hexes import distances

MOST_LISTED = 10
"""So many faults of one sort are listed, the others counted."""


@dataclass(frozen=True, eq=False)
class UnitsOnMap:
    """The units of a map, and what is known of where they are and what they carry.

    ``terrain`` has the terrain code of each cell, shape (height, width); None for a map without.
    """

    units: Sequence[Thing]
    grid: Grid
    period: Period
    sides: Sides
    terrain: NDArray[np.uint8] | None = None

    @property
    def types(self) -> Mapping[str, int]:
        """The unit types by the names of their kinds."""
        return kind_numbers(self.period)

    @cached_property
    def by_id(self) -> Mapping[int, Thing]:
        """The units by their ids."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def cells(self) -> Mapping[int, int]:
        """The cells of the units by their ids; -1 outside of the map."""
        points = np.array([(unit.x, unit.y) for unit in self.units], np.float64).reshape(-1, 2)
        cells = self.grid.cells_at(points).tolist()
        return {unit.id: cell for unit, cell in zip(self.units, cells, strict=True)}

    @cached_property
    def carriers(self) -> Mapping[int, int]:
        """By the ids of units that are carried, those of their carriers."""
        return carriers(self.grid, TRANSPORT, self.units)

    @cached_property
    def loads(self) -> Mapping[int, Sequence[Thing]]:
        """By the ids of units that carry others, these."""
        loads: dict[int, list[Thing]] = defaultdict(list)
        for carried, carrier in self.carriers.items():
            loads[carrier].append(self.by_id[carried])
        return loads

    @cached_property
    def entered(self) -> NDArray[np.bool_]:
        """True if each unit type can move on each terrain type, shape (units, terrains)."""
        return np.asarray(self.period.table("moves") >= 0)

    def terrain_under(self, unit: Thing) -> int | None:
        """Return the terrain type under a unit; None off the map and for one the period lacks."""
        cell = self.cells[unit.id]
        if self.terrain is None or cell < 0:
            return None
        code = int(self.terrain.flat[cell])
        return code if code < len(self.period.terrains) else None

    def name_side(self, owner: int) -> str:
        """Return the name of the side of an owner; a side without one by its number in files."""
        if owner == 0:
            return "no side"
        sides = self.sides.sides
        name = sides[owner - 1].name if owner <= len(sides) else ""
        return name or f"side {owner - 1}"

    def name(self, unit: Thing) -> str:
        """Return what a unit is called in a sentence."""
        x, y = self.grid.xy(self.cells[unit.id])
        return f"{f'{unit.label}, ' if unit.label else ''}{unit.kind} on {x},{y}"

    def kind(self, unit: int) -> str:
        """Return the name of a unit type."""
        return self.period.units[unit].name


class UnitFault(NamedTuple):
    """A fault of a unit. ``make_fix`` is asked for the faults that are listed; None: no way out."""

    unit: Thing
    code: str
    message: str
    severity: Severity = Severity.WARNING
    make_fix: Callable[[], Fix | None] | None = None

    def problem(self, units: UnitsOnMap) -> Problem:
        """Return the problem of the fault, with its place on the map."""
        cell = units.cells[self.unit.id]
        fix = None if self.make_fix is None else self.make_fix()
        faulty_cell = None if cell < 0 else cell
        return Problem(self.severity, self.code, self.message, cell=faulty_cell, fix=fix)


def unit_advice(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the problems of the units of a map."""
    if not units.units:
        return
    checks = (
        _unknown,
        _on_edges,
        _owners,
        _neutral,
        _crowded,
        _lost,
        _strangers,
        _overloaded,
        _stranded,
    )
    for check in checks:
        faults = list(check(units))
        for fault in faults[:MOST_LISTED]:
            yield fault.problem(units)
        if len(faults) > MOST_LISTED:
            more = there_are(len(faults) - MOST_LISTED, "more problem")
            last = faults[MOST_LISTED]
            yield Problem(last.severity, last.code, f"{more.capitalize()} like the last")
    yield from _idle_sides(units)


def _unknown(units: UnitsOnMap) -> Iterator[UnitFault]:
    types = units.types
    kinds = Counter(unit.kind for unit in units.units if unit.kind not in types)
    for kind, number in kinds.items():
        first = next(unit for unit in units.units if unit.kind == kind)
        message = (
            f"The period has no unit type {kind}, but the map has {counted(number, 'such unit')}"
        )
        yield UnitFault(first, "advice-unknown-unit", message)


def _on_edges(units: UnitsOnMap) -> Iterator[UnitFault]:
    for unit in units.units:
        y = units.cells[unit.id] // units.grid.width
        if y <= 0 or y == units.grid.height - 1:
            message = (
                f"{units.name(unit)}: units on the rows at the poles are lost when the map is "
                "loaded"
            )
            move = partial(_move_to_land, units, unit)
            yield UnitFault(unit, "advice-edge-unit", message, make_fix=move)


def _owners(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Units of sides that are not there. Sides have the numbers that they have in files."""
    sides = len(units.sides.sides)
    for unit in units.units:
        if 0 <= unit.owner <= sides:
            continue
        number = unit.owner - 1
        if sides:
            message = (
                f"{units.name(unit)} belongs to side {number}, but "
                f"{there_are(sides, 'side')}, counted from 0: it will be neutral"
            )
        else:
            message = (
                f"{units.name(unit)} belongs to side {number}, but the map has no sides: Xconq "
                "makes them up, and without a side of that number it will be neutral"
            )
        yield UnitFault(
            unit, "advice-owner", message, make_fix=partial(_give, unit, 0, "make it neutral")
        )


def _give(unit: Thing, owner: int, title: str) -> Fix:
    return Fix(title, things=(ThingChange(unit.id, owner=owner),))


def _neutral(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Neutral units of types that cannot be: the document's word “neutral”."""
    can_be_neutral = units.period.row("neutral")
    for unit in units.units:
        kind = units.types.get(unit.kind)
        if unit.owner == 0 and kind is not None and not can_be_neutral[kind]:
            message = f"{units.name(unit)} is neutral, which its type cannot be (neutral)"
            give = partial(_give_to_nearest, units, unit)
            yield UnitFault(unit, "advice-neutral", message, make_fix=give)


def _give_to_nearest(units: UnitsOnMap, unit: Thing) -> Fix | None:
    """Return the fix that gives a unit to the side of the nearest unit, or of its carrier."""
    sides = len(units.sides.sides)
    owned = [each for each in units.units if 0 < each.owner <= sides]
    if not owned:
        return None
    cells = np.array([units.cells[each.id] for each in owned])
    nearest = owned[int(_distances_from(units, unit, cells).argmin())]
    return _give(unit, nearest.owner, f"give it to {units.name_side(nearest.owner)}")


def _distances_from(units: UnitsOnMap, unit: Thing, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    width = units.grid.width
    y, x = np.divmod(cells, width)
    to_y, to_x = divmod(units.cells[unit.id], width)
    return distances(width, x, y, to_x, to_y)


def _crowded(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Units on one hex of which none carries the others."""
    standing: dict[int, list[Thing]] = defaultdict(list)
    for unit in units.units:
        if unit.id not in units.carriers and units.cells[unit.id] >= 0:
            standing[units.cells[unit.id]].append(unit)
    for several in standing.values():
        if len(several) > 1:
            names = list_names([unit.kind for unit in several])
            message = f"{units.name(several[0])}: of {names} on one hex one must carry the others"
            yield UnitFault(several[0], "advice-stack", message)


def _lost(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Units whose carrier is gone or on another hex."""
    for unit in units.units:
        link = link_of(unit, TRANSPORT)
        if link is not None and unit.id not in units.carriers:
            where = "is on another hex" if link in units.by_id else "is gone"
            message = f"{units.name(unit)} is carried by a unit that {where}"
            yield UnitFault(unit, "advice-transport", message, Severity.HINT)


def _strangers(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Units that are carried by a unit of another side."""
    for carried, carrier in units.carriers.items():
        unit = units.by_id[carried]
        above = units.by_id[carrier]
        if unit.owner != above.owner:
            side = units.name_side(above.owner)
            message = (
                f"{units.name(unit)} belongs to {units.name_side(unit.owner)}, but {above.kind}, "
                f"which carries it, to {side}"
            )
            give = partial(_give, unit, above.owner, f"give it to {side}")
            yield UnitFault(unit, "advice-strangers", message, make_fix=give)


def _overloaded(units: UnitsOnMap) -> Iterator[UnitFault]:
    capacity = Capacity(units.period)
    for carrier, occupants in units.loads.items():
        unit = units.by_id[carrier]
        kind = units.types.get(unit.kind)
        if kind is None:
            continue
        load: Counter[int] = Counter()
        for occupant in occupants:
            occupant_kind = units.types.get(occupant.kind)
            if occupant_kind is not None:
                load[occupant_kind] += 1
        name = units.name(unit)
        for occupant_kind, number in load.items():
            most = int(capacity.most[kind, occupant_kind])
            if number > most:
                message = (
                    f"{name} carries {number} {units.kind(occupant_kind)}; its “capacity” is {most}"
                )
                yield UnitFault(unit, "advice-capacity", message)
        total = sum(
            int(capacity.volume[carried_type]) * number for carried_type, number in load.items()
        )
        hold = int(capacity.hold[kind])
        if 0 < hold < total:
            message = f"{name} carries a “volume” of {total}; its “hold-volume” is {hold}"
            yield UnitFault(unit, "advice-capacity", message)


def _stranded(units: UnitsOnMap) -> Iterator[UnitFault]:
    """Units that can move, but not on the terrain on which they stand, and that nothing carries.

    Units at the poles and several on one hex have problems of their own.
    """
    can_move = movers(units.period)
    standing = Counter(
        units.cells[unit.id] for unit in units.units if unit.id not in units.carriers
    )
    for unit in units.units:
        kind = units.types.get(unit.kind)
        terrain = units.terrain_under(unit)
        if kind is None or terrain is None or unit.id in units.carriers:
            continue
        cell = units.cells[unit.id]
        is_on_edge = cell // units.grid.width in (0, units.grid.height - 1)
        if is_on_edge or standing[cell] > 1:
            continue
        if can_move[kind] and not units.entered[kind, terrain]:
            name = units.period.terrains[terrain].name
            message = f"{units.name(unit)} stands on {name}, where it cannot move"
            move = partial(_move_to_land, units, unit)
            yield UnitFault(unit, "advice-stranded", message, make_fix=move)


def _move_to_land(units: UnitsOnMap, unit: Thing) -> Fix | None:
    """Return the fix that moves a unit, and what it carries, to the nearest free hex it can move
    on.

    None if there is none. A unit that does not move goes to any free hex that is not at the poles.
    """
    kind = units.types.get(unit.kind)
    height = units.grid.height
    width = units.grid.width
    possible = np.zeros(height * width, np.bool_)
    possible[width : (height - 1) * width] = True
    if kind is not None and movers(units.period)[kind] and units.terrain is not None:
        enterable = np.zeros(256, np.bool_)
        enterable[: len(units.period.terrains)] = units.entered[kind]
        possible &= enterable[units.terrain.ravel()]
    occupied = [cell for cell in units.cells.values() if cell >= 0]
    possible[occupied] = False
    cells = np.flatnonzero(possible)
    if not cells.size:
        return None
    cell = int(cells[_distances_from(units, unit, cells).argmin()])
    centre = units.grid.centre(cell)
    x, y = units.grid.xy(cell)
    moved = [unit]
    for carrier in moved:  # grows by what the carried units carry
        moved += units.loads.get(carrier.id, ())
    changes = tuple(ThingChange(each.id, place=centre) for each in moved)
    return Fix(f"move it to {x},{y}", things=changes)


def _idle_sides(units: UnitsOnMap) -> Iterator[Problem]:
    """Sides with units of which none can move or make anything."""
    period = units.period
    active = movers(period) | (period.table("make") > 0).any(axis=1)
    able: dict[int, bool] = {}
    for unit in units.units:
        kind = units.types.get(unit.kind)
        is_active = kind is not None and bool(active[kind])
        able[unit.owner] = able.get(unit.owner, False) or is_active
    for owner, can_act in sorted(able.items()):
        if not can_act and 0 < owner <= len(units.sides.sides):
            name = units.name_side(owner)
            name = f"{name[:1].upper()}{name[1:]}"
            message = f"{name} has no unit that can move or make others (speed, moves, make)"
            yield Problem(Severity.WARNING, "advice-no-movers", message)
