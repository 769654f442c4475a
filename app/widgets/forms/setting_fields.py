"""The fields of a form: a widget for each setting, made from its description."""

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
    QFocusEvent,
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
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.appearance.painting import painting
from app.qt_guard import connect, guarded
from app.widgets.dialogs.files import choose_colour
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.language_field import LanguageField
from app.widgets.forms.undo_keys import leave_undo_to_desk
from app.widgets.layout.builders import described, plain_text, say_below
from randomizer.languages.language import WordLanguage
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import COLOUR, Setting, table_rows

NOT_SET = "not set"
"""The label of None where a setting has no other."""

_NO_END = 10**6
"""The end of a number's range that has none."""

MOST_DIGITS = 9
"""Further digits of a number that was typed are passed over."""

SWATCH = 14
"""The width of the colour in a field of one, in logical pixels."""

LEAST_COLUMN = 64
"""Of a column of a table, in logical pixels."""

MOST_COLUMN = 240
"""A longer text is scrolled in its field, so that one name leaves room for the other columns."""

TEXT_MARGIN = 18
"""What a field of a table needs beside its text, in logical pixels."""

ARROW_MARGIN = 34
"""As ``TEXT_MARGIN``, of a box of choices or of a number, with its arrows."""


class SettingField(NamedTuple):
    """A widget that shows the value of a setting."""

    widget: QWidget

    value: Callable[[], object]
    """Returns the value that is shown; None: not set."""

    set_value: Callable[[object], object]
    """Shows a value; the widget may report that as a change, see ``show``."""

    def show(self, value: object) -> None:
        """Show a value; the field does not report it as a change."""
        with QSignalBlocker(self.widget):
            self.set_value(value)


