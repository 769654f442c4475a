"""The catalogue: packaged generators, scripts in folders of the user, those of installed games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.generators import generators
from randomizer.catalog.metadata_files import folder_entries
from randomizer.catalog.script_catalog import entries, packaged_entries
from randomizer.catalog.systems import systems
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.scripts import script_folders

SCRIPT = 'setHexTerrain("Plains");\n'


def put(folder: Path, name: str, **settings: object) -> Path:
    path = folder / name
    path.write_text(json.dumps({"settings": settings}))
    return path


def read(folder: Path) -> tuple[list[CatalogEntry], list[Problem]]:
    found = list(folder_entries(folder))
    return (
        [each for each in found if isinstance(each, CatalogEntry)],
        [each for each in found if isinstance(each, Problem)],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    packaged = next(generator for generator in generators() if generator.name == "Plains")
    (tmp_path / "meadow.rnd").write_text(packaged.text)
    return tmp_path


def test_every_packaged_generator_is_in_the_catalogue() -> None:
    found = packaged_entries()
    assert [entry.metadata.name for entry in found] == [
        generator.metadata.name for generator in generators()
    ]
    assert [entry.generator() for entry in found] == list(generators())
    for system in systems():
        of_system = packaged_entries(system)
        assert of_system == () or {entry.system for entry in of_system} == {system}
    assert len({entry.key for entry in found}) == len(found)
    swamp = next(entry for entry in found if entry.metadata.name == "Swamp")
    assert (swamp.preview() or b"").startswith(b"\x89PNG")


def test_a_script_is_an_entry_for_each_of_its_metadata_files(folder: Path) -> None:
    put(folder, "meadow.json", Name="Meadow", Script="meadow.rnd", Description="", Keywords=["dry"])
    put(folder, "moor.json", Name="Moor", Script="meadow.rnd", Description="", BaseTerrain=["Bog"])
    (meadow, moor), problems = read(folder)
    assert problems == []
    assert (meadow.metadata.name, moor.metadata.name) == ("Meadow", "Moor")
    assert meadow.system.name == "colossus"
    assert meadow.origin == script_folders.YOURS
    assert meadow.path == str(folder / "meadow.json")
    assert meadow.matches("DRY mea your")
    assert not moor.matches("dry")
    generator = moor.generator()
    assert generator.metadata.ground == {"BaseTerrain": "Bog"}
    base = Base.under(BattleMap.new(moor.system), 1)
    assert run(generator, {}, DrawKey(1, 0), base) is not None


def test_what_cannot_be_read_is_a_problem_of_its_file_and_python_is_never_run(folder: Path) -> None:
    (folder / "evil.py").write_text("raise SystemExit\n")
    (folder.parent / "far.rnd").write_text("TOWER\n")
    (folder / "link.rnd").symlink_to(folder.parent / "far.rnd")
    wrong = {
        put(folder, "link.json", Name="Link", Script="link.rnd"): "script-place",
        put(folder, "evil.json", Name="Evil", Script="evil.py"): "script-python",
        put(folder, "gone.json", Name="Gone", Script="gone.rnd"): "script-missing",
        put(folder, "out.json", Name="Out", Script="../meadow.rnd"): "script-place",
        put(folder, "what.json", Name="What", Script="what.xyz"): "script-suffix",
        put(folder, "nameless.json", Script="meadow.rnd"): "metadata-missing",
    }
    broken = folder / "broken.json"
    broken.write_text('{"settings": {\n]')
    (folder / "other.json").write_text('{"version": 1}')
    found, problems = read(folder)
    assert found == []
    expected = {(str(path), code) for path, code in wrong.items()}
    assert {(problem.path, problem.code) for problem in problems} == {
        *expected,
        (str(broken), "metadata-json"),
    }
    assert next(problem.line for problem in problems if problem.path == str(broken)) == 2


def test_forgotten_settings_of_a_script_with_brackets_in_its_name_are_a_problem(
    folder: Path,
) -> None:
    (folder / "meadow.rnd").rename(folder / "meadow [wet].rnd")
    (folder / "meadow [wet].json").write_text('{"name": "Meadow"}')
    found, problems = read(folder)
    assert found == []
    assert [problem.code for problem in problems] == ["metadata-settings"]


def test_folders_of_the_user_and_of_the_environment_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, "meadow.json", Name="Meadow", Script="meadow.rnd", Keywords=["hidden"])
    gone = folder / "gone"
    monkeypatch.setenv(script_folders.VARIABLE, str(gone))
    script_folders.choose_folders(lambda: [folder])
    try:
        assert script_folders.folders() == (folder, gone)
        found = list(entries())
    finally:
        script_folders.choose_folders()
    meadow = next(e for e in found if isinstance(e, CatalogEntry) and e.path)
    assert meadow.hidden
    assert [each.path for each in found if isinstance(each, Problem)] == [str(gone)]
