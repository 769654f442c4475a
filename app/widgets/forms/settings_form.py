"""A form made from the descriptions of settings: a row for each, under headings of their groups.

Such a form, with a colon behind the title of each row::

    form = SettingsForm(title_end=":")
    form.set_settings((Setting("width", int, "Of the map", default=20),), {"width": 30})
    form.values()                       # {"width": 30}

``SettingsForm`` is the base of all such forms: ``CommittedForm`` reports values when their editing
ends, ``FoldedForm`` folds up to one line, ``FormDialog`` asks in a dialog.
"""

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
    QLabel,
    QLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.setting_table import SettingTable
from app.widgets.forms.setting_widget import SettingField
from app.widgets.layout.builders import lay_out, plain_label, put_in_tab_order
from app.widgets.layout.wrapping_row import WrappingRow
from randomizer.model.settings.setting import Setting

INDENT = 18
"""The indentation of rows under a heading, in logical pixels."""

MIN_TITLE = 180
"""The width to which a longer heading can be cut, in logical pixels.

So a long one does not widen a narrow panel. Buttons beside a heading go below it there.
"""

SPACING = 6
"""The space between rows without a heading, in logical pixels."""

GROUP_SPACING = 3
"""The space between rows under a heading, in logical pixels."""


class SettingsForm(QWidget):
    """A form with a row for each setting.

    Settings of a group have to follow one another: else it has two headings. A setting that
    switches its group as a whole (``Setting.is_switch``) has no row of its own: its tick is the
    heading.
    """

    changed = Signal(str)
    """The user changed the setting of this name."""

    def __init__(self, title_end: str = "", parent: QWidget | None = None) -> None:
        """Make an empty form; ``title_end``, such as a colon, follows the title of each row."""
        super().__init__(parent)
        self._title_end = title_end
        self.label_width = 0
        """The least width of a label, in logical pixels: fields of other settings begin at the same
        distance. It holds for the settings that are set next."""
        self._settings: tuple[Setting, ...] = ()
        """The settings that have rows, in their order."""
        self._fields: dict[str, SettingField] = {}
        """The fields by the names of their settings."""
        self._headings: dict[str, QLayout] = {}
        """The lines of the headings by the names of the groups."""
        self._rows: dict[str, QHBoxLayout] = {}
        """The lines of the fields by the names of their settings; a table has none."""
        self.body = QWidget()
        self._groups = lay_out(QVBoxLayout(self.body), margins=0, spacing=2)
        lay_out(QVBoxLayout(self), self.body, margins=0, spacing=2)

    def set_settings(self, settings: Iterable[Setting], values: Mapping[str, object]) -> None:
        """Make a row for each of these settings in place of those before, showing ``values``."""
        settings = tuple(settings)
        if settings != self._settings:
            self._settings = settings
            self._make_groups()
        self.show_values(values)

    def show_values(self, values: Mapping[str, object]) -> None:
        """Show these values, and the default of a setting that is not among them."""
        for setting in self._settings:
            self._fields[setting.name].show(values.get(setting.name, setting.default))
        self._fill_tables()

    def values(self) -> dict[str, object]:
        """Return the values of the settings by their names; what is not set is left out."""
        all_values = {name: field.value() for name, field in self._fields.items()}
        return {name: value for name, value in all_values.items() if value is not None}

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

    def show_row(self, name: str, *, is_shown: bool) -> None:
        """Show or hide the row of a setting, with its label and what stands beside it."""
        row = self._rows[name]
        rows = row.parent()
        assert isinstance(rows, QFormLayout)
        rows.setRowVisible(row, is_shown)

    def _fill_tables(self) -> None:
        """Give each table as many rows as the value of the setting ``Setting.rows_of``."""
        for setting in self._settings:
            table = self._fields[setting.name].widget
            if not isinstance(table, SettingTable):
                continue
            row_count = 0
            if setting.rows_of:
                value = self._fields[setting.rows_of].value()
                if isinstance(value, int):
                    row_count = value
            if row_count != table.rowCount():
                table.set_row_count(row_count)
                self._set_tab_order()

    def _set_tab_order(self) -> None:
        """Let the Tab key go from field to field, in tables from cell to cell."""
        order: list[QWidget] = []
        for field in self._fields.values():
            cells: tuple[QWidget, ...] = ()
            if isinstance(field.widget, SettingTable):
                cells = field.widget.cells()
            if cells:
                order += cells
            else:
                order.append(field.widget)
        put_in_tab_order(self.body, order)

    def _on_changed(self, name: str) -> None:
        """Follow a field that the user has changed."""
        self._fill_tables()
        self.changed.emit(name)

    # --- construction -----------------------------------------------------------------------

    def _make_groups(self) -> None:
        """Make the rows of all settings, group by group with lines between them."""
        self._remove_all()
        groups = groupby(self._settings, lambda setting: setting.group)
        for index, (group, settings) in enumerate(groups):
            if index > 0:
                line = QFrame()
                line.setFrameShape(QFrame.Shape.HLine)
                line.setFrameShadow(QFrame.Shadow.Sunken)
                self._groups.addWidget(line)
            self._groups.addWidget(self._make_group(group, tuple(settings)))
        self._set_tab_order()

    def _remove_all(self) -> None:
        """Remove the rows of all settings."""
        self._fields.clear()
        self._headings.clear()
        self._rows.clear()
        while (item := self._groups.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _make_group(self, group: str, settings: tuple[Setting, ...]) -> QWidget:
        """Return the rows of a group, under its heading; "" is a group without a heading."""
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
            self._headings[group] = _make_heading(title)
            column.addLayout(self._headings[group])
            rows.setContentsMargins(INDENT, 0, 0, SPACING)
            rows.setSpacing(GROUP_SPACING)
        column.addLayout(rows)
        return box

    def _add_row(self, rows: QFormLayout, setting: Setting, widget: QWidget) -> None:
        """Add the field of a setting: in a row of its own, or beside the field before it."""
        if setting.beside:
            # The setting before it has a row: such settings stand neither first nor after a table.
            last_row = list(self._rows.values())[-1]
            last_row.addWidget(widget)
            self._rows[setting.name] = last_row
            return
        if isinstance(widget, SettingTable):  # it needs the whole width
            rows.addRow(self._label_of(setting, widget))
            rows.addRow(widget)
            return
        row = QHBoxLayout()
        row.setSpacing(SPACING)
        row.addWidget(widget, 1)
        self._rows[setting.name] = row
        if isinstance(widget, QCheckBox):  # its text is the title
            rows.addRow(row)
        else:
            rows.addRow(self._label_of(setting, widget), row)

    def _label_of(self, setting: Setting, widget: QWidget) -> QLabel:
        """Return the label of the field of a setting."""
        label = plain_label(setting.title + self._title_end)
        label.setBuddy(widget)
        label.setMinimumWidth(self.label_width)
        return label


def _make_heading(title: QWidget) -> WrappingRow:
    """Return the line of a heading; ``title`` is a label, or the tick that switches the group."""
    font = title.font()
    font.setBold(True)
    title.setFont(font)
    title.setMinimumWidth(min(title.sizeHint().width(), MIN_TITLE))
    title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    heading = WrappingRow(title)
    heading.setSpacing(0)
    return heading
