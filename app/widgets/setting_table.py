"""A table in a form: a row of fields for each object of a setting's JSON list."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem, QWidget

from app.qt_guard import guarded
from app.widgets.builders import described
from randomizer.model.problems import ProblemError
from randomizer.model.setting import Setting, table_rows

LEAST_COLUMN = 76
"""Of a column, in logical pixels."""


class CellField(Protocol):
    """The field of one cell, as ``setting_fields`` makes it."""

    @property
    def widget(self) -> QWidget:
        """The widget in the cell."""

    @property
    def value(self) -> Callable[[], object]:
        """Gives the value, None if it is not set."""

    def show(self, value: object) -> None:
        """Show a value without reporting it as a change."""


class SettingTable(QTableWidget):
    """Shows a setting with ``columns``; ``edited()``: the user changed a field.

    ``make_field`` makes the field of one cell. Values that no column has, and those of rows that
    are not shown, are kept.
    """

    edited = Signal()

    def __init__(
        self,
        setting: Setting,
        make_field: Callable[[Setting, Callable[[], object]], CellField],
    ) -> None:
        super().__init__(0, len(setting.columns))
        self._setting, self._make_field = setting, make_field
        self._rows: list[dict[str, object]] = []
        self._fields: list[list[CellField]] = []
        for place, column in enumerate(setting.columns):
            item = QTableWidgetItem(column.title)
            item.setToolTip(column.help)
            self.setHorizontalHeaderItem(place, item)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(LEAST_COLUMN)
        self.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the Tab key goes from cell to cell
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_row_count(self, count: int) -> None:
        """Show so many rows."""
        while len(self._fields) < count:
            self._add_row()
        self.setRowCount(count)
        del self._fields[count:]
        self.updateGeometry()

    def cells(self) -> tuple[QWidget, ...]:
        """The widgets of all cells, row by row."""
        return tuple(field.widget for fields in self._fields for field in fields)

    def text(self) -> str:
        """The JSON list, without empty rows at its end; "" if all are empty."""
        rows = list(self._rows)
        while rows and not rows[-1]:
            rows.pop()
        return json.dumps(rows, ensure_ascii=False) if rows else ""

    def set_text(self, text: str) -> None:
        """Show the rows of a JSON list; a text that is none is shown as no rows."""
        try:
            self._rows = [dict(row) for row in table_rows(self._setting, text)]
        except ProblemError:
            self._rows = []
        for row in range(len(self._fields)):
            self._show_row(row)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """As high as the rows shown, and a bar to scroll where the columns need one."""
        frame = 2 * self.frameWidth()
        width = self.horizontalHeader().length() + self.verticalHeader().sizeHint().width()
        bar = self.horizontalScrollBar().sizeHint().height()
        height = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length()
        return QSize(width + frame, height + frame + bar)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        """All rows, and a narrow part of the columns."""
        return QSize(3 * LEAST_COLUMN, self.sizeHint().height())

    def _add_row(self) -> None:
        row = len(self._fields)
        self.setRowCount(max(self.rowCount(), row + 1))
        fields = []
        for place, column in enumerate(self._setting.columns):
            field = self._make_field(column, partial(self._on_changed, row, place))
            described(field.widget, f"{column.title} {row + 1}")
            self.setCellWidget(row, place, field.widget)
            fields.append(field)
        self._fields.append(fields)
        self.resizeRowToContents(row)
        self._show_row(row)

    def _show_row(self, row: int) -> None:
        said = self._rows[row] if row < len(self._rows) else {}
        for column, field in zip(self._setting.columns, self._fields[row], strict=True):
            value = said.get(column.name)
            nested = isinstance(value, dict | list) or (column.kind is str and value is False)
            field.show(json.dumps(value, ensure_ascii=False) if nested else value)

    def _on_changed(self, row: int, place: int) -> None:
        while len(self._rows) <= row:
            self._rows.append({})
        column = self._setting.columns[place]
        value = self._fields[row][place].value()
        if isinstance(value, str) and value[:1] in ("[", "{"):
            with suppress(ValueError, RecursionError):  # it is being typed: a text until then
                value = json.loads(value)
        if value in (None, ""):
            self._rows[row].pop(column.name, None)
        else:
            self._rows[row][column.name] = value
        self.edited.emit()
