"""A dialog that lists problems, each with its place."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect
from app.widgets.builders import lay_out
from randomizer.model.problems import Problem, format_problem


class ProblemDialog(QDialog):
    """A heading, the problems as text, and a Close button."""

    def __init__(self, heading: str, problems: Iterable[Problem], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Battlelands Builder")
        self.heading = QLabel(heading)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.text = QPlainTextEdit("\n\n".join(format_problem(problem) for problem in problems))
        self.text.setReadOnly(True)
        self.text.setAccessibleName(heading)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        connect(buttons.rejected, self.reject)
        lay_out(QVBoxLayout(self), self.heading, self.text, buttons)
        self.resize(560, 260)


def show_problems(parent: QWidget | None, heading: str, problems: Iterable[Problem]) -> None:
    """Open the dialog without waiting for it."""
    ProblemDialog(heading, problems, parent).open()
