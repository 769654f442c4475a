"""What editors of the script shown, and other panels, tell each other: ``EditorLink``.

    scripts.editor_link.go_to(7)             # the editor of the panel moves its caret to line 7

Panels know no editor, and there may be none: then nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


def _no_help(_line: int) -> str:
    """Return "": no panel has tips for the lines of the script."""
    return ""


class EditorLink(QObject):
    """Passes on what an editor should show, and where its caret stands."""

    line_wanted = Signal(int)
    """An editor should go to this line (from 1)."""

    statement_marked = Signal(int, int)
    """An editor should shade a statement, from this first line to this last one (from 1)."""

    statement_unmarked = Signal()
    """An editor should shade no statement any more."""

    caret_moved = Signal(int)
    """The caret of an editor stands in this line (from 1)."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line_help: Callable[[int], str] = _no_help
        """Returns the tip of a line (from 1), "" for none. A panel sets it when it is made."""

    def go_to(self, line: int) -> None:
        """Let the editor go to a line (from 1)."""
        self.line_wanted.emit(line)

    def mark_statement(self, first_line: int, last_line: int) -> None:
        """Let the editor shade a statement and no other, until ``unmark_statement``."""
        self.statement_marked.emit(first_line, last_line)

    def unmark_statement(self) -> None:
        """Let the editor shade no statement."""
        self.statement_unmarked.emit()

    def report_caret(self, line: int) -> None:
        """Report the line (from 1) in which the caret of the editor stands now."""
        self.caret_moved.emit(line)
