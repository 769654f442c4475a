"""My terrain box: the pieces that are there, and what the current table takes of them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
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
    QWidget,
)

from app.appearance.text_colours import inks
from app.qt_guard import connect
from app.widgets.layout.builders import described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.systems.cordery.table.pieces import MOST, PIECES, missing_pieces, read_box

PIECE, TAKES, HAVE, LACKS = range(4)
TITLES = ("Piece", "Table takes", "I have", "Missing")


class BoxDialog(QDialog):
    """``saved(str, str)``: a box under a name, as ``parts.read_box`` reads it. ``deleted(str)``.
    ``print_wanted(str)``: the list as text."""

    saved = Signal(str, str)
    deleted = Signal(str)
    print_wanted = Signal(str)

    def __init__(self, name: str, box: str, parts: Mapping[str, int], parent: QWidget) -> None:
        """``parts`` is what the current table takes (``parts.count_pieces``)."""
        super().__init__(parent)
        self.setWindowTitle("My terrain box")
        self.name = described(QLineEdit(name), "Name of the box")
        self.name.setPlaceholderText("Name of the box")
        self._parts = parts
        self._filling = True
        self.table = described(QTableWidget(len(PIECES), len(TITLES)), "Pieces")
        self.table.setHorizontalHeaderLabels(TITLES)
        self.table.verticalHeader().hide()
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(PIECE, QHeaderView.ResizeMode.Stretch)
        counts = read_box(box)
        for row, piece in enumerate(PIECES):
            takes = str(parts[piece]) if piece in parts else ""
            have = str(counts[piece]) if piece in counts else ""
            words = piece[:1].upper() + piece[1:]
            for column, text in enumerate((words, takes, have, "")):
                item = QTableWidgetItem(text)
                if column != HAVE:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                if column != PIECE:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
                self.table.setItem(row, column, item)
        self.message = plain_label(wordWrap=True)
        hint = plain_label("How many I have of each piece; an empty field: as many as it takes.")
        hint.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use_button = QPushButton("Save and use")
        buttons.addButton(self.use_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.use_button.setDefault(True)
        connect(buttons.accepted, self._save)
        connect(buttons.rejected, self.reject)
        self.delete_button = QPushButton("Delete")
        self.delete_button.setEnabled(bool(name))
        connect(self.delete_button.clicked, self._delete)
        copy = QPushButton("Copy list")
        print_ = QPushButton("Print list...")
        connect(copy.clicked, lambda: QGuiApplication.clipboard().setText(self.text()))
        connect(print_.clicked, lambda: self.print_wanted.emit(self.text()))
        top = QHBoxLayout()
        below = QHBoxLayout()
        top.addWidget(self.name, 1)
        top.addWidget(self.delete_button)
        for button in (copy, print_):
            button.setToolTip("What this table takes, and what the box lacks")
            button.setAutoDefault(False)
            below.addWidget(button)
        below.addStretch(1)
        below.addWidget(buttons)
        foot = (self.message, below)
        lay_out_dialog(self, top, hint, (self.table, 1), foot=foot, size=QSize(470, 620))
        connect(self.table.itemChanged, self._on_changed)
        self._filling = False
        self._show_missing()

    def box(self) -> dict[str, int]:
        """Return what is written into the table."""
        result = {}
        for row, piece in enumerate(PIECES):
            text = self._cell(row, HAVE).text().strip()
            if text.isascii() and text.isdigit():
                result[piece] = min(int(text), MOST)
        return result

    def _cell(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None
        return item

    def _on_changed(self, item: QTableWidgetItem) -> None:
        if self._filling or item.column() != HAVE:
            return
        text = item.text().strip()
        if text and not (text.isascii() and text.isdigit()):
            item.setText("")
        self._show_missing()

    def _show_missing(self) -> None:
        self._filling = True
        lacks = missing_pieces(self._parts, self.box())
        ink = inks(self.palette()).error
        for row, piece in enumerate(PIECES):
            item = self._cell(row, LACKS)
            item.setText(str(lacks[piece]) if piece in lacks else "")
            item.setForeground(QBrush(ink))
        self._filling = False
        text = ", ".join(f"{count} x {piece}" for piece, count in lacks.items())
        self.message.setText(f"Missing for this table: {text}" if lacks else "")
        palette = self.message.palette()
        palette.setColor(self.message.foregroundRole(), ink)
        self.message.setPalette(palette)

    def text(self) -> str:
        """Return the pieces to fetch for this table, a line each."""
        lacks = missing_pieces(self._parts, self.box())
        lines = [
            f"{count:4} x {piece}" + (f"  (missing: {lacks[piece]})" if piece in lacks else "")
            for piece, count in self._parts.items()
        ]
        return "\n".join(["Pieces for this table", "", *lines])

    def _save(self) -> None:
        name = self.name.text().strip() or "My box"
        self.saved.emit(name, "; ".join(f"{piece} = {n}" for piece, n in self.box().items()))
        self.accept()

    def _delete(self) -> None:
        self.deleted.emit(self.name.text().strip())
        self.accept()
