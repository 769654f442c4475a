"""The dialog *Balance*: Enter searches, and a refused search says what to tick."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.fairness.balance_dialog import BalanceDialog
from randomizer.model.edits.value_edits import set_property
from tests.app.conftest import opened
from tests.randomizer.systems.colossus.few_battles import balance_few, fight_few

DRIVEN_DIALOGS = (BalanceDialog,)


@pytest.fixture
def dialog(qtbot, window, monkeypatch) -> BalanceDialog:
    """The dialog for a battleland with a start list."""
    fight_few(monkeypatch)
    balance_few(monkeypatch)
    document = window.desk.document
    edit = set_property(document.battlemap, 1, "startlist", ("D4", "D5", "C4"))
    assert document.push(edit, "Start list")
    window.desk.commands.run("fairness.balance")
    return opened(window, qtbot, BalanceDialog)


def test_enter_searches(qtbot, dialog):
    dialog.plains_box.click()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.stop_button.isEnabled(), "it searches"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible(), "also while Search is greyed out"
    qtbot.waitUntil(lambda: dialog.table.rowCount() > 0)
    dialog.stop_button.click()
    qtbot.waitUntil(dialog.search_button.isEnabled)


def test_a_start_list_is_refused_with_what_to_tick(qtbot, dialog):
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.status.text.startswith("Onto a start list"))
    hint = "compare with Plains. Tick “Also near the share on Plains” and search again."
    assert dialog.status.text.endswith(hint)
