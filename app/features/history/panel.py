"""The history panel: the undo steps of the current map; a click undoes or redoes up to one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QElapsedTimer,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import QFont, QIcon, QPalette
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from app.appearance.icons import icon
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import lay_out

if TYPE_CHECKING:
    from app.document.document import MapDocument

TURN_MS = 12
"""How long steps are undone or redone in one turn of the event loop."""

START = "Start"

PICTURES = {
    "roll": ("roll", "step", "force"),
    "lock": ("lock", "unlock"),
    "eraser": ("erase", "delete", "remove"),
    "fill-slope": ("fill",),
    "cell-list": ("list", "change list"),
    "elevation": ("elevation", "height", "raise", "lower", "smooth"),
    "height": ("shape land",),
    "flip": ("turn", "rotate", "mirror", "flip", "resize", "shift"),
    "compare": ("take over",),
    "text": ("change",),
    "layers": (
        *("new layer", "duplicate", "merge", "flatten", "reorder", "rename", "opacity"),
        *("solo", "end solo", "show", "hide", "move selection to"),
    ),
}
"""Names of icons, and how the texts of their steps begin; other steps get the brush."""

_ON_SIDES = re.compile(r", [0-9,]+ (hex)?sides?\b")
"""In the text of a step that painted sides: "Cliff, 3 hexsides by C3" (``step_text``)."""

Index = QModelIndex | QPersistentModelIndex


def picture_of(text: str) -> str:
    """Return the name of the icon of a step with this text."""
    lowered = text.lower()
    for picture, beginnings in PICTURES.items():
        if lowered.startswith(beginnings):
            return picture
    return "hexside" if _ON_SIDES.search(lowered) else "brush"


class Steps(QAbstractListModel):
    """The undo steps of the current map, those undone greyed. Row 0 is the start, row n step n."""

    def __init__(self, document: MapDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._widget = parent
        self._history = document.history
        self._count = len(self._history.steps)
        self._icons: dict[str, QIcon] = {}

    def reset(self) -> None:
        """Show the steps of another map."""
        self.beginResetModel()
        self._history = self._document.history
        self._count = len(self._history.steps)
        self.endResetModel()

    def forget_icons(self) -> None:
        """Draw the icons again: the colours have changed."""
        self._icons.clear()

    def refresh(self) -> None:
        """Show that steps were added, removed, done, undone or saved."""
        now = len(self._history.steps)
        if now > self._count:
            self.beginInsertRows(QModelIndex(), self._count + 1, now)
            self._count = now
            self.endInsertRows()
        elif now < self._count:
            self.beginRemoveRows(QModelIndex(), now + 1, self._count)
            self._count = now
            self.endRemoveRows()
        self.dataChanged.emit(self.index(0), self.index(self._count))

    @guarded(default=0)
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of steps, and one for the start."""
        if parent.isValid():
            return 0
        return self._count + 1

    @guarded(default=None)
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, icon, colour and font of a row."""
        row = index.row()
        history = self._history
        # A map that has no file yet begins unsaved, though there is nothing to save.
        saved = row == history.clean_index and (row > 0 or self._document.path is not None)
        text = history.steps[row - 1].text if row else START
        if role == Qt.ItemDataRole.DisplayRole:
            if saved:
                return f"{text}  (saved)"
            return text
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon("new" if row == 0 else "save" if saved else picture_of(text))
        if role == Qt.ItemDataRole.ForegroundRole and row > history.index:
            return self._widget.palette().brush(
                QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text
            )
        if role == Qt.ItemDataRole.FontRole and row == history.index:
            font = QFont(self._widget.font())
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = "undone" if row > history.index else ""
            state = "present step" if row == history.index else state
            return ", ".join(part for part in (text, state, "saved" if saved else "") if part)
        return None

    def _icon(self, name: str) -> QIcon:
        if name not in self._icons:
            result = self._icons[name] = icon(name)
            result.addPixmap(result.pixmap(24), QIcon.Mode.Selected)  # not tinted
        return self._icons[name]


class HistoryPanel(QWidget):
    """Lists the undo steps of the current map."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self._target: int | None = None
        self._reached = 0
        self.list = QListView()
        self.list.setAccessibleName("History of the map, the first step on top")
        self.list.setToolTip("Click a step to go back or forth to it; all later ones are kept")
        self.list.setUniformItemSizes(True)
        self.steps = Steps(document, self.list)
        self.list.setModel(self.steps)
        connect(self.list.clicked, lambda index: self.go_to(index.row()))
        connect(self.list.activated, lambda index: self.go_to(index.row()))
        lay_out(QVBoxLayout(self), self.list, margins=4)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        connect(self._timer.timeout, self._go_on)
        connect(document.map_replaced, self._on_map)
        connect(document.steps_changed, self._refresh)
        connect(document.path_changed, self.steps.refresh)
        self._mark()

    def _on_map(self) -> None:
        self._stop()
        self.steps.reset()
        self._mark()

    def _refresh(self) -> None:
        self.steps.refresh()
        self._mark()

    def _mark(self) -> None:
        present = self.steps.index(self._document.history.index)
        self.list.setCurrentIndex(present)
        self.list.scrollTo(present)

    def draw_icons(self) -> None:
        """Draw the icons again, in the colour of the present palette."""
        self.steps.forget_icons()
        self.steps.refresh()

    # --- going there ------------------------------------------------------------------------

    def go_to(self, index: int) -> None:
        """Undo or redo until ``index`` steps are done, over several turns of the event loop."""
        self._document.cancel_stroke()
        self._target = index
        self._reached = self._document.history.index
        self._timer.start()

    def _go_on(self) -> None:
        document = self._document
        history = self._document.history
        clock = QElapsedTimer()
        clock.start()
        if history.index != self._reached:  # another step was done meanwhile
            self._stop()
        while self._target is not None and clock.elapsed() < TURN_MS:
            if self._target < self._reached:
                document.undo()
            elif self._target > self._reached:
                document.redo()
            if history.index == self._reached:  # arrived, or a step cannot be fetched
                self._stop()
            self._reached = history.index

    def _stop(self) -> None:
        self._target = None
        self._timer.stop()
