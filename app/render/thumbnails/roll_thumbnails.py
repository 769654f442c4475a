"""Thumbnails of the maps of batches, drawn a few at a time so that the window stays responsive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QPixmap

from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.pixmap_cache import PixmapCache
from app.render.renderer import Renderer
from app.render.thumbnails.map_thumbnails import MARGIN, TURN_MS
from app.render.thumbnails.thumbnail_atlas import draw, forget_atlas, thumbnail_atlas

if TYPE_CHECKING:
    from app.render.thumbnails.thumbnail_atlas import ThumbnailAtlas
    from randomizer.batches.batch import Batch
    from randomizer.model.composite import Composite

IDLE_MS = 2000
"""So long after the last thumbnail the sprites and the grid for them are let go."""

KEPT_BYTES = 24_000_000
"""The largest size of the thumbnails that are kept: more than a screen of 3840 x 2160 shows."""


class RollThumbnails(QObject):
    """Draws rows of batches in the theme of the renderer ``like``; keeps thumbnails by a key.

    Rows with the same key look the same. ``size`` is in logical pixels. ``drawn()``: some of the
    requested thumbnails are drawn.
    """

    drawn = Signal()

    def __init__(self, like: Renderer, size: QSize, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._like = like
        self._renderer = Renderer(like.theme, like.pictures)
        self._renderer.overlays = Overlays(
            labels=False, cell_list=False, locks=False, things=False, entry_sides=False
        )
        self.size, self._ratio = size, 1.0
        self._cached = PixmapCache(KEPT_BYTES)
        self._waiting: dict[str, tuple[Batch, int]] = {}
        self._next: tuple[list[str], ThumbnailAtlas, Composite] | None = None
        self._ready = False
        self._timer = QTimer(self)
        connect(self._timer.timeout, self.draw_some)
        self._idle_timer = QTimer(self, singleShot=True, interval=IDLE_MS)
        connect(self._idle_timer.timeout, self._forget_sprites)

    def set_size(self, size: QSize, ratio: float) -> None:
        """Draw in this size, in logical pixels, at this device pixel ratio."""
        if (size, ratio) != (self.size, self._ratio):
            self.size, self._ratio, self._next = size, ratio, None
            self._cached.clear()

    def _follow_theme(self) -> None:
        """Forget the thumbnails if the theme or the pictures of ``like`` changed."""
        like, own = self._like, self._renderer
        if (like.theme, like.pictures) != (own.theme, own.pictures):
            own.set_theme(like.theme, like.pictures)
            self._next = None
            self._cached.clear()

    def _forget_sprites(self) -> None:
        """Let go of what the thumbnails were drawn with; the next ones may be of another map."""
        if not self._waiting:
            self._renderer.set_theme(self._renderer.theme, self._renderer.pictures)
            forget_atlas()

    def cached(self, key: str) -> QPixmap | None:
        """The thumbnail of a key, if it is drawn."""
        self._follow_theme()
        return self._cached.get(key)

    def request(self, key: str, batch: Batch, row: int) -> None:
        """Draw one map of a batch soon."""
        self._waiting[key] = (batch, row)
        if not self._timer.isActive():
            self._timer.start(0)

    def forget_requests(self) -> None:
        """Drop all requests that are not drawn yet, with the batches they hold."""
        self._waiting.clear()
        self._rest()

    def _rest(self) -> None:
        """Draw nothing until the next request."""
        self._next = None
        self._timer.stop()
        self._idle_timer.start()

    @property
    def waiting(self) -> bool:
        """Whether thumbnails are still to be drawn."""
        return bool(self._waiting)

    def draw_some(self) -> None:
        """Draw for one turn of the event loop."""
        clock = QElapsedTimer()
        clock.start()
        while self._waiting and clock.elapsed() < TURN_MS // 2:  # the last step takes as long
            self._draw_next(TURN_MS // 2)
        if not self._waiting:
            self._rest()
        self.drawn.emit()

    def _draw_next(self, room_ms: int) -> None:
        """One step towards the next atlas: choose its maps, draw missing sprites, or draw it.

        Drawing sprites takes ``room_ms``.
        """
        if self._next is None:
            self._next = self._choose()
            self._ready = not self._next[1].battlemap.terrain_set.contours
            return
        keys, atlas, shown = self._next
        if not self._ready:
            self._ready = self._renderer.prepare(
                atlas.battlemap, shown, atlas.viewport, atlas.area, atlas.ratio, room_ms
            )
            return
        self._next = None
        image = draw(self._renderer, atlas, shown)
        for key, picture in zip(keys, atlas.cut(image, len(keys)), strict=True):
            del self._waiting[key]
            self._cached.put(key, QPixmap.fromImage(picture))

    def _choose(self) -> tuple[list[str], ThumbnailAtlas, Composite]:
        """The keys of the next atlas, the atlas, and what it shows."""
        first = next(iter(self._waiting.values()))[0]
        base = first.base
        atlas = thumbnail_atlas(
            base.system, base.terrain_set, base.grid, self.size, MARGIN, self._ratio
        ).with_records(first.records)
        alike = [
            key
            for key, (batch, _) in self._waiting.items()
            if batch.base.grid is base.grid
            and batch.base.terrain_set == base.terrain_set
            and batch.records == first.records
        ]
        keys = alike[: atlas.count]
        maps = [batch.planes(row) for batch, row in map(self._waiting.__getitem__, keys)]
        return keys, atlas, atlas.shown(maps, base.composite)
