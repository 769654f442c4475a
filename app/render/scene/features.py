"""What stands on the ground of landscapes: trees, mountains, houses, pools.

A picture may have groups that close up over the sides between alike cells (a wood), and groups that
span two or three cells (a mountain): ``packaging/pictures/compose.py`` names them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF

from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.spans import kinds_of, spans_at
from app.render.scene.standing import FEW, MASKS, MOST_VARIANTS
from app.render.variants import hashed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces
    from app.render.scene.standing import Standing
    from randomizer.model.layouts import Layout

SINGLES = MOST_VARIANTS * MASKS * FEW
CODES = SINGLES + 8 * FEW
"""A terrain has so many codes: single cells (variant, mask, variant of sides), then spans."""


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """What stands on the cells, from the north to the south."""
    standing = pieces.standing
    terrain, cells = part.terrain, part.cells
    variant = hashed(cells, 16) % standing.variants[terrain]
    few = hashed(cells, 1, salt=1)
    masks = np.zeros(len(cells), np.intp)
    if standing.close.any():
        closing = standing.close[terrain]
        for bit, side in enumerate(standing.sides):
            masks |= (closing & part.alike[side]).astype(np.intp) << bit
    codes = (variant * MASKS + masks) * FEW + few * (masks > 0)
    shown = np.arange(len(cells), dtype=np.intp)
    if standing.span.any():
        drawn, hidden = spans_at(part, standing.span)
        codes = np.where(drawn >= 0, SINGLES + drawn * FEW + few, codes)
        shown = np.flatnonzero(~hidden)
    codes += terrain * CODES
    numbers = pieces.numbers("feature", codes[shown], partial(_piece, pieces, standing))
    order = np.argsort(part.centres[shown, 1], kind="stable")
    yield Batch(numbers[order], shown[order])


def _piece(pieces: Pieces, standing: Standing, code: int) -> Piece:
    terrain, rest = divmod(code, CODES)
    own = pieces.pictures.standing(pieces.terrain_set.terrains[terrain])
    if own is None or not own.count(f"{standing.prefix}-cell"):
        variant = rest // (MASKS * FEW)

        def draw_feature(painter: QPainter) -> None:
            pieces.drawing.feature(painter, terrain, variant)

        return Piece(("feature", code), pieces.outline.boundingRect(), draw_feature)
    names = list(_groups(pieces.layout, standing, rest))
    box = QRectF()
    for name in names:
        box = box.united(own.drawing(name).box)

    def draw(painter: QPainter) -> None:
        for name in names:
            pieces.pictures.group(painter, pieces.terrain_set.terrains[terrain], name)

    return Piece(("feature", code), box, draw)


def _groups(layout: Layout, standing: Standing, code: int) -> Iterator[str]:
    """The groups of a picture that a code below ``CODES`` stands for."""
    prefix = standing.prefix
    if code >= SINGLES:
        span, few = divmod(code - SINGLES, FEW)
        yield f"{prefix}-{kinds_of(layout)[span].name}-{few + 1}"
        return
    place, few = divmod(code, FEW)
    variant, mask = divmod(place, MASKS)
    yield f"{prefix}-cell-{variant + 1}"
    for bit, side in enumerate(standing.sides):
        if mask >> bit & 1:
            yield f"{prefix}-side{side}-{few + 1}"
