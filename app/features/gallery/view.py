"""The gallery's grid of thumbnails, for mouse and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPalette, QPen, QTextOption
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

GAP = 4
"""Around a thumbnail, in logical pixels."""

PIN = 14
"""The side of the pin's picture."""

ICON = 16
"""The side of the icon of a map that could not be made."""


class _Thumbnails(QStyledItemDelegate):
    """Paints a picture with its number, its value, its pin and the frame of the map shown."""

    def __init__(self, model: GalleryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.picture = QSize(1, 1)

    @guarded(default=QSize())
    def sizeHint(self, option: Any, _index: Any) -> QSize:
        """Return the picture, and a line of words below it."""
        line = option.fontMetrics.height()
        return self.picture + QSize(2 * GAP, 2 * GAP + line)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        """Draw one thumbnail."""
        candidate = self._model.candidates[index.row()]
        rect = option.rect
        palette = option.palette
        state = option.state
        line = option.fontMetrics.height()
        selected = bool(state & state.State_Selected)
        with saved_state(painter):
            ink = QPalette.ColorRole.Text
            if selected:
                painter.fillRect(rect, palette.highlight())
                ink = QPalette.ColorRole.HighlightedText
            picture_rect = QRect(rect.topLeft(), self.picture).translated(GAP, GAP)
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            if picture is not None:
                painter.drawPixmap(picture_rect, picture)
            if candidate.problems:
                _draw_failure(painter, picture_rect, candidate.problems[0].message, palette)
            if self._model.is_shown(candidate):
                painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 3))
                painter.drawRect(picture_rect.adjusted(1, 1, -1, -1))
                painter.setPen(QPen(palette.color(ink), 1, Qt.PenStyle.DotLine))
                painter.drawRect(picture_rect.adjusted(0, 0, -1, -1))
            painter.setPen(palette.color(ink))
            caption = QRect(
                picture_rect.left(), picture_rect.bottom() + 1, picture_rect.width(), line
            )
            if self._model.is_pinned(candidate):
                ratio = painter.device().devicePixelRatio()
                pin = icon_pixmap("pin", PIN, ratio, palette.color(ink))
                painter.drawPixmap(caption.left(), caption.top() + (line - PIN) // 2, pin)
                caption.setLeft(caption.left() + PIN + 1)
            value = self._model.value_text(candidate)
            metrics = option.fontMetrics
            painter.drawText(caption, Qt.AlignmentFlag.AlignRight, value)
            caption.setRight(caption.right() - metrics.horizontalAdvance(value))
            number = metrics.elidedText(index.data(), Qt.TextElideMode.ElideLeft, caption.width())
            painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, number)
            if state & state.State_HasFocus:
                painter.setPen(QPen(palette.color(ink), 1, Qt.PenStyle.DashLine))
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


class GalleryView(QListView):
    """``key_pressed(str)``: "take", "pin" or "copy" was asked for with a key."""

    key_pressed = Signal(str)

    def __init__(self, model: GalleryModel) -> None:
        super().__init__()
        self._model = model
        self._kept: tuple[set[tuple[int, int]], tuple[int, int] | None] = (set(), None)
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
        self._kept = (
            {candidate.key for candidate in self.chosen()},
            None if current is None else current.key,
        )

    def _choose_again(self) -> None:
        """Select the same maps as before the rows changed."""
        keys, current = self._kept
        select = self.selectionModel().SelectionFlag
        for row, candidate in enumerate(self._model.candidates):
            index: QModelIndex = self._model.index(row)
            if candidate.key == current:
                self.selectionModel().setCurrentIndex(index, select.NoUpdate)
            if candidate.key in keys:
                self.selectionModel().select(index, select.Select)

    # --- keys -------------------------------------------------------------------------------

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Take the gallery's keys before menus do, while it has the keyboard focus."""
        if event.type() == QEvent.Type.ShortcutOverride and _meant(event):
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes, P pins, Ctrl+C copies the name; arrows move the frame."""
        meant = _meant(event)
        if meant:
            self.key_pressed.emit(meant)
        else:
            super().keyPressEvent(event)


def _meant(event: QEvent) -> str:
    if not isinstance(event, QKeyEvent):
        return ""
    if event.matches(QKeySequence.StandardKey.Copy):
        return "copy"
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return ""
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return "take"
    return "pin" if event.key() == Qt.Key.Key_P else ""
