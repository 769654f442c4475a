"""The margin of a text editor: line numbers, colours of problems, and bulbs for their fixes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPaintEvent,
    QPalette,
    QPixmap,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from app.appearance.icons import icon_pixmap
from app.appearance.painting import painting
from app.features.script.editor_overlays import EditorOverlays
from app.qt_guard import guarded
from app.widgets.layout.builders import plain_text

_GAP = 6
_MARK = 3
_BULB = 14
"""The width of a mark and of a bulb, in logical pixels."""


class LineNumbers(QWidget):
    """Lies in the editor's left margin; a click puts the cursor into that line.

    A line where a problem begins that has a way out has a bulb: ``bulb_clicked(int)`` with the
    line, from 1.
    """

    bulb_clicked = Signal(int)

    def __init__(self, editor: QPlainTextEdit, overlays: EditorOverlays) -> None:
        super().__init__(editor)
        self._editor = editor
        self._overlays = overlays
        self._bulbs: dict[tuple[str, float], QPixmap] = {}
        self.setAccessibleName("Line numbers")
        self.setMouseTracking(True)

    def width_needed(self) -> int:
        """Return the width that the numbers of all lines need, in logical pixels."""
        digits = max(2, len(str(self._editor.blockCount())))
        return _MARK + _BULB + _GAP + self._editor.fontMetrics().horizontalAdvance("9" * digits)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the width of the widest number."""
        return QSize(self.width_needed(), 0)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the numbers of the visible lines."""
        editor = self._editor
        palette = editor.palette()
        with painting(self) as painter:
            painter.fillRect(event.rect(), palette.color(QPalette.ColorRole.AlternateBase))
            painter.setFont(editor.font())
            marks = self._overlays.colours_of_lines()
            fixable = self._overlays.lines_with_fixes()
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
                    painter.fillRect(0, top + 1, _MARK, height - 1, mark)
                    if number + 1 in fixable:
                        bulb = self._bulb(mark)
                        painter.drawPixmap(_MARK, top + (height - _BULB) // 2, bulb)
                painter.setPen(mark or (strong if number == current else faint))
                right = Qt.AlignmentFlag.AlignRight
                painter.drawText(0, top, self.width() - _GAP, height, right, str(number + 1))
                block = block.next()

    def _bulb(self, colour: QColor) -> QPixmap:
        key = colour.name(), self.devicePixelRatioF()
        if key not in self._bulbs:
            self._bulbs[key] = icon_pixmap("hint", _BULB, key[1], colour)
        return self._bulbs[key]

    def _line_at(self, point: QPoint) -> QTextCursor:
        """Return the beginning of the line beside a place of the margin."""
        cursor = self._editor.cursorForPosition(QPoint(0, point.y()))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        return cursor

    def _bulb_at(self, point: QPoint) -> int | None:
        """Return the line (from 1) whose bulb is at a place, None if there is none."""
        cursor = self._line_at(point)
        line = cursor.blockNumber() + 1
        height = self._editor.fontMetrics().height()
        box = QRect(0, self._editor.cursorRect(cursor).top(), _MARK + _BULB, height)
        if box.contains(point) and self._overlays.fixes_of_line(line):
            return line
        return None

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line; a bulb shows the ways out."""
        point = event.position().toPoint()
        line = self._bulb_at(point)
        self._editor.setTextCursor(self._line_at(point))
        self._editor.setFocus()
        if line is not None:
            self.bulb_clicked.emit(line)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the cursor of a link over a bulb."""
        super().mouseMoveEvent(event)
        bulb = self._bulb_at(event.position().toPoint()) is not None
        if bulb:
            shape = Qt.CursorShape.PointingHandCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Show the fixes behind a bulb as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = self._bulb_at(event.pos())
            if line is None:
                ways = []
            else:
                ways = self._overlays.fixes_of_line(line)
            text = "\n".join(f"Way out: {fix.title}" for _problem, fix in ways)
            QToolTip.showText(event.globalPos(), plain_text(text and f"{text}\n(Ctrl+.)"), self)
            return True
        return super().event(event)
