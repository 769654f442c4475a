"""A world in a flat file: what Save, the question on leaving and the dialogs of files say of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from app.render.viewport import Viewport
from tests.app.conftest import finished_picture
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.test_new_scripts import NEW_PERIOD, find
from tests.end_to_end.test_saved_periods import save_map, save_script
from tests.end_to_end.worlds import (
    choose_kind,
    click_cell,
    free_cells,
    new_world,
    script_panel,
    wait_for_world,
)

DRIVEN_DIALOGS = (NewMapDialog,)

SAVE_QUESTION = "What should Save write?"
UNSAVED = "Unsaved changes"


@pytest.fixture
def world(window, qtbot):
    """A new world of the period *Modern*, and its script panel."""
    new_world(qtbot, window, "Modern")
    return script_panel(qtbot, window)


def open_again(qtbot, window, path) -> None:
    """Close the current map and open its file."""
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: window.desk.document.path is None)
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    settle(qtbot, window)


def place_town(window) -> None:
    choose_kind(window, "town")
    click_cell(window, free_cells(window)[0])


@pytest.fixture
def covered_world(qtbot, window, hand, world, tmp_path):
    """A world of a .map, with a town that was placed, below a roll that hides it."""
    path = tmp_path / "myworld.map"
    save_map(qtbot, window, hand, path)
    open_again(qtbot, window, path)
    place_town(window)
    window.desk.commands.run("script.roll")
    settle(qtbot, window)
    return path


def test_save_names_the_hidden_layer_and_enter_makes_a_project(
    qtbot, window, hand, covered_world, tmp_path
):
    flat = covered_world.read_bytes()
    lower = window.desk.document.battlemap.layers[0]
    question = hand.expect(SAVE_QUESTION).enter()
    project = tmp_path / "myworld.battlemap"
    hand.expect("Save map as").type_path(project)
    window.desk.commands.run("file.save")
    qtbot.waitUntil(project.exists)
    qtbot.waitUntil(lambda: not window.desk.document.modified)
    count = len(lower.things)
    assert f"The layer {lower.name} is hidden: it and its {count} things are not written." in (
        question.text
    )
    assert covered_world.read_bytes() == flat


@pytest.mark.deep
def test_the_button_that_writes_the_flat_file_says_so(qtbot, window, hand, covered_world):
    lower = window.desk.document.battlemap.layers[0]
    hand.expect(SAVE_QUESTION).press("Write myworld.map")
    window.desk.commands.run("file.save")
    qtbot.waitUntil(lambda: not window.desk.document.modified)
    message = window.statusBar().currentMessage()
    assert f"(2 layers flattened, without {lower.name}: hidden)" in message


def test_a_map_that_was_exported_says_what_is_not_saved(qtbot, window, hand, world, tmp_path):
    path = tmp_path / "myworld.map"
    hand.expect("Export map as").type_path(path)
    hand.expect("What is saved").press("Save")
    window.desk.commands.run("file.export-as")
    qtbot.waitUntil(path.exists)
    settle(qtbot, window)
    question = hand.expect(UNSAVED).press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert "was exported as it is, but is not saved." in question.text
    assert "Only a project keeps layers, seeds and rolls." in question.text
    place_town(window)
    question = hand.expect(UNSAVED).press("Cancel")
    window.desk.commands.run("file.close-map")
    qtbot.waitUntil(lambda: question.has_come)
    assert "has changes that are not saved." in question.text
    assert "exported" not in question.text


def offered_name(qtbot, window, hand, command: str, title: str) -> str:
    """Return the name that a dialog for a file offers; the dialog is closed by Escape."""
    dialog = hand.expect(title).escape()
    window.desk.commands.run(command)
    qtbot.waitUntil(lambda: dialog.has_come)
    settle(qtbot, window)
    return dialog.text.splitlines()[0]


@pytest.mark.parametrize("is_new", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_dialogs_offer_the_name_in_the_title(qtbot, window, hand, tmp_path, is_new):
    if is_new:
        find(qtbot, window, "new period", NEW_PERIOD)
        wait_for_world(qtbot, window)
        settle(qtbot, window)
    else:
        new_world(qtbot, window, "Modern")
    panel = script_panel(qtbot, window)
    save_script(qtbot, hand, panel, tmp_path / "mine.per")
    assert window.windowTitle().startswith("mine")
    assert offered_name(qtbot, window, hand, "file.export-as", "Export map as") == "mine"
    assert offered_name(qtbot, window, hand, "file.save-as", "Save map as") == "mine"


@pytest.mark.deep
def test_defaults_of_what_is_saved_are_grey_where_they_are_set(
    qtbot, window, hand, world, tmp_path
):
    path = tmp_path / "myworld.map"
    enabled: list[bool] = []

    def change_and_reset(dialog) -> None:
        (button,) = (each for each in dialog.buttons.buttons() if each.text() == "&Defaults")
        details = dialog.details
        enabled.append(button.isEnabled())
        dialog.form.field("u").setCurrentIndex(3)
        enabled.append(button.isEnabled())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        enabled.append(button.isEnabled())
        assert dialog.details == details

    hand.expect("Save map as").type_path(path)
    hand.expect("What is saved").do(change_and_reset).press("Save")
    hand.expect(SAVE_QUESTION).press("Write myworld.map")
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(path.exists)
    assert enabled == [False, True, False]


@pytest.mark.deep
def test_the_chart_of_an_opened_map_says_that_its_file_keeps_no_seed(
    qtbot, window, hand, world, tmp_path
):
    path = tmp_path / "myworld.map"
    save_map(qtbot, window, hand, path)
    window.desk.docks.show("period")
    chart_page = window.desk.docks.panel("period").chart_page
    qtbot.waitUntil(lambda: chart_page.density is not None)
    assert "seed" not in chart_page.faults.text()
    open_again(qtbot, window, path)
    window.desk.docks.show("period")
    text = "A .map file keeps no seed, so the terrain stays as it is until you roll."
    qtbot.waitUntil(lambda: chart_page.faults.text() == text)
    window.desk.commands.run("script.roll")
    settle(qtbot, window)
    qtbot.waitUntil(lambda: chart_page.density is not None)
    assert "seed" not in chart_page.faults.text()


def picture_of_name(canvas, name_row: int):
    """Return the canvas's picture of one of the names that it shows."""
    names = canvas.renderer.names(canvas.document.battlemap, canvas.viewport.scale)
    middle = QPointF(canvas.viewport.to_screen(*names.points[name_row]))
    half = QPointF(*names.halves[name_row])
    return canvas.grab(QRectF(middle - half, middle + half).toAlignedRect()).toImage()


@pytest.mark.deep
def test_the_ring_of_a_picked_city_leaves_its_name_free(qtbot, window, world):
    canvas = window.desk.canvas
    document = window.desk.document
    city = next(thing for thing in document.battlemap.visible_things() if thing.kind == "city")
    scale = 22.0
    left = canvas.width() / 2 - city.x * scale
    top = canvas.height() / 2 - city.y * scale
    canvas.show_viewport(Viewport(scale, left, top))
    window.desk.tools.choose("things")
    whole_before = finished_picture(canvas, qtbot)
    names = canvas.renderer.names(document.battlemap, scale)
    row = names.texts.index(city.label)
    before = picture_of_name(canvas, row)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().center())
    assert document.picked == [document.battlemap.thing(city.id)]
    QTest.mouseMove(canvas, canvas.rect().topLeft())
    assert canvas.grab().toImage() != whole_before, "the ring is seen"
    assert picture_of_name(canvas, row) == before
