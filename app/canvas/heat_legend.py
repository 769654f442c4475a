"""The legend of heat maps: panels that colour the map show it, to say what the colours mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded
from app.render.cell_values.heat import heat_colours
from app.widgets.layout.builders import plain_text

RAMP_HEIGHT = 8
"""The height of the colour ramp in logical pixels."""

COLOURS = 256
"""The number of colours in the ramp (``heat_colours``)."""


class HeatLegend(QWidget):
    """The colour ramp that all heat maps share, with a text below each of its ends.

    ``low`` is what dark blue means, ``high`` what yellow means.
    """

    def __init__(self, low: str, high: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low = low
        self._high = high
        pixels = heat_colours().copy()
        # A copy, because a QImage does not keep the array alive whose memory it shows.
        self._ramp = QImage(pixels.data, COLOURS, 1, QImage.Format.Format_RGB32).copy()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Colours from dark blue, {low}, to yellow, {high}")
        self.setToolTip(plain_text(f"Dark blue is {low}, yellow is {high}"))

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size with room for the ramp and one line of text below it."""
        return QSize(160, RAMP_HEIGHT + self.fontMetrics().height() + 2)

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.drawImage(QRect(0, 0, self.width(), RAMP_HEIGHT), self._ramp)
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            text_box = self.rect().adjusted(0, RAMP_HEIGHT + 1, 0, 0)
            painter.drawText(text_box, Qt.AlignmentFlag.AlignLeft, self._low)
            painter.drawText(text_box, Qt.AlignmentFlag.AlignRight, self._high)
