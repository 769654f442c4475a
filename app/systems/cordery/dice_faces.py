"""Draws dice: a face of one to six pips, or several faces in a row.

``DicePlayer`` shows a row of them (``DiceFaces``); the strip that asks for dice has buttons with a
face each (``face_icon``).
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded

FACES = {
    1: (
        "   ",
        " o ",
        "   ",
    ),
    2: (
        "o  ",
        "   ",
        "  o",
    ),
    3: (
        "o  ",
        " o ",
        "  o",
    ),
    4: (
        "o o",
        "   ",
        "o o",
    ),
    5: (
        "o o",
        " o ",
        "o o",
    ),
    6: (
        "o o",
        "o o",
        "o o",
    ),
}
"""The faces of a die by their scores: the rows of pips from the top."""

# The measures of a face, as shares of its side.
LINE_WIDTH = 1 / 16
CORNER_RADIUS = 1 / 5
PIP_DISTANCE = 0.24
"""The distance between neighbouring rows of pips."""
PIP_RADIUS = 0.085

# The measures of a row of dice, in logical pixels.
SIDE = 22
GAP = 4
"""The space between two dice."""


def paint_face(painter: QPainter, box: QRectF, score: int, palette: QPalette) -> None:
    """Paint one die; ``box`` is a square, ``score`` is 1 to 6."""
    side = box.width()
    ink = palette.color(QPalette.ColorRole.Text)
    painter.setPen(QPen(ink, max(1.0, side * LINE_WIDTH)))
    painter.setBrush(palette.color(QPalette.ColorRole.Base))
    radius = side * CORNER_RADIUS
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), radius, radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for row, pips in enumerate(FACES[score]):
        for column, pip in enumerate(pips):
            if pip == "o":
                # Row 1 and column 1 are in the middle of the face.
                from_centre = QPointF(column - 1, row - 1) * side * PIP_DISTANCE
                painter.drawEllipse(
                    box.center() + from_centre, side * PIP_RADIUS, side * PIP_RADIUS
                )


def face_icon(score: int, size: int, palette: QPalette, ratio: float) -> QIcon:
    """Return a die as the picture of a button.

    ``size`` is in logical pixels, ``ratio`` the number of device pixels of one of them.
    """
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_face(painter, QRectF(0, 0, size, size), score, palette)
    return QIcon(pixmap)


class DiceFaces(QWidget):
    """A row of dice: those that fit into the width, at least one."""

    def __init__(self) -> None:
        super().__init__()
        self.scores: tuple[int, ...] = ()
        """The scores of all dice, from the left."""
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
        """Draw the dice from the left."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            distance = SIDE + GAP
            visible_count = max(1, self.width() // distance)
            for index, score in enumerate(self.scores[:visible_count]):
                box = QRectF(index * distance, 0, SIDE, SIDE)
                paint_face(painter, box, score, self.palette())
