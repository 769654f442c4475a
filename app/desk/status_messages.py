"""The messages in the status bar of a window, and when they go.

Some go after a while, some stay until the next message. Others are true only for the present state
of the map ("Undid: Paint"), and go with it::

    messages.say("Saved as hills.xml.")
    messages.say_until_next_step("Undid: Paint.")       # gone once the map is changed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from app.appearance.quotes import with_quotes
from app.qt_guard import connect
from app.widgets.layout.builders import MESSAGE_MS

if TYPE_CHECKING:
    from app.document.document import MapDocument

LASTING_MS = 0
"""The time that Qt takes for no end: the message stays until the next one."""


class _PassingMessage(NamedTuple):
    """A message that is true for one state of a map."""

    text: str
    """The message."""

    map_state: object
    """The state of the map for which it was said (``OpenMap.state``)."""


class StatusMessages(QObject):
    """Shows messages in the status bar of a window."""

    def __init__(self, frame: QMainWindow, document: MapDocument, parent: QObject) -> None:
        super().__init__(parent)
        self._frame = frame
        self._document = document
        self._passing: _PassingMessage | None = None
        """What was said last until the next step; None once that step was done."""
        connect(document.work_refused, self.say_until_next_step)
        connect(document.steps_changed, self._on_steps_changed)

    def say(self, text: str, *, lasting: bool = False) -> None:
        """Show a message: for a while, or until the next one."""
        time_ms = MESSAGE_MS
        if lasting:
            time_ms = LASTING_MS
        self._frame.statusBar().showMessage(with_quotes(text), time_ms)

    def say_until_next_step(self, text: str) -> None:
        """Show a message that goes when the map is changed, or after a while."""
        self.say(text)
        self._passing = _PassingMessage(text, self._document.current_map.state)

    def drop_passing(self) -> None:
        """Take away what was said until the next step: the user goes on to something else."""
        if self._passing is not None:
            self.drop(self._passing.text)
            self._passing = None

    def drop(self, text: str) -> None:
        """Take a message away if it is the one that is shown; "" stands for none."""
        if not text:
            return  # asking for the bar would make it, in a window without one
        bar = self._frame.statusBar()
        if bar.currentMessage() == with_quotes(text):
            bar.clearMessage()

    def _on_steps_changed(self) -> None:
        passing = self._passing
        if passing is not None and passing.map_state != self._document.current_map.state:
            self.drop_passing()
