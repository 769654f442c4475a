"""A map of another program in the real window: opened, painted, saved into its own file."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.model.records.map_records import ORIGINAL
from randomizer.systems.interchange.tiled.tiled_pictures import write_png
from tests.app.conftest import finished_picture
from tests.randomizer.systems.interchange.readers import wesnoth
from tests.randomizer.systems.interchange.samples import WESNOTH
from tests.randomizer.systems.interchange.scenario_files import SCENARIO, read_terrain, terrain


def test_a_map_of_wesnoth_is_painted_and_saved_as_one(window, qtbot, tmp_path):
    desk = window.desk
    document = window.desk.document
    path = tmp_path / "isle.map"
    path.write_bytes(WESNOTH)
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: ORIGINAL in document.battlemap.records)
    grid = document.battlemap.grid
    terrains = document.battlemap.terrain_set.terrains
    assert document.battlemap.terrain_set.name == "Wesnoth"
    assert not document.modified
    desk.tools.options.choose(terrain=[each.code for each in terrains].index("Gg^Vh"))
    desk.tools.choose("terrain")
    at = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(1, 0))).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert finished_picture(desk.canvas, qtbot).pixelColor(at).isValid()
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    size, cells, _lines = wesnoth(path.read_text("utf-8"))
    before = wesnoth(WESNOTH.decode())
    assert (size, cells[1:]) == (before[0], before[1][1:])
    assert cells[0] == "Gg^Vh"
    desk.commands.run("edit.undo")
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    assert path.read_bytes() == WESNOTH


def test_a_scenario_of_atlas_is_painted_and_saved_with_its_terrain(window, qtbot, tmp_path):
    """Nothing is lost, so that nothing is asked."""
    desk = window.desk
    document = window.desk.document
    files = {"a.pmp": terrain(), "a.xml": SCENARIO}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    desk.files.open_path(tmp_path / "a.xml")
    qtbot.waitUntil(lambda: ORIGINAL in document.battlemap.records)
    grid = document.battlemap.grid
    assert (document.battlemap.system.name, grid.width) == ("zeroad", 16)
    desk.tools.options.choose(terrain=2)
    desk.tools.choose("terrain")
    at = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(0, 15))).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    assert (tmp_path / "a.xml").read_bytes() == SCENARIO
    assert read_terrain((tmp_path / "a.pmp").read_bytes())[2][0] == ("cliff", "", 2)
    desk.commands.run("edit.undo")
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    assert {name: (tmp_path / name).read_bytes() for name in files} == files


PICTURE = write_png(np.full((16, 32, 4), (200, 10, 20, 255), np.uint8))
TILED = f"""<map version="1.4" orientation="orthogonal" width="3" height="2" tilewidth="16"
 tileheight="16" infinite="0">
 <!-- the shore -->
 <tileset firstgid="1" name="g" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  <image format="png"><data encoding="base64">{b64encode(PICTURE).decode()}</data></image>
  <wangsets><wangset name="Shore" tile="-1">
   <wangcornercolor name="Land" color="#11aa11" tile="0" probability="1"/>
   <wangcornercolor name="Sea" color="#1111aa" tile="1" probability="1"/>
  </wangset></wangsets>
 </tileset>
 <weather n="1">rain</weather>
 <layer id="1" name="Ground" width="3" height="2"><data encoding="csv">1,1,1,2,2,2</data></layer>
 <weather n="2">fog</weather>
</map>
"""


def test_a_map_of_tiled_that_is_painted_keeps_all_that_is_not_understood(window, qtbot, tmp_path):
    desk = window.desk
    document = window.desk.document
    path = tmp_path / "shore.tmx"
    path.write_text(TILED)
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: ORIGINAL in document.battlemap.records)
    terrains = document.battlemap.terrain_set.terrains
    assert [each.colour for each in terrains if each.code == "g:0"] == ["#c80a14"]
    desk.tools.options.choose(terrain=[each.code for each in terrains].index("g:1"))
    desk.tools.choose("terrain")
    grid = document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(grid.cell(1, 0))).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not document.modified)
    saved = "".join(path.read_text().replace(" />", "/>").partition("<map")[1:]).split()
    assert "".join(saved) == "".join(TILED.replace("1,1,1,2,2,2", "1,2,1,2,2,2").split())
