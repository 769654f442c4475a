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
"""What files say of it and the desk does not edit."""


def supply_entry(resource: str) -> str:
    """Return the entry with its supply of a resource; absent where it is full."""
    return f"supply {resource}"


def more_of(state: State) -> State:
    """Return the entries of ``MORE``, none where a state has something else there."""
    value = state.get(MORE)
    return value if isinstance(value, State) else NO_STATE


PLACE = "place"
"""The entry of ``unit_state.more_of`` with a place (x, y) outside of the map."""


def nearest_cell(x: int, y: int, grid: Grid) -> int:
    """Return the cell at x, y, or the nearest one for a place that is not on the map."""
    return grid.cell(min(max(x, 0), grid.width - 1), min(max(y, 0), grid.height - 1))


def place_off_map(thing: Thing, grid: Grid) -> tuple[int, int] | None:
    """Return the place (x, y) that a file gives a unit outside of the map; None if it was moved
    since.

    Also None of a unit on the map.
    """
    position = more_of(thing.state).get(PLACE)
    if (
        isinstance(position, tuple)
        and len(position) == 2
        and all(type(coordinate) is int for coordinate in position)
    ):
        if nearest_cell(*position, grid) == grid.cell_at(thing.x, thing.y):
            return position
        return None
    return None
