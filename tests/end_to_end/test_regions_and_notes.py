"""A map for players: regions painted, secret notes written and found, the key, both pictures."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolBar

from app.cli.picture import main as picture
from app.features.go_to.dialog import GoToDialog
from app.features.pictures.picture_dialog import PictureDialog
from app.render.scene.region_names import region_names
from app.render.scene.things.names import NO_NAMES
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import NO_REGION, cells_by_region, regions_of
from randomizer.model.things.things import Thing
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map
from tests.app.conftest import finished_picture

DRIVEN_DIALOGS = (GoToDialog, PictureDialog)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(window):
    window.desk.document.show_map(free_map(FLAT, 9, 7), None)
    return window.desk


def click(desk, cell: int):
    """Click on a cell of the canvas; where that was."""
    grid = desk.document.battlemap.grid
    at = desk.canvas.viewport.to_screen(*grid.centre(cell)).toPoint()
    QTest.mouseClick(desk.canvas, LEFT, pos=at)
    return at


def write(field, text: str) -> None:
    """Write into a field of a form, and leave it."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Tab)


def place_note(desk, cell: int, title: str, text: str, *, secret: bool) -> Thing:
    """Place a note by the mouse and write it in the form."""
    desk.tools.choose("things")
    page = desk.docks.panel("palette").things
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    page.kinds.itemClicked.emit(next(row for row in rows if row.text().startswith("Note")))
    click(desk, cell)
    thing = max(desk.document.battlemap.visible_things(), key=lambda each: each.id)
    desk.document.pick([thing.id])
    page.form.show_things()
    write(page.form.form.field("label"), title)
    write(page.form.form.field("state.text"), text)
    if secret:
        page.form.form.field("state.secret").click()
    return desk.document.battlemap.thing(thing.id)


def is_pin(desk, qtbot, thing: Thing) -> bool:
    """Whether at a thing the gold and the black of a numbered pin are seen."""
    desk.canvas.zoom(40 / desk.canvas.viewport.scale)
    desk.canvas.centre_on(thing.x, thing.y)
    picture = finished_picture(desk.canvas, qtbot)
    at = desk.canvas.viewport.to_screen(thing.x, thing.y).toPoint()
    near = [picture.pixelColor(at.x() + x, at.y() + y) for x in range(-8, 9) for y in range(-14, 9)]
    gold = sum(each.red() > 200 and each.blue() < 100 for each in near)
    return gold > 60 and any(each.lightness() < 30 for each in near)


def test_a_region_is_added_painted_named_and_undone(desk, qtbot):
    document = desk.document
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    panel.buttons["Add"].click()
    assert desk.tools.uses("region")
    for cell in (30, 31, 32):
        click(desk, cell)
    write(panel.form.field("name"), "Rohan")
    write(panel.form.field("colour"), "#ff0000")
    battlemap = document.battlemap
    assert regions_of(battlemap.records)[0] == ("Rohan", "#ff0000")
    assert cells_by_region(battlemap, document.composite).tolist() == [3]
    qtbot.waitUntil(lambda: panel.model.index(1, 1).data() == "3")
    assert panel.model.index(1, 0).data() == "Rohan"

    west = min(battlemap.grid.outline(30))  # the corner: the border runs within the cell
    x, y = (
        0.08 * middle + 0.92 * end
        for middle, end in zip(battlemap.grid.centre(30), west, strict=True)
    )
    at = desk.canvas.viewport.to_screen(x, y).toPoint()
    shown = finished_picture(desk.canvas, qtbot).pixelColor(at)
    assert (shown.red() > 200, shown.green() < 60, shown.blue() < 60) == (True, True, True)

    document.select(battlemap.grid.cells[:5])
    panel.buttons["Give selection"].click()
    assert cells_by_region(battlemap, document.composite).tolist() == [8]
    desk.commands.run("select.nothing")  # it would keep the brush within it
    panel.choose(NO_REGION)
    click(desk, 31)
    assert cells_by_region(battlemap, document.composite).tolist() == [7]
    panel.choose(0)
    write(panel.form.field("colour"), "red")
    assert regions_of(battlemap.records)[0].colour == "#ff0000"
    assert panel.form.field("colour").text() == "#ff0000"
    panel.buttons["Remove"].click()
    assert not any(regions_of(battlemap.records))
    while document.history.index:
        document.undo()
    assert not battlemap.records
    assert (battlemap.values("region") == 0xFFFF).all()


