"""Shows each fault of the program once, as a Problem with details to copy."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.background.jobs import emit_from_work
from app.fault_log import LOG, Fault
from app.qt_guard import connect
from randomizer.installed import PROGRAM

if TYPE_CHECKING:
    from app.widgets.dialogs.problem_dialog import ProblemDialog

HEADING = "The program has a fault. It was caught: you can go on, and save your maps."

PACKAGE_HEADING = (
    "An installed package has a fault. It was caught: you can go on, and save your maps."
)

REPEAT_MS = 1000
"""A fault that comes up again is told at most so often; one in a ``paintEvent`` does at once."""


class Faults(QObject):
    """Tells the user of exceptions that nobody caught, on any thread, while it is installed.

    The first time a dialog comes, which stays one dialog while more faults come; after that the
    status bar says how often.
    """

    _first = Signal(object)
    _again = Signal(object)

    def __init__(self, frame: QWidget, say: Callable[[str], object]) -> None:
        super().__init__(frame)
        self._frame = frame
        self._say = say
        self._dialog: ProblemDialog | None = None
        self._shown: list[Fault] = []
        self._repeated: Fault | None = None
        self._repeat_timer = QTimer(self, singleShot=True, interval=REPEAT_MS)
        connect(self._repeat_timer.timeout, self._tell_again)
        # Not while Qt is painting, and on the UI thread.
        connect(self._first, self._show, Qt.ConnectionType.QueuedConnection)
        connect(self._again, self._tell_soon, Qt.ConnectionType.QueuedConnection)
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook

    def install(self) -> None:
        """Be told of all exceptions that nobody caught."""
        self._before = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._on_exception
        threading.excepthook = lambda ended: self._on_exception(
            ended.exc_type, ended.exc_value, ended.exc_traceback
        )
        sys.unraisablehook = lambda ended: self._on_exception(
            ended.exc_type, ended.exc_value, ended.exc_traceback
        )

    def remove(self) -> None:
        """Leave them again to who was told before: the program ends."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before

    def _on_exception(
        self,
        kind: type[BaseException],
        reason: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Log a fault; the first time it is printed, too. May be called on any thread."""
        if not isinstance(reason, Exception):
            sys.__excepthook__(kind, reason or kind(), trace)
            return
        fault = LOG.add(reason)
        if fault is None:
            return
        if fault.count == 1:
            sys.__excepthook__(kind, reason, trace)
            emit_from_work(self, self._first, fault)
        else:
            emit_from_work(self, self._again, fault)

    def _show(self, fault: Fault) -> None:
        from app.widgets.dialogs.problem_dialog import ProblemDialog

        self._shown.append(fault)
        problems = [shown.problem for shown in self._shown]
        is_program = any(shown.culprit == PROGRAM for shown in self._shown)
        heading = HEADING if is_program else PACKAGE_HEADING
        if self._dialog is not None:
            self._dialog.heading.setText(heading)
            self._dialog.show_problems(problems)
            return
        self._dialog = ProblemDialog(heading, problems, self._frame, details=LOG.details)
        connect(self._dialog.finished, self._close)
        self._dialog.show()  # the desk can still be used: maps can be saved

    def _close(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog = None
        self._shown = []

    def _tell_soon(self, fault: Fault) -> None:
        self._repeated = fault
        if not self._repeat_timer.isActive():
            self._repeat_timer.start()

    def _tell_again(self) -> None:
        fault = self._repeated
        if fault is not None:
            self._say(f"{fault.problem.message} - {fault.count} times.")
