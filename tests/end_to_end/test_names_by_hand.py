"""What is named by hand gets the name that is typed, and stays in hand and readable."""

from __future__ import annotations

from math import hypot

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.new_map.dialog import NewMapDialog
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import regions_of
from randomizer.systems.free.system import free_map
from tests.app.conftest import new_map_dialog, right_click
from tests.end_to_end.worlds import choose_kind

DRIVEN_DIALOGS = (NewMapDialog,)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(active):
    active.desk.document.show_map(free_map(FLAT, 9, 7), None)
    return active.desk


def click(desk, cell: int) -> None:
    grid = desk.document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=at)


def type_text(desk, text: str) -> None:
    """Type into whatever has the focus in the window."""
    for letter in text:
        QTest.keyClick(desk.frame.windowHandle(), letter)


def press(desk, key: Qt.Key) -> None:
    QTest.keyClick(desk.frame.windowHandle(), key)


def menu_of(desk, cell: int):
    """The menu of a right click on a cell."""
    grid = desk.document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    return right_click(desk.canvas, at)


def name_here(desk, cell: int, title: str) -> None:
    """Place a thing with a title on a cell by its menu."""
    menu = menu_of(desk, cell)
    (naming,) = (action for action in menu.actions() if action.text() == "&Name or note here")
    (entry,) = (action for action in naming.menu().actions() if action.text() == title)
    menu.close()
    entry.trigger()


def placed(desk) -> list[tuple[str, str]]:
    """Kind and label of each thing on the map."""
    things = (thing for layer in desk.document.battlemap.layers for thing in layer.things.values())
    return [(thing.kind, thing.label) for thing in things]


def shown_terrain(desk, cell: int) -> str:
    document = desk.document
    code = int(document.composite.planes["terrain"].flat[cell])
    return document.battlemap.terrain_set.terrains[code].name


@pytest.mark.parametrize("back", [pytest.param(False, marks=pytest.mark.deep), True])
def test_a_terrain_in_hand_stays_in_hand_when_it_is_renamed(desk, back):
    terrain_set = desk.document.battlemap.terrain_set
    swamp = terrain_set.terrain_code("Swamp")
    desk.tools.options.choose(terrain=swamp, weights=((swamp, 2), (0, 1)))
    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    panel.editor.choose(swamp)
    field = panel.editor.form.field("name")
    field.setFocus()
    field.selectAll()
    type_text(desk, "Fen")
    press(desk, Qt.Key.Key_Return)
    assert desk.document.battlemap.terrain_set.terrains[swamp].name == "Fen"
    if back:
        desk.document.undo()
    assert desk.tools.options.terrain == swamp
    assert desk.tools.options.weights == ((swamp, 2), (0, 1))
    desk.tools.choose("terrain")
    click(desk, 31)
    assert shown_terrain(desk, 31) == ("Swamp" if back else "Fen")


@pytest.mark.deep
def test_hexsides_and_ways_in_hand_stay_in_hand_when_they_are_renamed_or_others_go(desk):
    terrain_set = desk.document.battlemap.terrain_set
    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    desk.tools.options.choose(hexside=2, route=1)
    for tab, names in ((1, terrain_set.hexsides), (2, terrain_set.ways)):
        panel.tabs.setCurrentIndex(tab)
        panel.editor.choose(1)
        assert panel.editor.form.field("name").text() == names[1].name
        field = panel.editor.form.field("name")
        field.setFocus()
        field.selectAll()
        type_text(desk, "Mine")
        press(desk, Qt.Key.Key_Return)
        assert (desk.tools.options.hexside, desk.tools.options.route) == (2, 1)
    panel.editor.choose(0)
    panel.editor.buttons["Remove"].click()  # of the ways the first
    terrain_set = desk.document.battlemap.terrain_set
    routes = desk.document.battlemap.system.routes_of(terrain_set)
    assert routes[desk.tools.options.route].name == "Mine"


def test_a_new_region_is_called_as_what_is_typed(desk, qtbot):
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    QTest.mouseClick(panel.buttons["Add"], LEFT)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is panel.form.field("name"))
    QApplication.processEvents()
    type_text(desk, "Foo")
    press(desk, Qt.Key.Key_Return)
    regions = regions_of(desk.document.battlemap.records)
    assert [region.name for region in regions if region] == ["Foo"]


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("Label", marks=pytest.mark.deep),
        pytest.param("Note", marks=pytest.mark.deep),
        "City",
    ],
)
def test_what_is_typed_after_placing_names_what_was_placed(desk, qtbot, kind):
    desk.tools.choose("things")
    page = desk.docks.panel("palette").things
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    page.kinds.itemClicked.emit(next(row for row in rows if row.text().startswith(kind)))
    for cell, name in ((20, "Foo"), (40, "Bar")):
        click(desk, cell)
        qtbot.waitUntil(lambda: page.form.up_to_date)
        QApplication.processEvents()  # the form of another kind is laid out
        field = page.form.form.field("label")
        QTest.mouseClick(field, LEFT)
        type_text(desk, name)
        press(desk, Qt.Key.Key_Return)
    things = sorted(desk.document.battlemap.visible_things(), key=lambda thing: thing.id)
    assert [thing.label for thing in things] == ["Foo", "Bar"]


