"""The status of a dialog: a text, its severity, and a bar while work is under way."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.problems import Problem, Severity

ICON = 16
"""The side of the icon of a severity, in logical pixels."""

_BAR_HEIGHT = 4
"""The height of the bar, in logical pixels."""


class SeverityIcon(QLabel):
    """The icon of a severity, hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.hide()

    def show_severity(self, severity: Severity | None) -> None:
        """Show the icon of a severity in the palette's colours of now; None: hide it."""
        self.setVisible(severity is not None)
        if severity is not None:
            colour = inks(self.palette()).severity(severity)
            self.setPixmap(icon_pixmap(severity.value, ICON, self.devicePixelRatioF(), colour))
            self.setAccessibleName(severity.value)


BAR_DELAY_MS = 200
"""The bar is not shown for shorter work: it would only flicker."""


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
        self._bar.setRange(0, 0)  # to Qt: nobody knows how long it takes
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(_BAR_HEIGHT)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that nothing moves when it appears
        self._bar.setSizePolicy(policy)
        self._bar.hide()
        self._bar_timer = QTimer(self, singleShot=True, interval=BAR_DELAY_MS)
        """Runs from the report of work until the bar is shown."""
        connect(self._bar_timer.timeout, self._bar.show)
        line = lay_out(QHBoxLayout(), self._icon, (self.label, 1), margins=0)
        lay_out(QVBoxLayout(self), line, self._bar, margins=0, spacing=2)

    @property
    def text(self) -> str:
        """The text shown."""
        return self.label.text()

    @property
    def busy(self) -> bool:
        """True if work was reported by ``work`` and nothing by ``say`` since."""
        return self._bar_timer.isActive() or not self._bar.isHidden()

    def say(self, text: str, severity: Severity | None = None) -> None:
        """Show a text, with the icon of a severity; no work is under way."""
        self._bar_timer.stop()
        self._bar.hide()
        self.label.setText(text)
        self._icon.show_severity(severity)

    def complain(self, problems: Iterable[Problem]) -> None:
        """Show the messages of problems that keep something from being done."""
        self.say("\n".join(problem.message for problem in problems), Severity.ERROR)

    def work(self, text: str) -> None:
        """Show a text about work that is under way, and the bar if it takes long."""
        self.say(text)
        self._bar_timer.start()
