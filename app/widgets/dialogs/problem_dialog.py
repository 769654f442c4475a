"""A dialog that lists problems, each with its file and line.

``show_problems`` opens it; ``tell_problems`` does so for the ProblemError of a block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.appearance.quotes import with_quotes
from app.background.actions import Stopped
from app.qt_guard import connect
from app.widgets.layout.builders import plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import Problem, ProblemError


class ProblemDialog(QDialog):
    """A heading, the problems as text, and a Close button.

    ``details`` returns a longer text for a report, which a button copies; None: no such button.
    """

    def __init__(
        self,
        heading: str,
        problems: Iterable[Problem],
        parent: QWidget | None,
        details: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Battlelands Builder")
        self.heading = plain_label(heading)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(heading)
        self.list_problems(problems)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        connect(buttons.rejected, self.reject)
        self.copy_button: QPushButton | None = None
        """Copies the details, None without any."""
        if details is not None:
            self.copy_button = buttons.addButton(
                "&Copy details", QDialogButtonBox.ButtonRole.ActionRole
            )
            connect(
                self.copy_button.clicked, lambda: QGuiApplication.clipboard().setText(details())
            )
        lay_out_dialog(self, self.heading, self.text, foot=(buttons,), size=QSize(560, 260))

    def list_problems(self, problems: Iterable[Problem]) -> None:
        """List these problems."""
        text = "\n\n".join(format_problem(problem) for problem in problems)
        self.text.setPlainText(with_quotes(text))


def show_problems(parent: QWidget | None, heading: str, problems: Iterable[Problem]) -> None:
    """Open the dialog without waiting for it."""
    dialog = ProblemDialog(heading, problems, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


@contextmanager
def tell_problems(parent: QWidget | None, heading: str) -> Iterator[None]:
    """Open the dialog for a ProblemError of the block, and raise Stopped, which ends the action."""
    try:
        yield
    except ProblemError as reason:
        show_problems(parent, heading, reason.problems)
        raise Stopped from reason
