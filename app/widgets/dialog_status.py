"""A line of a dialog that says how things stand: busy with what, done what, why not."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from randomizer.model.problems import Severity

ICON = 16
BAR_DELAY_MS = 200
"""Work that is done sooner shows no bar: it would only flicker."""


class DialogStatus(QWidget):
    """Words that wrap, an icon of how bad it is, and a bar while work is under way."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = QLabel()
        self._icon.setFixedWidth(ICON)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._icon.hide()
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setAccessibleName(name)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._bar.hide()
        self._bar_timer = QTimer(self, singleShot=True, interval=BAR_DELAY_MS)
        self._bar_timer.timeout.connect(self._bar.show)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._icon)
        line.addWidget(self.label, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._bar)

    @property
    def text(self) -> str:
        """The words shown."""
        return self.label.text()

    @property
    def busy(self) -> bool:
        """Whether it says that work is under way."""
        return self._bar_timer.isActive() or not self._bar.isHidden()

    def say(self, words: str, severity: Severity | None = None) -> None:
        """Show words; nothing is under way any more."""
        self._bar_timer.stop()
        self._bar.hide()
        self.label.setText(words)
        self._icon.setVisible(severity is not None)
        if severity is not None:
            colour = inks(self.palette()).severity(severity)
            self._icon.setPixmap(
                icon_pixmap(severity.value, ICON, self.devicePixelRatioF(), colour)
            )
            self._icon.setAccessibleName(severity.value)

    def work(self, words: str) -> None:
        """Say what is under way."""
        self.say(words)
        self._bar_timer.start()
