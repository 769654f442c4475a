"""One frame of the raster renderer: its cells (``Frame``), and how a scene is painted on them.

The renderer makes a ``Frame`` for the box of the widget that is drawn again, and a ``ScenePainter``
for it. A scene yields what it shows as batches (``scene.batch``), which the painter draws::

    scene_painter = ScenePainter(frame, overlays, label_painter)
    scene_painter.paint(scene.land(scene_painter.part, passes))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QPixmap

from app.render.overlay_options import Overlays
from app.render.raster.fragments import draw_fragments
from app.render.raster.ground_view import GroundView
from app.render.raster.label_painter import LabelPainter
from app.render.raster.overview_raster import device_box
from app.render.raster.quarter_pixels import QUARTERS_FROM
from app.render.raster.sprites import Sprites
from app.render.raster.surface_painter import surface_steps
from app.render.scene.batch import AnyBatch, Batch, LandBatch, SurfaceBatch, joined
from app.render.scene.part import ScenePart
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.time_budget import TimeBudget

PROGRESSIVE_MS = 8
"""For so many milliseconds a progressive frame draws sprites that are missing.

If it is longer a zoom jerks; if it is shorter more is drafted.
"""


@dataclass(frozen=True, eq=False)
class Frame:
    """The cells of a map that may be seen in a box of the widget, and what they are drawn with."""

    painter: QPainter
    """Its unit is a device pixel."""

    view: GroundView
    """The map and where it is seen."""

    dirty: QRectF
    """The box that is drawn again, in logical pixels."""

    sprites: Sprites
    """The sprites at the scale of the viewport."""

    cells: NDArray[np.intp]
    """The cells that may be seen in ``dirty``, ascending, shape (n,)."""

    centres: NDArray[np.float64]
    """Their centres, in map units, shape (n, 2)."""

    @property
    def unit(self) -> float:
        """Device pixels in a map unit."""
        return self.view.unit

    @cached_property
    def device_centres(self) -> NDArray[np.float64]:
        """The centres of ``cells``, in device pixels, shape (n, 2)."""
        return self.centres * self.unit + self.view.origin.toTuple()

    def with_cells(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Frame:
        """Return the same frame with some of its cells: indices in ``cells``, or a mask (n,)."""
        return replace(self, cells=self.cells[rows], centres=self.centres[rows])

    def corners(self, box: QRectF) -> NDArray[np.float64]:
        """Return where sprites that fill ``box`` are drawn: their left top corners, (n, 2).

        ``box`` lies around the centre of each cell, in map units; the corners are in device pixels,
        rounded to whole ones.
        """
        offset = np.array((box.left(), box.top())) * self.unit
        return np.asarray(np.floor(self.device_centres + (offset + 0.5)))

    def draw_in_box(
        self, pixmap: QPixmap, box: QRectF, opacity: NDArray[np.float64] | float = 1.0
    ) -> None:
        """Draw a sprite in every cell; ``box`` lies around the cell's centre, in map units.

        ``opacity`` is one for all cells, or an array (n,) with one for each.
        """
        draw_fragments(self.painter, pixmap, self.corners(box), opacity)


class ScenePainter:
    """Paints the batches of a scene on one frame.

    Texts and icons are drawn by ``label_painter``. ``is_dark`` and ``occupied_boxes`` are those of
    the ``ScenePart``. A ``progressive`` painter does not wait for sprites that are not drawn yet:
    where there is no time to draw them it shows a draft of one colour, or nothing. With a
    ``coarseness`` of n surfaces have one colour in squares of n x n pixels, and are quicker.

    One is made for each frame. Either it paints (``paint``, for some batches after the others), or
    it only draws the sprites that such a frame will need (``prepare``).
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
        """True if there was no time for some sprites.

        Then the frame is to be drawn again when ``prepare`` has drawn them.
        """
        self._frame = frame
        self._label_painter = label_painter
        self._coarseness = coarseness
        self._atlas = frame.sprites.atlas
        """The sprites of the pieces in batches."""
        self.part = ScenePart(
            frame.view.battlemap,
            frame.view.composite,
            overlays,
            frame.cells,
            is_on_screen=True,
            is_dark=is_dark,
            occupied_boxes=occupied_boxes,
        )
        """What the scene is asked for: the cells of the frame."""
        self.part.centres = frame.centres  # the cached property: else it would be computed again
        self._budget: TimeBudget | None = None
        """The time for missing sprites; None if all are drawn, however long it takes."""
        if progressive:
            self._budget = TimeBudget(PROGRESSIVE_MS)

    def paint(self, batches: Iterable[AnyBatch], painter: QPainter | None = None) -> None:
        """Draw batches of ``part``, with another painter than that of the frame if one is given."""
        frame = self._frame
        if painter is None:
            painter = frame.painter
        # One call of Qt draws all pieces that follow one another: a call costs more than drawing
        # their sprites.
        pieces: list[Batch] = []
        for batch in batches:
            if isinstance(batch, Batch):
                if pieces and pieces[0].opacity != batch.opacity:
                    self._paint_pieces(painter, pieces)
                    pieces = []
                pieces.append(batch)
                continue
            self._paint_pieces(painter, pieces)
            pieces = []
            if isinstance(batch, SurfaceBatch):
                self._paint_surface(painter, batch)
            else:
                self._label_painter.paint(
                    painter, [batch], frame.view.viewport, frame.dirty, frame.view.ratio
                )
        self._paint_pieces(painter, pieces)

    def _paint_surface(self, painter: QPainter, batch: SurfaceBatch) -> None:
        """Draw a picture that is worked out pixel by pixel."""
        frame = self._frame
        area = QRect(*device_box(frame.dirty, frame.view.ratio))
        origin = frame.view.origin
        for _ in surface_steps(painter, batch, origin, frame.unit, area, self._coarseness):
            pass  # a frame does all steps at once

    def _paint_pieces(self, painter: QPainter, batches: Sequence[Batch]) -> None:
        """Draw pieces of one opacity that lie at cells, by the sprites in the atlas."""
        if not batches:
            return
        shifted = [self._in_quarter_pixels(batch) for batch in batches]
        # From here on nothing asks whether a batch is fine, so that both kinds can be joined.
        together = joined(shifted)
        if not self._atlas.is_ready(together.piece_of):
            # Batch by batch: while new sprites are drawn they are in memory a second time, as
            # images, and so at most those of one batch are.
            for batch in shifted:
                if self._budget is None:
                    self._atlas.draw_all(batch.piece_of)
                elif not self._atlas.draw_or_draft(batch.piece_of, self._budget):
                    self.drafted = True
        self._atlas.paint(painter, together, self._frame.device_centres[together.rows])

    def _in_quarter_pixels(self, batch: Batch) -> Batch:
        """Return a batch whose pieces are drawn for the quarter of a pixel at which each lies.

        Only a batch that is ``fine`` has to: its lines go on in the next cell, and would show a
        step there if the sprites of both were moved to whole pixels. Other batches, and those of
        small cells, are returned as they are.
        """
        if not batch.fine or self._frame.unit < QUARTERS_FROM:
            return batch
        quarters = self._frame.sprites.quarter_pixels
        return batch._replace(
            piece_of=quarters.pieces_at(batch, self._frame.device_centres[batch.rows])
        )

    def prepare(self, batches: Iterable[LandBatch], budget_ms: int) -> bool:
        """Draw missing sprites of batches for ``budget_ms``; return whether all are drawn now.

        At least one is drawn (``Atlas.draw_within``), so that preparing comes to an end.
        """
        # The budget begins at the first missing sprite: the search for it goes through the whole
        # view in each turn, and can take longer than the budget. If it counted, a turn would draw
        # a single sprite, and thousands of turns would search.
        budget: TimeBudget | None = None
        for batch in batches:
            if isinstance(batch, SurfaceBatch):
                continue  # it has no sprites
            shifted = self._in_quarter_pixels(batch)
            if self._atlas.is_ready(shifted.piece_of):
                continue
            if budget is None:
                budget = TimeBudget(budget_ms)
            if not self._atlas.draw_within(shifted.piece_of, budget):
                return False
        return True
