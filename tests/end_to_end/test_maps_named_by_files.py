"""Files that name maps, in the real window: worlds of Tiled and scenarios of Wesnoth."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.app.conftest import wait_for_actions
from tests.end_to_end.wang_maps import SQUARES
from tests.randomizer.systems.interchange.samples import WESNOTH


def paint_and_save(window, qtbot, terrain):
    """Paint one cell of the current map with a terrain that has this code, and save."""
    desk = window.desk
    document = desk.document
    terrains = document.battlemap.terrain_set.terrains
    desk.tools.options.choose(terrain=[each.code for each in terrains].index(terrain))
    desk.tools.choose("terrain")
    grid = document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(1, 0))).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert document.modified
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)


def open_names(document):
    return [open_map.path.name for open_map in document.maps if open_map.path is not None]


def test_the_maps_of_a_world_open_as_tabs_and_are_saved_in_place(window, qtbot, tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    for path in (folder / "harbour.tmx", tmp_path / "isle-1-0.tmx", tmp_path / "isle-1-1.tmx"):
        path.write_text(SQUARES)
    (tmp_path / "other.tmx").write_text(SQUARES)
    entry = {"fileName": "maps/harbour.tmx", "x": 0, "y": 0, "width": 96, "height": 80}
    pattern = {"regexp": r"isle-(\d+)-(\d+)\.tmx", "multiplierX": 96, "multiplierY": 80}
    world = json.dumps({"maps": [entry], "patterns": [pattern], "type": "world"}, indent=4)
    path = tmp_path / "isles.world"
    path.write_text(world)
    desk = window.desk
    desk.files.open_path(path)
    wait_for_actions(qtbot)
    assert open_names(desk.document) == ["harbour.tmx", "isle-1-0.tmx", "isle-1-1.tmx"]
    paint_and_save(window, qtbot, "Coast:5")
    lines = (tmp_path / "isle-1-1.tmx").read_text().splitlines()
    differing = [at for at, line in enumerate(SQUARES.splitlines()) if line != lines[at]]
    assert len(differing) == 1
    assert (folder / "harbour.tmx").read_text() == SQUARES
    assert (tmp_path / "isle-1-0.tmx").read_text() == SQUARES
    assert path.read_text() == world


@pytest.mark.deep
def test_a_map_of_a_world_that_is_gone_is_told_with_its_line(window, qtbot, tmp_path, hand):
    (tmp_path / "a.tmx").write_text(SQUARES)
    path = tmp_path / "a.world"
    path.write_text('{"maps": [\n {"fileName": "a.tmx"},\n {"fileName": "gone.tmx"}]}')
    hand.expect("Battlelands Builder").press("Close")
    window.desk.files.open_path(path)
    wait_for_actions(qtbot)
    assert open_names(window.desk.document) == ["a.tmx"]


def test_a_scenario_shows_its_map_and_saving_goes_there(window, qtbot, tmp_path):
    add_on = tmp_path / "add-ons" / "Isle"
    for name in ("scenarios", "maps"):
        (add_on / name).mkdir(parents=True)
    map_path = add_on / "maps" / "isle.map"
    map_path.write_bytes(WESNOTH)
    scenario = '[scenario]\r\n    id=isle\r\n    map_file="~add-ons/Isle/maps/isle.map" # ours\r\n'
    path = add_on / "scenarios" / "01_Isle.cfg"
    path.write_bytes(scenario.encode())
    desk = window.desk
    desk.files.open_path(path)
    wait_for_actions(qtbot)
    assert desk.document.current_map.path == map_path
    paint_and_save(window, qtbot, "Gg^Vh")
    lines = map_path.read_bytes().splitlines()
    original_lines = WESNOTH.splitlines()
    assert sum(line != original for line, original in zip(lines, original_lines, strict=True)) == 1
    assert path.read_bytes() == scenario.encode()
