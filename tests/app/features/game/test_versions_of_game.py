"""Exporting to a game whose files differ by its version, where its maps usually are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from app.document.document import MapDocument
from app.features.game.export_dialog import ExportDialog
from app.features.game.game_folder import GameFolder
from app.settings import Settings
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.game.host import HOST
from randomizer.systems.zeroad.installation.game_folders import VARIABLE, look_in
from randomizer.systems.zeroad.system import SYSTEM
from tests.app.made_up_game import thumbnails
from tests.randomizer.systems.zeroad.given_places import GivenPlaces


@pytest.fixture
def mods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the mods; nothing is there, and no game is installed."""
    user = tmp_path / "0ad" / "mods" / "user"
    monkeypatch.delenv(VARIABLE, raising=False)
    look_in(GivenPlaces(user_mod=user))
    return user.parent


def test_the_version_is_chosen_and_the_usual_place_offered(qtbot, tmp_path: Path, mods: Path):
    settings = Settings(QSettings(str(tmp_path / "desk.ini"), QSettings.Format.IniFormat))
    document = MapDocument(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    dialog = ExportDialog(GameFolder(HOST, settings), document, thumbnails())
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert Path(dialog.chooser.line.text()) == mods
    offered = [dialog.form.version.itemText(row) for row in range(dialog.form.version.count())]
    assert offered == ["0.28", "0.27", "0.26"]
    dialog.form.version.setCurrentIndex(2)
    dialog.form.version.activated.emit(2)
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert b"for 0 A.D. 0.26" in dialog.game_export.plan.files[0].data
    dialog.export_button.click()
    qtbot.waitUntil(dialog.take_back_button.isVisible)
    assert (mods / "user" / "maps" / "random" / "my_map.js").is_file()
    dialog.take_back_button.click()
    qtbot.waitUntil(lambda: not dialog.take_back_button.isVisible())
    assert not (mods / "user").exists()
    qtbot.waitUntil(lambda: not dialog.game_folder.busy)
    assert dialog.form.version.currentText() == "0.26", (
        "a choice stays when the place is read again"
    )
    dialog.close()
