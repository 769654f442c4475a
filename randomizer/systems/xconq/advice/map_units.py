"""Advice about the units of a map: where they stand, what carries them, and whether any can act."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from randomizer.model.carriers import carriers, link_of
from randomizer.model.grid.grid import Grid
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.value_problems import list_names
from randomizer.systems.xconq.records import Sides
from randomizer.systems.xconq.units.capacity import Capacity
from randomizer.systems.xconq.units.unit_kinds import kind_numbers
from randomizer.systems.xconq.units.unit_state import TRANSPORT

MOST_LISTED = 10
"""So many faults of one sort are listed, the others counted."""


@dataclass(frozen=True, eq=False)
class UnitsOnMap:
    """The units of a map, and what is known of where they are and what they carry."""

    units: Sequence[Thing]
    grid: Grid
    period: Period
    sides: Sides

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

    def name(self, unit: Thing) -> str:
        """Return what a unit is called in a sentence."""
        x, y = self.grid.xy(self.cells[unit.id])
        return f"{f'{unit.label}, ' if unit.label else ''}{unit.kind} on {x},{y}"

    def kind(self, unit: int) -> str:
        """Return the name of a unit type."""
        return self.period.units[unit].name


def unit_advice(units: UnitsOnMap) -> Iterator[Problem]:
    """Yield the problems of the units of a map."""
    if not units.units:
        return
    for check in (_unknown, _on_edges, _owners, _crowded, _lost, _overloaded):
        problems = list(check(units))
        yield from problems[:MOST_LISTED]
        if len(problems) > MOST_LISTED:
            more = counted(len(problems) - MOST_LISTED, "more problem")
            last = problems[MOST_LISTED]
            yield Problem(last.severity, last.code, f"There are {more} like the last")
    yield from _idle_sides(units)


def _unknown(units: UnitsOnMap) -> Iterator[Problem]:
    types = units.types
    kinds = Counter(unit.kind for unit in units.units if unit.kind not in types)
    for kind, number in kinds.items():
        first = next(unit for unit in units.units if unit.kind == kind)
        message = (
            f"The period has no unit type {kind}, but the map has {counted(number, 'such unit')}"
        )
        yield _at(units, "advice-unknown-unit", message, first)


def _on_edges(units: UnitsOnMap) -> Iterator[Problem]:
    for unit in units.units:
        y = units.cells[unit.id] // units.grid.width
        if y <= 0 or y == units.grid.height - 1:
            message = (
                f"{units.name(unit)}: units on the rows at the poles are lost when the map is "
                "loaded"
            )
            yield _at(units, "advice-edge-unit", message, unit)


def _owners(units: UnitsOnMap) -> Iterator[Problem]:
    most = len(units.sides.sides)
    for unit in units.units:
        if not 0 <= unit.owner <= most:
            message = (
                f"{units.name(unit)} belongs to side {unit.owner}, but there are "
                f"{counted(most, 'side')}: it will be neutral"
            )
            yield _at(units, "advice-owner", message, unit)


def _crowded(units: UnitsOnMap) -> Iterator[Problem]:
    """Units on one hex of which none carries the others."""
    standing: dict[int, list[Thing]] = defaultdict(list)
    for unit in units.units:
        if unit.id not in units.carriers and units.cells[unit.id] >= 0:
            standing[units.cells[unit.id]].append(unit)
    for several in standing.values():
        if len(several) > 1:
            names = list_names([unit.kind for unit in several])
            message = f"{units.name(several[0])}: of {names} on one hex one must carry the others"
            yield _at(units, "advice-stack", message, several[0])


def _lost(units: UnitsOnMap) -> Iterator[Problem]:
    """Units whose carrier is gone or on another hex."""
    for unit in units.units:
        link = link_of(unit, TRANSPORT)
        if link is not None and unit.id not in units.carriers:
            where = "is on another hex" if link in units.by_id else "is gone"
            message = f"{units.name(unit)} is carried by a unit that {where}"
            yield _at(units, "advice-transport", message, unit, Severity.HINT)


def _overloaded(units: UnitsOnMap) -> Iterator[Problem]:
    loads: dict[int, Counter[int]] = defaultdict(Counter)
    for carried, carrier in units.carriers.items():
        kind = units.types.get(units.by_id[carried].kind)
        if kind is not None:
            loads[carrier][kind] += 1
    capacity = Capacity(units.period)
    for carrier, load in loads.items():
        unit = units.by_id[carrier]
        kind = units.types.get(unit.kind)
        if kind is None:
            continue
        name = units.name(unit)
        for occupant, number in load.items():
            most = int(capacity.most[kind, occupant])
            if number > most:
                message = (
                    f"{name} carries {number} {units.kind(occupant)}; its “capacity” is {most}"
                )
                yield _at(units, "advice-capacity", message, unit)
        total = sum(int(capacity.volume[occupant]) * number for occupant, number in load.items())
        hold = int(capacity.hold[kind])
        if 0 < hold < total:
            message = f"{name} carries a “volume” of {total}; its “hold-volume” is {hold}"
            yield _at(units, "advice-capacity", message, unit)


def _idle_sides(units: UnitsOnMap) -> Iterator[Problem]:
    """Sides with units of which none can move or make anything."""
    period = units.period
    active = movers(period) | (period.table("make") > 0).any(axis=1)
    able: dict[int, bool] = {}
    for unit in units.units:
        kind = units.types.get(unit.kind)
        able[unit.owner] = able.get(unit.owner, False) or (kind is not None and bool(active[kind]))
    for owner, can in sorted(able.items()):
        if not can and 0 < owner <= len(units.sides.sides):
            name = units.sides.sides[owner - 1].name or f"Side {owner}"
            message = f"{name} has no unit that can move or make others (speed, moves, make)"
            yield Problem(Severity.WARNING, "advice-no-movers", message)


def _at(
    units: UnitsOnMap, code: str, message: str, unit: Thing, severity: Severity = Severity.WARNING
) -> Problem:
    cell = units.cells[unit.id]
    return Problem(severity, code, message, cell=None if cell < 0 else cell)
