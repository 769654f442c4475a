"""A value that is worked out again on another thread whenever its inputs have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from app.background.actions import result
from app.background.jobs import Job
from app.qt_guard import connect

BETWEEN_S = 0.05
"""The least time between two intermediate values; of those that come faster the last is found."""


ValueWork = Callable[[Any, Callable[[int], None], Callable[[], bool]], Any]
"""Works a value, or an iterator of better and better ones, out of its inputs, as ``jobs.Work``."""


class BackgroundValue(QObject):
    """Keeps one value up with its inputs while it is watched. Use it from the UI thread.

    ``inputs()`` gives what the value depends on, as it is now: values that nobody changes later.
    They are compared by ``==``; from equal inputs a value is not worked out twice. A str gives in
    words why there is no value now. ``work`` gets the inputs. It runs ``delay_ms`` after the last
    call of ``renew``, or with ``throttled`` after the first one. Intermediate values that come
    within ``between_s`` of another one are dropped.

    ``started(inputs)``: work has begun; work on older inputs is cancelled, and its value dropped.
    ``computed(value)``: a value of the newest inputs; intermediate ones come while ``busy``.
    ``failed(tuple[Problem, ...])``: there is none, because of these.
    ``missed(str)``: there is none, as ``inputs`` says.
    """

    started = Signal(object)
    computed = Signal(object)
    failed = Signal(object)
    missed = Signal(str)

    def __init__(
        self,
        inputs: Callable[[], object],
        work: ValueWork,
        parent: QObject,
        *,
        delay_ms: int = 0,
        throttled: bool = False,
        between_s: float = BETWEEN_S,
    ) -> None:
        super().__init__(parent)
        self._inputs = inputs
        self._work = work
        self._between_s = between_s
        self._delay_ms = delay_ms
        self._throttled = throttled
        self._watched = False
        self._newest: object = None
        self._job: ValueJob | None = None
        self._timer = QTimer(self, singleShot=True)
        connect(self._timer.timeout, self._begin)

    @property
    def busy(self) -> bool:
        """True if the inputs are to be looked at, or work is under way."""
        return self._job is not None or self._timer.isActive()

    @property
    def fresh(self) -> bool:
        """True if what came last is of the inputs as they are now."""
        return self._newest is not None and not self.busy

    def watch(self, watched: bool) -> None:
        """Look at the inputs now and at every ``renew``; or stop, since nobody sees the value."""
        self._watched = watched
        if watched:
            self._timer.start(0)
        else:
            self._stop()

    def renew(self, *, delay_ms: int | None = None) -> None:
        """The inputs may have changed: look at them soon (``delay_ms`` instead of the usual)."""
        if self._watched and not (self._throttled and self._timer.isActive()):
            self._timer.start(self._delay_ms if delay_ms is None else delay_ms)

    def forget(self) -> None:
        """Cancel the work under way; the value is worked out at the next ``renew`` in any case."""
        self._stop()
        self._newest = None

    def _stop(self) -> None:
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()  # no signal of it follows but ``stopped``
            self._job = self._newest = None

    def _begin(self) -> None:
        inputs = self._inputs()
        if self._newest is not None and inputs == self._newest:
            return
        self._stop()
        self._newest = inputs
        if isinstance(inputs, str):
            self.missed.emit(inputs)
            return
        self._job = job = ValueJob(self._work, inputs, between_s=self._between_s)
        # Methods of this object are disconnected with it: nothing reaches a closed dialog.
        connect(job.delivered, self._deliver)
        connect(job.finished, self._finish)
        connect(job.failed, self._fail)
        connect(self.destroyed, job.cancel)  # nobody would hear of it
        job.start()
        self.started.emit(inputs)

    def _deliver(self, value: object) -> None:
        self.computed.emit(value)

    def _finish(self, value: object) -> None:
        self._job = None
        self.computed.emit(value)

    def _fail(self, problems: object) -> None:
        self._job = None
        self.failed.emit(problems)


class ValueJob(Job):
    """Works one value out of inputs. It finishes with the last one if there are several.

    ``delivered(value)``: an intermediate value.
    """

    delivered = Signal(object)
    _handed_over = Signal(object)

    def __init__(
        self,
        work: ValueWork,
        inputs: object,
        *,
        between_s: float = BETWEEN_S,
    ) -> None:
        super().__init__(partial(work, inputs))
        self._between_s = between_s
        # A bound method of this object runs on its own thread, whoever emits.
        connect(self._handed_over, self._report_value)

    def _result_of_work(self) -> object:
        if self._cancelled.is_set():  # while it waited for a thread
            return None
        result = super()._result_of_work()
        if not isinstance(result, Iterator):
            return result
        value: object = None
        handed_over = float("-inf")
        for value in result:
            if self._cancelled.is_set():
                break
            if monotonic() - handed_over > self._between_s:
                self._emit_from_pool(self._handed_over, value)
                handed_over = monotonic()
        return value

    def _report_value(self, value: object) -> None:
        if not self._cancelled.is_set():
            self.delivered.emit(value)


async def show_values(job: ValueJob, show: Callable[[Any], object], owner: QObject) -> None:
    """Hand the intermediate values of a job, then the last one, to ``show``.

    The job is cancelled when the action ends early; nothing is shown when ``owner`` is deleted
    then. Raises ProblemError.
    """
    connect(job.delivered, show)
    try:
        value = await result(job)
        if isValid(owner):
            show(value)
    finally:
        job.cancel()
