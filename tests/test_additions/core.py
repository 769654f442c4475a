"""A generator, a game and a measure for free maps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.generator import Generated, Generating, MapGenerator
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.metadata import Metadata
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base
from randomizer.storage.files.project import PROJECT
from randomizer.systems.free.system import SYSTEM as FREE
from tests.test_system.game import LandHost


class LevelGenerator(MapGenerator):
    """Gives every cell the first terrain."""

    name = "Level"
    metadata = Metadata("Level", "", "Level ground")
    text = ""
    system = FREE
    settings = ()

    def generate(self, _settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        spec = FREE.terrain
        assert spec is not None
        plane = spec.allocate(base.grid)
        plane[...] = 0
        kept = base.locked_mask(spec)
        plane[kept] = base.shown.planes[spec.name][kept]
        roll = Roll(self.name, "", "", {}, key.seed, key.number)
        yield 100
        return Generated((Layer(1, "Level", planes={spec.name: plane}, roll=roll),), key.number)


def packaged() -> tuple[LevelGenerator, ...]:
    return (LevelGenerator(),)


class FreeHost(LandHost):
    """A game whose maps are free ones."""

    system = "free"
    title = "Free game"
    format = PROJECT


HOST = FreeHost()


def measures(system: System, _terrain_set: TerrainSet) -> tuple[Measure, ...]:
    """How many cells a map has."""
    if system is not FREE:
        return ()
    return (Measure("cells", "Cells", "How many cells there are.", _cells),)


def _cells(batch: Batch) -> NDArray[np.float64]:
    return np.full(len(batch), float(len(batch.cells)))
