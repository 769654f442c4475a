"""The manual in a window of its own, which stays open beside the desk.

Its pages are files in Markdown (``manual_folder``). ``_PageBrowser`` shows them: Qt lays out the
text, this module fits pictures to the width and sets off headings and code.
"""

from __future__ import annotations

from collections.abc import Callable
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
from app.widgets.layout.builders import STRETCH, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog

INDEX = "README.md"
"""The file name of the first page."""

WINDOW_SIZE = QSize(880, 800)
"""The size of the window at first, in logical pixels."""

MARGIN = 12
"""The margin of a page, in logical pixels."""

CODE_INDENT = 16
"""The indent of lines of code, in logical pixels."""

SPACE_AFTER_CODE = 6
"""The space below the last line of code, in logical pixels."""

HEADING_SPACE = 14
"""The space above a heading, except that of the page, in logical pixels."""

PICTURE_RESERVE = 4
"""A picture is so much narrower than the page between its margins, in logical pixels."""

MIN_PICTURE_WIDTH = 200
"""The width for pictures in a window that is narrower still, in logical pixels."""

CODE = QTextFormat.Property.BlockCodeLanguage
"""The property that lines of code have and other lines do not."""

RELOAD_DELAY_MS = 120
"""The time from the last change of width until the pictures are scaled again."""


def manual_folder() -> Path:
    """Return the folder of the pages: that of the installed package, else that of the checkout."""
    package = Path(app.__file__).parent
    installed = package / "manual"
    if installed.is_dir():
        return installed
    return package.parent / "docs" / "manual"


class ManualDialog(QDialog):
    """Shows the pages, with buttons to go back, forward and to the first one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self._folder = manual_folder()
        self.pages = _PageBrowser()
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
        buttons = (self.back_button, self.forward_button, self.contents_button)
        button_row = lay_out(QHBoxLayout(), *buttons, STRETCH, close)
        lay_out_dialog(self, button_row, (self.pages, 1), foot=(), size=WINDOW_SIZE)
        self.show_contents()

    def _button(
        self, text: str, shortcut: QKeySequence.StandardKey | str, on_click: Callable[[], object]
    ) -> QToolButton:
        """Return a button that calls ``on_click``; a key presses it too, which its tip names."""
        button = QToolButton()
        button.setText(text)
        button.setShortcut(QKeySequence(shortcut))
        tip = text
        keys = button.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        if keys:  # not every system has such keys
            tip = f"{text} ({keys})"
        button.setToolTip(plain_text(tip))
        connect(button.clicked, lambda _checked=False: on_click())
        return button

    def show_contents(self) -> None:
        """Show the first page."""
        self.show_page(INDEX)

    def show_page(self, name: str) -> None:
        """Show a page by its file name."""
        self.pages.setSource(QUrl.fromLocalFile(str(self._folder / name)))


class _PageBrowser(QTextBrowser):
    """Shows a page, with pictures that are never wider than the window."""

    def __init__(self) -> None:
        super().__init__()
        self.document().setDocumentMargin(MARGIN)
        # A bar that comes and goes would change the width of pictures while a page is laid out.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._picture_width = 0
        """The width to which the pictures of the page were fitted, 0 if it has none."""
        # Qt shows a page again by ``backward`` without calling ``doSetSource``.
        connect(self.sourceChanged, self._format_page)
        self._resize_timer = QTimer(self, singleShot=True, interval=RELOAD_DELAY_MS)
        connect(self._resize_timer.timeout, self._fit_pictures)

    def _widest_picture(self) -> int:
        """Return the greatest width of pictures in the present window, in logical pixels."""
        return max(MIN_PICTURE_WIDTH, self.viewport().width() - 2 * MARGIN - PICTURE_RESERVE)

    @guarded(default=None)
    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a page as Qt loads it, or a picture, scaled down if it is too wide."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            self._picture_width = 0  # a page: its pictures are loaded after it
            return super().loadResource(kind, name)
        image = QImage(self.source().resolved(QUrl(name)).toLocalFile())
        ratio = self.devicePixelRatioF()
        self._picture_width = self._widest_picture()
        # A picture takes one logical pixel for each of its own; only one that is too wide is
        # scaled, with as many pixels as the screen has.
        if image.width() > self._picture_width:
            image = image.scaledToWidth(
                round(self._picture_width * ratio), Qt.TransformationMode.SmoothTransformation
            )
            image.setDevicePixelRatio(ratio)
        return image

    def _format_page(self) -> None:
        """Give the page that is shown space above its headings, and a background behind code."""
        code_background = self.palette().color(QPalette.ColorRole.AlternateBase)
        # A block is a paragraph, a heading or a line of code.
        block = self.document().begin()
        while block.isValid():
            block_format = block.blockFormat()
            if block_format.hasProperty(CODE):
                block_format.setLeftMargin(CODE_INDENT)
                block_format.setBackground(code_background)
                block_format.setNonBreakableLines(False)  # long lines wrap
                is_last_line = not block.next().blockFormat().hasProperty(CODE)
                if is_last_line:
                    block_format.setBottomMargin(SPACE_AFTER_CODE)
            elif block_format.headingLevel() > 1:
                block_format.setTopMargin(HEADING_SPACE)
            cursor = QTextCursor(block)
            cursor.setBlockFormat(block_format)
            block = block.next()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit pictures to another width, after a pause."""
        super().resizeEvent(event)
        self._resize_timer.start()

    def _fit_pictures(self) -> None:
        """Load the page again if its pictures were fitted to another width, as far scrolled."""
        if self._picture_width and self._picture_width != self._widest_picture():
            scroll_value = self.verticalScrollBar().value()
            self.reload()
            self.verticalScrollBar().setValue(scroll_value)
