"""The entries of a unit's state (``Thing.state``), and units whose file puts them off the map."""

from __future__ import annotations

from randomizer.model.grid.grid import Grid
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing

HP = "hp"
"""Hit points that are left; absent where it has all."""

QUALITY = "quality"
"""How much better than new it fights; absent for 0."""

TRANSPORT = "transport"
"""The id of the unit that carries it; absent where none does."""

MORE = "more"
"""The state of entries that files have and the desk does not edit."""


def supply_entry(resource: str) -> str:
    """Return the entry with its supply of a resource; absent where it is full."""
    return f"supply {resource}"


def more_of(state: State) -> State:
    """Return the entries of ``MORE``, none where a state has something else there."""
    value = state.get(MORE)
    return value if isinstance(value, State) else NO_STATE


PLACE = "place"
"""The entry in ``MORE`` with a position (x, y) outside of the map."""


def nearest_cell(x: int, y: int, grid: Grid) -> int:
    """Return the cell at x, y, or the nearest one for a position outside of the map."""
    return grid.cell(min(max(x, 0), grid.width - 1), min(max(y, 0), grid.height - 1))


def place_off_map(thing: Thing, grid: Grid) -> tuple[int, int] | None:
    """Return the position (x, y) outside of the map that a file gives a unit.

    None for a unit on the map, and for one that was moved since: it is not on the nearest cell any
    more.
    """
    position = more_of(thing.state).get(PLACE)
    if not isinstance(position, tuple) or len(position) != 2:
        return None
    if not all(type(coordinate) is int for coordinate in position):
        return None
    if nearest_cell(*position, grid) != grid.cell_at(thing.x, thing.y):
        return None
    return position
