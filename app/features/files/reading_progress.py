"""Tells in the status bar that a file is being read, with a button that cancels it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QMetaObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.background.actions import Resume, Stopped, Wait, result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.qt_guard import connect, end_connection
from app.widgets.layout.builders import described, lay_out

SHOWN_AFTER_MS = 200
"""A file that takes longer is said to be read; for most ones it would only flicker."""

WIDTH = 220
"""The width of the bar with its button, in logical pixels."""

HEIGHT = 20
"""The height, in logical pixels: a status bar that grew would change the size of the map."""


class ReadingProgress(QWidget):
    """A bar that says that a file is being read, and the button *Cancel*.

    It is hidden while nothing is read, and for files that are read quickly.
    """

    cancelled = Signal()
    """The button was pressed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._message = ""
        """What the status bar says meanwhile."""
        bar = described(QProgressBar(), "A file is being read")
        bar.setRange(0, 0)  # how long it takes is not known
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Do not open the file")
        connect(self.cancel_button.clicked, lambda: self.cancelled.emit())
        lay_out(QHBoxLayout(self), (bar, 1), self.cancel_button, margins=0)
        self.setFixedSize(WIDTH, HEIGHT)
        desk.frame.statusBar().addPermanentWidget(self)
        self.hide()
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        connect(self._timer.timeout, self._show)

    async def result_of(self, job: Job, file_name: str) -> Any:
        """Return the result of a job that reads a file, and show meanwhile that it is read.

        Raises ProblemError, and Stopped if the user cancels.
        """
        self._message = f"Opening {file_name} ..."
        self._timer.start()
        job_ends = result(job)
        connections: list[QMetaObject.Connection] = []

        def begin(resume: Resume) -> None:
            # A reader cannot be interrupted, but nobody has to wait for it.
            connections.append(connect(self.cancelled, lambda: resume(None, Stopped())))
            connections.append(connect(self.cancelled, job.cancel))
            job_ends.begin(resume)

        try:
            return await Wait(begin)
        finally:
            for connection in connections:
                end_connection(connection)
            self._end()

    def _show(self) -> None:
        self.show()
        self._desk.say(self._message, lasting=True)

    def _end(self) -> None:
        self._timer.stop()
        self.hide()
        status_bar = self._desk.frame.statusBar()
        if status_bar.currentMessage() == self._message:
            status_bar.clearMessage()
