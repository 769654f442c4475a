"""The gallery's grid of thumbnails, for mouse and keys.

Each thumbnail is the picture of a ``Candidate``, a map rolled by the script:

    +---------+
    | picture |   framed if the map on the desk is this one
    +---------+
    no. 7          12 hexes    (number, and value of the measure that sorts the maps)

A pinned map has a pin, and its seed before the number: others have the seed of the form.

``GalleryView`` is the list; ``_ThumbnailDelegate`` paints its items. The view only tells which of
its keys was pressed (``key_pressed``): ``GalleryActions`` has the actions.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QPen,
    QResizeEvent,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.appearance.icons import icon_pixmap
from app.appearance.painting import saved_state
from app.appearance.quotes import with_quotes
from app.appearance.text_colours import inks
from app.qt_guard import connect, guarded

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.model import GalleryModel
    from randomizer.model.rolls.draw_key import DrawKey

GAP = 4
"""The space around a picture, in logical pixels."""

PIN_SIZE = 14
"""The width and height of the pin, in logical pixels."""

ICON_SIZE = 16
"""The width and height of the error icon of a map that could not be made, in logical pixels."""

TEXT_GAP = 2
"""The space between this icon and the text below it, in logical pixels."""

DIMMED_OPACITY = 0.35
"""The opacity of thumbnails that are out of date, 0 to 1."""

FRAME_WIDTH = 3
"""The width of the frame around the picture of the map on the desk, in logical pixels."""


class GalleryKey(Enum):
    """The keys of the gallery that do something with the selected maps."""

    TAKE = auto()
    """Enter: the map becomes the rolled layer."""

    PIN = auto()
    """P."""

    COPY = auto()
    """Ctrl+C, or the system's key for Copy."""


class _ThumbnailDelegate(QStyledItemDelegate):
    """Paints the thumbnails."""

    def __init__(self, model: GalleryModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.picture_size = QSize(1, 1)
        """The size of the pictures, in logical pixels; ``GalleryView.set_picture_size`` sets it."""
        self.column_width = 1
        """The width of a thumbnail with the space around it, in logical pixels."""
        self.is_dimmed = False
        """True while the maps are out of date, since others have been asked for."""

    @guarded(default=QSize())
    def sizeHint(self, option: Any, _index: Any) -> QSize:
        """Return the size of a thumbnail: the picture with a line of text below it."""
        line_height = option.fontMetrics.height()
        return QSize(self.column_width, self.picture_size.height() + 2 * GAP + line_height)

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Any) -> None:
        """Draw one thumbnail: the picture, its frame, and the line of text below it."""
        candidate = self._model.candidates[index.row()]
        cell = option.rect
        gap = (cell.width() - self.picture_size.width()) // 2
        picture_rect = QRect(cell.topLeft(), self.picture_size).translated(gap, GAP)
        is_selected = bool(option.state & option.state.State_Selected)
        ink_role = QPalette.ColorRole.Text
        if is_selected:
            ink_role = QPalette.ColorRole.HighlightedText
        ink = option.palette.color(ink_role)
        with saved_state(painter):
            if self.is_dimmed:
                painter.setOpacity(DIMMED_OPACITY)
            if is_selected:
                painter.fillRect(cell, option.palette.highlight())
            picture = index.data(Qt.ItemDataRole.DecorationRole)
            if picture is not None:
                painter.drawPixmap(picture_rect, picture)
            if candidate.problems:
                message = with_quotes(candidate.problems[0].message)
                _draw_failure(painter, picture_rect, message, option.palette)
            if self._model.is_on_desk(candidate):
                _draw_frame(painter, picture_rect, ink, option.palette)
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
            picture_rect.left(), picture_rect.bottom() + 1, picture_rect.width(), height
        )
        painter.setPen(ink)
        if self._model.is_pinned(candidate):
            pin = icon_pixmap("pin", PIN_SIZE, painter.device().devicePixelRatio(), ink)
            painter.drawPixmap(caption.left(), caption.top() + (height - PIN_SIZE) // 2, pin)
            caption.setLeft(caption.left() + PIN_SIZE + 1)
        value = self._model.value_text(candidate)
        painter.drawText(caption, Qt.AlignmentFlag.AlignRight, value)
        # The number gets the width that is left. Its end stays, as the last digits tell maps apart.
        caption.setRight(caption.right() - metrics.horizontalAdvance(value))
        number = metrics.elidedText(index.data(), Qt.TextElideMode.ElideLeft, caption.width())
        painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, number)


def _draw_frame(painter: QPainter, rect: QRect, ink: QColor, palette: QPalette) -> None:
    """Draw a frame around a picture, which marks it as that of the map on the desk.

    The frame has dots, too, for users who cannot tell its colour from that of the map.
    """
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), FRAME_WIDTH))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))
    painter.setPen(QPen(ink, 1, Qt.PenStyle.DotLine))
    painter.drawRect(rect.adjusted(0, 0, -1, -1))


