"""Draws parts of *tiles*, the pictures of a map as it is seen from afar (``far_tiles``).

A tile is drawn larger than it is shown, with the sprites of cells, and made smaller afterwards.
Ways and marks of cells are drawn so large that they can be seen then.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting
from app.render.level_of_detail import SIDES_FROM
from app.render.raster.far_marks import WAYS_UP_TO, paint_marks, paint_ways
from app.render.raster.far_tiles import Drawing
from app.render.raster.frame import ScenePainter
from app.render.raster.ground_view import Detail, GroundView
from app.render.raster.sprite_painter import SpritePainter
from app.render.raster.tile_levels import LEVELS, Level
from app.render.viewport import Viewport
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

STEP_MS = 2
"""For so many milliseconds the sprites of a block are drawn in one step.

If it is longer a turn of the event loop, which ends between two steps, may take too long.
"""


class TileDrawer:
    """Draws parts of tiles in the look of a painter of cells."""

    def __init__(self, cells: SpritePainter) -> None:
        self._cells = cells

    def draw(self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect) -> Drawing:
        """Draw what a box of pixels shows of a map in a tile of this ``level``, in steps."""
        view = GroundView(
            battlemap,
            composite,
            Viewport(level.drawn_unit, 0, 0),
            ratio=1.0,
            detail=Detail.INSIDE_TILE,
            cell_size=SIDES_FROM,
        )
        overlays = self._cells.overlays
        if level is not LEVELS[0]:
            overlays = replace(overlays, grid_lines=False)  # so small, they would be a haze
        frame = self._cells.frame(QPainter(), view, QRectF(box))
        scene_painter = ScenePainter(
            frame, overlays, self._cells.label_painter, coarseness=level.shrink_factor
        )

        # First what is drawn, then the sprites for it.
        batches = []
        for batch in self._cells.batches(frame, scene_painter.part):
            batches.append(batch)
            yield
        while not scene_painter.prepare(batches, STEP_MS):
            yield

        # At last the pixels, in one step: that takes a few milliseconds.
        image = QImage(box.size(), QImage.Format.Format_RGB32)
        image.fill(self._cells.theme.background)
        with painting(image) as painter:
            frame = replace(frame, painter=painter)
            painter.translate(-box.topLeft())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._cells.paint_picture_below(painter, view)
            scene_painter.paint(batches, painter)
            self._cells.paint_picture_above(painter, view)
            paint_marks(frame, self._cells.overlays, level.unit)
            if level.unit <= WAYS_UP_TO:
                paint_ways(frame, level.shrink_factor)
        return image
