"""Work on pool threads: started here, reported by signals, cancelled by a flag.

``Job`` is the class to use; an example stands below ``Work``. The life of a job:

    UI thread      Job(work) -> start                          -> _emit_end -> finished, failed
                                 |                            |                or stopped
    pool's thread                _run_job -> work -> JobEnds.job_ended
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, NamedTuple

from PySide6.QtCore import QMetaMethod, QObject, QThread, QThreadPool, Signal, SignalInstance
from shiboken6 import isValid

from app.fault_log import LOG, problem_of
from app.qt_guard import connect, guarded, report_fault
from randomizer.model.problems import Problem, ProblemError

LAST_WAIT_MS = 10_000
"""The milliseconds for which the end of the program waits for work under way, such as an export."""

SPARE_THREADS = 4
"""The pool has so many threads more than the machine has cores.

A search in the gallery, a count of odds and other long work each hold a thread for minutes. Without
spare threads a roll, or a file to be opened, would wait for their end. If it is larger, more jobs
compete for the interpreter with the drawing of the window.
"""

REST_STEP_S = 0.01
"""The seconds between two looks of a job that rests whether it was cancelled."""

SWITCH_S = 0.0001
"""Python's switch interval, for the whole program.

Nearly every call of Qt releases the interpreter lock and has to wait for it again: beside one
job that computes in Python, 12 ms of drawing took 100 ms at an interval of 0.5 ms and take 20 ms at
this one. Two jobs slow each other down by less than a tenth."""

# For the whole program, as soon as anything in it can have jobs.
sys.setswitchinterval(SWITCH_S)

Work = Callable[[Callable[[int], None], Callable[[], bool]], Any]
"""The work of a job, run on a pool thread: ``work(report_percent, is_cancelled)``.

