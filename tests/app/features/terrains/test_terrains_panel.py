"""The panel of terrains: every change is an undo step, and what is painted is never lost."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.terrains.fields import OWN_PICTURE
from app.render.pictures.picture_files import png_of
from app.render.pictures.picture_library import picture, picture_of
from app.widgets.dialogs.problem_dialog import ProblemDialog
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.records.assets import asset_digest
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.storage.files.terrain_files import OwnTerrains, read_terrains, write_terrains
from randomizer.systems.free.system import free_map
from tests.app.conftest import wait_for_actions
from tests.randomizer.own_terrains import PICTURES, PNG


@pytest.fixture
def features():
    return "terrains", "palette", "tools", "files", "selection"


@pytest.fixture
def free(window):
    """The window with a free map of Landscape as the current one."""
    window.desk.document.open_map(free_map(FLAT, 16, 12))
    return window


@pytest.fixture
def panel(free):
    free.desk.docks.show("terrains")
    panel = free.desk.docks.panel("terrains")
    panel.document = free.desk.document
    return panel


def known(panel) -> TerrainSet:
    return panel.document.battlemap.terrain_set


def paint(panel, *codes: int) -> None:
    """Paint terrains into the first cells."""
    spec = panel.document.battlemap.system.terrain
    values = np.array(codes, spec.dtype)
    before = np.full_like(values, spec.unset)
    panel.document.push(PlaneEdit(1, spec.name, np.arange(len(codes)), before, values), "Paint")


def shown(panel, count: int) -> list[str]:
    codes = panel.document.battlemap.values("terrain").flat[:count]
    return [known(panel).terrains[code].name for code in codes]


def write(panel, name: str, text: str) -> None:
    """Type a value into a field of the form and leave it."""
    field = panel.editor.form.field(name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_free_maps_have_the_panel_and_others_do_not(window, free):
    docks = free.desk.docks
    assert docks["terrains"].isVisible()
    free.desk.document.make_current(free.desk.document.maps[0])  # a battleland
    assert not docks["terrains"].isVisible()
    assert not free.desk.commands.action("terrains.open").isVisible()


def test_a_terrain_is_added_renamed_and_removed_and_every_step_undone(panel):
    before = known(panel)
    panel.editor.buttons["Add"].click()
    write(panel, "name", "Fen")
    write(panel, "code", "Ff")
    fen = panel.editor.code
    last = max(terrain.order for terrain in before.terrains)
    assert known(panel).terrains[fen] == Terrain("Fen", "#9aa77c", code="Ff", order=last)
    paint(panel, fen, 0)
    write(panel, "name", "Mire")
    assert shown(panel, 2) == ["Mire", before.terrains[0].name]
    panel.editor.buttons["Remove"].click()
    assert shown(panel, 1) == ["Mire"]
    assert known(panel).terrains[-1].missing
    assert "missing" in panel.editor.list.model().index(len(before.terrains), 0).data()
    for _step in range(6):
        panel.document.undo()
    assert known(panel) == before
    assert not panel.document.history.index


def test_the_delete_key_in_the_list_is_for_the_terrain_not_for_the_selection_of_the_map(
    panel, free, qtbot
):
    paint(panel, 3, 3)
    free.desk.document.select([0, 1])
    free.activateWindow()
    qtbot.waitUntil(free.isActiveWindow)
    panel.editor.list.setFocus()
    panel.editor.choose(known(panel).terrain_code("Volcano"))
    QTest.keyClick(panel.editor.list, Qt.Key.Key_Delete)
    assert not known(panel).has_terrain("Volcano")
    assert shown(panel, 2) == [known(panel).terrains[3].name] * 2


@pytest.mark.parametrize(
    ("modifiers", "taken"),
    [(Qt.KeyboardModifier.NoModifier, True), (Qt.KeyboardModifier.ControlModifier, False)],
)
def test_letters_typed_in_the_list_seek_a_name_and_choose_no_tool(panel, modifiers, taken):
    panel.editor.choose(0)
    key = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_V, modifiers, "v")
    key.ignore()
    QApplication.sendEvent(panel.editor.list, key)
    assert key.isAccepted() is taken
    QTest.keyClicks(panel.editor.list, "vo")
    assert panel.editor.list.currentIndex().data() == "Volcano"


def test_a_name_that_is_in_use_is_refused_and_the_form_shows_the_old_one(panel):
    refusals = []
    panel.document.work_refused.connect(refusals.append)
    panel.editor.choose(1)
    write(panel, "name", known(panel).terrains[0].name)
    assert "the same name" in refusals[0]
    assert panel.editor.form.field("name").text() == known(panel).terrains[1].name


def test_a_terrain_keeps_its_picture_under_a_name_that_has_none(panel):
    code = known(panel).terrain_code("Hills")
    panel.editor.choose(code)
    write(panel, "name", "Downs")
    assert picture_of(known(panel).terrains[code]) is picture("Hills")
    assert panel.document.history.index == 1
    panel.document.undo()
    panel.editor.buttons["Add"].click()
    write(panel, "name", "Badlands 2")
    write(panel, "name", "Abyss")
    assert known(panel).terrains[-1].picture == "", "what had no picture needs none kept"


def test_a_terrain_named_like_a_picture_of_ours_gets_it(panel):
    panel.editor.choose(known(panel).terrain_code("Hills"))
    write(panel, "name", "Orchard")
    assert [terrain.picture for terrain in known(panel).terrains if terrain.name == "Orchard"] == [
        ""
    ]


def test_colours_costs_and_pictures_of_ours_are_chosen(panel, qtbot, hand):
    panel.editor.choose(4)
    colour_dialog = hand.expect("Select Color")
    colour_dialog.do(lambda dialog: dialog.setCurrentColor(QColor("#123456"))).press("OK")
    panel.editor.form.field("colour").actions()[0].trigger()
    wait_for_actions(qtbot)
    panel.editor.form.field("cost").setValue(-1)
    pictures = panel.editor.form.field("picture")
    pictures.setCurrentIndex(pictures.findText("Volcano"))
    grounds = panel.editor.form.field("ground")
    assert grounds.currentText() == "Its own"
    grounds.setCurrentIndex(grounds.findText("Snow"))
    panel.editor.form.field("water").setChecked(True)
    changed = known(panel).terrains[4]
    assert (changed.colour, changed.cost) == ("#123456", None)
    assert (changed.picture, changed.ground, changed.water) == ("Volcano", "Snow", True)
    assert panel.document.history.index == 5


def test_the_tick_for_sight_shows_what_the_name_tells_until_it_is_set(panel, free):
    panel.editor.buttons["Add"].click()
    assert not panel.editor.form.field("blocks_sight").isChecked()
    write(panel, "name", "Rock wall")
    assert panel.editor.form.field("blocks_sight").isChecked()
    assert known(panel).terrains[-1].blocks_sight is None
    panel.editor.form.field("blocks_sight").setChecked(False)
    assert known(panel).terrains[-1].blocks_sight is False
    assert not panel.editor.form.field("blocks_sight").isChecked()


def test_lists_are_sorted_without_touching_the_map(panel, free, qtbot):
    paint(panel, 0, 1, 2)
    codes = panel.document.battlemap.layers[0].planes["terrain"].copy()
    free.desk.commands.run("terrains.sort")
    qtbot.waitUntil(lambda: panel.editor.is_up_to_date)
    rows = [panel.editor.model.index(row, 0).data() for row in range(panel.editor.model.rowCount())]
    assert rows == sorted(rows, key=str.casefold)
    panel.editor.list.setCurrentIndex(panel.editor.model.index(1, 0))
    panel.editor.buttons["Up"].click()
    assert panel.editor.model.index(0, 0).data() == rows[1]
    assert panel.editor.list.currentIndex().row() == 0
    assert np.array_equal(panel.document.battlemap.layers[0].planes["terrain"], codes)
    palette = free.desk.docks.panel("palette").ground
    assert palette.terrains.buttons[0].text().replace("\n", " ") == rows[1]


def test_hexsides_ways_and_elevations_are_edited_likewise(panel):
    panel.tabs.setCurrentIndex(1)
    panel.editor.buttons["Add"].click()
    letters = [hexside.letter for hexside in known(panel).hexsides]
    assert len(set(letters)) == len(letters)
    panel.tabs.setCurrentIndex(2)
    panel.editor.choose(0)
    write(panel, "name", "Highway")
    panel.editor.form.field("width").setValue(2.5)
    assert (known(panel).ways[0].name, known(panel).ways[0].width) == ("Highway", 2.5)
    panel.tabs.setCurrentIndex(3)
    panel.editor.form.field("lowest").setValue(-4)
    write(panel, "name", "My world")
    assert (known(panel).elevations[0], known(panel).name) == (-4, "My world")
    assert panel.document.history.index == 5


def test_a_search_finds_terrains_by_a_part_of_their_name(panel):
    panel.editor.search.setText("MOUNT")
    rows = [panel.editor.model.index(row, 0).data() for row in range(panel.editor.model.rowCount())]
    assert rows == ["Mountains", "High mountains"]
    assert known(panel).terrains[panel.editor.code].name == "Mountains"


# --- pictures and files -------------------------------------------------------------------------


@pytest.fixture
def new_file(tmp_path):
    """Writes a file with a name and bytes; returns its path."""

    def write_file(name: str, data: bytes):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write_file


def test_a_picture_of_ones_own_is_taken_from_a_file_and_undone(panel, qtbot, hand, new_file):
    panel.editor.choose(3)
    hand.expect(f"Picture of {known(panel).terrains[3].name}").type_path(new_file("own.png", PNG))
    pictures = panel.editor.form.field("picture")
    pictures.setCurrentIndex(pictures.findData(OWN_PICTURE))
    qtbot.waitUntil(lambda: known(panel).terrains[3].asset == asset_digest(PNG))
    assert panel.document.battlemap.assets[asset_digest(PNG)] == PNG
    assert pictures.currentData() == OWN_PICTURE
    pictures.setCurrentIndex(0)
    assert known(panel).terrains[3].asset == ""
    panel.document.undo()
    assert known(panel).terrains[3].asset == asset_digest(PNG)
    panel.document.undo()
    assert not panel.document.history.index


def test_a_file_that_is_no_picture_changes_nothing_and_is_named(panel, qtbot, hand, new_file, free):
    path = new_file("own.png", b"no picture at all")
    panel.editor.choose(3)
    hand.hold(ProblemDialog)
    hand.expect(f"Picture of {known(panel).terrains[3].name}").type_path(path)
    pictures = panel.editor.form.field("picture")
    pictures.setCurrentIndex(pictures.findData(OWN_PICTURE))
    qtbot.waitUntil(lambda: free.findChild(ProblemDialog) is not None)
    assert "is no picture" in free.findChild(ProblemDialog).text.toPlainText()
    assert pictures.currentData() == known(panel).terrains[3].picture
    assert not panel.document.history.index


def test_a_sheet_becomes_a_terrain_for_each_picture_that_is_on_it(panel, qtbot, tmp_path):
    sheet = QImage(2 + 3 * 8 + 2 * 1, 2 + 2 * 8 + 1, QImage.Format.Format_ARGB32)
    sheet.fill(Qt.GlobalColor.transparent)
    for number, colour in enumerate(("red", "green", "blue", "red")):  # one twice, two empty
        for x in range(8):
            for y in range(8):
                sheet.setPixelColor(1 + number % 3 * 9 + x, 1 + number // 3 * 9 + y, QColor(colour))
    path = tmp_path / "sheet.png"
    path.write_bytes(png_of(sheet))
    count = len(known(panel).terrains)
    values = {"name": "Tile", "width": 8, "height": 8, "margin": 1, "spacing": 1}
    panel.sets.begin_sheet(panel.document.current_map, path, values)
    qtbot.waitUntil(lambda: len(known(panel).terrains) > count)
    added = known(panel).terrains[count:]
    assert [(each.name, each.colour) for each in added] == [
        ("Tile 1", "#ff0000"),
        ("Tile 2", "#008000"),
        ("Tile 3", "#0000ff"),
    ]
    assert {each.asset for each in added} == panel.document.battlemap.assets.keys()
    assert panel.editor.list.currentIndex().data() == "Tile 1"
    panel.document.undo()
    assert len(known(panel).terrains) == count


MOOR = TerrainSet("Moor", (Terrain("Bog", "#6d7b4d", asset=next(iter(PICTURES))),))


def test_a_set_is_opened_as_any_file_and_what_is_painted_stays_as_missing(
    panel, qtbot, new_file, free
):
    wood = known(panel).terrain_code("Wood")
    paint(panel, wood)
    path = new_file("moor.terrains", write_terrains(MOOR, PICTURES))
    free.desk.files.open_path(path)
    qtbot.waitUntil(lambda: known(panel).name == "Moor")
    assert [(terrain.name, terrain.missing) for terrain in known(panel).terrains] == [
        ("Bog", False),
        ("Wood", True),
    ]
    assert shown(panel, 1) == ["Wood"]
    assert "1 terrain of the map" in free.statusBar().currentMessage()
    panel.document.undo()
    assert known(panel).name == "Landscape"


def test_a_set_is_merged_and_saved_with_its_pictures(panel, qtbot, hand, new_file, free, tmp_path):
    path = new_file("moor.terrains", write_terrains(MOOR, PICTURES))
    hand.expect("Merge a terrain set").type_path(path)
    free.desk.commands.run("terrains.merge")
    qtbot.waitUntil(lambda: known(panel).has_terrain("Bog"))
    assert (known(panel).name, known(panel).has_terrain("Wood")) == ("Landscape", True)
    path = tmp_path / "mine"
    hand.expect("Save the terrain set").type_path(path)
    free.desk.commands.run("terrains.save-as")
    path = path.with_suffix(".terrains")
    wait_for_actions(qtbot)
    saved = read_terrains(path.read_bytes())
    assert saved == OwnTerrains(known(panel), panel.document.battlemap.named_assets)


def test_a_set_begins_a_new_free_map_where_the_current_map_has_none_of_its_own(
    window, qtbot, new_file
):
    path = new_file("moor.terrains", write_terrains(MOOR, PICTURES))
    window.desk.files.open_path(path)
    document = window.desk.document
    qtbot.waitUntil(lambda: document.battlemap.system.name == "free")
    assert (document.battlemap.terrain_set, document.battlemap.assets.keys()) == (
        MOOR,
        {MOOR.terrains[0].asset},
    )


def test_a_wrong_set_is_named_with_its_line(panel, qtbot, new_file, free):
    path = new_file("moor.terrains", b'{"format": "battlelands-terrains",\n"version": 9}')
    free.desk.files.open_path(path)
    qtbot.waitUntil(lambda: free.findChild(ProblemDialog) is not None)
    assert "moor.terrains:2:1" in free.findChild(ProblemDialog).text.toPlainText()


def test_packaged_sets_and_those_used_last_are_offered(panel, qtbot, new_file, free):
    panel.editor.buttons["Sets"].menu().aboutToShow.emit()
    texts = [action.text() for action in panel.editor.buttons["Sets"].menu().actions()]
    assert texts[-4:] == ["Landscape", "Battlefield", "Rooms", "Titan hazards"]
    panel.editor.buttons["Sets"].menu().actions()[-3].trigger()
    assert known(panel).name == "Battlefield"
    free.desk.files.open_path(new_file("moor.terrains", write_terrains(MOOR, PICTURES)))
    qtbot.waitUntil(lambda: known(panel).name == "Moor")
    panel.editor.buttons["Sets"].menu().aboutToShow.emit()
    assert panel.editor.buttons["Sets"].menu().actions()[-1].text() == "moor.terrains"


def test_thousands_of_terrains_are_searched_in_the_palette(panel, free, qtbot):
    many = tuple(Terrain(f"Terrain {number}", f"#{number:06x}") for number in range(16_000))
    panel.sets.use_set(OwnTerrains(TerrainSet("Many", many)))
    palette = free.desk.docks.panel("palette").ground.terrains
    assert len(palette.buttons) == 120
    palette.search.setText("Terrain 15999")
    (button,) = palette.buttons
    button.click()
    assert free.desk.tools.options.terrain == 15_999
    qtbot.waitUntil(lambda: panel.editor.model.rowCount() == 16_000)
