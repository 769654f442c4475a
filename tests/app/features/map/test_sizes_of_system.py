"""Sizes that a game does not have are refused before the map is changed."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.features.map.transform_dialogs import ResizeDialog
from randomizer.systems.zeroad.system import SYSTEM


def test_a_size_that_the_game_does_not_have_cannot_be_chosen(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ResizeDialog(SYSTEM, SYSTEM.new_grid(), parent)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert ok.isEnabled()
    dialog.fields[0].setValue(144)
    assert not ok.isEnabled()
    assert "144 x 128 is not possible" in dialog.state.text()
    dialog.fields[1].setValue(144)
    assert ok.isEnabled()
