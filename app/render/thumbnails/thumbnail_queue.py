"""Small pictures that are drawn a few at a time, so that the window stays responsive, and kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPixmap

from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.pixmap_cache import PixmapCache
from app.render.renderer import Renderer

MARGIN = 0.25
"""Room around a map, in map units."""

TURN_MS = 8
"""How long to draw before the event loop gets its turn."""

IDLE_MS = 2000
"""So long after the last thumbnail what they were drawn with is let go."""


class ThumbnailQueue(QObject):
    """Draws what is requested under keys, in the order of the requests; keeps ``kept_bytes``.

    Requests with the same key look the same. A subclass says in ``_draw_next`` how they are drawn,
    for ``turn_ms`` at a time. ``drawn(key, QPixmap)``: the thumbnail of a key.

    Example: ``connect(queue.drawn, show); queue.request(digest, battlemap)``.
    """

    drawn = Signal(object, QPixmap)

    def __init__(
        self, size: QSize, kept_bytes: int, turn_ms: int, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.size, self.ratio = size, 1.0
        """Logical pixels of a thumbnail, and the number of device pixels in one."""
        self._turn_ms = turn_ms
        self._cached = PixmapCache(kept_bytes)
        self._waiting: dict[Hashable, Any] = {}
        self._timer = QTimer(self)
        connect(self._timer.timeout, self.draw_some)
        self._idle_timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        connect(self._idle_timer.timeout, self._let_go)

    def cached(self, key: Hashable) -> QPixmap | None:
        """Return the thumbnail of a key, None while it is not drawn."""
        return self._cached.get(key)

    def request(self, key: Hashable, subject: object, delay_ms: int = 0) -> None:
        """Draw ``subject``; ``drawn`` is emitted later, or at once if the thumbnail is kept."""
        pixmap = self.cached(key)
        if pixmap is not None:
            self.drawn.emit(key, pixmap)
            return
        self._waiting[key] = subject
        if not self._timer.isActive():
            self._timer.start(delay_ms)

    def forget_requests(self) -> None:
        """Drop all requests that are not drawn yet, with what they hold."""
        self._waiting.clear()
        self._rest()

    def _rest(self) -> None:
        """Draw nothing until the next request."""
        self._timer.stop()
        self._idle_timer.start()

    def clear(self) -> None:
        """Forget all thumbnails: they would be drawn differently now."""
        self._cached.clear()

    @property
    def waiting(self) -> bool:
        """Whether thumbnails are still to be drawn."""
        return bool(self._waiting)

    def draw_some(self) -> None:
        """Draw for one turn of the event loop."""
        self._timer.start(0)  # goes on after a request that cannot be drawn
        clock = QElapsedTimer()
        clock.start()
        while self._waiting and clock.elapsed() < self._turn_ms:
            for key, pixmap in self._draw_next():
                self._waiting.pop(key, None)
                self.drawn.emit(key, self._cached.put(key, pixmap))
        if not self._waiting:
            self._rest()

    def _let_go(self) -> None:
        """Forget what thumbnails are drawn with; called when none was drawn for a while."""

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Take a step of drawing what waits; return thumbnails that are complete now."""
        raise NotImplementedError


class RenderedThumbnails(ThumbnailQueue):
    """Draws with a renderer of its own, in the theme and the pictures of the renderer ``like``."""

    def __init__(
        self,
        like: Renderer,
        overlays: Overlays,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(size, kept_bytes, turn_ms, parent)
        self._like = like
        self._renderer = Renderer(like.theme, like.pictures)
        self._renderer.overlays = overlays

    def set_size(self, size: QSize, ratio: float) -> None:
        """Draw in this size, in logical pixels, at this device pixel ratio."""
        if (size, ratio) != (self.size, self.ratio):
            self.size, self.ratio = size, ratio
            self.clear()

    def cached(self, key: Hashable) -> QPixmap | None:
        """Return the thumbnail of a key in the present theme, None while it is not drawn."""
        like, own = self._like, self._renderer
        if (like.theme, like.pictures) != (own.theme, own.pictures):
            own.set_theme(like.theme, like.pictures)
            self.clear()
        return super().cached(key)

    def _let_go(self) -> None:
        """Forget the sprites; the next thumbnails may be of another map."""
        if not self._waiting:
            self._renderer.set_theme(self._renderer.theme, self._renderer.pictures)


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
