"""Thumbnails of the maps of batches: several small maps side by side on one wide grid.

They are drawn at once and then cut apart: a frame of the renderer takes about as long for thirty
cells as for three hundred.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPixmap

from app.appearance.painting import painting
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.style import style_of
from app.render.thumbnails.thumbnail_queue import MARGIN, TURN_MS, RenderedThumbnails
from app.render.viewport import Viewport, centred, fitting
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.grid.grid import Grid
from randomizer.model.planes import Plane
from randomizer.model.system import System
from randomizer.model.terrain import TerrainSet

AT_ONCE = 8
"""The number of maps in an atlas."""

MOST_CELLS = 1000
"""Maps with more cells are drawn one by one."""

GAP = 0.4
"""Between two maps, in map units: map edges and hexsides reach out of a map."""


@dataclass(frozen=True, eq=False)
class ThumbnailAtlas:
    """Room for ``count`` maps of one grid side by side, each of ``size`` logical pixels.

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

    def compose(self, maps: Sequence[Mapping[str, Plane]], like: Composite) -> Composite:
        """Return planes of at most ``count`` maps on the wide grid; the last map fills up the
        atlas.

        The composite has no properties: a list of cells would name those of one map only.
        """
        system, grid = self.battlemap.system, self.battlemap.grid
        planes = {}
        for spec in system.shown_planes:
            if spec.name in maps[0]:
                width = maps[0][spec.name].shape[1]
                plane = planes[spec.name] = np.full(spec.shape(grid), spec.default, spec.dtype)
                for place in range(self.count):
                    start = place * self.step
                    values = maps[min(place, len(maps) - 1)][spec.name]
                    plane[:, start : start + width] = values
        return replace(like, planes=planes, properties={})

    def cut(self, image: QImage, count: int) -> list[QImage]:
        """Return the first ``count`` thumbnails of the drawn atlas."""
        width, height = image.width() - (self.count - 1) * self.pitch, image.height()
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


@lru_cache(1)
def _wide_atlas(
    system: System, terrain_set: TerrainSet, grid: Grid, size: QSize, scale: float, ratio: float
) -> ThumbnailAtlas:
    """The atlas of maps at about this scale; that of one grid, with the tables made for it."""
    unit = grid.layout.basis[0][0]
    step = math.ceil((size.width() / scale + GAP) / unit)
    step += step % 2  # odd columns are shifted
    # Whole pixels, so that all maps are drawn alike.
    pitch = math.floor(step * unit * scale * ratio)
    scale = pitch / (step * unit * ratio)
    viewport = centred(grid, scale, QSizeF(size))
    mask = np.zeros((grid.height, (AT_ONCE - 1) * step + grid.width), np.bool_)
    for place in range(AT_ONCE):
        cells = True if grid.mask is None else grid.mask
        mask[:, place * step : place * step + grid.width] = cells
    wide = Grid(grid.layout, mask.shape[1], grid.height, mask)
    together = BattleMap.new(system, wide, terrain_set=terrain_set)
    return ThumbnailAtlas(together, viewport, size, ratio, AT_ONCE, pitch, step)


def draw(renderer: Renderer, atlas: ThumbnailAtlas, composite: Composite) -> QImage:
    """Return the image of the whole atlas that shows ``composite``."""
    area, ratio = atlas.area, atlas.ratio
    image = QImage(
        round(area.width() * ratio), round(area.height() * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.black)
    with painting(image) as painter:
        renderer.paint(painter, atlas.battlemap, composite, atlas.viewport, area, ratio)
    return image


KEPT_BYTES = 24_000_000
"""The largest size of the thumbnails that are kept: more than a screen of 3840 x 2160 shows."""


class RollThumbnails(RenderedThumbnails):
    """Draws a row of a batch, (batch, row), for each request."""

    def __init__(self, like: Renderer, size: QSize, parent: QObject | None = None) -> None:
        overlays = Overlays(
            labels=False, cell_list=False, locks=False, things=False, entry_sides=False
        )
        # The last step of a turn takes as long as the others.
        super().__init__(like, overlays, size, KEPT_BYTES, TURN_MS // 2, parent)
        self._next: tuple[list[Hashable], ThumbnailAtlas, Composite] | None = None
        self._ready = False

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
            self._ready = not style_of(self._next[1].battlemap.system).features
            return ()
        keys, atlas, shown = self._next
        if not self._ready:
            self._ready = self._renderer.prepare(
                atlas.battlemap, shown, atlas.viewport, atlas.area, atlas.ratio, self._turn_ms
            )
            return ()
        self._next = None
        pictures = map(QPixmap.fromImage, atlas.cut(draw(self._renderer, atlas, shown), len(keys)))
        return zip(keys, pictures, strict=True)

    def _choose(self) -> tuple[list[Hashable], ThumbnailAtlas, Composite]:
        """Return the keys of the next atlas, the atlas, and what it shows."""
        first = next(iter(self._waiting.values()))[0]
        base = first.base
        atlas = thumbnail_atlas(
            base.system, base.terrain_set, base.grid, self.size, MARGIN, self.ratio
        )
        if first.records:  # one of them may say how high the water is
            battlemap = replace(atlas.battlemap, records=dict(first.records))
            atlas = replace(atlas, battlemap=battlemap)
        alike = [
            key
            for key, (batch, _) in self._waiting.items()
            if batch.base.grid is base.grid
            and batch.base.terrain_set == base.terrain_set
            and batch.records == first.records
        ]
        keys = alike[: atlas.count]
        maps = [batch.planes(row) for batch, row in map(self._waiting.__getitem__, keys)]
        return keys, atlas, atlas.compose(maps, base.composite)
