"""Questions whose answers are verbs, where Yes and No would be unclear; an action awaits them.

For instance, with 0 for Save, 1 for Discard and None for Cancel::

    index = await choose(self, "Close", "Save the map?", "", ("Save", "Discard"))
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from PySide6.QtWidgets import QCheckBox, QMessageBox, QPushButton, QWidget

from app.background.actions import answer
from app.widgets.layout.builders import plain_text
from app.widgets.layout.dialog_letters import give_letters


class ChangeAnswer(Enum):
    """An answer to ``choose_about_change``; its value is the text of the button."""

    OVERWRITE = "Overwrite"
    """Write over the changed file."""

    SAVE_ELSEWHERE = "Save as..."
    """Save to another file."""


# The texts of ``choose_about_change``.
_CHANGE_TITLE = "File changed meanwhile"
_CHANGE_QUESTION = "Another program has changed {name} since it was opened or saved here."
_CHANGE_DETAILS = "Overwrite replaces what it wrote."


class BoxedAnswer(NamedTuple):
    """The answer to a question with a check box."""

    answer_index: int | None
    """The index of the chosen answer; None for Cancel."""

    is_ticked: bool
    """True if the box is ticked."""


async def ask(box: QMessageBox) -> int:
    """Open a question and return its result code.

    Unlike ``answer`` it gives the buttons letters, which press them together with Alt.
    """
    give_letters(box)
    return await answer(box)


async def choose(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    default_index: int = 0,
) -> int | None:
    """Return the index of the chosen answer, None for Cancel.

    ``text`` is the question, ``details`` stands below it in smaller letters ("" for none). Enter
    chooses the answer of ``default_index``.
    """
    box = _question(title, text, details, parent)
    return await _open(box, answers, default_index)


async def choose_with_check_box(
    parent: QWidget | None,
    title: str,
    text: str,
    details: str,
    answers: Sequence[str],
    box_text: str,
) -> BoxedAnswer:
    """Ask as ``choose``, with a check box below the texts."""
    box = _question(title, text, details, parent)
    check_box = QCheckBox(box_text)
    box.setCheckBox(check_box)
    index = await _open(box, answers, default_index=0)
    # The check box is read within this function: it is deleted with the question.
    return BoxedAnswer(index, check_box.isChecked())


def _question(title: str, text: str, details: str, parent: QWidget | None) -> QMessageBox:
    """Return a question without answers yet."""
    icon = QMessageBox.Icon.Question
    box = QMessageBox(icon, title, plain_text(text), parent=parent)
    box.setInformativeText(plain_text(details))
    return box


async def _open(box: QMessageBox, answers: Sequence[str], default_index: int) -> int | None:
    """Open a question with these answers; return the index of the chosen one, None for Cancel."""
    buttons = _add_answers(box, answers, default_index)
    await ask(box)
    return _clicked(box, buttons)


def _add_answers(box: QMessageBox, answers: Sequence[str], default_index: int) -> list[QPushButton]:
    """Add a button for each answer, and Cancel; return those of the answers."""
    buttons = [box.addButton(text, QMessageBox.ButtonRole.AcceptRole) for text in answers]
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(buttons[default_index])
    return buttons


def _clicked(box: QMessageBox, buttons: list[QPushButton]) -> int | None:
    """Return the index of the button that was clicked, None for Cancel and Escape."""
    clicked_button = box.clickedButton()
    if clicked_button in buttons:
        return buttons.index(clicked_button)
    return None


async def choose_about_change(parent: QWidget | None, name: str) -> ChangeAnswer | None:
    """Ask what to do about a file that another program has changed; None for Cancel."""
    question = _CHANGE_QUESTION.format(name=name)
    answers = list(ChangeAnswer)
    default_index = answers.index(ChangeAnswer.SAVE_ELSEWHERE)
    texts = [change_answer.value for change_answer in answers]
    index = await choose(parent, _CHANGE_TITLE, question, _CHANGE_DETAILS, texts, default_index)
    if index is None:
        return None
    return answers[index]
