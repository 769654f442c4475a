"""Room for several maps of one grid side by side, which are drawn in one frame and cut apart.

A frame of the renderer takes about as long for thirty cells as for three hundred, so eight small
maps are laid on one wide grid::

    |<- pitch_columns  ->|<- pitch_columns  ->|
    [ map 0 ]   gap      [ map 1 ]   gap      [ map 2 ] ...
    |<--- pitch_px  ---->|<--- pitch_px  ---->|

Both distances are whole numbers, so that each map is drawn exactly as map 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage

from app.render.viewport import Viewport, centred, fitting
from randomizer.model.basics.caches import MB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

MAPS_IN_ATLAS = 8
"""The number of maps in an atlas. More make its frame longer than a turn of the event loop."""

MAX_CELLS = 1000
"""Maps with more cells are drawn one by one: their frames take time for each cell."""

GAP = 0.4
"""The least distance of two maps, in map units: edges and hexsides reach out of a map."""


@dataclass(frozen=True, eq=False)
class ThumbnailAtlas:
    """Room for ``count`` maps of one grid side by side."""

    battlemap: BattleMap
    """A map of the wide grid, or of the grid itself if ``count`` is 1."""
    viewport: Viewport
    """Shows the first map in the middle of the first thumbnail."""
    size: QSize
    """The size of one thumbnail in logical pixels."""
    ratio: float
    """The number of device pixels in a logical one."""
    count: int
    pitch_px: int
    """The device pixels from one map to the next; 0 if there is one map."""
    pitch_columns: int
    """The columns from one map to the next; 0 if there is one map."""

    @property
    def area(self) -> QRectF:
        """The whole atlas, in logical pixels."""
        width = (self.count - 1) * self.pitch_px / self.ratio + self.size.width()
        return QRectF(0, 0, width, self.size.height())

    def compose(self, maps: Sequence[Mapping[str, Plane]], template: Composite) -> Composite:
        """Lay the planes of one to ``count`` maps on the wide grid.

        Where maps are missing the last one is repeated. The rest of the composite is that of
        ``template``, except for its properties: lists of cells would name cells of one map only.
        """
        missing_maps = self.count - len(maps)
        all_maps = [*maps, *([maps[-1]] * missing_maps)]
        grid = self.battlemap.grid
        wide_planes = {}
        for spec in self.battlemap.system.shown_planes:
            if spec.name not in maps[0]:
                continue
            wide_plane = np.full(spec.shape(grid), spec.default, spec.dtype)
            for index, planes in enumerate(all_maps):
                values = planes[spec.name]
                start = index * self.pitch_columns
                wide_plane[:, start : start + values.shape[1]] = values
            wide_planes[spec.name] = wide_plane
        return replace(template, planes=wide_planes, properties={})

    def thumbnails(self, image: QImage, map_count: int) -> list[QImage]:
        """Return the first ``map_count`` thumbnails of ``image``, the drawn atlas."""
        width = image.width() - (self.count - 1) * self.pitch_px
        boxes = [
            QRect(number * self.pitch_px, 0, width, image.height()) for number in range(map_count)
        ]
        return [image.copy(box) for box in boxes]


def thumbnail_atlas(
    system: System, terrain_set: TerrainSet, grid: Grid, size: QSize, margin: float, ratio: float
) -> ThumbnailAtlas:
    """Return the atlas for thumbnails of maps on ``grid``, with ``margin`` map units around each.

    ``size`` is that of a thumbnail in logical pixels, ``ratio`` the device pixel ratio. Large maps
    and those that wrap around, which cannot lie on a wide grid, have an atlas for one map.
    """
    viewport = fitting(grid, QSizeF(size), margin)
    if grid.size <= MAX_CELLS and not grid.wrap:
        return _wide_atlas(system, terrain_set, grid, size, viewport.scale, ratio)
    return ThumbnailAtlas(
        BattleMap.new(system, grid, terrain_set=terrain_set),
        viewport,
        size,
        ratio,
        count=1,
        pitch_px=0,
        pitch_columns=0,
    )


@registered(bytes_each=MB)
@lru_cache(1)  # all maps of a gallery have one grid
def _wide_atlas(
    system: System, terrain_set: TerrainSet, grid: Grid, size: QSize, scale: float, ratio: float
) -> ThumbnailAtlas:
    """Return the atlas of ``MAPS_IN_ATLAS`` maps, at about ``scale`` logical pixels a map unit."""
    column_width = grid.layout.column_distance
    pitch_columns = math.ceil((size.width() / scale + GAP) / column_width)
    pitch_columns += (
        pitch_columns % 2
    )  # odd columns of a hex grid are shifted: each map begins with an even one

    # The scale is a little smaller than asked for, so that the pitch is whole pixels.
    pitch_px = math.floor(pitch_columns * column_width * scale * ratio)
    exact_scale = pitch_px / (pitch_columns * column_width * ratio)

    return ThumbnailAtlas(
        BattleMap.new(system, _wide_grid(grid, pitch_columns), terrain_set=terrain_set),
        centred(grid, exact_scale, QSizeF(size)),
        size,
        ratio,
        MAPS_IN_ATLAS,
        pitch_px,
        pitch_columns,
    )


def _wide_grid(grid: Grid, pitch_columns: int) -> Grid:
    """Return the grid that has ``MAPS_IN_ATLAS`` times the cells of ``grid``, ``pitch_columns``
    apart."""
    width = (MAPS_IN_ATLAS - 1) * pitch_columns + grid.width
    mask = np.zeros((grid.height, width), np.bool_)
    for number in range(MAPS_IN_ATLAS):
        columns = slice(number * pitch_columns, number * pitch_columns + grid.width)
        if grid.mask is None:
            mask[:, columns] = True
        else:
            mask[:, columns] = grid.mask
    return Grid(grid.layout, width, grid.height, mask)


def forget_atlas() -> None:
    """Free the wide grid of the last atlas, with the tables that the renderer made for it."""
    _wide_atlas.cache_clear()
