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
LOCKED = Qt.ItemDataRole.UserRole + 1
OPACITY = Qt.ItemDataRole.UserRole + 2
THINGS = Qt.ItemDataRole.UserRole + 3
SECRET = Qt.ItemDataRole.UserRole + 4

LOCK = 16
"""The size of the padlock in logical pixels."""

Index = QModelIndex | QPersistentModelIndex


class LayerRows(QStyledItemDelegate):
    """``lock_clicked(int)``: the id of the layer whose padlock was clicked."""

    lock_clicked = Signal(int)

    @guarded(default=QSize())
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """High enough for the thumbnail."""
        return QSize(super().sizeHint(option, index).width(), SIZE.height() + 4)

    @guarded
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Elide the middle of a name that has no room: its end is the number of a map."""
        super().initStyleOption(option, index)
        used_width = SIZE.width() + LOCK + 48 + option.fontMetrics.horizontalAdvance(_words(index))
        option.text = option.fontMetrics.elidedText(
            option.text, Qt.TextElideMode.ElideMiddle, max(24, option.rect.width() - used_width)
        )

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the usual row, then things, opacity and padlock at its right end."""
        super().paint(painter, option, index)
        box = lock_box(option.rect)
        locked = index.data(LOCKED)
        chosen = option.state & QStyle.StateFlag.State_Selected
        if chosen:
            role = QPalette.ColorRole.HighlightedText
        else:
            role = QPalette.ColorRole.Text
        colour = option.palette.color(role)
        ratio = painter.device().devicePixelRatioF()
        with saved_state(painter):
            painter.setPen(colour)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(option.rect.adjusted(0, 0, -LOCK - 12, 0), right, _words(index))
            painter.setOpacity(1.0 if locked else 0.3)
            name = "lock" if locked else "unlock"
            painter.drawPixmap(box, icon_pixmap(name, LOCK, ratio, colour))

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


def _words(index: Index) -> str:
    """Return the number of things of a layer, its opacity if it is not whole, and whether it is
    secret.
    """
    opacity = index.data(OPACITY)
    things = index.data(THINGS)
    parts = [f"{things:,}\N{BLACK CIRCLE}"] if things else []
    if opacity is not None and opacity < 1:
        parts.append(f"{opacity:.0%}")
    if index.data(SECRET):
        parts.append("secret")
    return "  ".join(parts)
