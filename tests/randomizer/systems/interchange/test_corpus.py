"""Real files of other programs: opened, saved, changed, and compared by independent readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_checked
from randomizer.model.edits.value_edits import set_values
from randomizer.model.records.map_records import ORIGINAL
from tests.randomizer.systems.interchange.readers import READERS

CORPUS = next(
    (
        parent / "shared" / "corpus" / "interchange"
        for parent in Path(__file__).resolve().parents[4:7]
        if (parent / "shared" / "corpus" / "interchange").is_dir()
    ),
    None,
)
DEFINITIONS = ("default.txt",)
"""Libraries of pictures, without a hex."""

FILES = [
    pytest.param(name, file, id=file.name)
    for name in READERS
    for file in sorted((CORPUS / name).glob("*") if CORPUS else ())
    if file.name not in ("SOURCE.txt", *DEFINITIONS)
] or [pytest.param("", Path(), marks=pytest.mark.skip("the corpus is not there"))]


@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_real_file_comes_back(name: str, file: Path) -> None:
    data = file.read_bytes()
    known = format_for(data, "a")
    assert known.name == name
    result = read_checked(known, data)
    assert (result.problems, known.check(result.battlemap)) == ((), ())
    assert write_checked(known, result.battlemap) == data


@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_change_changes_nothing_else(name: str, file: Path) -> None:
    known = format_named(name)
    read = READERS[name]
    before = file.read_text("utf-8")
    battlemap = read_checked(known, file.read_bytes()).battlemap
    terrains = battlemap.terrain_set.terrains
    shown = battlemap.values("terrain").ravel()
    cell = next(at for at in battlemap.grid.cells.tolist() if terrains[shown[at]].code)
    plain = [
        at for at, terrain in enumerate(terrains) if terrain.code and "road:" not in terrain.code
    ]
    edit = set_values(battlemap, 1, "terrain", [cell], next(at for at in plain[::-1]))
    if edit is None:
        pytest.skip("there is one terrain")
    edit.apply(battlemap)
    size, cells, lines = read(write_checked(known, battlemap).decode())
    old_size, old_cells, old_lines = read(before)
    assert (size, lines, len(cells)) == (old_size, old_lines, len(old_cells))
    assert sum(one != old_cell for one, old_cell in zip(cells, old_cells, strict=True)) == 1


@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_file_written_anew_is_the_same_map(name: str, file: Path) -> None:
    known = format_named(name)
    battlemap = read_checked(known, file.read_bytes()).battlemap
    option = b"exit_roads_to_pavement" in file.read_bytes()
    del battlemap.records[ORIGINAL]
    anew = write_checked(known, battlemap)
    again = read_checked(known, anew).battlemap
    assert write_checked(known, again) == anew
    if not option:  # it is a part of the original
        assert again.composite().same_as(battlemap.composite())
        size, cells, _lines = READERS[name](anew.decode())
        old_size, old_cells, _lines = READERS[name](file.read_text("utf-8"))
        assert size == old_size
        if name == "wesnoth":
            assert cells == old_cells


@pytest.mark.skipif(CORPUS is None, reason="the corpus is not there")
def test_a_library_of_definitions_is_no_map() -> None:
    result = read_checked(
        format_named("textmapper"), (CORPUS / "textmapper" / DEFINITIONS[0]).read_bytes()
    )
    assert [problem.message for problem in result.problems] == [
        "this has no region such as 0304 forest"
    ]