def setting_field(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return the field of a setting, which shows its default.

    ``changed`` is called when it shows another value. The setting's title is its name for screen
    readers, the help its tooltip.
    """
    optional = setting.default is None
    if setting.columns:
        field = _table(setting, changed)
    elif setting.choices or (setting.kind is bool and optional):
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
    if isinstance(field.widget, QLineEdit | QAbstractSpinBox):
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
    else:  # of a setting that is True, False or not set
        entries += [(False, "no"), (True, "yes")]
    values = [value for value, _label in entries]
    box = QComboBox()
    for value, label in entries:
        box.addItem(label, value)
    if setting.step:
        return _typed_choice(setting, box, changed)
    connect(box.currentIndexChanged, lambda _index: changed())
    return SettingField(
        box,
        lambda: values[box.currentIndex()],
        lambda value: box.setCurrentIndex(values.index(value) if value in values else 0),
    )


def _typed_choice(setting: Setting, box: QComboBox, changed: Callable[[], object]) -> SettingField:
    """Return a box of the choices with a line for another number: see ``_TypedChoice``."""
    field = _TypedChoice(setting, box, changed)
    return SettingField(box, field.value, field.show)


class _TypedChoice:
    """A box of choices of numbers with a line for another number.

    What is typed becomes the nearest step within the setting's range when the editing ends; a text
    without digits becomes the default. Letters in it are passed over: "100 battles" is 100.
    """

    def __init__(self, setting: Setting, box: QComboBox, changed: Callable[[], object]) -> None:
        self._setting = setting
        self._box = box
        self._changed = changed
        self._reported_value = setting.default
        """The value that the form knows: several signals of the box may tell of one change."""
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = box.lineEdit()
        assert line is not None, "the box is editable"
        connect(line.editingFinished, self._end_editing)
        connect(box.currentIndexChanged, lambda _index: self._report_change())
        connect(box.activated, lambda _index: self._report_change())

    def value(self) -> object:
        """Return the value of the text in the line: that of a choice, or the number typed."""
        setting = self._setting
        text = self._box.currentText()
        index = self._box.findText(text)
        if index >= 0:
            return self._box.itemData(index)
        digits = "".join(character for character in text if character in "0123456789")
        digits = digits[:MOST_DIGITS]
        if not digits:
            return setting.default
        steps = round(int(digits) / setting.step)
        least = setting.least or 0
        most = setting.most or _NO_END
        return min(most, max(least, steps * setting.step))

    def show(self, value: object) -> None:
        """Show a value: as the choice that has it, else as a number."""
        index = self._box.findData(value)
        if index >= 0:
            self._box.setCurrentIndex(index)
            self._box.setEditText(self._box.itemText(index))
        else:
            self._box.setEditText(str(value))

    def _end_editing(self) -> None:
        """Show the value that counts, and say below the box what fits if the text was another."""
        typed_text = self._box.currentText()
        value = self.value()
        self.show(value)
        if typed_text not in (str(value), self._box.currentText()):
            say_below(self._box, self._what_fits())
        self._report_change()

    def _what_fits(self) -> str:
        """Return the words for what can be typed: ``One from the list, or 64 to 512``."""
        setting = self._setting
        if setting.least is None or setting.most is None:
            return "One from the list, or a number"
        numbers = f"{setting.least:,} to {setting.most:,}"
        if setting.step > 1:
            numbers += f" in steps of {setting.step:,}"
        return f"One from the list, or {numbers}"

    def _report_change(self) -> None:
        value = self.value()
        if value != self._reported_value:
            self._reported_value = value
            self._changed()


def _tick(setting: Setting, changed: Callable[[], object]) -> SettingField:
    box = QCheckBox(setting.title)
    connect(box.toggled, lambda _checked: changed())
    return SettingField(box, box.isChecked, lambda value: box.setChecked(bool(value)))


def _text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    empty = None if setting.default is None else ""
    line = QLineEdit()
    if setting.words:
        line = LanguageField()
        line.completion.language = WordLanguage(setting.words)
    if empty is None or setting.unset != NOT_SET:
        line.setPlaceholderText(setting.unset)
    connect(line.textChanged, lambda _text: changed())
    if setting.pattern == COLOUR:
        show_colour = _offer_colours(line)
    else:
        show_colour = None

    def show(value: object) -> None:
        text = "" if value is None else str(value)
        if text != line.text():  # else the selection in it would be lost
            line.setText(text)
        if show_colour is not None:
            show_colour(line.text())

    return SettingField(line, lambda: line.text() or empty, show)


def _offer_colours(line: QLineEdit) -> Callable[[str], None]:
    """Show the colour of a line's text at its end; a click there chooses another one.

    Returns what shows the colour of a text.
    """
    picture = QPixmap(SWATCH, SWATCH)
    action = QAction(QIcon(picture), "", line)  # made here: see add_to_bar
    action.setToolTip("Choose a colour")
    line.addAction(action, QLineEdit.ActionPosition.TrailingPosition)

    def show(text: str) -> None:
        picture.fill(QColor(text) if re.fullmatch(COLOUR, text) else Qt.GlobalColor.transparent)
        # The frame shows where to click, also where no colour is set.
        with painting(picture) as painter:
            painter.setPen(line.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawRect(picture.rect().adjusted(0, 0, -1, -1))
        action.setIcon(QIcon(picture))

    async def choose() -> None:
        colour = await choose_colour(line, QColor(line.text()))
        if colour is not None:
            line.setText(colour.name())
            line.editingFinished.emit()

    connect(line.textChanged, show)
    connect(action.triggered, choose)
    return show


class LongText(QPlainTextEdit):
    """A field for a text of several lines, at most ``most`` characters.

    ``editingFinished()`` as that of a ``QLineEdit``; Tab goes to the next field.
    """

    editingFinished = Signal()

    def __init__(self, lines: int, most: int) -> None:
        super().__init__()
        self._most = most
        self.setTabChangesFocus(True)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2 * self.frameWidth() + 10)
        connect(self.textChanged, self._cut)

    def _cut(self) -> None:
        """Take away what is too long."""
        if len(self.toPlainText()) > self._most:
            end = self.textCursor()
            end.setPosition(self._most)
            end.movePosition(end.MoveOperation.End, end.MoveMode.KeepAnchor)
            end.removeSelectedText()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.editingFinished.emit()


def _long_text(setting: Setting, changed: Callable[[], object]) -> SettingField:
    empty = None if setting.default is None else ""
    field = LongText(setting.lines, setting.most or _NO_END)
    field.setPlaceholderText(setting.unset if empty is None else "")
    connect(field.textChanged, changed)

    def show(value: object) -> None:
        text = "" if value is None else str(value)
        if text != field.toPlainText():  # else the cursor would go to the beginning
            field.setPlainText(text)

    return SettingField(field, lambda: field.toPlainText() or empty, show)


def _table(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a table; the form says how many rows it has (``Setting.rows_of``)."""
    table = SettingTable(setting)
    connect(table.edited, changed)
    return SettingField(table, table.text, lambda text: table.set_text(str(text or "")))


def _number(setting: Setting, changed: Callable[[], object]) -> SettingField:
    """Return a box for a number.

    Qt's boxes always have a number. Where the setting may be not set, the range begins one below
    the least number; that lowest value is shown as a text, and stands for *not set*.
    """
    is_optional = setting.default is None
    least = -_NO_END if setting.least is None else setting.least
    most = _NO_END if setting.most is None else setting.most
    lowest = least - 1 if is_optional else least
    spin = QSpinBox() if setting.kind is int else QDoubleSpinBox()
    if isinstance(spin, QDoubleSpinBox):
        spin.setDecimals(setting.decimals)
    if setting.unit:
        spin.setSuffix(f" {setting.unit}")
    spin.setGroupSeparatorShown(True)
    spin.setRange(lowest, most)
    if not is_optional:  # there, the nearest number is that which stands for "not set"
        # Qt would bring the former number back, without a word, for one that is too small.
        spin.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
    line = spin.lineEdit()
    connect(line.textEdited, lambda _text: _say_range(spin, setting))
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
            spin.setValue(setting.kind(min(max(number, spin.minimum()), spin.maximum())))
        else:
            spin.setValue(lowest)

    return SettingField(spin, value, show)


def _say_range(spin: QSpinBox | QDoubleSpinBox, setting: Setting) -> None:
    """Say below a field what can be entered, while a number is typed that cannot."""
    if spin.hasAcceptableInput() or setting.least is None or setting.most is None:
        return
    say_below(spin, f"{setting.least:,} to {setting.most:,}")


class SettingTable(QTableWidget):
    """Shows a setting with ``columns``: a row of fields for each object of its JSON list.

    ``edited()``: the user changed a field. A column without a title is not shown; its values are
    kept, as are those that no column has and those of rows that are not shown. Columns are as wide
    as their texts, so that a name can be read whole; where the table has no room for all of them,
    it scrolls.
    """

    edited = Signal()

    def __init__(self, setting: Setting) -> None:
        self._columns = tuple(column for column in setting.columns if column.title)
        super().__init__(0, len(self._columns))
        self._setting = setting
        self._rows: list[dict[str, object]] = []
        self._fields: list[list[SettingField]] = []
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
        return tuple(field.widget for fields in self._fields for field in fields)

    def text(self) -> str:
        """Return the JSON list, without empty rows at its end; "" if all are empty."""
        rows = list(self._rows)
        while rows and not rows[-1]:
            rows.pop()
        if rows:
            return json.dumps(rows, ensure_ascii=False)
        return ""

    def set_text(self, text: str) -> None:
        """Show the rows of a JSON list; a text that is none is shown as no rows."""
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
        spare = max(0, self.viewport().width() - sum(widths)) // max(1, len(widths))
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width + spare)

    def _needed_widths(self) -> list[int]:
        """Return the width in which the heading and all fields of each column can be read."""
        header = self.horizontalHeader()
        widths = []
        for place in range(self.columnCount()):
            needed = max(LEAST_COLUMN, header.sectionSizeHint(place))
            for fields in self._fields:
                needed = max(needed, readable_width(fields[place].widget))
            widths.append(min(needed, MOST_COLUMN))
        return widths

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size as high as the rows shown, with a scroll bar where the columns need one."""
        frame = 2 * self.frameWidth()
        width = sum(self._needed_widths()) + self.verticalHeader().sizeHint().width()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length()
        return QSize(width + frame, height + frame + bar)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        return QSize(2 * LEAST_COLUMN, self.sizeHint().height())

    def _add_row(self) -> None:
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
        if row < len(self._rows):
            row_values = self._rows[row]
        else:
            row_values = {}
        for column, field in zip(self._columns, self._fields[row], strict=True):
            value = row_values.get(column.name)
            nested = isinstance(value, dict | list) or (column.kind is str and value is False)
            field.show(json.dumps(value, ensure_ascii=False) if nested else value)

    def _on_changed(self, row: int, index: int) -> None:
        while len(self._rows) <= row:
            self._rows.append({})
        column = self._columns[index]
        value = self._fields[row][index].value()
        if isinstance(value, str) and value[:1] in ("[", "{"):
            with suppress(ValueError, RecursionError):  # it is being typed: a text until then
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
        icons = len(field.actions()) * (SWATCH + TEXT_MARGIN // 2)
        return text_width(field.text() or field.placeholderText()) + TEXT_MARGIN + icons
    return field.sizeHint().width()
