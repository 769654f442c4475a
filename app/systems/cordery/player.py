"""The player of a table: the map grows line by line, with the dice that were thrown."""

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
"""How long a line stays, in milliseconds."""


class DicePlayer(QWidget):
    """``line_shown(int)``: the map is to be shown as it was after this line; -1: as it is."""

    line_shown = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._count = 0
        self._why_not = ""
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._go_on)
        self.play_button = self._button("Play the dice", "Show how the table was laid")
        self.back_button = self._button("Back", "One line back")
        self.forth_button = self._button("Forth", "One line forth")
        self.stop_button = self._button("Stop", "Show the map as it is")
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "Line of the log")
        self.slider.setMinimumWidth(28)
        self.speed = pass_wheel_on(QComboBox())
        for title, wait in SPEEDS:
            self.speed.addItem(title, wait)
        self.speed.setCurrentIndex(1)
        self.speed.setAccessibleName("Speed")
        self.speed.setToolTip("How fast the dice are played")
        self.faces = DiceFaces()
        self.faces.hide()
        connect(self.play_button.clicked, self.play_or_pause)
        connect(self.back_button.clicked, lambda: self._step(-1))
        connect(self.forth_button.clicked, lambda: self._step(1))
        connect(self.stop_button.clicked, self.stop)
        connect(self.slider.valueChanged, self._on_slider)
        connect(
            self.speed.activated, lambda _index: self._timer.setInterval(self.speed.currentData())
        )
        line = QHBoxLayout()
        line.setSpacing(0)
        for widget in (self.back_button, self.play_button, self.forth_button, self.stop_button):
            line.addWidget(widget)
        line.addWidget(self.slider, 1)
        line.addWidget(self.speed)
        lay_out(QVBoxLayout(self), line, self.faces, margins=0, spacing=2)
        self.shown = -1
        self.set_count(0)

    def _button(self, name: str, tip: str) -> QToolButton:
        button = described(QToolButton(), name, tip)
        button.setAutoRaise(True)
        return button

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        playing = self._timer.isActive()
        for button, picture in (
            (self.play_button, "pause" if playing else "play"),
            (self.back_button, "previous"),
            (self.forth_button, "next"),
            (self.stop_button, "stop"),
        ):
            button.setIcon(icon(picture))
        name = "Pause" if playing else "Play the dice"
        self.play_button.setAccessibleName(name)
        text = "Stay at this line" if playing else "Show how the table was laid"
        self.play_button.setToolTip(plain_text(self._why_not or text))

    def set_count(self, count: int, why_not: str = "") -> None:
        """Set how many lines there are to play. ``why_not``: why there are none."""
        self.stop()
        self._why_not = why_not
        self.draw_icons()
        self._count = count
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(0, count - 1))
            self.slider.setValue(max(0, count - 1))
        self._enable()

    def _enable(self) -> None:
        for widget in (self.play_button, self.back_button, self.forth_button, self.slider):
            widget.setEnabled(self._count > 0)
        self.back_button.setEnabled(self._count > 0 and self.slider.value() > 0)
        self.forth_button.setEnabled(0 <= self.shown < self._count - 1)
        self.stop_button.setEnabled(self.shown >= 0)

    # --- playing ----------------------------------------------------------------------------

    def play_or_pause(self) -> None:
        """Play on from the line shown, from the first one if none is; or stay."""
        if self._timer.isActive():
            self._timer.stop()
        elif self._count:
            if self.shown < 0 or self.shown == self._count - 1:
                self.show_line(0)
            self._timer.start(self.speed.currentData())
        self.draw_icons()

    def _go_on(self) -> None:
        if self.shown + 1 < self._count:
            self.show_line(self.shown + 1)
        else:
            self.stop()

    def _step(self, by: int) -> None:
        self._timer.stop()
        self.draw_icons()
        self.show_line(min(max(self.slider.value() + by, 0), self._count - 1))

    def _on_slider(self, line: int) -> None:
        if line != self.shown:
            self.show_line(line)

    def show_line(self, line: int) -> None:
        """Show the table as it was after a line."""
        self.shown = line
        with QSignalBlocker(self.slider):
            self.slider.setValue(line)
        self._enable()
        self.faces.show()
        self.line_shown.emit(line)

    @guarded
    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody would know why the map is not as it is."""
        if not event.spontaneous():  # the whole window is hidden, and will be as it was
            self.stop()
        super().hideEvent(event)

    def stop(self) -> None:
        """Show the map as it is."""
        if self._timer.isActive():
            self._timer.stop()
            self.draw_icons()
        was = self.shown
        self.shown = -1
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.slider.maximum())
        self._enable()
        self.faces.hide()
        if was >= 0:
            self.line_shown.emit(-1)
