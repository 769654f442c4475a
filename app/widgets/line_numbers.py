"""The margin of a text editor: line numbers, and a mark beside every line with a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.widgets.script_editor import ScriptEditor

_GAP = 6


class LineNumbers(QWidget):
    """Lies in the editor's left margin; a click puts the cursor into that line."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setAccessibleName("Line numbers")

    def width_needed(self) -> int:
        """The width that the numbers of all lines need, in logical pixels."""
        digits = max(2, len(str(self._editor.blockCount())))
        return 2 * _GAP + self._editor.fontMetrics().horizontalAdvance("9" * digits)

    def sizeHint(self) -> QSize:
        """As wide as the widest number."""
        return QSize(self.width_needed(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers of the lines in sight."""
        editor = self._editor
        palette = editor.palette()
        painter = QPainter(self)
        painter.fillRect(event.rect(), palette.color(QPalette.ColorRole.AlternateBase))
        painter.setFont(editor.font())
        marks = editor.marks.colours_of_lines()
        current = editor.textCursor().blockNumber()
        faint = palette.color(QPalette.ColorRole.PlaceholderText)
        strong = palette.color(QPalette.ColorRole.Text)
        block = editor.firstVisibleBlock()
        offset = editor.contentOffset()
        height = editor.fontMetrics().height()
        while block.isValid():
            top = round(editor.blockBoundingGeometry(block).translated(offset).top())
            if top > event.rect().bottom():
                break
            number = block.blockNumber()
            mark = marks.get(number + 1)
            if mark is not None:
                painter.fillRect(0, top + 1, 3, height - 1, mark)
            painter.setPen(mark or (strong if number == current else faint))
            right = Qt.AlignmentFlag.AlignRight
            painter.drawText(0, top, self.width() - _GAP, height, right, str(number + 1))
            block = block.next()
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line."""
        cursor = self._editor.cursorForPosition(event.position().toPoint())
        cursor.movePosition(cursor.MoveOperation.StartOfBlock)
        self._editor.setTextCursor(cursor)
        self._editor.setFocus()
