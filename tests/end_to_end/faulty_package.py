"""A package whose every part fails when it is used, for tests of who is blamed."""

from __future__ import annotations

from pathlib import Path

from tests.test_system.installing import register

CORE = """
import numpy as np
from randomizer.batches.batch import Measure
from randomizer.formats.format import Format
from randomizer.formats.results import ReadResult
from randomizer.generator import MapGenerator
from randomizer.model.settings.metadata import Metadata
from randomizer.systems.free.system import SYSTEM


class Broken(MapGenerator):
    name = "Broken"
    metadata = Metadata("Broken", "", "It fails")
    text = ""
    system = SYSTEM
    settings = ()

    def generate(self, settings, key, base):
        yield 50
        raise KeyError("no such stone")


class Empty(Broken):
    name = "Empty"
    metadata = Metadata("Empty", "", "It gives nothing")

    def generate(self, settings, key, base):
        yield 100


def packaged():
    return (Broken(), Empty())


class Stones(Format):
    name = "stones"
    title = "Stones"
    suffixes = (".stones",)
    systems = ("free",)
    largest = 1000

    def recognises(self, data):
        return data.startswith(b"stones")

    def read(self, data, path=None):
        return data["stones"]

    def write(self, battlemap, provenance=None):
        return 1 / 0

    def check(self, battlemap):
        return ()


class Pebbles(Stones):
    name = "pebbles"
    title = "Pebbles"
    suffixes = (".pebbles",)

    def recognises(self, data):
        return data.startswith(b"pebbles")

    def read(self, data, path=None):
        return None

    def write(self, battlemap, provenance=None):
        return None


def measures(system, terrain_set):
    def of(batch):
        raise ValueError("it cannot be counted")

    return (Measure("stones", "Stones", "How many stones there are.", of),)


STONES = Stones()
PEBBLES = Pebbles()
"""

DESK = """
from app.desk.feature import Dock, Feature, Opener

FEATURE = Feature(
    "Quarry",
    "faulty.desk",
    Dock("quarry", "Quarry", "right", tabbed_with="randomize",
         opener=Opener("map.package.quarry", "&Quarry...", "It fails")),
)


def heavy(pieces, part):
    raise RuntimeError("no weight")


def make(desk):
    desk.add_overlay("heavy", "&Heavy stones", "It fails", heavy)
    raise LookupError("no quarry")
"""

ENTRY = """
PROTOCOL = 2
GENERATORS = ("faulty.core",)
FORMATS = ("faulty.core:STONES", "faulty.core:PEBBLES")
MEASURES = ("faulty.core:measures",)
"""


def install_faulty(folder: Path, *, with_desk: bool = False) -> Path:
    """Write the package ``quarry`` into a folder that is to be on the path."""
    register(folder, "quarry", "faulty.entry")
    package = folder / "faulty"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "core.py").write_text(CORE)
    (package / "desk.py").write_text(DESK)
    more = '\nFEATURES = ("faulty.desk:FEATURE",)\n' if with_desk else ""
    (package / "entry.py").write_text(ENTRY + more)
    return folder
