"""Draws a heat map where cells are pictures: their colours, bars along sides, and the numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from app.render.heat import FADED, SHARE, heat_colours
from app.render.overlays.lettering import font, text_pixmap
from app.render.raster.fragments import groups

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPixmap

    from app.render.heat import Heat
    from app.render.raster.frame import Frame

LEVELS = 64
"""Heat is shown in so many colours."""

BAR = (0.96, 0.78)
"""Where a side's bar begins and ends, of the way from the cell's centre to the side."""

FIRST_LINE, OTHER_LINES = 0.2, 0.25
"""How high the words on a cell are, the first line (a name) and the next, of a hex's radius."""

SIDE_WORDS = 0.15

SIDE_WORDS_FROM = 40.0
"""From this scale on (hex radius in logical pixels) there is room for words on sides."""

DARK = 128
"""Places of the ramp before this one are dark."""

CACHED = 400


class HeatOverlay:
    """Keeps the colours of one heat, and the pictures of its words."""

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self.steps = heat.steps(heat.cells.ravel())
        self._side_steps = None if heat.sides is None else heat.steps(heat.sides)
        self._pixmaps: dict[tuple[object, ...], QPixmap] = {}

    def dark(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some cells (n,) are so dark that words on them must be light."""
        steps = self.steps[cells]
        return np.asarray((steps >= 0) & (steps < DARK) & (not self.heat.faded))

    def paint_cells(self, frame: Frame) -> None:
        """From dark blue (the lowest) to yellow; shown alone, cells without heat are pale."""
        heat, sprites = self.heat, frame.sprites
        steps = self.steps[frame.cells]
        levels = np.where(steps < 0, -1, steps * LEVELS // 256)
        background = sprites.theme.background
        for level, places in groups(levels.astype(np.int64)):
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
        if heat.alone:
            frame.draw_in_box(sprites.border(), sprites.cell_box)

    def paint_sides(self, frame: Frame) -> None:
        """A bar along every side whose value is not the ramp's least."""
        if self._side_steps is None:
            return
        painter, corners = frame.painter, np.array(frame.sprites.layout.corners)
        painter.save()
        painter.setPen(QPen(frame.sprites.theme.label_text, max(1.0, frame.unit * 0.012)))
        painter.setOpacity(0.5 if self.heat.faded else 1.0)
        for cell, at in zip(frame.cells.tolist(), frame.at, strict=True):
            for side, step in enumerate(self._side_steps[cell].tolist()):
                if step > 0:
                    ends = corners[[side, (side + 1) % len(corners)]] * frame.unit
                    points = [at + ends[0] * BAR[0], at + ends[1] * BAR[0]]
                    points += [at + ends[1] * BAR[1], at + ends[0] * BAR[1]]
                    painter.setBrush(_colour(step))
                    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
        painter.restore()

    def paint_words(self, frame: Frame) -> None:
        """Names and numbers in cells, and numbers on the bars of sides."""
        heat, scale = self.heat, frame.viewport.scale
        painter = frame.painter
        painter.setOpacity(0.6 if heat.faded else 1.0)
        for place, cell in enumerate(frame.cells.tolist()):
            if cell in heat.words:
                here = frame.some(np.array([place], np.intp))
                lines = heat.words[cell].split("\n")
                for row, line in enumerate(lines):
                    size = (OTHER_LINES if row == len(lines) - 1 else FIRST_LINE) * scale
                    picture = self._text(frame, line, size, int(self.steps[cell]))
                    here.draw_centred(picture, 0, (row - (len(lines) - 1) / 2) * 0.3 + 0.02)
        if self._side_steps is not None and scale >= SIDE_WORDS_FROM:
            corners = np.array(frame.sprites.layout.corners)
            places = {cell: place for place, cell in enumerate(frame.cells.tolist())}
            for (cell, side), words in heat.side_words.items():
                if cell in places:
                    x, y = (corners[side] + corners[(side + 1) % len(corners)]) / 2 * sum(BAR) / 2
                    step = int(self._side_steps[cell, side])
                    picture = self._text(frame, words, SIDE_WORDS * scale, step)
                    frame.some(np.array([places[cell]], np.intp)).draw_centred(picture, x, y)
        painter.setOpacity(1.0)

    def _text(self, frame: Frame, words: str, size: float, step: int) -> QPixmap:
        """The words, readable on a place of the ramp."""
        face = font(size, bold=True)
        key = (words, face.pixelSize(), frame.ratio, step < DARK)
        found = self._pixmaps.get(key)
        if found is None:
            if len(self._pixmaps) > CACHED:
                self._pixmaps.clear()
            light, dark = QColor(Qt.GlobalColor.white), QColor(Qt.GlobalColor.black)
            colours = (light, dark) if step < DARK else (dark, light)
            if step < 0 or self.heat.faded:
                colours = (frame.sprites.theme.label_text, frame.sprites.theme.label_halo)
            draw = partial(text_pixmap, words, face, frame.ratio)
            found = self._pixmaps[key] = draw(*colours)
        return found


def _colour(step: int) -> QColor:
    return QColor.fromRgb(int(heat_colours()[step]))
