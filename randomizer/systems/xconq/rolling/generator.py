"""The generator of Xconq's worlds: a *period*, the rules of a game in Xconq's language.

A period says which terrain and unit types there are, and so what a world with countries and units
looks like. The catalogue has a generator for each packaged period (``packaged``), and makes one for
a period that a person writes (``from_texts``). What makes the world itself (``new_world``) is
imported when one is rolled: maps of other systems need none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from randomizer.generator import Generating, MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.grid_settings import chosen_size, with_defaults_of_grid
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.rolling.world_settings import SETTINGS, checked_size
from randomizer.systems.xconq.system import SYSTEM

ORIGINAL_SEEDS = 134_456
"""Xconq itself has the seeds below this: with map number 0 they give its worlds here, too."""


class PeriodGenerator(MapGenerator):
    """Makes the worlds of one period."""

    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS
    usual_seeds = ORIGINAL_SEEDS

    def __init__(
        self,
        name: str,
        metadata: Metadata,
        text: str,
        texts: Mapping[str, str] = NO_TEXTS,
        path: str | None = None,
    ) -> None:
        self.name = name
        """The name in the catalogue, "" for a period of the user's own."""
        self.metadata = metadata
        self.text = text
        """The text of the period."""
        self.texts = texts
        """The texts of the files that it includes, by their names as written there."""
        self.path = path
        """The file that problems name; None if they name none."""

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """Return the grid of a new world. Raises ProblemError for a size that no world has."""
        width, height = checked_size(chosen_size(settings, SYSTEM.new_grid()))
        return Grid(OBLIQUE, width, height, wrap=True)

    @property
    def new_map_settings(self) -> tuple[Setting, ...]:
        """The settings for a new map, with the size of a usual world in place of none."""
        return with_defaults_of_grid(self.settings, self.grid({}))

    def terrain_set(self) -> TerrainSet:
        """Return the terrain set of the period. Raises ProblemError for a period with errors."""
        from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of_text

        return terrain_set_of_text(self.text, self.texts, self.path)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Yield a layer with terrain and units, and the records, terrain set and grid of the map.

        If the map has a period of its own among the records of ``base``, that is used in place of
        ``text``: a person may have changed it. Raises ProblemError for a period with errors or a
        size that no world has.
        """
        from randomizer.systems.xconq.rolling.new_world import new_world

        size = checked_size(chosen_size(settings, base.grid))
        roll = Roll(
            generator=self.name,
            script_name=self.metadata.script,
            script=self.text,
            settings=dict(settings),
            seed=key.seed,
            number=key.number,
            texts=self.texts,
        )
        return (yield from new_world(roll, base, size, self.path))


def packaged() -> tuple[PeriodGenerator, ...]:
    """Return the generators of the packaged periods, that of new maps first.

    Their texts are loaded, but not interpreted yet.
    """
    return tuple(
        PeriodGenerator(metadata.name, metadata, packaged_text(metadata.script))
        for metadata in packaged_metadata()
    )


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> PeriodGenerator:
    """Return the generator of a period of the user's own.

    ``script`` is the name of its file. Problems name the file ``path``, or ``script`` if that is
    None.
    """
    metadata = Metadata(PurePath(script).stem, script, "")
    return PeriodGenerator(name="", metadata=metadata, text=text, texts=texts, path=path or script)
