"""A dialog with a text to read and copy."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import described
from app.widgets.layout.dialog_layout import lay_out_dialog


class TextDialog(QDialog):
    """A read-only text in a fixed-width font, and a button that copies all of it."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{title} as text")
        self.text = described(QPlainTextEdit(text), "The map as text")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("Copy all", QDialogButtonBox.ButtonRole.ActionRole)
        connect(copy.clicked, self._copy_all)
        connect(buttons.rejected, self.reject)
        lay_out_dialog(self, self.text, foot=(buttons,), size=QSize(680, 620))

    def _copy_all(self) -> None:
        """Put the text into the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
