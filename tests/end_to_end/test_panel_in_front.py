"""The panel that is in front when a map of another kind is made, which lacks the one before."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize

from app.desk import dock_room
from app.features.new_map.dialog import NewMapDialog
from tests.app.conftest import new_map_dialog
from tests.end_to_end.test_map_script_desk import settle
from tests.end_to_end.worlds import new_world

DRIVEN_DIALOGS = (NewMapDialog,)

LOW = QSize(1200, 700)
"""A window in which the odds are a tab beside the script, in logical pixels."""

HIGH = QSize(1280, 900)
"""A window in which the odds stand below the script."""

ROOMY = dock_room.ROOMY


@pytest.fixture(autouse=True)
def _as_for_users(monkeypatch):
    """In low windows the odds become a tab, as for users."""
    # The low windows of users.
    monkeypatch.setattr(dock_room, "ROOMY", ROOMY)


def open_odds_and_scenario(qtbot, window, size: QSize) -> None:
    """Open the odds of a battleland, then the scenario of a new world in front of them."""
    docks = window.desk.docks
    window.resize(size)
    settle(qtbot, window)
    window.desk.commands.run("randomize.odds")
    qtbot.waitUntil(lambda: docks.is_in_front("odds"))
    new_world(qtbot, window, "Modern")
    docks.open("scenario")
    settle(qtbot, window)


def new_landscape(qtbot, window) -> None:
    """Make a map of 0 A.D. by *New map*, and wait until it is drawn."""
    new_map_dialog(window, "0 A.D. map").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "zeroad")
    settle(qtbot, window)


@pytest.mark.parametrize("size", [LOW, HIGH])
def test_the_script_takes_the_place_of_a_panel_that_the_map_lacks(qtbot, window, size):
    open_odds_and_scenario(qtbot, window, size)
    new_landscape(qtbot, window)
    assert window.desk.docks.is_in_front("randomize")
    assert window.desk.docks.is_in_front("odds") == (size == HIGH), "it stands below then"


def test_the_script_comes_to_the_front_when_panels_are_brought_back(qtbot, window):
    open_odds_and_scenario(qtbot, window, LOW)
    window.desk.docks.room.toggle_aside()
    new_landscape(qtbot, window)
    window.desk.docks.room.toggle_aside()
    settle(qtbot, window)
    assert window.desk.docks.is_in_front("randomize")