def pixels_of_names(desk, qtbot) -> list[np.ndarray]:
    """Return the pixels of the canvas within the names of things, an array for each name."""
    canvas = desk.canvas
    picture = finished_picture(canvas, qtbot)
    names = desk.renderer.names(desk.document.battlemap, canvas.viewport.scale)
    boxes = []
    for point, half in zip(names.points.tolist(), names.halves.astype(int).tolist(), strict=True):
        middle = canvas.viewport.to_screen(*point).toPoint()
        box = QRect(middle.x() - half[0], middle.y() - half[1], 2 * half[0], 2 * half[1])
        image = picture.copy(box).convertToFormat(QImage.Format.Format_RGB32)
        boxes.append(np.array(image.constBits()).copy())
    return boxes


@pytest.mark.deep
def test_the_name_of_a_region_is_not_printed_over_a_town(desk, qtbot):
    document = desk.document
    grid = document.battlemap.grid
    layer = document.active_layer.id
    towns = []
    for number, cell in enumerate(grid.cells[::3].tolist(), 1):
        towns.append(Thing(number, "town", *grid.centre(cell), label="Dustwell"))
    document.push(ThingsEdit(layer, (), tuple(towns)), "Place towns")
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    document.select(grid.cells)
    panel.buttons["Add"].click()
    desk.commands.run("select.nothing")
    write(panel.form.field("name"), "i")
    pixels_under_short_name = pixels_of_names(desk, qtbot)
    assert len(pixels_under_short_name) > 5
    write(panel.form.field("name"), "The wide land of Dunland")
    pixels_under_long_name = pixels_of_names(desk, qtbot)
    for before, after in zip(pixels_under_short_name, pixels_under_long_name, strict=True):
        assert before.size
        assert (before == after).all()


@pytest.mark.deep
def test_a_drag_on_the_name_of_a_region_says_that_it_cannot_be_moved(desk, qtbot):
    document = desk.document
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    document.select(document.battlemap.grid.cells)
    panel.buttons["Add"].click()
    desk.commands.run("select.nothing")
    write(panel.form.field("name"), "Dunland")
    desk.tools.choose("things")
    finished_picture(desk.canvas, qtbot)
    regions = region_names(document.battlemap, document.composite)
    (name,) = regions.placed(desk.canvas.viewport.scale, NO_NAMES)
    at = desk.canvas.viewport.to_screen(*name.point.tolist()).toPoint()
    for start, is_told in ((at, True), (at + QPoint(0, 120), False)):
        desk.frame.statusBar().clearMessage()
        QTest.mousePress(desk.canvas, LEFT, pos=start)
        QTest.mouseMove(desk.canvas, start + QPoint(60, 30))
        QTest.mouseRelease(desk.canvas, LEFT, pos=start + QPoint(60, 30))
        told = desk.frame.statusBar().currentMessage()
        assert ("The name of the region Dunland is placed by the program" in told) == is_told


def test_the_first_stroke_of_the_brush_makes_the_first_region(desk, qtbot):
    document = desk.document
    battlemap = document.battlemap
    desk.tools.choose("region")
    click(desk, 30)
    click(desk, 31)
    assert [region.name for region in regions_of(battlemap.records)] == ["Region 1"]
    assert cells_by_region(battlemap, document.composite).tolist() == [2]
    document.undo()
    document.undo()
    assert not battlemap.records
    click(desk, 32)
    assert cells_by_region(battlemap, document.composite).tolist() == [1]
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    assert panel.code == 0
    assert panel.form.field("name").text() == "Region 1"


@pytest.mark.deep
def test_the_brush_says_that_it_has_no_region(desk):
    document = desk.document
    desk.docks.open("regions")
    panel = desk.docks.panel("regions")
    panel.buttons["Add"].click()
    panel.choose(NO_REGION)
    click(desk, 30)
    assert "No region is chosen" in desk.frame.statusBar().currentMessage()
    desk.frame.statusBar().clearMessage()
    document.select(document.battlemap.grid.cells[:5])
    panel.buttons["Give selection"].click()
    assert "No region is chosen" in desk.frame.statusBar().currentMessage()


