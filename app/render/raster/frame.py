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
from app.render.raster.overview_raster import device_box
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
    """The cells of a map that may show in a box of the widget, and what they are drawn with."""

    painter: QPainter
    """Its unit is a device pixel."""

    battlemap: BattleMap
    composite: Composite
    viewport: Viewport

    ratio: float
    """The number of device pixels in a logical one."""

    dirty: QRectF
    """The box that is drawn again, in logical pixels."""

    sprites: Sprites

    cells: NDArray[np.intp]
    """The cells that may show in ``dirty``, ascending, shape (n,)."""

    at: NDArray[np.float64]
    """The centres of ``cells``, in device pixels, shape (n, 2)."""

    @property
    def unit(self) -> float:
        """Device pixels in a map unit."""
        return self.viewport.scale * self.ratio

    def some(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Frame:
        """Return the same frame with some of its cells: indices in ``cells``, or a mask (n,)."""
        return replace(self, cells=self.cells[rows], at=self.at[rows])

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
    """Paints batches of one frame; texts and icons with ``label_painter``.

    ``is_dark`` and ``occupied_boxes`` are those of the ``ScenePart`` that it makes. If it is
    ``progressive``, sprites for which there is no time are drafted or left out. ``coarseness`` is
    that of ``surface_steps``: surfaces are worked out on an image that is smaller by so much.
    """

    def __init__(
        self,
        frame: Frame,
        overlays: Overlays,
        label_painter: LabelPainter,
        *,
        is_dark: NDArray[np.bool_] | None = None,
        occupied_boxes: TextBoxes = NO_BOXES,
        progressive: bool = False,
        coarseness: int = 1,
    ) -> None:
        self.drafted = False
        """True if sprites were drafted or left out: the frame is to be drawn again when
        ``prepare`` has drawn them."""
        self._coarseness = coarseness
        self.part = ScenePart(
            frame.battlemap,
            frame.composite,
            overlays,
            frame.cells,
            is_on_screen=True,
            is_dark=is_dark,
            occupied_boxes=occupied_boxes,
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
        if painter is None:
            painter = frame.painter
        clock = None
        if self._progressive:
            clock = self._clock
        for whole in batches:
            if isinstance(whole, SurfaceBatch):
                self._paint_surface(painter, whole)
                continue
            if not isinstance(whole, Batch):
                self._label_painter.paint(
                    painter, [whole], frame.viewport, frame.dirty, frame.ratio
                )
                continue
            batch = self._in_quarter_pixels(whole)
            if not atlas.is_ready(batch.piece_of):
                self.drafted |= not atlas.draw(batch.piece_of, clock)
            atlas.paint(painter, batch, frame.at[batch.rows])

    def _paint_surface(self, painter: QPainter, batch: SurfaceBatch) -> None:
        frame = self._frame
        origin = QPointF(frame.viewport.dx, frame.viewport.dy) * frame.ratio
        area = QRect(*device_box(frame.dirty, frame.ratio))
        for _ in surface_steps(painter, batch, origin, frame.unit, area, self._coarseness):
            pass

    def _in_quarter_pixels(self, batch: Batch) -> Batch:
        """Return a batch of fine lines with pieces drawn for the quarter pixels where they lie.

        Lines that go on in the next cell would show a step there if both were moved to whole
        pixels. Other batches, and those of small cells, are returned as they are.
        """
        if not batch.fine or self._frame.unit < QUARTERS_FROM:
            return batch
        quarters = self._frame.sprites.quarter_pixels
        return batch._replace(piece_of=quarters.pieces_at(batch, self._frame.at[batch.rows]))

    def prepare(self, batches: Iterable[LandBatch], budget_ms: int) -> bool:
        """Draw missing sprites of batches for ``budget_ms``; return whether all are drawn now.

        At least one is drawn, so that preparing comes to an end.
        """
        # The clock starts at the first missing sprite: the search for it goes through the whole
        # view in each turn, and can take longer than the budget. If it counted, a turn would draw
        # a single sprite, and thousands of turns would search.
        clock = QElapsedTimer()
        for whole in batches:
            if isinstance(whole, SurfaceBatch):
                continue
            batch = self._in_quarter_pixels(whole)
            if self._atlas.is_ready(batch.piece_of):
                continue
            if not clock.isValid():
                clock.start()
            if not self._atlas.draw_for(batch.piece_of, clock, budget_ms):
                return False
        return True
