"""A panel that goes before the map does is called no more."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication

from app.features.files.tab_bar import MapTabs
from app.rolling.roll_bar import RollBar
from randomizer.model.edits.layer_edits import insert_layer
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("files", "gallery", "history", "odds", "palette", "problems", "regions", "script")


def test_nothing_of_the_map_or_the_tools_calls_what_is_gone(window, report_faults_to):
    faults = []
    report_faults_to(faults.append)
    desk = window.desk
    document = desk.document
    for dock in desk.docks.all():
        if dock.widget() is not None:
            shiboken6.delete(dock.widget())
    for kind in (MapTabs, RollBar):
        for widget in window.findChildren(kind):
            shiboken6.delete(widget)

    desk.tools.choose("hexside")
    desk.rolling.key_choice.set_new_seed(not desk.rolling.key_choice.new_seed)
    document.push(insert_layer(document.battlemap, Layer(99, "Another")), "Add layer")
    document.open_map(free_map(document.battlemap.grid.layout, 5, 5))
    document.undo()
    QApplication.processEvents()

    assert faults == []
