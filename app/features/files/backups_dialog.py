"""The dialog that lists the backups of a map's file: what it held before it was saved over."""

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

BACKUP = Qt.ItemDataRole.UserRole
"""The role of the Backup that a row of the list stands for."""


DIALOG_SIZE = QSize(460, 320)
"""The size of the dialog at first, in logical pixels."""


class BackupsDialog(QDialog):
    """Lists the backups of the file ``path``, the latest first, and lets one be opened."""

    chosen = Signal(object)
    """This Backup is to be opened."""

    def __init__(self, path: Path, backups: Sequence[Backup], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Backups of {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if backups:
            text = (
                "What the file held before it was saved over. A backup opens as a map of its own, "
                "with the files beside it as they were then."
            )
        else:
            text = "There are none yet: they are made when Save writes."
        about = plain_label(text)
        about.setWordWrap(True)
        self.list = described(QListWidget(), "Backups, the latest first")
        for backup in backups:
            item = QListWidgetItem(_backup_text(backup), self.list)
            item.setData(BACKUP, backup)
        self.list.setCurrentRow(0)
        self.list.setEnabled(bool(backups))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        open_button = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        open_button.setEnabled(bool(backups))
        connect(self.list.itemActivated, self.accept)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        foot = (self.buttons,)
        lay_out_dialog(self, about, (self.list, 1), foot=foot, size=DIALOG_SIZE)

    @guarded
    def accept(self) -> None:
        """Emit ``chosen`` and close; without a chosen row do nothing."""
        item = self.list.currentItem()
        if item is not None:
            self.chosen.emit(item.data(BACKUP))
            super().accept()


def _backup_text(backup: Backup) -> str:
    """Return the text of a backup, such as "until 3 May 2024 10:12, 14 kB"."""
    locale = QLocale()
    replaced = QDateTime.fromMSecsSinceEpoch(round(backup.replaced.timestamp() * 1000))
    until = locale.toString(replaced, QLocale.FormatType.LongFormat)
    return f"until {until}, {locale.formattedDataSize(backup.size)}"
