"""Questions whose answers are verbs, where Yes and No would be unclear; an action awaits them.

For instance, with 0 for Save, 1 for Discard and None for Cancel::

    index = await choose(self, "Close", "Save the map?", "", ("Save", "Discard"))
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QMessageBox, QPushButton, QWidget

from app.background.actions import answer
from app.widgets.layout.builders import plain_text
from app.widgets.layout.dialog_letters import give_letters

OVERWRITE = 0
"""The answer of ``choose_about_change`` that writes over the changed file."""

SAVE_ELSEWHERE = 1
"""The answer of ``choose_about_change`` that saves to another file."""

# The texts of ``choose_about_change``; its answers are in the order of the two numbers above.
_CHANGED_TITLE = "File changed meanwhile"
_CHANGED = "Another program has changed {name} since it was opened or saved here."
_OVERWRITES = "Overwrite replaces what it wrote."
_CHANGE_ANSWERS = ("Overwrite", "Save as...")


async def ask(box: QMessageBox) -> int:
    """Open a question and return its result code; Alt and a letter press its buttons."""
    give_letters(box)
    return await answer(box)


async def choose(
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
    return await _open(box, answers, usual)


async def choose_with_box(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    box_text: str,
) -> tuple[int | None, bool]:
    """Ask as ``choose``, with a check box below the texts; also return whether it is ticked."""
    box = _question(title, text, details, parent)
    check_box = QCheckBox(box_text)
    box.setCheckBox(check_box)
    index = await _open(box, answers, usual=0)
    # The check box is read within this function: it is deleted with the question.
    return index, check_box.isChecked()


def _question(title: str, text: str, details: str, parent: QWidget | None) -> QMessageBox:
    """Return a question without answers yet."""
    icon = QMessageBox.Icon.Question
    box = QMessageBox(icon, title, plain_text(text), parent=parent)
    box.setInformativeText(plain_text(details))
    return box


async def _open(box: QMessageBox, answers: Sequence[str], usual: int) -> int | None:
    """Open a question with these answers; return the index of the chosen one, None for Cancel."""
    buttons = _add_answers(box, answers, usual)
    await ask(box)
    return _clicked(box, buttons)


def _add_answers(box: QMessageBox, answers: Sequence[str], usual: int) -> list[QPushButton]:
    """Add a button for each answer, and Cancel; return those of the answers."""
    buttons = [box.addButton(text, QMessageBox.ButtonRole.AcceptRole) for text in answers]
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons[usual])
    return buttons


def _clicked(box: QMessageBox, buttons: list[QPushButton]) -> int | None:
    """Return the index of the button that was clicked, None for Cancel and Escape."""
    clicked_button = box.clickedButton()
    if clicked_button in buttons:
        return buttons.index(clicked_button)
    return None


async def choose_about_change(parent: QWidget | None, name: str) -> int | None:
    """Ask what to do about a file that another program has changed.

    Return ``OVERWRITE`` or ``SAVE_ELSEWHERE``, None to cancel.
    """
    text = _CHANGED.format(name=name)
    return await choose(
        parent, _CHANGED_TITLE, text, _OVERWRITES, _CHANGE_ANSWERS, usual=SAVE_ELSEWHERE
    )
