"""The slider that steps through the statements of a script, with the text beside it.

A *stage* of an ``OddsTable`` has the odds after one statement. At the right end of the slider are
the odds after the whole script::

    ======o------  After line 3: AREA (middle)
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import lay_out, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.batches.odds_table import OddsTable

WHOLE_SCRIPT = "After the whole script"
"""The text beside the slider while it is at its right end."""

STEPS_TIP = "The slider steps through the script: the odds after each statement"
"""The tool tip of the slider."""

HEXSIDES_AT_END = "Hexsides are rolled after all AREAs: they have odds after the whole script only"
"""The tool tip of the slider while a hexside is chosen."""


class StageSlider(QWidget):
    """Chooses the stage of a table whose odds are shown."""

    stage_changed = Signal()
    """The user has chosen another stage."""

    def __init__(self) -> None:
        super().__init__()
        self._table: OddsTable | None = None
        """The table through which the slider steps; None if there are no odds."""
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setPageStep(1)
        self.slider.setAccessibleName("After which statement")
        self.label = ElidedLabel(WHOLE_SCRIPT)
        lay_out(QHBoxLayout(self), (self.slider, 2), (self.label, 3), margins=0)
        connect(self.slider.valueChanged, self._on_moved)

    @property
    def stage(self) -> int | None:
        """The index of the chosen stage of the table; None after the whole script."""
        value = self.slider.value()
        if value >= self.slider.maximum() or not self.slider.isEnabled():
            return None
        return value

    def show_table(self, table: OddsTable | None, *, is_of_hexsides: bool, has_locks: bool) -> None:
        """Step through the stages of a table from now on; at its end the slider stays at the end.

        Without stages it is disabled: for odds of hexsides (``is_of_hexsides``), under locks
        (``has_locks``), for scripts that are not followed line by line, and without a table.
        """
        was_at_end = self.stage is None
        self._table = table
        stage_count = 0
        if table is not None:
            stage_count = len(table.stages)
        why_disabled = ""
        text = WHOLE_SCRIPT
        if table is not None and is_of_hexsides:
            text = "Hexsides: only at the end"
            why_disabled = HEXSIDES_AT_END
        elif table is not None and not table.stages and has_locks:
            text = "Line by line: not under locks"
            why_disabled = f"{STEPS_TIP}. Under locks only finished maps are counted"
        elif table is not None and not table.stages:
            text = "Line by line: not here"
            why_disabled = f"{STEPS_TIP}. This script is not followed line by line"
        with QSignalBlocker(self.slider):
            # A range of one value would have the slider at both of its ends.
            self.slider.setRange(0, max(stage_count - 1, 1))
            if was_at_end:
                self.slider.setValue(self.slider.maximum())
            self.slider.setEnabled(stage_count > 1 and not is_of_hexsides)
        if why_disabled:
            self.label.setText(text)
            self.slider.setToolTip(plain_text(why_disabled))
            self.label.setToolTip(plain_text(why_disabled))
        else:
            self._show_statement()

    def _on_moved(self) -> None:
        """Show the statement of the stage that the user has chosen."""
        self._show_statement()
        self.stage_changed.emit()

    def _show_statement(self) -> None:
        """Show after which statement the odds are."""
        text = WHOLE_SCRIPT
        stage = self.stage
        if stage is not None and self._table is not None:
            origin = self._table.stages[stage].origin
            text = f"After line {origin.line}: {origin.text}"
        self.label.setText(text)
        self.label.setToolTip(plain_text(text))
        self.slider.setToolTip(plain_text(STEPS_TIP))
