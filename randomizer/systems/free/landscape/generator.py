"""The generators of landscapes, as the catalogue of generators lists them.

    for generator in packaged():       # one for each of KINDS, such as "Archipelago landscape"
        ...

All of them make landscapes by the same rules (``landscape``); the kinds differ in the defaults of
some settings alone. A landscape is made on the grid of the map that it is rolled onto, unless the
settings choose another grid. The modules that make it are imported when one is rolled: maps of
other systems need none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from randomizer.batches.batch_generator import NO_SETTINGS, BatchGenerator
from randomizer.generator import Generating
from randomizer.model.grid.grid import Grid
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.grid_settings import FROM_MAP, with_defaults_of_grid
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.cell_width import SCALE
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.settings import (
    EVEN,
    SEA_AROUND,
    SETTINGS,
    USUAL_SCALE,
    USUAL_SIZE,
    Choices,
    grid_of,
)
from randomizer.systems.free.system import SYSTEM

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure

NAME = "Landscape"
"""The name of the kind with the defaults of ``SETTINGS``."""


class LandscapeKind(NamedTuple):
    """A kind of landscape: all kinds have the same rules, but different default settings."""

    name: str
    """The name, by which rolls and the catalogue know it."""
    description: str
    """A sentence on the landscapes, for the catalogue."""
    values: Mapping[str, object]
    """The defaults of the settings in which it differs from ``SETTINGS``, by their names."""


KINDS = (
    LandscapeKind(
        NAME,
        "Lands and seas by dice: mountain ranges, rivers, climates, towns, roads and names, "
        "on any grid.",
        {},
    ),
    LandscapeKind(
        "Islands landscape",
        "A few large islands, each with mountains, rivers and towns of its own.",
        {"land": 38, "pieces": 6, "relief": 58, "rim": SEA_AROUND, "rain": 55},
    ),
    LandscapeKind(
        "Archipelago landscape",
        "Many islands, large and small, in a warm sea.",
        {"land": 24, "pieces": 100, "rim": SEA_AROUND, "warmth": 62, "rain": 60},
    ),
    LandscapeKind(
        "Inland landscape",
        "Land from edge to edge: woods and fields between hills, rivers and lakes.",
        {"land": 97, "pieces": 45, "relief": 46, "rain": 58, "climate": EVEN, "rivers": 12},
    ),
    LandscapeKind(
        "Desert landscape",
        "A hot, dry country with bare mountains and few rivers.",
        {"land": 88, "pieces": 30, "relief": 55, "rain": 12, "warmth": 84, "climate": EVEN},
    ),
    LandscapeKind(
        "Northern landscape",
        "A cold coast: snow, pine woods and heath, mountains down to the sea.",
        {"land": 62, "pieces": 62, "relief": 66, "rain": 52, "warmth": 22, "climate": EVEN},
    ),
)
"""The kinds that are offered. The first one has the defaults of ``SETTINGS`` alone."""


class LandscapeGenerator(BatchGenerator):
    """Lands and seas with ranges, rivers, climates, towns and roads, on any grid."""

    text = ""  # no script: the generator is part of the program
    system: System = SYSTEM

    def __init__(self, kind: LandscapeKind) -> None:
        self.name = kind.name
        self.metadata = Metadata(kind.name, "", kind.description)
        self.settings = tuple(
            replace(setting, default=kind.values.get(setting.name, setting.default))
            for setting in SETTINGS
        )
        self._kind = kind

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new map. Raises ProblemError for one that no map has."""
        usual = SYSTEM.new_grid()
        return grid_of(settings, replace(usual, width=USUAL_SIZE[0], height=USUAL_SIZE[1]))

    @property
    def new_map_settings(self) -> tuple[Setting, ...]:
        """The settings in the form for a new map.

        On a map the size and the scale can be left unset, and are then those of the map. Without a
        map they have defaults.
        """
        settings = []
        for setting in with_defaults_of_grid(self.settings, self.grid({})):
            if setting.name == SCALE:
                setting = replace(setting, default=USUAL_SCALE)
            if setting.unset == FROM_MAP:
                # The end of the help tells about the map, which does not exist yet.
                help_text = setting.help.partition("; unset")[0]
                setting = replace(setting, unset="as usual", help=help_text)
            settings.append(setting)
        return tuple(settings)

    def measures(self, _settings: Mapping[str, object] = NO_SETTINGS) -> tuple[Measure, ...]:
        """Return the number of towns and the lengths of rivers and roads."""
        from randomizer.systems.free.landscape.measures import measures

        return measures()

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Yield one layer: terrain, elevations, rivers, roads, names, and the scale of the map.

        What is locked keeps its values. Raises ProblemError for a size that no map has and for a
        chart with unknown terrains.
        """
        from randomizer.systems.free.landscape.landscape import landscape

        grid = grid_of(settings, base.grid)
        generated = yield from landscape(
            Choices.of({**self._kind.values, **settings}), key, base, grid
        )
        # The scale: the chosen one, or the usual one for a map that has none.
        (layer,) = generated.layers
        scale = settings.get(SCALE)
        if scale is None and not base.composite.properties.get(SCALE):
            scale = USUAL_SCALE
        if scale is not None:
            layer.properties[SCALE] = str(scale).strip()
        return generated


def packaged() -> tuple[LandscapeGenerator, ...]:
    """Return a generator for each kind of landscape."""
    return tuple(LandscapeGenerator(kind) for kind in KINDS)
