"""A label that elides its text, so that a long one does not widen a panel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; ``mode`` says where it is cut."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """Room for four letters."""
        return QSize(self.fontMetrics().horizontalAdvance("xxxx"), self.fontMetrics().height())

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            room = self.contentsRect()  # what Qt repaints for another text
            text = self.fontMetrics().elidedText(self.text(), self._mode, room.width())
            alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, alignment, text)
