"""Shows faults of the program: exceptions that nobody caught, as Problems with details to copy.

While ``Faults`` is installed, Python calls ``_on_exception`` for each of them, on any thread,
through three *hooks*: functions that Python calls for exceptions on the main thread, on other
threads, and in destructors and other places where it cannot raise them. A
fault that comes for the first time opens a dialog (``_show_in_dialog``); the same one again is only
counted in the status bar (``_report_repeated``).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.background.jobs import emit_from_work
from app.fault_log import LOG, Fault
from app.qt_guard import connect
from randomizer.installed import PROGRAM

if TYPE_CHECKING:
    from app.widgets.dialogs.problem_dialog import ProblemDialog

HEADING = "The program has a fault. It was caught: you can go on, and save your maps."
"""The heading where any of the faults is the program's own."""

PACKAGE_HEADING = (
    "An installed package has a fault. It was caught: you can go on, and save your maps."
)
"""The heading where all faults are those of installed packages."""

REPEAT_MS = 1000
"""The interval at which a repeated fault is reported at most.

One in a ``paintEvent`` is raised again at each paint.
"""


class _Hooks(NamedTuple):
    """What Python calls for exceptions that nobody caught."""

    main_thread: Callable[..., Any]
    """``sys.excepthook``."""

    other_threads: Callable[..., Any]
    """``threading.excepthook``."""

    destructors: Callable[..., Any]
    """``sys.unraisablehook``."""

    @classmethod
    def current(cls) -> _Hooks:
        """Return the hooks that are set now."""
        return cls(sys.excepthook, threading.excepthook, sys.unraisablehook)

    def set(self) -> None:
        """Let Python call these hooks from now on."""
        sys.excepthook = self.main_thread
        threading.excepthook = self.other_threads
        sys.unraisablehook = self.destructors


class Faults(QObject):
    """Reports exceptions that nobody caught, on any thread, while it is installed.

    There is one dialog at most: further faults are added to the one that is open.
    """

    _came_first = Signal(object)
    """A ``Fault`` came for the first time; emitted on the thread where it was raised."""

    _came_again = Signal(object)
    """A known ``Fault`` came once more; emitted on the thread where it was raised."""

    def __init__(self, frame: QWidget, say: Callable[[str], object]) -> None:
        """``say`` shows a text in the status bar."""
        super().__init__(frame)
        self._frame = frame
        self._say = say
        self._dialog: ProblemDialog | None = None
        """The dialog that is open, None if there is none."""
        self._faults_in_dialog: list[Fault] = []
        """The faults that the open dialog shows."""
        self._repeated_fault: Fault | None = None
        """The repeated fault that is reported when the timer ends."""
        self._repeat_timer = QTimer(self, singleShot=True, interval=REPEAT_MS)
        connect(self._repeat_timer.timeout, self._report_repeated)
        # Queued: so the slots run on the UI thread, and not while Qt is painting.
        connect(self._came_first, self._show_in_dialog, Qt.ConnectionType.QueuedConnection)
        connect(self._came_again, self._report_soon, Qt.ConnectionType.QueuedConnection)
        self._previous_hooks: _Hooks | None = None
        """The hooks as they were before ``install``; None while it is not installed."""

    def install(self) -> None:
        """Handle all exceptions that nobody caught from now on, until ``remove``."""
        self._previous_hooks = _Hooks.current()
        hooks = _Hooks(
            main_thread=self._on_exception,
            other_threads=self._on_hook_args,
            destructors=self._on_hook_args,
        )
        hooks.set()

    def remove(self) -> None:
        """Set the hooks that were there before ``install``: the program ends."""
        if self._previous_hooks is not None:
            self._previous_hooks.set()
            self._previous_hooks = None

    def _on_hook_args(self, raised: threading.ExceptHookArgs | sys.UnraisableHookArgs) -> None:
        """Unpack the one argument that the hooks of threads and destructors get."""
        if raised.exc_type is SystemExit:  # a thread ends by it, without a word
            return
        self._on_exception(raised.exc_type, raised.exc_value, raised.exc_traceback)

    def _on_exception(
        self,
        kind: type[BaseException],
        reason: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Log a fault and report it; print it the first time. Any thread may call this."""
        if not isinstance(reason, Exception):  # such as KeyboardInterrupt: no fault of the program
            sys.__excepthook__(kind, reason or kind(), trace)
            return
        fault = LOG.add(reason)
        if fault is None:  # the log is full of other faults
            return
        if fault.count == 1:
            sys.__excepthook__(kind, reason, trace)
            emit_from_work(self, self._came_first, fault)
        else:
            emit_from_work(self, self._came_again, fault)

    def _show_in_dialog(self, fault: Fault) -> None:
        """Add a fault to the dialog that is open, or open one."""
        from app.widgets.dialogs.problem_dialog import ProblemDialog

        self._faults_in_dialog.append(fault)
        problems = [dialog_fault.problem for dialog_fault in self._faults_in_dialog]
        culprits = {dialog_fault.culprit for dialog_fault in self._faults_in_dialog}
        heading = PACKAGE_HEADING
        if PROGRAM in culprits:
            heading = HEADING
        if self._dialog is not None:
            self._dialog.heading.setText(heading)
            self._dialog.show_problems(problems)
            return
        self._dialog = ProblemDialog(heading, problems, self._frame, details=LOG.details)
        connect(self._dialog.finished, self._on_dialog_closed)
        self._dialog.show()  # the desk can still be used: maps can be saved

    def _on_dialog_closed(self) -> None:
        """Forget the dialog, which the user has closed, and its faults."""
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = None
        self._faults_in_dialog = []

    def _report_soon(self, fault: Fault) -> None:
        """Report a repeated fault when the timer ends, which may be running for an earlier one."""
        self._repeated_fault = fault
        if not self._repeat_timer.isActive():
            self._repeat_timer.start()

    def _report_repeated(self) -> None:
        """Say in the status bar how often the last repeated fault has come."""
        fault = self._repeated_fault
        if fault is not None:
            self._say(f"{fault.problem.message} - {fault.count} times.")
