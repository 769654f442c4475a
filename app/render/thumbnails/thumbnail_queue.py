"""Draws small pictures a few at a time, so that the window stays responsive, and keeps them.

``ThumbnailQueue`` has requests, a timer that draws them in turns of the event loop, and a store of
the pictures that it drew. What a request is and how it is drawn is said by its subclasses:
``MapThumbnails`` for maps, ``RollThumbnails`` for rolls of the gallery, and that of the layers
panel.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPixmap

from app.qt_guard import connect
from app.render.pixmap_cache import PixmapCache

IDLE_MS = 2000
"""The time from the last thumbnail until what thumbnails were drawn with is freed.

If it is much shorter, sprites are drawn again for each change of a script that is being typed.
"""


class ThumbnailQueue(QObject):
    """Draws the subjects that are requested, each under a key, in the order of the requests.

    Requests with the same key look the same: the second one gets the picture of the first, as long
    as that is kept. A subclass draws them (``_draw_next``).

    Example: ``connect(queue.drawn, show); queue.request(digest, battlemap)``.
    """

    drawn = Signal(object, QPixmap)
    """The thumbnail of a key: emitted once for each key that was requested, unless it is
    forgotten."""

    def __init__(
        self,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
        idle_ms: int = IDLE_MS,
    ) -> None:
        """Keep up to ``kept_bytes`` of thumbnails, and draw for ``turn_ms`` in a turn."""
        super().__init__(parent)
        self.size = size
        """The size of a thumbnail in logical pixels."""
        self.ratio = 1.0
        """The number of device pixels in a logical one."""
        self._turn_ms = turn_ms
        self._cached = PixmapCache(kept_bytes)
        self._waiting: dict[Hashable, Any] = {}
        """The subjects that are still to be drawn, by key, in the order of the requests."""
        self._timer = QTimer(self)
        """Runs while there are requests; each time-out is a turn of drawing."""
        connect(self._timer.timeout, self.draw_some)
        self._idle_timer = QTimer(self, singleShot=True, interval=idle_ms)
        connect(self._idle_timer.timeout, self._free_sprites)

    def cached(self, key: Hashable) -> QPixmap | None:
        """Return the thumbnail of a key, None while it is not drawn."""
        return self._cached.get(key)

    def request(self, key: Hashable, subject: object, delay_ms: int = 0) -> None:
        """Draw ``subject``; ``drawn`` is emitted later, or at once if the thumbnail is kept.

        The first turn of drawing is after ``delay_ms``, if none is under way.
        """
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
        self._stop_drawing()

    def clear(self) -> None:
        """Forget all thumbnails: they would be drawn differently now."""
        self._cached.clear()

    @property
    def waiting(self) -> bool:
        """True if thumbnails are still to be drawn."""
        return bool(self._waiting)

    def draw_some(self) -> None:
        """Draw for one turn of the event loop."""
        # Before drawing: if that raises, the next turn goes on with the request after it.
        self._timer.start(0)
        clock = QElapsedTimer()
        clock.start()
        while self._waiting and clock.elapsed() < self._turn_ms:
            for key, pixmap in self._draw_next():
                self._waiting.pop(key, None)
                self.drawn.emit(key, self._cached.put(key, pixmap))
        if not self._waiting:
            self._stop_drawing()

    def _stop_drawing(self) -> None:
        """Draw nothing until the next request; after a while free what it was drawn with."""
        self._timer.stop()
        self._idle_timer.start()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Take one short step of drawing what waits; return the thumbnails that it completed.

        It is called while something waits, again and again in each turn. The requests of completed
        thumbnails are taken out by the caller. One that cannot be drawn must be taken out of
        ``_waiting`` before this raises, or it would be tried again in each turn.
        """
        raise NotImplementedError

    def _free_sprites(self) -> None:
        """Free what thumbnails are drawn with, such as sprites: none was drawn for a while."""
