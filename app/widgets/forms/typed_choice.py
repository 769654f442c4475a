"""A box of choices of numbers in which another number can be typed, such as 64, 128 or 200."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtWidgets import QComboBox

from app.qt_guard import connect
from app.widgets.forms.number_limits import say_after_typing
from app.widgets.layout.builders import say_below
from randomizer.model.settings.setting import Setting

NO_LIMIT = 10**6
"""The greatest number where the setting has no maximum."""

MAX_DIGITS = 9
"""A number with more digits is refused, where one can be typed beside the choices."""


class TypedChoice:
    """A box of choices of numbers with a line for another number.

    When the editing ends, a number within the range of the setting becomes the nearest multiple of
    ``Setting.step``. Any other text is refused: the value before it stays, and what fits is said
    below the box.
    """

    def __init__(self, setting: Setting, box: QComboBox, changed: Callable[[], object]) -> None:
        self._setting = setting
        self._box = box
        self._changed = changed
        self._last_value = setting.default
        """The value that was shown or typed last: it counts while the text is no value."""
        self._reported_value = setting.default
        """The value that was reported last: several signals of the box can tell of one change."""
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = box.lineEdit()
        assert line is not None, "the box is editable"
        connect(line.textEdited, self._on_edited)
        connect(line.editingFinished, self._end_editing)
        connect(box.currentIndexChanged, self._on_index)
        connect(box.activated, self._on_index)

    def value(self) -> object:
        """Return the value of the text in the line: that of a choice, or the number typed.

        For any other text it is the value before it.
        """
        index = self._box.findText(self._box.currentText().strip())
        if index >= 0:
            return self._box.itemData(index)
        number = self._typed_number()
        if number is None:
            return self._last_value
        return number

    def _typed_number(self) -> int | None:
        """Return the number in the line, as a multiple of the step; None if none fits.

        A least or greatest number that is no multiple stays as it is.
        """
        setting = self._setting
        digits = _digits_of(self._box.currentText())
        if not re.fullmatch(f"[0-9]{{1,{MAX_DIGITS}}}", digits):
            return None
        least = setting.minimum or 0
        most = setting.maximum or NO_LIMIT
        if not least <= int(digits) <= most:
            return None
        return min(most, max(least, round(int(digits) / setting.step) * setting.step))

    def show(self, value: object) -> None:
        """Show a value that is not to be reported."""
        self._last_value = value
        self._reported_value = value
        self._write(value)

    def _write(self, value: object) -> None:
        """Write a value into the line: as the choice that has it, else as a number."""
        index = self._box.findData(value)
        if index >= 0:
            self._box.setCurrentIndex(index)
            self._box.setEditText(self._box.itemText(index))
        else:
            self._box.setEditText(str(value))

    def _on_edited(self, text: str) -> None:
        """Say what fits as soon as a number is too large: more digits cannot make it fit."""
        digits = _digits_of(text)
        if not re.fullmatch("[0-9]+", digits):
            return
        most = self._setting.maximum or NO_LIMIT
        if len(digits) > MAX_DIGITS or int(digits) > most:
            say_below(self._box, self._what_fits())

    def _on_index(self, _index: int) -> None:
        self._report_change()

    def _end_editing(self) -> None:
        """Show the value that counts, and say below the box what fits if the text was another."""
        typed_text = self._box.currentText().strip()
        value = self.value()
        self._write(value)
        is_value = _digits_of(typed_text) == str(value) or typed_text == self._box.currentText()
        if not is_value:
            # Below the box for who stays there, and in the status line for who has left it.
            say_below(self._box, self._what_fits())
            say_after_typing(self._box, self._what_fits())
        self._report_change()

    def _what_fits(self) -> str:
        """Return the words for what can be typed: ``One from the list, or 64 to 512``."""
        setting = self._setting
        if setting.minimum is None or setting.maximum is None:
            return "One from the list, or a number"
        numbers = f"{setting.minimum:,} to {setting.maximum:,}"
        if setting.step > 1:
            numbers += f" in steps of {setting.step:,}"
        return f"One from the list, or {numbers}"

    def _report_change(self) -> None:
        """Call ``changed`` if the value is another than the one that was reported last."""
        value = self.value()
        self._last_value = value
        if value != self._reported_value:
            self._reported_value = value
            self._changed()


def _digits_of(text: str) -> str:
    """Return a typed number without blanks at its ends and without the commas between digits."""
    return text.strip().replace(",", "")
