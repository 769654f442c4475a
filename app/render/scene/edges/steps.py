"""Steps between elevations: which cells have which rims, and on which cells shadows fall.

A rim lies on the sides of a cell beyond which the land is lower, so that cells of one elevation
make one plateau without lines in it; where a hexside lies it is drawn instead. A step of two or
three units has the pieces of lower ones, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from app.render.pictures.ground_phase import hash_cells
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.edges.contours import Bends
from app.render.scene.edges.step_shapes import (
    HIGHEST_STEP,
    draw_rim,
    draw_shadow,
    rim_box,
    shadow_box,
)
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.planes import is_blank
from randomizer.model.terrain import TerrainSet

BOARD_BENDS, LANDSCAPE_BENDS = Bends(0.03, 0.25, 0.0), Bends(0.10, 0.85, 0.035)
"""How contours run, by ``Style.landscape``."""


def bends_of(pieces: Pieces) -> Bends:
    """Return how contours run in the style of a scene."""
    return LANDSCAPE_BENDS if pieces.style.landscape else BOARD_BENDS


def batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Shadows at the feet of steps, then their rims."""
    if part.flat or not len(part.cells):
        return
    rises = part.rises
    if rises.any():
        yield from _shadows(pieces, rises)
        yield from _rims(pieces, part, rises)


def alone(pieces: Pieces, elevation: int) -> Iterator[Piece]:
    """Yield the steps of a cell all of whose neighbours have elevation 0."""
    layout, everywhere = pieces.layout, (1 << pieces.layout.degree) - 1
    bends = bends_of(pieces)
    for height in range(1, min(abs(elevation), HIGHEST_STEP) + 1):
        if elevation > 0:
            rim = partial(
                draw_rim,
                layout=layout,
                bends=bends,
                height=height,
                sides=everywhere,
                drops=everywhere,
                ends=0,
                variant=0,
            )
            yield Piece(("rim alone", height), rim_box(layout, everywhere, height), rim)
        else:
            shadow = partial(draw_shadow, layout=layout, height=height, around=everywhere)
            yield Piece(("shadow alone", height), shadow_box(layout, height, everywhere), shadow)


def _bits(marks: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Bit masks (n,) of ``marks`` (bits, n)."""
    result = np.zeros(marks.shape[1], np.intp)
    for bit, row in enumerate(marks):
        result |= row.astype(np.intp) << bit
    return result


def _shadows(pieces: Pieces, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """``rises`` (sides and corners, n): by how much the neighbours are higher."""

    def make(code: int) -> Piece:
        height, around = code >> 8, code & 255
        box = shadow_box(pieces.layout, height, around)
        draw = partial(draw_shadow, layout=pieces.layout, height=height, around=around)
        return Piece(("step shadow", height, around), box, draw)

    for height in range(1, HIGHEST_STEP + 1):
        masks = _bits(rises >= height)
        places = np.flatnonzero(masks)
        if not len(places):
            return
        numbers = pieces.numbers("step shadow", masks[places] | height << 8, make)
        yield Batch(numbers, places, fine=pieces.fine)


def _rims(pieces: Pieces, part: ScenePart, rises: NDArray[np.intp]) -> Iterator[Batch]:
    """The rims of ``part``, with ``ScenePart.rises``."""
    degree = pieces.layout.degree
    rises, corners = rises[:degree], rises[degree:]
    bends = bends_of(pieces)
    covered, raised = _hexsides(part)
    dropping = _bits((rises < 0) | raised)
    # The corners at which a contour that leaves the cell turns round the lower neighbour.
    ends = _bits(corners >= 0) if degree == 4 else np.zeros(len(part.cells), np.intp)
    variant = hash_cells(part.cells, 2) if bends.sway else np.zeros(len(part.cells), np.intp)
    everywhere = (1 << degree) - 1

    def make(code: int) -> Piece:
        draw = partial(
            draw_rim,
            layout=pieces.layout,
            bends=bends,
            height=code >> 16,
            sides=code >> 10 & 63,
            drops=code >> 4 & 63,
            ends=code & 15 if degree == 4 else everywhere,
            variant=code & 3 if degree == 6 else code >> 14 & 3,
        )
        box = rim_box(pieces.layout, code >> 10 & (1 << degree) - 1, code >> 16)
        return Piece(("step rim", code), box, draw)

    # Bits of a code: the corners 0-3 (of squares) or the variant 0-1, drops 4-9, sides 10-15 (of
    # squares 10-13 and the variant), height 16-17.
    codes = dropping << 4 | (ends | variant << 14 if degree == 4 else variant)
    for height in range(1, HIGHEST_STEP + 1):
        sides = _bits((rises <= -height) & ~covered)
        places = np.flatnonzero(sides)
        if len(places):
            keys = (codes | sides << 10 | height << 16)[places]
            yield Batch(pieces.numbers("step rim", keys, make), places, fine=pieces.fine)


def _hexsides(part: ScenePart) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which sides (degree, n) have a hexside, and which a raised one of the cell itself."""
    degree = part.grid.degree
    spec = part.system.hexside
    covered = np.zeros((degree, len(part.cells)), np.bool_)
    if spec is None or not part.overlays.hexsides or is_blank(part.composite.planes[spec.name]):
        return covered, covered
    own = part.values(spec)
    raised = raised_codes(part.composite.terrain_set)[own].T
    for side in range(degree):
        others = part.neighbours(side)
        beyond = part.sides_at(spec, np.maximum(others, 0), part.grid.opposite(side))
        covered[side] = (own[:, side] > 0) | ((others >= 0) & (beyond > 0))
    return covered, raised


def raised_codes(terrain_set: TerrainSet) -> NDArray[np.bool_]:
    """Return whether each code of a hexside (0: none) lies between a higher and a lower cell."""
    return np.array([False, *(side.higher or bool(side.ground) for side in terrain_set.hexsides)])
