"""A field over a name in the text: type another one, Enter gives it everywhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from randomizer.model.problems import Fix, ProblemError


class RenameLine(QLineEdit):
    """``renamed(Fix)``: the edits that give the name that was typed.

    ``fix_of`` makes them, and raises ProblemError with the reason why a name cannot be. Esc, or
    losing the keyboard focus, changes nothing.
    """

    renamed = Signal(object)

    def __init__(
        self, name: str, fix_of: Callable[[str], Fix], place: QRect, over: QWidget
    ) -> None:
        super().__init__(name, over)
        self._over = over
        self._fix_of = fix_of
        self._name = name
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFont(over.font())
        self.setAccessibleName("New name of the label")
        width = self.fontMetrics().horizontalAdvance("m" * max(14, len(name) + 2)) + 12
        left = max(0, min(place.left() - 4, over.width() - width))
        self.setGeometry(left, place.top() - 3, min(width, over.width()), place.height() + 6)
        connect(self.textEdited, self._judge)
        self.selectAll()
        self.show()
        self.setFocus()

    def _why_not(self) -> str:
        try:
            self._fix_of(self.text())
        except ProblemError as reason:
            return reason.problems[0].message
        return ""

    def _judge(self) -> None:
        """Show in words and colour whether the name can be given."""
        why_not = self._why_not()
        colours = self._over.palette()
        if why_not:
            text = inks(colours).error
        else:
            text = colours.color(QPalette.ColorRole.Text)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Text, text)
        self.setPalette(palette)
        if why_not:
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), plain_text(why_not), self)
        else:
            QToolTip.hideText()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter gives the name if it can be, Esc gives up."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._judge()
            if not self._why_not():
                fix = self._fix_of(self.text())
                self._leave()
                if self.text() != self._name:
                    self.renamed.emit(fix)
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        self._over.setFocus()
        self.close()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close without renaming."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.close()
