"""The units of a new world as things of a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from randomizer.model.grid import Grid
from randomizer.model.thing_state import State
from randomizer.model.things import Thing
from randomizer.systems.xconq.countries.board import PlacedUnit
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import NOTHING
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.units.unit_state import MORE, TRANSPORT, supply_entry

NEXT = 256
"""A product is a unit type, plus so many times the one that comes next."""


def things_of(units: Sequence[PlacedUnit], period: Period, grid: Grid) -> Iterator[Thing]:
    """A thing in the middle of its hex for each unit; the id is its index + 1."""
    kinds = kind_names(period)
    supplies = _supplies(period)
    cells = np.array([unit.y * grid.width + unit.x for unit in units], np.intp)
    centres = grid.centres_of(cells).tolist()
    for number, (unit, (x, y)) in enumerate(zip(units, centres, strict=True), 1):
        state: dict[str, object] = dict(supplies[unit.unit])
        if unit.carrier is not None:
            state[TRANSPORT] = unit.carrier + 1
        if unit.product is not None:
            state[MORE] = {"product": unit.product + NEXT * NOTHING}
        yield Thing(
            number, kinds[unit.unit], x, y, 0.0, unit.owner, unit.name, State(state), unit.key
        )


def _supplies(period: Period) -> list[Mapping[str, int]]:
    """By unit type the supplies at the beginning, as entries of the state; full ones are absent."""
    storage, percent = period.table("storage"), period.table("stockpile")
    names = [supply_entry(resource.name) for resource in period.resources]
    return [
        {
            name: max(0, int(storage[unit, number]) * int(percent[unit, number]) // 100)
            for number, name in enumerate(names)
            if storage[unit, number] > 0 and percent[unit, number] != 100
        }
        for unit in range(len(period.units))
    ]
