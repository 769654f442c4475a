"""Draws a heat map over cells that are pictures: colours of cells, bars along sides, and texts.

A heat map (``Heat``) has a value for each cell, such as how likely it is to become a forest. Values
are shown by colours of a *ramp* of 256 colours, from dark blue (low) to yellow (high); the *index*
of a value is that of its colour, ``NO_VALUE`` where there is none. A *faded* heat map is out of
date; one that is *alone* replaces the pictures of the cells.

For each frame ``SpritePainter`` calls ``paint_cells``, ``paint_sides`` and ``texts``, in this
order. Where cells have one colour each the overview mixes the colours into its own instead.
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
from app.render.cell_values.heat import FADED, RAMP_COLOURS, SHARE, Heat, heat_colours
from app.render.raster.frame import Frame
from app.render.scene.batch import TextBatch
from randomizer.model.grid.indices import places_by_value

NO_VALUE = -1
"""The index and the level of a cell or side without a value."""

LEVELS = 64
"""The number of different colours of cells, evenly along the ramp: each is a sprite."""

BAR_OUTER_EDGE = 0.96
"""Where the outer edge of a side's bar lies: a share of the way from the centre to the side."""

BAR_INNER_EDGE = 0.78
"""Where the inner edge of a side's bar lies: a share of the way from the centre to the side."""

BAR_LINE_WIDTH = 0.012
"""The width of the line around a bar, in map units; at least a pixel."""

FADED_BARS = 0.5
"""The opacity of bars of a faded heat map."""

LAST_LINE_SIZE = 0.25
"""The type size of the last line on a cell, which is a number, in map units."""

FIRST_LINES_SIZE = 0.2
"""The type size of the lines above the last one, such as a name, in map units."""

LINES_APART = 0.3
"""How far the lines on a cell lie apart, in map units."""

TEXT_LOWERED_BY = 0.02
"""How far the middle of all lines lies below the cell's centre, in map units."""

SIDE_TEXT_SIZE = 0.15
"""The type size of texts on sides, in map units."""

SIDE_TEXTS_FROM = 40.0
"""From this scale on (hex radius in logical pixels) texts on sides are drawn."""

FADED_TEXTS = 0.6
"""The opacity of texts on a faded heat map."""

LIGHT_FROM = RAMP_COLOURS // 2
"""The colours of the ramp from this index on are light, so that texts on them are black."""


