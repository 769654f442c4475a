"""Questions whose answers are verbs, where Yes and No would be unclear."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import plain_text


def choose(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    usual: int = 0,
) -> int | None:
    """Return the index of the chosen answer, None for Cancel.

    Enter chooses the answer ``usual``.
    """
    box = _question(title, text, details, parent)
    return _execute(box, answers, usual)


def choose_with_box(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    box_text: str,
) -> tuple[int | None, bool]:
    """Do as ``choose``, with a check box below the texts; return whether it is ticked, too."""
    box = _question(title, text, details, parent)
    check_box = QCheckBox(box_text)
    box.setCheckBox(check_box)
    answer = _execute(box, answers, usual=0)
    return answer, check_box.isChecked()  # the question takes its check box with it when it goes


def _question(title: str, text: str, details: str, parent: QWidget | None) -> QMessageBox:
    """Return a question without answers yet."""
    icon = QMessageBox.Icon.Question
    box = QMessageBox(icon, title, plain_text(text), parent=parent)
    box.setInformativeText(plain_text(details))
    return box


def _execute(box: QMessageBox, answers: Sequence[str], usual: int) -> int | None:
    buttons = [box.addButton(answer, QMessageBox.ButtonRole.AcceptRole) for answer in answers]
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons[usual])
    box.exec()
    clicked = box.clickedButton()
    return buttons.index(clicked) if clicked in buttons else None


def ask(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answer: str,
    *,
    accepted: Callable[[], object],
    rejected: Callable[[], object] | None = None,
) -> None:
    """Open a question with one answer beside Cancel, without waiting for it.

    ``accepted`` is called after the answer, ``rejected`` after Cancel.
    """
    box = _question(title, text, details, parent)
    box.addButton(answer, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    connect(box.accepted, accepted)
    if rejected is not None:
        connect(box.rejected, rejected)
    box.open()


def choose_about_change(parent: QWidget | None, name: str) -> int | None:
    """Ask about a file that another program changed: 0 overwrite, 1 save as, None cancel."""
    return choose(
        parent,
        "File changed meanwhile",
        f"Another program has changed {name} since it was opened or saved here.",
        "Overwrite replaces what it wrote.",
        ("Overwrite", "Save as..."),
        usual=1,
    )