@pytest.mark.parametrize(
    ("row", "kind"), [("Town", "town"), pytest.param("Note", "note", marks=pytest.mark.deep)]
)
def test_a_right_click_names_a_place(desk, qtbot, row, kind):
    name_here(desk, 31, row)
    assert placed(desk) == [(kind, "")]
    (thing,) = desk.document.picked
    grid = desk.document.battlemap.grid
    assert (thing.x, thing.y) == pytest.approx(grid.centre(31))
    form = desk.docks.panel("palette").things.form
    qtbot.waitUntil(lambda: form.up_to_date)
    form.form.edit("label")
    desk.frame.activateWindow()  # the menu was a window of its own
    qtbot.waitUntil(form.form.field("label").hasFocus)
    QTest.keyClicks(form.form.field("label"), "Hexham")
    desk.canvas.setFocus()
    click(desk, 4)
    assert placed(desk) == [(kind, "Hexham")], "the click beside it ends the typing, and no more"


def test_a_double_click_on_the_ground_places_one_town_to_be_named(desk, qtbot):
    choose_kind(desk.frame, "Town")
    grid = desk.document.battlemap.grid
    x, y = grid.centre(31)
    beside_the_town = desk.canvas.viewport.to_screen(x + 0.4, y + 0.3).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=beside_the_town)
    QTest.mouseDClick(desk.canvas, LEFT, pos=beside_the_town)
    assert placed(desk) == [("town", "")]
    type_text(desk, "Ayr")
    press(desk, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: placed(desk) == [("town", "Ayr")])


def test_a_note_stands_beside_the_town_of_its_hex_and_both_can_be_clicked(desk):
    document = desk.document
    grid = document.battlemap.grid
    for title in ("Town", "Note"):
        name_here(desk, 31, title)
    town, note = sorted(document.battlemap.visible_things(), key=lambda thing: thing.id)
    assert (town.x, town.y) == pytest.approx(grid.centre(31))
    assert grid.cell_at(note.x, note.y) == 31
    assert hypot(note.x - town.x, note.y - town.y) > 0.5
    for thing in (town, note):
        point = desk.canvas.viewport.to_screen(thing.x, thing.y).toPoint()
        QTest.mouseClick(desk.canvas, LEFT, pos=point)
        assert [picked.id for picked in document.picked] == [thing.id]


@pytest.mark.deep
def test_a_thing_that_is_dragged_to_a_hex_stands_beside_what_is_there(desk):
    document = desk.document
    for cell, title in ((31, "Town"), (40, "Note")):
        name_here(desk, cell, title)
    town, note = sorted(document.battlemap.visible_things(), key=lambda thing: thing.id)
    grid = document.battlemap.grid
    start, end = (desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint() for cell in (40, 31))
    QTest.mousePress(desk.canvas, LEFT, pos=start)
    QTest.mouseMove(desk.canvas, (start + end) / 2)
    QTest.mouseMove(desk.canvas, end)
    QTest.mouseRelease(desk.canvas, LEFT, pos=end)
    note = document.battlemap.thing(note.id)
    assert grid.cell_at(note.x, note.y) == 31
    assert hypot(note.x - town.x, note.y - town.y) > 0.5


def test_a_name_that_was_typed_is_taken_back_by_the_key_of_undo(desk, qtbot):
    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    old_name = panel.editor.form.field("name").text()
    field = panel.editor.form.field("name")
    field.setFocus()
    field.selectAll()
    type_text(desk, "Fen")
    press(desk, Qt.Key.Key_Return)
    assert desk.document.history.index == 1
    QTest.keySequence(desk.frame.windowHandle(), QKeySequence.StandardKey.Undo)
    names = [terrain.name for terrain in desk.document.battlemap.terrain_set.terrains]
    assert old_name in names
    assert "Fen" not in names
    qtbot.waitUntil(lambda: panel.editor.is_up_to_date)
    assert panel.editor.form.field("name").text() == old_name


def test_a_letter_that_was_typed_is_taken_back_alone(desk):
    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    field = panel.editor.form.field("name")
    field.setFocus()
    field.selectAll()
    type_text(desk, "Fen")
    QTest.keySequence(desk.frame.windowHandle(), QKeySequence.StandardKey.Undo)
    assert field.text() != "Fen"
    assert desk.document.history.index == 0


@pytest.mark.parametrize("is_named", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_a_roll_says_on_which_ground_a_named_town_stands_now(active, qtbot, is_named):
    desk = active.desk
    new_map_dialog(active, "Landscape or free map", "Landscape").make_button.click()
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "free")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    battlemap = desk.document.battlemap
    cell = battlemap.grid.cell(30, 20)
    name_here(desk, cell, "Town")
    if is_named:
        type_text(desk, "Foxford")
        press(desk, Qt.Key.Key_Return)
    terrain = shown_terrain(desk, cell)
    seed = 0
    while shown_terrain(desk, cell) == terrain:
        seed += 1
        desk.rolling.key_choice.choose_seed = lambda seed=seed: seed
        with qtbot.waitSignal(desk.rolling.rolled) as rolled:
            desk.commands.run("script.roll")
    text = f"Foxford now stands on {shown_terrain(desk, cell)}"
    assert (text in rolled.args[0]) == is_named
    assert (text in active.statusBar().currentMessage()) == is_named
