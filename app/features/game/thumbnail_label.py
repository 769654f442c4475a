"""A map as a small picture in a form."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from randomizer.model.map.battlemap import BattleMap


class ThumbnailLabel(QLabel):
    """The thumbnail of a map, shrunk to ``size`` (logical pixels), or words where there is none."""

    def __init__(self, thumbnails: MapThumbnails, size: QSize, name: str) -> None:
        super().__init__(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._thumbnails = thumbnails
        self._key = ""
        self.setFixedSize(size)
        self.setAccessibleName(name)
        connect(thumbnails.drawn, self._take)

    def show_map(self, key: str, battlemap: BattleMap | None, none: str) -> None:
        """Show a map, drawn again unless ``key`` is known to the thumbnails; else say ``none``."""
        self._key = "" if battlemap is None else key
        if battlemap is None:
            self.setText(none)
        else:
            self._thumbnails.request(key, battlemap)

    def show_tab(self, document: MapDocument, open_map: OpenMap) -> None:
        """Show an open map as it is now."""
        key = f"tab {id(open_map)} {document.revision}"
        self.show_map(key, open_map.battlemap, "")

    def _take(self, key: str, pixmap: QPixmap) -> None:
        if key == self._key:
            ratio = pixmap.devicePixelRatio()
            size = self.size() * ratio
            smooth = Qt.TransformationMode.SmoothTransformation
            if pixmap.size() != size:  # drawn small it would have neither pictures nor sides
                pixmap = pixmap.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
                pixmap.setDevicePixelRatio(ratio)
            self.setPixmap(pixmap)
