"""*Fix all* of a map changes nothing while the active layer is locked, and says so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from app.features.problems.problems_bar import ProblemsBar
from randomizer.catalog.systems import system_named
from randomizer.model.edits.layer_edits import LayerField
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import cell


@pytest.mark.deep
def test_fix_all_says_that_the_active_layer_is_locked(window, qtbot):
    desk = window.desk
    document = desk.document
    document.open_map(new_map(system_named("colossus")))
    layer = document.active_layer
    sides = [cell("D4") * 6, cell("B2") * 6]
    slope = document.battlemap.terrain_set.hexside_code("s")
    document.push(set_values(document.battlemap, layer.id, "hexside", sides, slope), "Slopes")
    problems = next(source.problems for source in desk.problems.all if source.title == "Map")
    qtbot.waitUntil(lambda: len(problems.problems) == 2)
    document.push(LayerField(layer.id, "locked", False, True), "Lock")
    steps = document.history.index
    (bar,) = window.findChildren(ProblemsBar)
    QTest.mouseClick(bar.line, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(problems.fix_all_button.isVisible)

    QTest.mouseClick(problems.fix_all_button, Qt.MouseButton.LeftButton)
    assert "is locked" in window.statusBar().currentMessage()
    assert document.history.index == steps

    document.undo()
    QTest.mouseClick(problems.fix_all_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not problems.problems)
    assert document.history.next_undo.text == "Fix all problems"
