"""Thumbnails of maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPixmap

from app.render.overlay_options import Overlays
from app.render.thumbnails.thumbnail_queue import MARGIN, TURN_MS, RenderedThumbnails

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from PySide6.QtCore import QObject, QSize

    from app.render.renderer import Renderer

KEPT_BYTES = 3_000_000
"""The largest size of the thumbnails that are kept; a variant has about 30 maps, of 90 kB."""


class MapThumbnails(RenderedThumbnails):
    """Draws a ``BattleMap`` for each request, in ``size`` logical pixels."""

    def __init__(self, size: QSize, like: Renderer, parent: QObject | None = None) -> None:
        overlays = Overlays(labels=False, names=False, locks=False, entry_sides=False)
        super().__init__(like, overlays, size, KEPT_BYTES, TURN_MS, parent)

    def blank(self) -> QPixmap:
        """Return an empty thumbnail, shown until the right one is drawn."""
        pixmap = QPixmap(self.size * self.ratio)
        pixmap.setDevicePixelRatio(self.ratio)
        pixmap.fill(self._like.theme.background)
        return pixmap

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        key, battlemap = next(iter(self._waiting.items()))
        del self._waiting[key]  # also if it cannot be drawn
        size = (self.size.width(), self.size.height())
        image = self._renderer.picture(battlemap, battlemap.composite(), *size, MARGIN, self.ratio)
        return ((key, QPixmap.fromImage(image)),)
