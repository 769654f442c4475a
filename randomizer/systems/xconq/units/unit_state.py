"""The state of a unit of Xconq: the names of its entries, and positions off the map.

A unit is a thing, and what is special about it stands in ``Thing.state``:

    State({HP: 3, TRANSPORT: 17, "supply fuel": 2, FILE_ENTRIES: State({"id": 4})})

That is a unit with 3 hit points left and 2 of fuel, aboard the unit with the id 17, which a mapfile
called 4. An entry is absent where it has its usual value. ``mapfile.unit_things`` makes these
states, ``mapfile.written_units`` writes them to files, and ``unit_kinds`` describes those entries
that the desk edits.
"""

from __future__ import annotations

from randomizer.model.grid.grid import Grid
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing

HP = "hp"
"""The entry with the hit points that are left; absent if the unit has all."""

QUALITY = "quality"
"""The entry that says how much better than a new unit it fights; absent for 0."""

TRANSPORT = "transport"
"""The entry with the id of the thing that carries the unit; absent if none does."""

# The names in quotes are those of the format of projects, which stay as they are.

FILE_ENTRIES = "more"
"""The entry with what mapfiles say of the unit and the desk does not edit: a state of its own."""

OFF_MAP = "place"
"""The entry in ``FILE_ENTRIES`` with a position (x, y) outside of the map.

Xconq takes such a unit as dead. Our map shows it on the nearest cell, so that it is not lost.
"""


def supply_entry(resource: str) -> str:
    """Return the name of the entry with a unit's supply of a resource; absent if it is full."""
    return f"supply {resource}"


def file_entries(state: State) -> State:
    """Return the entry ``FILE_ENTRIES`` of a unit's state; no entries if that is no state."""
    value = state.get(FILE_ENTRIES)
    if isinstance(value, State):
        return value
    return NO_STATE


def nearest_cell(x: int, y: int, grid: Grid) -> int:
    """Return the cell in column ``x`` and row ``y``, or the nearest one if they are off the map."""
    column = min(max(x, 0), grid.width - 1)
    row = min(max(y, 0), grid.height - 1)
    return grid.cell(column, row)


def position_off_map(thing: Thing, grid: Grid) -> tuple[int, int] | None:
    """Return the column and row outside of the map that a file gives a unit, None for others.

    Such a unit is shown on the nearest cell. If it is on another one somebody has moved it onto the
    map: None.
    """
    position = file_entries(thing.state).get(OFF_MAP)
    # A project can have anything in a state.
    if not isinstance(position, tuple) or len(position) != 2:
        return None
    if not all(type(coordinate) is int for coordinate in position):
        return None
    if nearest_cell(*position, grid) != grid.cell_at(thing.x, thing.y):
        return None
    return position
