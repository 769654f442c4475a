"""Work that a person asks for, perhaps again before it ends; only the newest result is used.

    search = LatestJob(dialog)
    found = await search.result(work)            # in an action (``background.actions``)
    search.run(work, self._show, self._complain)   # where the result is only shown

For a value that follows its inputs by itself there is ``BackgroundValue``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from app.background import actions
from app.background.actions import Stopped
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

        Raises ProblemError if the work fails; a job turns each exception of its work into problems.
        Raises Stopped if newer work or ``cancel`` drops it, or if this object is destroyed before
        the work ends: the dialog that owns it was closed.
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
            value = await actions.result(job)
        except ProblemError:
            self._note_end()
            raise
        # Not in a ``finally``: after Stopped the job of newer work is under way already.
        self._note_end()
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

        actions.run(act())

    def cancel(self) -> None:
        """Cancel the work under way and drop its result."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.busy_changed.emit(False)

    def _note_end(self) -> None:
        """Note that no work is under way any more.

        Raises Stopped if this object is destroyed: its signals must not be used, and nobody waits
        for the result.
        """
        if not isValid(self):
            raise Stopped
        self._job = None
        self.busy_changed.emit(False)
