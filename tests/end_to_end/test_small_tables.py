"""A wargame table in a small window: its dice are at hand, and the card says so in full."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QComboBox

from app.desk import docks
from app.features.new_map.dialog import NewMapDialog
from app.features.start.feature import EmptyMap
from tests.app.conftest import new_map_dialog

DRIVEN_DIALOGS = (NewMapDialog,)

ROOMY = docks.ROOMY
SMALL = QSize(800, 500)


@pytest.fixture(autouse=True)
def _as_for_users(monkeypatch):
    """Windows as narrow as the others of these tests put their panels aside."""
    # The narrow windows of users.
    monkeypatch.setattr(docks, "ROOMY", ROOMY)


@pytest.fixture
def table(window, qtbot):
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.desk.docks.is_aside)
    dialog = new_map_dialog(window, "Wargame table")
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "cordery")
    return window


def test_a_new_table_comes_with_the_panel_that_lays_it_and_nothing_of_it_is_cut(table, qtbot):
    desk = table.desk
    qtbot.waitUntil(lambda: desk.docks.find_panel("dice") is not None)
    panel = desk.docks.panel("dice")
    qtbot.waitUntil(panel.isVisible)

    def ends() -> list[int]:
        boxes = [box for box in panel.findChildren(QComboBox) if box.isVisible()]
        return [box.mapTo(panel, QPoint(box.width(), 0)).x() for box in boxes]

    qtbot.waitUntil(lambda: len(ends()) > 3 and max(ends()) <= panel.width())
    qtbot.waitUntil(desk.commands.action("script.roll").isEnabled)


def test_the_card_says_in_full_how_a_table_is_laid_with_one_s_own_dice(table, qtbot):
    desk = table.desk
    (card,) = table.findChildren(EmptyMap)
    qtbot.waitUntil(lambda: "Entered by hand" in card.message.text())
    width = card.message.width()
    qtbot.waitUntil(lambda: card.message.height() >= card.message.heightForWidth(width))
    desk.docks.close("dice")
    qtbot.waitUntil(lambda: "Randomize > Dice..." in card.message.text())
