"""What the script wrote when it was rolled last: a list of lines that folds up to one."""

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

ICON = 14

LEVEL = Qt.ItemDataRole.UserRole
PLACE = Qt.ItemDataRole.UserRole + 1

_PLACE = re.compile(r"(?<![\w./\\~+-])(?P<path>[\w./\\~+-]++):(?P<line>[0-9]{1,9})")
"""A place in a file, as engines write it, if the path has a suffix."""


class Console(QWidget):
    """Hidden while nothing was written. ``place_wanted(str, int)``: a file and a line in it."""

    place_wanted = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[LogLine, ...] = ()
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

    def unfold(self, open_: bool) -> None:
        """Show the lines, or only how many there are."""
        self.list.setVisible(open_)
        self.fold_button.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)

    def clear(self) -> None:
        """List no line, and hide."""
        self.set_lines(())

    def set_lines(self, lines: Sequence[LogLine]) -> None:
        """List these lines instead of those before, the last one in view."""
        self._lines = tuple(lines)
        self.setVisible(bool(lines))
        levels = Counter(line.level for line in lines)
        worse = [counted(levels[level], word) for level, word in _WORSE.items() if levels[level]]
        self.fold_button.setText(f"Console: {', '.join([counted(len(lines), 'line'), *worse])}")
        self.list.clear()
        if len(lines) > MOST_LINES:
            self.list.addItem(f"... {len(lines) - MOST_LINES:,} lines before")
        for line in self._lines[-MOST_LINES:]:
            self._add(line)
        rows = min(ROWS, self.list.count())
        self.list.setFixedHeight(rows * (self.list.fontMetrics().height() + 4) + 4)
        self.set_colours()
        self.list.scrollToBottom()

    def _add(self, line: LogLine) -> None:
        item = QListWidgetItem(
            line.text.replace("\n", " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ")
        )
        item.setData(LEVEL, line.level)
        item.setToolTip(plain_text(line.text))
        matches = (
            candidate
            for candidate in _PLACE.finditer(line.text)
            if PurePath(candidate["path"]).suffix
        )
        match = next(matches, None)
        if match is not None:
            item.setData(PLACE, (match["path"], int(match["line"])))
            item.setToolTip(
                plain_text(f"{line.text}\nClick: line {match['line']} of {match['path']}")
            )
        self.list.addItem(item)

    def set_colours(self) -> None:
        """Draw warnings and errors in the colours of the present palette."""
        colours = inks(self.palette())
        ratio = self.devicePixelRatioF()
        icons = {
            WARN: QIcon(icon_pixmap("warning", ICON, ratio, colours.warning)),
            ERROR: QIcon(icon_pixmap("error", ICON, ratio, colours.error)),
        }
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setIcon(icons.get(item.data(LEVEL), QIcon()))

    def _go(self, item: QListWidgetItem) -> None:
        position = item.data(PLACE)
        if position is not None:
            self.place_wanted.emit(*position)

    def copy(self) -> None:
        """Copy all lines, each with its level."""
        text = "".join(f"{line.level}: {line.text}\n" for line in self._lines)
        QGuiApplication.clipboard().setText(text)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Ctrl+C in the list copies the lines, before menus see the key."""
        key_events = QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress
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


_WORSE = {WARN: "warning", ERROR: "error"}
