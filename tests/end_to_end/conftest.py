"""A real main window, with settings of its own, ready to be used."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, Qt

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.window import MainWindow
from randomizer.storage.backups import Backups
from tests.app.conftest import active  # noqa: F401 - a fixture, with the window of these tests
from tests.end_to_end.hand import Hand


def close_without_asking(window):
    for open_map in window.desk.document.maps:
        open_map.history.mark_clean()
        open_map.rolled = False


@pytest.fixture
def hand(qtbot):
    """What answers the dialogs of the program; it is idle where a test expects none."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    hand = Hand()
    qtbot.check_meanwhile = hand.check
    yield hand
    hand.rest()


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
