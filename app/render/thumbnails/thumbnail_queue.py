"""Small pictures that are drawn a few at a time, so that the window stays responsive, and kept."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QRect, QRectF, QSize, QSizeF, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap, QPolygonF

from app.appearance.painting import painting
from app.qt_guard import connect
from app.render.overlay_options import bare_of_texts
from app.render.pixmap_cache import PixmapCache
from app.render.renderer import Renderer
from app.render.scene.things.looks import colour_of
from app.render.scene.things.owner_dots import Dots, paint_dots
from app.render.style import style_of
from app.render.viewport import Viewport, centred, fitting
from randomizer.model.basics.caches import MB, register_bytes, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Things

MARGIN = 0.25
"""Room around a map, in map units."""

TURN_MS = 8
"""How long to draw before the event loop gets its turn."""

START_PX = 9.0
"""The width of the dot where a player starts, in logical pixels. Larger ones hide small islands."""

IDLE_MS = 2000
"""So long after the last thumbnail what they were drawn with is let go."""


class ThumbnailQueue(QObject):
    """Draws what is requested under keys, in the order of the requests; keeps ``kept_bytes``.

    Requests with the same key look the same. A subclass says in ``_draw_next`` how they are drawn,
    for ``turn_ms`` at a time; ``idle_ms`` after the last one what they were drawn with is let go.
    ``drawn(key, QPixmap)``: the thumbnail of a key.

    Example: ``connect(queue.drawn, show); queue.request(digest, battlemap)``.
    """

    drawn = Signal(object, QPixmap)

    def __init__(
        self,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
        idle_ms: int = IDLE_MS,
    ) -> None:
        super().__init__(parent)
        self.size = size
        self.ratio = 1.0
        """Logical pixels of a thumbnail, and the number of device pixels in one."""
        self._turn_ms = turn_ms
        self._cached = PixmapCache(kept_bytes)
        self._waiting: dict[Hashable, Any] = {}
        self._timer = QTimer(self)
        connect(self._timer.timeout, self.draw_some)
        self._idle_timer = QTimer(self, singleShot=True, interval=idle_ms)
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
        """True if thumbnails are still to be drawn."""
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
    """Draws with a renderer of its own, in the theme and the pictures of the renderer ``model``.

    Maps have the overlays that ``model`` has for their kind, without texts and those named in
    ``left_out``, for which a thumbnail is too small.
    """

    left_out: tuple[str, ...] = ()

    def __init__(
        self,
        model: Renderer,
        size: QSize,
        kept_bytes: int,
        turn_ms: int,
        parent: QObject | None = None,
        idle_ms: int = IDLE_MS,
    ) -> None:
        super().__init__(size, kept_bytes, turn_ms, parent, idle_ms)
        self._model = model
        self._revision = model.choices.revision
        self.renderer = Renderer(model.theme, model.pictures)

    def _use_overlays_of(self, system: System, terrain_set: TerrainSet) -> None:
        """Draw a map of this kind next."""
        overlays = bare_of_texts(self._model.choices.of(system, terrain_set))
        for name in self.left_out:
            overlays = overlays.having(name, False)
        self.renderer.overlays = overlays

    def set_size(self, size: QSize, ratio: float) -> None:
        """Draw in this size, in logical pixels, at this device pixel ratio."""
        if (size, ratio) != (self.size, self.ratio):
            self.size = size
            self.ratio = ratio
            self.clear()

    def cached(self, key: Hashable) -> QPixmap | None:
        """Return the thumbnail of a key as maps look now, None while it is not drawn."""
        model = self._model
        renderer = self.renderer
        if (model.theme, model.pictures) != (renderer.theme, renderer.pictures):
            renderer.set_theme(model.theme, model.pictures)
            self.clear()
        if model.choices.revision != self._revision:
            self._revision = model.choices.revision
            self.clear()
        return super().cached(key)

    def _let_go(self) -> None:
        """Forget the sprites; the next thumbnails may be of another map."""
        if not self._waiting:
            self.renderer.set_theme(self.renderer.theme, self.renderer.pictures)


KEPT_BYTES = 3_000_000
"""The largest size of the thumbnails that are kept; a variant has about 30 maps, of 90 kB."""
register_bytes(f"{__name__}.KEPT_BYTES", KEPT_BYTES)


class MapThumbnails(RenderedThumbnails):
    """Draws a ``BattleMap`` for each request, in ``size`` logical pixels."""

    left_out = ("locks",)

    def __init__(self, size: QSize, model: Renderer, parent: QObject | None = None) -> None:
        super().__init__(model, size, KEPT_BYTES, TURN_MS, parent)

    def blank(self) -> QPixmap:
        """Return an empty thumbnail, shown until the right one is drawn."""
        pixmap = QPixmap(self.size * self.ratio)
        pixmap.setDevicePixelRatio(self.ratio)
        pixmap.fill(self._model.theme.background)
        return pixmap

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        key, battlemap = next(iter(self._waiting.items()))
        del self._waiting[key]  # also if it cannot be drawn
        self._use_overlays_of(battlemap.system, battlemap.terrain_set)
        size = (self.size.width(), self.size.height())
        image = self.renderer.picture(battlemap, battlemap.composite(), *size, MARGIN, self.ratio)
        return ((key, QPixmap.fromImage(image)),)


AT_ONCE = 8
"""The number of maps in an atlas."""

MOST_CELLS = 1000
"""Maps with more cells are drawn one by one."""

GAP = 0.4
"""Between two maps, in map units: map edges and hexsides reach out of a map."""


@dataclass(frozen=True, eq=False)
class ThumbnailAtlas:
    """Room for ``count`` maps of one grid side by side, each of ``size`` logical pixels.

    They are drawn at once on one wide grid and then cut apart: a frame of the renderer takes about
    as long for thirty cells as for three hundred.

    ``battlemap`` has the wide grid. The distance from one map to the next is ``pitch`` device
    pixels and ``step`` columns.
    """

    battlemap: BattleMap
    viewport: Viewport
    size: QSize
    ratio: float
    count: int
    pitch: int
    step: int

    @property
    def area(self) -> QRectF:
        """The whole atlas, in logical pixels."""
        width = (self.count - 1) * self.pitch / self.ratio + self.size.width()
        return QRectF(0, 0, width, self.size.height())

    def compose(self, maps: Sequence[Mapping[str, Plane]], model: Composite) -> Composite:
        """Return planes of at most ``count`` maps on the wide grid; the last map fills up the
        atlas.

        The composite has no properties: a list of cells would name those of one map only.
        """
        system = self.battlemap.system
        grid = self.battlemap.grid
        planes = {}
        for spec in system.shown_planes:
            if spec.name in maps[0]:
                width = maps[0][spec.name].shape[1]
                plane = planes[spec.name] = np.full(spec.shape(grid), spec.default, spec.dtype)
                for number in range(self.count):
                    start = number * self.step
                    values = maps[min(number, len(maps) - 1)][spec.name]
                    plane[:, start : start + width] = values
        return replace(model, planes=planes, properties={})

    def cut(self, image: QImage, count: int) -> list[QImage]:
        """Return the first ``count`` thumbnails of the drawn atlas."""
        width = image.width() - (self.count - 1) * self.pitch
        height = image.height()
        return [image.copy(QRect(n * self.pitch, 0, width, height)) for n in range(count)]


def thumbnail_atlas(
    system: System, terrain_set: TerrainSet, grid: Grid, size: QSize, margin: float, ratio: float
) -> ThumbnailAtlas:
    """Return the atlas for thumbnails of maps on ``grid``, with ``margin`` map units around each.

    ``size`` is that of a thumbnail in logical pixels, ``ratio`` the device pixel ratio.
    """
    viewport = fitting(grid, QSizeF(size), margin)
    if grid.size > MOST_CELLS or grid.wrap:
        alone = BattleMap.new(system, grid, terrain_set=terrain_set)
        return ThumbnailAtlas(alone, viewport, size, ratio, 1, 0, 0)
    return _wide_atlas(system, terrain_set, grid, size, viewport.scale, ratio)


@registered(bytes_each=MB)
@lru_cache(1)
def _wide_atlas(
    system: System, terrain_set: TerrainSet, grid: Grid, size: QSize, scale: float, ratio: float
) -> ThumbnailAtlas:
    """Return the atlas of maps at about this scale; that of one grid, with the tables made for
    it.
    """
    unit = grid.layout.basis[0][0]
    step = math.ceil((size.width() / scale + GAP) / unit)
    step += step % 2  # odd columns are shifted
    # Whole pixels, so that all maps are drawn alike.
    pitch = math.floor(step * unit * scale * ratio)
    scale = pitch / (step * unit * ratio)
    viewport = centred(grid, scale, QSizeF(size))
    mask = np.zeros((grid.height, (AT_ONCE - 1) * step + grid.width), np.bool_)
    for number in range(AT_ONCE):
        columns = slice(number * step, number * step + grid.width)
        mask[:, columns] = True
        if grid.mask is not None:
            mask[:, columns] = grid.mask
    wide = Grid(grid.layout, mask.shape[1], grid.height, mask)
    wide_map = BattleMap.new(system, wide, terrain_set=terrain_set)
    return ThumbnailAtlas(wide_map, viewport, size, ratio, AT_ONCE, pitch, step)


ROLLS_BYTES = 24_000_000
"""The largest size of the thumbnails that are kept: more than a screen of 3840 x 2160 shows."""
register_bytes(f"{__name__}.ROLLS_BYTES", ROLLS_BYTES)


class RollThumbnails(RenderedThumbnails):
    """Draws a row of a batch, (batch, row), for each request.

    Of things there are only the landmarks, on maps that are drawn one by one.
    """

    left_out = ("locks",)

    def __init__(
        self,
        model: Renderer,
        size: QSize,
        parent: QObject | None = None,
        *,
        turn_ms: int = TURN_MS,
        idle_ms: int = IDLE_MS,
    ) -> None:
        # The last step of a turn takes as long as the others.
        super().__init__(model, size, ROLLS_BYTES, turn_ms // 2, parent, idle_ms)
        self._next: tuple[list[Hashable], ThumbnailAtlas, Composite] | None = None
        self._sprites_are_ready = False

    @property
    def has_begun(self) -> bool:
        """True if sprites are drawn for thumbnails that are not drawn yet."""
        return self._next is not None

    def clear(self) -> None:
        """Forget all thumbnails, and the atlas that was begun."""
        super().clear()
        self._next = None

    def _rest(self) -> None:
        super()._rest()
        self._next = None

    def _let_go(self) -> None:
        """Forget the sprites and the wide grid."""
        super()._let_go()
        if not self._waiting:
            _wide_atlas.cache_clear()

    def _draw_next(self) -> Iterable[tuple[Hashable, QPixmap]]:
        """Choose the maps of the next atlas, draw sprites that it lacks, or draw it."""
        if self._next is None:
            self._next = self._choose()
            self._sprites_are_ready = not style_of(self._next[1].battlemap.system).features
            return ()
        keys, atlas, composite = self._next
        if not self._sprites_are_ready:
            self._sprites_are_ready = self.renderer.prepare(
                atlas.battlemap, composite, atlas.viewport, atlas.area, atlas.ratio, self._turn_ms
            )
            return ()
        self._next = None
        view = (atlas.battlemap, composite, atlas.viewport, atlas.area, atlas.ratio)
        image = self.renderer.image(*view)
        self._paint_starts(image, atlas)
        images = atlas.cut(image, len(keys))
        return zip(keys, map(QPixmap.fromImage, images), strict=True)

    def _paint_starts(self, image: QImage, atlas: ThumbnailAtlas) -> None:
        """Draw dots where players start: their icons are too small to compare maps by."""
        battlemap = atlas.battlemap
        if not battlemap.system.has_starts:
            return
        kinds = kinds_by_name(battlemap)
        dots: list[Dots] = []
        for thing in battlemap.visible_things():
            if thing.owner > 0:
                position = atlas.viewport.to_screen(thing.x, thing.y)
                colour = colour_of(kinds.get(thing.kind), thing.owner)
                dots.append(Dots(colour, QPolygonF([position])))
        with painting(image) as painter:
            paint_dots(painter, dots, self.renderer.theme.label_halo, START_PX)

    def _choose(self) -> tuple[list[Hashable], ThumbnailAtlas, Composite]:
        """Return the keys of the next atlas, the atlas, and what it shows."""
        first = next(iter(self._waiting.values()))[0]
        base = first.base
        self._use_overlays_of(base.system, base.terrain_set)
        atlas = thumbnail_atlas(
            base.system, base.terrain_set, base.grid, self.size, MARGIN, self.ratio
        )
        if first.records:  # one of them may say how high the water is
            battlemap = replace(atlas.battlemap, records=dict(first.records))
            atlas = replace(atlas, battlemap=battlemap)
        if first.landmarks and atlas.count == 1:
            layer = Layer(1, "Landmarks", things=Things(first.landmarks))
            atlas = replace(atlas, battlemap=replace(atlas.battlemap, layers=[layer]))
        matching_keys = [
            key
            for key, (batch, _) in self._waiting.items()
            if batch.base.grid is base.grid
            and batch.base.terrain_set == base.terrain_set
            and batch.records == first.records
        ]
        keys = matching_keys[: atlas.count]
        maps = [batch.planes(row) for batch, row in map(self._waiting.__getitem__, keys)]
        return keys, atlas, atlas.compose(maps, base.composite)
