"""Gallery and Fairness stand in the middle, in place of the map, with a tab beside the map's.

All keys and clicks are events of the window.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.background.jobs import Job
from app.document.map_files import new_map
from app.features.fairness.feature import FairnessController
from app.features.files.tab_bar import MapTabs
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import cell, finished_picture
from tests.end_to_end.test_waiting_is_seen import slow_rolls
from tests.end_to_end.test_walking_desk import paint
from tests.randomizer.systems.colossus.few_battles import fight_few

__all__ = ["slow_rolls"]

NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def press(window: QWidget, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    """Press a key in a window, wherever its focus is."""
    QTest.keyClick(window.windowHandle(), key, held)


def tabs_of(window: MainWindow) -> list[str]:
    """Return the texts of the tabs above the middle, without the mark of unsaved maps."""
    tabs = window.findChild(MapTabs)
    if not tabs.isVisible():
        return []
    return [tabs.tabText(index).removeprefix("• ") for index in range(tabs.count())]


def click_tab(window: MainWindow, number: int) -> None:
    tabs = window.findChild(MapTabs)
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(number).center())


def point_of(window: MainWindow, label: str) -> QPoint:
    """Return the point of the canvas in the middle of a hex."""
    canvas = window.desk.canvas
    x, y = window.desk.document.battlemap.grid.centre(cell(label))
    return canvas.viewport.to_screen(x, y).toPoint()


@pytest.fixture(autouse=True)
def _few_battles(monkeypatch):
    fight_few(monkeypatch)
    # Menus of a former window that Python still holds may be taken for those of the next one, if
    # Qt puts them at the same addresses.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()


@pytest.fixture
def battleland(active, qtbot) -> Iterator[MainWindow]:
    """The window with a battleland; the keyboard is on the map.

    Battles and rolls that are still under way at the end would hold the window into the next test.
    """
    active.resize(1280, 860)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is active.desk.canvas)
    yield active
    qtbot.waitUntil(lambda: not Job.any_running())


@pytest.mark.parametrize(
    "key",
    [Qt.Key.Key_G, pytest.param(Qt.Key.Key_B, marks=pytest.mark.deep)],
    ids=["gallery", "fairness"],
)
def test_a_view_has_the_middle_of_the_window_and_the_map_keeps_its_size(battleland, qtbot, key):
    canvas = battleland.desk.canvas
    size = canvas.size()
    scale = canvas.viewport.scale
    height = canvas.parentWidget().height()
    press(battleland, key, CTRL_SHIFT)
    qtbot.waitUntil(lambda: not canvas.isVisible())
    view = battleland.desk.docks.views.front_view
    qtbot.waitUntil(lambda: view.isAncestorOf(QApplication.focusWidget()))
    assert view.width() == size.width()
    assert view.height() > height - 60, "all but the line of tabs"
    assert tabs_of(battleland) == [battleland.desk.document.display_name, view.windowTitle()]
    click_tab(battleland, 0)
    qtbot.waitUntil(canvas.hasFocus)
    # The tabs take one line, and what the colours of the map are takes another.
    assert canvas.viewport.scale > 0.9 * scale
    assert len(tabs_of(battleland)) == 2, "the view waits behind the map"
    press(battleland, Qt.Key.Key_Tab, CTRL)
    qtbot.waitUntil(lambda: view.isAncestorOf(QApplication.focusWidget()))
    press(battleland, Qt.Key.Key_Escape)
    assert canvas.hasFocus()
    assert tabs_of(battleland) == []
    assert canvas.size() == size


def test_the_key_of_a_view_brings_it_forward_and_closes_it_when_it_is_in_front(battleland, qtbot):
    canvas = battleland.desk.canvas
    press(battleland, Qt.Key.Key_G, CTRL_SHIFT)
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    assert tabs_of(battleland)[1:] == ["Gallery", "Fairness"]
    views = battleland.desk.docks.views
    assert views.front_view.windowTitle() == "Fairness"
    press(battleland, Qt.Key.Key_G, CTRL_SHIFT)
    assert views.front_view.windowTitle() == "Gallery"
    press(battleland, Qt.Key.Key_G, CTRL_SHIFT)
    assert canvas.isVisible()
    assert tabs_of(battleland)[1:] == ["Fairness"]
    press(battleland, Qt.Key.Key_Tab, CTRL)
    press(battleland, Qt.Key.Key_W, CTRL)
    assert tabs_of(battleland) == [], "Ctrl+W has closed the view, not the map"
    assert canvas.hasFocus()


def test_taking_a_map_of_the_gallery_shows_the_map(battleland, qtbot):
    desk = battleland.desk
    press(battleland, Qt.Key.Key_G, CTRL_SHIFT)
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: gallery.maps.view.hasFocus() and gallery.maps.model.rowCount() == 48)
    press(battleland, Qt.Key.Key_Right)
    press(battleland, Qt.Key.Key_Right)
    (chosen,) = gallery.maps.view.chosen()
    press(battleland, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.canvas.hasFocus() and not desk.rolling.busy)
    roll = desk.rolling.target().roll
    assert (roll.seed, roll.number) == chosen.key
    assert tabs_of(battleland)[1:] == ["Gallery"]


def choose_picture(window, qtbot, name: str) -> None:
    """Choose a picture of the panel Fairness by the keyboard, once there is one, for the map."""
    combo = window.desk.docks.panel("fairness").picture_choice.combo
    qtbot.waitUntil(lambda: combo.findText(name) >= 0)
    combo.setFocus()
    while combo.currentText() != name:
        QTest.keyClick(combo, Qt.Key.Key_Down)
    assert window.desk.renderer.heat is not None


@pytest.mark.deep
def test_the_map_has_the_colours_of_fairness_as_long_as_its_tab_is_there(battleland, qtbot):
    desk = battleland.desk
    plain = finished_picture(desk.canvas, qtbot)
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    choose_picture(battleland, qtbot, "Ways from Bottom")
    click_tab(battleland, 0)
    coloured = finished_picture(desk.canvas, qtbot)
    assert coloured != plain
    panel = desk.docks.panel("fairness")
    gains = panel.attacks.item(0, 1).text()
    press(battleland, Qt.Key.Key_4)
    desk.tools.choose("terrain")
    for label in ("C3", "D3", "D4"):
        QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=point_of(battleland, label))
    assert gains
    press(battleland, Qt.Key.Key_Escape)
    assert tabs_of(battleland) == []
    assert desk.renderer.heat is None


@pytest.mark.deep
def test_escape_takes_back_stroke_hand_selection_roll_and_colours_in_this_order(
    battleland, qtbot, slow_rolls
):
    desk = battleland.desk
    canvas = desk.canvas
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    choose_picture(battleland, qtbot, "Ways from Bottom")
    press(battleland, Qt.Key.Key_G, CTRL_SHIFT)
    click_tab(battleland, 0)
    qtbot.waitUntil(canvas.hasFocus)
    desk.document.select([cell("C3"), cell("C4")])
    steps = len(desk.document.history.steps)
    press(battleland, Qt.Key.Key_R, CTRL)
    assert desk.rolling.busy
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=point_of(battleland, "C3"))
    assert desk.document.in_stroke

    press(battleland, Qt.Key.Key_Escape)
    assert not desk.document.in_stroke
    assert len(desk.document.selection) == 2
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=point_of(battleland, "C3"))
    press(battleland, Qt.Key.Key_Escape)
    assert len(desk.document.selection) == 0
    assert desk.rolling.busy
    press(battleland, Qt.Key.Key_Escape)
    assert not desk.rolling.busy
    assert tabs_of(battleland)[1:] == ["Fairness", "Gallery"]
    press(battleland, Qt.Key.Key_Escape)
    assert tabs_of(battleland)[1:] == ["Gallery"]
    assert desk.renderer.heat_map is None
    press(battleland, Qt.Key.Key_Escape)
    assert tabs_of(battleland)[1:] == ["Gallery"], "it is behind the map, and stays"
    assert len(desk.document.history.steps) == steps


@pytest.mark.deep
def test_the_window_becomes_small_with_both_views_open(window, qtbot):
    window.resize(1280, 860)
    for name in ("gallery", "fairness"):
        window.desk.docks.show(name)
        qtbot.waitUntil(lambda name=name: window.desk.docks.view(name).widget() is not None)
    qtbot.waitUntil(lambda: tabs_of(window)[-2:] == ["Gallery", "Fairness"])
    window.resize(800, 500)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == (800, 500))
    assert window.minimumSizeHint().width() <= 800


def test_fairness_begins_with_one_verdict_and_folds_the_rest(battleland, qtbot):
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    panel = battleland.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.verdict_label.text().endswith((".", "...")))
    qtbot.waitUntil(lambda: "being fought" not in panel.verdict_label.text())
    assert re.search(r"favours? the (attacker|defender)\.|Fair: ", panel.verdict_label.text())
    assert panel.verdict_label.y() < panel.battles.y()
    assert not panel.attacks.isVisible()
    assert not panel.measures.isVisible()
    QTest.mouseClick(panel.ground_section.title, Qt.MouseButton.LeftButton)
    assert panel.attacks.isVisible()
    QTest.mouseClick(panel.ground_section.title, Qt.MouseButton.LeftButton)
    assert not panel.attacks.isVisible()


@pytest.mark.deep
def test_find_a_command_unfolds_the_measures(battleland, qtbot):
    battleland.desk.commands.action("fairness.measures").trigger()
    panel = battleland.desk.docks.panel("fairness")
    qtbot.waitUntil(panel.measures.isVisible)
    assert not panel.attacks.isVisible()


@pytest.mark.deep
def test_fairness_names_the_army_that_a_value_helps(battleland, qtbot):
    document = battleland.desk.document
    places = [cell(label) for label in ("A1", "A2", "B1", "B2", "C1", "D1", "D2")]
    lake = document.battlemap.terrain_set.terrain_code("Lake")
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", places, lake)
    assert document.push(edit, "Paint terrain")
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    panel = battleland.desk.docks.panel("fairness")
    gains = re.compile(r"even|(attacker|defender) \+\d+ %")
    qtbot.waitUntil(lambda: panel.attacks.rowCount() == 3)

    def last_column() -> list[str]:
        column = panel.attacks.columnCount() - 1
        return [panel.attacks.item(row, column).text() for row in range(3)]

    qtbot.waitUntil(lambda: any("+" in text for text in last_column()))
    assert all(gains.fullmatch(text) for text in last_column()), last_column()
    values = {
        panel.measures.item(row, 0).text(): panel.measures.item(row, 1).text()
        for row in range(panel.measures.rowCount())
    }
    assert gains.fullmatch(values["Advantage"]), values
    assert "The gain says whom the ground helps." in panel.attacks_help.text()

    choose_picture(battleland, qtbot, "Bottom against Top defence")
    texts = set(battleland.desk.renderer.heat_map.texts.values())
    assert any(text.startswith("D ") for text in texts), texts
    assert all(re.fullmatch(r"[AD] \d+|0|×", text) for text in texts), texts
    press(battleland, Qt.Key.Key_Escape)


@pytest.mark.deep
def test_the_pictures_of_fairness_begin_with_the_sides_of_attackers(battleland, qtbot):
    battleland.desk.docks.show("fairness")
    panel = battleland.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.picture_choice.combo.count() > 6)
    titles = [panel.picture_choice.combo.itemText(row) for row in range(4)]
    assert titles == ["Nothing", "Ways from Bottom", "Ways from Right", "Ways from Left"]


@pytest.mark.deep
def test_the_verdict_is_called_preliminary_until_all_battles_are_fought(battleland, qtbot):
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    panel = battleland.desk.docks.panel("fairness")
    verdicts: list[str] = []
    numbers_below: list[str] = []
    battles = panel.findChild(FairnessController).maps.battles
    battles.changed.connect(lambda: verdicts.append(panel.verdict_label.text()))
    battles.changed.connect(lambda: numbers_below.append(panel.fought_by.text().partition(" ")[0]))
    battleland.desk.docks.views.show_map()
    paint(battleland, "terrain", "D4")
    qtbot.waitUntil(lambda: bool(verdicts))
    qtbot.waitUntil(lambda: verdicts[-1].startswith(("Fair", "Bottom", "Left", "Right")))
    preliminary = [verdict for verdict in verdicts if verdict.startswith("Preliminary")]
    assert preliminary, verdicts
    battles = re.match(r"Preliminary, ([\d,]+) of ([\d,]+) battles a side: ", preliminary[0])
    assert battles, preliminary[0]
    fought, planned = (int(number.replace(",", "")) for number in battles.groups())
    assert fought < planned
    for verdict, number in zip(verdicts, numbers_below, strict=True):
        if verdict.startswith("Preliminary"):
            assert verdict.startswith(f"Preliminary, {number} of "), "one number, not two"
    assert panel.fought_by.text().startswith(f"{planned:,} battles a side, ")


@pytest.mark.deep
def test_a_narrow_side_is_told_with_the_hexes_to_clear(battleland, qtbot):
    document = battleland.desk.document
    document.open_map(new_map(system_named("colossus")))
    battleland.desk.tools.options.choose(
        terrain=document.battlemap.system.terrain_set.terrain_code("Bog")
    )
    for label in ("D6", "E5"):
        paint(battleland, "terrain", label)
    press(battleland, Qt.Key.Key_B, CTRL_SHIFT)
    panel = battleland.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.warnings.isVisible())
    assert panel.warnings.text() == (
        "Only 3 creatures of skill 2 can enter from Top defence in the first turn, where 5 "
        "should. Clear D6 or E5."
    )
