"""Several small maps side by side on one wide grid, drawn at once and then cut apart.

A frame of the renderer takes about as long for thirty cells as for three hundred.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.viewport import Viewport, centred, fitting
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import QSize

    from app.render.renderer import Renderer
    from randomizer.model.composite import Composite
    from randomizer.model.map_records import MapRecord
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

    def with_records(self, records: Mapping[str, MapRecord]) -> ThumbnailAtlas:
        """The same atlas for maps with these records; one of them may say how high the water is."""
        if not records:
            return self
        return replace(self, battlemap=replace(self.battlemap, records=dict(records)))

    @property
    def area(self) -> QRectF:
        """The whole atlas, in logical pixels."""
        width = (self.count - 1) * self.pitch / self.ratio + self.size.width()
        return QRectF(0, 0, width, self.size.height())

    def shown(self, maps: Sequence[Mapping[str, Plane]], like: Composite) -> Composite:
        """The planes of at most ``count`` maps on the wide grid; the last map fills up the atlas.

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
        """The first ``count`` thumbnails of the drawn atlas."""
        width, height = image.width() - (self.count - 1) * self.pitch, image.height()
        return [image.copy(QRect(n * self.pitch, 0, width, height)) for n in range(count)]


def thumbnail_atlas(
    system: System,
    terrain_set: TerrainSet,
    grid: Grid,
    size: QSize,
    margin: float,
    ratio: float,
) -> ThumbnailAtlas:
    """The atlas for thumbnails of maps on ``grid``, with ``margin`` map units around each.

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


def forget_atlas() -> None:
    """Let go of the atlas that was used last."""
    _wide_atlas.cache_clear()


def draw(renderer: Renderer, atlas: ThumbnailAtlas, composite: Composite) -> QImage:
    """The image of the whole atlas that shows ``composite``."""
    area, ratio = atlas.area, atlas.ratio
    image = QImage(
        round(area.width() * ratio), round(area.height() * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.black)
    with painting(image) as painter:
        renderer.paint(painter, atlas.battlemap, composite, atlas.viewport, area, ratio)
    return image
