"""Items of a list with a picture above each name."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QStyledItemDelegate

from app.qt_guard import guarded


class PictureItems(QStyledItemDelegate):
    """Marks a chosen item as a whole, picture and name; the picture keeps its colours.

    Without it the style marks the name alone, and tints the picture.
    """

    @guarded
    def initStyleOption(self, option: Any, index: Any) -> None:
        super().initStyleOption(option, index)
        option.showDecorationSelected = True
        ratio = option.widget.devicePixelRatioF()
        picture = option.icon.pixmap(option.decorationSize, ratio)
        option.icon = QIcon(picture)
        option.icon.addPixmap(picture, QIcon.Mode.Selected)
