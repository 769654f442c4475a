"""The history panel: a list of the undo steps of the current map.

A click on a step undoes or redoes until that step is the last one done (``HistoryPanel.go_to``).
As many steps can take seconds, this is done in *turns*, short pieces of work between which the
event loop runs. ``Steps`` is the model of the list::

    row 0   Start
    row 1   Paint terrain
    row 2   Roll            in bold: the last step that is done
    row 3   Erase           grey: it was undone
"""

from __future__ import annotations

import re
from dataclasses import dataclass
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
"""The milliseconds for which steps are undone or redone in one turn of the event loop.

If it is larger, the window answers less smoothly on the way to a step far away.
"""

ICON_PX = 24
"""The width and height of the picture of an icon in a selected row, in pixels."""

START = "Start"
"""The text of the first row, before all steps."""

BEGINNINGS_OF_TEXTS = {
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
        "new layer",
        "duplicate",
        "merge",
        "flatten",
        "reorder",
        "rename",
        "opacity",
        "solo",
        "end solo",
        "show",
        "hide",
        "move selection to",
    ),
}
"""The beginnings of the texts of steps, in small letters, by the name of the icon that they get.

The first icon that fits is taken: "change list" stands before "change". A step that fits none has
the brush. A step has no icon of its own, since journals of maps keep only its text.
"""

_ON_SIDES = re.compile(r", [0-9,]+ (hex)?sides?\b")
"""In the text of a step that painted sides: "Cliff, 3 hexsides by C3" (``step_text``)."""

Index = QModelIndex | QPersistentModelIndex
"""The types in which Qt hands a row to a model."""


def icon_name_of(text: str) -> str:
    """Return the name of the icon of a step with this text."""
    lowered = text.lower()
    for icon_name, beginnings in BEGINNINGS_OF_TEXTS.items():
        if lowered.startswith(beginnings):
            return icon_name
    if _ON_SIDES.search(lowered):
        return "hexside"
    return "brush"


