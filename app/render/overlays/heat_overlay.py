"""Draws a heat map where cells are pictures: colours of cells, bars along sides, and numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.heat import FADED, SHARE, heat_colours
from app.render.overlays.lettering import font, text_pixmap
from app.render.pixmap_cache import PixmapCache
from randomizer.model.indices import places_by_value

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPixmap

    from app.render.heat import Heat
    from app.render.raster.frame import Frame

LEVELS = 64
"""The number of different colours of cells."""

BAR = (0.96, 0.78)
"""The outer and inner edge of a side's bar, as shares of the distance from the cell's centre."""

LAST_LINE, OTHER_LINES = 0.25, 0.2
"""The type sizes of the words on a cell, as shares of a hex's radius: number, and name above."""

SIDE_WORDS = 0.15
"""The same of the words on sides."""

SIDE_WORDS_FROM = 40.0
"""From this scale on (hex radius in logical pixels) words on sides are drawn."""

DARK = 128
"""Below this index of the ramp colours are dark."""

CACHED_BYTES = 1_000_000
"""The largest size of the pixmaps of words that are kept."""


class HeatOverlay:
    """Draws one heat map.

    ``ramp_indices`` (size,) are those of all cells, see ``Heat.ramp_indices``.
    """

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self.ramp_indices = heat.ramp_indices(heat.cells.ravel())
        self._side_indices = None if heat.sides is None else heat.ramp_indices(heat.sides)
        self._pixmaps = PixmapCache(CACHED_BYTES)

    def dark(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of ``cells`` (n,) are so dark that words on them must be light."""
        indices = self.ramp_indices[cells]
        return np.asarray((indices >= 0) & (indices < DARK) & (not self.heat.faded))

    def paint_cells(self, frame: Frame) -> None:
        """Draw the colours of cells; of a heat map alone also that of cells without a value."""
        heat, sprites = self.heat, frame.sprites
        indices = self.ramp_indices[frame.cells]
        levels = np.where(indices < 0, -1, indices * LEVELS // 256)
        background = sprites.theme.background
        for level, places in places_by_value(levels.astype(np.int64)):
            colour = background if level < 0 else _colour((2 * level + 1) * 128 // LEVELS)
            share = SHARE if heat.alone or level >= 0 else 0.0
            if level >= 0 and heat.alone:
                share = 1.0
            if share:
                tile = sprites.tile(colour)
                opacity = np.full(len(places), share)
                frame.some(places).draw_in_box(tile, sprites.cell_box, opacity)
        if heat.faded:
            veil = np.full(len(frame.cells), FADED)
            frame.draw_in_box(sprites.tile(background), sprites.cell_box, veil)
        if heat.hatched is not None:
            self._hatch(frame, np.flatnonzero(heat.hatched[frame.cells]))
        if heat.alone:
            frame.draw_in_box(sprites.grid_line(), sprites.cell_box)

    def _hatch(self, frame: Frame, places: NDArray[np.intp]) -> None:
        """Draw diagonal lines over the cells of the frame at ``places``, readable on any colour."""
        corners = np.array(frame.sprites.layout.corners) * frame.unit
        painter, theme = frame.painter, frame.sprites.theme
        with saved_state(painter):
            painter.setPen(Qt.PenStyle.NoPen)
            for shift, colour in enumerate((theme.label_halo, theme.label_text)):
                painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern))
                for at in frame.at[places]:
                    painter.setBrushOrigin(QPointF(at[0] + shift, at[1]))
                    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in at + corners]))

    def paint_sides(self, frame: Frame) -> None:
        """Draw a bar along every side whose value is above the lowest of the ramp."""
        if self._side_indices is None:
            return
        painter, corners = frame.painter, np.array(frame.sprites.layout.corners)
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

    def paint_words(self, frame: Frame) -> None:
        """Draw the words on cells and, at large scales, on sides."""
        heat, scale = self.heat, frame.viewport.scale
        painter = frame.painter
        painter.setOpacity(0.6 if heat.faded else 1.0)
        for place, cell in enumerate(frame.cells.tolist()):
            if cell in heat.words:
                here = frame.some(np.array([place], np.intp))
                lines = heat.words[cell].split("\n")
                for row, line in enumerate(lines):
                    size = (LAST_LINE if row == len(lines) - 1 else OTHER_LINES) * scale
                    picture = self._text(frame, line, size, int(self.ramp_indices[cell]))
                    here.draw_centred(picture, 0, (row - (len(lines) - 1) / 2) * 0.3 + 0.02)
        if self._side_indices is not None and scale >= SIDE_WORDS_FROM:
            corners = np.array(frame.sprites.layout.corners)
            places = {cell: place for place, cell in enumerate(frame.cells.tolist())}
            for (cell, side), words in heat.side_words.items():
                if cell in places:
                    x, y = (corners[side] + corners[(side + 1) % len(corners)]) / 2 * sum(BAR) / 2
                    index = int(self._side_indices[cell, side])
                    picture = self._text(frame, words, SIDE_WORDS * scale, index)
                    frame.some(np.array([places[cell]], np.intp)).draw_centred(picture, x, y)
        painter.setOpacity(1.0)

    def _text(self, frame: Frame, words: str, size: float, index: int) -> QPixmap:
        """Words of a type size in logical pixels, readable on the colour ``index`` of the ramp."""
        face = font(size, bold=True)
        ink, halo = QColor(Qt.GlobalColor.black), QColor(Qt.GlobalColor.white)
        if index < 0 or self.heat.faded:
            ink, halo = frame.sprites.theme.label_text, frame.sprites.theme.label_halo
        elif index < DARK:
            ink, halo = halo, ink
        key = (words, face.pixelSize(), frame.ratio, ink.rgba())
        draw = partial(text_pixmap, words, face, frame.ratio, ink, halo)
        return self._pixmaps.get_or_draw(key, draw)


def _colour(index: int) -> QColor:
    return QColor.fromRgb(int(heat_colours()[index]))
