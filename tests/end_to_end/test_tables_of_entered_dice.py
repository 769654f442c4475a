"""Tables for a campaign of a table with entered dice: they are its alone, others are thrown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.features.pictures.tables_dialog import TablesDialog
from app.paper import campaign
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.generated import Generated
from tests.app.conftest import opened
from tests.app.systems.cordery.conftest import Wargamer

DRIVEN_DIALOGS = (TablesDialog,)


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    player = Wargamer(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return player


@pytest.fixture
def printed(monkeypatch) -> list[Generated]:
    """The tables that are printed, one after the other."""
    tables: list[Generated] = []
    table_pages = campaign.table_pages

    def noting_table_pages(generated: Generated, *arguments):
        tables.append(generated)
        return table_pages(generated, *arguments)

    monkeypatch.setattr(campaign, "table_pages", noting_table_pages)
    return tables


def rolled_values(layers: list[Layer]) -> list[bytes]:
    """The values of the layers of a roll, plane by plane."""
    rolled_layers = [layer for layer in layers if layer.roll is not None]
    return [plane.tobytes() for layer in rolled_layers for plane in layer.planes.values()]


def test_tables_like_one_of_entered_dice_are_thrown_and_that_one_stays(
    player, printed, tmp_path, hand
):
    player.enter_dice_by_hand()
    player.qtbot.mouseClick(player.panel.enter_button, Qt.MouseButton.LeftButton)
    player.enter(3, 4, 2, 5)
    player.qtbot.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(lambda: player.desk.entry.waiting_dice is None)
    player.qtbot.waitUntil(lambda: any(layer.roll for layer in player.document.battlemap.layers))
    player.wait()
    laid = rolled_values(player.document.battlemap.layers)

    player.window.desk.commands.run("file.tables-for-a-campaign")
    dialog = opened(player.window, player.qtbot, TablesDialog)
    assert dialog.tables.title().endswith("only this one has the dice set by hand")
    dialog.tables.field("tables").setValue(3)
    path = tmp_path / "vale.pdf"
    hand.expect(dialog.windowTitle()).type_path(path)
    with player.qtbot.waitSignal(dialog.reported):
        player.qtbot.mouseClick(dialog.go_button, Qt.MouseButton.LeftButton)
    assert path.exists()

    values = [rolled_values(table.layers) for table in printed]
    assert values[0] == laid
    assert values[1] != values[0]
    assert values[2] not in (values[0], values[1])
    logs = [" ".join(line.text for line in table.log) for table in printed]
    assert "thrown by the program" in logs[0], "the other dice are those of a person"
    assert "thrown by the program" not in logs[1] + logs[2]
