"""Cells of boards: ground, tint of the elevation and feature in one piece; steps on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.render.cell_colours import DEEPEST, LEVELS
from app.render.piece import Piece
from app.render.scene import steps
from app.render.scene.batch import Batch
from app.render.variants import MOST_VARIANTS, variants_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The cells; of wargame tables only their ground."""
    places = np.arange(len(part.cells), dtype=np.intp)
    if pieces.terrain_set.contours:
        number = pieces.number(table_cell(pieces))
        yield Batch(np.full(len(places), number, np.intp), places)
        return
    variant = variants_at(pieces.terrain_set, part.terrain, part.cells)
    codes = (part.terrain * MOST_VARIANTS + variant) * LEVELS + part.elevation - DEEPEST

    def make(code: int) -> Piece:
        picture, level = divmod(code, LEVELS)
        return board_cell(
            pieces, picture // MOST_VARIANTS, level + DEEPEST, picture % MOST_VARIANTS
        )

    yield Batch(pieces.numbers("cell", codes, make), places)
    yield from steps.batches(pieces, part)


def board_cell(pieces: Pieces, terrain: int, elevation: int, variant: int = 0) -> Piece:
    """A cell with everything on it."""

    def draw(painter: QPainter) -> None:
        pieces.drawing.ground(painter, terrain)
        pieces.drawing.tint(painter, elevation)
        pieces.drawing.feature(painter, terrain, variant)

    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[terrain])
    outline = pieces.outline
    key = ("cell", terrain, elevation, variant)
    return Piece(key, outline.boundingRect(), draw, outline, colour)


def table_cell(pieces: Pieces) -> Piece:
    """A bare cell of a wargame table."""
    colour = pieces.theme.terrain_colour(pieces.terrain_set.terrains[0])
    outline = pieces.outline
    key, box = "table", outline.boundingRect()
    return Piece(key, box, pieces.drawing.table_ground, outline, colour)
