"""The fields of a form: a widget for each setting, made from its description.

``setting_field`` makes a ``SettingField``: the widget, with functions that return and show its
value. Which widget it is depends on the kind of the setting, and each has a function below: a box
of choices, a tick, a line, a field of several lines, a number, or a table. A setting whose default
is None is *optional*: it can be not set, and the value is None then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QIcon,
    QPalette,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHeaderView,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.appearance.painting import painting
from app.qt_guard import connect, guarded
from app.widgets.dialogs.files import choose_colour
from app.widgets.forms.field_input import is_field, pass_wheel_on
from app.widgets.forms.language_field import LanguageField
from app.widgets.forms.long_text import LongText
from app.widgets.forms.number_limits import NumberLimits, say_after_typing
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described, plain_text, say_below
from randomizer.languages.language import WordLanguage
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import COLOUR, Setting, plain_colour, table_rows

NOT_SET = "not set"
"""The label of None where a setting has no other."""

_NO_LIMIT = 10**6
"""The limit of a number whose setting has none."""

MOST_DIGITS = 9
"""A number with more digits is refused, where one can be typed beside the choices."""

SWATCH = 14
"""The width and height of the colour in a line for one, in logical pixels."""

LEAST_COLUMN = 48
"""The least width of a column of a table, in logical pixels."""

MOST_COLUMN = 240
"""The most width of a column, in logical pixels: a long name leaves room for the other columns."""

TEXT_MARGIN = 18
"""The width of a line without its text, in logical pixels."""

ARROW_MARGIN = 28
"""The width of a box of choices or of a number without its text: it has arrows."""


class SettingField(NamedTuple):
    """A widget that shows the value of a setting."""

    widget: QWidget

    value: Callable[[], object]
    """Returns the value that is shown; None if the setting is not set."""

    set_value: Callable[[object], object]
    """Shows a value; the widget may report that as a change, see ``show``."""

    def show(self, value: object) -> None:
        """Show a value; the field does not report it as a change."""
        with QSignalBlocker(self.widget):
            self.set_value(value)


def setting_field(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return the field of a setting, which shows its default.

    ``changed`` is called when it shows another value. The title of the setting is its name for
    screen readers, the help its tooltip.
    """
    is_optional = setting.default is None
    if setting.columns:
        field = _table(setting, changed)
    elif setting.choices or (setting.kind is bool and is_optional):
        field = _choice(setting, changed)
    elif setting.kind is bool:
        field = _tick(setting, changed)
    elif setting.kind is str and setting.lines > 1:
        field = _long_text(setting, changed)
    elif setting.kind is str:
        field = _text(setting, changed)
    else:
        field = _number(setting, changed)
    described(field.widget, setting.title.replace("&", ""), setting.help)
    if isinstance(field.widget, QComboBox | QAbstractSpinBox):
        pass_wheel_on(field.widget)
    if is_field(field.widget):
        leave_undo_to_desk(field.widget)
    field.show(setting.default)
    return field


