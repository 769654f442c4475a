"""Things are placed, and their form follows, however the keyboard went through the window."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from PySide6.QtCore import QMargins, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import opened, wait_for_actions
from tests.end_to_end.test_placing_things import choose_row, click, page_of

DRIVEN_DIALOGS = (NewMapDialog,)

ROUND = 40
"""So many presses of Tab go all round the window, and further."""

MARGINS = QMargins(60, 60, 60, 60)


@pytest.fixture
def desk(active, qtbot):
    """The desk after New > 0 A.D. map, with its roll."""
    open_new_map(active.desk, qtbot)
    return active.desk


def open_new_map(desk, qtbot) -> None:
    desk.commands.fill("file.new.*")
    desk.commands.run("file.new.zeroad")
    dialog = opened(desk.frame, qtbot, NewMapDialog)
    dialog.make_button.click()
    wait_for_actions(qtbot)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert desk.document.battlemap.system.name == "zeroad"
    desk.tools.choose("things")
    desk.frame.activateWindow()
    qtbot.waitUntil(desk.frame.isActiveWindow)


def press_tabs(desk) -> None:
    """Press Tab until the keyboard has been in the form and gone on, and back."""
    form = page_of(desk).form
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        visited = set()
        for _press in range(ROUND):
            QTest.keyClick(desk.frame.windowHandle(), key)
            focus = QApplication.focusWidget()
            assert focus is not None
            visited.add(form.isAncestorOf(focus))
        assert visited == {True, False}


def empty_cell(desk) -> int:
    """Return the cell that is farthest from all things, away from the edge of the view."""
    battlemap = desk.document.battlemap
    grid = battlemap.grid
    things = np.array([(thing.x, thing.y) for thing in battlemap.visible_things()])
    cells = [cell for cell in range(0, grid.size, 7) if canvas_shows(desk, cell)]
    distances = []
    for cell in cells:
        away = things - np.array(grid.centre(cell))
        distances.append(np.hypot(*away.T).min())
    return cells[int(np.argmax(distances))]


def canvas_shows(desk, cell: int) -> bool:
    position = desk.canvas.viewport.to_screen(*desk.document.battlemap.grid.centre(cell)).toPoint()
    return desk.canvas.rect().marginsRemoved(MARGINS).contains(position)


def place(desk, qtbot, text: str) -> None:
    """Place a thing by hand; the form shows it."""
    choose_row(desk, text)
    click(desk, empty_cell(desk))
    form = page_of(desk).form
    qtbot.waitUntil(lambda: form.up_to_date)
    assert len(desk.document.picked) == 1
    assert form.heading.text().startswith(text)


def dead_objects(root: QObject) -> list[str]:
    """Return the attributes of the objects below one that hold a Qt object which is gone."""
    dead = []
    for owner in (root, *root.findChildren(QObject)):
        for name, value in vars(owner).items():
            if isinstance(value, QTimer) and not isValid(value):
                dead.append(f"{type(owner).__name__}.{name}")
    return dead


@pytest.mark.deep  # 160 presses of Tab
def test_a_tree_is_placed_after_the_keyboard_went_round_the_window(desk, qtbot):
    place(desk, qtbot, "Oak")
    press_tabs(desk)
    page_of(desk).filter.setText("structures/rome/fortress")
    place(desk, qtbot, "Fortress (Romans)")  # a kind more: the form is built again
    press_tabs(desk)
    page_of(desk).filter.clear()
    gc.collect()
    place(desk, qtbot, "Oak")
    assert dead_objects(desk.frame) == []


@pytest.mark.deep
def test_a_tree_is_placed_on_the_next_map_and_after_another_roll(desk, qtbot):
    place(desk, qtbot, "Oak")
    press_tabs(desk)
    desk.commands.run("script.roll")
    wait_for_actions(qtbot)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    place(desk, qtbot, "Oak")
    press_tabs(desk)
    open_new_map(desk, qtbot)
    press_tabs(desk)
    gc.collect()
    place(desk, qtbot, "Pine")
    assert dead_objects(desk.frame) == []
