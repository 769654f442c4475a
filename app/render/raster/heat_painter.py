"""Draws a heat map where cells are pictures: colours of cells, bars along sides, and numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.cell_geometry import side_middle
from app.render.cell_values.heat import FADED, SHARE, Heat, heat_colours
from app.render.raster.frame import Frame
from app.render.scene.batch import TextBatch
from randomizer.model.grid.indices import places_by_value

LEVELS = 64
"""The number of different colours of cells."""

BAR = (0.96, 0.78)
"""The outer and inner edge of a side's bar, as shares of the distance from the cell's centre."""

LAST_LINE = 0.25
OTHER_LINES = 0.2
"""The type sizes of the words on a cell, as shares of a hex's radius: number, and name above."""

LINES_APART = 0.3
LOWERED = 0.02
"""How far the lines of words on a cell lie apart, and below its centre, in map units."""

SIDE_WORDS = 0.15
"""The same of the words on sides."""

SIDE_WORDS_FROM = 40.0
"""From this scale on (hex radius in logical pixels) words on sides are drawn."""

FADED_WORDS = 0.6
"""The opacity of words on a faded heat map."""

DARK = 128
"""Below this index of the ramp colours are dark."""


class HeatOverlay:
    """Draws one heat map.

    ``ramp_indices`` (size,) are those of all cells, see ``Heat.ramp_indices``.
    """

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self.ramp_indices = heat.ramp_indices(heat.cells.ravel())
        if heat.sides is None:
            self._side_indices = None
        else:
            self._side_indices = heat.ramp_indices(heat.sides)

    def dark(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of ``cells`` (n,) are so dark that words on them must be light."""
        indices = self.ramp_indices[cells]
        return np.asarray((indices >= 0) & (indices < DARK) & (not self.heat.faded))

    def paint_cells(self, frame: Frame) -> None:
        """Draw the colours of cells; of a heat map alone also that of cells without a value."""
        heat = self.heat
        sprites = frame.sprites
        indices = self.ramp_indices[frame.cells]
        levels = np.where(indices < 0, -1, indices * LEVELS // 256)
        background = sprites.theme.background
        for level, rows in places_by_value(levels.astype(np.int64)):
            if level < 0:
                colour = background
            else:
                colour = _colour((2 * level + 1) * 128 // LEVELS)
            share = SHARE if heat.alone or level >= 0 else 0.0
            if level >= 0 and heat.alone:
                share = 1.0
            if share:
                tile = sprites.tile(colour)
                opacity = np.full(len(rows), share)
                frame.some(rows).draw_in_box(tile, sprites.cell_box, opacity)
        if heat.faded:
            veil = np.full(len(frame.cells), FADED)
            frame.draw_in_box(sprites.tile(background), sprites.cell_box, veil)
        if heat.hatched is not None:
            self._hatch(frame, np.flatnonzero(heat.hatched[frame.cells]))
        if heat.alone:
            frame.draw_in_box(sprites.grid_line(), sprites.cell_box)

    def _hatch(self, frame: Frame, rows: NDArray[np.intp]) -> None:
        """Draw diagonal lines over the cells of the frame at ``rows``, readable on any colour."""
        corners = np.array(frame.sprites.layout.corners) * frame.unit
        painter = frame.painter
        theme = frame.sprites.theme
        with saved_state(painter):
            painter.setPen(Qt.PenStyle.NoPen)
            for shift, colour in enumerate((theme.label_halo, theme.label_text)):
                painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern))
                for at in frame.at[rows]:
                    painter.setBrushOrigin(QPointF(at[0] + shift, at[1]))
                    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in at + corners]))

    def paint_sides(self, frame: Frame) -> None:
        """Draw a bar along every side whose value is above the lowest of the ramp."""
        if self._side_indices is None:
            return
        painter = frame.painter
        corners = np.array(frame.sprites.layout.corners)
        with saved_state(painter):
            painter.setPen(QPen(frame.sprites.theme.label_text, max(1.0, frame.unit * 0.012)))
            painter.setOpacity(0.5 if self.heat.faded else 1.0)
            for cell, at in zip(frame.cells.tolist(), frame.at, strict=True):
                for side, index in enumerate(self._side_indices[cell].tolist()):
                    if index > 0:
                        ends = corners[[side, (side + 1) % len(corners)]] * frame.unit
                        points = [at + ends[0] * BAR[0], at + ends[1] * BAR[0]]
                        points += [at + ends[1] * BAR[1], at + ends[0] * BAR[1]]
                        painter.setBrush(_colour(index))
                        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))

    def texts(self, frame: Frame) -> Iterator[TextBatch]:
        """Yield the words on the cells of a frame and, at large scales, on their sides."""
        heat = self.heat
        theme = frame.sprites.theme
        scale = frame.viewport.scale
        battlemap = frame.battlemap
        frame.painter.setOpacity(FADED_WORDS if heat.faded else 1.0)
        lines = defaultdict(list)
        for cell in frame.cells.tolist():
            if cell in heat.texts:
                x, y = battlemap.grid.centre(cell)
                words = heat.texts[cell].split("\n")
                for row, line in enumerate(words):
                    size = LAST_LINE if row == len(words) - 1 else OTHER_LINES
                    at = (x, y + (row - (len(words) - 1) / 2) * LINES_APART + LOWERED)
                    lines[size, self._shade(int(self.ramp_indices[cell]))].append((line, at))
        if self._side_indices is not None and scale >= SIDE_WORDS_FROM:
            shown_cells = set(frame.cells.tolist())
            for (cell, side), line in heat.side_texts.items():
                if cell in shown_cells:
                    middle = side_middle(battlemap.grid.layout, side) * (sum(BAR) / 2)
                    at = (QPointF(*battlemap.grid.centre(cell)) + middle).toTuple()
                    shade = self._shade(int(self._side_indices[cell, side]))
                    lines[SIDE_WORDS, shade].append((line, at))
        black = QColor(Qt.GlobalColor.black)
        white = QColor(Qt.GlobalColor.white)
        inks = {
            "none": (theme.label_text, theme.label_halo),
            "dark": (white, black),
            "light": (black, white),
        }
        for (size, shade), placed in lines.items():
            texts, points = zip(*placed, strict=True)
            text_of = np.arange(len(texts))
            yield TextBatch(texts, np.array(points), size, *inks[shade], text_of, bold=True)

    def _shade(self, index: int) -> str:
        """Return which kind of colour the index of the ramp is, for texts on it."""
        if index < 0 or self.heat.faded:
            return "none"
        return "dark" if index < DARK else "light"


def _colour(index: int) -> QColor:
    return QColor.fromRgb(int(heat_colours()[index]))
