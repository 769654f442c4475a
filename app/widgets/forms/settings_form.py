"""A form made from the descriptions of settings: a row each, under the headings of their groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from app.widgets.forms.setting_fields import SettingField, SettingTable, setting_field
from app.widgets.layout.builders import lay_out, plain_label, put_in_tab_order
from randomizer.model.settings.setting import Setting

INDENT = 18
"""Logical pixels by which rows are indented under a heading."""

LEAST_TITLE = 110
"""A longer title of a group may be cut to so many pixels: its buttons stay in a narrow panel."""

SPACING = 6
TIGHT = 3
"""Logical pixels between rows: without a heading, and under one."""


class SettingsForm(QWidget):
    """A form with a row a setting; ``changed(str)``: the user changed the setting of that name.

    Settings of a group have to follow one another. The setting that switches its group as a whole
    stands in the heading. ``mark`` is put behind the title of every row, such as a colon.
    """

    changed = Signal(str)

    def __init__(self, mark: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = mark
        self._settings: tuple[Setting, ...] = ()
        self._fields: dict[str, SettingField] = {}
        self._headings: dict[str, QLayout] = {}
        self._rows: dict[str, QHBoxLayout] = {}
        self.body = QWidget()
        self._groups = lay_out(QVBoxLayout(self.body), margins=0, spacing=2)
        lay_out(QVBoxLayout(self), self.body, margins=0, spacing=2)

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Ask for these settings, showing ``values``."""
        settings = tuple(settings)
        if settings != self._settings:
            self._settings = settings
            self._build()
        self.show_values(values)

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them."""
        for setting in self._settings:
            self._fields[setting.name].show(values.get(setting.name, setting.default))
        self._show_rows()

    def values(self) -> dict[str, object]:
        """Return what is set, by the settings' names; what is not set is left out."""
        chosen = {name: field.value() for name, field in self._fields.items()}
        return {name: value for name, value in chosen.items() if value is not None}

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that the form asks for."""
        return self._settings

    def field(self, name: str) -> QWidget:
        """Return the widget of one setting."""
        return self._fields[name].widget

    def heading(self, group: str) -> QLayout:
        """Return the line of a group's heading: buttons may be added to it."""
        return self._headings[group]

    def row(self, name: str) -> QHBoxLayout:
        """Return the line of a setting's field, behind its label: buttons may be added to it."""
        return self._rows[name]

    def show_row(self, name: str, *, shown: bool) -> None:
        """Show or hide the row of a setting, with its label and what stands beside it."""
        row = self._rows[name]
        rows = row.parent()
        assert isinstance(rows, QFormLayout)
        rows.setRowVisible(row, shown)

    def _show_rows(self) -> None:
        """Give every table as many rows as the setting says that it follows."""
        for setting in self._settings:
            table = self._fields[setting.name].widget
            if isinstance(table, SettingTable):
                if setting.rows_of:
                    count = self._fields[setting.rows_of].value()
                else:
                    count = 0
                if count != table.rowCount():
                    table.set_row_count(count if isinstance(count, int) else 0)
                    self._order()

    def _order(self) -> None:
        """Let the Tab key go from field to field, in tables from cell to cell."""
        order: list[QWidget] = []
        for field in self._fields.values():
            if isinstance(field.widget, SettingTable):
                cells = field.widget.cells()
            else:
                cells = ()
            order += cells or (field.widget,)
        put_in_tab_order(self.body, order)

    def _on_changed(self, name: str) -> None:
        self._show_rows()
        self.changed.emit(name)

    # --- construction -----------------------------------------------------------------------

    def _build(self) -> None:
        for table in (self._fields, self._headings, self._rows):
            table.clear()
        while (item := self._groups.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for index, (group, settings) in enumerate(
            groupby(self._settings, lambda setting: setting.group)
        ):
            if index:
                line = QFrame()
                line.setFrameShape(QFrame.Shape.HLine)
                line.setFrameShadow(QFrame.Shadow.Sunken)
                self._groups.addWidget(line)
            self._groups.addWidget(self._group(group, tuple(settings)))
        self._order()

    def _group(self, group: str, settings: tuple[Setting, ...]) -> QWidget:
        box = QWidget()
        rows = QFormLayout()
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)  # in a narrow panel
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(SPACING)
        column = lay_out(QVBoxLayout(box), margins=0, spacing=2)
        title: QWidget = plain_label(group)
        for setting in settings:
            field = setting_field(setting, partial(self._on_changed, setting.name))
            self._fields[setting.name] = field
            if setting.is_switch:
                title = field.widget
            else:
                self._add_row(rows, setting, field.widget)
        if group:
            font = title.font()
            font.setBold(True)
            title.setFont(font)
            title.setMinimumWidth(min(title.sizeHint().width(), LEAST_TITLE))
            heading = QHBoxLayout()
            heading.setSpacing(0)
            heading.addWidget(title, 1)
            self._headings[group] = heading
            column.addLayout(heading)
            rows.setContentsMargins(INDENT, 0, 0, 6)
            rows.setSpacing(TIGHT)
        column.addLayout(rows)
        return box

    def _add_row(self, rows: QFormLayout, setting: Setting, widget: QWidget) -> None:
        if setting.beside:
            row = self._rows[setting.name] = list(self._rows.values())[-1]
            row.addWidget(widget)
            return
        label = plain_label(setting.title + self._mark)
        label.setBuddy(widget)
        if isinstance(widget, SettingTable):  # it needs the whole width
            rows.addRow(label)
            rows.addRow(widget)
            return
        row = self._rows[setting.name] = QHBoxLayout()
        row.setSpacing(SPACING)
        row.addWidget(widget, 1)
        if isinstance(widget, QCheckBox):
            rows.addRow(row)
        else:
            rows.addRow(label, row)
