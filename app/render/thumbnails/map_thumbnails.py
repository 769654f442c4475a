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

OVERLAYS_LEFT_OUT = ("locks",)
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
        canvas_renderer: Renderer,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
        idle_ms: int = IDLE_MS,
    ) -> None:
        """Draw in the look of ``canvas_renderer``, the renderer of the canvas."""
        super().__init__(size, kept_bytes, turn_ms, parent, idle_ms)
        self.renderer = Renderer(canvas_renderer.theme, canvas_renderer.pictures)
        self._canvas_renderer = canvas_renderer
        self._revision = canvas_renderer.choices.revision
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
        """Take over theme and pictures of the canvas.

        Thumbnails that were drawn in the former look, or with other overlays, are forgotten.
        """
        canvas_renderer = self._canvas_renderer
        renderer = self.renderer
        if (canvas_renderer.theme, canvas_renderer.pictures) != (renderer.theme, renderer.pictures):
            renderer.set_theme(canvas_renderer.theme, canvas_renderer.pictures)
            self.clear()
        if canvas_renderer.choices.revision != self._revision:
            self._revision = canvas_renderer.choices.revision
            self.clear()

    def _use_overlays_of(self, system: System, terrain_set: TerrainSet) -> None:
        """Draw the next map with the overlays that the canvas has for maps of this kind."""
        overlays = bare_of_texts(self._canvas_renderer.choices.of(system, terrain_set))
        for name in OVERLAYS_LEFT_OUT:
            overlays = overlays.having(name, False)
        self.renderer.overlays = overlays

    def _free_sprites(self) -> None:
        """Forget the sprites; the next thumbnails may be of another map."""
        if not self._waiting:
            # A theme that is set, even the same one, begins without sprites.
            self.renderer.set_theme(self.renderer.theme, self.renderer.pictures)


class MapThumbnails(RenderedThumbnails):
    """Draws the map, a ``BattleMap``, that is the subject of each request."""

    def __init__(
        self, size: QSize, canvas_renderer: Renderer, parent: QObject | None = None
    ) -> None:
        super().__init__(canvas_renderer, size, KEPT_BYTES, TURN_MS, parent)

    def blank(self) -> QPixmap:
        """Return an empty thumbnail, shown until the right one is drawn."""
        pixmap = QPixmap(self.size * self.ratio)
        pixmap.setDevicePixelRatio(self.ratio)
        pixmap.fill(self._canvas_renderer.theme.background)
        return pixmap

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        # Taken out first: if it cannot be drawn it must not be tried again.
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
