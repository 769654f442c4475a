"""Xconq's library as a game: what it offers, and exports that are planned, made and taken back."""

from __future__ import annotations

import os

import pytest

from randomizer.catalog.systems import game_host
from randomizer.formats.checked import read_checked, write_checked
from randomizer.model.problems import ProblemError
from randomizer.model.records.map_records import MapRecord
from randomizer.storage.exports.export_backups import commit_export, take_back
from randomizer.systems.xconq.game.host import HOST
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.reader import read_with
from randomizer.systems.xconq.records import PERIOD
from randomizer.systems.xconq.system import SYSTEM

PERIOD_TEXT = """Xconq 0 -+---- Two kinds
Period 0
"Two kinds" period-name
"i" "walker" "walks" utype
"." "sea" "blue" ttype
"+" "land" "green" ttype
1 i speed 1 i hp
end
"""
MAP = "Map 3 3 100 1 0\n3.\n.+1.\n3.\n"
MENU = "Scenarios\nPeriods\nkinds  Two kinds\nMaps\nEnd\n"


@pytest.fixture
def library(tmp_path):
    root = tmp_path / "library"
    root.mkdir()
    (root / "kinds.per").write_text(PERIOD_TEXT)
    (root / "mapfiles").write_text(MENU)
    (root / "isle.map").write_text(f"Xconq 1 --+--- An isle\nkinds.per\n{MAP}")
    (root / "notes.map").write_text("no mapfile")
    return root


@pytest.fixture
def battlemap(tmp_path):
    """A scenario with its period beside it, somewhere else."""
    beside = tmp_path / "mine"
    beside.mkdir()
    (beside / "kinds.per").write_text(PERIOD_TEXT)
    text = f"Xconq 1 --+--+ Landing\nkinds.per\n{MAP}Units 1 1 0\ni * 1,1 -1\n"
    return read_with(text.encode(), str(beside / "landing.scn")).battlemap


def contents(root):
    """The files of the library, without the folder of backups."""
    return {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()}


def exported(library, battlemap, name):
    game = HOST.open_game(library)
    return HOST.plan_exports(game, {name: write_checked(HOST.format, battlemap)}, "")


def test_the_system_has_its_game():
    assert game_host(SYSTEM) is HOST


def test_the_mapfiles_of_a_library_are_its_places(library):
    game = HOST.open_game(library)
    (group,) = game.groups()
    assert [slot.name for slot in group.slots] == ["isle.map"]
    data, found = game.read_map("", "isle.map")
    result = read_checked(HOST.format, data, found.text)
    assert period_of(result.battlemap).name == "Two kinds"
    assert [path.name for path in game.scripts()] == ["kinds.per"]
    with pytest.raises(ProblemError):
        game.read_map("", "../mine/landing.scn")


def test_what_a_file_of_a_library_is_says_its_first_line_not_its_suffix(library):
    for name in ("isle", "isle.txt", "ISLE.MAP"):
        (library / name).write_text(f"Xconq 1 --+--- An isle\nkinds.per\n{MAP}")
    (library / "kinds.map").write_text(PERIOD_TEXT)
    game = HOST.open_game(library)
    (group,) = game.groups()
    names = [slot.name for slot in group.slots]
    assert names == ["ISLE.MAP", "isle", "isle.map", "isle.txt"]
    assert all(game.read_map("", name)[0].startswith(b"Xconq 1") for name in names)


def test_a_directory_without_periods_and_menu_is_no_library(tmp_path):
    with pytest.raises(ProblemError):
        HOST.open_game(tmp_path)
    with pytest.raises(ProblemError):
        HOST.open_game(tmp_path / "none")


def test_an_export_writes_the_file_and_its_line_and_can_be_taken_back(library, battlemap):
    before = contents(library)
    plan = exported(library, battlemap, "landing")
    assert not plan.problems
    assert [file.path.name for file in plan.files] == ["landing.scn", "mapfiles"]
    assert contents(library) == before
    receipt = commit_export(plan)
    assert (library / "mapfiles").read_text() == MENU.replace(
        "Scenarios\n", "Scenarios\nlanding  Landing\n"
    )
    data = (library / "landing.scn").read_bytes()
    assert data.startswith(b"Xconq 1 --+--+ Landing\nkinds.per\nMap")
    result = read_with(data, str(library / "landing.scn"))
    assert not result.problems
    take_back(receipt.path)
    assert contents(library) == before


def test_a_period_that_the_library_lacks_goes_inside(library, battlemap):
    changed = PERIOD_TEXT.replace("Two kinds", "Other kinds")
    battlemap.records[PERIOD] = MapRecord(changed)
    plan = exported(library, battlemap, "landing.scn")
    data = plan.files[0].data
    assert data.startswith(b"Xconq 0 -++--+ Landing\nPeriod 0\n")
    result = read_with(data, str(library / "landing.scn"))
    assert period_of(result.battlemap).name == "Other kinds"


def test_of_a_period_without_a_line_end_nothing_stays_beside_the_include(library):
    data = PERIOD_TEXT.rstrip("\n").encode()
    (library / "kinds.per").write_bytes(data)
    game = HOST.open_game(library)
    plan = HOST.plan_exports(game, {"copy.scn": data}, "")
    assert b"kinds.per" in plan.files[0].data
    assert b"end" not in plan.files[0].data


def test_a_map_goes_under_the_maps_and_a_second_time_keeps_the_menu(library):
    data = (library / "isle.map").read_bytes()
    battlemap = read_with(data, str(library / "isle.map")).battlemap
    plan = exported(library, battlemap, "isle.map")
    assert plan.files[0].data == data
    commit_export(plan)
    assert "Maps\nisle  An isle\nEnd\n" in (library / "mapfiles").read_text()
    assert not exported(library, battlemap, "isle.map").changes_anything


def test_a_file_that_the_library_lacks_is_warned_of(library, battlemap):
    text = "Xconq 1 ----+- Sides\nother.map\nSides 1 1 0\nRed\n"
    plan = HOST.plan_exports(HOST.open_game(library), {"sides": text.encode()}, "")
    assert [problem.code for problem in plan.problems] == ["include-missing"]


@pytest.mark.parametrize("name", ["../up", "a/b", "", "con"])
def test_bad_names_are_problems_of_the_plan(library, battlemap, name):
    plan = exported(library, battlemap, name)
    assert plan.problems
    assert not plan.files


def test_a_menu_that_is_too_large_is_not_cut_off(library):
    (library / "mapfiles").write_bytes(b"Maps\n" + b"x y\n" * 1_100_000)
    plan = HOST.plan_exports(
        HOST.open_game(library), {"w.map": f"Xconq 0 --+---\n{MAP}".encode()}, ""
    )
    assert [problem.code for problem in plan.problems] == ["too-large"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_menu_that_is_a_pipe_is_not_waited_for(library):
    (library / "mapfiles").unlink()
    os.mkfifo(library / "mapfiles")
    plan = HOST.plan_exports(
        HOST.open_game(library), {"w.map": f"Xconq 0 --+---\n{MAP}".encode()}, ""
    )
    assert [problem.code for problem in plan.problems] == ["not-read"]
