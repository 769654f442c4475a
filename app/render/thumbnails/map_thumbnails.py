"""Draws thumbnails of maps with a renderer of their own, in the look of the canvas."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QPixmap

from app.render.overlay_options import bare_of_texts
from app.render.renderer import Renderer
from app.render.thumbnails.thumbnail_queue import IDLE_MS, ThumbnailQueue
from randomizer.model.basics.caches import register_bytes
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

MARGIN = 0.25
"""The room around a map, in map units."""

TURN_MS = 8
"""How long thumbnails are drawn before the event loop gets its turn.

It is half a frame of 60 Hz: with more, the window stutters while one scrolls.
"""

LEFT_OUT = ("locks",)
"""The overlays that thumbnails do not show besides texts: they are too small for them."""

KEPT_BYTES = 3_000_000
"""The most bytes of map thumbnails that are kept; a variant has about 30 maps, of 90 kB."""
register_bytes(f"{__name__}.KEPT_BYTES", KEPT_BYTES)


class RenderedThumbnails(ThumbnailQueue):
    """A queue whose thumbnails look as the canvas does: its theme, pictures and overlays.

    It has a renderer of its own, since the sprites of thumbnails are much smaller.
    """

    def __init__(
        self,
        model: Renderer,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
        idle_ms: int = IDLE_MS,
    ) -> None:
        """Draw in the look of ``model``, the renderer of the canvas."""
        super().__init__(size, kept_bytes, turn_ms, parent, idle_ms)
        self.renderer = Renderer(model.theme, model.pictures)
        self._model = model
        self._revision = model.choices.revision
        """The revision of the overlays that the kept thumbnails were drawn with."""

    def set_size(self, size: QSize, ratio: float) -> None:
        """Draw in this size, in logical pixels, at this device pixel ratio."""
        if (size, ratio) != (self.size, self.ratio):
            self.size = size
            self.ratio = ratio
            self.clear()

    def cached(self, key: Hashable) -> QPixmap | None:
        """Return the thumbnail of a key as maps look now, None while it is not drawn."""
        self._follow_canvas()
        return super().cached(key)

    def _follow_canvas(self) -> None:
        """Take over theme, pictures and overlays of the canvas, and forget thumbnails without."""
        model = self._model
        renderer = self.renderer
        if (model.theme, model.pictures) != (renderer.theme, renderer.pictures):
            renderer.set_theme(model.theme, model.pictures)
            self.clear()
        if model.choices.revision != self._revision:
            self._revision = model.choices.revision
            self.clear()

    def _use_overlays_of(self, system: System, terrain_set: TerrainSet) -> None:
        """Draw the next map with the overlays that the canvas has for maps of this kind."""
        overlays = bare_of_texts(self._model.choices.of(system, terrain_set))
        for name in LEFT_OUT:
            overlays = overlays.having(name, False)
        self.renderer.overlays = overlays

    def _free_tools(self) -> None:
        """Forget the sprites; the next thumbnails may be of another map."""
        if not self._waiting:
            self.renderer.set_theme(self.renderer.theme, self.renderer.pictures)


class MapThumbnails(RenderedThumbnails):
    """Draws the map, a ``BattleMap``, that is the subject of each request."""

    def __init__(self, size: QSize, model: Renderer, parent: QObject | None = None) -> None:
        super().__init__(model, size, KEPT_BYTES, TURN_MS, parent)

    def blank(self) -> QPixmap:
        """Return an empty thumbnail, shown until the right one is drawn."""
        pixmap = QPixmap(self.size * self.ratio)
        pixmap.setDevicePixelRatio(self.ratio)
        pixmap.fill(self._model.theme.background)
        return pixmap

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        key = next(iter(self._waiting))
        battlemap = self._waiting.pop(key)
        self._use_overlays_of(battlemap.system, battlemap.terrain_set)
        image = self.renderer.picture(
            battlemap,
            battlemap.composite(),
            self.size.width(),
            self.size.height(),
            MARGIN,
            self.ratio,
        )
        return ((key, QPixmap.fromImage(image)),)
