"""The gallery's grid of thumbnails, for mouse and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPalette, QPen, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.appearance.icons import icon_pixmap
from app.appearance.painting import saved_state
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.model import GalleryModel
    from randomizer.generator import DrawKey

GAP = 4
"""Around a thumbnail, in logical pixels."""

PIN = 14
"""The side of the pin's picture."""

ICON = 16
"""The side of the icon of a map that could not be made."""

DIMMED = 0.35
"""The opacity of maps that are not those that are asked for."""


class _Thumbnails(QStyledItemDelegate):
    """Paints a picture with its number, its value, its pin and the frame of the map shown."""

    def __init__(self, model: GalleryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.picture = QSize(1, 1)
        self.is_dimmed = False
        """True if the maps are not those that are asked for."""

    @guarded(default=QSize())
    def sizeHint(self, option: Any, _index: Any) -> QSize:
        """Return the picture, and a line of words below it."""
        line = option.fontMetrics.height()
        return self.picture + QSize(2 * GAP, 2 * GAP + line)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        """Draw one thumbnail: the picture, its frame, and the line of words below it."""
        candidate = self._model.candidates[index.row()]
        cell = option.rect
        picture_rect = QRect(cell.topLeft(), self.picture).translated(GAP, GAP)
        ink_role = QPalette.ColorRole.Text
        if option.state & option.state.State_Selected:
            ink_role = QPalette.ColorRole.HighlightedText
        ink = option.palette.color(ink_role)
        with saved_state(painter):
            if self.is_dimmed:
                painter.setOpacity(DIMMED)
            if option.state & option.state.State_Selected:
                painter.fillRect(cell, option.palette.highlight())
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            if picture is not None:
                painter.drawPixmap(picture_rect, picture)
            if candidate.problems:
                message = candidate.problems[0].message
                _draw_failure(painter, picture_rect, message, option.palette)
            if self._model.is_shown(candidate):
                _draw_frame_of_map(painter, picture_rect, ink, option.palette)
            self._draw_caption(painter, picture_rect, ink, option, index)
            if option.state & option.state.State_HasFocus:
                painter.setPen(QPen(ink, 1, Qt.PenStyle.DashLine))
                painter.drawRect(cell.adjusted(0, 0, -1, -1))

    def _draw_caption(
        self,
        painter: QPainter,
        picture_rect: QRect,
        ink: QColor,
        option: QStyleOptionViewItem,
        index: Any,
    ) -> None:
        """Write pin and number at the left, the value of the measure at the right."""
        candidate = self._model.candidates[index.row()]
        metrics = option.fontMetrics
        height = metrics.height()
        caption = QRect(
            picture_rect.left(), picture_rect.bottom() + 1, self.picture.width(), height
        )
        painter.setPen(ink)
        if self._model.is_pinned(candidate):
            pin = icon_pixmap("pin", PIN, painter.device().devicePixelRatio(), ink)
            painter.drawPixmap(caption.left(), caption.top() + (height - PIN) // 2, pin)
            caption.setLeft(caption.left() + PIN + 1)
        value = self._model.value_text(candidate)
        painter.drawText(caption, Qt.AlignmentFlag.AlignRight, value)
        # The number gets the room that is left; its last digits tell maps apart.
        caption.setRight(caption.right() - metrics.horizontalAdvance(value))
        number = metrics.elidedText(index.data(), Qt.TextElideMode.ElideLeft, caption.width())
        painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, number)


def _draw_frame_of_map(painter: QPainter, rect: QRect, ink: QColor, palette: QPalette) -> None:
    """Frame the picture of the map on the desk, with dots for those who do not see the colour."""
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 3))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))
    painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
    painter.drawRect(rect.adjusted(0, 0, -1, -1))


