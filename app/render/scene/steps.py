"""Elevation on landscapes: terraces of the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.render.cell_colours import DEEPEST
from app.render.piece import Piece
from app.render.scene.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The terraces of cells that are not level with the ground."""
    if part.flat:
        return
    places = np.flatnonzero(part.elevation)

    def make(code: int) -> Piece:
        def draw(painter: QPainter) -> None:
            pieces.drawing.terraces(painter, code + DEEPEST)

        return Piece(("terraces", code), pieces.outline.boundingRect(), draw)

    yield Batch(pieces.numbers("terraces", part.elevation[places] - DEEPEST, make), places)
