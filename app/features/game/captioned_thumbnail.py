"""A small picture of a map with a caption below it: ``CaptionedThumbnail``."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.game.thumbnail_label import ThumbnailLabel
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.layout.builders import STRETCH, lay_out, plain_label


class CaptionedThumbnail(QWidget):
    """Shows one map of an export. Its caption is hidden while there is no map to speak of."""

    def __init__(self, thumbnails: MapThumbnails, name: str, caption: str) -> None:
        """``name`` is what a screen reader calls the picture."""
        super().__init__()
        self.picture = ThumbnailLabel(thumbnails, thumbnails.size, name)
        self.caption = plain_label(caption, wordWrap=True)
        self.caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        lay_out(QVBoxLayout(self), self.picture, self.caption, STRETCH, margins=0)

    def show_nothing(self) -> None:
        """Show neither a picture nor the caption."""
        self.picture.show_map("", None, "")
        self.caption.hide()
