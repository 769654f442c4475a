"""The whole story of a terrain of one's own: a new map, a picture, painted, saved, opened again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from app.features.new_map.grid_settings import FROM_FILE
from app.features.terrains.fields import OWN_PICTURE
from randomizer.model.records.assets import asset_digest
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.storage.files.project import read_project
from randomizer.storage.files.terrain_files import write_terrains
from tests.app.conftest import finished_picture, new_map_dialog, wait_for_actions
from tests.randomizer.own_terrains import png

DRIVEN_DIALOGS = (NewMapDialog,)

PURPLE = png(16, 16, (160, 0, 200))
MOOR = TerrainSet("Moor", (Terrain("Bog", "#6d7b4d"), Terrain("Heath", "#a39a68")))


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


@pytest.mark.deep  # test_world_of_ones_own walks the same way
def test_a_terrain_of_ones_own_lives_through_undo_save_and_open(window, qtbot, hand, tmp_path):
    desk = window.desk
    document = window.desk.document
    set_file = tmp_path / "moor.terrains"
    picture = tmp_path / "own.png"
    set_file.write_bytes(write_terrains(MOOR))
    picture.write_bytes(PURPLE)

    dialog = new_map_dialog(window, "Landscape or free map", "Empty map")
    field = dialog.form.field("terrains")
    assert field.currentText() == "Landscape"
    hand.expect("Terrains of the new map").type_path(set_file)
    field.setCurrentIndex(field.findData(FROM_FILE))
    wait_for_actions(qtbot)
    assert dialog.form.field("terrains").currentText() == "moor"
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.make()
    qtbot.waitUntil(lambda: document.battlemap.terrain_set == MOOR)

    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    panel.editor.buttons["Add"].click()
    hand.expect("Picture of New terrain").type_path(picture)
    pictures = panel.editor.form.field("picture")
    pictures.setCurrentIndex(pictures.findData(OWN_PICTURE))
    digest = asset_digest(PURPLE)
    qtbot.waitUntil(lambda: document.battlemap.terrain_set.terrains[2].asset == digest)

    desk.tools.options.choose(terrain=2)
    desk.tools.choose("terrain")
    grid = document.battlemap.grid
    cell = grid.cell(5, 5)
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert document.battlemap.values("terrain").flat[cell] == 2
    assert finished_picture(desk.canvas, qtbot).pixelColor(at).getRgb()[:3] == (160, 0, 200)

    panel.editor.choose(2)
    name = panel.editor.form.field("name")
    name.selectAll()
    QTest.keyClicks(name, "Mire")
    QTest.keyClick(name, Qt.Key.Key_Return)
    panel.editor.buttons["Remove"].click()
    assert [
        terrain.name for terrain in document.battlemap.terrain_set.terrains if terrain.missing
    ] == ["Mire"]
    document.undo()
    assert not any(terrain.missing for terrain in document.battlemap.terrain_set.terrains)

    path = tmp_path / "moor.battlemap"
    hand.expect("Save map as").type_path(path)
    desk.commands.run("file.save-as")
    qtbot.waitUntil(path.exists)
    saved = read_project(path.read_bytes()).battlemap
    assert saved.terrain_set == document.battlemap.terrain_set
    assert saved.assets == {digest: PURPLE}

    qtbot.waitUntil(lambda: not document.modified)
    desk.files.closing.close_current()
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    known = document.battlemap.terrain_set
    assert known.terrains[document.battlemap.values("terrain").flat[cell]].name == "Mire"
    desk.canvas.fit()
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    assert finished_picture(desk.canvas, qtbot).pixelColor(at).getRgb()[:3] == (160, 0, 200)
