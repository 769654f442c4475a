"""What a new map of a kind is like if nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.catalog import generators_of
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS

if TYPE_CHECKING:
    from app.settings import Settings
    from randomizer.generator import MapGenerator
    from randomizer.model.system import System

LAYOUT_OF_NAME = {layout.name: layout for layout in LAYOUTS}


def usual_grid(system: System, settings: Settings) -> Grid:
    """The usual grid of a kind of maps; of free maps that of the last one."""
    last = settings.new_map
    layout = LAYOUT_OF_NAME.get(last.layout)
    if system.fixed_grid or system.layouts or layout is None:
        return system.new_grid()
    return Grid(layout, last.width, last.height, wrap=last.wrap)


def scripts_of(system: System) -> tuple[MapGenerator, ...]:
    """The generators that roll new maps of this kind; none where they begin empty."""
    return generators_of(system) if system.begins_rolled else ()
