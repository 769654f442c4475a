"""A value that is worked out again on another thread whenever its inputs have changed.

    value = BackgroundValue(read_inputs, work, self)
    connect(value.computed, self._show)
    value.watch()           # work(read_inputs(), ...) runs in a job; ``_show`` gets its result
    value.renew()           # an input may have changed
    value.unwatch()         # nobody sees the value any more

A *job* runs a function on a thread of a pool, and tells its end by a signal on the UI thread
(``background.jobs``). Its work can return an iterator of values, a first one soon and better ones
later, as the odds of a script do: all but the last are *intermediate* values. These come so::

    pool's thread    work -> ValueJob._value_reported
    UI thread                                         -> delivered -> BackgroundValue.computed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from app.background import actions
from app.background.jobs import Job
from app.qt_guard import connect

BETWEEN_S = 0.05
"""The least time in seconds between two intermediate values; values in between are dropped.

If this were longer, a person would see the value change in jerks.
"""

ValueWork = Callable[[Any, Callable[[int], None], Callable[[], bool]], Any]
"""``work(inputs, report_percent, is_cancelled)`` computes a value from inputs on a pool thread.

It returns the value, or an iterator of better and better ones. It may report its progress (1 to
100), should often ask whether it was cancelled, and may raise ProblemError."""


NoInputsReason = str
"""What is returned in place of inputs while there are none: why, in words for the user.

"" if nothing is to be said.
"""


class BackgroundValue(QObject):
    """Computes a value again and again while it is watched. Use it from the UI thread.

    Whoever changes an input calls ``renew``. A moment later the inputs are read. If they differ
    from those of the latest value, work on older inputs is cancelled, and a job with the new ones
    starts. Its values come as signals.
    """

    started = Signal(object)
    """Work on these inputs has begun; a value of older inputs does not come any more."""

    computed = Signal(object)
    """A value of the newest inputs; while ``busy`` it is an intermediate one."""

    failed = Signal(object)
    """There is no value, because of these problems (``tuple[Problem, ...]``)."""

    missed = Signal(str)
    """There are no inputs, and so no value, for this ``NoInputsReason``."""

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
        """Prepare the value; nothing happens before ``watch``.

        ``inputs()`` returns what the value depends on, as it is now: values that nobody changes
        later, which are compared by ``==``, and never None nor a str. If it returns a
        ``NoInputsReason`` (a str), ``missed`` emits that, and no work begins.

        ``delay_ms`` is the time from a call of ``renew`` to the work: from the latest call, so that
        the work waits until the changes pause; with ``throttled`` from the first call, so that
        there is a value now and then while the changes go on.

        Intermediate values that come within ``between_s`` seconds of another one are dropped.
        """
        super().__init__(parent)
        self._read_inputs = inputs
        self._work = work
        self._between_s = between_s
        self._delay_ms = delay_ms
        self._throttled = throttled
        self._is_watched = False
        """True from ``watch`` to ``unwatch``."""
        self._newest_inputs: object = None
        """The inputs of the latest value, or of the work under way; None: there is neither."""
        self._job: ValueJob | None = None
        """The work under way, None if there is none."""
        self._timer = QTimer(self, singleShot=True)
        connect(self._timer.timeout, self._begin)

    @property
    def busy(self) -> bool:
        """True if the inputs are going to be read, or work is under way."""
        return self._job is not None or self._timer.isActive()

    @property
    def fresh(self) -> bool:
        """True if the latest signal was about the inputs as they are now: nothing is renewed since.

        That signal may also have been ``failed`` or ``missed``.
        """
        return self._newest_inputs is not None and not self.busy

    def watch(self) -> None:
        """Read the inputs soon, and again after every ``renew``, as somebody sees the value."""
        self._is_watched = True
        self._timer.start(0)

    def unwatch(self) -> None:
        """Stop work and read no inputs until the next ``watch``, as nobody sees the value."""
        self._is_watched = False
        self._stop()

    def set_watched(self, is_watched: bool) -> None:
        """Do as ``watch`` or ``unwatch`` does."""
        if is_watched:
            self.watch()
        else:
            self.unwatch()

    def renew(self, *, delay_ms: int | None = None) -> None:
        """Read the inputs again, which may have changed, after ``delay_ms`` (None: the usual)."""
        if not self._is_watched:
            return
        if self._throttled and self._timer.isActive():
            return
        if delay_ms is None:
            delay_ms = self._delay_ms
        self._timer.start(delay_ms)  # a timer that is running begins anew

    def forget(self) -> None:
        """Cancel the work under way, and a ``renew`` that waits for its delay.

        The next ``renew`` starts work even on equal inputs.
        """
        self._stop()
        self._newest_inputs = None

    def _stop(self) -> None:
        """Cancel the work under way, whose inputs then have no value, and work that is to begin."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()  # no signal of it follows but ``stopped``
            self._job = None
            self._newest_inputs = None

    def _begin(self) -> None:
        """Read the inputs, and start work if they are new."""
        inputs = self._read_inputs()
        if self._newest_inputs is not None and inputs == self._newest_inputs:
            return
        self._stop()
        self._newest_inputs = inputs
        if isinstance(inputs, NoInputsReason):
            self.missed.emit(inputs)
        else:
            self._start_job(inputs)

    def _start_job(self, inputs: object) -> None:
        """Start work on these inputs."""
        job = ValueJob(self._work, inputs, between_s=self._between_s)
        self._job = job
        # Methods of this object are disconnected with it: nothing reaches a closed dialog.
        connect(job.delivered, self._deliver)
        connect(job.finished, self._finish)
        connect(job.failed, self._fail)
        connect(self.destroyed, job.cancel)  # nobody would hear of the result
        job.start()
        self.started.emit(inputs)

    def _deliver(self, value: object) -> None:
        """Tell of an intermediate value."""
        self.computed.emit(value)

    def _finish(self, value: object) -> None:
        """Tell of the last value; nothing is under way any more."""
        self._job = None
        self.computed.emit(value)

    def _fail(self, problems: object) -> None:
        """Tell why there is no value; nothing is under way any more."""
        self._job = None
        self.failed.emit(problems)


