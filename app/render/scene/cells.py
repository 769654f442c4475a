"""Cells with outlines: ground, tint of the elevation and feature in one piece; steps on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QPainter

from app.render.cell_values.cell_colours import DEEPEST, LEVELS
from app.render.pictures.ground_phase import hash_cells
from app.render.pictures.terrain_pictures import VARIANT_BITS, VARIANTS
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges import steps
from app.render.scene.grid_lines import draw_outline
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces

APART = 5
"""The variants of a cell show phases of the ground that are so far apart."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield cells with their outlines; only their ground where a style has features of its own."""
    places = np.arange(len(part.cells), dtype=np.intp)
    lines = part.overlays.grid_lines
    if pieces.features is not None:
        number = pieces.number(bare_cell(pieces, grid_lines=lines))
        yield Batch(np.full(len(places), number, np.intp), places, fine=pieces.fine)
        return
    variant = hash_cells(part.cells, VARIANT_BITS)
    codes = (part.terrain * VARIANTS + variant) * LEVELS + part.elevation - DEEPEST

    def make(code: int) -> Piece:
        picture, level = divmod(code, LEVELS)
        terrain, variant = divmod(picture, VARIANTS)
        return board_cell(pieces, terrain, level + DEEPEST, variant, grid_lines=lines)

    kind = "outlined cell" if lines else "cell"
    yield Batch(pieces.numbers(kind, codes, make), places, fine=pieces.fine)
    yield from steps.batches(pieces, part)


def board_cell(
    pieces: Pieces, terrain: int, elevation: int, variant: int = 0, *, grid_lines: bool = True
) -> Piece:
    """Return a cell with everything on it.

    Outlines part the cells: their grounds differ with the variant and need not fit.
    """
    phase = variant * APART

    def draw(painter: QPainter) -> None:
        pieces.drawing.ground(painter, terrain, phase)
        pieces.drawing.tint(painter, elevation)
        pieces.drawing.feature(painter, terrain, variant)
        if grid_lines:
            draw_outline(painter, pieces)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[terrain])
    outline = pieces.outline
    key = ("cell", terrain, elevation, variant, grid_lines)
    return Piece(key, outline.boundingRect(), draw, outline, colour, terrain=terrain)


def bare_cell(pieces: Pieces, *, grid_lines: bool = True) -> Piece:
    """Return a cell of the first terrain, without its feature."""

    def draw(painter: QPainter) -> None:
        pieces.drawing.plain_ground(painter)
        if grid_lines:
            draw_outline(painter, pieces)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[0])
    outline = pieces.outline
    return Piece(("bare cell", grid_lines), outline.boundingRect(), draw, outline, colour)
