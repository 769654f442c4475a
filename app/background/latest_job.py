"""Work of which only the newest counts: what a dialog asks again whenever a choice changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job, Work


class LatestJob(QObject):
    """Runs work off the UI thread; what an older piece of work would have said is dropped.

    ``busy_changed(bool)``: work has begun, or none is under way any more. ``progressed(int)``: how
    far the newest has come, 1 to 100.
    """

    busy_changed = Signal(bool)
    progressed = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._done: Callable[[Any], None] | None = None
        self._failed: Callable[[Any], None] | None = None

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return self._job is not None

    def run(self, work: Work, done: Callable[[Any], None], failed: Callable[[Any], None]) -> None:
        """Start ``work``; ``done(result)`` or ``failed(problems)`` is called if it stays newest."""
        was_busy = self.busy
        if self._job is not None:
            self._job.cancel()
        self._done, self._failed = done, failed
        job = self._job = Job(work)
        job.progressed.connect(self.progressed)
        # Bound methods of this object: Qt drops them with it, so no result reaches a closed dialog.
        job.finished.connect(self._finish)
        job.failed.connect(self._fail)
        if not was_busy:
            self.busy_changed.emit(True)
        job.start()

    def cancel(self) -> None:
        """Nothing is wanted any more."""
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _end(self) -> None:
        self._job = self._done = self._failed = None
        self.busy_changed.emit(False)

    def _finish(self, result: object) -> None:
        done = self._done
        self._end()
        if done is not None:
            done(result)

    def _fail(self, problems: object) -> None:
        failed = self._failed
        self._end()
        if failed is not None:
            failed(problems)
