"""The dialog of a person's terrain box: the pieces that the person owns, and those of the table.

A row for each kind of piece tells how many the current table takes, how many the user has (the only
column that is edited) and how many are missing::

    Piece              Table takes   I have   Missing
    hill                    5           3         2
    two-contour hill                    0
    road straight           7

``SavedChoices`` opens the dialog, and saves or deletes the box. The text of a box, as
``pieces.read_box`` reads it, names the pieces with a number: "hill = 3; two-contour hill = 0".

The number of some pieces is *implied* by that of others: with a number of hills there are no hills
of two contours unless the box has some (``pieces.implied_counts``). The dialog fills in the 0, and
clears it again if the number of hills is cleared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolTip,
    QWidget,
)

from app.appearance.text_colours import inks
from app.qt_guard import connect, later
from app.widgets.layout.builders import described, plain_label, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.systems.cordery.table.pieces import (
    LARGEST_NUMBER,
    PIECES,
    implied_counts,
    missing_pieces,
    read_box,
)

PIECE, TAKES, HAVE, MISSING = range(4)
"""The columns of the table."""

TITLES = ("Piece", "Table takes", "I have", "Missing")
"""The titles of the columns."""

HINT = "How many I have of each piece; an empty field: as many as it takes."
"""The text above the table."""

NO_NUMBER = f"The number of pieces is 0 to {LARGEST_NUMBER}; leave it empty for no limit."
"""Said below a field into which anything else was typed."""

# The titles of the button that saves. If another box has the name, that is replaced; if the user
# has changed a number, the current table may be laid again with the same dice.
SAVE = "&Save and use"
SAVE_AND_LAY = "&Save and lay the table again"
REPLACE = "&Replace and use"
REPLACE_AND_LAY = "&Replace and lay the table again"


class BoxDialog(QDialog):
    """Asks for the pieces of a terrain box, and shows what it lacks for the current table."""

    saved = Signal(str, str)
    """The user saves the box: its name, and its pieces as text for ``pieces.read_box``."""

    deleted = Signal(str)
    """The user deletes the box with this name."""

    print_wanted = Signal(str)
    """The user wants this text printed: the ``packing_list``."""

    def __init__(
        self,
        saved_name: str | None,
        box_text: str,
        pieces_of_table: Mapping[str, int],
        parent: QWidget,
        *,
        new_name: str,
        used_names: Collection[str] = (),
        saving_lays_table: bool = False,
    ) -> None:
        """Make the dialog for a box; ``box_text`` is a text for ``pieces.read_box``.

        ``saved_name`` is None for a box that is not saved yet; ``new_name`` is offered for it.
        ``pieces_of_table`` are the pieces that the current table takes (``pieces.count_pieces``).
        ``used_names`` are the names of all boxes that are saved. With ``saving_lays_table`` the
        owner lays the table again when a box with other pieces is saved: the button says so.
        """
        super().__init__(parent)
        self.setWindowTitle("My terrain box")
        self._saved_name = saved_name
        self._other_names = set(used_names) - {saved_name}
        self._pieces_of_table = pieces_of_table
        first_box = read_box(box_text)
        self._first_box = {**first_box, **implied_counts(first_box)}
        """The numbers of pieces when the dialog was opened."""
        self._implied_pieces: set[str] = set(implied_counts(first_box))
        """The pieces whose number the dialog has filled in, and not the user."""
        self._saving_lays_table = saving_lays_table
        self.name = described(QLineEdit(saved_name or new_name), "Name of the box")
        self.name.setPlaceholderText("Name of the box")
        self.table = _new_table()
        self._fill_table(self._first_box)
        self.hint = plain_label(HINT, wordWrap=True)
        self.message = plain_label(wordWrap=True)
        self.delete_button = QPushButton("Delete")
        self.delete_button.setEnabled(saved_name is not None)
        connect(self.delete_button.clicked, self._delete)
        self.use_button = QPushButton(SAVE)
        self.use_button.setDefault(True)
        self._lay_out()
        connect(self.name.textChanged, self._update_save_button)
        connect(self.table.itemChanged, self._on_changed)
        self._show_state()

    def _fill_table(self, counts: Mapping[str, int]) -> None:
        """Write a row for each piece; ``counts`` are those that the user has."""
        for row, piece in enumerate(PIECES):
            texts = {
                PIECE: piece[:1].upper() + piece[1:],
                TAKES: _count_text(self._pieces_of_table, piece),
                HAVE: _count_text(counts, piece),
                MISSING: "",
            }
            for column, text in texts.items():
                item = QTableWidgetItem(text)
                if column != HAVE:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                if column != PIECE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                self.table.setItem(row, column, item)

    def _lay_out(self) -> None:
        """Arrange the name above the table, and the message and buttons below it."""
        above_table = QHBoxLayout()
        above_table.addWidget(self.name, 1)
        above_table.addWidget(self.delete_button)

        copy_button = QPushButton("Copy list")
        print_button = QPushButton("Print list...")
        connect(copy_button.clicked, self._copy_list)
        connect(print_button.clicked, self._print_list)
        below_table = QHBoxLayout()
        for button in (copy_button, print_button):
            button.setToolTip("What this table takes, and what the box lacks")
            button.setAutoDefault(False)
            below_table.addWidget(button)
        below_table.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.use_button, QDialogButtonBox.ButtonRole.AcceptRole)
        connect(buttons.accepted, self._save)
        connect(buttons.rejected, self.reject)
        below_table.addWidget(buttons)

        foot = (self.message, below_table)
        lay_out_dialog(
            self, above_table, self.hint, (self.table, 1), foot=foot, size=QSize(470, 620)
        )

    def box(self) -> dict[str, int]:
        """Return how many the user has of each piece; pieces whose field is empty are left out."""
        result = {}
        for row, piece in enumerate(PIECES):
            text = self._item(row, HAVE).text().strip()
            if text.isascii() and text.isdigit():
                result[piece] = int(text)
        return result

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        """Return the item at a row and column of the table; every cell of it has one."""
        item = self.table.item(row, column)
        assert item is not None
        return item

    def _update_save_button(self) -> None:
        """Show what the button to save does with the table, and with another box of that name.

        Only a box with a name and a number can be saved: one without numbers is no box.
        """
        name = self.name.text().strip()
        box = self.box()
        self.use_button.setEnabled(bool(name) and bool(box))
        lays_again = self._saving_lays_table and box != self._first_box
        replaces = name in self._other_names
        if replaces and lays_again:
            self.use_button.setText(REPLACE_AND_LAY)
        elif replaces:
            self.use_button.setText(REPLACE)
        elif lays_again:
            self.use_button.setText(SAVE_AND_LAY)
        else:
            self.use_button.setText(SAVE)

    def _on_changed(self, item: QTableWidgetItem) -> None:
        """Use a number that the user has typed; clear any other text, and say why below it."""
        if item.column() != HAVE:
            return
        text = item.text().strip()
        # Nine digits are more than the largest number, and few enough for int() to be quick.
        is_number = bool(re.fullmatch("[0-9]{1,9}", text)) and int(text) <= LARGEST_NUMBER
        if text and not is_number:
            item.setText("")
            # Later, when the field is closed: its loss of the keyboard would hide the tool tip.
            later(self, partial(self._say_what_is_typed, item))
        self._implied_pieces.discard(PIECES[item.row()])
        self._write_implied_counts()
        self._show_state()

    def _say_what_is_typed(self, item: QTableWidgetItem) -> None:
        """Say below a field for some seconds what can be typed into it."""
        corner = self.table.visualItemRect(item).bottomLeft()
        viewport = self.table.viewport()
        QToolTip.showText(viewport.mapToGlobal(corner), plain_text(NO_NUMBER), self.table)

    def _write_implied_counts(self) -> None:
        """Fill in the implied numbers, in place of those that were filled in before.

        A number that the user has typed is none of these: ``_on_changed`` has removed its piece
        from ``_implied_pieces``.
        """
        with QSignalBlocker(self.table):  # what the program writes is no change by the user
            for piece in self._implied_pieces:
                self._item(PIECES.index(piece), HAVE).setText("")
            implied = implied_counts(self.box())
            for piece, count in implied.items():
                self._item(PIECES.index(piece), HAVE).setText(str(count))
        self._implied_pieces = set(implied)

    def _show_state(self) -> None:
        """Show what the box lacks, and what the button to save does with the table."""
        self._show_missing()
        self._update_save_button()

    def _show_missing(self) -> None:
        """Show the pieces that the box lacks for the table, in their column and in a message."""
        lacks = missing_pieces(self._pieces_of_table, self.box())
        ink = inks(self.palette()).error
        with QSignalBlocker(self.table):
            for row, piece in enumerate(PIECES):
                item = self._item(row, MISSING)
                item.setText(_count_text(lacks, piece))
                item.setForeground(QBrush(ink))
        message = ""
        if lacks:
            pieces = ", ".join(f"{count} x {piece}" for piece, count in lacks.items())
            message = f"Missing for this table: {pieces}"
        self.message.setText(message)
        palette = self.message.palette()
        palette.setColor(self.message.foregroundRole(), ink)
        self.message.setPalette(palette)

    def packing_list(self) -> str:
        """Return the pieces to fetch for this table as a text, a line for each kind."""
        lacks = missing_pieces(self._pieces_of_table, self.box())
        lines = ["Pieces for this table", ""]
        for piece, count in self._pieces_of_table.items():
            line = f"{count:4} x {piece}"
            if piece in lacks:
                line += f"  (missing: {lacks[piece]})"
            lines.append(line)
        return "\n".join(lines)

    def _copy_list(self) -> None:
        QGuiApplication.clipboard().setText(self.packing_list())

    def _print_list(self) -> None:
        self.print_wanted.emit(self.packing_list())

    def _save(self) -> None:
        """Emit the box as the user has filled it in, and close the dialog."""
        name = self.name.text().strip()
        pieces = "; ".join(f"{piece} = {count}" for piece, count in self.box().items())
        self.saved.emit(name, pieces)
        self.accept()

    def _delete(self) -> None:
        self.deleted.emit(self._saved_name)
        self.accept()


def _new_table() -> QTableWidget:
    """Return a table with a row for each piece, still without items."""
    table = described(QTableWidget(len(PIECES), len(TITLES)), "Pieces")
    table.setHorizontalHeaderLabels(TITLES)
    table.verticalHeader().hide()
    table.setAlternatingRowColors(True)
    table.setTabKeyNavigation(False)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(PIECE, QHeaderView.ResizeMode.Stretch)
    return table


def _count_text(counts: Mapping[str, int], piece: str) -> str:
    """Return the number of a piece as text; "" if it is not among the counts."""
    if piece in counts:
        return str(counts[piece])
    return ""