What it returns goes to ``Job.finished``. It may report its progress (1 to 100), should often ask
whether it was cancelled, and may raise ProblemError. For example::

    def count_words(report_percent, is_cancelled):
        words = 0
        for number, path in enumerate(paths, 1):
            if is_cancelled():
                break
            words += len(path.read_text().split())
            report_percent(100 * number // len(paths))
        return words

    job = Job(count_words)
    connect(job.finished, show_count)
    job.start()
"""


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
    """One piece of work on a pool thread.

    Jobs are made on the UI thread, and the public signals are emitted there. Exactly one of
    ``finished``, ``failed`` and ``stopped`` comes; after ``cancel`` that is ``stopped``, whatever
    the work gave. A started job stays alive until then, even without a reference to it.

    What the work reports makes two steps: the pool's thread emits a private signal
    (``_percent_reported``, or ``JobEnds.job_ended`` at the end), which Qt delivers on the UI
    thread, and the slot there emits the public one.
    """

    progressed = Signal(int)
    """The progress of the work, 1 to 100."""

    finished = Signal(object)
    """The result of the work."""

    failed = Signal(object)
    """The problems (``tuple[Problem, ...]``) for which the work gave no result.

    An exception other than ProblemError is a fault of the program; it comes as a problem too. Where
    nobody is connected with this signal, it is shown like the faults of a slot."""

    stopped = Signal()
    """The work has ended after ``cancel``."""

    _percent_reported = Signal(int)

    _started: ClassVar[set[Job]] = set()
    """The jobs that were started and have not told their end. This keeps them alive."""

    ends: ClassVar[JobEnds | None] = None
    """Tells the jobs their ends; None before the first job has started."""

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: Work | None = work
        """None when it has ended."""
        self._cancelled = threading.Event()
        self._percent = 0
        """The latest progress that the work reported."""
        self._fault: Exception | None = None
        """The exception of the work, if that was no ProblemError; set by the pool's thread."""
        # Bound methods of this object run on its own thread, whoever emits.
        connect(self._percent_reported, self._emit_progress)

    def start(self, pool: QThreadPool | None = None) -> Job:
        """Start the work on a thread of ``pool`` (None: the global pool), and return the job.

        A job is started once.
        """
        assert not self.running, "a job is started once"
        self._started.add(self)
        if Job.ends is None:
            Job.ends = JobEnds()
            usual_pool = QThreadPool.globalInstance()
            usual_pool.setMaxThreadCount(QThread.idealThreadCount() + SPARE_THREADS)
        # A callable: PySide never frees a QRunnable that ends before ``start`` returns. The job
        # comes in a list, from which ``_run_job`` takes the last reference to it.
        (pool or QThreadPool.globalInstance()).start(partial(_run_job, [self], Job.ends))
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
    def finish_all(cls, wait_ms: int = LAST_WAIT_MS) -> bool:
        """Cancel all jobs and wait for them: the program ends.

        Return whether all of the global pool have ended; work that does not look whether it is
        cancelled may go on. For a pool of its own, an object waits itself.
        """
        for job in cls._started:
            job.cancel()
        return QThreadPool.globalInstance().waitForDone(wait_ms)

    # --- on the pool's thread -----------------------------------------------------------------

    def _run(self) -> _Outcome:
        """Run the work and return its outcome; a fault of the program is noted and printed, too."""
        try:
            return _Outcome(self._result_of_work(), None)
        except ProblemError as reason:
            return _Outcome(None, reason.problems)
        except Exception as fault:  # noqa: BLE001 - reported by _report_fault
            import traceback

            # Printed here, where its traceback is at hand; the UI thread logs it and shows it.
            traceback.print_exc()
            self._fault = fault
            return _Outcome(None, (problem_of(fault),))

    def _result_of_work(self) -> Any:
        """Run the work and return its result; a subclass may do more with that."""
        assert self._work is not None, "a job is started once"
        return self._work(self._report_percent, self._cancelled.is_set)

    def _report_percent(self, percent: int) -> None:
        """Report changes only: too many events would keep mouse and keys waiting."""
        if percent != self._percent:
            self._percent = percent
            self._emit_from_pool(self._percent_reported, percent)

    def _emit_from_pool(self, signal: SignalInstance, *values: object) -> None:
        """Emit a private signal; if Qt has deleted the job, nobody waits for the work: stop it."""
        if not emit_from_work(self, signal, *values):
            self.cancel()

    # --- on the thread of the job -------------------------------------------------------------

    def _emit_progress(self, percent: int) -> None:
        """Hand progress on, unless the job was cancelled after the work reported it."""
        if not self._cancelled.is_set():
            self.progressed.emit(percent)

    def _emit_end(self, outcome: _Outcome) -> None:
        """Emit the signal of the outcome, after what the work holds was freed."""
        self._started.discard(self)
        # What the work refers to may be Qt objects, which must be freed on this thread; somebody
        # may keep the job itself for long.
        self._work = None
        if not isValid(self):  # its owner has gone, and nobody waits for it
            return
        self._report_fault()
        if self._cancelled.is_set():
            self.stopped.emit()
        elif outcome.problems is not None:
            self.failed.emit(outcome.problems)
        else:
            self.finished.emit(outcome.result)

    def _report_fault(self) -> None:
        """Log a fault of the work if ``failed`` will show it, else show it here as well.

        ``failed`` shows nothing if nobody is connected with it, or after ``cancel``.
        """
        fault = self._fault
        if fault is None:
            return
        # The traceback of an exception holds the frames of the work, with all their variables.
        self._fault = None
        is_connected = self.isSignalConnected(QMetaMethod.fromSignal(self.failed))
        if is_connected and not self._cancelled.is_set():
            LOG.add(fault)
        else:
            report_fault(fault)


class _Outcome(NamedTuple):
    """The result of the work of a job, or its problems."""

    result: object
    """The value that the work returned; None if there are problems."""

    problems: tuple[Problem, ...] | None
    """The reasons why there is no result; None if there is one."""


class JobEnds(QObject):
    """Tells jobs on the UI thread that their work has ended."""

    job_ended = Signal()
    """There is another entry of ``ended_jobs``; emitted on the threads of pools."""

    def __init__(self) -> None:
        super().__init__()
        self.ended_jobs: deque[tuple[Job, _Outcome]] = deque()
        """The jobs that have not told their end, each with its outcome."""
        connect(self.job_ended, self._tell)

    def _tell(self) -> None:
        """Let the job that ended first tell its end."""
        job, outcome = self.ended_jobs.popleft()
        job._emit_end(outcome)


@guarded
def _run_job(given_job: list[Job], ends: JobEnds) -> None:
    """Run the only job of a list, on a thread of a pool, and hand it back to the UI thread.

    A QObject dies with the last reference to it. If that were one of this thread, the job would be
    destroyed here while Qt's event loop may be delivering a signal to it: the program crashes. So
    this thread holds no reference to the job, nor to its outcome, when it tells the end.
    """
    job = given_job.pop()
    ends.ended_jobs.append((job, job._run()))
    del job
    emit_from_work(ends, ends.job_ended)


@contextmanager
def lent_thread() -> Iterator[None]:
    """Let another job run on the pool during work of a job that mostly waits.

    The pool runs as many jobs at once as it has threads; one that waits gives up its share.
    """
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
