"""The list of kinds of things in the palette: rows with pictures, below headings of groups.

Pick only
Trees: 14 on this map          a heading, which cannot be chosen
[picture] Oak (12)             a row: 12 oaks are on the map
[picture] Palm (2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.features.palette.list_content import ListContent
from app.qt_guard import guarded
from app.render.scene.things.looks import Look
from app.widgets.layout.builders import plain_text
from randomizer.model.things.thing_kind import ThingKind

ICON = 31
"""The width and height of the picture beside a kind, in logical pixels."""

MIN_ROWS = 3
"""The list is never lower than this many rows of text.

More would leave too little of a low window to the form below it.
"""

MIDDLE_DOT = "\N{MIDDLE DOT}"

KIND = Qt.ItemDataRole.UserRole
"""The role of the name of a row's kind; ``PICK_ONLY``, or None for a heading or a note."""

PICK_ONLY = ""
"""Stands for no kind in the first row: a click on the map picks things, and places none."""


class KindList(QListWidget):
    """Lists kinds, and keeps the chosen one in view when a form below makes the list lower.

    ``make_rows`` makes rows with nothing but titles. Its owner completes them by ``show_counts``,
    ``show_look`` for each row, and ``show_current``, and calls these again when they change.
    """

    row_pressed = Signal(object)
    """The mouse is pressed on this row, which is not chosen yet."""

    mouse_or_focus_left = Signal()
    """The mouse or the keyboard has left the list."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[QListWidgetItem] = []
        """The rows of kinds, without the headings between them and "Pick only"."""
        self._row_kinds: tuple[ThingKind, ...] = ()
        """The kinds of the rows, in their order."""
        self._headings: dict[str, QListWidgetItem] = {}
        """The headings above the kinds of a group, by the name of the group."""
        self._icons: dict[Look, QIcon] = {}
        """The pictures that were drawn, in the present resolution."""
        self._looks_shown: dict[str, Look] = {}
        """The looks that the rows show, by the names of their kinds."""
        self._ratio = 0.0
        """The device pixel ratio of the pictures, 0.0 before the first one."""
        self.setIconSize(QSize(ICON, ICON))
        self.setWordWrap(True)  # the palette is narrow, names and paths are long
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def update_resolution(self) -> bool:
        """Follow the resolution of the screen; return True if it is another one.

        Then the pictures are dropped, and the rows have to be made again.
        """
        ratio = self.devicePixelRatioF()
        if ratio == self._ratio:
            return False
        self._ratio = ratio
        self._icons.clear()
        return True

    def make_rows(self, content: ListContent) -> None:
        """Make a row for "Pick only", then one for each kind, below headings of groups."""
        self._row_kinds = content.row_kinds
        self.rows = []
        self._headings = {}
        self._looks_shown.clear()
        with QSignalBlocker(self):
            self.clear()
            pick = QListWidgetItem("Pick only")
            pick.setData(KIND, PICK_ONLY)
            pick.setToolTip("A click on the ground places nothing")
            self.addItem(pick)
            if content.first_heading:
                self._add_heading(content.first_heading)
            for kind in self._row_kinds:
                if kind.group and kind.group not in self._headings:
                    self._headings[kind.group] = self._add_heading(kind.group)
                row = QListWidgetItem(_row_text(kind, 0))
                row.setData(KIND, kind.name)
                self.addItem(row)
                self.rows.append(row)
            for note in content.notes:
                self._add_heading(note.text).setToolTip(plain_text(note.tip))
        self._fit_height()

    def _add_heading(self, text: str) -> QListWidgetItem:
        """Add a row in bold type that cannot be chosen; the keyboard skips it."""
        heading = QListWidgetItem(text)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        # A row without flags is drawn as one that is disabled, too pale to be read.
        heading.setForeground(self.palette().windowText())
        font = self.font()
        font.setBold(True)
        heading.setFont(font)
        self.addItem(heading)
        return heading

    def _fit_height(self) -> None:
        """Keep the list at least ``MIN_ROWS`` high, or as high as its rows if there are fewer."""
        row_count = min(MIN_ROWS, self.count())
        height = row_count * self.sizeHintForRow(self.count() - 1)  # no row has a picture yet
        self.setMinimumHeight(height + 2 * self.frameWidth())

    def show_counts(self, counts_by_kind: Mapping[str, int], counts_by_group: Counter[str]) -> None:
        """Show how many things of each kind and group are on the map."""
        for row, kind in zip(self.rows, self._row_kinds, strict=True):
            row.setText(_row_text(kind, counts_by_kind.get(kind.name, 0)))
        for group, heading in self._headings.items():
            if counts_by_group[group]:
                heading.setText(f"{group}: {counts_by_group[group]:,} on this map")
            else:
                heading.setText(group)

    def show_look(self, row: QListWidgetItem, kind_name: str, look: Look, tip: str) -> None:
        """Show a kind as it looks in the colour of its owner; nothing is drawn twice."""
        # The tip names the owner, also where two owners look alike.
        row.setToolTip(plain_text(tip))
        if self._looks_shown.get(kind_name) != look:
            self._looks_shown[kind_name] = look
            row.setIcon(self._icon(look))

    def _icon(self, look: Look) -> QIcon:
        """Return the picture of a look; kinds that look alike share one."""
        cached = self._icons.get(look)
        if cached is not None:
            return cached
        picture = look.picture(ICON, self._ratio)
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)
        self._icons[look] = icon
        return icon

    def show_current(self, kind_name: str) -> None:
        """Make the row of a kind, or of ``PICK_ONLY``, the current one, without a signal."""
        current_row = -1  # no row is highlighted for a kind that is not listed
        for row in range(self.count()):
            if self.item(row).data(KIND) == kind_name:
                current_row = row
        with QSignalBlocker(self):
            self.setCurrentRow(current_row)

    # --- events -----------------------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw the headings in the colour of another theme."""
        super().changeEvent(event)
        # Qt sends such events while it makes the list, before there are headings.
        if event.type() == QEvent.Type.PaletteChange and "_headings" in vars(self):
            for heading in self._headings.values():
                heading.setForeground(self.palette().windowText())

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.itemAt(event.position().toPoint())
        if row is not None:
            self.row_pressed.emit(row)
        super().mousePressEvent(event)

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.mouse_or_focus_left.emit()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.mouse_or_focus_left.emit()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        current = self.currentItem()
        if current is not None:
            self.scrollToItem(current)


def _row_text(kind: ThingKind, count: int) -> str:
    """Return the text of a row, such as ``Oak (12) · gaia/tree``: ``count`` are on the map."""
    text = counted_title(kind.title, count)
    if kind.origin:
        return f"{text} {MIDDLE_DOT} {kind.origin}"
    return text


def counted_title(title: str, count: int) -> str:
    """Return a title with a count, such as ``Oak (12)``; the title alone if the count is 0."""
    if count:
        return f"{title} ({count:,})"
    return title
