"""Work that a person asks for, perhaps again before it ends; only the newest result is used.

A value that follows its inputs by itself is a ``BackgroundValue``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Job, Work
from app.qt_guard import connect


class LatestJob(QObject):
    """Runs one job at a time; starting another cancels the one before and drops its result.

    ``busy_changed(bool)``: whether work is under way. ``progressed(int)``: 1 to 100. Use it from
    the UI thread; results arrive there.
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
        """True if work is under way."""
        return self._job is not None

    def run(self, work: Work, done: Callable[[Any], None], failed: Callable[[Any], None]) -> None:
        """Start ``work``, to end in ``done(result)`` or ``failed(problems)`` if it stays newest."""
        was_busy = self.busy
        if self._job is not None:
            self._job.cancel()
        self._done = done
        self._failed = failed
        job = self._job = Job(work)
        connect(job.progressed, self.progressed)
        # Bound methods of this object: Qt drops them with it, so no result reaches a closed dialog.
        connect(job.finished, self._finish)
        connect(job.failed, self._fail)
        if not was_busy:
            self.busy_changed.emit(True)
        job.start()

    def cancel(self) -> None:
        """Cancel the work under way and drop its result."""
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
