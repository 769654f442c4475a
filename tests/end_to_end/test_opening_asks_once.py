"""Opening a map asks each format once, and no generator of another system."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

from randomizer.catalog.catalog import FORMATS, GENERATORS
from randomizer.catalog.generators import generators_of
from randomizer.catalog.map_formats import formats
from randomizer.catalog.systems import system_named
from tests.end_to_end.test_foreign_maps import TILED


@pytest.fixture
def questions(monkeypatch):
    """The names of the formats that are asked about a file, as they are asked."""
    names = []

    def count(file_format):
        recognises = file_format.recognises

        def asked(data):
            names.append(entry_of[id(file_format)])
            return recognises(data)

        # It runs on another thread, whose calls are not watched.
        monkeypatch.setattr(file_format, "recognises", asked)

    entry_of = {id(pkgutil.resolve_name(entry)): entry for entry in FORMATS}
    for file_format in formats():
        if id(file_format) in entry_of:
            count(file_format)
    return names


def test_a_map_of_tiled_asks_each_format_at_most_once(window, qtbot, tmp_path, questions):
    path = tmp_path / "shore.tmx"
    path.write_text(TILED, "utf-8")
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.current_map.path == path)
    assert "randomizer.systems.interchange.formats:TMX" in questions
    assert len(questions) == len(set(questions))


LOOK = """
import sys
from randomizer.catalog.generators import generators_of
from randomizer.catalog.systems import system_named
assert generators_of(system_named("free"))[0].name == "Landscape"
print(*(name for name in sys.modules if name in sys.argv[1:]))
"""


def test_a_map_asks_the_generators_of_its_own_system_only():
    """The others would read all their scripts."""
    python = [sys.executable, "-c", LOOK, *GENERATORS]
    done = subprocess.run(python, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["randomizer.systems.free.landscape.generator"]


@pytest.mark.parametrize("entry", GENERATORS)
def test_a_module_of_generators_is_of_one_system(entry):
    generators = pkgutil.resolve_name(entry).packaged()
    system = system_named(generators[0].system.name)
    assert system is not None
    assert [each.name for each in generators_of(system)] == [
        generator.name for generator in generators
    ]
