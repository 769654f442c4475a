"""The campaign squares that were saved, as a list with buttons: ``SquareList``.

A *campaign square* is a region of a campaign's map; what the rules say of it, such as its relief
and its rivers, decides the dice of the tables in it. Saved under a name, it fills the form again.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHBoxLayout,
    QInputDialog,
    QToolButton,
    QWidget,
)

from app.appearance.icons import icon
from app.qt_guard import connect
from app.systems.cordery.table_form import narrow
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, lay_out, tool_button

NO_SQUARE = "No campaign square"
"""The text of the list while the choices are those of no saved square."""

MIN_LETTERS = 3
"""The list is at least so many letters wide: that keeps long names from widening the panel."""

MIN_WIDTH = 70
"""The least width of the list, in logical pixels: that keeps the placeholder from widening it."""


class SquareList(QWidget):
    """The list of the saved squares, and buttons that save the present choices or delete one."""

    chosen = Signal(str)
    """The square of this name is to fill the form."""

    save_wanted = Signal(str)
    """What is chosen is to be saved under this name, in place of a square of the name."""

    delete_wanted = Signal(str)
    """The square of this name is to be deleted."""

    def __init__(self) -> None:
        super().__init__()
        self._name_to_save = ""
        """The name that is offered when the choices are saved."""
        self.list = narrow(described(pass_wheel_on(QComboBox()), "Campaign square"), MIN_LETTERS)
        # By itself Qt makes room for all of its placeholder text, and the panel too wide.
        self.list.setMinimumWidth(MIN_WIDTH)
        self.list.setPlaceholderText(NO_SQUARE)
        self.list.setToolTip("A campaign square that was saved: it fills the form")
        self.save_button = tool_button("Save as...", "Keep the form under a name", "Save as")
        self.delete_button = QToolButton()
        self.delete_button.setToolTip("Forget the campaign square chosen")
        self.delete_button.setAccessibleName("Forget the campaign square")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        lay_out(row, (self.list, 1), self.save_button, self.delete_button, spacing=2)
        connect(self.list.activated, self._choose)
        connect(self.save_button.clicked, self._ask_name)
        connect(self.delete_button.clicked, self._delete)

    def show_squares(self, names: list[str], current_name: str, name_to_save: str) -> None:
        """List the squares of these names.

        ``current_name`` is that of the table, "" if it has none; ``name_to_save`` is offered when
        its choices are saved.
        """
        self._name_to_save = name_to_save
        if self._names() != names:
            self.list.clear()
            self.list.addItems(names)
        self.list.setCurrentIndex(self.list.findText(current_name))
        self.list.setEnabled(bool(names))
        self.delete_button.setEnabled(bool(current_name))

    def draw_icons(self) -> None:
        """Draw the icon of the button in the palette's colours."""
        self.delete_button.setIcon(icon("layer-delete"))

    def _names(self) -> list[str]:
        """Return the names that are listed."""
        return [self.list.itemText(row) for row in range(self.list.count())]

    def _choose(self, _index: int) -> None:
        """Ask for the square that was chosen in the list."""
        self.chosen.emit(self.list.currentText())

    def _delete(self) -> None:
        """Ask to delete the square that is shown."""
        self.delete_wanted.emit(self.list.currentText())

    def _ask_name(self) -> None:
        """Ask for a name of the campaign square; without one it cannot be saved."""
        dialog = QInputDialog(self)
        dialog.setWindowTitle("Save campaign square")
        dialog.setLabelText("Name of the campaign square:")
        dialog.setTextValue(self._name_to_save)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        connect(dialog.textValueSelected, self._save)
        dialog.open()
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)

        names = set(self._names())

        def show_state(name: str) -> None:
            """Let no square be saved without a name; call the button *Replace* if it is taken."""
            ok_button.setEnabled(bool(name.strip()))
            if name.strip() in names:
                ok_button.setText("&Replace")
            else:
                ok_button.setText("&Save")

        connect(dialog.textValueChanged, show_state)
        show_state(dialog.textValue())

    def _save(self, name: str) -> None:
        """Ask to save what is chosen under the name that was typed."""
        self.save_wanted.emit(name.strip())
