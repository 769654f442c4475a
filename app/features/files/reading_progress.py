"""The progress bar in the status bar that shows while a file is read, with a button to cancel.

``MapReader`` has one ``ReadingProgress`` and awaits through it the jobs that read files::

    file_read = await self._progress.result_of(job, "Rhineland.battlemap")
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QMetaObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.background.actions import Resume, Stopped, Wait, result
from app.background.jobs import Job
from app.desk.desk import Desk
from app.qt_guard import connect, end_connection
from app.widgets.layout.builders import described, lay_out

DELAY_MS = 200
"""The bar shows when a file takes longer than this: for most files it would only flicker."""

WIDTH_PX = 220
"""The width of the bar with its button, in logical pixels."""

HEIGHT_PX = 20
"""The height, in logical pixels: a status bar that grew would change the size of the map."""


class ReadingProgress(QWidget):
    """A progress bar without an end, and the button *Cancel*.

    It adds itself to the status bar, and is hidden unless a file takes longer than ``DELAY_MS``.
    """

    cancelled = Signal()
    """The button *Cancel* was pressed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._message = ""
        """The message of the status bar on the file that is read, such as "Opening x.map ..."."""

        bar = described(QProgressBar(), "A file is being read")
        bar.setRange(0, 0)  # Qt then shows a bar that moves without an end: none is known
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Do not open the file")
        connect(self.cancel_button.clicked, lambda: self.cancelled.emit())
        lay_out(QHBoxLayout(self), (bar, 1), self.cancel_button, margins=0)
        self.setFixedSize(WIDTH_PX, HEIGHT_PX)
        desk.frame.statusBar().addPermanentWidget(self)
        self.hide()
        self._delay_timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        connect(self._delay_timer.timeout, self._show_bar)

    async def result_of(self, job: Job, file_name: str) -> Any:
        """Start a job that reads a file, and return its result; meanwhile the bar shows.

        One job at a time: there is one bar. Raises ProblemError if the file cannot be read, and
        Stopped if the user cancels.
        """
        self._message = f"Opening {file_name} ..."
        self._delay_timer.start()
        end_of_job = result(job)
        cancel_connections: list[QMetaObject.Connection] = []

        def wait_for_job_or_cancel(resume: Resume) -> None:
            # ``resume`` lets this action go on: with the job's result, or else with Stopped. A
            # reader cannot be interrupted: the caller goes on at once, and the job ends later.
            stop_waiting = connect(self.cancelled, lambda: resume(fault=Stopped()))
            cancel_connections.append(stop_waiting)
            cancel_connections.append(connect(self.cancelled, job.cancel))
            end_of_job.begin(resume)

        try:
            return await Wait(wait_for_job_or_cancel)
        finally:
            # The next file that is read must not be cancelled by connections of this one.
            for connection in cancel_connections:
                end_connection(connection)
            self._hide_bar()

    def _show_bar(self) -> None:
        """Show the bar and the message."""
        self.show()
        self._desk.say(self._message, lasting=True)

    def _hide_bar(self) -> None:
        """Hide the bar, and take the message away unless another one has replaced it."""
        self._delay_timer.stop()
        self.hide()
        status_bar = self._desk.frame.statusBar()
        if status_bar.currentMessage() == self._message:
            status_bar.clearMessage()
