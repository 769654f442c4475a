"""A small picture of a map in a form: ``ThumbnailLabel``."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel

from app.document.document import MapDocument
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.render.thumbnails.map_thumbnails import MapThumbnails
from randomizer.model.map.battlemap import BattleMap


class ThumbnailLabel(QLabel):
    """Shows the thumbnail of a map, or a text where there is no map.

    ``thumbnails`` draws the map, later; it is shrunk to ``size`` (logical pixels) if the thumbnails
    are larger. Drawn at a small size a map has neither pictures of terrains nor hexsides.
    """

    def __init__(self, thumbnails: MapThumbnails, size: QSize, name: str) -> None:
        super().__init__(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._thumbnails = thumbnails
        self._key = ""
        """The key of the thumbnail that is shown or awaited, "" for a text."""
        self.setFixedSize(size)
        self.setAccessibleName(name)
        connect(thumbnails.drawn, self._show_if_requested)

    def show_map(self, key: str, battlemap: BattleMap | None, text: str) -> None:
        """Show a map as soon as it is drawn, or ``text`` if it is None.

        ``key`` identifies the map as it is now: thumbnails that have drawn it already do not draw
        it again.
        """
        if battlemap is None:
            self._key = ""
            self.clear()  # Qt leaves a picture where the new text is as empty as that beside it
            self.setText(text)
        else:
            self._key = key
            self._thumbnails.request(key, battlemap)

    def show_tab(self, document: MapDocument, open_map: OpenMap) -> None:
        """Show an open map as it is now."""
        key = f"tab {id(open_map)} {document.revision}"
        self.show_map(key, open_map.battlemap, "")

    def _show_if_requested(self, key: str, pixmap: QPixmap) -> None:
        """Show a thumbnail that has just been drawn, if it is that of this label's map."""
        if key != self._key:
            return  # requested by another label of these thumbnails
        ratio = pixmap.devicePixelRatio()
        size_in_pixels = self.size() * ratio
        if pixmap.size() != size_in_pixels:
            smooth = Qt.TransformationMode.SmoothTransformation
            pixmap = pixmap.scaled(size_in_pixels, Qt.AspectRatioMode.KeepAspectRatio, smooth)
            pixmap.setDevicePixelRatio(ratio)
        self.setPixmap(pixmap)
