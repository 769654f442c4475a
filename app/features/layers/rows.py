"""Draws the rows of the layers panel: tick, thumbnail, name, things, opacity, a padlock."""

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
"""The role of the layer's id."""

LOCKED = Qt.ItemDataRole.UserRole + 1
"""The role of a bool."""

OPACITY = Qt.ItemDataRole.UserRole + 2
"""The role of a number from 0 to 1."""

THINGS = Qt.ItemDataRole.UserRole + 3
"""The role of the number of the layer's things."""

SECRET = Qt.ItemDataRole.UserRole + 4
"""The role of a bool."""

LOCK = 16
"""The size of the padlock in logical pixels."""

GAPS = 48
"""The room of the tick, and of the gaps between the parts of a row, in logical pixels."""

LEAST_NAME_WIDTH = 24
"""The least width of a name in logical pixels, however narrow the list is."""

Index = QModelIndex | QPersistentModelIndex


class LayerRows(QStyledItemDelegate):
    """The delegate that draws the rows, and notices clicks on their padlocks."""

    lock_clicked = Signal(int)
    """The padlock of the layer with this id was clicked."""

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a size that is high enough for the thumbnail."""
        return QSize(super().sizeHint(option, index).width(), SIZE.height() + 4)

    @guarded
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Elide a name that is too long in the middle: its end is the number of a map."""
        super().initStyleOption(option, index)
        text_width = option.fontMetrics.horizontalAdvance(_state_text(index))
        name_width = option.rect.width() - SIZE.width() - LOCK - GAPS - text_width
        option.text = option.fontMetrics.elidedText(
            option.text, Qt.TextElideMode.ElideMiddle, max(LEAST_NAME_WIDTH, name_width)
        )

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the usual row, then things, opacity and padlock at its right end."""
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
            lock_opacity = 0.3
        ratio = painter.device().devicePixelRatioF()
        with saved_state(painter):
            painter.setPen(colour)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(option.rect.adjusted(0, 0, -LOCK - 12, 0), right, _state_text(index))
            painter.setOpacity(lock_opacity)
            pixmap = icon_pixmap(lock_icon, LOCK, ratio, colour)
            painter.drawPixmap(lock_box(option.rect), pixmap)

    @guarded(default=False)
    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Report a click on the padlock; handle other events as usual."""
        if (
            isinstance(event, QMouseEvent)
            and event.button() == Qt.MouseButton.LeftButton
            and lock_box(option.rect).contains(event.position().toPoint())
        ):
            if event.type() == QEvent.Type.MouseButtonRelease:
                self.lock_clicked.emit(index.data(LAYER_ID))
            return True
        return super().editorEvent(event, model, option, index)


def lock_box(row: QRect) -> QRect:
    """Return the rectangle of the padlock in a row."""
    return QRect(row.right() - LOCK - 5, row.center().y() - LOCK // 2, LOCK, LOCK)


def _state_text(index: Index) -> str:
    """Return the text between the name and the padlock, such as “12●  50%  secret”.

    It has the number of things, if there are any, and the opacity, if it is less than 1.
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