def test_a_panel_behind_another_tab_comes_to_the_front_by_its_row_of_the_menu(desk, qtbot):
    docks = desk.docks
    for name in ("regions", "history", "layers"):
        docks.show(name)
    assert not docks.is_in_front("regions")
    desk.commands.run("panel.regions")
    assert docks.is_in_front("regions")
    qtbot.waitUntil(lambda: docks["regions"].isAncestorOf(QApplication.focusWidget()))
    desk.commands.run("panel.regions")
    assert docks["regions"].isHidden()
    assert QApplication.focusWidget() is desk.canvas


def test_every_panel_comes_to_the_front_with_the_keyboard(desk, qtbot):
    docks = desk.docks
    names = [
        name.removeprefix("panel.")
        for name in desk.commands.ids_at("panel.*")
        if name in desk.commands.offered()
    ]
    for name in names:
        docks.show(name)
    docks.views.show_map()
    desk.canvas.setFocus()
    menu = desk.frame.createPopupMenu()
    rows = {action.text(): action for action in menu.actions() if action.isVisible()}
    for name in names:
        if docks.is_in_front(name):
            continue
        view = docks.views.find_view(name)
        holder = docks[name] if view is None else view
        rows[holder.windowTitle()].trigger()
        assert docks.is_in_front(name)
        qtbot.waitUntil(lambda holder=holder: holder.isAncestorOf(QApplication.focusWidget()))


def text_of_placed_note(desk, qtbot):
    """The field of the text of a note that was just placed; it has the keyboard."""
    desk.frame.activateWindow()
    desk.tools.choose("things")
    desk.docks.show("palette")
    page = desk.docks.panel("palette").things
    rows = [page.kinds.item(row) for row in range(page.kinds.count())]
    page.kinds.itemClicked.emit(next(row for row in rows if row.text().startswith("Note")))
    click(desk, 10)
    qtbot.waitUntil(lambda: page.form.up_to_date)
    text = page.form.form.field("state.text")
    qtbot.waitUntil(lambda: QApplication.focusWidget() is text)
    return text


@pytest.mark.deep
def test_what_was_typed_into_a_note_stays_when_another_tool_is_clicked(desk, qtbot):
    text = text_of_placed_note(desk, qtbot)
    QTest.keyClicks(text, "Gold")
    bar = desk.frame.findChild(QToolBar, "tools")
    QTest.mouseClick(bar.button(desk.commands.action("tool.terrain")), LEFT)
    assert desk.canvas.tool.name == "terrain"
    (note,) = desk.document.battlemap.visible_things()
    assert note.state["text"] == "Gold"
    page = desk.docks.panel("palette").things
    desk.tools.choose("things")
    qtbot.waitUntil(lambda: page.form.up_to_date)
    assert page.form.form.field("state.text").toPlainText() == "", "it is not that of the next note"


def test_what_is_being_typed_into_a_note_is_saved(desk, qtbot, tmp_path):
    path = tmp_path / "campaign.battlemap"
    desk.document.set_path(path)
    text = text_of_placed_note(desk, qtbot)
    QTest.keyClicks(text, "Gold")
    bar = desk.frame.findChild(QToolBar, "main")
    QTest.mouseClick(bar.widgetForAction(desk.commands.action("file.save")), LEFT)
    qtbot.waitUntil(path.exists)
    (note,) = read_project(path.read_bytes()).battlemap.visible_things()
    assert note.state["text"] == "Gold"
    qtbot.waitUntil(lambda: not desk.document.modified)