class ValueJob(Job):
    """Computes one value from its inputs; work that gives several finishes with the last one."""

    delivered = Signal(object)
    """An intermediate value."""

    _value_reported = Signal(object)
    """An intermediate value, emitted on the pool's thread."""

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
        connect(self._value_reported, self._deliver)

    def _result_of_work(self) -> object:
        """Run the work, on the pool's thread, and return its value, the last one of several.

        The values before that are reported. The result of a job that was cancelled is dropped by
        ``Job``, so that it does not matter what is returned.
        """
        if self._cancelled.is_set():  # while it waited for a thread
            return None
        result = super()._result_of_work()
        if isinstance(result, Iterator):
            return self._report_values(result)
        return result

    def _report_values(self, values: Iterator[object]) -> object:
        """Report the values that do not follow another too soon, and return the last one."""
        value: object = None
        last_report_s = float("-inf")  # the first value is reported at once
        for value in values:
            if self._cancelled.is_set():
                break
            if monotonic() - last_report_s > self._between_s:
                self._emit_from_pool(self._value_reported, value)
                last_report_s = monotonic()
        return value

    def _deliver(self, value: object) -> None:
        """Hand an intermediate value on, unless the job was cancelled after it was reported."""
        if not self._cancelled.is_set():
            self.delivered.emit(value)


async def show_values(job: ValueJob, show: Callable[[Any], object], owner: QObject) -> None:
    """Start a job, and call ``show`` with its intermediate values, then with the last one.

    The job is cancelled when the action ends early. The last value is not shown if Qt has deleted
    ``owner``, the widget that shows it. Raises ProblemError if the job fails.
    """
    connect(job.delivered, show)
    try:
        value = await actions.result(job)
        if isValid(owner):
            show(value)
    finally:
        job.cancel()
