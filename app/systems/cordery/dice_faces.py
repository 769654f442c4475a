"""Dice as they lie on the table: a face of one to six pips, or several in a row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a score lie, from the middle."""

GAP = 4


def paint_face(painter: QPainter, box: QRectF, score: int, palette: QPalette) -> None:
    """Paint one die in a square."""
    side = box.width()
    ink = palette.color(QPalette.ColorRole.Text)
    painter.setPen(QPen(ink, max(1.0, side / 16)))
    painter.setBrush(palette.color(QPalette.ColorRole.Base))
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), side / 5, side / 5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for x, y in PIPS[score]:
        middle = box.center() + QPointF(x, y) * side * 0.24
        painter.drawEllipse(middle, side * 0.085, side * 0.085)


def face_icon(score: int, size: int, palette: QPalette, ratio: float) -> QIcon:
    """Return a die as the picture of a button."""
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_face(painter, QRectF(0, 0, size, size), score, palette)
    return QIcon(pixmap)


SIDE = 22
"""Of a die in a row, in logical pixels."""


class DiceFaces(QWidget):
    """A row of dice; as many as fit."""

    def __init__(self) -> None:
        super().__init__()
        self.scores: tuple[int, ...] = ()
        self.setFixedHeight(SIDE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Dice")

    def show_scores(self, scores: Sequence[int]) -> None:
        """Show these dice."""
        self.scores = tuple(scores)
        self.setAccessibleDescription(" ".join(map(str, scores)))
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw them from the left."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            step = SIDE + GAP
            for column, score in enumerate(self.scores[: max(1, self.width() // step)]):
                box = QRectF(column * step, 0, SIDE, SIDE)
                paint_face(painter, box, score, self.palette())
