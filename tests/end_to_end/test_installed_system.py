"""A system of another package, worked with through the real window like any other."""

from __future__ import annotations

import importlib.metadata

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.document.map_files import read_map
from app.features.new_map.dialog import NewMapDialog
from app.widgets.problem_dialog import ProblemDialog
from randomizer import installed
from randomizer.model.planes import PlaneSpec
from randomizer.model.rolled_layers import TOUCH_UPS
from tests.test_system.installing import on_path, register
from tests.test_system.system import HEIGHT, TERRAIN

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(testsys, window):
    """The desk, started when the package was installed already."""
    return window


def new_map(qtbot, window) -> None:
    """A new map of the kind, as a user makes one."""
    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    (row,) = dialog.kinds.findItems("Test land", Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "testsys")


def at(window, cell: int) -> QPoint:
    x, y = window.desk.document.battlemap.grid.centre(cell)
    return window.desk.canvas.viewport.to_screen(x, y).toPoint()


def paint(window, terrain: str, cell: int) -> None:
    window.desk.tools.choose("terrain")
    code = window.desk.document.battlemap.system.terrain_set.terrain_code(terrain)
    window.desk.tools.options.set_terrain(code)
    QTest.mouseClick(window.desk.canvas, LEFT, pos=at(window, cell))


def press(qtbot, window, action) -> None:
    """Trigger a roll and wait until its undo step is there."""
    count = window.desk.document.undo_stack.index()
    action.trigger()
    qtbot.waitUntil(lambda: window.desk.document.undo_stack.index() != count)
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def roll_moor(qtbot, window) -> None:
    window.desk.commands.fill("randomize.randomize-as.script.*")
    press(qtbot, window, window.desk.commands.action("randomize.randomize-as.script.moor"))


def shown(window, plane: PlaneSpec) -> np.ndarray:
    return window.desk.document.composite.planes[plane.name]


def test_painted_levelled_rolled_touched_up_undone_saved_and_opened_again(qtbot, window, tmp_path):
    new_map(qtbot, window)
    document, desk = window.desk.document, window.desk
    empty = document.composite.copy()

    paint(window, "Scree", 30)
    assert shown(window, TERRAIN).flat[30] == 2

    qtbot.waitUntil(lambda: desk.docks.made("testsys") is not None)
    panel = desk.docks.panel("testsys")
    assert desk.docks["testsys"].isVisible()
    panel.form.field("level").setValue(7)
    panel.level_button.click()
    assert (shown(window, HEIGHT) == 7).all()
    assert "7" in panel.words.text()

    roll_moor(qtbot, window)
    rolled = document.active_layer
    assert rolled.roll is not None
    assert rolled.roll.script_name == "moor.tll"
    first = document.composite.copy()
    paint(window, "Scree", 41)
    randomize = desk.docks.panel("randomize")
    press(qtbot, window, randomize.reroll_action)
    assert not document.composite.same_as(first)
    assert shown(window, TERRAIN).flat[41] == 2
    assert [layer.name for layer in document.battlemap.layers][-1] == TOUCH_UPS

    path = tmp_path / "Land.battlemap"
    document.front.path = path
    assert desk.files.saving.save()
    again = read_map(path).battlemap
    assert again is not None
    assert again.system is document.battlemap.system
    assert again.composite().same_as(document.composite)

    document.undo_stack.setIndex(0)
    assert document.composite.same_as(empty)
    assert len(document.battlemap.layers) == 1
    document.undo_stack.setIndex(document.undo_stack.count())
    assert again.composite().same_as(document.composite)


def test_the_script_panel_hides_what_the_language_does_not_offer(qtbot, window):
    new_map(qtbot, window)
    panel = window.desk.docks.panel("randomize")
    at_cursor = panel.script_actions
    actions = (at_cursor.complete, at_cursor.definition, at_cursor.rename, panel.insert_action)
    assert all(action.isVisible() for action in actions)
    roll_moor(qtbot, window)
    assert not any(action.isVisible() for action in actions)
    assert not any(action.isEnabled() for action in actions[:3])


@pytest.fixture
def looks(monkeypatch) -> list[str]:
    """Every look for installed packages."""
    found: list[str] = []

    def entry_points(**names: str) -> list[object]:
        found.append(str(names))
        return []

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return found


class TestLooking:
    @pytest.fixture
    def window(self, looks, window):
        installed.forget()
        return window

    def test_a_desk_without_such_maps_looks_at_no_other_package(self, qtbot, window, looks):
        qtbot.waitUntil(lambda: window.desk.games._game_loaded)
        press(qtbot, window, window.desk.docks.panel("randomize").roll_action)
        assert looks == []
        window.desk.commands.run("file.new-map")
        assert len(looks) == 1, "all kinds of maps are listed there"


def test_what_a_package_cannot_bring_is_said_and_the_rest_works(qtbot, settings, tmp_path, window):
    broken = tmp_path / "broken"
    register(broken, "testsys", "half_a_package")
    names = '("tests.test_system.system:SYSTEM",)'
    features = '("tests.test_system.desk.features:PANEL", "no_such_module:PANEL")'
    text = f"SYSTEMS = {names}\nFEATURES = {features}\n"
    (broken / "half_a_package.py").write_text(text, "utf-8")
    with on_path(broken):
        new_map(qtbot, window)
        qtbot.waitUntil(lambda: window.findChild(ProblemDialog) is not None)
        window.findChild(ProblemDialog).close()
        (problem,) = installed.problems()
        assert "no_such_module" in problem.message
        qtbot.waitUntil(lambda: window.desk.docks.made("testsys") is not None)