@pytest.mark.deep
def test_undo_right_after_a_note_was_placed_takes_it_away(desk, qtbot):
    text = text_of_placed_note(desk, qtbot)
    QTest.keyClick(text, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert list(desk.document.battlemap.visible_things()) == []


@pytest.mark.deep
def test_what_is_typed_after_a_note_was_placed_is_its_text(desk, qtbot):
    text = text_of_placed_note(desk, qtbot)
    QTest.keyClicks(text, "Gold")
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert desk.canvas.hasFocus(), "Escape goes back to the map"
    (note,) = desk.document.battlemap.visible_things()
    assert note.state["text"] == "Gold"
    assert note.label == ""


def test_notes_are_placed_found_and_printed_and_secrets_are_not(desk, qtbot, hand, tmp_path):
    document = desk.document
    mill = place_note(desk, 10, "Mill", "An old one", secret=False)
    hoard = place_note(desk, 40, "Hoard", "Gold below the stones", secret=True)
    assert hoard.state["secret"] is True
    assert hoard.state["text"] == "Gold below the stones"
    document.pick([])

    desk.commands.run("edit.go-to")
    dialog = desk.frame.findChild(GoToDialog)
    QTest.keyClicks(dialog.line, "below the")  # words of its text
    assert [dialog.list.topLevelItem(0).text(each) for each in (0, 1)] == [
        "2. Hoard",
        "Note, 0505",
    ]
    QTest.keyClick(dialog.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: [each.id for each in document.picked] == [hoard.id])
    assert desk.canvas.overlays.flash == (40, None)
    desk.commands.run("edit.go-to")
    dialog = desk.frame.findChildren(GoToDialog)[-1]
    QTest.keyClicks(dialog.line, "3, 2")  # column and row
    assert dialog.list.topLevelItem(0).text(0) == "0302"
    dialog.reject()

    file = tmp_path / "map.battlemap"
    file.write_bytes(write_project(document.battlemap))
    texts = {}
    pages = {}
    for name, players in (("all", "--no-players"), ("players", "--players")):
        assert picture([str(file), str(tmp_path / f"{name}.svg"), players]) == 0
        pdf = str(tmp_path / f"{name}.pdf")
        assert picture([str(file), pdf, players, "--paper", "A4", "--hex-mm", "3"]) == 0
        texts[name] = (tmp_path / f"{name}.svg").read_text("utf-8")
        pages[name] = len(re.findall(rb"/Type /Page\b", (tmp_path / f"{name}.pdf").read_bytes()))
    assert "Mill" in texts["all"]
    assert "Hoard" in texts["all"]
    assert "Mill" in texts["players"]
    assert "Hoard" not in texts["players"]
    assert pages == {"all": 2, "players": 2}  # the map, and the key of what there is to be told

    desk.commands.run("file.export-picture")
    dialog = desk.frame.findChild(PictureDialog)
    dialog.form.show_values({**dialog.values(), "kind": ".pdf", "key": False, "way": "fit"})
    with qtbot.waitSignal(dialog.reported):
        dialog.export_to(tmp_path / "bare.pdf")
    assert len(re.findall(rb"/Type /Page\b", (tmp_path / "bare.pdf").read_bytes())) == 1

    assert is_pin(desk, qtbot, mill)
    assert is_pin(desk, qtbot, hoard)
    desk.commands.run("view.players'-map")
    assert is_pin(desk, qtbot, mill)
    assert not is_pin(desk, qtbot, hoard)
    hand.expect("Export map as").type_path(tmp_path / "key.md")
    desk.commands.run("file.export-as")
    qtbot.waitUntil((tmp_path / "key.md").exists)
    assert (tmp_path / "key.md").read_text("utf-8") == "# Key\n\n## 1. Mill (0202)\n\nAn old one\n"
    assert document.battlemap.thing(hoard.id) == hoard  # the map keeps what is secret


@pytest.mark.deep
def test_an_export_for_players_says_how_many_notes_they_see(desk, qtbot):
    place_note(desk, 20, "Mill", "The miller pays.", secret=False)
    place_note(desk, 40, "Hoard", "Under the oak.", secret=True)
    desk.commands.run("file.export-for-a-virtual-table")
    dialog = desk.frame.findChildren(PictureDialog)[-1]
    told = "players see 1 note: tick Secret at a note to hide it"
    players = dialog.form.field("players")
    assert players.isChecked()
    qtbot.waitUntil(lambda: told in dialog.status.text)
    players.click()
    qtbot.waitUntil(lambda: told not in dialog.status.text)
    players.click()
    qtbot.waitUntil(lambda: told in dialog.status.text)
    dialog.close()


def test_a_secret_layer_is_gone_while_the_players_map_is_shown(desk, qtbot):
    document = desk.document
    desk.commands.run("layer.new-layer")
    desk.tools.options.choose(terrain=document.battlemap.terrain_set.terrain_code("Volcano"))
    desk.tools.choose("terrain")
    before = finished_picture(desk.canvas, qtbot)
    at = click(desk, 30)
    desk.commands.run("layer.secret-layer")
    assert document.active_layer.secret
    desk.commands.run("tool.pan")
    desk.commands.run("view.players'-map")
    assert finished_picture(desk.canvas, qtbot).pixelColor(at) == before.pixelColor(at)
    document.undo()  # not secret any more
    assert finished_picture(desk.canvas, qtbot).pixelColor(at) != before.pixelColor(at)
