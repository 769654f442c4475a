"""Draws the batches of a scene with sprites, for one frame."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer

from app.render.overlay_options import Overlays
from app.render.raster.frame import Frame
from app.render.raster.overlay_painter import OverlayPainter
from app.render.raster.quarter_pixels import QUARTERS_FROM
from app.render.scene.batch import AnyBatch, Batch
from app.render.scene.part import ScenePart


class ScenePainter:
    """Paints one frame; texts and icons with ``overlay_painter``.

    ``dark`` is as in ``ScenePart``. ``progressive``: sprites for which there is no time are drafted
    or left out. ``drafted``: there are such; the frame is drawn again when ``prepare`` has drawn
    them.
    """

    def __init__(
        self,
        frame: Frame,
        overlays: Overlays,
        overlay_painter: OverlayPainter,
        *,
        dark: NDArray[np.bool_] | None = None,
        progressive: bool = False,
    ) -> None:
        self.drafted = False
        self.part = ScenePart(
            frame.battlemap, frame.composite, overlays, frame.cells, screen=True, dark=dark
        )
        self._overlay_painter = overlay_painter
        self._frame = frame
        self._atlas = frame.sprites.atlas
        self._clock = QElapsedTimer()
        self._clock.start()
        self._progressive = progressive

    def paint(self, batches: Iterable[AnyBatch]) -> None:
        """Draw batches of ``part``."""
        atlas, at, clock = self._atlas, self._frame.at, self._clock if self._progressive else None
        frame = self._frame
        for whole in batches:
            if not isinstance(whole, Batch):
                place = (frame.viewport, frame.dirty, frame.ratio)
                self._overlay_painter.paint(frame.painter, [whole], *place)
                continue
            batch = self._placed(whole)
            if not atlas.is_ready(batch.piece_of):
                self.drafted |= not atlas.draw(batch.piece_of, clock)
            atlas.paint(frame.painter, batch, at[batch.places])

    def _placed(self, batch: Batch) -> Batch:
        """A batch with pieces that fit their places."""
        if not batch.fine or self._frame.unit < QUARTERS_FROM:
            return batch
        quarters = self._frame.sprites.quarter_pixels
        return batch._replace(piece_of=quarters.pieces_at(batch, self._frame.at[batch.places]))

    def prepare(self, batches: Iterable[Batch], budget_ms: int) -> bool:
        """Draw missing sprites of batches for ``budget_ms``; whether all are drawn now.

        At least one is drawn, so that preparing comes to an end.
        """
        for whole in batches:
            batch = self._placed(whole)
            if self._atlas.is_ready(batch.piece_of):
                continue
            if not self._atlas.draw_for(batch.piece_of, self._clock, budget_ms):
                return False
        return True
