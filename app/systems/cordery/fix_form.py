"""The form below the dice log, in which a person decides one line of it by hand.

A line of the log has decisions (an area, a number, a word) and the scores of dice. Each gets a row.
The form for the line "1.2 Hill 2: ..."::

    Hill 2
    At       [by the dice   ] [On the map]     the decision "hill 2 at", an area
    Steps    [(3)] [(6)] [(1)]                 the dice "hill 2 steps", with their scores
                        [Lay it so] [Close]

A row that stays "by the dice" decides nothing. *Lay it so* emits what was changed (``decided``),
and the table is laid again with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_limits import NumberLimits
from app.widgets.layout.builders import (
    STRETCH,
    described,
    lay_out,
    plain_label,
    plain_text,
    say_below,
    tool_button,
)
from randomizer.systems.cordery.dice.decisions import Decision, DecisionKind
from randomizer.systems.cordery.dice.dice_names import question_of
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice_log import LogEntry

AREA = QRegularExpression("[0-9]{0,4}")
"""The name of an area, also while it is typed: two digits of the column, two of the row."""

AREA_TIP = "An area by its name, column and row: 0304"
"""Told at the line for an area, also when a letter is typed there."""

BY_DICE = "by the dice"
"""The text of a row that is not decided."""


class RowField:
    """The field of a row: its widget, the value in it, and whether the user has changed that.

    A value is a text, such as "0304" or "3+4+1"; "" leaves it to the dice.
    """

    def __init__(self, widget: QWidget, read_value: Callable[[], str]) -> None:
        self.widget = widget
        self.read_value = read_value
        """Returns the value in the widget."""
        self._first_value = read_value()
        """The value with which the row was shown."""

    @property
    def is_changed(self) -> bool:
        """True if the value is not the one with which the row was shown."""
        return self.read_value() != self._first_value


class FixForm(QWidget):
    """Asks about one line of the dice log; hidden until ``show_line``."""

    decided = Signal(object)
    """The rows that were changed: a dict of their values by the names of decisions and dice.

    The value "" leaves one to the dice again.
    """

    pick_wanted = Signal()
    """A click on the map is to choose an area.

    The owner calls ``set_area`` if one is clicked, and ``end_pick`` in any case.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, RowField] = {}
        """The fields of the rows by the names of decisions and dice, such as "hill 2 at"."""
        self._subject = ""
        """The words that the names of all rows begin with, such as "road 1"."""
        self._title = plain_label()
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._message: QLabel | None = None
        """Says why no table could be laid so, None if nothing was refused."""
        self._area_line: QLineEdit | None = None
        """The line for an area, None if the log's line has no such decision.

        It has one at most: each point of a route has a line of the log for itself.
        """
        self.pick_button: QToolButton | None = None
        """The button beside it that lets a click on the map choose the area."""
        self._rows = QFormLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setVerticalSpacing(3)
        self._rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.lay_button = QPushButton("Lay it so")
        self.lay_button.setToolTip("Decide this, and lay the table again with the same dice")
        connect(self.lay_button.clicked, self._decide)
        close = QPushButton("Close")
        connect(close.clicked, self.hide)
        buttons = lay_out(QHBoxLayout(), STRETCH, self.lay_button, close)
        lay_out(QVBoxLayout(self), self._title, self._rows, buttons, margins=0, spacing=3)
        self.hide()

    def show_line(self, entry: LogEntry, fixed: Mapping[str, str]) -> None:
        """Ask about the decisions and dice of a line; hide the form where there are none.

        ``fixed`` are the values that were decided before, by the names of decisions and dice.
        """
        self._remove_rows()
        names = [decision.name for decision in entry.line.decisions]
        names += [name for name, _scores in entry.scores]
        self._subject = common_start(names)
        self._title.setText(self._subject[:1].upper() + self._subject[1:])
        for decision in entry.line.decisions:
            field = self._field_of_decision(decision, fixed.get(decision.name, ""))
            self._add_row(decision.name, _noun(decision), field)
        for name, scores in entry.scores:
            noun = "Dice"
            if len(scores) == 1:
                noun = "Die"
            field = self._field_of_dice(scores, is_fixed=bool(fixed.get(name)))
            self._add_row(name, noun, field)
        self.setVisible(bool(self.fields))

    def refuse(self, names: Collection[str], reason: str) -> None:
        """Say why no table could be laid by the rows of these names; what was typed stays."""
        self._remove_message()
        refused_widgets = [self.fields[name].widget for name in names if name in self.fields]
        if not refused_widgets:
            return  # another line is shown meanwhile
        message = plain_label(reason, wordWrap=True)
        palette = message.palette()
        palette.setColor(message.foregroundRole(), inks(self.palette()).error)
        message.setPalette(palette)
        message.setToolTip(plain_text(reason))  # a low panel may cut the label
        # The message stands above the row, or above the first one of several. The form grows
        # upwards, so that this row stays where the user has clicked.
        refused_rows = []
        for row in range(self._rows.rowCount()):
            item = self._rows.itemAt(row, QFormLayout.ItemRole.FieldRole)
            if item is not None and item.widget() in refused_widgets:
                refused_rows.append(row)
        self._rows.insertRow(min(refused_rows), message)
        self._message = message

    def _remove_message(self) -> None:
        """Remove the message about the values that were refused last."""
        if self._message is not None:
            self._rows.removeRow(self._message)
            self._message = None

    def _remove_rows(self) -> None:
        """Remove the rows of the last line."""
        while self._rows.rowCount():
            self._rows.removeRow(0)
        self._message = None
        self.fields.clear()
        self._area_line = None
        self.pick_button = None

    def _add_row(self, name: str, noun: str, field: RowField) -> None:
        """Add a row, labelled with its name without the subject of the form, or else ``noun``."""
        label = name.removeprefix(self._subject).strip().capitalize()
        if not label:
            label = noun
        self.fields[name] = field
        field.widget.setAccessibleName(name)
        self._rows.addRow(label, field.widget)
        question = question_of(name)
        if question:
            self._rows.labelForField(field.widget).setToolTip(plain_text(f"Dice: {question}"))

    def _field_of_decision(self, decision: Decision, value: str) -> RowField:
        """Return a box of words, a number or the line of an area, showing ``value``."""
        if decision.kind is DecisionKind.WORD:
            return _field_of_words(decision.words, value)
        if decision.kind is DecisionKind.NUMBER:
            number = None
            if value.isdigit():
                number = int(value)
            spin = _number_box(decision.minimum, decision.maximum, number)
            return RowField(spin, partial(_text_of_number, spin))
        return self._field_of_area(value)

    def _field_of_area(self, name: str) -> RowField:
        """Return a line for an area, with a button that lets the map be clicked."""
        line = described(QLineEdit(name), tip=AREA_TIP)
        line.setPlaceholderText(BY_DICE)
        connect(line.inputRejected, lambda: say_below(line, AREA_TIP))
        line.setValidator(QRegularExpressionValidator(AREA, line))
        pick_button = tool_button("On the map", "Click the area on the map (Esc: leave it)")
        pick_button.setCheckable(True)
        connect(pick_button.clicked, lambda _checked: self.pick_wanted.emit())
        self._area_line = line
        self.pick_button = pick_button
        line_and_button = QWidget()
        lay_out(QHBoxLayout(line_and_button), (line, 1), pick_button, margins=0)

        def read_name() -> str:
            return line.text().strip()

        return RowField(line_and_button, read_name)

    def _field_of_dice(self, scores: tuple[int, ...], *, is_fixed: bool) -> RowField:
        """Return a number field for each die. Its least value, 0, leaves the die as it was thrown.

        ``scores`` are those that were thrown. If they are fixed by hand, the fields show them.
        """
        spins = []
        all_dice = QWidget()
        row = QHBoxLayout(all_dice)
        row.setContentsMargins(0, 0, 0, 0)
        for score in scores:
            fixed_score: int | None = None
            if is_fixed:
                fixed_score = score
            spin = _number_box(1, SIDES, fixed_score)
            spin.setAccessibleName("Die")
            spin.setSpecialValueText(f"({score})")
            spin.setToolTip(plain_text(f"The die shows {score}; choose a score to fix it"))
            spins.append(spin)
            row.addWidget(spin)
        row.addStretch(1)

        def read_scores() -> str:
            """Return the scores of all dice as "3+4+1"; "" if none is fixed."""
            if all(spin.value() == 0 for spin in spins):
                return ""
            # Dice are fixed together: one that was not changed is fixed at its score.
            fixed_scores = [
                spin.value() or score for spin, score in zip(spins, scores, strict=True)
            ]
            return "+".join(map(str, fixed_scores))

        return RowField(all_dice, read_scores)

    def set_area(self, name: str) -> None:
        """Write the name of an area into the line for one, if there is such a line."""
        if self._area_line is not None:
            self._area_line.setText(name)

    def end_pick(self) -> None:
        """Show that no area is picked on the map any more."""
        if self.pick_button is not None:
            self.pick_button.setChecked(False)

    def changed_values(self) -> dict[str, str]:
        """Return the values of the rows that were changed, by the names of decisions and dice."""
        return {name: field.read_value() for name, field in self.fields.items() if field.is_changed}

    def _decide(self) -> None:
        self._remove_message()
        self.decided.emit(self.changed_values())

    @guarded
    def keyPressEvent(self, event):  # type: ignore[no-untyped-def]
        """Decide by Enter; hide the form by Escape, so that nothing is decided."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._decide()
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


def _field_of_words(words: Sequence[str], word: str) -> RowField:
    """Return a box of words, showing ``word``; "" is "by the dice"."""
    box = pass_wheel_on(QComboBox())
    box.addItems([BY_DICE, *words])
    box.setCurrentText(word or BY_DICE)

    def read_word() -> str:
        if box.currentIndex() > 0:
            return box.currentText()
        return ""

    return RowField(box, read_word)


def _noun(decision: Decision) -> str:
    """Return the label of a decision whose name is the subject of the form."""
    if decision.is_area:
        return "Area"
    if decision.kind is DecisionKind.NUMBER:
        return "Number"
    last_word = decision.name.rstrip("0123456789 ").split()[-1]
    return last_word.capitalize()  # "Crossing" of "road 1 crossing 2"


def common_start(names: Sequence[str]) -> str:
    """Return the words that all names begin with; "" for none.

    That of ``("road 1 entry", "road 1 exit")`` is "road 1".
    """
    common_words = []
    for words in zip(*(name.split() for name in names), strict=False):
        if len(set(words)) > 1:
            break
        common_words.append(words[0])
    return " ".join(common_words)


def _number_box(lowest: int, highest: int, number: int | None) -> QSpinBox:
    """Return a box for a number from ``lowest`` to ``highest``, showing ``number``.

    The value ``lowest - 1`` is shown as "by the dice"; so is the number None.
    """
    spin = pass_wheel_on(QSpinBox())
    spin.setRange(lowest - 1, highest)
    NumberLimits(spin, lowest, highest)
    spin.setSpecialValueText(BY_DICE)
    if number is None:
        spin.setValue(lowest - 1)
    else:
        spin.setValue(number)
    return spin


def _text_of_number(spin: QSpinBox) -> str:
    """Return the number of a ``_number_box``, "" for the dice."""
    if spin.value() > spin.minimum():
        return str(spin.value())
    return ""
