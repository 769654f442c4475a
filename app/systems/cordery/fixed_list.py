"""The dice and decisions that the user has fixed by hand, with a button each: ``FixedList``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import described, plain_label, tool_button
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.basics.plurals import counted
from randomizer.systems.cordery.dice.dice_names import is_die, question_of, subject_of_die
from randomizer.systems.cordery.dice.scores import read_scores

INDENT = 18
"""How far rows stand behind the title, in logical pixels."""


class FixedList(QWidget):
    """The rows of what is fixed; hidden while nothing is."""

    freed = Signal(object)
    """The user leaves the dice and decisions with these names, a tuple, to the dice again."""

    def __init__(self) -> None:
        super().__init__()
        self.title = plain_label("Fixed by hand")
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.rows = QVBoxLayout()
        self.rows.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addLayout(self.rows)

    def show_fixed(self, fixed: Mapping[str, str], *, in_one_row: bool) -> None:
        """Show what is fixed: the values of dice and decisions, by their names.

        With ``in_one_row`` it is a single row that tells how many they are: of dice that a person
        threw and entered there are dozens.
        """
        self._remove_rows()
        self.setVisible(bool(fixed))
        if in_one_row and fixed:
            text = counted(len(fixed), "die or decision", "dice and decisions")
            self.rows.addWidget(self._row(text, tuple(fixed)))
            return
        for name, value in fixed.items():
            self.rows.addWidget(self._row(_text_of_fixed(name, value), (name,)))

    def _remove_rows(self) -> None:
        while (item := self.rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()

    def _row(self, text: str, names: tuple[str, ...]) -> QWidget:
        """Return a row with a text, and a button that frees what has these names."""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(INDENT, 0, 0, 0)
        tip = text
        if len(names) == 1 and question_of(names[0]):
            tip = f"{text}\n{question_of(names[0])}"
        label = described(ElidedLabel(text), tip=tip)
        free = tool_button("\N{MULTIPLICATION SIGN}", "Let the dice decide again", f"Free {text}")
        free.setAutoRaise(True)
        connect(free.clicked, partial(self._free, names))
        line.addWidget(label, 1)
        line.addWidget(free)
        return row

    def _free(self, names: tuple[str, ...]) -> None:
        """Ask that the dice decide these again."""
        self.freed.emit(names)


def _text_of_fixed(name: str, value: str) -> str:
    """Return what is fixed in the words of the log: "Hill 1 steps: 3D6 = 3+4+1", "Hills: 2"."""
    subject = subject_of_die(name)
    subject = f"{subject[:1].upper()}{subject[1:]}"
    scores = read_scores(value)
    if not is_die(name) or scores is None:
        return f"{subject}: {value}"
    if len(scores) == 1:
        return f"{subject}: D6 = {scores[0]}"
    return f"{subject}: {len(scores)}D6 = {'+'.join(map(str, scores))}"