def _draw_failure(painter: QPainter, rect: QRect, message: str, palette: QPalette) -> None:
    """Write why there is no map, where its picture would be."""
    colour = inks(palette).error
    painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
    painter.drawRect(rect.adjusted(0, 0, -1, -1))
    inside = rect.adjusted(GAP, GAP, -GAP, -GAP)
    ratio = painter.device().devicePixelRatio()
    painter.drawPixmap(inside.topLeft(), icon_pixmap("error", ICON, ratio, colour))
    inside.setTop(inside.top() + ICON + 2)
    painter.setClipRect(inside)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    painter.drawText(QRectF(inside), message, option)
    painter.setClipping(False)


class _Choice(NamedTuple):
    """The maps that are selected, by seed and number: rows change when maps are sorted."""

    selected: set[DrawKey]
    current: DrawKey | None


class GalleryView(QListView):
    """The thumbnails in rows. The same maps stay selected when they are sorted or filtered."""

    key_pressed = Signal(str)
    """What was asked for with a key: "take", "pin" or "copy"."""

    def __init__(self, model: GalleryModel) -> None:
        super().__init__()
        self._model = model
        self._choice = _Choice(set(), None)
        """What was selected when the rows began to change."""
        self.setModel(model)
        self._delegate = _Thumbnails(model, self)
        self.setItemDelegate(self._delegate)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Maps of the script")
        connect(model.modelAboutToBeReset, self._remember)
        connect(model.modelReset, self._choose_again)

    def set_picture_size(self, size: QSize) -> None:
        """Set the size of the pictures, in logical pixels."""
        self._delegate.picture = size
        self.setGridSize(size + QSize(2 * GAP, 2 * GAP + self.fontMetrics().height()))
        self.doItemsLayout()

    @property
    def is_dimmed(self) -> bool:
        """True if the maps are dimmed."""
        return self._delegate.is_dimmed

    def set_dimmed(self, is_dimmed: bool) -> None:
        """Dim the maps, as they are not those that are asked for, or show them as they are."""
        if is_dimmed != self._delegate.is_dimmed:
            self._delegate.is_dimmed = is_dimmed
            self.viewport().update()

    # --- what is chosen ---------------------------------------------------------------------

    def chosen(self) -> list[Candidate]:
        """Return the selected maps, in the order shown."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [self._model.candidates[row] for row in rows]

    def current(self) -> Candidate | None:
        """Return the map with the keyboard's frame, if it is selected too.

        Else the first selected.
        """
        chosen = self.chosen()
        row = self.currentIndex().row()
        if 0 <= row < len(self._model.candidates) and self._model.candidates[row] in chosen:
            return self._model.candidates[row]
        if chosen:
            return chosen[0]
        return None

    def choose(self, candidate: Candidate) -> None:
        """Select a map and bring it into view."""
        self.setCurrentIndex(self._model.index(self._model.candidates.index(candidate)))

    def _remember(self) -> None:
        current = self.current()
        self._choice = _Choice(
            {candidate.key for candidate in self.chosen()},
            None if current is None else current.key,
        )

    def _choose_again(self) -> None:
        """Select the same maps as before the rows changed."""
        select = self.selectionModel().SelectionFlag
        for row, candidate in enumerate(self._model.candidates):
            index: QModelIndex = self._model.index(row)
            if candidate.key == self._choice.current:
                self.selectionModel().setCurrentIndex(index, select.NoUpdate)
            if candidate.key in self._choice.selected:
                self.selectionModel().select(index, select.Select)

    # --- keys -------------------------------------------------------------------------------

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Take the gallery's keys before menus do, while it has the keyboard focus."""
        if event.type() == QEvent.Type.ShortcutOverride and _request_of(event):
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes, P pins, Ctrl+C copies the name; arrows move the frame."""
        request = _request_of(event)
        if request:
            self.key_pressed.emit(request)
        else:
            super().keyPressEvent(event)


def _request_of(event: QEvent) -> str:
    """Return what a key asks for: "take", "pin", "copy"; "" for every other event."""
    if not isinstance(event, QKeyEvent):
        return ""
    if event.matches(QKeySequence.StandardKey.Copy):
        return "copy"
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return ""
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return "take"
    if event.key() == Qt.Key.Key_P:
        return "pin"
    return ""
