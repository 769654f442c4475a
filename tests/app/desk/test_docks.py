"""Which tab of the docks is current."""

from __future__ import annotations

import pytest


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("script", "layers", "history", "map", "odds")


@pytest.mark.parametrize("floats", [True, False])
@pytest.mark.parametrize("name", ["layers", "history", "properties"])
def test_after_a_panel_is_closed_the_tab_that_was_current_before_is_current(
    qtbot, window, name, floats
):
    docks = window.desk.docks
    docks.show("randomize")
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "randomize")
    docks.show(name)
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == name)
    docks[name].setFloating(floats)
    docks[name].close()
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "randomize")


def test_a_floating_panel_that_is_closed_leaves_the_tab_that_was_chosen_meanwhile(qtbot, window):
    docks = window.desk.docks
    docks.open("odds")
    window.tabifyDockWidget(docks["layers"], docks["odds"])
    docks.show("odds")
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "odds")
    docks["odds"].setFloating(True)
    docks.show("layers")
    qtbot.waitUntil(lambda: docks.room.right_docks.current_name() == "layers")
    docks.run_opener("odds")
    assert docks["odds"].isHidden()
    qtbot.wait(50)
    assert docks.room.right_docks.current_name() == "layers"
