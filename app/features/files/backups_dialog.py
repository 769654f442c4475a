"""What a map's file held before it was overwritten: a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.widgets.layout.builders import described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.storage.disk.backups import Backup

PLACE = Qt.ItemDataRole.UserRole


class BackupsDialog(QDialog):
    """The backups of the file ``path``, the latest first. ``chosen(Path)``: one is to be opened."""

    chosen = Signal(object)

    def __init__(self, path: Path, backups: Sequence[Backup], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Backups of {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = "What the file held before it was saved over. A backup opens as a map of its own."
        about = plain_label(
            text if backups else "There are none yet: they are made when Save writes."
        )
        about.setWordWrap(True)
        self.list = described(QListWidget(), "Backups, the latest first")
        locale = QLocale()
        for backup in backups:
            moment = QDateTime.fromMSecsSinceEpoch(round(backup.replaced.timestamp() * 1000))
            when = locale.toString(moment, QLocale.FormatType.LongFormat)
            size = locale.formattedDataSize(backup.size)
            item = QListWidgetItem(f"until {when}, {size}", self.list)
            item.setData(PLACE, backup.path)
        self.list.setCurrentRow(0)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        opening = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        opening.setEnabled(bool(backups))
        self.list.setEnabled(bool(backups))
        connect(self.list.itemActivated, self.accept)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        foot = (self.buttons,)
        lay_out_dialog(self, about, (self.list, 1), foot=foot, size=QSize(460, 320))

    @guarded
    def accept(self) -> None:
        """Hand over the chosen backup."""
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(item.data(PLACE))
            super().accept()
