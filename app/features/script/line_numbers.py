"""The margin of the script editor: line numbers, colours of problems, and bulbs for their fixes.

    |   11   a line without a problem
    |#o 12   the mark (#) of a problem, and the bulb (o) of a fix for it

A *mark* is a stripe in the colour of the worst problem that begins in the line. ``ScriptEditor``
keeps a ``LineNumbers`` in its left margin.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
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
"""The space between the numbers and the text, in logical pixels."""

_MARK_WIDTH = 3
"""The width of a mark, in logical pixels."""

_BULB_SIZE = 14
"""The width and height of a bulb, in logical pixels."""

_MIN_DIGITS = 2
"""There is room for so many digits at least: the margin of a short script keeps its width."""


class LineNumbers(QWidget):
    """Draws the margin of an editor; a click puts the cursor into the line beside it."""

    bulb_clicked = Signal(int)
    """The bulb of this line (from 1) was clicked."""

    def __init__(self, editor: QPlainTextEdit, overlays: EditorOverlays) -> None:
        super().__init__(editor)
        self._editor = editor
        self._overlays = overlays
        self._bulbs: dict[tuple[str, float], QPixmap] = {}
        """The pictures of bulbs that were drawn, by colour and device pixel ratio."""
        self.setAccessibleName("Line numbers")
        self.setMouseTracking(True)

    def width_needed(self) -> int:
        """Return the width that the numbers of all lines need, in logical pixels."""
        digits = max(_MIN_DIGITS, len(str(self._editor.blockCount())))
        number_width = self._editor.fontMetrics().horizontalAdvance("9" * digits)
        return _MARK_WIDTH + _BULB_SIZE + number_width + _GAP

    def fit_to_editor(self) -> None:
        """Lie over the left end of the editor, as high as its text."""
        inside = self._editor.contentsRect()
        self.setGeometry(inside.left(), inside.top(), self.width_needed(), inside.height())

    def follow_text(self, rect: QRect, dy: int) -> None:
        """Follow the text, which was scrolled by ``dy`` pixels or drawn again in a rectangle."""
        if dy:
            self.scroll(0, dy)
        else:
            self.update(0, rect.y(), self.width(), rect.height())

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the width that the margin needs."""
        return QSize(self.width_needed(), 0)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw mark, bulb and number of each visible line."""
        editor = self._editor
        palette = editor.palette()
        usual_colour = palette.color(QPalette.ColorRole.PlaceholderText)
        current_colour = palette.color(QPalette.ColorRole.Text)
        current_line = editor.textCursor().blockNumber() + 1
        problem_colours = self._overlays.colours_of_lines()
        lines_with_fixes = self._overlays.lines_with_fixes()
        with painting(self) as painter:
            painter.fillRect(event.rect(), palette.color(QPalette.ColorRole.AlternateBase))
            painter.setFont(editor.font())
            # From the first visible line down to the lower end of what has to be drawn.
            block = editor.firstVisibleBlock()
            offset = editor.contentOffset()
            while block.isValid():
                top = round(editor.blockBoundingGeometry(block).translated(offset).top())
                if top > event.rect().bottom():
                    break
                line = block.blockNumber() + 1
                colour = usual_colour
                if line == current_line:
                    colour = current_colour
                # A problem colours the number, too: the mark alone is narrow.
                problem_colour = problem_colours.get(line)
                if problem_colour is not None:
                    colour = problem_colour
                    has_fix = line in lines_with_fixes
                    self._draw_mark(painter, top, problem_colour, has_bulb=has_fix)
                painter.setPen(colour)
                self._draw_number(painter, top, line)
                block = block.next()

    def _draw_mark(self, painter: QPainter, top: int, colour: QColor, *, has_bulb: bool) -> None:
        """Draw the mark of a line whose upper edge is at ``top``, and its bulb if it has one."""
        height = self._editor.fontMetrics().height()
        painter.fillRect(0, top + 1, _MARK_WIDTH, height - 1, colour)
        if has_bulb:
            bulb_top = top + (height - _BULB_SIZE) // 2
            painter.drawPixmap(_MARK_WIDTH, bulb_top, self._bulb(colour))

    def _draw_number(self, painter: QPainter, top: int, line: int) -> None:
        """Draw the number of a line whose upper edge is at ``top``, in the pen of the painter."""
        height = self._editor.fontMetrics().height()
        right = Qt.AlignmentFlag.AlignRight
        painter.drawText(0, top, self.width() - _GAP, height, right, str(line))

    def _bulb(self, colour: QColor) -> QPixmap:
        """Return the picture of a bulb in a colour."""
        ratio = self.devicePixelRatioF()
        key = (colour.name(), ratio)
        if key not in self._bulbs:
            self._bulbs[key] = icon_pixmap("hint", _BULB_SIZE, ratio, colour)
        return self._bulbs[key]

    def _cursor_beside(self, point: QPoint) -> QTextCursor:
        """Return a cursor at the beginning of the line beside a point of the margin."""
        cursor = self._editor.cursorForPosition(QPoint(0, point.y()))
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock)
        return cursor

    def _bulb_at(self, point: QPoint) -> int | None:
        """Return the line (from 1) whose bulb is at a point of the margin, None for none."""
        cursor = self._cursor_beside(point)
        line = cursor.blockNumber() + 1
        top = self._editor.cursorRect(cursor).top()
        height = self._editor.fontMetrics().height()
        box = QRect(0, top, _MARK_WIDTH + _BULB_SIZE, height)
        if box.contains(point) and self._overlays.fixes_of_line(line):
            return line
        return None

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the line beside the mouse, and tell of a click on its bulb."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        # Found before the cursor is set, which can scroll the text.
        line_of_bulb = self._bulb_at(point)
        self._editor.setTextCursor(self._cursor_beside(point))
        self._editor.setFocus()
        if line_of_bulb is not None:
            self.bulb_clicked.emit(line_of_bulb)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the mouse cursor of a link over a bulb."""
        super().mouseMoveEvent(event)
        is_over_bulb = self._bulb_at(event.position().toPoint()) is not None
        if is_over_bulb:
            shape = Qt.CursorShape.PointingHandCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Show the fixes behind a bulb as a tooltip; "" hides a tooltip shown before."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = ""
            line_of_bulb = self._bulb_at(event.pos())
            if line_of_bulb is not None:
                fixes = self._overlays.fixes_of_line(line_of_bulb)
                titles = [f"Way out: {fix.title}" for _problem, fix in fixes]
                text = "\n".join([*titles, "(Ctrl+.)"])
            QToolTip.showText(event.globalPos(), plain_text(text), self)
            return True
        return super().event(event)
