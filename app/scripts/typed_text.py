"""A text that is being typed: ``TypedText``.

It begins with the first key, and ends when the user pauses, or earlier if somebody needs it now::

    typed.type("gro")       # each key replaces it, and the pause is waited for anew
    typed.type("ground")
    typed.finish()          # "ground"
    typed.finish()          # None: nothing is being typed
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from app.qt_guard import connect

TYPING_DELAY_MS = 120
"""The pause after the last key before a typed text goes into the map.

If it is larger, the map follows later; if it is smaller, half a word is rolled.
"""


class TypedText(QObject):
    """The text of an editor until the user pauses in typing."""

    paused = Signal()
    """The user has paused: the text should be finished."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._text: str | None = None
        """The text as it is typed so far, None while nothing is typed."""
        self._timer = QTimer(self, singleShot=True, interval=TYPING_DELAY_MS)
        """Runs out when the user pauses."""
        connect(self._timer.timeout, self.paused)

    @property
    def is_typed(self) -> bool:
        """True from the first key until ``finish``."""
        return self._text is not None

    def type(self, text: str) -> None:
        """Begin, or go on, with the text of the editor as it is after a key."""
        self._text = text
        self._timer.start()

    def finish(self) -> str | None:
        """End the typing, and return the typed text; None if nothing was typed."""
        text = self._text
        self._text = None
        self._timer.stop()
        return text
