"""Cells with outlines: ground, tint of the elevation and feature in one piece; grid lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.render.cell_geometry import cell_box, cell_outline
from app.render.cell_values.cell_colours import DEEPEST, LEVELS
from app.render.level_of_detail import GRID_LINES_FROM
from app.render.pictures.ground_phase import MARGIN, hash_cells
from app.render.pictures.terrain_pictures import VARIANT_BITS, VARIANTS
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges import steps
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

APART = 5
"""The variants of a cell show phases of the ground that are so far apart."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield cells with their outlines; only their ground where a style has features of its own."""
    rows = np.arange(len(part.cells), dtype=np.intp)
    lines = part.overlays.grid_lines
    if pieces.features is not None:
        number = pieces.number(bare_cell(pieces, grid_lines=lines))
        yield Batch(np.full(len(rows), number, np.intp), rows, fine=pieces.fine)
        return
    variant = hash_cells(part.cells, VARIANT_BITS)
    codes = (part.terrain * VARIANTS + variant) * LEVELS + part.elevation - DEEPEST

    def make(code: int) -> Piece:
        picture, level = divmod(code, LEVELS)
        terrain, variant = divmod(picture, VARIANTS)
        return board_cell(pieces, terrain, level + DEEPEST, variant, grid_lines=lines)

    kind = "cell"
    if lines:
        kind = "outlined cell"
    yield Batch(pieces.numbers(kind, codes, make), rows, fine=pieces.fine)
    yield from steps.batches(pieces, part)


def board_cell(
    pieces: Pieces, terrain: int, elevation: int, variant: int = 0, *, grid_lines: bool = True
) -> Piece:
    """Return a cell with everything on it.

    Outlines part the cells: their grounds differ with the variant and need not fit.
    """
    phase = variant * APART

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)
        pieces.draw_feature(painter, terrain, variant)
        if grid_lines:
            draw_outline(painter, pieces)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[terrain])
    outline = pieces.outline
    key = ("cell", terrain, elevation, variant, grid_lines)
    return Piece(key, outline.boundingRect(), draw, outline, colour, terrain=terrain)


def bare_cell(pieces: Pieces, *, grid_lines: bool = True) -> Piece:
    """Return a cell of the first terrain, without its feature."""

    def draw(painter: QPainter) -> None:
        painter.fillRect(cell_box(pieces.layout, MARGIN), colour)
        if grid_lines:
            draw_outline(painter, pieces)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[0])
    outline = pieces.outline
    return Piece(("bare cell", grid_lines), outline.boundingRect(), draw, outline, colour)


FAINT_BELOW = 16.0
"""Below this scale grid lines get fainter, where so many of them would hide the map.

Those of landscapes stay as they are: the ground has no outlines there.
"""

JOINED = 1.25
"""The opacity of grid lines on landscapes, against that of others: they are seen over woods."""

JOINED_WIDTH = 1.2
"""The width of grid lines on landscapes, in pixels. They are nowhere paler than the ground: pale
ones look like something that lies on lava and tar."""


def grid_line_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the grid lines of a landscape: of each cell half of the sides, the neighbours have
    others.
    """
    if pieces.pixel * GRID_LINES_FROM > 1:
        return
    number = pieces.number(_half(pieces))
    count = len(part.cells)
    yield Batch(np.full(count, number, np.intp), np.arange(count, dtype=np.intp))


def _half(pieces: Pieces) -> Piece:
    """Half of the outline of a cell."""
    outline = cell_outline(pieces.layout)
    half = QPolygonF([outline.at(i) for i in range(pieces.layout.degree // 2 + 1)])
    box = half.boundingRect().adjusted(*(pieces.pixel * end for end in (-1, -1, 1, 1)))

    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(grid_colour(pieces), JOINED_WIDTH * pieces.pixel))
        painter.drawPolyline(half)

    return Piece("grid", box, draw)


def draw_outline(painter: QPainter, pieces: Pieces) -> None:
    """Draw the whole outline of a cell."""
    painter.setPen(QPen(grid_colour(pieces), pieces.pixel))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(cell_outline(pieces.layout))


def grid_colour(pieces: Pieces) -> QColor:
    """Return the colour of grid lines."""
    colour = QColor(pieces.theme.grid_line)
    if pieces.joined:
        colour.setAlphaF(min(colour.alphaF() * JOINED, 1.0))
    elif 1 / pieces.pixel < FAINT_BELOW:
        colour.setAlphaF(colour.alphaF() / pieces.pixel / FAINT_BELOW)
    return colour
