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

    statement_marked = Signal(object)
    """An editor should shade these lines, a tuple (first, last); None: no line."""

    caret_moved = Signal(int)
    """The caret of an editor stands in this line (from 1)."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.line_help: Callable[[int], str] = _no_help
        """Returns the tip of a line (from 1), "" for none. A panel sets it when it is made."""

    def go_to(self, line: int) -> None:
        """Let the editor go to a line (from 1)."""
        self.line_wanted.emit(line)

    def mark_statement(self, lines: tuple[int, int] | None) -> None:
        """Let the editor shade a statement, from its first line to its last; None: none."""
        self.statement_marked.emit(lines)

    def report_caret(self, line: int) -> None:
        """Report the line (from 1) in which the caret of the editor stands now."""
        self.caret_moved.emit(line)
