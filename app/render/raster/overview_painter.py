"""Draws the *overview* of a map: one colour for each cell, with ways and the map's picture.

Of one map, which is *followed*, the overview is stored (``Overview``). It may take several turns to
colour, and is a draft until then. That of any other map is coloured at once when it is drawn::

    overview_painter.follow(battlemap)
    is_draft = overview_painter.paint(painter, view, dirty, budget_ms=20)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter

from app.appearance.painting import saved_state
from app.render.cell_values.cell_colours import CellColours
from app.render.raster.flat_ways import paint_flat_ways
from app.render.raster.ground_view import GroundView
from app.render.raster.overview import Overview
from app.render.raster.overview_raster import OverviewRaster, device_box
from app.render.raster.sprite_painter import SpritePainter
from randomizer.model.map.battlemap import BattleMap

TRANSPARENT = 0
"""The background of an overview over the picture of a map, as 0xAARRGGBB."""


class OverviewPainter:
    """Draws overviews in the colours of a painter of cells."""

    def __init__(self, cells: SpritePainter) -> None:
        self._cells = cells
        """Says in which colours and with which overlays cells are drawn."""
        self._overview = Overview(self.cell_colours)
        """The overview of the followed map, and of any other while that is drawn."""
        self._is_see_through = False
        """True if that of the followed map leaves out unset cells: a picture below is seen."""

    # --- the followed map -----------------------------------------------------------------------

    def follow(self, battlemap: BattleMap) -> None:
        """Store the overview of this map; the caller tells its edits."""
        self._overview.follow(battlemap)

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Colour these cells (n,) of the followed map again when they are drawn next."""
        self._overview.changed(cells)

    def all_changed(self) -> None:
        """Colour all cells of the followed map again when they are drawn next."""
        self._overview.all_changed()

    def theme_changed(self) -> None:
        """Colour all cells again from the start: one that is being coloured is of no use."""
        self._overview.forget()

    def prepare(self, view: GroundView, budget_ms: int) -> bool:
        """Colour the overview of the followed map for a while; return whether it is done."""
        self._raster(view, budget_ms)
        return self._overview.is_current

    # --- drawing --------------------------------------------------------------------------------

    def paint(
        self, painter: QPainter, view: GroundView, dirty: QRectF, budget_ms: int | None
    ) -> bool:
        """Draw the overview, with the ways over it, and the picture of the map below or above.

        That of the followed map is coloured for ``budget_ms`` before, to its end if that is None.
        Return whether it is a draft: its colours are not yet those of the map as it is now.
        """
        raster = self._raster(view, budget_ms)
        box = device_box(dirty, view.ratio)
        if self._cells.has_picture_below(view.battlemap):
            painter.fillRect(QRect(*box), self._cells.theme.background)
        self._cells.paint_picture_below(painter, view)
        raster.paint(painter, view.viewport, view.ratio, box)
        with saved_state(painter):
            painter.setClipRect(QRect(*box), Qt.ClipOperation.IntersectClip)
            paint_flat_ways(painter, view, self._cells.theme, box)
        self._cells.paint_picture_above(painter, view)
        return self._is_followed(view.battlemap) and not self._overview.is_current

    def cell_colours(self, battlemap: BattleMap) -> CellColours:
        """Return the colours of cells in the overview of a map."""
        heat_overlay = self._cells.heat_overlay_of(battlemap)
        ramp_indices = None
        heat_share = 0.0
        if heat_overlay is not None:
            ramp_indices = heat_overlay.ramp_indices
            heat_share = heat_overlay.heat.opacity
        return CellColours(
            battlemap,
            self._cells.passes(battlemap),
            self._cells.theme,
            self._cells.overlays,
            ramp_indices,
            heat_share,
            unset_is_transparent=self._cells.has_picture_below(battlemap),
            draws_ways=False,
        )

    def _is_followed(self, battlemap: BattleMap) -> bool:
        """Return whether this is the map that is followed."""
        return battlemap is self._overview.followed

    def _raster(self, view: GroundView, budget_ms: int | None) -> OverviewRaster:
        """Return the overview of a map, as far as it is coloured after ``budget_ms``."""
        is_see_through = self._cells.has_picture_below(view.battlemap)
        if self._is_followed(view.battlemap) and is_see_through is not self._is_see_through:
            self._is_see_through = is_see_through
            self._overview.forget()
        background = self._cells.theme.background.rgb()
        if is_see_through:
            background = TRANSPARENT
        return self._overview.raster(view.battlemap, view.composite, background, budget_ms)
