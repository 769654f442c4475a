"""Tables for a campaign of a table with entered dice: they are its alone, others are thrown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.features.pictures.tables_dialog import TablesDialog
from tests.app.conftest import opened
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (TablesDialog,)


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


def pictures_in(pdf: bytes) -> list[bytes]:
    """The pictures that a PDF holds: each map is made of strips."""
    objects = re.findall(rb"/Subtype /Image.*?stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return list(dict.fromkeys(objects))


def export_tables(player, hand, path: Path, count: int) -> list[bytes]:
    """Write tables without lists by the dialog; return the pictures in the file."""
    player.window.desk.commands.run("file.tables-for-a-campaign")
    dialog = opened(player.window, player.qtbot, TablesDialog)
    assert dialog.tables.title().endswith("only this one has the dice set by hand")
    dialog.tables.field("tables").setValue(count)
    for name in ("log", "parts", "areas"):
        dialog.tables.field(name).setChecked(False)
    hand.expect(dialog.windowTitle()).type_path(path)
    with player.qtbot.waitSignal(dialog.reported):
        player.qtbot.mouseClick(dialog.go_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: not player.window.findChildren(TablesDialog))
    return pictures_in(path.read_bytes())


@pytest.mark.deep
def test_tables_like_one_of_entered_dice_are_thrown_and_that_one_stays(player, tmp_path, hand):
    player.enter_dice_by_hand()
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    player.enter(3, 4, 2, 5)
    player.qtbot.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: player.desk.entry.waiting_dice is None)
    player.qtbot.waitUntil(lambda: any(layer.roll for layer in player.document.battlemap.layers))
    player.wait()

    first = export_tables(player, hand, tmp_path / "first.pdf", 1)
    again = export_tables(player, hand, tmp_path / "again.pdf", 3)
    assert {*first} <= {*again}, "the table of the dice that were entered"
    assert len(again) > 2 * len(first), "the others are thrown by the program, and differ"
