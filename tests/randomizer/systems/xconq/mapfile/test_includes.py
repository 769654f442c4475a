"""Included files: where they are sought, what is refused, and what is said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from randomizer.model.problems import ProblemError, Severity
from randomizer.systems.xconq.library import ENVIRONMENT_VARIABLE, LIBRARY
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.includes import IncludeFinder
from randomizer.systems.xconq.mapfile.loading import load
from randomizer.systems.xconq.mapfile.period_file_name import name_for_xconq
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.mapfile.units_onto_world import read_onto
from randomizer.systems.xconq.mapfile.writer import write_mapfile
from randomizer.systems.xconq.records import (
    HEADER,
    PeriodPlace,
    as_record,
    header_of,
    period_texts_of,
)

PERIOD = """Xconq 0 -+---- {name}
Period 0
"{name}" period-name
"i" "{unit}" "walks" utype
"." "sea" "blue" ttype
"+" "land" "green" ttype
1 i speed 1 i hp
end
"""
MAP = "Map 3 3 100 1 0\n3.\n.+.\n3.\n"


def period(name: str, unit: str = "walker") -> bytes:
    return PERIOD.format(name=name, unit=unit).encode()


@pytest.fixture
def folders(tmp_path):
    """A folder for the map, and the library."""
    beside = tmp_path / "maps"
    library = tmp_path / "library"
    beside.mkdir()
    (library / "lib").mkdir(parents=True)
    LIBRARY.use_folder_of(lambda: library)
    yield beside, library
    LIBRARY.use_folder_of(None)


def read(folder, *includes, sections="--+---", body=MAP):
    lines = "".join(f"{name}\n" for name in includes)
    text = f"Xconq {len(includes)} {sections} A map\n{lines}{body}"
    return read_with(text.encode(), str(folder / "a.map"))


def test_the_file_beside_wins_with_a_warning(folders):
    beside, library = folders
    (beside / "a.per").write_bytes(period("Beside"))
    (library / "a.per").write_bytes(period("Library"))
    result = read(beside, "a.per")
    assert period_of(result.battlemap).name == "Beside"
    assert [problem.code for problem in result.problems] == ["include-differs"]
    assert header_of(result.battlemap).period_place == "beside"


def test_a_file_that_was_loaded_before_brings_its_includes_to_each_that_includes_it(folders):
    beside, _library = folders
    (beside / "x.per").write_bytes(period("X"))
    (beside / "a.map").write_text("Xconq 1 ------ A\nx.per\n")
    (beside / "b.map").write_text("Xconq 1 ------ B\na.map\n")
    text = f"Xconq 2 --+--- A map\na.map\nb.map\n{MAP}"
    path = str(beside / "c.map")
    loaded = load(text.encode(), path, IncludeFinder(beside))
    assert loaded.included_names["b.map"] == {"a.map", "x.per"}


def test_equal_copies_are_not_worth_a_word(folders):
    for folder in folders:
        (folder / "a.per").write_bytes(period("Same"))
    assert not read(folders[0], "a.per").problems


def test_the_library_is_second_and_the_last_part_of_a_name_third(folders):
    beside, library = folders
    (library / "a.per").write_bytes(period("Library"))
    result = read(beside, "lib/a.per")
    assert period_of(result.battlemap).name == "Library"
    assert header_of(result.battlemap).period_place == "library"
    (library / "lib" / "a.per").write_bytes(period("Inside"))
    assert period_of(read(beside, "lib/a.per").battlemap).name == "Inside"


@pytest.mark.parametrize(
    "name", ["../a.per", "/etc/a.per", "lib/../../a.per", "~/a.per", "a:b.per"]
)
def test_names_that_lead_elsewhere_are_not_followed(folders, name):
    beside, _library = folders
    (beside.parent / "a.per").write_bytes(period("Outside"))
    result = read(beside, name)
    assert "include-place" in {problem.code for problem in result.problems}
    assert header_of(result.battlemap).period_place == "missing"


def test_links_that_lead_out_are_not_followed(folders):
    beside, _library = folders
    (beside.parent / "outside.per").write_bytes(period("Outside"))
    (beside / "a.per").symlink_to(beside.parent / "outside.per")
    result = read(beside, "a.per")
    assert "include-not-read" in {problem.code for problem in result.problems}
    assert header_of(result.battlemap).period_place == "missing"


def test_a_missing_map_is_an_error_and_a_missing_period_a_warning(folders):
    assert read(folders[0], "a.map2").battlemap is None
    result = read(folders[0], "gone.per")
    assert result.battlemap is not None
    (problem,) = result.problems
    assert (problem.code, problem.severity, problem.line) == (
        "missing-period",
        Severity.WARNING,
        2,
    )
    header = header_of(result.battlemap)
    assert (header.period_file, header.period_place) == ("gone.per", "missing")
    assert [terrain.name for terrain in result.battlemap.terrain_set.terrains] == [
        "terrain .",
        "terrain +",
    ]


def test_bytes_from_nowhere_may_miss_a_map():
    data = b"Xconq 1 -----+ Units\nland.map\nUnits 1 1 0\ni * 3,3 -1\n"
    result = read_with(data)
    assert result.battlemap is not None
    assert [problem.code for problem in result.problems] == ["missing-include", "no-map"]


def test_a_missing_period_can_be_given(folders):
    data = f"Xconq 1 --+--- A map\ngone.per\n{MAP}".encode()
    result = read_with(data, str(folders[0] / "a.map"), {"gone.per": period("Found")})
    assert not result.problems
    assert period_of(result.battlemap).name == "Found"


def test_a_file_that_names_no_period_has_the_standard_one_of_the_library(folders):
    beside, library = folders
    assert period_of(read(beside).battlemap).name == "Modern Times"
    (library / "standard.per").write_bytes(period("Standard"))
    result = read(beside)
    assert period_of(result.battlemap).name == "Standard"
    assert not result.problems


def test_a_broken_standard_period_is_said_and_not_used(folders):
    beside, library = folders
    (library / "standard.per").write_bytes(b"Xconq 0 --+--- no period\nMap 1 1\n")
    result = read(beside)
    assert period_of(result.battlemap).name == "Modern Times"
    assert "standard-unusable" in {problem.code for problem in result.problems}


def test_a_period_can_be_chosen_for_a_file_that_names_none(folders):
    data = f"Xconq 0 --+--- A map\n{MAP}".encode()
    result = read_with(data, str(folders[0] / "a.map"), {"": period("Chosen")})
    assert period_of(result.battlemap).name == "Chosen"


def test_a_period_that_changes_another_keeps_both_texts(folders):
    beside, _library = folders
    (beside / "base.per").write_bytes(period("Base"))
    (beside / "more.per").write_bytes(
        b'Xconq 1 -+---- more\nbase.per\nPeriod 1\n"More" period-name\nend\n'
    )
    battlemap = read(beside, "more.per").battlemap
    assert (period_of(battlemap).name, period_of(battlemap).units[0].name) == ("More", "walker")
    text, further = period_texts_of(battlemap)
    assert text.startswith("Xconq 1")
    assert set(further) == {"base.per"}


def test_a_period_that_changes_the_one_included_before_it(folders):
    beside, _library = folders
    (beside / "base.per").write_bytes(period("Base"))
    (beside / "more.per").write_bytes(b'Xconq 0 -+---- more\nPeriod 1\n"More" period-name\nend\n')
    battlemap = read(beside, "base.per", "more.per").battlemap
    assert (period_of(battlemap).name, period_of(battlemap).units[0].name) == ("More", "walker")


def test_a_replaced_section_is_said(folders):
    beside, _library = folders
    (beside / "small.map").write_bytes(b"Xconq 0 --+--- small\nMap 1 1 0 0 0\n1.\n")
    result = read(beside, "small.map")
    assert result.battlemap.grid.width == 3
    assert [problem.code for problem in result.problems] == ["section-replaced"]


def test_problems_of_a_period_inside_a_map_have_the_lines_of_the_file(folders):
    broken = period("Own").decode().split("\n", 1)[1].replace("1 i hp", "1 i bogus")
    result = read(folders[0], sections="-++---", body=f"{broken}{MAP}")
    lines = {problem.line for problem in result.problems if "bogus" in problem.message}
    assert lines == {7}


def test_the_environment_names_the_library(tmp_path, monkeypatch):
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path))
    assert LIBRARY.folder() == tmp_path
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path / "none"))
    assert LIBRARY.folder() is None


def test_included_files_that_are_too_large_together_are_refused(folders):
    beside, _library = folders
    names = [f"{number}.map" for number in range(5)]
    for name in names:
        (beside / name).write_bytes(b"Xconq 0 ------ " + b"x" * 1_000_000)
    result = read(beside, *names)
    assert result.battlemap is None
    (problem,) = (each for each in result.problems if each.code == "include-many")
    assert problem.line == 6


TOWNS = b"Xconq 0 -----+ Towns\nUnits 1 1 0\n@ Rome 4,2 -1\n"


def test_a_file_without_a_map_has_the_same_rolled_world_each_time_and_is_saved_without_it():
    first, second = (read_with(TOWNS).battlemap for _ in range(2))
    world, units = first.layers
    assert (world.planes["terrain"] == second.layers[0].planes["terrain"]).all()
    assert first.source_layer is world
    assert [thing.label for thing in units.things.values()] == ["Rome"]
    assert write_mapfile(first).data == TOWNS


def test_the_rolled_world_is_large_enough_for_the_units():
    far = TOWNS.replace(b"4,2", b"99,50")
    result = read_with(far)
    assert (result.battlemap.grid.width, result.battlemap.grid.height) == (100, 52)
    assert [problem.code for problem in result.problems] == ["no-map"]


def test_a_file_of_another_period_does_not_come_onto_a_world(folders):
    beside, _library = folders
    (beside / "a.per").write_bytes(period("One"))
    (beside / "b.per").write_bytes(period("Two"))
    world = read(beside, "a.per").battlemap
    units = "Xconq 1 -----+ Units\n{}\nUnits 1 1 0\ni * 1,1 -1\n"
    result = read_onto(units.format("a.per").encode(), str(beside / "u.map"), world)
    assert len(list(result.battlemap.visible_things())) == 1
    assert not result.problems
    with pytest.raises(ProblemError, match=r"the period b\.per"):
        read_onto(units.format("b.per").encode(), str(beside / "u.map"), world)
    with pytest.raises(ProblemError, match=r"the period gone\.per"):
        read_onto(units.format("gone.per").encode(), str(beside / "u.map"), world)


def test_what_has_a_map_or_cannot_be_read_is_not_read_for_another(folders):
    world = read(folders[0]).battlemap
    assert read_onto(f"Xconq 0 --+--- Map\n{MAP}".encode(), None, world) is None
    assert read_onto(b"Xconq 0 -----+ Units\nUnits x\n", None, world) is None


def test_a_period_of_the_library_keeps_its_suffix_in_capital_letters(folders):
    beside, library = folders
    (beside / "Town.PER").write_bytes(period("Town"))
    (library / "Town.PER").write_bytes(period("Another"))
    assert name_for_xconq("Town.PER", period("Town").decode()) == "Town-2.per"


def test_no_file_is_included_twice_by_a_saved_map(folders):
    beside, _library = folders
    (beside / "a.per").write_bytes(period("Terrains"))
    (beside / "b.per").write_bytes(period("Town"))
    battlemap = read(beside, "a.per", "b.per").battlemap
    header = header_of(battlemap)
    assert (header.period_file, header.period_place) == ("b.per", PeriodPlace.BESIDE)
    battlemap.records[HEADER] = as_record(replace(header, script_file="a.per"))
    written = write_mapfile(battlemap)
    assert written.data.decode().splitlines()[:2] == ["Xconq 1 --+--- A map", "a.per"]
