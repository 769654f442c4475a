"""One frame of the raster renderer: which cells are drawn, where, and the sprites on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap

from app.render.overlay_options import Overlays
from app.render.raster.atlas import QUARTERS_FROM
from app.render.raster.fragments import draw_fragments
from app.render.raster.label_painter import LabelPainter
from app.render.raster.overview import device_box
from app.render.raster.sprites import Sprites
from app.render.raster.surface_painter import surface_steps
from app.render.scene.batch import AnyBatch, Batch, LandBatch, SurfaceBatch
from app.render.scene.part import ScenePart
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.viewport import Viewport
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class Frame:
    """The ``cells`` (n,) that may show in ``dirty`` (logical pixels).

    ``at`` (n, 2) are their centres in device pixels, the painter's unit. ``ratio`` is the number
    of device pixels in a logical one.
    """

    painter: QPainter
    battlemap: BattleMap
    composite: Composite
    viewport: Viewport
    ratio: float
    dirty: QRectF
    sprites: Sprites
    cells: NDArray[np.intp]
    at: NDArray[np.float64]

    @property
    def unit(self) -> float:
        """Device pixels in a map unit."""
        return self.viewport.scale * self.ratio

    def some(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> Frame:
        """Return the same frame with some of its cells: places in ``cells``, or a mask of them."""
        return replace(self, cells=self.cells[places], at=self.at[places])

    def corners(self, box: QRectF) -> NDArray[np.float64]:
        """Return the left top corners (n, 2), in whole device pixels, of sprites that fill ``box``.

        ``box`` lies around the cell's centre, in map units.
        """
        offset = np.array((box.left(), box.top())) * self.unit + 0.5
        return np.asarray(np.floor(self.at + offset))

    def draw_in_box(
        self, pixmap: QPixmap, box: QRectF, opacity: NDArray[np.float64] | float = 1.0
    ) -> None:
        """Draw a sprite at every cell; ``box`` lies around the cell's centre, in map units."""
        draw_fragments(self.painter, pixmap, self.corners(box), opacity)


class ScenePainter:
    """Paints one frame; texts and icons with ``label_painter``.

    ``dark`` and ``taken`` are as in ``ScenePart``. ``progressive``: sprites for which there is no
    time are drafted or left out. ``drafted``: there are such; the frame is drawn again when
    ``prepare`` has drawn them. ``coarseness`` as in ``surface_steps``: the frame is made smaller by
    so much.
    """

    def __init__(
        self,
        frame: Frame,
        overlays: Overlays,
        label_painter: LabelPainter,
        *,
        dark: NDArray[np.bool_] | None = None,
        taken: TextBoxes = NO_BOXES,
        progressive: bool = False,
        coarseness: int = 1,
    ) -> None:
        self.drafted = False
        self._coarseness = coarseness
        self.part = ScenePart(
            frame.battlemap,
            frame.composite,
            overlays,
            frame.cells,
            screen=True,
            dark=dark,
            taken=taken,
        )
        self._label_painter = label_painter
        self._frame = frame
        self._atlas = frame.sprites.atlas
        self._clock = QElapsedTimer()
        self._clock.start()
        self._progressive = progressive

    def paint(self, batches: Iterable[AnyBatch], painter: QPainter | None = None) -> None:
        """Draw batches of ``part`` with the painter of the frame, or with another one."""
        frame = self._frame
        atlas = self._atlas
        painter = frame.painter if painter is None else painter
        clock = self._clock if self._progressive else None
        for whole in batches:
            if isinstance(whole, SurfaceBatch):
                self._paint_surface(painter, whole)
                continue
            if not isinstance(whole, Batch):
                place = (frame.viewport, frame.dirty, frame.ratio)
                self._label_painter.paint(painter, [whole], *place)
                continue
            batch = self._placed(whole)
            if not atlas.is_ready(batch.piece_of):
                self.drafted |= not atlas.draw(batch.piece_of, clock)
            atlas.paint(painter, batch, frame.at[batch.places])

    def _paint_surface(self, painter: QPainter, batch: SurfaceBatch) -> None:
        frame = self._frame
        origin = QPointF(frame.viewport.dx, frame.viewport.dy) * frame.ratio
        area = QRect(*device_box(frame.dirty, frame.ratio))
        for _ in surface_steps(painter, batch, origin, frame.unit, area, self._coarseness):
            pass

    def _placed(self, batch: Batch) -> Batch:
        """Return a batch with pieces that fit their places."""
        if not batch.fine or self._frame.unit < QUARTERS_FROM:
            return batch
        quarters = self._frame.sprites.quarter_pixels
        return batch._replace(piece_of=quarters.pieces_at(batch, self._frame.at[batch.places]))

    def prepare(self, batches: Iterable[LandBatch], budget_ms: int) -> bool:
        """Draw missing sprites of batches for ``budget_ms``; whether all are drawn now.

        At least one is drawn, so that preparing comes to an end.
        """
        # The clock starts at the first missing sprite: the search for it goes through the whole
        # view in each turn, and can take longer than the budget. If it counted, a turn would draw
        # a single sprite, and thousands of turns would search.
        clock = QElapsedTimer()
        for whole in batches:
            if isinstance(whole, SurfaceBatch):
                continue
            batch = self._placed(whole)
            if self._atlas.is_ready(batch.piece_of):
                continue
            if not clock.isValid():
                clock.start()
            if not self._atlas.draw_for(batch.piece_of, clock, budget_ms):
                return False
        return True
