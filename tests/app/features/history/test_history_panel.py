"""The history: all steps, the present one marked, and a way to each of them."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from app.features.history.panel import HistoryPanel, icon_name_of
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM


@pytest.fixture
def panel(qtbot, document):
    panel = HistoryPanel(document)
    qtbot.addWidget(panel)
    panel.resize(240, 300)
    panel.show()
    return panel


def paint(document, count):
    for number in range(count):
        edit = set_values(document.battlemap, 1, "elevation", [15], number + 1)
        assert document.push(edit, f"Paint {number + 1}")


def said(panel, role=Qt.ItemDataRole.DisplayRole):
    return [panel.steps.index(row).data(role) for row in range(panel.steps.rowCount())]


def greyed(panel):
    grey = panel.palette().brush(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    return [brush == grey for brush in said(panel, Qt.ItemDataRole.ForegroundRole)]


def test_steps_are_listed_and_those_undone_are_greyed(panel, document):
    paint(document, 2)
    document.undo()
    assert said(panel) == ["Start", "Paint 1", "Paint 2"]
    assert greyed(panel) == [False, False, True]
    assert panel.list.currentIndex().row() == 1
    assert said(panel, Qt.ItemDataRole.AccessibleTextRole)[1:] == [
        "Paint 1, present step",
        "Paint 2, undone",
    ]
    edit = set_values(document.battlemap, 1, "terrain", [15], 2)
    document.push(edit, "Other")  # what was undone is gone
    assert said(panel) == ["Start", "Paint 1", "Other"]


def test_a_click_goes_to_any_step(panel, document, qtbot):
    paint(document, 50)
    first = panel.steps.index(0)
    panel.list.scrollTo(first)
    at = panel.list.visualRect(first).center()
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: document.history.index == 0)
    assert document.composite.planes["elevation"].flat[15] == 0
    assert panel.list.currentIndex().row() == 0
    panel.list.setCurrentIndex(panel.steps.index(30))
    assert document.history.index == 0  # arrows only look
    panel.list.activated.emit(panel.steps.index(30))  # Enter goes there
    qtbot.waitUntil(lambda: document.history.index == 30)
    assert document.composite.planes["elevation"].flat[15] == 30


def test_work_in_between_ends_the_way(panel, document, qtbot):
    paint(document, 5)
    panel.go_to(0)
    document.push(set_values(document.battlemap, 1, "terrain", [15], 2), "Paint on")
    qtbot.wait(30)
    assert document.history.index == 6


def test_the_saved_step_is_marked(panel, document):
    paint(document, 2)
    document.set_path(Path("Moor.xml"))
    paint(document, 3)
    assert [text for text in said(panel) if "(saved)" in text] == ["Paint 2  (saved)"]


def test_every_open_map_has_its_own_history(panel, document):
    paint(document, 2)
    first = document.current_map
    document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    assert said(panel) == ["Start"]
    paint(document, 1)
    document.make_current(first)
    assert said(panel) == ["Start", "Paint 1", "Paint 2"]


def test_steps_have_icons_by_what_they_do():
    assert icon_name_of("Roll Swamp") == "roll"
    assert icon_name_of("Take over D4") == "compare"
    assert icon_name_of("Something else") == "brush"


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("history",)


def test_what_was_undone_is_said_until_the_map_is_changed(window):
    document = window.desk.document
    paint(document, 2)
    window.desk.commands.run("edit.undo")
    assert window.statusBar().currentMessage() == "Undid: Paint 2"
    edit = set_values(document.battlemap, 1, "elevation", [15], 3)
    assert document.push(edit, "Paint again")
    assert window.statusBar().currentMessage() == ""
