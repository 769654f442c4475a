"""The generator of the catalogue: a landscape on the grid of the map, or on one of its own.

What makes the landscape is imported when one is rolled: maps of other systems need none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from randomizer.generator import Base, DrawKey, Generating, MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.settings.grid_settings import with_grid
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.system import System
from randomizer.systems.free.landscape.settings import (
    SETTINGS,
    USUAL_SCALE,
    USUAL_SIZE,
    Choices,
    grid_of,
)
from randomizer.systems.free.system import SYSTEM

NAME = "Landscape"


class LandscapeGenerator(MapGenerator):
    """Lands and seas with ranges, rivers, climates, towns and roads, on any grid."""

    name = NAME
    text = ""
    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    metadata = Metadata(
        NAME,
        "",
        "Lands and seas by dice: mountain ranges, rivers, climates, towns, roads and names, "
        "on any grid.",
    )

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new map. Raises ProblemError for one that no map has."""
        usual = SYSTEM.new_grid()
        return grid_of(settings, replace(usual, width=USUAL_SIZE[0], height=USUAL_SIZE[1]))

    @property
    def new_map_settings(self) -> tuple[Setting, ...]:
        return tuple(
            replace(setting, default=USUAL_SCALE) if setting.name == SCALE else setting
            for setting in with_grid(self.settings, self.grid({}))
        )

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Yield one layer: terrain, elevations, rivers, roads, names, and the scale of the map.

        What is locked keeps its values. Raises ProblemError for a size that no map has and for a
        chart with unknown terrains.
        """
        from randomizer.systems.free.landscape.landscape import landscape

        grid = grid_of(settings, base.grid)
        generated = yield from landscape(Choices.of(settings), key, base, grid)
        (layer,) = generated.layers
        scale = settings.get(SCALE)
        if scale is None and not base.composite.properties.get(SCALE):
            scale = USUAL_SCALE
        if scale is not None:
            layer.properties[SCALE] = str(scale).strip()
        return generated


def packaged() -> tuple[LandscapeGenerator, ...]:
    """Return the packaged generators: this one."""
    return (LandscapeGenerator(),)
