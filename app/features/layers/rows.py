"""Draws the rows of the layers panel, such as ``[x] (thumbnail) Hills 12● 50% (padlock)``.

``LayersPanel`` stores what a row shows as data of its item, under the roles below; ``LayerRows`` is
the delegate of its list, which draws them.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.appearance.icons import icon_pixmap
from app.appearance.painting import saved_state
from app.features.layers.thumbnails import SIZE
from app.qt_guard import guarded

LAYER_ID = Qt.ItemDataRole.UserRole
"""The role of the id of the layer."""

LOCKED = Qt.ItemDataRole.UserRole + 1
"""The role of a bool: True if the layer is locked."""

OPACITY = Qt.ItemDataRole.UserRole + 2
"""The role of the opacity of the layer, from 0 to 1."""

THINGS = Qt.ItemDataRole.UserRole + 3
"""The role of the number of the layer's things."""

SECRET = Qt.ItemDataRole.UserRole + 4
"""The role of a bool: True if the layer is left out of what players get."""

LOCK_SIZE = 16
"""The width and height of the padlock in logical pixels."""

LOCK_MARGIN = 5
"""The space between the padlock and the right end of its row, in logical pixels."""

GAP_BEFORE_LOCK = 7
"""The space between the state text and the padlock, in logical pixels."""

TICK_AND_GAPS = 48
"""The width of the tick box and of all gaps in a row, in logical pixels."""

THUMBNAIL_MARGINS = 4
"""The space above and below a thumbnail together, in logical pixels."""

UNLOCKED_OPACITY = 0.3
"""The opacity of an open padlock: it can be clicked, but locked layers stand out."""

MIN_NAME_WIDTH = 24
"""The least width of a name in logical pixels, however narrow the list is."""

Index = QModelIndex | QPersistentModelIndex
"""The types in which Qt hands a row to a delegate."""


class LayerRows(QStyledItemDelegate):
    """The delegate that draws the rows, and notices clicks on their padlocks."""

    lock_clicked = Signal(int)
    """The padlock of the layer with this id was clicked."""

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a size that is high enough for the thumbnail."""
        width = super().sizeHint(option, index).width()
        return QSize(width, SIZE.height() + THUMBNAIL_MARGINS)

    @guarded
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Cut a name that is too long in its middle.

        Its end is kept: rolls of one script are told apart by the number of the map there.
        """
        super().initStyleOption(option, index)
        state_width = option.fontMetrics.horizontalAdvance(_state_text(index))
        fixed_width = TICK_AND_GAPS + SIZE.width() + state_width + LOCK_SIZE
        name_width = option.rect.width() - fixed_width
        option.text = option.fontMetrics.elidedText(
            option.text, Qt.TextElideMode.ElideMiddle, max(MIN_NAME_WIDTH, name_width)
        )

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the row as Qt does, then the state text and the padlock at its right end."""
        super().paint(painter, option, index)
        is_selected = option.state & QStyle.StateFlag.State_Selected
        if is_selected:
            role = QPalette.ColorRole.HighlightedText
        else:
            role = QPalette.ColorRole.Text
        colour = option.palette.color(role)
        if index.data(LOCKED):
            lock_icon = "lock"
            lock_opacity = 1.0
        else:
            lock_icon = "unlock"
            lock_opacity = UNLOCKED_OPACITY
        ratio = painter.device().devicePixelRatioF()
        with saved_state(painter):
            painter.setPen(colour)
            state_box = option.rect.adjusted(0, 0, -GAP_BEFORE_LOCK - LOCK_SIZE - LOCK_MARGIN, 0)
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(state_box, alignment, _state_text(index))
            painter.setOpacity(lock_opacity)
            pixmap = icon_pixmap(lock_icon, LOCK_SIZE, ratio, colour)
            painter.drawPixmap(lock_box(option.rect), pixmap)

    @guarded(default=False)
    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Report a click on the padlock; handle other events as Qt does."""
        if (
            isinstance(event, QMouseEvent)
            and event.button() == Qt.MouseButton.LeftButton
            and lock_box(option.rect).contains(event.position().toPoint())
        ):
            # The press and a double click end here, too: they would choose or rename the layer.
            # Where the button was pressed does not matter: the lock can be toggled back.
            if event.type() == QEvent.Type.MouseButtonRelease:
                self.lock_clicked.emit(index.data(LAYER_ID))
            return True
        return super().editorEvent(event, model, option, index)


def lock_box(row: QRect) -> QRect:
    """Return the rectangle of the padlock in a row."""
    left = row.right() - LOCK_SIZE - LOCK_MARGIN
    top = row.center().y() - LOCK_SIZE // 2
    return QRect(left, top, LOCK_SIZE, LOCK_SIZE)


def _state_text(index: Index) -> str:
    """Return the text between the name and the padlock, such as “12●  50%  secret”.

    It has the number of things if the layer has any, the opacity if that is less than 1, and
    whether the layer is secret.
    """
    texts = []
    thing_count = index.data(THINGS)
    if thing_count:
        texts.append(f"{thing_count:,}\N{BLACK CIRCLE}")
    opacity = index.data(OPACITY)
    if opacity is not None and opacity < 1:
        texts.append(f"{opacity:.0%}")
    if index.data(SECRET):
        texts.append("secret")
    return "  ".join(texts)
