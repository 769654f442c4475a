"""Work on pool threads: started here, reported by signals, cancelled by a flag."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from PySide6.QtCore import QMetaMethod, QObject, QThreadPool, Signal, SignalInstance
from shiboken6 import isValid

from app.fault_log import LOG, problem_of
from app.qt_guard import connect, guarded, report_fault
from randomizer.model.problems import Problem, ProblemError

LAST_WAIT_MS = 10_000
"""How long the end of the program waits for work under way (an export, a large file)."""

SWITCH_S = 0.0001
"""Python's switch interval. Nearly every call of Qt releases the interpreter lock and has to wait
for it again: beside one job that computes in Python, 12 ms of drawing took 100 ms at an interval
of 0.5 ms and take 20 ms at this one. Two jobs slow each other down by less than a tenth."""

sys.setswitchinterval(SWITCH_S)


REST_STEP_S = 0.01
"""How often a job that rests looks whether it was cancelled."""


Work = Callable[[Callable[[int], None], Callable[[], bool]], Any]
"""What a job runs, on a pool thread: its result goes to ``finished``. It reports its progress (1 to
100) to the first argument, asks the second often whether it was cancelled, and may raise
ProblemError."""


def emit_from_work(owner: QObject, signal: SignalInstance, *values: object) -> bool:
    """Emit a signal of ``owner`` on the thread of a job; False if Qt has deleted ``owner``.

    At the end of the program that can happen before the work has ended.
    """
    try:
        signal.emit(*values)
    except RuntimeError:
        if isValid(owner):
            raise
        return False
    return True


class Job(QObject):
    """One piece of work on a pool thread; all signals are emitted on the thread that made the job.

    Exactly one of ``finished(result)``, ``failed(tuple[Problem, ...])`` and ``stopped()`` comes;
    after ``cancel`` that is ``stopped``, whatever the work gave. ``progressed(int)``: 1 to 100. A
    started job stays alive until then, even without a reference to it. A fault of the work is a
    problem like others; where nobody is connected with ``failed``, it is reported.
    """

    _started: ClassVar[set[Job]] = set()

    progressed = Signal(int)
    finished = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    _advanced = Signal(int)
    _ended = Signal(object, object)

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: Work | None = work
        self._cancelled = threading.Event()
        self._percent = 0
        self._fault: Exception | None = None
        # Bound methods of this object run on its own thread, whoever emits.
        connect(self._advanced, self._report_progress)
        connect(self._ended, self._report)

    def start(self, pool: QThreadPool | None = None) -> Job:
        """Start the work on a thread of ``pool`` (None: the global pool); returns the job."""
        self._started.add(self)
        # A callable: PySide never frees a QRunnable that ends before ``start`` returns.
        (pool or QThreadPool.globalInstance()).start(self._run)
        return self

    @property
    def running(self) -> bool:
        """True if it was started and has not told its end."""
        return self in self._started

    def cancel(self) -> None:
        """Ask the work to stop; ``stopped`` follows when it has."""
        self._cancelled.set()

    @classmethod
    def any_running(cls) -> bool:
        """Return whether a job was started that has not told its end."""
        return bool(cls._started)

    @classmethod
    def finish_all(cls) -> None:
        """Cancel all jobs and wait up to ``LAST_WAIT_MS`` for them: the program ends."""
        for job in cls._started:
            job.cancel()
        QThreadPool.globalInstance().waitForDone(LAST_WAIT_MS)

    def _advance(self, percent: int) -> None:
        """Report changes only: too many events would keep mouse and keys waiting."""
        if percent != self._percent:
            self._percent = percent
            self._tell(self._advanced, percent)

    def _result(self) -> Any:
        """Return the result of the work, on the pool's thread."""
        assert self._work is not None  # it has not ended
        return self._work(self._advance, self._cancelled.is_set)

    @guarded
    def _run(self) -> None:
        try:
            result = self._result()
            problems: tuple[Problem, ...] | None = None
        except ProblemError as reason:
            result = None
            problems = reason.problems
        except Exception as reason:  # noqa: BLE001 - reported by _report
            import traceback

            traceback.print_exc()
            self._fault = reason
            result = None
            problems = (problem_of(reason),)
        self._tell(self._ended, result, problems)

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        """Emit a signal on the pool's thread; work that has nobody to tell is to stop."""
        if not emit_from_work(self, signal, *values):
            self.cancel()

    def _report_progress(self, percent: int) -> None:
        if not self._cancelled.is_set():
            self.progressed.emit(percent)

    def _report(self, result: object, problems: object) -> None:
        self._started.discard(self)
        self._work = None  # what it holds is freed on this thread, whoever still has the job
        # it holds the frames of the work
        fault = self._fault
        self._fault = None
        if fault is not None:
            if self.isSignalConnected(QMetaMethod.fromSignal(self.failed)):
                LOG.add(fault)
            else:
                report_fault(fault)
        if self._cancelled.is_set():
            self.stopped.emit()
        elif problems is not None:
            self.failed.emit(problems)
        else:
            self.finished.emit(result)


@contextmanager
def lent_thread() -> Iterator[None]:
    """For work of a job that mostly waits: meanwhile another job runs too."""
    pool = QThreadPool.globalInstance()
    pool.releaseThread()
    try:
        yield
    finally:
        pool.reserveThread()


def rest(wait_ms: int, cancelled: Callable[[], bool]) -> None:
    """Let the work of a job wait on its thread, unless cancelled; another job runs meanwhile."""
    with lent_thread():
        end = time.monotonic() + wait_ms / 1000
        while time.monotonic() < end and not cancelled():
            time.sleep(REST_STEP_S)
