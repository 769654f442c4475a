"""A label that elides its text, so that a long one does not widen a panel.

To *elide* a text is to cut it and to put an ellipsis there: “A long te…”. Begin with
``_lines_to_draw``.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from app.appearance.painting import painting
from app.qt_guard import guarded
from app.widgets.layout.builders import plain_text

MIN_TEXT = "xxxx"
"""A text as long as the least of a text that is to be seen."""


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; ``mode`` says where it is cut.

    A label of several ``lines`` wraps its text, and cuts only the last line. With ``sentences`` it
    shows as many whole sentences as it has room for, and cuts a sentence only if it has not even
    room for the first one. The whole text is shown as a tool tip, unless the label has another one.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        lines: int = 1,
        *,
        sentences: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self._max_lines = lines
        self._by_sentences = sentences
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """Return the room for four letters, on as many lines as may be shown."""
        metrics = self.fontMetrics()
        height = metrics.height() + (self._max_lines - 1) * metrics.lineSpacing()
        return QSize(metrics.horizontalAdvance(MIN_TEXT), height)

    @property
    def shown_lines(self) -> list[str]:
        """The lines that are drawn, the last one cut where the text goes on."""
        return self._lines_to_draw()

    @property
    def is_cut(self) -> bool:
        """True if a part of the text is not seen."""
        return self._lines_to_draw() != self._wrapped_lines()

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Show a text that is cut as a tool tip where the mouse rests."""
        if isinstance(event, QHelpEvent) and not self.toolTip() and self.is_cut:
            QToolTip.showText(event.globalPos(), plain_text(self.text()), self)
            return True
        return super().event(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            room = self.contentsRect()  # what Qt repaints for another text
            alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, alignment, "\n".join(self._lines_to_draw()))

    def _lines_to_draw(self) -> list[str]:
        """Return the lines of the text for which there is room, the last one cut if it goes on."""
        lines = self._wrapped_lines()
        if self._by_sentences and len(lines) > self._max_lines:
            sentences = self._first_sentences()
            if sentences:
                lines = sentences
        if len(lines) < self._max_lines:
            return lines
        # The last line gets all of the text that is left, so that it is cut if that is too long. (A
        # single line is not wrapped: it, too, may be too long.)
        first_lines = lines[: self._max_lines - 1]
        text_left = " ".join(lines[self._max_lines - 1 :])
        width = self.contentsRect().width()
        last_line = self.fontMetrics().elidedText(text_left, self._mode, width)
        return [*first_lines, last_line]

    def _first_sentences(self) -> list[str]:
        """Return the lines of as many whole sentences as fit, [] if there is room for none."""
        sentences = self.text().split(". ")  # the last one keeps its full stop
        for count in range(len(sentences) - 1, 0, -1):
            lines = self._wrap(f"{'. '.join(sentences[:count])}. …")
            if len(lines) <= self._max_lines:
                return lines
        return []

    def _wrapped_lines(self) -> list[str]:
        """Return the text in lines of the width of the label; one where it has one line only."""
        if self._max_lines == 1:
            return [self.text()]
        return self._wrap(self.text())

    def _wrap(self, text: str) -> list[str]:
        """Return a text in lines of the width of the label."""
        layout = QTextLayout(text, self.font())
        layout.setTextOption(QTextOption(self.alignment()))
        lines = []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self.contentsRect().width())
            start = line.textStart()
            lines.append(text[start : start + line.textLength()].rstrip())
        layout.endLayout()
        return lines
