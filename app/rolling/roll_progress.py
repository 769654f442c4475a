"""The progress of a slow roll, and the button that cancels it, as ``RollBar`` shows them."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.widgets.layout.builders import described, lay_out
from randomizer.model.basics.plurals import counted
from randomizer.search_progress import tried_by


class RollProgress(QWidget):
    """Shows the progress of the roll under way; ``RollBar`` makes it visible for slow rolls."""

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
        """Show a progress of 1 to 100 %, 0: unknown. A search counts tried maps (``tried_by``)."""
        is_unknown = percent == 0 and not self._rolling.searching
        highest = 100
        if is_unknown:
            highest = 0  # Qt shows a bar without a range as busy
        self.bar.setRange(0, highest)
        self.bar.setValue(percent)
        text = "%p%"  # Qt's own: the percentage
        if self._rolling.searching:
            text = f"{counted(tried_by(percent), 'map')} tried"
        self.bar.setFormat(text)
