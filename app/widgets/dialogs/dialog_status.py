"""The status of a dialog: a text, its severity, and a bar while work is under way.

A dialog makes one for what it is doing::

    status.show_working("Reading the map...")       # the bar is shown if it takes long
    status.say("3 warnings", Severity.WARNING)
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.appearance.icons import icon_pixmap
from app.appearance.quotes import with_quotes
from app.appearance.text_colours import inks
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.problems import Problem, Severity

ICON = 16
"""The width of the icon of a severity, in logical pixels."""

BAR_HEIGHT = 4
"""The height of the bar, in logical pixels."""

BAR_DELAY_MS = 200
"""The milliseconds until the bar is shown: for shorter work it would only flicker."""


class SeverityIcon(QLabel):
    """The icon of a severity, hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.hide()

    def show_severity(self, severity: Severity | None) -> None:
        """Show the icon of a severity in the colours of the present palette; None hides it."""
        self.setVisible(severity is not None)
        if severity is None:
            return
        colour = inks(self.palette()).of_severity(severity)
        self.setPixmap(icon_pixmap(severity.value, ICON, self.devicePixelRatioF(), colour))
        self.setAccessibleName(severity.value)


class DialogStatus(QWidget):
    """A text that wraps, an icon of its severity, and a bar while work is under way.

    ``name`` is the accessible name of the text.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = SeverityIcon()
        self._icon.setFixedWidth(ICON)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label = described(plain_label(wordWrap=True), name)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)  # Qt shows a bar without a range as busy
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(BAR_HEIGHT)
        policy = self._bar.sizePolicy()  # its room stays free: nothing moves when it is shown
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._bar.hide()
        self._bar_timer = QTimer(self, singleShot=True, interval=BAR_DELAY_MS)
        connect(self._bar_timer.timeout, self._bar.show)
        line = lay_out(QHBoxLayout(), self._icon, (self.label, 1), margins=0)
        lay_out(QVBoxLayout(self), line, self._bar, margins=0, spacing=2)

    @property
    def text(self) -> str:
        """The text shown."""
        return self.label.text()

    @property
    def busy(self) -> bool:
        """True from a call of ``show_working`` to the next call of ``say``."""
        return self._bar_timer.isActive() or not self._bar.isHidden()

    def say(self, text: str, severity: Severity | None = None) -> None:
        """Show a text, with the icon of a severity; no work is under way."""
        self._bar_timer.stop()
        self._bar.hide()
        self.label.setText(with_quotes(text))
        self._icon.show_severity(severity)

    def complain(self, problems: Iterable[Problem]) -> None:
        """Show the messages of problems that keep something from being done."""
        self.say("\n".join(problem.message for problem in problems), Severity.ERROR)

    def show_working(self, text: str) -> None:
        """Show a text about work that is under way, and the bar if it takes long."""
        self.say(text)
        self._bar_timer.start()
