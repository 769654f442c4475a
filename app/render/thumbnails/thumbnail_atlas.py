"""Many small maps drawn as one: boards side by side on one wide grid, then cut apart.

A frame of the renderer costs about the same for thirty cells and for three hundred.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter

from app.render.viewport import Viewport, fitting
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtCore import QSize

    from app.render.renderer import Renderer
    from randomizer.model.battlemap import Composite, Plane, System

AT_ONCE = 8
"""So many boards make a mosaic."""

MOST_CELLS = 1000
"""Grids with more cells are drawn by themselves."""

GAP = 0.4
"""Rims and hexsides reach so far out of a board, in map units."""


@dataclass(frozen=True, eq=False)
class ThumbnailAtlas:
    """``count`` boards of one grid side by side, each a picture of ``size`` logical pixels.

    ``pitch`` is the way from one to the next in device pixels, ``step`` in columns.
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
        """Everything, in logical pixels."""
        width = (self.count - 1) * self.pitch / self.ratio + self.size.width()
        return QRectF(0, 0, width, self.size.height())

    def shown(self, maps: Sequence[Mapping[str, Plane]], like: Composite) -> Composite:
        """The planes of at most ``count`` maps, side by side; the last is repeated."""
        system, grid = self.battlemap.system, self.battlemap.grid
        width = maps[0]["terrain"].shape[1]
        planes = {}
        for spec in system.shown_planes:
            if spec.name in maps[0] and spec.place != "corner":
                plane = planes[spec.name] = np.full(spec.shape(grid), spec.default, spec.dtype)
                for place in range(self.count):
                    start = place * self.step
                    values = maps[min(place, len(maps) - 1)][spec.name]
                    plane[:, start : start + width] = values
        return replace(like, planes=planes, startlist=None)

    def cut(self, image: QImage, count: int) -> list[QImage]:
        """The first ``count`` pictures."""
        width, height = image.width() - (self.count - 1) * self.pitch, image.height()
        return [image.copy(QRect(n * self.pitch, 0, width, height)) for n in range(count)]


@lru_cache(4)
def thumbnail_atlas(
    system: System, grid: Grid, size: QSize, margin: float, ratio: float
) -> ThumbnailAtlas:
    """As many boards as are worth drawing at once."""
    viewport = fitting(grid, QSizeF(size), margin)
    if grid.size > MOST_CELLS or grid.wrap:
        return ThumbnailAtlas(BattleMap.new(system, grid), viewport, size, ratio, 1, 0, 0)
    unit = grid.layout.basis[0][0]
    step = math.ceil((size.width() / viewport.scale + GAP) / unit)
    step += step % 2  # odd columns are shifted
    pitch = math.floor(
        step * unit * viewport.scale * ratio
    )  # whole pixels: every board falls alike
    scale = pitch / (step * unit * ratio)
    left, top, right, bottom = grid.bounds
    viewport = Viewport(
        scale,
        size.width() / 2 - (left + right) / 2 * scale,
        size.height() / 2 - (top + bottom) / 2 * scale,
    )
    mask = np.zeros((grid.height, (AT_ONCE - 1) * step + grid.width), np.bool_)
    for place in range(AT_ONCE):
        board = True if grid.mask is None else grid.mask
        mask[:, place * step : place * step + grid.width] = board
    wide = Grid(grid.layout, mask.shape[1], grid.height, mask)
    return ThumbnailAtlas(BattleMap.new(system, wide), viewport, size, ratio, AT_ONCE, pitch, step)


def draw(renderer: Renderer, atlas: ThumbnailAtlas, composite: Composite) -> QImage:
    """The whole mosaic."""
    area, ratio = atlas.area, atlas.ratio
    image = QImage(
        round(area.width() * ratio), round(area.height() * ratio), QImage.Format.Format_RGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    renderer.paint(painter, atlas.battlemap, composite, atlas.viewport, area, ratio)
    painter.end()
    return image
