"""Where units are whose file puts them outside of the map: shown on the nearest cell, yet dead."""

from __future__ import annotations

from randomizer.model.grid import Grid
from randomizer.model.things import Thing
from randomizer.systems.xconq.units.unit_state import more_of

PLACE = "place"
"""The entry of ``unit_state.more_of`` with a place (x, y) outside of the map."""


def nearest_cell(x: int, y: int, grid: Grid) -> int:
    """The cell at x, y, or the nearest one for a place that is not on the map."""
    return grid.cell(min(max(x, 0), grid.width - 1), min(max(y, 0), grid.height - 1))


def place_off_map(thing: Thing, grid: Grid) -> tuple[int, int] | None:
    """The place (x, y) that a file gives a unit outside of the map; None if it was moved since.

    Also None of a unit on the map.
    """
    kept = more_of(thing.state).get(PLACE)
    if isinstance(kept, tuple) and len(kept) == 2 and all(type(each) is int for each in kept):
        return kept if nearest_cell(*kept, grid) == grid.cell_at(thing.x, thing.y) else None
    return None
