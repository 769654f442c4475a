"""Draws a heat map where cells are pictures: colours of cells, bars along sides, and texts.

The painter of sprites draws a ``HeatOverlay`` in this order: ``paint_cells``, ``paint_sides``,
``texts``. Seen from afar the overview mixes the colours into its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

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

BAR_OUTER_EDGE = 0.96
"""Where the outer edge of a side's bar lies: a share of the way from the cell's centre."""

BAR_INNER_EDGE = 0.78
"""The same of its inner edge."""

BAR_LINE = 0.012
"""The width of the line around a bar, in map units; at least a pixel."""

FADED_BARS = 0.5
"""The opacity of bars of a faded heat map."""

LAST_LINE = 0.25
"""The type size of the last line on a cell, which is a number, as a share of a hex's radius."""

FIRST_LINES = 0.2
"""The type size of the lines above it, such as a name."""

LINES_APART = 0.3
"""How far the lines on a cell lie apart, in map units."""

LOWERED = 0.02
"""How far their middle lies below the cell's centre, in map units."""

SIDE_TEXT = 0.15
"""The type size of texts on sides, as a share of a hex's radius."""

SIDE_TEXTS_FROM = 40.0
"""From this scale on (hex radius in logical pixels) texts on sides are drawn."""

FADED_TEXTS = 0.6
"""The opacity of texts on a faded heat map."""

DARK = 128
"""Below this index of the ramp colours are dark."""


class HeatOverlay:
    """Draws one heat map."""

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self.ramp_indices = heat.ramp_indices(heat.cells.ravel())
        """The indices in the ramp (``Heat.ramp_indices``) of all cells, (size,)."""
        self._side_indices: NDArray[np.intp] | None = None
        """Those of all sides, (size, degree); None without values of sides."""
        if heat.sides is not None:
            self._side_indices = heat.ramp_indices(heat.sides)

    def dark(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of ``cells`` (n,) are so dark that texts on them must be light."""
        indices = self.ramp_indices[cells]
        return np.asarray((indices >= 0) & (indices < DARK) & (not self.heat.faded))

    def paint_cells(self, frame: Frame) -> None:
        """Draw the colours of cells; of a heat map alone also that of cells without a value."""
        heat = self.heat
        sprites = frame.sprites
        background = sprites.theme.background
        indices = self.ramp_indices[frame.cells]
        levels = np.where(indices < 0, -1, indices * LEVELS // 256)
        for level, rows in places_by_value(levels.astype(np.int64)):
            if level >= 0:
                colour = _colour_of_level(level)
                share = SHARE
                if heat.alone:
                    share = 1.0
            elif heat.alone:
                colour = background
                share = SHARE
            else:
                continue
            opacity = np.full(len(rows), share)
            frame.some(rows).draw_in_box(sprites.tile(colour), sprites.cell_box, opacity)
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
            # Twice, a pixel apart, in light and dark: one of both is seen.
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
            line_width = max(1.0, frame.unit * BAR_LINE)
            painter.setPen(QPen(frame.sprites.theme.label_text, line_width))
            painter.setOpacity(1.0)
            if self.heat.faded:
                painter.setOpacity(FADED_BARS)
            for cell, at in zip(frame.cells.tolist(), frame.at, strict=True):
                for side, index in enumerate(self._side_indices[cell].tolist()):
                    if index <= 0:
                        continue
                    first, last = corners[[side, (side + 1) % len(corners)]] * frame.unit
                    points = (
                        at + first * BAR_OUTER_EDGE,
                        at + last * BAR_OUTER_EDGE,
                        at + last * BAR_INNER_EDGE,
                        at + first * BAR_INNER_EDGE,
                    )
                    painter.setBrush(_colour(index))
                    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))

    def texts(self, frame: Frame) -> Iterator[TextBatch]:
        """Yield the texts on the cells of a frame and, at large scales, on their sides.

        The painter of the frame has their opacity from now on.
        """
        frame.painter.setOpacity(1.0)
        if self.heat.faded:
            frame.painter.setOpacity(FADED_TEXTS)
        theme = frame.sprites.theme
        black = QColor(Qt.GlobalColor.black)
        white = QColor(Qt.GlobalColor.white)
        inks = {
            _Shade.NONE: (theme.label_text, theme.label_halo),
            _Shade.DARK: (white, black),
            _Shade.LIGHT: (black, white),
        }
        for (size, shade), lines in self._lines_by_look(frame).items():
            texts = [line.text for line in lines]
            points = np.array([line.point for line in lines])
            ink, halo = inks[shade]
            text_of = np.arange(len(texts))
            yield TextBatch(texts, points, size, ink, halo, text_of, bold=True)

    def _lines_by_look(self, frame: Frame) -> dict[tuple[float, _Shade], list[_Line]]:
        """Return the lines of all texts of a frame, by their type sizes and what lies below."""
        lines: dict[tuple[float, _Shade], list[_Line]] = defaultdict(list)
        grid = frame.battlemap.grid
        for cell in frame.cells.tolist():
            if cell not in self.heat.texts:
                continue
            x, y = grid.centre(cell)
            shade = self._shade(int(self.ramp_indices[cell]))
            texts = self.heat.texts[cell].split("\n")
            last_row = len(texts) - 1
            for row, text in enumerate(texts):
                size = FIRST_LINES
                if row == last_row:
                    size = LAST_LINE
                lowered = (row - last_row / 2) * LINES_APART + LOWERED
                lines[size, shade].append(_Line(text, (x, y + lowered)))

        if self._side_indices is None or frame.viewport.scale < SIDE_TEXTS_FROM:
            return lines
        cells_in_frame = set(frame.cells.tolist())
        middle_of_bar = (BAR_OUTER_EDGE + BAR_INNER_EDGE) / 2
        for (cell, side), text in self.heat.side_texts.items():
            if cell in cells_in_frame:
                from_centre = side_middle(grid.layout, side) * middle_of_bar
                point = QPointF(*grid.centre(cell)) + from_centre
                shade = self._shade(int(self._side_indices[cell, side]))
                lines[SIDE_TEXT, shade].append(_Line(text, point.toTuple()))
        return lines

    def _shade(self, index: int) -> _Shade:
        """Return the lightness of the colour with an index of the ramp, -1 for none."""
        if index < 0 or self.heat.faded:
            return _Shade.NONE
        if index < DARK:
            return _Shade.DARK
        return _Shade.LIGHT


class _Shade(Enum):
    """The lightness of what lies below a text."""

    NONE = "the map, or a faded heat map"
    DARK = "a dark colour of the ramp"
    LIGHT = "a light colour of the ramp"


class _Line(NamedTuple):
    """A line of a text."""

    text: str

    point: tuple[float, float]
    """Its middle, in map units."""


def _colour_of_level(level: int) -> QColor:
    """Return the colour in the middle of one of ``LEVELS``."""
    return _colour((2 * level + 1) * 128 // LEVELS)


def _colour(index: int) -> QColor:
    """Return the colour with an index of the ramp, 0 to 255."""
    return QColor.fromRgb(int(heat_colours()[index]))
