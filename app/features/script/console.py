"""The console of the script panel: what the script wrote when it was rolled last.

``RandomizePanel`` gives a ``Console`` the lines of each roll (``set_lines``). It is a list that
folds up to one line, and is hidden while a script writes nothing. A line that names a file and a
line in it, such as ``maps/random/moor.js:12``, leads there by a click.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QIcon, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon_pixmap
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_text, tool_button
from randomizer.model.basics.log_line import ERROR, WARN, LogLine
from randomizer.model.basics.plurals import counted

MOST_LINES = 1000
"""Of a longer log the last so many lines are listed; all of it is copied."""

ROWS = 6
"""The most lines that the open list shows at once."""

MARGINS = 4
"""The space above and below a row together, and around all rows, in logical pixels."""

ICON_SIZE = 14
"""The width and height of the icon of a warning or an error, in logical pixels."""

LEVEL = Qt.ItemDataRole.UserRole
"""The role of the level of a line, such as ``WARN``."""

FILE_LINE = Qt.ItemDataRole.UserRole + 1
"""The role of the file and the line (from 1) that a line of the log names; None for none."""

LEVEL_NOUNS = {WARN: "warning", ERROR: "error"}
"""The nouns of the levels that the head of the console counts."""

_NAMED_LINE = re.compile(
    r"""
    (?<! [\w./\\~+-] )              # not amid a longer path
    (?P<path> [\w./\\~+-]++ )
    : (?P<line> [0-9]{1,9} )
    """,
    re.VERBOSE,
)
"""A file and a line, as engines write them; what has no suffix is taken for no file."""


class Console(QWidget):
    """Lists what a script wrote; hidden while it wrote nothing."""

    line_requested = Signal(str, int)
    """A file, and a line (from 1) in it, that is to be shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[LogLine, ...] = ()
        """All lines of the log, of which the list may have only the last."""
        self.fold_button = described(QToolButton(), "Console", "Show or hide what the script wrote")
        self.fold_button.setAutoRaise(True)
        self.fold_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        connect(self.fold_button.clicked, lambda: self.unfold(self.list.isHidden()))
        self._copy = tool_button("Copy", "Copy all that the script wrote")
        connect(self._copy.clicked, self.copy)
        self.list = QListWidget()
        self.list.setAccessibleName("What the script wrote")
        self.list.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        connect(self.list.itemClicked, self._go)
        connect(self.list.itemActivated, self._go)
        head = lay_out(QHBoxLayout(), self.fold_button, STRETCH, self._copy, margins=0)
        lay_out(QVBoxLayout(self), head, self.list, margins=0, spacing=2)
        self.unfold(False)
        self.hide()

    def unfold(self, is_open: bool) -> None:
        """Show the lines, or only how many there are."""
        self.list.setVisible(is_open)
        if is_open:
            self.fold_button.setArrowType(Qt.ArrowType.DownArrow)
        else:
            self.fold_button.setArrowType(Qt.ArrowType.RightArrow)

    def clear(self) -> None:
        """List no line, and hide the console."""
        self.set_lines(())

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        """List these lines and no others, the last one in view."""
        self._lines = tuple(lines)
        self.setVisible(bool(lines))
        self.fold_button.setText(f"Console: {_counts_text(lines)}")
        self.list.clear()
        if len(lines) > MOST_LINES:
            self.list.addItem(f"... {len(lines) - MOST_LINES:,} lines before")
        for line in self._lines[-MOST_LINES:]:
            self._add(line)
        rows = min(ROWS, self.list.count())
        row_height = self.list.fontMetrics().height() + MARGINS
        self.list.setFixedHeight(rows * row_height + MARGINS)
        self.set_colours()
        self.list.scrollToBottom()

    def _add(self, line: LogLine) -> None:
        """Add a row for a line of the log; one that has several lines itself is shown in one."""
        text = line.text.replace("\n", " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ")
        tip = line.text
        item = QListWidgetItem(text)
        item.setData(LEVEL, line.level)
        for match in _NAMED_LINE.finditer(line.text):
            if PurePath(match["path"]).suffix:
                item.setData(FILE_LINE, (match["path"], int(match["line"])))
                tip = f"{line.text}\nClick: line {match['line']} of {match['path']}"
                break
        item.setToolTip(plain_text(tip))
        self.list.addItem(item)

    def set_colours(self) -> None:
        """Draw warnings and errors in the colours of the present palette."""
        colours = inks(self.palette())
        ratio = self.devicePixelRatioF()
        icons = {
            WARN: QIcon(icon_pixmap("warning", ICON_SIZE, ratio, colours.warning)),
            ERROR: QIcon(icon_pixmap("error", ICON_SIZE, ratio, colours.error)),
        }
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setIcon(icons.get(item.data(LEVEL), QIcon()))

    def _go(self, item: QListWidgetItem) -> None:
        """Ask for the file and line that a row names, if it names any."""
        file_line = item.data(FILE_LINE)
        if file_line is not None:
            self.line_requested.emit(*file_line)

    def copy(self) -> None:
        """Copy all lines to the clipboard, each with its level before it."""
        text = "".join(f"{line.level}: {line.text}\n" for line in self._lines)
        QGuiApplication.clipboard().setText(text)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Copy the lines by Ctrl+C in the list.

        Qt asks by ``ShortcutOverride`` who wants the key, before a menu gets it as its shortcut.
        """
        key_events = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if (
            isinstance(event, QKeyEvent)
            and event.type() in key_events
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            if event.type() == QEvent.Type.KeyPress:
                self.copy()
            event.accept()
            return True
        return super().event(event)


def _counts_text(lines: Sequence[LogLine]) -> str:
    """Return ``12 lines, 1 warning, 2 errors``, without those of which there are none."""
    counts_by_level = Counter(line.level for line in lines)
    texts = [counted(len(lines), "line")]
    for level, noun in LEVEL_NOUNS.items():
        if counts_by_level[level]:
            texts.append(counted(counts_by_level[level], noun))
    return ", ".join(texts)
