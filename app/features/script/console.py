"""The console of the script panel: what the script wrote when it was rolled last.

``ScriptPanel`` gives a ``Console`` the lines of each roll (``set_lines``). It is a list that
folds up to one line, and is hidden while a script writes nothing. A line that names a file and a
line in it, such as ``maps/random/moor.js:12``, leads there by a click.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

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

MAX_LINES = 1000
"""At most this many lines are listed: of a longer log the last ones."""

MAX_ROWS = 6
"""The most lines that the open list shows at once."""

MARGINS = 4
"""The space above and below a row together, and around all rows, in logical pixels."""

ICON_SIZE = 14
"""The width and height of the icon of a warning or an error, in logical pixels."""

LEVEL_ROLE = Qt.ItemDataRole.UserRole
"""The role of the level of a line, such as ``WARN``."""

NAMED_LINE_ROLE = Qt.ItemDataRole.UserRole + 1
"""The role of the ``NamedLine`` of a line of the log; None if it names none."""

LEVEL_NOUNS = {WARN: "warning", ERROR: "error"}
"""The nouns of the levels that the head of the console counts."""

_NAMED_LINE = re.compile(
    r"""
    (?<! [\w./\\~+-] )              # not amid a longer path
    (?P<path>
        (?: \b [A-Za-z] : (?= [/\\] ) )?    # the drive, on Windows
        [\w./\\~+-]++
    )
    : (?P<line> [0-9]{1,9} )
    """,
    re.VERBOSE,
)
"""A file and a line, as engines write them; a path without a suffix is taken for no file."""


class NamedLine(NamedTuple):
    """A line of a file that an entry of the log names."""

    path: str
    """The file, as the log writes it."""

    line: int
    """The line, from 1."""


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
        connect(self.fold_button.clicked, self._toggle)
        self.copy_button = tool_button("Copy", "Copy all that the script wrote")
        connect(self.copy_button.clicked, self.copy)
        self.list = QListWidget()
        self.list.setAccessibleName("What the script wrote")
        self.list.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        connect(self.list.itemClicked, self._request_line)
        connect(self.list.itemActivated, self._request_line)
        head = lay_out(QHBoxLayout(), self.fold_button, STRETCH, self.copy_button, margins=0)
        lay_out(QVBoxLayout(self), head, self.list, margins=0, spacing=2)
        self.set_unfolded(is_unfolded=False)
        self.hide()

    def _toggle(self) -> None:
        """Show the lines if they are hidden, else hide them."""
        self.set_unfolded(is_unfolded=self.list.isHidden())

    def set_unfolded(self, *, is_unfolded: bool) -> None:
        """Show the lines, or only how many there are."""
        self.list.setVisible(is_unfolded)
        if is_unfolded:
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
        if len(lines) > MAX_LINES:
            self.list.addItem(f"... {len(lines) - MAX_LINES:,} lines before")
        for line in self._lines[-MAX_LINES:]:
            self._add(line)
        rows = min(MAX_ROWS, self.list.count())
        row_height = self.list.fontMetrics().height() + MARGINS
        self.list.setFixedHeight(rows * row_height + MARGINS)
        self.set_colours()
        self.list.scrollToBottom()

    def _add(self, line: LogLine) -> None:
        """Add a row for a line of the log; arrows stand for the line breaks in it."""
        text = line.text.replace("\n", " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ")
        tip = line.text
        item = QListWidgetItem(text)
        item.setData(LEVEL_ROLE, line.level)
        # Of several files in a line, a click leads to the first.
        for match in _NAMED_LINE.finditer(line.text):
            if PurePath(match["path"]).suffix:
                item.setData(NAMED_LINE_ROLE, NamedLine(match["path"], int(match["line"])))
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
            item.setIcon(icons.get(item.data(LEVEL_ROLE), QIcon()))

    def _request_line(self, item: QListWidgetItem) -> None:
        """Ask for the file and line that a row names, if it names any."""
        named_line = item.data(NAMED_LINE_ROLE)
        if named_line is not None:
            path, line = named_line  # Qt hands a NamedTuple back as a plain sequence
            self.line_requested.emit(path, line)

    def copy(self) -> None:
        """Copy all lines to the clipboard, each with its level before it."""
        text = "".join(f"{line.level}: {line.text}\n" for line in self._lines)
        QGuiApplication.clipboard().setText(text)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Copy the lines by Ctrl+C in the list.

        Qt asks by ``ShortcutOverride`` who wants the key, before a menu gets it as its shortcut.
        """
        if not isinstance(event, QKeyEvent) or not event.matches(QKeySequence.StandardKey.Copy):
            return super().event(event)
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return super().event(event)
        if event.type() == QEvent.Type.KeyPress:
            self.copy()
        event.accept()
        return True


def _counts_text(lines: Sequence[LogLine]) -> str:
    """Return ``12 lines, 1 warning, 2 errors``, without those of which there are none."""
    counts_by_level = Counter(line.level for line in lines)
    texts = [counted(len(lines), "line")]
    for level, noun in LEVEL_NOUNS.items():
        if counts_by_level[level]:
            texts.append(counted(counts_by_level[level], noun))
    return ", ".join(texts)
