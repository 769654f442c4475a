"""A real main window, with settings of its own, ready to be used."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QSettings, QTimer

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
from randomizer.storage.backups import Backups

HELD_UP_MS = 1500
"""A window that is held up for longer has a fault. The goal is 50 ms; a busy machine that measures
coverage has been seen to be ten times slower."""


class Heartbeat:
    """Ticks every 5 ms of the event loop and remembers the longest pause between two ticks."""

    def __init__(self) -> None:
        self.longest_ms = 0.0
        self._last = 0.0
        self.timer = QTimer(interval=5)
        self.timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._last = time.perf_counter()
        self.timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest_ms = max(self.longest_ms, (now - self._last) * 1000)
        self._last = now


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


def close_without_asking(window):
    for open_map in window.desk.document.maps:
        open_map.undo_stack.setClean()


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
