"""How far a slow roll is, and the button that cancels it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.widgets.layout.builders import described, lay_out
from randomizer.generator import tried_by
from randomizer.model.basics.plurals import counted


class RollProgress(QWidget):
    """Follows the roll under way; who shows it decides when it is seen (``slow_changed``)."""

    def __init__(self, rolling: Rolling) -> None:
        super().__init__()
        self._rolling = rolling
        self.bar = described(QProgressBar(), "Progress of the roll")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop rolling; the map stays as it is (Escape on the map)")
        connect(self.cancel.clicked, rolling.cancel)
        connect(rolling.progressed, self._show_percent)
        connect(rolling.busy_changed, self._begin)
        lay_out(QHBoxLayout(self), (self.bar, 1), self.cancel, margins=0)
        self._show_percent(0)

    def _begin(self, _busy: bool) -> None:
        self._show_percent(0)

    def _show_percent(self, percent: int) -> None:
        busy = percent == 0 and not self._rolling.searching  # how far it is, it does not tell
        self.bar.setRange(0, 0 if busy else 100)
        self.bar.setValue(percent)
        tried = f"{counted(tried_by(percent), 'map')} tried"
        self.bar.setFormat(tried if self._rolling.searching else "%p%")
