"""A real main window, with settings of its own, ready to be used."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
from randomizer.storage.backups import Backups


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


def close_without_asking(window):
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False


@pytest.fixture
def journals():
    """Where the window keeps its journals: nowhere, unless a test says otherwise."""


@pytest.fixture
def window(qtbot, settings, journals, tmp_path):
    backups = Backups(tmp_path / "data" / "backups")
    window = MainWindow(MapDocument(sample_map()), settings, journals, backups)
    qtbot.addWidget(window, before_close_func=close_without_asking)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    window.desk.rolling._choose_seed = lambda: 17  # the same maps in every run
    return window
