"""The field that is laid over a name in a script to type another one; Enter renames it everywhere.

``ScriptActions.begin_rename`` makes it. It deletes itself when it closes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from app.appearance.quotes import with_quotes
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from randomizer.model.problems import Fix, ProblemError

MIN_LETTERS = 14
"""The least width of the field, in letters "m"."""

SPARE_LETTERS = 2
"""The letters for which the field has room beyond those of the name."""

FRAME_WIDTH = 6
"""The width of the field's frame on either side of its letters, in logical pixels."""

TEXT_MARGIN = 4
"""The distance from the left edge of the field to its letters, in logical pixels.

The field begins so far left of the name, so that their letters coincide.
"""

LINE_MARGIN = 3
"""The height of the field above, and below, the line of the text, in logical pixels."""


class _Rename(NamedTuple):
    """What a typed name does."""

    fix: Fix | None
    """The edits that rename everywhere; None if the name cannot be given."""

    why_not: str
    """The reason why it cannot be given; "" if it can."""


class RenameLine(QLineEdit):
    """Asks for another name; Escape, or a loss of the keyboard, changes nothing."""

    renamed = Signal(object)
    """Another name was given: the ``Fix`` whose edits rename it everywhere."""

    def __init__(
        self, name: str, rename_to: Callable[[str], Fix], name_box: QRect, editor: QWidget
    ) -> None:
        """Show the field on the widget ``editor``, over the box of the name, with the keyboard.

        ``rename_to`` returns the edits for a new name; it raises ProblemError, with the reason, for
        one that cannot be given.
        """
        super().__init__(name, editor)
        self._editor = editor
        self._rename_to = rename_to
        self._name = name
        """The name as it is in the text."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFont(editor.font())
        self.setAccessibleName("New name of the label")  # of a part of the script
        self._cover(name_box)
        connect(self.textEdited, self._show_whether_possible)
        self.selectAll()
        self.show()
        self.setFocus()

    def _cover(self, name_box: QRect) -> None:
        """Lie on a box, wide enough for a longer name; near the right end move to the left."""
        letters = max(MIN_LETTERS, len(self._name) + SPARE_LETTERS)
        width = self.fontMetrics().horizontalAdvance("m" * letters) + 2 * FRAME_WIDTH
        width = min(width, self._editor.width())
        left = min(name_box.left() - TEXT_MARGIN, self._editor.width() - width)
        top = name_box.top() - LINE_MARGIN
        self.setGeometry(max(0, left), top, width, name_box.height() + 2 * LINE_MARGIN)

    def _checked_rename(self) -> _Rename:
        """Return what the typed name does, or why it cannot be given."""
        try:
            return _Rename(self._rename_to(self.text()), "")
        except ProblemError as reason:
            return _Rename(None, with_quotes(reason.problems[0].message))

    def _show_whether_possible(self) -> None:
        """Show in a tooltip and the colour of errors if the typed name cannot be given."""
        self._show_refusal(self._checked_rename().why_not)

    def _show_refusal(self, why_not: str) -> None:
        """Show why the typed name cannot be given; "" if it can."""
        editor_palette = self._editor.palette()
        if why_not:
            text_colour = inks(editor_palette).error
        else:
            text_colour = editor_palette.color(QPalette.ColorRole.Text)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Text, text_colour)
        self.setPalette(palette)
        if why_not:
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), plain_text(why_not), self)
        else:
            QToolTip.hideText()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rename by Enter, if the name can be given; leave by Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._rename()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _rename(self) -> None:
        """Emit ``renamed`` and close, or show why the name cannot be given."""
        rename = self._checked_rename()
        self._show_refusal(rename.why_not)
        if rename.fix is None:
            return
        self._leave()
        if self.text() != self._name:
            self.renamed.emit(rename.fix)

    def _leave(self) -> None:
        """Close, and give the keyboard back to the editor."""
        self._editor.setFocus()
        self.close()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close without renaming, but not when the field's own menu takes the keyboard."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.close()
