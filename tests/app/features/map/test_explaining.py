"""The entry of a cell's menu that asks why a roll gave the cell its terrain."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from app.canvas.hover_text import explain_cell
from app.document.document import MapDocument
from app.features.cell_menu.explaining import Explaining
from randomizer.model.battlemap import BattleMap
from randomizer.model.explanation import Explanation
from randomizer.model.layer import Layer
from randomizer.systems.free.system import SYSTEM as FREE
from tests.systems import system_like


def explain(_battlemap: BattleMap, cell: int, at_once: bool) -> Explanation | None:
    if cell == 2:
        return None
    return Explanation("height 7", "Because it is so." if not at_once else "")


@pytest.fixture
def desk(qtbot):
    frame = QWidget()
    qtbot.addWidget(frame)
    document = MapDocument(
        BattleMap.new(system_like(FREE, explain=explain), layers=[Layer(1, "Ground")])
    )
    return SimpleNamespace(document=document, frame=frame, say=print)


def boxes() -> list[QMessageBox]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]


def asked(desk, cell: int, qtbot) -> QMessageBox:
    menu, owner = QMenu(desk.frame), QObject(desk.frame)
    Explaining(desk, owner).add_to(menu, cell)
    (action,) = [each for each in menu.actions() if not each.isSeparator()]
    assert action.text() == "Why is this Plains?"
    action.trigger()
    qtbot.waitUntil(lambda: bool(boxes()))
    return boxes()[0]


@pytest.mark.parametrize(
    ("cell", "words"), [(0, "Because it is so."), (2, "Nothing is known of how this was rolled.")]
)
def test_what_is_known_is_shown(desk, qtbot, cell, words):
    box = asked(desk, cell, qtbot)
    assert box.text() == words
    box.close()
    qtbot.waitUntil(lambda: not boxes())


def test_other_systems_have_no_such_entry(desk):
    desk.document = MapDocument(BattleMap.new(FREE, layers=[Layer(1, "Ground")]))
    menu, owner = QMenu(desk.frame), QObject(desk.frame)
    Explaining(desk, owner).add_to(menu, 0)
    assert menu.isEmpty()


def test_the_line_of_a_cell_has_the_short_words(desk):
    assert " - height 7 - " in explain_cell(desk.document, 0)
    assert "height" not in explain_cell(desk.document, 2).replace("elevation", "")