def _choice(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box of the choices; the data of its items are the values."""
    entries: list[tuple[object, str]] = []
    if setting.default is None:
        entries.append((None, setting.unset))
    if setting.choices:
        entries += setting.choices
    else:  # an optional setting of True and False
        entries += [(False, "no"), (True, "yes")]
    box = QComboBox()
    for value, label in entries:
        box.addItem(label, value)
    if setting.step:
        typed_choice = _TypedChoice(setting, box, changed)
        return SettingField(box, typed_choice.value, typed_choice.show)
    connect(box.currentIndexChanged, lambda _index: changed())
    values = [value for value, _label in entries]

    def show(value: object) -> None:
        if value in values:
            box.setCurrentIndex(values.index(value))
        else:
            box.setCurrentIndex(0)

    return SettingField(box, lambda: values[box.currentIndex()], show)


class _TypedChoice:
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
        """The value that was shown or typed last: what stays while a text is none."""
        self._reported_value = setting.default
        """The value that was reported last: several signals of the box can tell of one change."""
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = box.lineEdit()
        assert line is not None, "the box is editable"
        connect(line.textEdited, self._on_edited)
        connect(line.editingFinished, self._end_editing)
        connect(box.currentIndexChanged, lambda _index: self._report_change())
        connect(box.activated, lambda _index: self._report_change())

    def value(self) -> object:
        """Return the value of the text in the line: that of a choice, or the number typed.

        For any other text it is the value before it.
        """
        index = self._box.findText(self._box.currentText())
        if index >= 0:
            return self._box.itemData(index)
        number = self._typed_number()
        if number is None:
            return self._last_value
        return number

    def _typed_number(self) -> int | None:
        """Return the number in the line, as a multiple of the step; None if there is none that
        fits.
        """
        setting = self._setting
        digits = _digits_of(self._box.currentText())
        if not re.fullmatch(f"[0-9]{{1,{MOST_DIGITS}}}", digits):
            return None
        least = setting.minimum or 0
        most = setting.maximum or _NO_LIMIT
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
        """Say what fits as soon as a number is too large: further digits make no less of it."""
        digits = _digits_of(text)
        if not re.fullmatch("[0-9]+", digits):
            return
        most = self._setting.maximum or _NO_LIMIT
        if len(digits) > MOST_DIGITS or int(digits) > most:
            say_below(self._box, self._what_fits())

    def _end_editing(self) -> None:
        """Show the value that counts, and say below the box what fits if the text was another."""
        typed_text = self._box.currentText()
        value = self.value()
        self._write(value)
        if typed_text not in (str(value), self._box.currentText()):
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


def _tick(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box to tick, with the setting's title as its text."""
    box = QCheckBox(setting.title)
    connect(box.toggled, lambda _checked: changed())
    return SettingField(box, box.isChecked, lambda value: box.setChecked(bool(value)))


def _text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a line for a text; it completes words if the setting has some.

    The empty line of an optional setting stands for None.
    """
    is_optional = setting.default is None
    line = QLineEdit()
    if setting.words:
        line = LanguageField()
        line.completion.language = WordLanguage(setting.words)
    if is_optional or setting.unset != NOT_SET:
        line.setPlaceholderText(setting.unset)
    connect(line.textChanged, lambda _text: changed())
    colour_button: _ColourButton | None = None
    colour_of = setting.colour_of
    if setting.pattern == COLOUR:
        colour_of = plain_colour
    if colour_of is not None:
        colour_button = _ColourButton(line, colour_of)

    def value() -> object:
        if is_optional and not line.text():
            return None
        return line.text()

    def show(value_to_show: object) -> None:
        text = _shown_text(value_to_show)
        if text != line.text():  # setting the same text would drop the selection in it
            line.setText(text)
        if colour_button is not None:  # it hears of no text that is set while signals are blocked
            colour_button.show_colour(line.text())

    return SettingField(line, value, show)


def _shown_text(value: object) -> str:
    """Return the text that shows the value of a text setting; "" for None."""
    if value is None:
        return ""
    return str(value)


class _ColourButton(QAction):
    """The button at the end of a line for a colour, which shows the colour and chooses another."""

    def __init__(self, line: QLineEdit, colour_of: Callable[[str], str | None]) -> None:
        picture = QPixmap(SWATCH, SWATCH)
        super().__init__(QIcon(picture), "", line)  # not made by ``addAction``: see ``add_to_bar``
        self._line = line
        self._colour_of = colour_of
        """Returns ``#rrggbb`` for a text, None for a text that means no colour."""
        self._picture = picture
        self.setToolTip("Choose a colour")
        line.addAction(self, QLineEdit.ActionPosition.TrailingPosition)
        connect(line.textChanged, self.show_colour)
        connect(self.triggered, self._choose)

    def show_colour(self, text: str) -> None:
        """Show the colour of a text such as ``#4080ff``; an empty frame for any other text."""
        picture = self._picture
        colour = self._colour_of(text)
        if colour is not None:
            picture.fill(QColor(colour))
        else:
            picture.fill(Qt.GlobalColor.transparent)
        # The frame shows where to click, also where no colour is set.
        with painting(picture) as painter:
            painter.setPen(self._line.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawRect(picture.rect().adjusted(0, 0, -1, -1))
        self.setIcon(QIcon(picture))

    async def _choose(self) -> None:
        """Let the user choose a colour, and put it into the line as if it had been typed."""
        line = self._line
        colour = await choose_colour(line, QColor(self._colour_of(line.text()) or ""))
        if colour is not None:
            line.setText(colour.name())
            line.editingFinished.emit()


def _long_text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a field for a text of several lines.

    The empty field of an optional setting stands for None.
    """
    is_optional = setting.default is None
    field = LongText(setting.lines, setting.maximum or _NO_LIMIT)
    if is_optional:
        field.setPlaceholderText(setting.unset)
    connect(field.textChanged, changed)

    def value() -> object:
        text = field.toPlainText()
        if is_optional and not text:
            return None
        return text

    def show(value_to_show: object) -> None:
        text = _shown_text(value_to_show)
        if text != field.toPlainText():  # setting the same text would move the cursor to its start
            field.setPlainText(text)

    return SettingField(field, value, show)


def _table(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a table; the form sets the number of its rows (``Setting.rows_of``)."""
    table = SettingTable(setting)
    connect(table.edited, changed)
    return SettingField(table, table.text, lambda text: table.set_text(str(text or "")))


def _number(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box for a number.

    Qt's boxes always have a number. Where the setting may be not set, the range begins one below
    the least number; that lowest value is shown as a text, and stands for *not set*.
    """
    is_optional = setting.default is None
    least = setting.minimum
    if least is None:
        least = -_NO_LIMIT
    most = setting.maximum
    if most is None:
        most = _NO_LIMIT
    lowest = least
    if is_optional:
        lowest = least - 1

    spin = _spin_box(setting)
    spin.setRange(lowest, most)
    if not is_optional:
        # For a number that is too small Qt would show the former one again, without a word. But
        # not for an optional one, of which the nearest number stands for "not set".
        spin.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    if setting.minimum is not None and setting.maximum is not None:
        NumberLimits(spin, setting.minimum, setting.maximum)
    if is_optional:
        spin.setSpecialValueText(setting.unset)
    elif least == 0:
        spin.setSpecialValueText(setting.zero)
    connect(spin.valueChanged, lambda _value: changed())

    def value() -> object:
        if spin.value() < least:
            return None
        return spin.value()

    def show(number: object) -> None:
        if isinstance(number, int | float):
            number_in_range = min(max(number, spin.minimum()), spin.maximum())
            spin.setValue(setting.kind(number_in_range))
        else:
            spin.setValue(lowest)

    return SettingField(spin, value, show)


def _spin_box(setting: Setting) -> QSpinBox | QDoubleSpinBox:
    """Return a box for whole numbers or for decimal ones, with the unit of the setting."""
    spin: QSpinBox | QDoubleSpinBox
    if setting.kind is int:
        spin = QSpinBox()
    else:
        spin = QDoubleSpinBox()
        spin.setDecimals(setting.decimals)
    if setting.unit:
        spin.setSuffix(f" {setting.unit}")
    spin.setGroupSeparatorShown(True)
    return spin


class SettingTable(QTableWidget):
    """Shows a setting with ``columns``: a row of fields for each object of its JSON list.

    A column without a title is not shown; its values are kept, as are those that no column has and
    those of rows that are not shown. Columns are as wide as their texts, so that a name can be read
    whole; if the table has no room for all of them, it scrolls.
    """

    edited = Signal()
    """The user changed a field."""

    def __init__(self, setting: Setting) -> None:
        self._columns = tuple(column for column in setting.columns if column.title)
        super().__init__(0, len(self._columns))
        self._setting = setting
        self._rows: list[dict[str, object]] = []
        """The objects of the list; those of hidden rows and empty ones at its end, too."""
        self._fields: list[list[SettingField]] = []
        """The fields of the rows that are shown, column by column."""
        for index, column in enumerate(self._columns):
            item = QTableWidgetItem(column.title)
            item.setToolTip(plain_text(column.help))
            self.setHorizontalHeaderItem(index, item)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(LEAST_COLUMN)
        self.setHorizontalScrollMode(QTableWidget.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # its fields are the stops of the Tab key
        self.setTabKeyNavigation(False)  # else Tab goes round in the table for ever
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_row_count(self, count: int) -> None:
        """Show so many rows."""
        while len(self._fields) < count:
            self._add_row()
        self.setRowCount(count)
        del self._fields[count:]
        self._share_width()
        self.updateGeometry()

    def cells(self) -> tuple[QWidget, ...]:
        """Return the widgets of all cells, row by row."""
        widgets: list[QWidget] = []
        for fields in self._fields:
            widgets += [field.widget for field in fields]
        return tuple(widgets)

    def text(self) -> str:
        """Return the JSON list, without empty rows at its end; "" if all are empty."""
        rows = list(self._rows)
        while rows and not rows[-1]:
            rows.pop()
        if rows:
            return json.dumps(rows, ensure_ascii=False)
        return ""

    def set_text(self, text: str) -> None:
        """Show the rows of a JSON list; for a text that is none the rows are empty."""
        try:
            self._rows = [dict(row) for row in table_rows(self._setting, text)]
        except ProblemError:
            self._rows = []
        for row in range(len(self._fields)):
            self._show_row(row)
        self._share_width()

    def _share_width(self) -> None:
        """Give each column what its texts need, and an equal share of what is left."""
        widths = self._needed_widths()
        unused_width = max(0, self.viewport().width() - sum(widths))
        share = unused_width // max(1, len(widths))
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width + share)

    def _needed_widths(self) -> list[int]:
        """Return the width in which the heading and all fields of each column can be read."""
        header = self.horizontalHeader()
        widths = []
        for column in range(self.columnCount()):
            width = max(LEAST_COLUMN, header.sectionSizeHint(column))
            for fields in self._fields:
                width = max(width, readable_width(fields[column].widget))
            widths.append(min(width, MOST_COLUMN))
        return widths

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size as high as the rows that are shown and a scroll bar below them."""
        frame = 2 * self.frameWidth()
        width = sum(self._needed_widths()) + self.verticalHeader().sizeHint().width()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length()
        return QSize(width + frame, height + frame + bar)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        return QSize(2 * LEAST_COLUMN, self.sizeHint().height())

    def _add_row(self) -> None:
        """Add the fields of one more row."""
        row = len(self._fields)
        self.setRowCount(max(self.rowCount(), row + 1))
        fields = []
        for index, column in enumerate(self._columns):
            field = setting_field(column, partial(self._on_changed, row, index))
            described(field.widget, f"{column.title} {row + 1}")
            self.setCellWidget(row, index, field.widget)
            fields.append(field)
        self._fields.append(fields)
        self.resizeRowToContents(row)
        self._show_row(row)

    def _show_row(self, row: int) -> None:
        """Show the values of a row; a row that the list lacks is empty."""
        row_values: dict[str, object] = {}
        if row < len(self._rows):
            row_values = self._rows[row]
        for column, field in zip(self._columns, self._fields[row], strict=True):
            value = row_values.get(column.name)
            # A column of texts can hold an object, a list or false: it is shown as JSON.
            is_json = isinstance(value, dict | list) or (column.kind is str and value is False)
            if is_json:
                field.show(json.dumps(value, ensure_ascii=False))
            else:
                field.show(value)

    def _on_changed(self, row: int, index: int) -> None:
        """Put the value of a field into its object; one that is not set is left out."""
        while len(self._rows) <= row:
            self._rows.append({})
        column = self._columns[index]
        value = self._fields[row][index].value()
        if isinstance(value, str) and value[:1] in ("[", "{"):
            with suppress(ValueError, RecursionError):  # JSON that is being typed is still a text
                value = json.loads(value)
        if value in (None, ""):
            self._rows[row].pop(column.name, None)
        else:
            self._rows[row][column.name] = value
        self._share_width()
        self.edited.emit()


def readable_width(field: QWidget) -> int:
    """Return the width in which the text of a field can be read, in logical pixels."""
    text_width = field.fontMetrics().horizontalAdvance
    if isinstance(field, QComboBox):
        return text_width(field.currentText()) + ARROW_MARGIN
    if isinstance(field, QAbstractSpinBox):
        return text_width(field.text()) + ARROW_MARGIN
    if isinstance(field, QLineEdit):
        icons_width = len(field.actions()) * (SWATCH + TEXT_MARGIN // 2)
        text = field.text() or field.placeholderText()
        return text_width(text) + TEXT_MARGIN + icons_width
    return field.sizeHint().width()
