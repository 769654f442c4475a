"""Runs one roll at a time as a job, and says how it goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.jobs import Job
from app.qt_guard import connect, later
from app.rolling import roll_work
from app.rolling.roll_request import RollRequest
from randomizer.generator import Progress
from randomizer.model.log_line import LogLine
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.generated import Generated
from randomizer.storage.deflated_parts import deflate_layers

WAIT_MS = 40
"""How long a finished roll waits before it asks again whether it may come into the map."""

SLOW_AFTER_MS = 120
"""A roll that takes longer is slow: its progress is shown. Most are over before."""


class Roller(QObject):
    """One roll under way, or none.

    ``started(RollRequest)``, ``busy_changed(bool)``, ``slow_changed(bool)``, ``progressed(int)``
    (1 to 100; 0 while that is not known). At the end comes ``made(RollRequest, Generated)`` or
    ``failed(RollRequest, problems)``, and after it ``logged(tuple[LogLine, ...])``, or nothing if
    it was cancelled. A result waits as long as ``must_wait()``.
    """

    started = Signal(object)
    busy_changed = Signal(bool)
    slow_changed = Signal(bool)
    progressed = Signal(int)
    made = Signal(object, object)
    failed = Signal(object, object)
    logged = Signal(object)

    def __init__(self, must_wait: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._must_wait = must_wait
        self._job: Job | None = None
        self._request: RollRequest | None = None
        self._failed_log: list[LogLine] = []
        self._slow = False
        self._slow_timer = QTimer(self, singleShot=True, interval=SLOW_AFTER_MS)
        connect(self._slow_timer.timeout, self._on_slow)

    @property
    def busy(self) -> bool:
        """Whether a roll is under way."""
        return self._job is not None

    @property
    def opens(self) -> bool:
        """Whether the roll under way is to be opened as a new map."""
        return self._request is not None and self._request.opens

    @property
    def slow(self) -> bool:
        """Whether it has been under way for so long that its progress is shown."""
        return self._slow

    @property
    def searching(self) -> bool:
        """Whether map after map is tried for one that keeps the locks."""
        request = self._request
        if request is None or request.forced:
            return False
        return request.recipe.searches and request.base.locked

    def start(self, request: RollRequest) -> None:
        """Roll this, unless a roll is under way: keys repeat faster than some scripts roll."""
        if self._job is not None:
            return

        log: list[LogLine] = []
        self._failed_log = log

        def work(progress: Progress, cancelled: Callable[[], bool]) -> Generated | None:
            try:
                generated = roll_work.roll(request, progress, cancelled)
            except ProblemError as reason:
                log.extend(reason.log)
                raise
            if generated is not None:
                deflate_layers(generated.layers)
            return generated

        self.started.emit(request)
        # Without a parent: a job outlives its owner until its thread has ended. Bound methods are
        # disconnected if this object goes first.
        self._request = request
        self._job = Job(work)
        connect(self._job.progressed, self.progressed)
        connect(self._job.finished, self._finish)
        connect(self._job.failed, self._fail)
        self._slow_timer.start()
        self.busy_changed.emit(True)
        self._job.start()

    def cancel(self) -> None:
        """Drop the roll under way."""
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _on_slow(self) -> None:
        self._slow = True
        self.slow_changed.emit(True)

    def _end(self) -> RollRequest:
        """No roll is under way any more; returns the request of the one that was."""
        assert self._request is not None
        request, self._request, self._job = self._request, None, None
        self._slow_timer.stop()
        if self._slow:
            self._slow = False
            self.slow_changed.emit(False)
        self.busy_changed.emit(False)
        return request

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self.failed.emit(self._end(), problems)
        self.logged.emit(tuple(self._failed_log))

    def _finish(self, generated: Generated) -> None:
        if self._must_wait():
            later(self, partial(self._finish_later, self._request, generated), WAIT_MS)
        else:
            self.made.emit(self._end(), generated)
            self.logged.emit(generated.log)

    def _finish_later(self, request: RollRequest | None, generated: Generated) -> None:
        if self._request is request:  # not cancelled meanwhile
            self._finish(generated)
