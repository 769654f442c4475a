"""The dialogs that ask for the size of a map, and for how far to shift it.

``Transforms`` opens them; each has two numbers, which a ``read_...`` method returns.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QSpinBox,
    QWidget,
)

from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_limits import NumberLimits
from app.widgets.layout.builders import plain_label, tool_button
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear
from randomizer.model.system.system import System
from randomizer.systems.free.system import MAX_CELLS

POSITIONS = (
    ("↖", "top left"),
    ("↑", "top"),
    ("↗", "top right"),
    ("←", "left"),
    ("·", "middle"),
    ("→", "right"),
    ("↙", "bottom left"),
    ("↓", "bottom"),
    ("↘", "bottom right"),
)
"""Arrow and name of each position of the map in the resized one, row by row, three in a row."""

POSITIONS_IN_ROW = 3
"""The number of positions in a row of ``POSITIONS``."""


class NewSize(NamedTuple):
    """The size of a resized map, in the order of the parameters of ``resize_map``."""

    columns: int
    rows: int

    position: tuple[float, float]
    """Where the present map lies in it (x, y): 0 is left or top, 0.5 the middle, 1 right or bottom.
    """


class _NumbersDialog(QDialog):
    """The base of both dialogs: two numbers with their ``names``, and buttons.

    A subclass puts its own widgets between them, into ``column``.
    """

    def __init__(self, title: str, names: tuple[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.fields = (pass_wheel_on(QSpinBox()), pass_wheel_on(QSpinBox()))
        form = QFormLayout()
        for name, field in zip(names, self.fields, strict=True):
            field.setAccessibleName(name)
            form.addRow(name, field)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        self.column = lay_out_dialog(self, form, foot=(self.buttons,))


class ResizeDialog(_NumbersDialog):
    """Asks for columns and rows, and for the position of the present map in them."""

    def __init__(self, system: System, grid: Grid, parent: QWidget) -> None:
        super().__init__("Resize map", ("Columns", "Rows"), parent)
        self._system = system
        self._layout = grid.layout
        # Every second column is shifted: only an even number of them fits at the seam.
        self._needs_even_columns = grid.wrap and grid.layout.shear is Shear.COLUMNS
        max_along = MAX_CELLS
        if system.max_along is not None:
            max_along = system.max_along
        for field, present_size in zip(self.fields, (grid.width, grid.height), strict=True):
            field.setRange(1, max_along)
            NumberLimits(field, 1, max_along)  # a number beyond them can be typed, and is told
            field.setValue(present_size)
            connect(field.valueChanged, self._update_status_and_ok)
        if self._needs_even_columns:
            columns_field, _rows_field = self.fields
            columns_field.setSingleStep(2)
        self.position_buttons = QButtonGroup(self)
        """The buttons of the positions; their ids are the indexes in ``POSITIONS``."""
        self.status_label = plain_label(wordWrap=True)
        self.column.insertWidget(1, self._make_position_box())
        self.column.insertWidget(2, self.status_label)
        self._update_status_and_ok()

    def _make_position_box(self) -> QGroupBox:
        """Return the group of buttons that choose the position of the present map."""
        box = QGroupBox("The map lies at the")
        button_grid = QGridLayout(box)
        for index, (arrow, name) in enumerate(POSITIONS):
            button = tool_button(arrow, name.capitalize(), f"The map lies at the {name}")
            button.setCheckable(True)
            self.position_buttons.addButton(button, index)
            row, column = divmod(index, POSITIONS_IN_ROW)
            button_grid.addWidget(button, row, column)
        self.position_buttons.button(0).setChecked(True)
        return box

    def _update_status_and_ok(self) -> None:
        """Show how many cells the map would have, or why it cannot, and enable OK accordingly."""
        width, height = (field.value() for field in self.fields)
        why_not = self._why_not(width, height)
        text = why_not
        if not why_not:
            words = cell_words(self._layout)
            text = counted(width * height, words.cell, words.cells)
            if self._system.max_along is not None:
                noun = with_article(self._system.noun, "A")
                text += f". {noun} has at most {self._system.max_along} columns and rows."
        self.status_label.setText(text)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not why_not)

    def _why_not(self, width: int, height: int) -> str:
        """Return why the map cannot have this size, "" if it can."""
        words = cell_words(self._layout)
        if width * height > MAX_CELLS:
            return f"At most {MAX_CELLS:,} {words.cells} are possible"
        count_text = counted(width * height, words.cell, words.cells)
        if self._needs_even_columns and width % 2:
            return f"{count_text}. Not possible: going round takes an even number of columns."
        why_not = self._system.why_not_size(width, height)
        if why_not:
            return f"{count_text}. Not possible: {why_not}."
        return ""

    def read_size(self) -> NewSize:
        """Return the size that the user has chosen."""
        row, column = divmod(self.position_buttons.checkedId(), POSITIONS_IN_ROW)
        width, height = (field.value() for field in self.fields)
        last_index = POSITIONS_IN_ROW - 1
        return NewSize(width, height, (column / last_index, row / last_index))


class ShiftDialog(_NumbersDialog):
    """Asks for columns and rows to shift by; what leaves at one edge comes in at the other."""

    def __init__(self, grid: Grid, parent: QWidget) -> None:
        super().__init__("Shift map", ("Columns to the right", "Rows down"), parent)
        for field, size in zip(self.fields, (grid.width, grid.height), strict=True):
            field.setRange(1 - size, size - 1)
            NumberLimits(field, 1 - size, size - 1)
        about = plain_label("What leaves the map at one side comes in at the other.", wordWrap=True)
        self.column.insertWidget(1, about)
        self._counts_upwards = grid.layout.shear is Shear.OBLIQUE
        """True if the grid counts its rows from the bottom; the dialog asks for rows downwards."""

    def read_shift(self) -> tuple[int, int]:
        """Return columns and rows to shift by, as the grid counts them."""
        right, down = (field.value() for field in self.fields)
        if self._counts_upwards:
            return right, -down
        return right, down
