"""What stands on the ground of landscapes: trees, mountains, houses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.variants import MOST_VARIANTS, variants_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The feature of every cell."""
    variant = variants_at(pieces.terrain_set, part.terrain, part.cells)

    def make(code: int) -> Piece:
        terrain, number = divmod(code, MOST_VARIANTS)

        def draw(painter: QPainter) -> None:
            pieces.drawing.feature(painter, terrain, number)

        return Piece(("feature", terrain, number), pieces.outline.boundingRect(), draw)

    places = np.arange(len(part.cells), dtype=np.intp)
    yield Batch(pieces.numbers("feature", part.terrain * MOST_VARIANTS + variant, make), places)
