"""The cells of boards, each drawn as one piece, and the grid lines of all maps.

A *piece* is a drawing that is repeated in many cells. The piece of a cell shows, from below, the
*ground* of its terrain (such as grass), the *tint* of its elevation, the *feature* that stands on
the ground (such as a wood), and the outline of the cell. ``batches`` says which piece each cell
has, and ``board_cell`` makes one. Landscapes draw their ground elsewhere, as it passes from cell to
cell; here they have only ``grid_line_batches``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.render.cell_geometry import cell_box, cell_outline
from app.render.cell_values.cell_colours import DEEPEST, LEVELS
from app.render.level_of_detail import GRID_LINES_FROM
from app.render.pictures.cell_noise import hash_cells
from app.render.pictures.ground_phase import MARGIN
from app.render.pictures.terrain_pictures import VARIANT_BITS, VARIANTS
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges import steps
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

PHASES_APART = 5
"""The variant n of a cell shows the phase (section) number n * 5 of the pattern of its ground.

A cell shows so few of the 32 or 36 phases that the first frame has few pieces to draw.
"""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the cells of a part of a board, then the steps between cells of unequal elevations.

    A style with features of its own (``pieces.features``) draws them over bare cells, which are all
    that is yielded for it.
    """
    rows = np.arange(len(part.cells), dtype=np.intp)
    grid_lines = part.overlays.grid_lines
    if pieces.features is not None:
        number = pieces.number(bare_cell(pieces, grid_lines=grid_lines))
        yield Batch(np.full(len(rows), number, np.intp), rows, fine=pieces.fine)
        return

    # Codes are numbered anew for each kind of piece, so that cells with and without outline differ.
    kind = "cell"
    if grid_lines:
        kind = "outlined cell"
    make = partial(_cell_of_code, pieces, grid_lines=grid_lines)
    yield Batch(pieces.numbers(kind, _codes_of(part), make), rows, fine=pieces.fine)
    yield from steps.batches(pieces, part)


def _codes_of(part: ScenePart) -> NDArray[np.intp]:
    """Return a code (n,) for each of the n cells of a part; cells with the same code look the same.

    A code is a number with three digits, so to speak: terrain, variant, and elevation.
    """
    variants = hash_cells(part.cells, VARIANT_BITS)
    levels = part.elevation - DEEPEST  # 0 or more, as digits have to be
    return np.asarray((part.terrain * VARIANTS + variants) * LEVELS + levels)


def _cell_of_code(pieces: Pieces, code: int, *, grid_lines: bool) -> Piece:
    """Return the piece of the cells with a code (``_codes_of``)."""
    terrain_and_variant, level = divmod(code, LEVELS)
    terrain, variant = divmod(terrain_and_variant, VARIANTS)
    return board_cell(pieces, terrain, level + DEEPEST, variant, grid_lines=grid_lines)


def board_cell(
    pieces: Pieces, terrain: int, elevation: int, variant: int = 0, *, grid_lines: bool = True
) -> Piece:
    """Return the piece of a cell with ground, tint and feature.

    ``terrain`` is an index into the terrain set, ``variant`` (below ``VARIANTS``) chooses among the
    looks of this terrain. The grounds of neighbouring cells need not fit: outlines part them.
    """
    phase = variant * PHASES_APART

    def draw(painter: QPainter) -> None:
        pieces.draw_ground(painter, terrain, phase)
        pieces.draw_tint(painter, elevation)
        pieces.draw_feature(painter, terrain, variant)
        if grid_lines:
            draw_outline(painter, pieces)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[terrain])
    outline = pieces.outline
    key = ("cell", terrain, elevation, variant, grid_lines)
    box = outline.boundingRect()
    return Piece(key, box, draw, clip=outline, draft=colour, terrain=terrain)


def bare_cell(pieces: Pieces, *, grid_lines: bool = True) -> Piece:
    """Return the piece of a cell in the plain colour of the first terrain, without its feature."""
    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[0])
    outline = pieces.outline

    def draw(painter: QPainter) -> None:
        # More than the cell: the piece is clipped to its outline.
        painter.fillRect(cell_box(pieces.layout, MARGIN), colour)
        if grid_lines:
            draw_outline(painter, pieces)

    key = ("bare cell", grid_lines)
    return Piece(key, outline.boundingRect(), draw, clip=outline, draft=colour)


FAINT_BELOW = 16.0
"""Below so many pixels a map unit the grid lines of boards get fainter: they would hide the map.

Those of landscapes do not. Where a landscape is that small, it soon has none (``GRID_LINES_FROM``).
"""

LANDSCAPE_OPACITY = 1.25
"""How many times as opaque grid lines are on landscapes as on boards: they are seen over woods."""

LANDSCAPE_WIDTH = 1.2
"""The width of grid lines on landscapes, in pixels.

They are nowhere paler than the ground: pale ones look like something that lies on lava and tar.
"""

HALF_OUTLINE = "grid"
"""The key of the piece with the grid lines of a cell of a landscape."""


def grid_line_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the grid lines of the cells of a landscape; none where the cells are small.

    Every cell draws one half of its outline, the same half. The lines on the other sides are drawn
    by the neighbours there, so that no line is drawn twice.
    """
    pixels_a_unit = 1 / pieces.pixel
    if pixels_a_unit < GRID_LINES_FROM:
        return
    number = pieces.number_of_key(HALF_OUTLINE, partial(_half_outline, pieces))
    count = len(part.cells)
    yield Batch(np.full(count, number, np.intp), np.arange(count, dtype=np.intp))


def _half_outline(pieces: Pieces) -> Piece:
    """Return the piece of the first half of a cell's sides: three of a hex, two of a square."""
    sides = pieces.layout.degree // 2
    outline = cell_outline(pieces.layout)
    line = QPolygonF([outline.at(corner) for corner in range(sides + 1)])
    margin = pieces.pixel  # the line is wider than its points
    box = line.boundingRect().adjusted(-margin, -margin, margin, margin)

    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(grid_colour(pieces), LANDSCAPE_WIDTH * pieces.pixel))
        painter.drawPolyline(line)

    return Piece(HALF_OUTLINE, box, draw)


def draw_outline(painter: QPainter, pieces: Pieces) -> None:
    """Draw the outline of the cell around (0, 0), a pixel wide, in map units."""
    painter.setPen(QPen(grid_colour(pieces), pieces.pixel))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(cell_outline(pieces.layout))


def grid_colour(pieces: Pieces) -> QColor:
    """Return the colour of grid lines, as opaque as they are at the scale of ``pieces``."""
    colour = QColor(pieces.theme.grid_line)
    pixels_a_unit = 1 / pieces.pixel
    is_landscape = pieces.is_landscape
    if is_landscape:
        colour.setAlphaF(min(colour.alphaF() * LANDSCAPE_OPACITY, 1.0))
    elif pixels_a_unit < FAINT_BELOW:
        colour.setAlphaF(colour.alphaF() * pixels_a_unit / FAINT_BELOW)
    return colour
