"""The gallery of a hex landscape as a newcomer uses it, with mouse and keyboard."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from app.features.compare.window import CompareWindow
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.end_to_end.test_keyboard_focus import press, type_text

DRIVEN_DIALOGS = (CompareWindow,)


@pytest.fixture
def gallery(qtbot, active):
    """The gallery of a small landscape that was rolled."""
    desk = active.desk
    desk.document.open_map(free_map(FLAT, 24, 16))
    desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("randomize.roll-with.script.landscape")
    desk.docks.show("gallery")
    panel = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.candidates) == 48)
    return panel


@pytest.mark.deep
def test_escape_takes_back_what_is_typed_then_leaves_then_closes(qtbot, active, gallery):
    desk = active.desk
    field = gallery.form.filter.field
    tool = desk.tools.name
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    type_text(active, "regions")
    qtbot.waitUntil(lambda: field.completion.open)
    press(active, Qt.Key.Key_Escape)
    assert not field.completion.open
    assert field.text() == "regions"
    press(active, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert QApplication.focusWidget() is field
    press(active, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "regions"
    assert QApplication.focusWidget() is field
    field.completion.close()  # QTest sends Ctrl+Z with a letter, for which words are offered
    press(active, Qt.Key.Key_Escape)
    assert "no. 0 to 47" in gallery.status.message.text()
    assert settled(gallery), "the maps that were shown are shown: nothing is searched for"
    press(active, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is gallery.maps.view
    type_text(active, "bst[1")  # nothing of it is for the map, which is not seen
    press(active, Qt.Key.Key_Delete)
    assert desk.tools.name == tool
    assert desk.docks.views.front_view is not None
    press(active, Qt.Key.Key_Escape)
    assert desk.docks.views.front_view is None
    assert QApplication.focusWidget() is desk.canvas


@pytest.mark.deep
def test_the_columns_fill_the_width(qtbot, active, gallery):
    view = gallery.maps.view
    picture_width = gallery.maps.pictures.size.width()
    for width in range(1280, 1420, 20):
        active.resize(width, 800)
        qtbot.waitUntil(lambda width=width: active.width() == width)
        QApplication.processEvents()
        rects = [view.visualRect(view.model().index(row, 0)) for row in range(48)]
        first_row = [rect for rect in rects if rect.y() == rects[0].y()]
        room = view.viewport().width() - first_row[-1].right()
        assert room < picture_width / 4
        assert len({rect.x() for rect in rects}) == len(first_row)


@pytest.mark.deep
def test_escape_keeps_the_filter_that_was_asked_for(qtbot, active, gallery):
    field = gallery.form.filter.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    type_text(active, "regions")
    field.insert("(land) >= 2")
    press(active, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: settled(gallery) and "maps shown" in gallery.status.message.text())
    type_text(active, " and")
    field.completion.close()
    press(active, Qt.Key.Key_Escape)
    assert field.text() == "regions(land) >= 2"
    assert QApplication.focusWidget() is field
    assert "maps shown" in gallery.status.message.text()


@pytest.mark.deep
def test_each_of_two_compared_maps_can_be_taken(qtbot, active, gallery):
    view = gallery.maps.view
    view.setCurrentIndex(gallery.maps.model.index(3))
    selection = view.selectionModel()
    selection.select(gallery.maps.model.index(9), selection.SelectionFlag.Select)
    gallery.maps.map_actions.compare.trigger()
    qtbot.waitUntil(lambda: bool(active.findChildren(CompareWindow)))
    (compared,) = active.findChildren(CompareWindow)
    assert compared.windowTitle() == "Compare no. 3 with no. 9"
    assert {"no. 3", "no. 9"} <= {label.text() for label in compared.findChildren(QLabel)}
    assert not compared.take_all_button.isVisible()
    QTest.mouseClick(compared.take_theirs_button, Qt.MouseButton.LeftButton)
    rolling = active.desk.rolling
    qtbot.waitUntil(lambda: not rolling.busy and rolling.target().roll.number == 9)
    assert active.desk.docks.views.front_view is None
    qtbot.waitUntil(lambda: not active.findChildren(CompareWindow))


def test_towns_and_rivers_are_asked_for_and_sorted_by(qtbot, active, gallery):
    box = gallery.form.sorting.box
    titles = [box.itemText(row) for row in range(box.count())]
    assert titles[:5] == ["Number", "Towns", "Length of rivers", "Length of roads", "Terrains"]
    assert not box.model().item(4).isEnabled(), "a heading"
    assert "Elevation 3" not in titles
    menu = gallery.form.filter.menu
    menu.aboutToShow.emit()
    examples = [action.text().split("\t")[-1] for action in menu.actions()]
    assert any(text.startswith("towns >= ") for text in examples)
    assert any(text.startswith("rivers >= ") for text in examples)
    row = titles.index("Length of rivers")
    box.setCurrentIndex(row)
    box.activated.emit(row)
    maps = gallery.maps.model

    def lengths() -> list[float]:
        return [candidate.values.get("rivers", -1.0) for candidate in maps.candidates]

    qtbot.waitUntil(lambda: min(lengths()) >= 0 and lengths() == sorted(lengths(), reverse=True))
    assert lengths()[0] > lengths()[-1]
    longest = maps.candidates[0].key
    gallery.form.filter.request_maps(f"towns >= 1 and rivers >= {lengths()[0]:.0f}")
    qtbot.waitUntil(lambda: [candidate.key for candidate in maps.candidates][:1] == [longest])
    gallery.finder.search.stop()


@pytest.mark.deep
def test_the_maps_before_are_dim_while_a_filter_is_looked_for_and_the_tried_ones_counted(
    qtbot, active, gallery
):
    field = gallery.form.filter.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    type_text(active, "count")
    field.insert("(Mountains) >= 900")
    field.completion.close()
    assert not gallery.maps.view.is_dimmed
    press(active, Qt.Key.Key_Return)
    assert gallery.maps.view.is_dimmed
    pattern = re.compile(r"Looking for maps \.\.\. 0 found in [1-9]\d* maps?")
    qtbot.waitUntil(lambda: bool(pattern.fullmatch(gallery.status.message.text())))
    assert gallery.maps.view.is_dimmed
    QTest.mouseClick(gallery.status.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: settled(gallery))
    assert not gallery.maps.view.is_dimmed, "no map is shown, and the text says why"
    assert gallery.maps.model.candidates == []


@pytest.mark.deep
def test_a_river_on_hexsides_is_told_from_one_through_hexes(active, gallery):
    box = gallery.form.sorting.box
    titles = [box.itemText(row) for row in range(box.count())]
    assert "River on sides" in titles
    assert "River" not in titles
    palette = active.desk.docks.panel("palette").ground
    names = [button.text().replace("\n", " ") for button in palette.findChildren(QToolButton)]
    assert names.count("River") == 1
    assert names.count("River on sides") == 1


@pytest.mark.deep
def test_the_first_example_is_a_terrain_on_a_cell_and_some_maps_have_it(qtbot, gallery):
    line = gallery.form.filter
    line.menu.aboutToShow.emit()
    first = line.menu.actions()[0]
    words, _tab, text = first.text().partition("\t")
    terrain, _on, cell_name = words.partition(" on ")
    assert text.replace('"', "") == f"{cell_name} = {terrain}"
    first.trigger()
    assert line.text() == text
    qtbot.waitUntil(lambda: gallery.maps.model.rowCount() > 0)
