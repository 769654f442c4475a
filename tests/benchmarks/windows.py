"""The real window for benchmarks, in the temporary home of their process."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from app.background.garbage import UiGarbage
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
from tests.benchmarks.canvases import application, wait_until

REST_S = 0.3
"""An action has ended when what it waits for has come, and for so long nothing has happened."""


class OpenWindow:
    """A window, ready to be used, and the longest pause of each action done in it."""

    def __init__(self) -> None:
        application()
        self.folder = Path(tempfile.mkdtemp())
        settings = Settings(QSettings(f"{self.folder}/desk.ini", QSettings.Format.IniFormat))
        self.window = MainWindow(MapDocument(sample_map()), settings, self.folder / "journals")
        self.window.resize(1280, 860)
        ready: list[bool] = []
        self.window.desk.ready.connect(lambda: ready.append(True))
        self.window.show()
        self.wait_until(lambda: bool(ready))
        # As in the desk: what the start has made is not looked through for garbage again.
        gc.collect()
        gc.freeze()
        self._garbage = UiGarbage()
        self.desk = self.window.desk
        self.pauses_ms: dict[str, float] = {}
        self.rest(1.0)

    def wait_until(self, is_done: Callable[[], bool]) -> None:
        """Let the event loop run until something is true. Raises TimeoutError if it never is."""
        wait_until(is_done)

    def wait_until_sharp(self) -> None:
        """Wait until the picture of the current map is no draft any more."""
        QApplication.processEvents()
        self.wait_until(lambda: self.desk.canvas.is_sharp)

    def rest(self, duration_s: float) -> None:
        """Let the event loop run, and delete what is to be deleted."""
        end_s = time.monotonic() + duration_s
        self.wait_until(lambda: time.monotonic() >= end_s)
        # processEvents does not do it, only an event loop.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def is_gallery_complete(self) -> bool:
        """Return whether the gallery has maps and all of its pictures."""
        gallery = self.desk.docks.find_panel("gallery")
        if gallery is None or not gallery.maps.model.unpinned:
            return False
        return not gallery.finder.search.job.busy and not gallery.maps.pictures.waiting

    def do(
        self,
        name: str,
        action: Callable[[], object],
        is_done: Callable[[], bool] = lambda: True,
    ) -> None:
        """Do something; note the longest turn of the event loop in it, in CPU time of its thread.

        Of an action done several times the longest of all counts.
        """
        beat = Beat()
        action()
        self.wait_until(is_done)
        self.rest(REST_S)
        self.pauses_ms[name] = max(beat.stop(), self.pauses_ms.get(name, 0.0))


class Beat:
    """A timer that measures what this thread computes between two of its ticks."""

    def __init__(self) -> None:
        self._longest_s = 0.0
        self._last_s = time.thread_time()
        self._timer = QTimer(interval=1)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now_s = time.thread_time()
        self._longest_s = max(self._longest_s, now_s - self._last_s)
        self._last_s = now_s

    def stop(self) -> float:
        """Measure no more; return the longest turn in milliseconds."""
        self._tick()
        self._timer.stop()
        return self._longest_s * 1000
