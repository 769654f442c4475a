"""Thumbnails of maps, drawn a few at a time so that the window stays responsive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPixmap

from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.pixmap_cache import PixmapCache
from app.render.renderer import Renderer

if TYPE_CHECKING:
    from app.render.picture_source import Pictures
    from app.render.theme import Theme
    from randomizer.model.battlemap import BattleMap

TURN_MS = 8
"""How long to draw before the event loop gets its turn."""

KEPT_BYTES = 3_000_000
"""The largest size of the thumbnails that are kept; a variant has about 30 maps, of 90 kB."""

MARGIN = 0.25
"""Room around a map, in map units."""


class MapThumbnails(QObject):
    """Draws maps in ``size`` (logical pixels), and keeps the thumbnails by a key.

    Maps with the same key look the same. ``drawn(str, QPixmap)``: the thumbnail of a key.
    """

    drawn = Signal(str, QPixmap)

    def __init__(
        self, size: QSize, theme: Theme, pictures: Pictures, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.size = size
        self._renderer = Renderer(theme, pictures)
        self._renderer.overlays = Overlays(
            labels=False, names=False, locks=False, entry_sides=False
        )
        self._ratio = 1.0
        self._cached = PixmapCache(KEPT_BYTES)
        self._waiting: dict[str, BattleMap] = {}
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._draw_some)

    def set_theme(self, theme: Theme, pictures: Pictures, ratio: float) -> None:
        """Draw with these colours and pictures, at this device pixel ratio."""
        if (self._renderer.theme, self._renderer.pictures, self._ratio) != (theme, pictures, ratio):
            self._renderer.set_theme(theme, pictures)
            self._ratio = ratio
            self._cached.clear()

    def blank(self) -> QPixmap:
        """An empty thumbnail, shown until the right one is drawn."""
        pixmap = QPixmap(self.size * self._ratio)
        pixmap.setDevicePixelRatio(self._ratio)
        pixmap.fill(self._renderer.theme.background)
        return pixmap

    def request(self, key: str, battlemap: BattleMap) -> None:
        """Draw a map; ``drawn`` is emitted later, or at once if the thumbnail is kept."""
        pixmap = self._cached.get(key)
        if pixmap is not None:
            self.drawn.emit(key, pixmap)
            return
        self._waiting[key] = battlemap
        self._timer.start(0)

    def forget_requests(self) -> None:
        """Drop all requests that are not drawn yet."""
        self._waiting.clear()

    def _draw_some(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        while self._waiting and clock.elapsed() < TURN_MS:
            key = next(iter(self._waiting))
            battlemap = self._waiting.pop(key)
            self._keep(key, self._draw(battlemap))
        if not self._waiting:
            self._timer.stop()
            self._renderer.set_theme(self._renderer.theme, self._renderer.pictures)

    def _draw(self, battlemap: BattleMap) -> QPixmap:
        width, height = self.size.width(), self.size.height()
        image = self._renderer.picture(
            battlemap, battlemap.composite(), width, height, MARGIN, self._ratio
        )
        return QPixmap.fromImage(image)

    def _keep(self, key: str, pixmap: QPixmap) -> None:
        self.drawn.emit(key, self._cached.put(key, pixmap))
