"""The dialogs that ask for the size of a map and for how far to shift it."""

from __future__ import annotations

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
from app.widgets.layout.builders import plain_label, tool_button
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.systems.free.system import MOST_CELLS

PLACES = (
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
"""Arrow and name of each place of the map in the resized one, row by row."""


class _NumbersDialog(QDialog):
    """Two numbers, the widgets that a subclass puts below them, and buttons."""

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
    """Asks for columns, rows, and the place of the present map in them."""

    def __init__(self, system: System, grid: Grid, parent: QWidget) -> None:
        super().__init__("Resize map", ("Columns", "Rows"), parent)
        self._system = system
        self._layout = grid.layout
        for field, now in zip(self.fields, (grid.width, grid.height), strict=True):
            field.setRange(1, system.most_along or MOST_CELLS)
            field.setValue(now)
            connect(field.valueChanged, self._show_state)
        if grid.wrap and grid.layout.shear == "columns":
            self.fields[0].setSingleStep(2)
        box = QGroupBox("The map lies at the")
        anchor_grid = QGridLayout(box)
        self.anchor = QButtonGroup(self)
        for number, (arrow, words) in enumerate(PLACES):
            button = tool_button(arrow, words.capitalize(), f"The map lies at the {words}")
            button.setCheckable(True)
            self.anchor.addButton(button, number)
            anchor_grid.addWidget(button, *divmod(number, 3))
        self.anchor.button(0).setChecked(True)
        self.state = plain_label(wordWrap=True)
        self.column.insertWidget(1, box)
        self.column.insertWidget(2, self.state)
        self._show_state()

    def _show_state(self) -> None:
        width, height = (field.value() for field in self.fields)
        fits = width * height <= MOST_CELLS
        cells = cell_words(self._layout)
        text = counted(width * height, cells.cell, cells.cells)
        if not fits:
            text = f"At most {MOST_CELLS:,} {cells.cells} are possible"
        elif why_not := self._system.why_not_size(width, height):
            fits = False
            text += f". Not possible: {why_not}."
        elif self._system.most_along is not None:
            most = f"at most {self._system.most_along} columns and rows"
            text += f". {with_article(self._system.noun, 'A')} has {most}."
        self.state.setText(text)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(fits)

    def read_size(self) -> tuple[int, int, tuple[float, float]]:
        """Return the arguments of ``transform.resized``.

        Columns, rows, place (x, y) from 0 to 1.
        """
        row, column = divmod(self.anchor.checkedId(), 3)
        width, height = (field.value() for field in self.fields)
        return width, height, (column / 2, row / 2)


class ShiftDialog(_NumbersDialog):
    """Asks for columns and rows to shift by; what leaves at one edge comes in at the other."""

    def __init__(self, grid: Grid, parent: QWidget) -> None:
        super().__init__("Shift map", ("Columns to the right", "Rows down"), parent)
        for field, size in zip(self.fields, (grid.width, grid.height), strict=True):
            field.setRange(1 - size, size - 1)
        words = plain_label("What leaves the map at one side comes in at the other.", wordWrap=True)
        self.column.insertWidget(1, words)
        self._upwards = grid.layout.shear == "oblique"

    def read_shift(self) -> tuple[int, int]:
        """Return columns and rows to shift by, as the grid counts them."""
        right, down = (field.value() for field in self.fields)
        return right, -down if self._upwards else down
