"""Work that a person asks for, perhaps again before it ends; only the newest result is used.

A value that follows its inputs by itself is a ``BackgroundValue``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from app.background.actions import Stopped, run
from app.background.actions import result as result_of
from app.background.jobs import Job, Work
from app.qt_guard import connect
from randomizer.model.problems import ProblemError


class LatestJob(QObject):
    """Runs one job at a time; starting another cancels the one before and drops its result.

    Use it from the UI thread; results arrive there.
    """

    busy_changed = Signal(bool)
    """Work has begun (True), or has ended without newer work in its place (False)."""

    progressed = Signal(int)
    """The progress of the work, 1 to 100."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        """The work under way."""

    @property
    def busy(self) -> bool:
        """True if work is under way."""
        return self._job is not None

    async def result(self, work: Work) -> Any:
        """Start ``work`` in place of older work, and return its result.

        Raises ProblemError if the work fails. Raises Stopped if newer work or ``cancel`` drops it,
        or if this object is destroyed before the work ends: the dialog that owns it was closed.
        """
        was_busy = self.busy
        if self._job is not None:
            self._job.cancel()
        job = Job(work)
        self._job = job
        connect(job.progressed, self.progressed)
        if not was_busy:
            self.busy_changed.emit(True)
        try:
            value = await result_of(job)
        except ProblemError:
            self._end()
            raise
        # Not in a ``finally``: after Stopped the job of newer work is under way already.
        self._end()
        return value

    def run(self, work: Work, done: Callable[[Any], None], failed: Callable[[Any], None]) -> None:
        """Start ``work``, and call ``done(result)`` or ``failed(problems)`` at its end.

        Neither is called if newer work or ``cancel`` drops it. This is for work whose result is
        only shown; where something follows, await ``result``.
        """

        async def act() -> None:
            try:
                value = await self.result(work)
            except ProblemError as reason:
                failed(reason.problems)
            else:
                done(value)

        run(act())

    def cancel(self) -> None:
        """Cancel the work under way and drop its result."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.busy_changed.emit(False)

    def _end(self) -> None:
        """Note that the job has ended. Raises Stopped if this object is destroyed."""
        if not isValid(self):
            raise Stopped
        self._job = None
        self.busy_changed.emit(False)
