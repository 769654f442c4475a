"""The player below the dice log: it shows line by line how the dice have laid a table.

A *line* is one of the dice log, known by its number from 0. The player only counts lines: it emits
``line_shown``, and ``LogController`` shows the map as it was after that line. The player is

- *stopped*: ``line`` is ``NO_LINE``, and the map is shown as it is;
- *paused*: it stays at ``line``;
- *playing*: a timer goes from ``line`` to the next one, and stops the player after the last.
"""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSlider, QToolButton, QVBoxLayout, QWidget

from app.appearance.icons import icon
from app.qt_guard import connect, guarded
from app.systems.cordery.dice_faces import DiceFaces
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, lay_out, plain_text

SPEEDS = (("slow", 2000), ("normal", 900), ("fast", 300))
"""The titles of the speeds, each with the time for which a line is shown, in milliseconds."""

NO_LINE = -1
"""Stands for the map as it is, after all lines and with what was painted since."""


class DicePlayer(QWidget):
    """Steps through the lines of the log by buttons and a slider, or plays them in time."""

    line_shown = Signal(int)
    """The map is to be shown as it was after this line, or as it is (``NO_LINE``)."""

    def __init__(self) -> None:
        super().__init__()
        self._line_count = 0
        self._why_not = ""
        """The reason why there are no lines to play, as a tip; "" for none."""
        self.line = NO_LINE
        """The line that the map shows."""
        self._timer = QTimer(self)
        """Shows the next line; it is active while the player is *playing*."""
        self._make_widgets()
        self._lay_out()
        self._connect()
        self.disable()

    def _make_widgets(self) -> None:
        """Make the buttons, the slider, the choice of speeds and the row of dice."""
        self.play_button = self._button("Play the dice", "Show how the table was laid")
        self.back_button = self._button("Back", "One line back")
        self.forth_button = self._button("Forth", "One line forth")
        self.stop_button = self._button("Stop", "Show the map as it is")
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "Line of the log")
        self.slider.setMinimumWidth(28)  # logical pixels, for a narrow panel
        self.speed = pass_wheel_on(QComboBox())
        for title, wait_ms in SPEEDS:
            self.speed.addItem(title, wait_ms)
        self.speed.setCurrentText("normal")
        self.speed.setAccessibleName("Speed")
        self.speed.setToolTip("How fast the dice are played")
        self.faces = DiceFaces()  # ``LogController`` fills it when ``line_shown`` is emitted
        self.faces.hide()

    def _lay_out(self) -> None:
        """Put all controls into one row, and the dice below it."""
        controls = QHBoxLayout()
        controls.setSpacing(0)
        for widget in (self.back_button, self.play_button, self.forth_button, self.stop_button):
            controls.addWidget(widget)
        controls.addWidget(self.slider, 1)
        controls.addWidget(self.speed)
        lay_out(QVBoxLayout(self), controls, self.faces, margins=0, spacing=2)

    def _connect(self) -> None:
        """Connect the timer and the controls."""
        connect(self._timer.timeout, self._show_next_line)
        connect(self.play_button.clicked, self.play_or_pause)
        connect(self.back_button.clicked, self._step_back)
        connect(self.forth_button.clicked, self._step_forth)
        connect(self.stop_button.clicked, self.stop)
        connect(self.slider.valueChanged, self._on_slider)
        connect(self.speed.activated, self._change_speed)

    def _button(self, name: str, tip: str) -> QToolButton:
        """Return a button; ``draw_icons`` gives it its icon."""
        button = described(QToolButton(), name, tip)
        button.setAutoRaise(True)
        return button

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        self.back_button.setIcon(icon("previous"))
        self.forth_button.setIcon(icon("next"))
        self.stop_button.setIcon(icon("stop"))
        self._show_what_play_does()

    def _show_what_play_does(self) -> None:
        """Give the first button the icon, the name and the tip of what it does now."""
        if self._is_playing:
            picture = "pause"
            name = "Pause"
            tip = "Stay at this line"
        else:
            picture = "play"
            name = "Play the dice"
            tip = "Show how the table was laid"
        self.play_button.setIcon(icon(picture))
        self.play_button.setAccessibleName(name)
        if self._why_not:
            tip = self._why_not
        self.play_button.setToolTip(plain_text(tip))

    def set_count(self, count: int) -> None:
        """Set how many lines there are to play; the player stops."""
        self._set_lines(count, "")

    def disable(self, reason: str = "") -> None:
        """Stop, and play nothing, for this reason; "" if nobody needs to be told."""
        self._set_lines(0, reason)

    def _set_lines(self, count: int, why_not: str) -> None:
        """Stop, and set the number of lines; ``why_not`` tells why there are none."""
        self.stop()
        self._why_not = why_not
        self.draw_icons()
        self._line_count = count
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, count - 1))
            self.slider.setValue(max(0, count - 1))
        self._enable()

    def _enable(self) -> None:
        """Enable the buttons that can do something at the present line."""
        has_lines = self._line_count > 0
        self.play_button.setEnabled(has_lines)
        self.slider.setEnabled(has_lines)
        self.back_button.setEnabled(has_lines and self.slider.value() > 0)
        self.forth_button.setEnabled(0 <= self.line < self._line_count - 1)
        self.stop_button.setEnabled(self.line != NO_LINE)

    # --- playing ----------------------------------------------------------------------------

    @property
    def _is_playing(self) -> bool:
        """True while the dice are played."""
        return self._timer.isActive()

    def play_or_pause(self) -> None:
        """Pause while the dice are played, else play them from the line that the map shows.

        They are played from the first line if the map shows the last one, or is shown as it is.
        """
        if self._is_playing:
            self._pause()
            return
        if self._line_count > 0:
            is_at_end = self.line == self._line_count - 1
            if is_at_end or self.line == NO_LINE:
                self.show_line(0)
            self._timer.start(self.speed.currentData())
            self._show_what_play_does()

    def _pause(self) -> None:
        """Stay at the line that the map shows."""
        self._timer.stop()
        self._show_what_play_does()

    def _change_speed(self) -> None:
        """Show the next lines for as long as the chosen speed says."""
        self._timer.setInterval(self.speed.currentData())

    def _show_next_line(self) -> None:
        """Show the next line, as the timer has fired; after the last one the map as it is."""
        if self.line + 1 < self._line_count:
            self.show_line(self.line + 1)
        else:
            self.stop()

    def _step_back(self) -> None:
        """Show the line before."""
        self._step(-1)

    def _step_forth(self) -> None:
        """Show the next line."""
        self._step(1)

    def _step(self, step: int) -> None:
        """Show the line that is ``step`` lines after that of the slider, and pause there.

        If the player is stopped, its slider is at the last line.
        """
        self._pause()
        last_line = self._line_count - 1
        self.show_line(min(max(self.slider.value() + step, 0), last_line))

    def _on_slider(self, line: int) -> None:
        """Show the line to which the slider was moved."""
        if line != self.line:
            self.show_line(line)

    def show_line(self, line: int) -> None:
        """Show the table as it was after a line."""
        self.line = line
        with QSignalBlocker(self.slider):
            self.slider.setValue(line)
        self._enable()
        self.faces.show()
        self.line_shown.emit(line)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Stop, as a user who sees no player would take an old state of the table for the map."""
        # A spontaneous event comes from the system, when the window is minimized: it comes back.
        if not event.spontaneous():
            self.stop()
        super().hideEvent(event)

    def stop(self) -> None:
        """Show the map as it is, and play no further."""
        if self._is_playing:
            self._pause()
        has_shown_line = self.line != NO_LINE
        self.line = NO_LINE
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.slider.maximum())
        self._enable()
        self.faces.hide()
        if has_shown_line:
            self.line_shown.emit(NO_LINE)
