"""A setting that is a list of objects, as a table with a row of fields for each.

The description of the setting has a column, itself a ``Setting``, for each value of an object:

    columns: name (str), strength (int)      Name      Strength
    text: [{"name": "Orcs", "strength": 4}]  [Orcs   ] [4 ^]
                                             [       ] [not set ^]
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.qt_guard import guarded
from app.widgets.forms.colour_button import SWATCH
from app.widgets.forms.setting_widget import SettingField
from app.widgets.layout.builders import described, plain_text
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import Setting, table_rows

MIN_COLUMN = 48
"""The least width of a column of a table, in logical pixels."""

MAX_COLUMN = 240
"""The most width of a column, in logical pixels: a long name leaves room for the other columns."""

TEXT_MARGIN = 18
"""The width of a line without its text, in logical pixels."""

ARROW_MARGIN = 28
"""The width of a box of choices or of a number without its text, in logical pixels: it has arrows.
"""


class SettingTable(QTableWidget):
    """Shows a setting with ``columns``: a row of fields for each object of its JSON list.

    Values are kept that have no field: of columns without a title, which are not shown, of names
    that no column has, and of rows beyond those that are shown. Columns are as wide as their texts,
    so that a name can be read whole; if the table has no room for all of them, it scrolls.
    """

    edited = Signal()
    """The user changed a field."""

    def __init__(
        self,
        setting: Setting,
        make_field: Callable[[Setting, Callable[[], object]], SettingField],
    ) -> None:
        """Make a table without rows; ``make_field`` makes the field of a cell from its column.

        It is ``setting_field``, whose module makes tables, and so cannot be imported here.
        """
        self._columns = tuple(column for column in setting.columns if column.title)
        super().__init__(0, len(self._columns))
        self._setting = setting
        self._make_field = make_field
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
        header.setMinimumSectionSize(MIN_COLUMN)
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
        self._fit_columns()
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
        """Show the rows of a JSON list.

        A text that is none is shown as empty rows, and lost with the next edit.
        """
        try:
            self._rows = [dict(row) for row in table_rows(self._setting, text)]
        except ProblemError:
            self._rows = []
        for row in range(len(self._fields)):
            self._show_row(row)
        self._fit_columns()

    def _fit_columns(self) -> None:
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
            width = max(MIN_COLUMN, header.sectionSizeHint(column))
            for fields in self._fields:
                width = max(width, readable_width(fields[column].widget))
            widths.append(min(width, MAX_COLUMN))
        return widths

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

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
        return QSize(2 * MIN_COLUMN, self.sizeHint().height())

    def _add_row(self) -> None:
        """Add the fields of one more row."""
        row = len(self._fields)
        self.setRowCount(max(self.rowCount(), row + 1))
        fields = []
        for index, column in enumerate(self._columns):
            field = self._make_field(column, partial(self._on_changed, row, index))
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
        value = _parsed(self._fields[row][index].value())
        if value in (None, ""):
            self._rows[row].pop(column.name, None)
        else:
            self._rows[row][column.name] = value
        self._fit_columns()
        self.edited.emit()


def _parsed(value: object) -> object:
    """Return the object or list of a text in JSON, which a column of texts can hold.

    Any other value is returned as it is, and so is JSON that is still being typed.
    """
    if isinstance(value, str) and value[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


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
