"""The grounds of landscapes: cells without outlines, and without what stands on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QPainter

from app.render.cell_values.cell_colours import DEEPEST, LEVELS
from app.render.pictures.ground_phase import PHASES, phase_of
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the ground of every cell, in the tint of its elevation."""

    def make(code: int) -> Piece:
        picture, level = divmod(code, LEVELS)
        terrain, phase = divmod(picture, PHASES)
        return ground(pieces, terrain, phase, level + DEEPEST)

    places = np.arange(len(part.cells), dtype=np.intp)
    phase = phase_of(part.grid, part.cells)
    codes = (part.terrain * PHASES + phase) * LEVELS + part.elevation - DEEPEST
    yield Batch(pieces.numbers("ground", codes, make), places)


def ground(pieces: Pieces, terrain: int, phase: int, elevation: int) -> Piece:
    """Return the ground of a cell, in the tint of its elevation."""

    def draw(painter: QPainter) -> None:
        pieces.drawing.ground(painter, terrain, phase)
        pieces.drawing.tint(painter, elevation)

    colour = pieces.drawing.colour(terrain, elevation)
    outline = pieces.outline
    key = ("ground", terrain, phase, elevation)
    return Piece(key, outline.boundingRect(), draw, outline, colour, terrain=terrain)
