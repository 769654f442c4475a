"""The manual in a window of its own: its pages are read from the package or the checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QPalette,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QTextBrowser,
    QToolButton,
    QWidget,
)

import app
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog

INDEX = "README.md"
MARGIN = 12
CODE_INDENT = 16
SPACE_AFTER_CODE = 6
HEADING_SPACE = 14
"""In logical pixels."""

CODE = QTextFormat.Property.BlockCodeLanguage
"""What lines of code have and other lines do not."""

RELOAD_DELAY_MS = 120
"""How long after the last change of width the pictures are scaled again."""


def manual_folder() -> Path:
    """Return where the pages lie: in the installed package, else in the checkout."""
    package = Path(app.__file__).parent
    installed = package / "manual"
    if installed.is_dir():
        return installed
    return package.parent / "docs" / "manual"


class ManualDialog(QDialog):
    """Shows the pages; links lead from one to the other. It stays open beside the desk."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self._folder = manual_folder()
        self.pages = _Pages()
        self.pages.setAccessibleName("Page of the manual")
        self.pages.setOpenExternalLinks(True)
        self.back_button = self._button("Back", QKeySequence.StandardKey.Back, self.pages.backward)
        self.forward_button = self._button(
            "Forward", QKeySequence.StandardKey.Forward, self.pages.forward
        )
        self.contents_button = self._button("Contents", "Alt+Home", self.show_contents)
        self.back_button.setEnabled(False)
        self.forward_button.setEnabled(False)
        connect(self.pages.backwardAvailable, self.back_button.setEnabled)
        connect(self.pages.forwardAvailable, self.forward_button.setEnabled)
        close = QPushButton("&Close")
        close.setAutoDefault(False)
        connect(close.clicked, self.close)
        line = QHBoxLayout()
        for button in (self.back_button, self.forward_button, self.contents_button):
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(close)
        lay_out_dialog(self, line, (self.pages, 1), foot=(), size=QSize(880, 800))
        self.show_contents()

    def _button(self, text: str, shortcut: QKeySequence.StandardKey | str, do: Any) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setShortcut(QKeySequence(shortcut))
        keys = button.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        button.setToolTip(plain_text(f"{text} ({keys})" if keys else text))
        connect(button.clicked, lambda _checked=False: do())
        return button

    def show_contents(self) -> None:
        """Show the first page."""
        self.show_page(INDEX)

    def show_page(self, name: str) -> None:
        """Show a page by its file name."""
        self.pages.setSource(QUrl.fromLocalFile(str(self._folder / name)))


class _Pages(QTextBrowser):
    """Pages whose pictures are never wider than the window."""

    def __init__(self) -> None:
        super().__init__()
        self.document().setDocumentMargin(MARGIN)
        # A bar that comes and goes would change the room for pictures while a page is laid out.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._room = 0
        self._resized = QTimer(self, singleShot=True, interval=RELOAD_DELAY_MS)
        connect(self._resized.timeout, self._fit_pictures)

    def _room_now(self) -> int:
        return max(200, self.viewport().width() - 2 * MARGIN - 4)

    @guarded(default=None)
    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a page as its text, a picture as wide as there is room for."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        image = QImage(self.source().resolved(QUrl(name)).toLocalFile())
        ratio = self.devicePixelRatioF()
        self._room = self._room_now()
        if image.width() > self._room:
            image = image.scaledToWidth(
                round(self._room * ratio), Qt.TransformationMode.SmoothTransformation
            )
            image.setDevicePixelRatio(ratio)
        return image

    @guarded
    def doSetSource(
        self,
        name: QUrl | str,
        /,
        type: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        """Show a page, its headings and code set off."""
        super().doSetSource(name, type)
        code = self.palette().color(QPalette.ColorRole.AlternateBase)
        block = self.document().begin()
        while block.isValid():
            shape = block.blockFormat()
            if shape.hasProperty(CODE):
                shape.setLeftMargin(CODE_INDENT)
                shape.setBackground(code)
                shape.setNonBreakableLines(False)
                if not block.next().blockFormat().hasProperty(CODE):
                    shape.setBottomMargin(SPACE_AFTER_CODE)
            elif shape.headingLevel() > 1:
                shape.setTopMargin(HEADING_SPACE)
            cursor = QTextCursor(block)
            cursor.setBlockFormat(shape)
            block = block.next()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Pictures follow the width."""
        super().resizeEvent(event)
        self._resized.start()

    def _fit_pictures(self) -> None:
        if self._room and self._room != self._room_now():
            scroll_value = self.verticalScrollBar().value()
            self.reload()
            self.verticalScrollBar().setValue(scroll_value)
