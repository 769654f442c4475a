"""The gallery's status: what a search found, its progress, and the buttons that go on or end it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QToolButton, QVBoxLayout, QWidget

from app.appearance.quotes import with_quotes
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_text, tool_button
from app.widgets.layout.wrapping_row import WrappingLabel, WrappingRow, side_by_side
from randomizer.model.problems import Fix

BUSY_AFTER_MS = 120
"""A search that takes longer, in milliseconds, shows its progress."""

PROGRESS_WIDTH = 72
"""The width of the bar of the progress, in logical pixels."""


class GalleryStatus(QWidget):
    """Shows a message, and the progress of a search that takes long.

    ``buttons`` are the buttons for the chosen maps; they stand at its right end.
    """

    def __init__(self, buttons: Sequence[QToolButton]) -> None:
        super().__init__()
        self.message = WrappingLabel()
        self.progress = described(QProgressBar(), "Progress of the search")
        self.progress.setFixedWidth(PROGRESS_WIDTH)
        self.cancel_button = tool_button("Cancel", "Stop looking; what was found stays")
        self.fix_button = tool_button("Fix", name="Apply the fix of the filter's mistake")
        self.fix_button.hide()
        self.searching = side_by_side(self.progress, self.cancel_button)
        self.searching.hide()
        self.more = tool_button("More", "Go on with the numbers that follow")
        right = side_by_side(self.searching, *buttons, self.more, right=True)
        lay_out(QVBoxLayout(self), WrappingRow(self.message, self.fix_button, right), margins=0)
        self.busy_timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        """Runs out when a search has become slow."""
        connect(self.busy_timer.timeout, lambda: self._show_search(True))

    def offer_fix(self, fix: Fix | None) -> None:
        """Show the button for the fix of a mistake in the filter; None hides it."""
        self.fix_button.setVisible(fix is not None)
        if fix is not None:
            tip = f"Apply: {with_quotes(fix.title)} (Alt+Return)"
            self.fix_button.setToolTip(plain_text(tip))

    @property
    def is_slow(self) -> bool:
        """True while a search is under way that takes long: its progress is shown."""
        return not self.searching.isHidden()

    def show_busy(self, is_busy: bool) -> None:
        """Show the progress of a search that has begun, if it takes long; False hides it."""
        if is_busy:
            self.busy_timer.start()
        else:
            self.busy_timer.stop()
            self._show_search(False)

    def show_progress(self, percent: int) -> None:
        """Show how much of a search is done, in percent.

        At 1 % the bar only shows that something is being done: a search says 1 from its first step
        on, and one for rare maps may never come to 2.
        """
        if percent > 1:
            self.progress.setRange(0, 100)
        self.progress.setValue(percent)

    def _show_search(self, is_shown: bool) -> None:
        """Show the bar and its button, with nothing told of the progress yet; or hide them."""
        self.progress.setRange(0, 0)  # Qt shows a bar without a range as busy
        self.progress.setValue(0)
        self.searching.setVisible(is_shown)
