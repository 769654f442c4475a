"""Pixmaps that can be drawn again, kept up to a size in bytes: those used last stay."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtGui import QPixmap


class PixmapCache:
    """Pixmaps by their keys; together they take at most ``max_bytes``, or are one."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.bytes = 0
        self._pixmaps: dict[Hashable, QPixmap] = {}  # the one used last is last

    def get(self, key: Hashable) -> QPixmap | None:
        """Return the pixmap of a key, None if there is none."""
        pixmap = self._pixmaps.pop(key, None)
        if pixmap is not None:
            self._pixmaps[key] = pixmap
        return pixmap

    def put(self, key: Hashable, pixmap: QPixmap) -> QPixmap:
        """Keep a pixmap under a key that has none, and return it."""
        self._pixmaps[key] = pixmap
        self.bytes += _size(pixmap)
        while self.bytes > self._max_bytes and len(self._pixmaps) > 1:
            self.bytes -= _size(self._pixmaps.pop(next(iter(self._pixmaps))))
        return pixmap

    def get_or_draw(self, key: Hashable, draw: Callable[[], QPixmap]) -> QPixmap:
        """Return the pixmap of a key, drawn now if there is none."""
        pixmap = self.get(key)
        if pixmap is None:
            return self.put(key, draw())
        return pixmap

    def clear(self) -> None:
        """Forget all pixmaps."""
        self._pixmaps.clear()
        self.bytes = 0


def _size(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * pixmap.depth() // 8