def _draw_failure(painter: QPainter, rect: QRect, message: str, palette: QPalette) -> None:
    """Write why a map could not be made, where its picture would be."""
    colour = inks(palette).error
    painter.setPen(QPen(colour, 1, Qt.PenStyle.DashLine))
    painter.drawRect(rect.adjusted(0, 0, -1, -1))
    inside = rect.adjusted(GAP, GAP, -GAP, -GAP)
    ratio = painter.device().devicePixelRatio()
    painter.drawPixmap(inside.topLeft(), icon_pixmap("error", ICON_SIZE, ratio, colour))
    inside.setTop(inside.top() + ICON_SIZE + TEXT_GAP)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    with saved_state(painter):
        painter.setClipRect(inside, Qt.ClipOperation.IntersectClip)
        painter.drawText(QRectF(inside), message, option)


class _SelectedMaps(NamedTuple):
    """The maps that are selected, by seed and number, since rows change when maps are sorted."""

    keys: set[DrawKey]

    current_key: DrawKey | None
    """The selected map with the keyboard's frame, else the first selected one; None for none."""


class GalleryView(QListView):
    """The thumbnails in rows. The same maps stay selected when they are sorted or filtered."""

    key_pressed = Signal(object)
    """A ``GalleryKey`` was pressed."""

    def __init__(self, model: GalleryModel) -> None:
        super().__init__()
        self._model = model
        self._selected_maps = _SelectedMaps(set(), None)
        """The maps that were selected when the model was last reset, which ends the selection."""
        self.setModel(model)
        self._delegate = _ThumbnailDelegate(model, self)
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
        connect(model.modelAboutToBeReset, self._note_selection)
        connect(model.modelReset, self._select_again)

    def set_picture_size(self, size: QSize) -> None:
        """Set the size of the pictures, in logical pixels."""
        self._delegate.picture_size = size
        self._spread_columns()

    def _spread_columns(self) -> None:
        """Widen the columns so that no gap is left at their right."""
        picture_size = self._delegate.picture_size
        # The width beside the bar for scrolling, also while that is hidden: the columns stay. A row
        # that fills all of it would lose its last thumbnail to the next row, so it is 1 pixel less.
        bar_width = self.verticalScrollBar().sizeHint().width()
        width = self.width() - 2 * self.frameWidth() - bar_width - 1
        min_column_width = picture_size.width() + 2 * GAP
        column_count = max(1, width // min_column_width)
        column_width = max(width // column_count, min_column_width)
        height = picture_size.height() + 2 * GAP + self.fontMetrics().height()
        grid_size = QSize(column_width, height)
        if grid_size != self.gridSize():
            self._delegate.column_width = column_width
            self.setGridSize(grid_size)
            self.doItemsLayout()

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Spread the columns over the new width."""
        super().resizeEvent(event)
        self._spread_columns()

    @property
    def is_dimmed(self) -> bool:
        """True while the maps are dimmed because they are out of date."""
        return self._delegate.is_dimmed

    def set_dimmed(self, is_dimmed: bool) -> None:
        """Dim the maps, which are out of date, or show them in full colours again."""
        if is_dimmed != self._delegate.is_dimmed:
            self._delegate.is_dimmed = is_dimmed
            self.viewport().update()

    # --- the selection ----------------------------------------------------------------------

    def chosen(self) -> list[Candidate]:
        """Return the selected maps, in the order shown."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [self._model.candidates[row] for row in rows]

    def current(self) -> Candidate | None:
        """Return the selected map that has the frame of the keyboard.

        If that frame is around a map that is not selected, return the first selected map; None if
        nothing is selected.
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

    def _note_selection(self) -> None:
        """Note the selection before the rows change, which clears it."""
        current = self.current()
        current_key = None
        if current is not None:
            current_key = current.key
        selected_keys = {candidate.key for candidate in self.chosen()}
        self._selected_maps = _SelectedMaps(selected_keys, current_key)

    def _select_again(self) -> None:
        """Select the same maps as before the rows changed."""
        selection = self.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        for row, candidate in enumerate(self._model.candidates):
            index: QModelIndex = self._model.index(row)
            if candidate.key == self._selected_maps.current_key:
                selection.setCurrentIndex(index, flags.NoUpdate)  # moves the frame only
            if candidate.key in self._selected_maps.keys:
                selection.select(index, flags.Select)

    # --- keys -------------------------------------------------------------------------------

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Claim the gallery's keys while it has the keyboard focus.

        Qt sends a ShortcutOverride first: if it is accepted, no menu takes the key as its shortcut.
        """
        if event.type() == QEvent.Type.ShortcutOverride and _gallery_key(event) is not None:
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell of Enter, P and Ctrl+C; the base class moves the frame with the arrow keys."""
        key = _gallery_key(event)
        if key is None:
            super().keyPressEvent(event)
        else:
            self.key_pressed.emit(key)


def _gallery_key(event: QEvent) -> GalleryKey | None:
    """Return the key of the gallery that an event is about, None for every other event."""
    if not isinstance(event, QKeyEvent):
        return None
    if event.matches(QKeySequence.StandardKey.Copy):
        return GalleryKey.COPY
    # Enter on the number pad comes with a modifier of its own, which does not count.
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return GalleryKey.TAKE
    if event.key() == Qt.Key.Key_P:
        return GalleryKey.PIN
    return None
