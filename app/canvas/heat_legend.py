"""The legend of heat maps."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded
from app.render.cell_values.heat import heat_colours
from app.widgets.layout.builders import plain_text

BAR = 8
"""The height of the ramp in logical pixels."""


class HeatLegend(QWidget):
    """The colour ramp that all heat maps share, with the texts ``low`` and ``high`` at its ends."""

    def __init__(self, low: str, high: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ends = low, high
        pixels = heat_colours().copy()
        self._ramp = QImage(pixels.data, 256, 1, QImage.Format.Format_RGB32).copy()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Colours from dark blue, {low}, to yellow, {high}")
        self.setToolTip(plain_text(f"Dark blue is {low}, yellow is {high}"))

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the ramp and one line of text below it."""
        return QSize(160, BAR + self.fontMetrics().height() + 2)

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.drawImage(QRect(0, 0, self.width(), BAR), self._ramp)
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            room = self.rect().adjusted(0, BAR + 1, 0, 0)
            for words, side in zip(
                self._ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight), strict=True
            ):
                painter.drawText(room, side, words)
