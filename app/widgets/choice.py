"""Questions whose answers are verbs, where Yes and No would be unclear."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget


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
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=parent)
    return _execute(box, details, answers, usual)


def choose_with_box(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    box_text: str,
) -> tuple[int | None, bool]:
    """Do as ``choose``, with a check box below the texts; return whether it is ticked, too."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=parent)
    check_box = QCheckBox(box_text)
    box.setCheckBox(check_box)
    answer = _execute(box, details, answers, usual=0)
    return answer, check_box.isChecked()  # the question takes its check box with it when it goes


def _execute(box: QMessageBox, details: str, answers: Sequence[str], usual: int) -> int | None:
    box.setInformativeText(details)
    buttons = [box.addButton(answer, QMessageBox.ButtonRole.AcceptRole) for answer in answers]
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons[usual])
    box.exec()
    clicked = box.clickedButton()
    return buttons.index(clicked) if clicked in buttons else None


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
