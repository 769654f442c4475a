"""The units of a new world as things of its map.

The countries place units by the numbers of their types and hexes; a map has *things*, with a name
of their kind, a position, and a state of what is not as usual::

    PlacedUnit(unit_type=4, x=12, y=5, owner=1, carrier=None, product=None, ...)
    Thing(id=1, kind="city", x=..., y=..., owner=1, state={"supply ammo": 20}, ...)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.countries.board import PlacedUnit
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import NOTHING
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.units.unit_state import FILE_ENTRIES, TRANSPORT, supply_entry

NEXT_PRODUCT_FACTOR = 256
"""The factor of the next product of a unit in files, which hold two products in one number.

The number is the unit type that is made, plus 256 times the one that is made after it.
"""


def things_of(units: Sequence[PlacedUnit], period: Period, grid: Grid) -> Iterator[Thing]:
    """Yield a thing in the middle of its hex for each unit."""
    kinds = kind_names(period)
    supplies_of_types = _first_supplies(period)
    cells = np.array([unit.y * grid.width + unit.x for unit in units], np.intp)
    centres = grid.centres_of(cells).tolist()
    for index, (unit, (x, y)) in enumerate(zip(units, centres, strict=True)):
        entries: dict[str, object] = dict(supplies_of_types[unit.unit_type])
        if unit.carrier is not None:
            entries[TRANSPORT] = _thing_id(unit.carrier)
        if unit.product is not None:
            # Nothing is made after it.
            entries[FILE_ENTRIES] = {"product": unit.product + NEXT_PRODUCT_FACTOR * NOTHING}
        yield Thing(
            _thing_id(index),
            kinds[unit.unit_type],
            x,
            y,
            owner=unit.owner,
            label=unit.name,
            state=State(entries),
            key=unit.key,
        )


def _thing_id(index: int) -> int:
    """Return the id of the thing that is made of the unit with this index."""
    return index + 1


def _first_supplies(period: Period) -> list[dict[str, int]]:
    """Return for each unit type the supplies with which it begins a game, as entries of a state.

    The word ``storage`` says how much of each resource a unit can hold, ``stockpile`` how many
    percent of that it begins with. Supplies that are full are left out: that is the default.
    """
    storage = period.table("storage")
    stockpile_percent = period.table("stockpile")
    entries = [supply_entry(resource.name) for resource in period.resources]
    supplies_of_types = []
    for unit in range(len(period.units)):
        supplies: dict[str, int] = {}
        for resource, entry in enumerate(entries):
            capacity = int(storage[unit, resource])
            percent = int(stockpile_percent[unit, resource])
            if capacity > 0 and percent != 100:
                # A period can say a percentage below 0.
                supplies[entry] = max(0, capacity * percent // 100)
        supplies_of_types.append(supplies)
    return supplies_of_types
