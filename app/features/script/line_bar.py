"""The bar below the editor of scripts that goes to a line."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from app.features.script.editor import ScriptEditor
from app.features.script.editor_bar import EditorBar
from app.qt_guard import connect
from app.widgets.layout.builders import described, lay_out, plain_label
from randomizer.model.basics.plurals import counted

LINE_AND_COLUMN = re.compile(
    r"""
    \s*  (?P<line> \d{1,9}) \s*
    (?: [:,] \s* (?P<column> \d{1,9}) \s* )?
    """,
    re.ASCII | re.VERBOSE,
)
"""The texts that can be typed to go to a line: ``12``, ``12:5`` or ``12, 5``."""


class LineBar(EditorBar):
    """Asks for a line of the editor's text, and goes there."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self.field = described(
            QLineEdit(placeholderText="Line, or line:column"), "Line, or line and column"
        )
        row = lay_out(QHBoxLayout(), plain_label("Go to line"), (self.field, 1), spacing=4)
        lay_out(QVBoxLayout(self), row, self.message, margins=0, spacing=2)
        connect(self.field.textEdited, lambda: self._show_message(""))

    def open(self) -> None:
        """Show the bar with the line of the cursor."""
        self.field.setText(str(self._editor.cursor_place()[0]))
        self._show_message("")
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def _enter(self, *, back: bool) -> None:
        """Go to the line that was typed, or show why there is none."""
        match = LINE_AND_COLUMN.fullmatch(self.field.text())
        if match is None:
            self._show_message("This is no line: write 12, or 12:5 for a column, too")
            return
        line = int(match["line"])
        column = int(match["column"] or 1)
        line_count = self._editor.blockCount()
        if not 1 <= line <= line_count:
            self._show_message(f"The text has {counted(line_count, 'line')}")
            return
        self.leave()
        self._editor.go_to(line, max(1, column))