class Steps(QAbstractListModel):
    """The undo steps of the current map, the undone ones grey.

    Row 0 is the start. Row n is step n, the element n - 1 of ``UndoHistory.steps``.
    """

    def __init__(self, document: MapDocument, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self._widget = parent
        """The list, whose palette and font the rows have."""
        self._history = document.history
        self._count = len(self._history.steps)
        """The steps that the list knows of: those of the history may be more or fewer by now."""
        self._icons: dict[str, QIcon] = {}
        """The icons that were drawn, by their names."""

    def reset(self) -> None:
        """Show the steps of another map."""
        self.beginResetModel()
        self._history = self._document.history
        self._count = len(self._history.steps)
        self.endResetModel()

    def forget_icons(self) -> None:
        """Forget the icons, as the colours have changed: each is drawn again when it is shown."""
        self._icons.clear()

    def refresh(self) -> None:
        """Show that steps were added or removed at the end of the list, done, undone or saved."""
        new_count = len(self._history.steps)
        if new_count > self._count:
            self.beginInsertRows(QModelIndex(), self._count + 1, new_count)
            self._count = new_count
            self.endInsertRows()
        elif new_count < self._count:
            self.beginRemoveRows(QModelIndex(), new_count + 1, self._count)
            self._count = new_count
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
        """Return the text, icon, colour or font of a row, as Qt asks for them."""
        row = index.row()
        is_undone = row > self._history.index
        is_present = row == self._history.index
        if role == Qt.ItemDataRole.DisplayRole:
            if self._is_saved(row):
                return f"{self._text(row)}  (saved)"
            return self._text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken_text(row)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(self._icon_name(row))
        if role == Qt.ItemDataRole.ForegroundRole and is_undone:
            disabled = QPalette.ColorGroup.Disabled
            return self._widget.palette().brush(disabled, QPalette.ColorRole.Text)
        if role == Qt.ItemDataRole.FontRole and is_present:
            font = QFont(self._widget.font())
            font.setBold(True)
            return font
        return None  # Qt's own colours and fonts

    def _spoken_text(self, row: int) -> str:
        """Return the text of a row for screen readers, such as "Erase, undone"."""
        texts = [self._text(row)]
        if row > self._history.index:
            texts.append("undone")
        if row == self._history.index:
            texts.append("present step")
        if self._is_saved(row):
            texts.append("saved")
        return ", ".join(text for text in texts if text)

    def _text(self, row: int) -> str:
        """Return the text of the step of a row."""
        if row == 0:
            return START
        return self._history.steps[row - 1].text

    def _is_saved(self, row: int) -> bool:
        """Return whether the map's file is as the map is after this step."""
        if row == 0 and self._document.path is None:
            # A new map counts as clean at its start, although it has no file.
            return False
        return row == self._history.clean_index

    def _icon_name(self, row: int) -> str:
        """Return the name of the icon of a row."""
        if row == 0:
            return "new"
        if self._is_saved(row):
            return "save"
        return icon_name_of(self._text(row))

    def _icon(self, name: str) -> QIcon:
        """Return an icon in the present colours, drawn when it is first asked for."""
        if name not in self._icons:
            step_icon = icon(name)
            # The same pixels for a selected row: else Qt would tint them.
            step_icon.addPixmap(step_icon.pixmap(ICON_PX), QIcon.Mode.Selected)
            self._icons[name] = step_icon
        return self._icons[name]


@dataclass
class _Journey:
    """The way to a step that the user has clicked, which goes over several turns."""

    target: int
    """The number of steps that are to be done at its end."""

    reached: int
    """The number of steps that were done when the last undo or redo had ended.

    If the history has another number at the next turn, somebody else has taken a step meanwhile.
    """


class HistoryPanel(QWidget):
    """Lists the undo steps of the current map."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self._journey: _Journey | None = None
        """The way to a step (``go_to``) that is under way; None while there is none."""
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
        """Undoes or redoes further steps in each turn of the event loop, until the target."""
        self._timer.setInterval(0)
        connect(self._timer.timeout, self._continue_journey)
        connect(document.map_replaced, self._on_map_replaced)
        connect(document.steps_changed, self._on_steps_changed)
        connect(document.path_changed, self.steps.refresh)
        self._choose_present_step()

    def _on_map_replaced(self) -> None:
        """Show the steps of another map."""
        self._end_journey()
        self.steps.reset()
        self._choose_present_step()

    def _on_steps_changed(self) -> None:
        """Follow steps that were added, removed, done or undone."""
        self.steps.refresh()
        self._choose_present_step()

    def _choose_present_step(self) -> None:
        """Choose the row of the last step that is done, and scroll to it."""
        present = self.steps.index(self._document.history.index)
        self.list.setCurrentIndex(present)
        self.list.scrollTo(present)

    def draw_icons(self) -> None:
        """Draw the icons again, in the colour of the present palette."""
        self.steps.forget_icons()
        self.steps.refresh()

    # --- going to a step --------------------------------------------------------------------

    def go_to(self, index: int) -> None:
        """Undo or redo until ``index`` steps are done, over several turns of the event loop."""
        self._document.cancel_stroke()
        self._journey = _Journey(target=index, reached=self._document.history.index)
        self._timer.start()

    def _continue_journey(self) -> None:
        """Undo or redo steps for one turn of the event loop."""
        document = self._document
        history = self._document.history
        journey = self._journey
        if journey is None or history.index != journey.reached:
            self._end_journey()
            return
        clock = QElapsedTimer()
        clock.start()
        # An undo can end the journey: another map may be current after it.
        while self._journey is journey and clock.elapsed() < TURN_MS:
            if journey.target < journey.reached:
                document.undo()
            elif journey.target > journey.reached:
                document.redo()
            # Nothing was undone or redone: the target is reached, or a step has failed.
            if history.index == journey.reached:
                self._end_journey()
            journey.reached = history.index

    def _end_journey(self) -> None:
        """Undo and redo no more steps."""
        self._journey = None
        self._timer.stop()
