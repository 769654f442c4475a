"""Long work off the UI thread: started here, told by signals, cancelled by a word."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from randomizer.model.problems import Problem, ProblemError, Severity

LAST_WAIT_MS = 10_000
"""How long the end of the program waits for work under way (an export, a large file)."""

SWITCH_S = 0.0001
"""How long a thread keeps the interpreter from others that want it. Nearly every call of Qt gives
it away and has to ask anew: a turn of 12 ms took 100 at 0.5 ms, beside one job that computes in
Python, and takes 20 so. Two jobs lose less than a tenth to each other."""

sys.setswitchinterval(SWITCH_S)


class Work(Protocol):
    """What a job runs. It calls ``progress`` (1 .. 100) and looks at ``cancelled`` often."""

    def __call__(self, progress: Callable[[int], None], cancelled: Callable[[], bool], /) -> Any:
        """The work; its result goes to ``finished``."""


class Job(QObject):
    """One piece of work on a pool thread. All signals arrive on the thread that made the job.

    ``finished(result)`` or ``failed(problems)`` or ``stopped()`` comes exactly once. A result that
    arrives after ``cancel`` was called is dropped. A started job lives until it has reported, also
    if nobody keeps it.
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
        self._work = work
        self._cancelled = threading.Event()
        self._percent = 0
        # Bound methods of this object run on its own thread, whoever emits.
        self._advanced.connect(self._tell_progress)
        self._ended.connect(self._report)

    def start(self, pool: QThreadPool | None = None) -> Job:
        """Hand the work to a pool thread."""
        self._started.add(self)
        (pool or QThreadPool.globalInstance()).start(_Runner(self))
        return self

    def cancel(self) -> None:
        """Ask the work to stop; ``stopped`` follows when it has."""
        self._cancelled.set()

    @classmethod
    def finish_all(cls) -> None:
        """Before the program ends: ask every job to stop, wait for those that cannot at once."""
        for job in cls._started:
            job.cancel()
        QThreadPool.globalInstance().waitForDone(LAST_WAIT_MS)

    def _advance(self, percent: int) -> None:
        """Tell news only: events that come faster than they are handled starve mouse and keys."""
        if percent != self._percent:
            self._percent = percent
            self._advanced.emit(percent)

    def _run(self) -> None:
        try:
            result = self._work(self._advance, self._cancelled.is_set)
            problems: tuple[Problem, ...] | None = None
        except ProblemError as reason:
            result, problems = None, reason.problems
        except Exception as reason:  # noqa: BLE001 - told to the user, with its place, below
            import traceback

            place = traceback.extract_tb(reason.__traceback__)[-1]
            text = f"a fault in the program: {reason!r} ({place.name}, line {place.lineno})"
            traceback.print_exc()
            result, problems = None, (Problem(Severity.ERROR, "program-fault", text),)
        self._ended.emit(result, problems)

    def _tell_progress(self, percent: int) -> None:
        if not self._cancelled.is_set():
            self.progressed.emit(percent)

    def _report(self, result: object, problems: object) -> None:
        self._started.discard(self)
        if self._cancelled.is_set():
            self.stopped.emit()
        elif problems is not None:
            self.failed.emit(problems)
        else:
            self.finished.emit(result)


class _Runner(QRunnable):
    """Keeps its job alive while it runs."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job

    def run(self) -> None:
        """Run on a pool thread."""
        self._job._run()