class HeatOverlay:
    """Draws one heat map over the cells of frames."""

    def __init__(self, heat: Heat) -> None:
        self.heat = heat
        self.ramp_indices = heat.ramp_indices(heat.cells.ravel())
        """The index of each cell of the map, (size,)."""
        self._side_indices: NDArray[np.intp] | None = None
        """The index of each side of each cell, (size, degree); None without values of sides."""
        if heat.sides is not None:
            self._side_indices = heat.ramp_indices(heat.sides)

    def dark(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which of ``cells`` (n,) are so dark that texts on them must be light: (n,)."""
        if self.heat.faded:  # a veil of background lies over all colours
            return np.zeros(len(cells), np.bool_)
        indices = self.ramp_indices[cells]
        return np.asarray((indices >= 0) & (indices < LIGHT_FROM))

    def paint_cells(self, frame: Frame) -> None:
        """Draw the colours of cells, and what else a heat map shows over whole cells."""
        heat = self.heat
        sprites = frame.sprites
        self._paint_colours(frame)
        if heat.faded:
            veil = sprites.coloured_cell(sprites.theme.background)
            frame.draw_in_box(veil, sprites.cell_box, FADED)
        if heat.hatched is not None:
            self._hatch(frame, np.flatnonzero(heat.hatched[frame.cells]))
        if heat.alone:  # the grid lines of the pictures are hidden
            frame.draw_in_box(sprites.grid_line_pixmap(), sprites.cell_box)

    def _paint_colours(self, frame: Frame) -> None:
        """Draw the colours of cells, those with the same colour at once.

        Cells without a value stay as they are; if the heat map is alone the background is laid over
        them.
        """
        heat = self.heat
        sprites = frame.sprites
        indices = self.ramp_indices[frame.cells]
        levels = np.where(indices < 0, NO_VALUE, indices * LEVELS // RAMP_COLOURS)
        for level, rows in places_by_value(levels.astype(np.int64)):
            colour = sprites.theme.background
            opacity = SHARE
            if level == NO_VALUE:
                if not heat.alone:
                    continue
            else:
                colour = _colour_of_level(level)
                if heat.alone:
                    opacity = 1.0
            cells_of_level = frame.with_cells(rows)
            cells_of_level.draw_in_box(sprites.coloured_cell(colour), sprites.cell_box, opacity)

    def _hatch(self, frame: Frame, rows: NDArray[np.intp]) -> None:
        """Draw diagonal lines over some cells, given by their indices ``rows`` in the frame."""
        corners = np.array(frame.sprites.layout.corners) * frame.unit
        painter = frame.painter
        theme = frame.sprites.theme
        with saved_state(painter):
            painter.setPen(Qt.PenStyle.NoPen)
            # Once in a light and once in a dark colour, a pixel beside: on any colour one is seen.
            for shift, colour in ((0, theme.label_halo), (1, theme.label_text)):
                painter.setBrush(QBrush(colour, Qt.BrushStyle.BDiagPattern))
                for centre in frame.device_centres[rows]:
                    painter.setBrushOrigin(QPointF(centre[0] + shift, centre[1]))
                    painter.drawPolygon(_polygon(centre + corners))

    def paint_sides(self, frame: Frame) -> None:
        """Draw a bar along each side whose value is above the lowest of the ramp."""
        if self._side_indices is None:
            return
        painter = frame.painter
        corners = np.array(frame.sprites.layout.corners) * frame.unit
        with saved_state(painter):
            line_width = max(1.0, frame.unit * BAR_LINE_WIDTH)
            painter.setPen(QPen(frame.sprites.theme.label_text, line_width))
            painter.setOpacity(1.0)
            if self.heat.faded:
                painter.setOpacity(FADED_BARS)
            for cell, centre in zip(frame.cells.tolist(), frame.device_centres, strict=True):
                for side, index in enumerate(self._side_indices[cell].tolist()):
                    if index > 0:  # above the lowest value, 0, and above ``NO_VALUE``
                        painter.setBrush(_colour(index))
                        painter.drawPolygon(_polygon(centre + _bar(corners, side)))

    @property
    def text_opacity(self) -> float:
        """The opacity of all texts."""
        if self.heat.faded:
            return FADED_TEXTS
        return 1.0

    def texts(self, frame: Frame) -> Iterator[TextBatch]:
        """Yield the texts on the cells of a frame and, at large scales, on their sides.

        Who draws them sets the painter's opacity to ``text_opacity`` before.
        """
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
            text_of = np.arange(len(texts))  # whole texts, which are few, not letter by letter
            yield TextBatch(texts, points, size, ink, halo, text_of, bold=True)

    def _lines_by_look(self, frame: Frame) -> dict[tuple[float, _Shade], list[_Line]]:
        """Return the lines of all texts of a frame, by their type size and what lies below them.

        The lines of one entry can be drawn at once.
        """
        lines: dict[tuple[float, _Shade], list[_Line]] = defaultdict(list)
        for cell in frame.cells.tolist():
            if cell in self.heat.texts:
                shade = self._shade(int(self.ramp_indices[cell]))
                for size, line in self._lines_on_cell(frame, cell):
                    lines[size, shade].append(line)
        if self._side_indices is not None and frame.view.viewport.scale >= SIDE_TEXTS_FROM:
            cells_in_frame = set(frame.cells.tolist())
            for (cell, side), text in self.heat.side_texts.items():
                if cell in cells_in_frame:
                    shade = self._shade(int(self._side_indices[cell, side]))
                    lines[SIDE_TEXT_SIZE, shade].append(_line_on_side(frame, cell, side, text))
        return lines

    def _lines_on_cell(self, frame: Frame, cell: int) -> Iterator[tuple[float, _Line]]:
        """Yield the lines of the text on a cell, each with its type size."""
        x, y = frame.view.battlemap.grid.centre(cell)
        texts = self.heat.texts[cell].split("\n")
        last_row = len(texts) - 1
        for row, text in enumerate(texts):
            size = FIRST_LINES_SIZE
            if row == last_row:
                size = LAST_LINE_SIZE
            rows_below_middle = row - last_row / 2
            below_centre = rows_below_middle * LINES_APART + TEXT_LOWERED_BY
            yield size, _Line(text, (x, y + below_centre))

    def _shade(self, index: int) -> _Shade:
        """Return what lies below a text: the colour with an index of the ramp, or ``NO_VALUE``."""
        if index == NO_VALUE or self.heat.faded:
            return _Shade.NONE
        if index < LIGHT_FROM:
            return _Shade.DARK
        return _Shade.LIGHT


class _Shade(Enum):
    """The lightness of what lies below a text; the values explain the names."""

    NONE = "the map, or a faded heat map"
    DARK = "a dark colour of the ramp"
    LIGHT = "a light colour of the ramp"


class _Line(NamedTuple):
    """A line of a text."""

    text: str
    """The text of the line."""

    point: tuple[float, float]
    """Its middle, in map units."""


def _line_on_side(frame: Frame, cell: int, side: int, text: str) -> _Line:
    """Return the text on a side, in the middle of its bar."""
    grid = frame.view.battlemap.grid
    middle_of_bar = (BAR_OUTER_EDGE + BAR_INNER_EDGE) / 2
    point = QPointF(*grid.centre(cell)) + side_middle(grid.layout, side) * middle_of_bar
    return _Line(text, point.toTuple())


def _bar(corners: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return the four corners (4, 2) of the bar along a side of a cell around (0, 0).

    ``corners`` (degree, 2) are those of the cell; the side runs from the corner of its number to
    the next one.
    """
    first = corners[side]
    last = corners[(side + 1) % len(corners)]
    return np.array(
        (
            first * BAR_OUTER_EDGE,
            last * BAR_OUTER_EDGE,
            last * BAR_INNER_EDGE,
            first * BAR_INNER_EDGE,
        )
    )


def _polygon(points: NDArray[np.float64]) -> QPolygonF:
    """Return a polygon with the corners ``points`` (n, 2)."""
    return QPolygonF([QPointF(x, y) for x, y in points])


def _colour_of_level(level: int) -> QColor:
    """Return the colour of a level, 0 to ``LEVELS`` - 1: the middle of its section of the ramp."""
    middle_of_level = (level + 0.5) / LEVELS
    return _colour(int(middle_of_level * RAMP_COLOURS))


def _colour(index: int) -> QColor:
    """Return the colour with an index of the ramp, 0 to 255."""
    return QColor.fromRgb(int(heat_colours()[index]))
